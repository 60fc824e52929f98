//! Random functions do the same before and after each pass, on the interpreter.

use numbra_lir::interp::InterpreterExecutor;
use numbra_lir::text::{Form, print};
use numbra_lir::verify::{Phase, verify};
use numbra_opt::{CRANELIFT, DEVICE, HOST, HOST_THREADS, LLVM, Pass, Pipeline};
use numbra_testing::random_lir::{self, FUNCTIONS, outcomes};

#[test]
fn passes_keep_meaning() {
    keeps_meaning(&[&HOST, &CRANELIFT]);
    keeps_meaning(&[&HOST, &LLVM]);
    keeps_meaning(&[&DEVICE, &HOST_THREADS]);
}

/// Runs lists one after the other.
fn keeps_meaning(lists: &[&Pipeline]) {
    let passes = || lists.iter().flat_map(|list| list.passes).copied();
    let interpreter = InterpreterExecutor::default();
    for seed in 1..=FUNCTIONS {
        let (module, f) = random_lir::module(seed);
        verify(&module, Phase::Built).unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
        let mut plain = module.clone();
        Pass::PlaceRefs.run(&mut plain);
        let expected = outcomes(&interpreter, &plain, f, seed);
        let mut whole = module.clone();
        for list in lists {
            let run = list.run_verified(&mut whole);
            run.unwrap_or_else(|error| panic!("seed {seed}: {error}"));
        }
        let mut now = module;
        let mut phase = Phase::Built;
        for (n, pass) in passes().enumerate() {
            let before = now.clone();
            let changed = pass.run(&mut now);
            phase = pass.leads_to(phase);
            let show = || {
                format!(
                    "seed {seed}, pass {n} {pass}\nbefore:\n{}\nafter:\n{}",
                    print(&before, Form::Plain),
                    print(&now, Form::Plain)
                )
            };
            if let Err(errors) = verify(&now, phase) {
                panic!("{errors:?}\n{}", show());
            }
            if !changed {
                let [before, after] = [&before, &now].map(|m| print(m, Form::Plain));
                assert_eq!(
                    before, after,
                    "seed {seed}: {pass} says that it changed nothing"
                );
            }
            let mut counted = now.clone();
            if phase == Phase::Built {
                Pass::PlaceRefs.run(&mut counted);
                if let Err(errors) = verify(&counted, Phase::Placed) {
                    panic!("{errors:?}\n{}", show());
                }
            }
            let got = outcomes(&interpreter, &counted, f, seed);
            for (a, b) in expected.iter().zip(&got) {
                assert!(a.same(b), "{a:?} became {b:?}\n{}", show());
            }
        }
        let [whole, by_one] = [&whole, &now].map(|m| print(m, Form::Plain));
        assert_eq!(whole, by_one, "seed {seed}: what is kept between passes");
    }
}

#[test]
fn passes_end() {
    for seed in 1..=FUNCTIONS {
        let (mut module, _) = random_lir::module(seed);
        for pass in [
            Pass::SimplifyCfg,
            Pass::Sroa,
            Pass::Gvn,
            Pass::Guards,
            Pass::Ranges,
            Pass::Dce,
            Pass::Sink,
        ] {
            for _ in 0..12 {
                if !pass.run(&mut module) {
                    break;
                }
            }
            let before = print(&module, Form::Plain);
            pass.run(&mut module);
            assert_eq!(
                print(&module, Form::Plain),
                before,
                "seed {seed}: {pass} goes on"
            );
        }
    }
}
