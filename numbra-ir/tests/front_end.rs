//! The untyped pipeline over what the builder makes of numbra-bytecode's fixtures, on every Python version.

use numbra_base::FileId;
use numbra_bytecode::{CodeObject, Version};
use numbra_ir::builder::build_code;
use numbra_ir::passes::{self, PassContext};
use numbra_ir::pipeline::{Cause, Pipeline, RunOptions, UNTYPED, UNTYPED_ORDER, Untyped};
use numbra_ir::verify::{Phase, verify};
use numbra_ir::{PrintOptions, Types, compact, parse_func, print_func};
use std::path::Path;

/// Every fixture that the builder takes goes through all passes, each verified; the result's text reads back.
#[test]
fn every_fixture_passes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../numbra-bytecode/fixtures");
    let pipeline =
        Pipeline::new("nopython", UNTYPED, UNTYPED_ORDER).unwrap_or_else(|e| panic!("{e}"));
    let (mut passed, mut refused) = (0, 0);
    for version in Version::ALL {
        let mut files: Vec<_> = std::fs::read_dir(root.join(version.name()))
            .unwrap_or_else(|e| panic!("{e}"))
            .flatten()
            .map(|entry| entry.path())
            .collect();
        files.sort();
        for path in files {
            let name = format!("{} {}", version.name(), path.display());
            let json = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}: {e}"));
            let code: CodeObject =
                serde_json::from_str(&json).unwrap_or_else(|e| panic!("{name}: {e}"));
            let Ok(func) = build_code(&code, FileId(1), "functions") else {
                refused += 1;
                continue;
            };
            let types = Types::new();
            let mut state = Untyped::new(func, Vec::new(), types.clone());
            match pipeline.run(&mut state, RunOptions { verify: true }, &mut ()) {
                Ok(_) => passed += 1,
                Err(failure) => match failure.cause {
                    Cause::Diagnostics(_) => {
                        refused += 1;
                        continue;
                    }
                    Cause::Verify(_) | Cause::Panic(_) => {
                        let text = print_func(&state.func, &types, PrintOptions::PLAIN);
                        panic!("{name}: {failure}\n{text}");
                    }
                },
            }
            let cx = PassContext::new(&types, &[]);
            for pass in [
                passes::copy_propagation,
                passes::simplify_cfg,
                passes::dead_code_elimination,
            ] {
                pass(&mut state.func, &cx).unwrap_or_else(|_| panic!("{name}"));
                if let Err(errors) = verify(&state.func, Phase::Ssa) {
                    let text = print_func(&state.func, &types, PrintOptions::PLAIN);
                    panic!("{name}: {}\n{text}", errors[0]);
                }
            }
            compact(&mut state.func);
            let text = print_func(&state.func, &types, PrintOptions::LOSSLESS);
            let back = parse_func(&text, &types).unwrap_or_else(|e| panic!("{name}: {e}\n{text}"));
            assert!(back == state.func, "{name}:\n{text}");
        }
    }
    assert!(
        passed > 300 && passed > 3 * refused,
        "{passed} passed, {refused} refused"
    );
}
