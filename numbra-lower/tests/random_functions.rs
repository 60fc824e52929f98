//! Random functions do the same before and after each pass, on the interpreter and as machine code.

mod random;

use numbra_lower::interp::{Arg, Executor, InterpreterExecutor, LirValue, Outcome};
use numbra_lower::lir::{FuncRef, Module};
use numbra_lower::passes::{CRANELIFT, DEVICE, PIPELINE, run_pass};
use numbra_lower::text::{Form, print};
use numbra_lower::verify::{Phase, verify};
use random::{ELEMENTS, Rng};

/// Functions that each test makes.
const FUNCTIONS: u64 = 400;

fn arguments(seed: u64) -> Vec<Vec<Arg>> {
    let mut rng = Rng(seed * 2 + 1);
    let words = [-17, -1, 0, 1, 2, 7, 15, 16, i64::MAX, i64::MIN];
    (0..4)
        .map(|_| {
            let buffer = (0..ELEMENTS as u64)
                .flat_map(|n| (n as i64 - 3).to_le_bytes())
                .collect();
            let mut args = vec![Arg::Buffer(buffer)];
            for _ in 0..3 {
                let n = words[rng.below(words.len() as u64) as usize];
                args.push(Arg::Value(LirValue::i64(n)));
            }
            args
        })
        .collect()
}

fn outcomes(executor: &dyn Executor, module: &Module, f: FuncRef, seed: u64) -> Vec<Outcome> {
    arguments(seed)
        .iter()
        .map(|args| match executor.run(module, f, args) {
            Ok(outcome) => {
                assert_eq!(outcome.leaked, 0, "seed {seed}, {}: leak", executor.name());
                outcome
            }
            Err(error) => panic!(
                "seed {seed}, {}: {error}\n{}",
                executor.name(),
                print(module, Form::Plain)
            ),
        })
        .collect()
}

#[test]
fn passes_keep_meaning() {
    let host: Vec<&str> = PIPELINE.iter().chain(CRANELIFT).copied().collect();
    keeps_meaning(&host);
    keeps_meaning(DEVICE);
}

fn keeps_meaning(passes: &[&str]) {
    let interpreter = InterpreterExecutor::default();
    for seed in 1..=FUNCTIONS {
        let (module, f) = random::module(seed);
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
        let (mut module, _) = random::module(seed);
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

#[cfg(feature = "cranelift")]
#[test]
fn machine_code_does_what_the_interpreter_does() {
    use numbra_lower::cranelift::{Options, compile};
    use numbra_lower::interp::RunError;
    use numbra_lower::jit::CodeExecutor;
    use numbra_lower::passes::{cranelift_pipeline, default_pipeline};

    let options = Options {
        verify: true,
        ..Options::default()
    };
    let generate =
        |module: &_| compile(module, &options).map_err(|e| RunError::Failed(e.to_string()));
    let code = CodeExecutor {
        name: "cranelift",
        generate: &generate,
        runtime: numbra_testing::machine_code::runtime(),
    };
    let interpreter = InterpreterExecutor::default();
    for seed in 1..=FUNCTIONS {
        let (mut module, f) = random::module(seed);
        default_pipeline(&mut module);
        cranelift_pipeline(&mut module);
        let expected = outcomes(&interpreter, &module, f, seed);
        let got = outcomes(&code, &module, f, seed);
        for (a, b) in expected.iter().zip(&got) {
            let text = print(&module, Form::Plain);
            assert!(a.same(b), "seed {seed}: {a:?} as code {b:?}\n{text}");
        }
    }
}
