//! From a text or dump of any stage to the text of any later one.
//!
//! What is read is verified first: everything behind this door may rely on the rules of its stage.

use crate::inspect::{asm_text, clif_text};
use crate::options::Options;
use crate::pipeline;
use crate::session::Session;
use crate::tier2::Tier;
use numbra_base::{Diagnostic, render};
use numbra_bytecode::CodeObject;
use numbra_ir::verify as ir_rules;
use numbra_ir::{
    Callee, Expr, Func, InstanceOrigin, PrintOptions, Rhs, RowNames, SecondaryMap, StmtKind, Type,
    TypedProgram, Var, print_func, print_program, read_func, read_program,
};
use numbra_lir::Module;
use numbra_lir::remarks::remarks_text;
use numbra_lir::text::{Form, print};
use numbra_lir::verify as lir_rules;
use numbra_typeinfer::TestHost;
use std::path::Path;

/// What a file holds: verified, with how far its passes have come.
#[derive(Clone)]
pub enum Stage {
    /// A code object.
    Code(CodeObject),
    /// Numba IR.
    Func(Func, ir_rules::Phase),
    /// A typed program.
    Typed(TypedProgram),
    /// LIR.
    Lir(Module, lir_rules::Phase),
}

/// Reads a file, whose name says what it holds: `.code.json`, `.nir`, `.nir.json`, `.lir` or `.lir.json`.
pub fn read(session: &Session, file: &str, text: &str) -> Result<Stage, String> {
    let name = Path::new(file)
        .file_name()
        .map(|n| n.to_string_lossy().into_owned())
        .unwrap_or_default();
    let types = &session.types;
    if name.ends_with(".lir.json") {
        return numbra_lir::text::read_json(text).map(|(module, phase)| Stage::Lir(module, phase));
    }
    if name.ends_with(".lir") {
        return numbra_lir::text::read(text)
            .map(|(module, phase)| Stage::Lir(module, phase))
            .map_err(|e| e.to_string());
    }
    if name.ends_with(".nir.json") {
        return match numbra_ir::dump::from_json::<Func>(text, types) {
            Ok(func) => untyped(func),
            Err(first) => numbra_ir::dump::from_json::<TypedProgram>(text, types)
                .map_err(|second| format!("neither a function ({first}) nor a program ({second})"))
                .and_then(|program| typed(session, program)),
        };
    }
    if name.ends_with(".nir") {
        return match read_func(text, types) {
            Ok((func, phase)) => Ok(Stage::Func(func, phase)),
            Err(first) => read_program(text, types, session.library)
                .map(Stage::Typed)
                .map_err(|second| {
                    format!("neither a function ({first}) nor a typed program ({second})")
                }),
        };
    }
    if name.ends_with(".json") {
        return serde_json::from_str(text)
            .map(Stage::Code)
            .map_err(|e| e.to_string());
    }
    Err("the name ends in none of .code.json, .nir, .nir.json, .lir, .lir.json".to_owned())
}

fn untyped(func: Func) -> Result<Stage, String> {
    match ir_rules::phase_of(&func) {
        Ok(phase) => Ok(Stage::Func(func, phase)),
        Err(errors) => Err(first(&errors)),
    }
}

fn typed(session: &Session, program: TypedProgram) -> Result<Stage, String> {
    match ir_rules::verify_program(&program, &session.types) {
        Ok(()) => known_rows(session, program).map(Stage::Typed),
        Err(errors) => Err(first(&errors)),
    }
}

/// Which rows there are, the rules of the IR do not know.
fn known_rows(session: &Session, program: TypedProgram) -> Result<TypedProgram, String> {
    for (instance, (origin, typed)) in &program.functions {
        let named = match origin {
            InstanceOrigin::Prelude(row, body) => Some((*row, *body)),
            InstanceOrigin::Dispatcher(_)
            | InstanceOrigin::Overload(_)
            | InstanceOrigin::Closure(_)
            | InstanceOrigin::Text(_) => None,
        };
        let called = typed.calls.values().flatten().map(|site| site.callee);
        let rows = called.filter_map(|callee| match callee {
            Callee::Row(row, body) => Some((row, body)),
            Callee::Instance(_) | Callee::Map(_) => None,
        });
        let mut all = named.into_iter().chain(rows);
        if let Some((row, body)) = all.find(|(row, body)| !session.library.has_body(*row, *body)) {
            return Err(format!("{instance}: the library has no {row}#{}", body.0));
        }
    }
    Ok(program)
}

fn first(errors: &[ir_rules::VerifyError]) -> String {
    errors.first().map(ToString::to_string).unwrap_or_default()
}

/// `int64, array(float64, 1d, C)`: commas inside brackets do not separate.
pub fn types_of(session: &Session, text: &str) -> Result<Vec<Type>, String> {
    let mut out = Vec::new();
    let mut depth = 0;
    let mut start = 0;
    for (at, c) in text.char_indices().chain([(text.len(), ',')]) {
        match c {
            '(' | '[' | '<' => depth += 1,
            ')' | ']' | '>' => depth -= 1,
            ',' if depth == 0 => {
                let part = text[start..at].trim();
                if !part.is_empty() {
                    out.push(
                        session
                            .types
                            .parse(part)
                            .map_err(|e| format!("`{part}`: {e}"))?,
                    );
                }
                start = at + 1;
            }
            _ => {}
        }
    }
    Ok(out)
}

/// From what was read to the text of a stage; `args` are the types of a function's arguments. An error says what is wrong
/// with the input.
pub fn advance(
    session: &Session,
    stage: Stage,
    to: &str,
    args: &[Type],
    json: bool,
) -> Result<String, String> {
    let ir = |func: &Func| match json {
        true => numbra_ir::dump::to_json(func, &session.types).map_err(|e| e.to_string()),
        false => Ok(print_func(func, &session.types, PrintOptions::PLAIN)),
    };
    let lir = |module: &Module| match json {
        true => numbra_lir::text::to_json(module),
        false => Ok(print(module, Form::Plain)),
    };
    let show = |d: &Diagnostic| render(d, &session.sources());
    let show_all = |all: &[Diagnostic]| all.iter().map(show).collect::<Vec<_>>().join("\n\n");
    let plain = PrintOptions::PLAIN;
    let is_given = matches!(stage, Stage::Typed(_));
    let is_text = matches!(stage, Stage::Func(..));
    let mut stage = stage;
    if let Stage::Code(code) = stage {
        if matches!(to, "bytecode" | "cfg" | "cfg-dot" | "dfg") {
            return session.code_text(&code, to);
        }
        let source = session.untyped(code, "", &|_| None);
        stage = Stage::Func(source.map_err(|d| show(&d))?.func, ir_rules::Phase::Untyped);
    }
    if let Stage::Func(func, phase) = stage {
        if to == "ir" {
            return ir(&func);
        }
        let func = match phase {
            ir_rules::Phase::Untyped => {
                pipeline::untyped(session, &func, args, &session.types, &Options::default())
                    .map_err(|e| e.to_string())?
            }
            ir_rules::Phase::Ssa | ir_rules::Phase::WithDels => func,
        };
        if to == "ssa" {
            return ir(&func);
        }
        let options = numbra_typeinfer::Options {
            origin: Some(InstanceOrigin::Text(func.name.clone())),
            ..numbra_typeinfer::Options::default()
        };
        let host = TestHost::new(session.library);
        let (program, diagnostics) =
            numbra_typeinfer::infer(func, args, session.library, &host, &session.types, &options);
        match program {
            Some(program) => {
                // Code objects hold a check in front of such reads.
                if is_text && let Some(name) = read_unassigned(&program) {
                    return Err(format!("`{name}` is read, but nothing assigns it"));
                }
                ir_rules::verify_program(&program, &session.types).map_err(|errors| {
                    format!(
                        "what inference makes of it is not valid: {}",
                        first(&errors)
                    )
                })?;
                stage = Stage::Typed(program);
            }
            None => {
                return Err(show_all(&diagnostics));
            }
        }
    }
    if let Stage::Typed(program) = stage {
        if to == "typed" && json {
            return numbra_ir::dump::to_json(&program, &session.types).map_err(|e| e.to_string());
        }
        if to == "typed" {
            return Ok(print_program(
                &program,
                &session.types,
                session.library,
                plain,
            ));
        }
        let (types, host) = (&session.types, TestHost::new(session.library));
        let plan_of = |parallel: bool| {
            let options = Options {
                parallel,
                ..Options::default()
            };
            let options = pipeline::lowering_options(&program, &options, &host);
            let plan = session.plan(&program, types, &options);
            let plan = plan.map_err(|e| show_all(&e.diagnostics))?;
            Ok::<_, String>((plan, options))
        };
        if to == "parallel" {
            let (plan, _) = plan_of(true)?;
            return match json {
                true => numbra_parallel::to_json(&plan),
                false => Ok(numbra_parallel::print_plan(&plan, &program)),
            };
        }
        let (plan, options) = plan_of(false)?;
        let lowered = session
            .lower(&program, &plan, types, &options)
            .map_err(|e| show_all(&e.diagnostics))?;
        let module = lowered.module;
        // What inference makes fits; only the library knows whether a program from a file does.
        if is_given && let Err(errors) = lir_rules::verify(&module, lir_rules::Phase::Built) {
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            return Err(format!(
                "the types of the program do not fit what it calls; as LIR: {first}"
            ));
        }
        stage = Stage::Lir(module, lir_rules::Phase::Built);
    }
    let Stage::Lir(mut module, phase) = stage else {
        return Err(format!("the file is past stage '{to}'"));
    };
    if to == "lir" {
        return lir(&module);
    }
    if to == "passes" && phase == lir_rules::Phase::Built {
        return session.passes_text(&module);
    }
    // What counts references has its passes behind it.
    if phase == lir_rules::Phase::Built {
        (session.optimise(&mut module)).map_err(|e| show_all(&e.diagnostics))?;
    }
    let options = session.codegen_options(&Options::default());
    if to == "remarks" {
        session
            .optimise_for(&mut module, Tier::Llvm)
            .map_err(|e| show_all(&e.diagnostics))?;
        let llvm = session.second_generator().map_err(|e| e.to_string())?;
        let remarks = llvm.remarks(&module).map_err(|e| e.to_string())?;
        return match json {
            true => serde_json::to_string(&remarks).map_err(|e| e.to_string()),
            false => Ok(remarks_text(&remarks, &module)),
        };
    }
    if matches!(to, "clif" | "asm") {
        session
            .optimise_for(&mut module, Tier::Cranelift)
            .map_err(|e| show_all(&e.diagnostics))?;
    }
    match to {
        "lir-opt" => lir(&module),
        "llvm" | "llvm-opt" | "ptx" => session
            .generator_text(&module, to)
            .map_err(|e| e.to_string()),
        "clif" => clif_text(&module, &options),
        "asm" => numbra_lower::cranelift::compile(&module, &options)
            .map(|a| asm_text(&a))
            .map_err(|e| e.to_string()),
        other => Err(format!("the file is past stage '{other}'")),
    }
}

/// A variable that a statement reads and no path assigns; phis may have such values.
fn read_unassigned(program: &TypedProgram) -> Option<&str> {
    program.functions.values().find_map(|(_, typed)| {
        let func = &typed.func;
        let insts = func.layout.iter().flat_map(|&b| &func.blocks[b].insts);
        let kinds: Vec<&StmtKind> = insts.map(|&inst| &func.insts[inst].kind).collect();
        let mut assigned: SecondaryMap<Var, bool> = SecondaryMap::new();
        for kind in &kinds {
            if let Some(var) = kind.def() {
                assigned[var] = !matches!(
                    kind,
                    StmtKind::Assign {
                        value: Rhs::Undefined,
                        ..
                    }
                );
            }
        }
        let mut found = None;
        for kind in kinds {
            let is_phi = matches!(
                kind,
                StmtKind::Assign {
                    value: Rhs::Expr(Expr::Phi(_)),
                    ..
                }
            );
            if !is_phi {
                kind.for_each_use(|var| {
                    if !assigned[var] {
                        found = found.or(Some(var));
                    }
                });
            }
        }
        found.map(|var| func.var_name(var))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(file: &str, text: &str) -> String {
        let session = Session::new();
        let stage = read(&session, file, text);
        let done = stage.and_then(|stage| advance(&session, stage, "asm", &[], false));
        done.expect_err("it is wrong")
    }

    const LIR: &str = "\
module \"m\"

function export @f(i64) -> (i64) {
block0(v0: i64):
  v1 = iadd v0, v0
  return v1
}
";

    #[test]
    fn lir_is_verified_before_its_passes() {
        let session = Session::new();
        let stage = read(&session, "f.lir", LIR).expect("good");
        assert!(advance(&session, stage, "asm", &[], false).is_ok());
        let endless = LIR.replace("  return v1\n", "");
        assert_eq!(
            refusal("f.lir", &endless),
            "4:1: the block has no terminator [terminated]"
        );
        let module = numbra_lir::text::parse(&endless).expect("it can be read");
        let dump = numbra_lir::text::to_json(&module).expect("it can be dumped");
        assert_eq!(
            refusal("f.lir.json", &dump),
            "fn0: block0: the block has no terminator [terminated]"
        );
        let mixed = LIR.replace("(v0: i64)", "(v0: f64)");
        assert_eq!(
            refusal("f.lir", &mixed),
            "4:1: the entry's parameters differ from the signature's [entry]"
        );
    }

    #[test]
    fn lir_behind_its_passes_is_read_again() {
        let session = Session::new();
        let stage = read(&session, "f.lir", LIR).expect("good");
        let optimised = advance(&session, stage, "lir-opt", &[], false).expect("good");
        let stage = read(&session, "f.lir", &optimised).expect("good");
        assert_eq!(
            advance(&session, stage, "lir-opt", &[], false),
            Ok(optimised)
        );
    }

    #[test]
    fn errors_in_numba_ir_have_places() {
        let text =
            "function f(x):\nbb0:\n  x = arg(0, name=x)\n  $0 = arg(3, name=y)\n  return x\n";
        let said = refusal("f.nir", text);
        assert!(said.contains("(4:3: there is no parameter 3)"), "{said}");
        let text = "function f(x: int64) -> int64:\nbb0:\n  x: int64 = arg(0, name=x)\n";
        let said = refusal("f.nir", text);
        assert!(said.contains("(2:1: missing block terminator)"), "{said}");
    }

    const TYPED: &str = "\
function f(x: float64) -> float64:
bb0:
  x: float64 = arg(0, name=x)
  $0: float64 = x + x ; calls operator.add#1 (float64, float64) -> float64
  return $0
";

    #[test]
    fn programs_call_what_there_is_as_it_takes_it() {
        let session = Session::new();
        let stage = read(&session, "f.nir", TYPED).expect("good");
        assert!(advance(&session, stage, "asm", &[], false).is_ok());
        for other in ["row99999#0", "operator.add#99"] {
            let said = refusal("f.nir", &TYPED.replace("operator.add#1", other));
            assert!(
                said.contains("4:31: the library has no such row or body"),
                "{said}"
            );
        }
        let said = refusal("f.nir", &TYPED.replace("operator.add#1", "operator.and_#1"));
        assert!(!said.is_empty());
        let Ok(Stage::Typed(mut program)) = read(&session, "f.nir", TYPED) else {
            panic!("it is good");
        };
        let root = program.root;
        for site in program.functions[root].1.calls.values_mut().flatten() {
            site.callee = Callee::Row(numbra_ir::EntityRef::new(99_999), numbra_ir::BodyIx(0));
        }
        let dump = numbra_ir::dump::to_json(&program, &session.types).expect("plain data");
        assert_eq!(
            refusal("f.nir.json", &dump),
            "fn0: the library has no row99999#0"
        );
    }

    #[test]
    fn what_nothing_assigns_is_not_read() {
        let text = "function f(x):\nbb0:\n  x = arg(0, name=x)\n  branch x, bb1, bb2\nbb1:\n  y = x\n  jump bb2\nbb2:\n  return z\n";
        let session = Session::new();
        let stage = read(&session, "f.nir", text).expect("z may be unassigned");
        let said = advance(&session, stage, "lir", &[Type::INT64], false);
        let said = said.expect_err("z has no type");
        assert_eq!(said, "`z.1` is read, but nothing assigns it");
    }

    /// What a parallel program would do is asked of any typed program.
    #[test]
    fn typed_programs_have_plans() {
        let session = Session::new();
        let text = include_str!("../../numbra-parallel/tests/filetests/parallel/sum.nir");
        let (program, plan) = text.split_once("---- expected\n").expect("a golden");
        let stage = read(&session, "f.nir", program).expect("good");
        let said = advance(&session, stage.clone(), "parallel", &[], false);
        assert_eq!(said.as_deref(), Ok(plan));
        let dump = advance(&session, stage, "parallel", &[], true).expect("plain data");
        assert!(dump.starts_with("{\"numbra\":\"parallel\""), "{dump}");
    }

    /// Once in that form, a function has its passes behind it.
    #[test]
    fn single_assignment_form_is_read_again() {
        let text = "function f(x):\nbb0:\n  x = arg(0, name=x)\n  branch x, bb1, bb2\nbb1:\n  y = x + x\n  jump bb3\n\
                    bb2:\n  y = x\n  jump bb3\nbb3:\n  return y\n";
        let session = Session::new();
        let int64 = [Type::INT64];
        let stage = read(&session, "f.nir", text).expect("good");
        let typed = advance(&session, stage.clone(), "typed", &int64, false).expect("good");
        let ssa = advance(&session, stage, "ssa", &int64, false).expect("good");
        assert!(ssa.contains("phi("), "{ssa}");
        let again = read(&session, "f.nir", &ssa).expect("good");
        assert_eq!(advance(&session, again, "typed", &int64, false), Ok(typed));
    }
}
