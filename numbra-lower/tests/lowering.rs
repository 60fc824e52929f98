//! Goldens of lowering: a typed program, and the LIR that is made of it before any pass.
//!
//! There is one at least for each file of `src/lowering`, at the same place in `tests/filetests`: `prange.private.nir` is another
//! one of `prange.rs`. `NUMBRA_BLESS=1` rewrites them.
//!
//! ```text
//! ; what to look at
//! ; options: parallel boundscheck
//! ; object: ext(0, "point", "Point")
//! ; field: x, float64
//! ; run: f(3, 4) == 7
//! the typed program, as `f.inspect("typed", signature)` prints it
//! ---- expected
//! the LIR, and what became of the loops that may run in parallel; or the diagnostic
//! ```
//! Calls of `; run:` are made on the interpreter, before and behind the passes of LIR.

use numbra_ir::{Callee, ExtField, ExtModel, ExtShape, Type, TypedProgram, Types, read_program};
use numbra_library::{Body, Library};
use numbra_lir::text::{Form, print};
use numbra_lir::{DebugInfo, FastMath, Linkage, MathLib, Module};
use numbra_lower::lowering::{
    DeviceAbi, ErrorModel, Lowered, Options, add_device_entry, lower, parallel_functions,
};
use numbra_opt::{DEVICE, HOST};
use numbra_parallel::LoopReport;
use numbra_testing::filetest::check_built;
use numbra_testing::golden::{self, SEPARATOR, files_under};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Files of lowering that lower nothing by themselves, and why.
const WITHOUT: &[(&str, &str)] = &[
    ("mod", "it names the others"),
    ("array/mod", "it names the others"),
    ("inline/mod", "it names the others"),
    ("list/mod", "it names the others"),
    ("parallel/mod", "it names the others"),
    ("options", "data only"),
    (
        "format",
        "a call of a native for each part; tests/py/text compares all formats with CPython",
    ),
    (
        "model/initial",
        "its leaves are those of the type that it is of",
    ),
    (
        "owner",
        "the Python edge alone asks it; its own test compares it with the leaves",
    ),
];

fn goldens() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/filetests")
}

#[test]
fn typed_programs_become_this_lir() {
    golden::check(&goldens(), "nir", 70, |text| {
        let input = golden::input(text);
        Ok(format!("{input}{SEPARATOR}\n{}", expected(input)?))
    });
}

#[test]
fn every_file_of_lowering_has_a_golden() {
    let names = |root: &Path, extension: &str| -> BTreeSet<String> {
        let files = files_under(root, extension);
        let within = files.iter().filter_map(|file| file.strip_prefix(root).ok());
        within
            .map(|file| {
                file.with_extension("")
                    .with_extension("")
                    .display()
                    .to_string()
            })
            .collect()
    };
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/lowering");
    let mut without = names(&sources, "rs");
    let shown = names(&goldens(), "nir");
    for (name, why) in WITHOUT {
        assert!(without.remove(*name), "there is no {name}.rs ({why})");
        assert!(!shown.contains(*name), "{name} has a golden ({why})");
    }
    let unknown: Vec<_> = shown.difference(&without).collect();
    let without: Vec<_> = without.difference(&shown).collect();
    assert!(without.is_empty(), "files without a golden: {without:?}");
    assert!(unknown.is_empty(), "goldens of no file: {unknown:?}");
}

/// What a golden is expected to hold behind its separator.
fn expected(input: &str) -> Result<String, String> {
    let types = Types::new();
    let library = Library::standard();
    models(input, &types)?;
    let program = read_program(input, &types, library).map_err(|e| e.to_string())?;
    let (options, entry) = options(input)?;
    bodies_fit(&program, &types, library, options.device)?;
    let functions = parallel_functions(&program, &options);
    let plan = numbra_parallel::plan(&program, &types, library, &functions);
    let lowered = match lower(&program, &plan, &types, library, &options) {
        Ok(lowered) => lowered,
        Err(fault) => return Ok(format!("error[{}]: {}\n", fault.code.0, fault.message)),
    };
    let Lowered {
        mut module,
        element_loops,
    } = lowered;
    let loops = [plan.report(&program), element_loops].concat();
    if let Some(abi) = entry {
        let root = &program.functions[program.root].1;
        let signature = (&root.args[..], root.ret);
        let exported = |module: &Module| {
            let mut all = module.functions.iter();
            all.find_map(|(at, decl)| (decl.linkage == Linkage::Export).then_some(at))
        };
        let func = exported(&module).ok_or("the module exports nothing")?;
        add_device_entry(&types, &mut module, func, signature, "entry", abi)?;
    }
    let passes = if options.device { &DEVICE } else { &HOST };
    let lir = print(&module, Form::Plain);
    check_built(input, &module, passes).map_err(|e| format!("{e}\n{lir}"))?;
    Ok(loops.iter().fold(lir, |text, one| text + &report(one)))
}

/// Bodies of a row have numbers, which move where one is put between others: then the files say others than were meant.
fn bodies_fit(
    program: &TypedProgram,
    types: &Types,
    library: &Library,
    device: bool,
) -> Result<(), String> {
    let functions = program.functions.values();
    for site in functions.flat_map(|(_, typed)| typed.calls.values().flatten()) {
        let Callee::Row(row, body) = site.callee else {
            continue;
        };
        let row = library.row(row);
        let fits = |body: &Body| body.applies(types, &site.sig.params) && body.runs_on(device);
        if !fits(&row.bodies[usize::from(body.0)]) {
            let others = row.bodies.iter().enumerate();
            let fitting: Vec<usize> = others.filter(|(_, b)| fits(b)).map(|(at, _)| at).collect();
            return Err(format!(
                "{}#{} is not for these arguments; bodies that are: {fitting:?}",
                row.name, body.0
            ));
        }
    }
    Ok(())
}

/// What the lines `; object: TYPE` and `; value: TYPE` say of types that Python code would define, each followed by its
/// fields as lines `; field: NAME, TYPE`.
fn models(input: &str, types: &Types) -> Result<(), String> {
    let mut all: Vec<(Type, ExtModel)> = Vec::new();
    let parse = |text: &str| types.parse(text).map_err(|e| e.to_string());
    for line in input.lines() {
        let Some((word, rest)) = line.strip_prefix("; ").and_then(|l| l.split_once(": ")) else {
            continue;
        };
        let shape = match word {
            "object" => ExtShape::Object,
            "value" => ExtShape::Value,
            "field" => {
                let (name, ty) = rest.split_once(", ").ok_or("a field is `NAME, TYPE`")?;
                let (_, model) = all.last_mut().ok_or("a field of no type")?;
                model.fields.push(ExtField {
                    name: name.into(),
                    ty: parse(ty)?,
                    attribute: Some(name.into()),
                    is_writable: true,
                });
                continue;
            }
            _ => continue,
        };
        let fields = Vec::new();
        all.push((parse(rest)?, ExtModel { shape, fields }));
    }
    for (ty, model) in all {
        types.define_model(ty, model);
    }
    Ok(())
}

/// The words of the lines `; options: ..`.
fn options(input: &str) -> Result<(Options, Option<DeviceAbi>), String> {
    let mut options = Options::default();
    let mut entry = None;
    let lines = input.lines().filter_map(|l| l.strip_prefix("; options:"));
    for word in lines.flat_map(str::split_whitespace) {
        match word {
            "numpy_errors" => options.root.error_model = ErrorModel::Numpy,
            "parallel" => options.root.parallel = true,
            "boundscheck" => options.root.boundscheck = true,
            "fastmath" => options.root.fast = FastMath::all(),
            "libm" => options.math = MathLib::Libm,
            "device" => options.device = true,
            "debug" => options.debug = DebugInfo::Full,
            "kernel" => entry = Some(DeviceAbi::Kernel),
            "host_kernel" => entry = Some(DeviceAbi::HostKernel),
            "device_function" => entry = Some(DeviceAbi::Numba),
            _ => return Err(format!("`{word}` is no option")),
        }
    }
    Ok((options, entry))
}

/// What became of a loop that may run in parallel, as a comment.
fn report(one: &LoopReport) -> String {
    let nested = if one.is_nested { "nested " } else { "" };
    let mut out = format!("; {nested}{} of `{}`: ", one.kind.name(), one.function);
    match &one.serial {
        Some(why) => out.push_str(&format!("serial: {why}")),
        None => out.push_str("parallel"),
    }
    for (name, operator) in &one.reductions {
        let _ = write!(out, "; reduction of `{name}` by {operator}");
    }
    for hazard in &one.hazards {
        let _ = write!(out, "; hazard: {hazard}");
    }
    out + "\n"
}
