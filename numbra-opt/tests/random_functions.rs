//! Random functions do the same before and after each pass, on the interpreter.

use numbra_lir::interp::InterpreterExecutor;
use numbra_lir::text::{Form, print};
use numbra_lir::verify::{Phase, verify};
use numbra_opt::{CRANELIFT, DEVICE, PIPELINE, run_pass};
use numbra_testing::random_lir::{self, FUNCTIONS, outcomes};

#[test]
fn passes_keep_meaning() {
    let host: Vec<&str> = PIPELINE.iter().chain(CRANELIFT).copied().collect();
    keeps_meaning(&host);
    keeps_meaning(DEVICE);
}

fn keeps_meaning(passes: &[&str]) {
    let interpreter = InterpreterExecutor::default();
    for seed in 1..=FUNCTIONS {
        let (module, f) = random_lir::module(seed);
        verify(&module, Phase::Built).unwrap_or_else(|e| panic!("seed {seed}: {e:?}"));
        let mut plain = module.clone();
        run_pass("place_refs", &mut plain);
        let expected = outcomes(&interpreter, &plain, f, seed);
        let mut now = module;
        let mut phase = Phase::Built;
        for (n, pass) in passes.iter().enumerate() {
            let before = now.clone();
            run_pass(pass, &mut now);
            if *pass == "place_refs" {
                phase = Phase::Placed;
            }
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
            let mut counted = now.clone();
            if phase == Phase::Built {
                run_pass("place_refs", &mut counted);
                if let Err(errors) = verify(&counted, Phase::Placed) {
                    panic!("{errors:?}\n{}", show());
                }
            }
            let got = outcomes(&interpreter, &counted, f, seed);
            for (a, b) in expected.iter().zip(&got) {
                assert!(a.same(b), "{a:?} became {b:?}\n{}", show());
            }
        }
    }
}

#[test]
fn passes_end() {
    for seed in 1..=FUNCTIONS {
        let (mut module, _) = random_lir::module(seed);
        for pass in [
            "simplify_cfg",
            "sroa",
            "gvn",
            "guards",
            "ranges",
            "dce",
            "sink",
        ] {
            for _ in 0..12 {
                if run_pass(pass, &mut module) == Some(false) {
                    break;
                }
            }
            let before = print(&module, Form::Plain);
            run_pass(pass, &mut module);
            assert_eq!(
                print(&module, Form::Plain),
                before,
                "seed {seed}: {pass} goes on"
            );
        }
    }
}
