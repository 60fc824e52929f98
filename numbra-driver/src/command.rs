//! The `numbra` command: starts from a text or JSON file of any stage and prints any later one, without Python.
//!
//! The kind of a file follows from its name: `.code.json` a code object, `.nir` Numba IR or a typed program,
//! `.nir.json` their dump, `.lir` and `.lir.json` LIR.

use crate::explain::explain;
use crate::inspect::STAGES;
use crate::session::Session;
use crate::tier2::GeneratorSource;
use crate::translate::{Stage, advance, read, types_of};
use numbra_lir::Ty;
use numbra_lir::interp::{Completion, Interpreter, LirValue};
use std::io::Write as _;

const USAGE: &str = "\
Takes a function from any stage of the compiler to any later one, without Python.

usage: numbra FILE --to STAGE [--args TYPES] [--json] [-o OUT]
       numbra FILE --run FUNCTION [VALUE...]
       numbra explain CODE               what a diagnostic code means: numbra explain T004
       numbra --version
  with Python (python -m numbra):
       numbra run ARG...                 as python ARG..., where import numba gives numbra:
                                         run SCRIPT, run -m MODULE, run -c CODE, each with its arguments
       numbra -s                         versions, processor, GPU and settings, for reports of bugs

FILE      what it holds follows from its name:
            NAME.code.json           a code object of CPython 3.11 to 3.15
            NAME.nir, NAME.nir.json  Numba IR, or a typed program
            NAME.lir, NAME.lir.json  LIR
--to      the stage to print:
            bytecode  instructions              typed     IR with the type of every variable
            cfg       control-flow graph        lir       low-level IR
            cfg-dot   the same, for Graphviz    lir-opt   LIR after its passes
            dfg       data-flow graph           clif      Cranelift's IR
            ir        Numba IR                  asm       machine code of Cranelift
            ssa       IR after the untyped passes
            parallel  which prange loops run in parallel, as if by parallel=True
            passes    what each LIR pass changes, and its time
            llvm, llvm-opt, ptx: LLVM's IR, the same after its passes, assembly for a GPU; remarks: which
            loops LLVM vectorises, and why not others; these from python -m numbra, where LLVM is installed
--args    argument types, which inference needs: 'int64, array(float64, 1d, C)'
--json    the stages ir, ssa, typed, lir and lir-opt as JSON, to be read again; parallel and remarks
-o        writes to a file
--run     runs a function of a LIR file on the interpreter

examples:
  python -m numbra._codeobject program.py func -o func.code.json
  numbra func.code.json --to typed --args 'int64, float64' -o func.nir
  numbra func.nir --to asm
  numbra func.lir --run func 3 2.5
";

/// Runs the command; returns its exit status: 0 done, 1 the input is wrong, 2 the call is wrong.
///
/// `llvm` is where the stages `llvm`, `llvm-opt`, `remarks` and `ptx` come from.
pub fn run(args: &[String], llvm: Option<GeneratorSource>) -> i32 {
    let done = match args {
        [word, rest @ ..] if word == "explain" => explain_all(rest),
        [word] if word == "--version" || word == "-V" => {
            Ok(concat!("numbra ", env!("CARGO_PKG_VERSION"), "\n").to_owned())
        }
        _ => parse(args).and_then(|call| execute(&call, llvm)),
    };
    match done {
        Ok(text) => show(&text),
        Err(Failure::Usage(message)) => {
            if message.is_empty() {
                return show(USAGE);
            }
            eprintln!("numbra: {message}\n\n{USAGE}");
            2
        }
        Err(Failure::Input(message)) => {
            eprintln!("numbra: {message}");
            1
        }
    }
}

/// The pages about some codes.
fn explain_all(codes: &[String]) -> Result<String, Failure> {
    if codes.is_empty() {
        return Err(Failure::Usage(
            "explain takes a code, such as T004".to_owned(),
        ));
    }
    let pages: Result<Vec<&str>, String> = codes.iter().map(|code| explain(code)).collect();
    pages.map(|pages| pages.join("\n")).map_err(Failure::Input)
}

/// Writes to standard output, which may have been closed by its reader.
fn show(text: &str) -> i32 {
    let mut out = std::io::stdout().lock();
    i32::from(
        out.write_all(text.as_bytes())
            .and_then(|()| out.flush())
            .is_err(),
    )
}

enum Failure {
    Usage(String),
    Input(String),
}

struct Call {
    file: String,
    to: Option<String>,
    args: Option<String>,
    json: bool,
    out: Option<String>,
    run: Option<(String, Vec<String>)>,
}

fn parse(args: &[String]) -> Result<Call, Failure> {
    use lexopt::prelude::*;
    let usage = |e: lexopt::Error| Failure::Usage(e.to_string());
    let mut parser = lexopt::Parser::from_args(args);
    let mut call = Call {
        file: String::new(),
        to: None,
        args: None,
        json: false,
        out: None,
        run: None,
    };
    while let Some(arg) = parser.next().map_err(usage)? {
        match arg {
            Long("to") => call.to = Some(parser.value().and_then(|v| v.string()).map_err(usage)?),
            Long("args") => {
                call.args = Some(parser.value().and_then(|v| v.string()).map_err(usage)?)
            }
            Long("json") => call.json = true,
            Short('o') => call.out = Some(parser.value().and_then(|v| v.string()).map_err(usage)?),
            Long("run") => {
                let name = parser.value().and_then(|v| v.string()).map_err(usage)?;
                let values = parser
                    .raw_args()
                    .map_err(usage)?
                    .map(|v| v.to_string_lossy().into_owned())
                    .collect();
                call.run = Some((name, values));
            }
            Long("help") | Short('h') => return Err(Failure::Usage(String::new())),
            Value(file) if call.file.is_empty() => call.file = file.string().map_err(usage)?,
            other => return Err(usage(other.unexpected())),
        }
    }
    if call.file.is_empty() {
        return Err(Failure::Usage("no file".to_owned()));
    }
    if call.to.is_none() && call.run.is_none() {
        return Err(Failure::Usage("neither --to nor --run".to_owned()));
    }
    Ok(call)
}

/// The stages that can be written as JSON.
const JSON_STAGES: &[&str] = &[
    "ir", "ssa", "typed", "parallel", "lir", "lir-opt", "remarks",
];

fn execute(call: &Call, llvm: Option<GeneratorSource>) -> Result<String, Failure> {
    let session = Session::new();
    if let Some(llvm) = llvm {
        session.set_second_generator(llvm);
    }
    let text = std::fs::read_to_string(&call.file)
        .map_err(|e| Failure::Input(format!("{}: {e}", call.file)))?;
    let stage = read(&session, &call.file, &text)
        .map_err(|e| Failure::Input(format!("{}: {e}", call.file)))?;
    if let Some((name, values)) = &call.run {
        return interpret(&stage, name, values).map_err(Failure::Input);
    }
    let to = call.to.as_deref().unwrap_or_default();
    if !STAGES.contains(&to) {
        return Err(Failure::Usage(format!(
            "no stage '{to}'; the stages are {}",
            STAGES.join(", ")
        )));
    }
    let args = match &call.args {
        Some(text) => types_of(&session, text).map_err(Failure::Usage)?,
        None => Vec::new(),
    };
    if call.json && !JSON_STAGES.contains(&to) {
        return Err(Failure::Usage(format!("stage '{to}' has no JSON")));
    }
    let text = advance(&session, stage, to, &args, call.json).map_err(Failure::Input)?;
    match &call.out {
        None => Ok(text),
        Some(path) => std::fs::write(path, text)
            .map(|()| String::new())
            .map_err(|e| Failure::Input(format!("{path}: {e}"))),
    }
}

/// Runs a function of a LIR module on the interpreter.
fn interpret(stage: &Stage, name: &str, values: &[String]) -> Result<String, String> {
    let Stage::Lir(module, _) = stage else {
        return Err("--run takes a LIR file".to_owned());
    };
    let (id, decl) = module
        .functions
        .iter()
        .find(|(_, d)| d.name == name)
        .ok_or_else(|| format!("no function `{name}`"))?;
    if values.len() != decl.sig.params.len() {
        return Err(format!(
            "`{name}` takes {} values, {} given",
            decl.sig.params.len(),
            values.len()
        ));
    }
    let args: Vec<LirValue> = values
        .iter()
        .zip(&decl.sig.params)
        .map(|(text, p)| value_of(p.ty, text).ok_or_else(|| format!("`{text}` is no {}", p.ty)))
        .collect::<Result<_, _>>()?;
    let mut interpreter = Interpreter::new(module).map_err(|e| e.to_string())?;
    match interpreter.call(id, &args).map_err(|e| e.to_string())? {
        Completion::Returned(values) => Ok(format!(
            "{}\n",
            values
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join(", ")
        )),
        Completion::Raised(raised) => Ok(format!("raised {raised:?}\n")),
    }
}

/// A scalar from its text.
fn value_of(ty: Ty, text: &str) -> Option<LirValue> {
    match ty {
        Ty::F64 => text.parse().ok().map(LirValue::f64),
        Ty::F32 => text.parse().ok().map(LirValue::f32),
        _ if ty.is_int() => text.parse().ok().map(|n| LirValue::int(ty, n)),
        _ => None,
    }
}
