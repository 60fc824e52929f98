//! Filetests whose expectation is text: LLVM IR as emitted (`test llvm TARGET`), or assembly at -O3
//! (`test ptx sm_80`, `test asm x86-64-v4`), LLVM IR at -O3 (`test optimised TARGET`), or what LLVM says about loops (`test remarks TARGET`). TARGET is a CPU level or a compute capability. `NUMBRA_BLESS` rewrites what is expected.

use crate::filetests::files;
use numbra_lir::remarks::remarks_text;
use numbra_lir::text::parse;
use numbra_llvm::{OptLevel, Target, assembly, emit, optimised, remarks};
use std::path::Path;

const SEPARATOR: &str = "---- expected";

/// What the file asks for.
fn output(head: &str, source: &str) -> Result<String, String> {
    let [kind, name] = head.split_whitespace().collect::<Vec<_>>()[..] else {
        return Err(format!("`test {head}` is not a kind and a target"));
    };
    let target: Target = name.parse().map_err(|()| format!("no target `{name}`"))?;
    let module = parse(source).map_err(|e| e.to_string())?;
    match kind {
        "llvm" => emit(&module, &target).map_err(|e| e.to_string()),
        "remarks" => remarks(&module, &target)
            .map(|found| remarks_text(&found, &module))
            .map_err(|e| e.to_string()),
        "optimised" => optimised(&module, &target, OptLevel::O3).map_err(|e| e.to_string()),
        "asm" | "ptx" => assembly(&module, &target, OptLevel::O3).map_err(|e| e.to_string()),
        _ => Err(format!("no kind `{kind}`")),
    }
}

#[test]
fn emitted_text() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    let bless = std::env::var_os("NUMBRA_BLESS").is_some();
    let mut checked = 0;
    let mut failures = Vec::new();
    for (name, text) in files(&root) {
        let (first, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let head = first.strip_prefix("test ").unwrap_or_default();
        if head == "run" {
            continue;
        }
        checked += 1;
        let (source, expected) = rest.split_once(SEPARATOR).unwrap_or((rest, ""));
        let got = match output(head, source) {
            Ok(got) => got,
            Err(error) => {
                failures.push(format!("{name}: {error}"));
                continue;
            }
        };
        if got.trim() == expected.trim() {
            continue;
        }
        if bless {
            let new = format!(
                "{first}\n{}\n{SEPARATOR}\n{}\n",
                source.trim_end(),
                got.trim()
            );
            std::fs::write(root.join(&name), new).expect("the file can be written");
        } else {
            failures.push(format!("{name}: the output differs:\n{got}"));
        }
    }
    assert!(checked >= 5, "{checked} files");
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

#[test]
fn targets_read_back_as_they_print() {
    let host = Target::host();
    for target in [
        "x86-64",
        "x86-64-v4 znver4",
        "sm_90",
        "sm_75 nofma",
        &host.to_string(),
    ] {
        let read: Target = target.parse().expect("a target");
        assert_eq!(read.to_string(), target);
    }
    for wrong in [
        "",
        "x86-64-v9",
        "sm_70",
        "sm_90 quick",
        "x86-64 a\"b",
        "arm64",
    ] {
        assert_eq!(wrong.parse::<Target>(), Err(()), "{wrong}");
    }
}
