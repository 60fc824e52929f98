//! The prelude's IR: one text from the code objects of every version of CPython, equal to `prelude/*.nir`.
//!
//! `NUMBRA_BLESS=1` rewrites the texts from the stored code objects (`prelude/generate.py` writes those).

use numbra_base::FileId;
use numbra_ir::builder::build_code;
use numbra_ir::{Func, Inst, ObjKind, StmtKind, Types};
use numbra_ir::{PrintOptions, parse_func, print_func};
use numbra_library::prelude::{FILES, describe_global, functions, prelude_source};
use std::path::Path;

const VERSIONS: [&str; 5] = ["3.11", "3.12", "3.13", "3.14", "3.15"];

/// The functions of a file as one version of CPython compiles them.
fn build(root: &Path, version: &str, file: &str) -> Vec<Func> {
    let path = root.join("code").join(version).join(format!("{file}.json"));
    let text = std::fs::read_to_string(&path).expect("the code objects are stored");
    let codes: Vec<serde_json::Value> = serde_json::from_str(&text).expect("a list");
    codes
        .into_iter()
        .map(|code| {
            let code = serde_json::from_value(code).expect("a code object");
            let mut func = build_code(&code, FileId(0), "numbra.prelude")
                .unwrap_or_else(|e| panic!("{file}: {}", e.message));
            for desc in func.objects.values_mut() {
                if desc.kind == ObjKind::Unresolved {
                    *desc = describe_global(&desc.name).unwrap_or_else(|| {
                        panic!("{file}: {} is no global of the prelude", desc.name)
                    });
                }
            }
            // These functions read no variable without a value, even where the builder cannot see it.
            let insts = &func.insts;
            let is_check =
                |inst: &Inst| matches!(insts[*inst].kind, StmtKind::CheckAssigned { .. });
            for block in func.blocks.values_mut() {
                block.insts.retain(|inst| !is_check(inst));
            }
            func
        })
        .collect()
}

#[test]
fn one_ir_for_all_versions() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("prelude");
    let types = Types::new();
    let bless = std::env::var_os("NUMBRA_BLESS").is_some();
    for file in FILES {
        let texts: Vec<String> = VERSIONS
            .iter()
            .map(|version| {
                let funcs = build(&root, version, file.name);
                let texts: Vec<String> = funcs
                    .iter()
                    .map(|func| print_func(func, &types, PrintOptions::default()))
                    .collect();
                texts.join("\n")
            })
            .collect();
        for (version, text) in VERSIONS.iter().zip(&texts) {
            assert_eq!(text, &texts[0], "{} on {version}", file.name);
        }
        if bless {
            std::fs::write(root.join(format!("{}.nir", file.name)), &texts[0]).expect("writes");
        } else {
            assert_eq!(file.ir, texts[0], "{}.nir is stale", file.name);
        }
    }
}

#[test]
fn every_function_parses_and_has_a_source() {
    let types = Types::new();
    for file in FILES {
        for text in functions(file.ir) {
            let func = parse_func(text, &types).unwrap_or_else(|e| panic!("{}: {e}", file.name));
            assert!(
                prelude_source(&func.name).is_some(),
                "{} has no source",
                func.name
            );
        }
    }
}
