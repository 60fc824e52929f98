//! What is damaged: every filetest and every kept code object, in the form of each stage.

use crate::stages::{is_internal, types_for};
use numbra_driver::Session;
use numbra_driver::translate::{Stage, advance, read};
use numbra_ir::verify::Phase;
use numbra_ir::{Func, PrintOptions, TypedProgram, dump, print_func};
use numbra_lir::artifact::Artifact;
use numbra_lir::text::{Form, print};
use numbra_lower::cranelift;
use numbra_testing::golden::files_under;
use numbra_testing::random::Random;
use std::path::{Path, PathBuf};

/// Parts that the code objects are divided into: each process makes the seeds of one.
pub(crate) const PARTS: usize = 12;

/// Argument types tried for a code object before its function counts as not compilable.
const ATTEMPTS: usize = 4;

fn workspace(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn contents(root: &Path, extension: &str) -> Vec<String> {
    let text = |path: &PathBuf| std::fs::read_to_string(path).expect("a readable file");
    files_under(root, extension).iter().map(text).collect()
}

/// The texts of filetests: what stands before and what stands behind the expectation's line.
fn filetests(folders: &[&str], extension: &str) -> Vec<String> {
    let files = folders
        .iter()
        .flat_map(|folder| contents(&workspace(folder), extension));
    let mut out = Vec::new();
    for file in files {
        for part in file.split("---- expected\n") {
            let head = part.lines().next().unwrap_or_default();
            let body = match head.starts_with("test ") {
                true => part.split_once('\n').map_or("", |(_, body)| body),
                false => part,
            };
            out.push(body.to_owned());
        }
    }
    out
}

/// The code objects of a part, as JSON.
pub(crate) fn code(part: usize) -> Vec<String> {
    let mut out = contents(&workspace("numbra-bytecode/fixtures"), "json");
    // One with thousands of names, which takes as long as all others together.
    out.retain(|text| text.len() < 20_000);
    let every = out.into_iter().skip(part % PARTS).step_by(PARTS);
    every.collect()
}

/// Functions in Numba IR.
fn functions(session: &Session, part: usize) -> Vec<(Func, Phase)> {
    let mut out = Vec::new();
    for text in &filetests(
        &[
            "numbra-ir/tests/filetests",
            "numbra-typeinfer/tests/filetests",
        ],
        "nir",
    ) {
        if let Ok(Stage::Func(func, phase)) = read(session, "f.nir", text) {
            out.push((func, phase));
        }
    }
    for text in &code(part) {
        let Ok(code) = serde_json::from_str(text) else {
            continue;
        };
        if let Ok(source) = session.untyped(code, "m", &|_| None) {
            out.push((source.func, Phase::Untyped));
        }
    }
    assert!(out.len() > 40, "filetests and code objects can be read");
    out
}

pub(crate) fn nir(part: usize) -> Vec<String> {
    let session = Session::new();
    let mut out = filetests(&["numbra-ir/tests/filetests"], "nir");
    for (func, _) in functions(&session, part) {
        for form in [PrintOptions::PLAIN, PrintOptions::LOSSLESS] {
            out.push(print_func(&func, &session.types, form));
        }
    }
    out
}

pub(crate) fn nir_json(part: usize) -> Vec<String> {
    let session = Session::new();
    let functions = functions(&session, part);
    let dumps = functions
        .iter()
        .filter_map(|(func, _)| dump::to_json(func, &session.types).ok());
    dumps.collect()
}

/// Typed programs.
fn programs(session: &Session, part: usize) -> Vec<TypedProgram> {
    let mut out = Vec::new();
    for text in &filetests(
        &[
            "numbra-ir/tests/filetests",
            "numbra-typeinfer/tests/filetests",
            "numbra-lower/tests/filetests",
        ],
        "nir",
    ) {
        if let Ok(Stage::Typed(program)) = read(session, "f.nir", text) {
            out.push(program);
        }
    }
    let mut random = Random::new(part as u64);
    for (func, phase) in functions(session, part) {
        let stage = Stage::Func(func, phase);
        for _ in 0..ATTEMPTS {
            let args = types_for(session, &stage, &mut random);
            match advance(session, stage.clone(), "typed", &args, true) {
                Ok(text) => {
                    if let Ok(Stage::Typed(program)) = read(session, "f.nir.json", &text) {
                        out.push(program);
                        break;
                    }
                }
                Err(message) => assert!(!is_internal(&message), "{message}"),
            }
        }
    }
    assert!(out.len() > 40, "filetests and code objects have types");
    out
}

pub(crate) fn typed(part: usize) -> Vec<String> {
    let session = Session::new();
    let programs = programs(&session, part).into_iter();
    programs
        .filter_map(|program| advance(&session, Stage::Typed(program), "typed", &[], false).ok())
        .collect()
}

pub(crate) fn typed_json(part: usize) -> Vec<String> {
    let session = Session::new();
    let programs = programs(&session, part);
    let dumps = programs
        .iter()
        .filter_map(|program| dump::to_json(program, &session.types).ok());
    dumps.collect()
}

/// Typed programs with loops over `prange`.
pub(crate) fn parallel() -> Vec<String> {
    let folders = [
        "numbra-parallel/tests/filetests",
        "numbra-lower/tests/filetests/parallel",
    ];
    let texts = filetests(&folders, "nir").into_iter();
    let out: Vec<String> = texts
        .filter(|text| text.contains("numbra.prange#"))
        .collect();
    assert!(out.len() > 60, "there are plans");
    out
}

/// LIR of filetests, and of typed programs before and behind the passes.
pub(crate) fn lir(part: usize) -> Vec<String> {
    let session = Session::new();
    let mut out = filetests(
        &[
            "numbra-lir/tests/filetests",
            "numbra-opt/tests/filetests",
            "numbra-llvm/tests/filetests",
        ],
        "lir",
    );
    for program in programs(&session, part) {
        for to in ["lir", "lir-opt"] {
            out.extend(advance(
                &session,
                Stage::Typed(program.clone()),
                to,
                &[],
                false,
            ));
        }
    }
    out
}

fn modules(part: usize) -> Vec<numbra_lir::Module> {
    let parsed = lir(part);
    let out: Vec<_> = parsed
        .iter()
        .filter_map(|text| numbra_lir::text::read(text).ok())
        .map(|(module, _)| module)
        .collect();
    assert!(out.len() > 100, "LIR can be read");
    out
}

pub(crate) fn lir_json(part: usize) -> Vec<String> {
    let dumps = modules(part)
        .into_iter()
        .filter_map(|module| numbra_lir::text::to_json(&module).ok());
    dumps.collect()
}

/// LIR with spans, origins and all else that the plain form leaves out.
pub(crate) fn lir_lossless(part: usize) -> Vec<String> {
    let modules = modules(part);
    modules.iter().map(|m| print(m, Form::Lossless)).collect()
}

pub(crate) fn artifacts(part: usize) -> Vec<Artifact> {
    let options = cranelift::Options::default();
    let modules = modules(part);
    let made = modules
        .iter()
        .step_by(3)
        .filter_map(|module| cranelift::compile(module, &options).ok());
    made.collect()
}

/// Types in text, those of all dumps and such as no filetest names.
pub(crate) fn types(part: usize) -> Vec<String> {
    let session = Session::new();
    let mut out: Vec<String> = TYPES.iter().map(|text| (*text).to_owned()).collect();
    for program in programs(&session, part) {
        for (_, typed) in program.functions.values() {
            let types = typed.var_types.values().flatten();
            out.extend(types.map(|ty| session.types.text(*ty).to_string()));
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

const TYPES: &[&str] = &[
    "[char x 5]",
    "[unichr x 5]",
    "memoryview(float64, 2d, F)",
    "readonly unaligned array(complex64, 3d, A)",
    "Record(a[type=int64;offset=0],b[type=[unichr x 3];offset=8;alignment=4;title=t];40;True)",
    "nestedarray(int16, (2, 3,))",
    "datetime64[D]",
    "timedelta64[ms]",
    "NamedTuple(P, x: int8, `in`: array(float64, 2d, F))",
    "StarArgTuple(int64, int64)",
    "Literal[slice](slice(0, None, -1))",
    "omitted(default=b\"\\x00a\")",
    "nditer(2, array(float64, 2d, F), int64)",
    "generator(g, Tuple(int64, float32), array(float64, 2d, F))",
    "FunctionType[none(int64, Tuple(int64, float32))]",
    "UndefinedFunctionType(dispatcher(1, f), dispatcher(2, g))",
    "IntEnum<int64>(m.Color)",
    "ext(1, \"k\", \"My[T]\")",
    "PolynomialType(array(float64, 1d, C), array(float64, 1d, C), array(float64, 1d, C))",
    "range_iter_int64x2",
    "UniTuple(UniTuple(int64 x 3) x 2)",
    "zip(range_iter_int64, enumerate(range_iter_int64))",
    "reflected list(reflected set(unicode_type))",
];
