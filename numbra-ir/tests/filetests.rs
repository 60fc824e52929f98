//! Runs `tests/filetests/*/*.nir`. `NUMBRA_BLESS=1` rewrites what is expected.
//!
//! ```text
//! test <what> [options]
//! ; comments
//! function ...
//! ---- expected
//! function ...
//! ```
//! Files of `test verifier` have no expected part: each line that breaks a rule carries `; error: ...`.

use numbra_ir::verify::{Phase, VerifyError, verify, verify_program, verify_typed};
use numbra_ir::{
    NoRows, Place, PrintOptions, Types, parse_func, parse_program, parse_typed_func,
    print_func_with_notes, print_program, print_typed_func_with_notes,
};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[test]
fn filetests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let bless = std::env::var_os("NUMBRA_BLESS").is_some();
    let mut failures = String::new();
    let files = files_under(&root);
    assert!(!files.is_empty(), "no filetests found");
    for path in &files {
        let name = path.strip_prefix(&root).unwrap_or(path).display();
        let text = std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{name}: {e}"));
        match run(&text) {
            Ok(actual) if actual == text => {}
            Ok(actual) if bless => {
                std::fs::write(path, actual).unwrap_or_else(|e| panic!("{name}: {e}"));
            }
            Ok(actual) => {
                let _ = writeln!(
                    failures,
                    "==== {name}: expected\n{text}==== found\n{actual}"
                );
            }
            Err(message) => {
                let _ = writeln!(failures, "==== {name}: {message}");
            }
        }
    }
    assert!(failures.is_empty(), "\n{failures}");
}

fn files_under(root: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "nir") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// The text that the file should be.
fn run(text: &str) -> Result<String, String> {
    let (input, _) = text.split_once("---- expected\n").unwrap_or((text, ""));
    // Comment lines stay; the function follows them.
    let first = input.lines().next().unwrap_or("");
    let words: Vec<&str> = first.split_whitespace().collect();
    let head_len: usize = input
        .split_inclusive('\n')
        .take_while(|l| l.starts_with("test ") || l.starts_with(';') || l.trim().is_empty())
        .map(str::len)
        .sum();
    let (head, body) = input.split_at(head_len);
    match words.as_slice() {
        ["test", "verifier", phase] => Ok(format!("{head}{}", verifier(body, phase)?)),
        _ => Err(format!("`{first}` is not a test")),
    }
}

/// The function with `; error:` on each line that breaks a rule.
fn verifier(body: &str, phase: &str) -> Result<String, String> {
    let types = Types::new();
    let plain = PrintOptions::PLAIN;
    let result;
    let note = |errors: &[VerifyError], place: Place| {
        let messages: Vec<String> = errors
            .iter()
            .filter(|e| e.place == place)
            .map(|e| format!("error: {}", e.message))
            .collect();
        (!messages.is_empty()).then(|| messages.join("; "))
    };
    let phase = match phase {
        "untyped" => Phase::Untyped,
        "ssa" => Phase::Ssa,
        "dels" => Phase::WithDels,
        "typed" => {
            let typed = parse_typed_func(body, &types, &NoRows).map_err(|e| e.to_string())?;
            result = verify_typed(&typed, &types).err().unwrap_or_default();
            let notes = |place| note(&result, place);
            return Ok(print_typed_func_with_notes(
                &typed, &types, &NoRows, plain, &notes,
            ));
        }
        "program" => {
            let program = parse_program(body, &types, &NoRows).map_err(|e| e.to_string())?;
            let mut text = print_program(&program, &types, &NoRows, plain);
            for error in verify_program(&program, &types).err().unwrap_or_default() {
                let _ = writeln!(text, "; error: {error}");
            }
            return Ok(text);
        }
        _ => return Err(format!("`{phase}` is not a phase")),
    };
    let func = parse_func(body, &types).map_err(|e| e.to_string())?;
    result = verify(&func, phase).err().unwrap_or_default();
    let (own, nested): (Vec<_>, Vec<_>) = result.into_iter().partition(|e| e.func == func.qualname);
    let notes = |place| note(&own, place);
    let mut text = print_func_with_notes(&func, &types, plain, &notes);
    for error in nested {
        let _ = writeln!(text, "; error: {error}");
    }
    Ok(text)
}
