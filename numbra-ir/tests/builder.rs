//! The builder over the code objects of numbra-bytecode's fixtures: one text on every Python version, goldens,
//! and the verifier.

use numbra_base::{Diagnostic, FileId, Origin};
use numbra_bytecode::{CodeObject, Version};
use numbra_ir::builder::build_code;
use numbra_ir::verify::{Phase, verify};
use numbra_ir::{Func, PrintOptions, Types, parse_func, print_func};
use std::path::{Path, PathBuf};

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../numbra-bytecode/fixtures")
}

fn names() -> Vec<String> {
    let entries = std::fs::read_dir(fixtures().join("3.11")).expect("fixtures are committed");
    let names = entries.filter_map(|e| {
        Some(
            e.ok()?
                .file_name()
                .to_str()?
                .strip_suffix(".json")?
                .to_owned(),
        )
    });
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert!(names.len() > 100, "fixtures are missing");
    names
}

fn code(version: Version, name: &str) -> CodeObject {
    let path = fixtures().join(version.name()).join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn build(version: Version, name: &str) -> Result<Func, Box<Diagnostic>> {
    build_code(&code(version, name), FileId(1), "functions")
}

fn text(version: Version, name: &str) -> String {
    match build(version, name) {
        Ok(func) => print_func(&func, &Types::new(), PrintOptions::default()),
        Err(d) => format!(
            "{:?} {}: {}\nnumba: {}\nhelp: {}\n",
            d.class,
            d.code.0,
            d.message,
            d.numba_phrase.unwrap_or_default(),
            d.help.unwrap_or_default()
        ),
    }
}

#[test]
fn one_text_on_every_version() {
    let mut different = Vec::new();
    for name in names() {
        let expected = text(Version::Py311, &name);
        let differs = Version::ALL.iter().any(|&v| text(v, &name) != expected);
        if differs {
            different.push(name);
        }
    }
    assert!(
        different.is_empty(),
        "differ between versions: {different:?}"
    );
}

#[test]
fn goldens() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/goldens/builder");
    let bless = std::env::var_os("BLESS").is_some();
    for name in names() {
        let (path, actual) = (
            folder.join(format!("{name}.txt")),
            text(Version::Py311, &name),
        );
        if bless {
            std::fs::create_dir_all(&folder).expect("golden folder");
            std::fs::write(&path, actual).expect("golden file");
        } else {
            let expected = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(
                expected == actual,
                "{} differs (BLESS=1 rewrites it); now:\n{actual}",
                path.display()
            );
        }
    }
}

#[test]
fn functions_verify_and_read_back() {
    for version in Version::ALL {
        for name in names() {
            let Ok(func) = build(version, &name) else {
                continue;
            };
            let text = print_func(&func, &Types::new(), PrintOptions::default());
            if let Err(errors) = verify(&func, Phase::Untyped) {
                panic!("{} {name}: {}\n{text}", version.name(), errors[0]);
            }
            let types = Types::new();
            let again =
                parse_func(&text, &types).unwrap_or_else(|e| panic!("{name}: {e:?}\n{text}"));
            assert_eq!(
                print_func(&again, &types, PrintOptions::default()),
                text,
                "{name}"
            );
        }
    }
}

/// Provenance: source position and bytecode offset of every statement.
#[test]
fn statements_have_positions() {
    let (mut known, mut total) = (0, 0);
    for version in Version::ALL {
        for name in names() {
            let Ok(func) = build(version, &name) else {
                continue;
            };
            for stmt in func.insts.values() {
                total += 1;
                known +=
                    usize::from(stmt.span.is_known() && matches!(stmt.origin, Origin::Bytecode(_)));
            }
        }
    }
    assert!(
        total > 5_000 && known * 100 >= total * 99,
        "{known} of {total}"
    );
}

/// Mutated code objects: the builder never panics, and what it accepts obeys the verifier.
/// `NUMBRA_FUZZ_N` sets the number per version (1,000 by default).
#[test]
fn mutated_code_objects() {
    let count: usize = std::env::var("NUMBRA_FUZZ_N")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(1_000);
    let mut state: u64 = 0x1234_5678_9abc_def1;
    let mut random = |n: usize| {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % n.max(1)
    };
    for version in Version::ALL {
        let fixtures: Vec<CodeObject> = names()
            .iter()
            .filter(|n| n.as_str() != "extended_arguments")
            .map(|n| code(version, n))
            .collect();
        let mut built = 0;
        for _ in 0..count {
            let mut code = fixtures[random(fixtures.len())].clone();
            for _ in 0..1 + random(3) {
                let at = random(code.code.len() / 2) * 2;
                match random(5) {
                    0 => code.code[at] = random(256) as u8,
                    1 | 2 => code.code[at + 1] = random(256) as u8 >> random(8),
                    3 => {
                        let (from, len) = (random(code.code.len() / 2) * 2, 2 * random(8));
                        let part = code.code[from..(from + len).min(code.code.len())].to_vec();
                        code.code.splice(at..at, part);
                    }
                    _ if !code.exceptiontable.is_empty() => {
                        let i = random(code.exceptiontable.len());
                        code.exceptiontable[i] ^= 1 << random(8);
                    }
                    _ => code
                        .varnames
                        .iter_mut()
                        .for_each(|n| n.truncate(1 + random(4))),
                }
            }
            let result = std::panic::catch_unwind(|| build_code(&code, FileId(1), "fuzz"));
            let case = || serde_json::to_string(&code).unwrap_or_default();
            match result {
                Ok(Ok(func)) => {
                    built += 1;
                    if let Err(errors) = verify(&func, Phase::Untyped) {
                        let text = print_func(&func, &Types::new(), PrintOptions::default());
                        panic!("{}\n{text}\n{}", errors[0], case());
                    }
                }
                Ok(Err(diagnostic)) => assert!(!diagnostic.message.is_empty()),
                Err(_) => panic!("panic: {}", case()),
            }
        }
        println!("{}: {built} of {count} built", version.name());
    }
}
