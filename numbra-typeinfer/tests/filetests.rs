//! Runs `tests/filetests/*/*.nir`. `NUMBRA_BLESS=1` rewrites what is expected.
//!
//! ```text
//! test infer (int64, float64) [nep50] [stencils] [ret=float64] [x=float64 ..]
//! function f(n, x):
//!   ...
//! function g(a):
//!   ...
//! ---- expected
//! the typed program, or the diagnostics
//! ```
//! Functions after the first are dispatchers 0, 1, .. that the first may name: `obj0 = g dispatcher(0)`.
//! With `stencils` they are kernels of stencils.
//! A first function whose own object is `dispatcher(99)` may call itself.

use numbra_base::Diagnostic;
use numbra_ir::lattice::Promotion;
use numbra_ir::stencil::Stencil;
use numbra_ir::verify::verify_program;
use numbra_ir::{
    DispatcherId, InstanceOrigin, PrintOptions, Type, Types, parse_func, print_program,
};
use numbra_library::Library;
use numbra_testing::golden::{self, SEPARATOR};
use numbra_typeinfer::{Options, TestDispatcher, TestHost, infer_full};
use std::fmt::Write;
use std::path::Path;

#[test]
fn filetests() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests");
    golden::check(&root, "nir", 30, run);
}

/// The text that the file should be.
fn run(text: &str) -> Result<String, String> {
    let input = golden::input(text);
    let types = Types::new();
    let mut lines = input.lines();
    let head = lines.next().unwrap_or("");
    let spec = head
        .strip_prefix("test infer ")
        .ok_or_else(|| format!("`{head}` is not a test"))?;
    let close = closing(spec).ok_or("the argument types need parentheses")?;
    let args = split_types(&spec[1..close])
        .into_iter()
        .map(|t| types.parse(t).map_err(|e| format!("`{t}`: {e}")))
        .collect::<Result<Vec<Type>, String>>()?;
    let mut opts = Options::default();
    let mut stencils = false;
    for word in spec[close + 1..].split_whitespace() {
        match word.split_once('=') {
            None if word == "nep50" => opts.promotion = Promotion::Nep50,
            None if word == "stencils" => stencils = true,
            Some(("ret", ty)) => opts.ret = Some(types.parse(ty).map_err(|e| e.to_string())?),
            Some((name, ty)) => {
                let ty = types.parse(ty).map_err(|e| e.to_string())?;
                opts.locals.push((name.to_owned(), ty));
            }
            None => return Err(format!("`{word}` is no option")),
        }
    }
    let mut host = TestHost::new(Library::standard());
    let mut functions = functions_of(input);
    if functions.is_empty() {
        return Err("no function".to_owned());
    }
    let main = parse_func(functions.remove(0), &types).map_err(|e| e.to_string())?;
    for (i, text) in functions.into_iter().enumerate() {
        let func = parse_func(text, &types).map_err(|e| e.to_string())?;
        host.set_dispatcher(
            i as u32,
            TestDispatcher {
                func,
                frozen: None,
                declared: Vec::new(),
            },
        );
        if stencils {
            host.set_stencil(i as u32, Stencil::default());
        }
    }
    host.set_dispatcher(
        99,
        TestDispatcher {
            func: main.clone(),
            frozen: None,
            declared: Vec::new(),
        },
    );
    opts.origin = Some(InstanceOrigin::Dispatcher(DispatcherId(99)));
    let inference = infer_full(main, &args, Library::standard(), &host, &types, &opts);
    let mut out = format!("{input}{SEPARATOR}\n");
    for diagnostic in &inference.diagnostics {
        show(&mut out, diagnostic);
    }
    if !inference.force_literal.is_empty() {
        let _ = writeln!(out, "force literal: {:?}", inference.force_literal);
    }
    if let Some(program) = &inference.program {
        out.push_str(&print_program(
            program,
            &types,
            Library::standard(),
            PrintOptions::PLAIN,
        ));
        for error in verify_program(program, &types).err().unwrap_or_default() {
            let _ = writeln!(out, "NOT VALID: {error}");
        }
    }
    Ok(out)
}

fn show(out: &mut String, diagnostic: &Diagnostic) {
    let _ = writeln!(
        out,
        "error[{}] {:?} at {}: {}",
        diagnostic.code.0, diagnostic.class, diagnostic.span, diagnostic.message
    );
    if let Some(label) = &diagnostic.label {
        let _ = writeln!(out, "  label: {label}");
    }
    for label in &diagnostic.secondary {
        let _ = writeln!(out, "  at {}: {}", label.span, label.text);
    }
    for note in &diagnostic.notes {
        let _ = writeln!(out, "  note: {note}");
    }
    if let Some(help) = &diagnostic.help {
        let _ = writeln!(out, "  help: {help}");
    }
    if let Some(phrase) = &diagnostic.numba_phrase {
        for line in phrase.lines() {
            let _ = writeln!(out, "  numba| {}", line.trim_end());
        }
    }
}

/// Position of the parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (i, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(i),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Splits at the commas outside brackets.
fn split_types(text: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (i, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..i].trim());
                start = i + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

/// The texts of the functions, which start at lines `function ...` without indentation.
fn functions_of(input: &str) -> Vec<&str> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    for line in input.split_inclusive('\n') {
        if line.starts_with("function ") {
            starts.push(at);
        }
        at += line.len();
    }
    starts
        .iter()
        .enumerate()
        .map(|(i, start)| &input[*start..starts.get(i + 1).copied().unwrap_or(input.len())])
        .collect()
}
