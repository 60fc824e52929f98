//! Everything that follows a text that was read.

use numbra_driver::Session;
use numbra_driver::translate::{Stage, advance, read};
use numbra_ir::{Type, read_program};
use numbra_lir::Module;
use numbra_lir::artifact::{Artifact, CpuLevel};
use numbra_lir::interp::{Arg, Executor, InterpreterExecutor, LirValue};
use numbra_lir::text::{Form, canonical, parse, print};
use numbra_lir::verify::{Phase, verify};
use numbra_llvm::{OptLevel, Target};
use numbra_lower::cranelift::{self, CodegenError};
use numbra_lower::lowering::{FunctionOptions, Options, lower, parallel_functions};
use numbra_opt::{CRANELIFT, DEVICE, HOST, LLVM};
use numbra_parallel::{from_json, print_plan, read_plan, to_json};
use numbra_testing::damage;
use numbra_testing::random::Random;
use std::sync::Arc;

/// How far a case came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Its reader or verifier refused it.
    Refused,
    /// It was read; a later stage has a diagnostic for it.
    Diagnosed,
    /// Through all stages.
    Compiled,
}

/// Instructions that the interpreter may execute.
const FUEL: u64 = 2_000;
/// LLVM takes a hundred times as long as everything else: it compiles a part of the cases.
const LLVM_EVERY: usize = 24;

/// Argument types, the likely ones more than once.
const TYPES: &[&str] = &[
    "int64",
    "int64",
    "float64",
    "float64",
    "array(float64, 1d, C)",
    "array(float64, 1d, C)",
    "array(int64, 1d, C)",
    "array(float64, 2d, C)",
    "array(float32, 1d, A)",
    "bool",
    "uint16",
    "complex128",
    "unicode_type",
    "UniTuple(int64 x 3)",
    "Tuple(int64, float64)",
    "reflected list(int64)",
    "OptionalType(int64)",
    "none",
];

/// A type for each argument.
pub(crate) fn types_for(session: &Session, stage: &Stage, random: &mut Random) -> Vec<Type> {
    let count = match stage {
        Stage::Code(code) => (code.argcount.saturating_add(code.kwonlyargcount)).min(20) as usize,
        Stage::Func(func, _) => func.args.len(),
        Stage::Typed(_) | Stage::Lir(..) => 0,
    };
    // Now and then one too many or too few.
    let count = match random.below(40) {
        0 => count + 1,
        1 => count.saturating_sub(1),
        _ => count,
    };
    (0..count)
        .map(|_| session.types.parse(random.pick(TYPES)).expect("a type"))
        .collect()
}

/// Takes a text that a file of this name would hold as far as it goes. An error is a finding.
pub(crate) fn run(file: &str, text: &str, random: &mut Random) -> Result<End, String> {
    let session = Session::new();
    let stage = match read(&session, file, text) {
        Ok(stage) => stage,
        Err(message) => return refused(file, &message),
    };
    let args = types_for(&session, &stage, random);
    if let Stage::Code(_) = stage {
        for to in ["bytecode", "cfg", "cfg-dot", "dfg"] {
            let _ = advance(&session, stage.clone(), to, &args, false);
        }
    }
    for to in ["ir", "ssa", "typed"] {
        if random.once_in(8) {
            // Texts of stages that have been left are refused.
            let _ = advance(&session, stage.clone(), to, &args, random.once_in(2));
        }
    }
    if let Stage::Lir(module, phase) = stage {
        return use_module(&module, phase, random);
    }
    // What a typed program calls, a verifier without the library cannot know.
    let is_given = matches!(stage, Stage::Typed(_));
    match advance(&session, stage, "lir", &args, false) {
        Err(message) if message.is_empty() => Err("refused without a word".to_owned()),
        Err(message) if !is_given && is_internal(&message) => Err(message),
        Err(_) => Ok(End::Diagnosed),
        Ok(text) => {
            let (module, phase) = numbra_lir::text::read(&text)
                .map_err(|error| format!("lowered to what is no LIR: {error}"))?;
            use_module(&module, phase, random)
        }
    }
}

/// A pass made something that its verifier refuses, or lowering cannot take what inference made.
pub(crate) fn is_internal(message: &str) -> bool {
    let signs = ["D002", "L002", "\nafter pass `", "is not valid: "];
    signs.iter().any(|sign| message.contains(sign))
}

/// A message says where, if only in text: JSON has its own lines.
fn refused(file: &str, message: &str) -> Result<End, String> {
    let says_where = message
        .split(|c: char| !c.is_ascii_digit() && c != ':')
        .any(|word| {
            word.split_once(':')
                .is_some_and(|(line, col)| !line.is_empty() && !col.is_empty())
        });
    match message {
        "" => Err("refused without a word".to_owned()),
        _ if !file.ends_with(".json") && !says_where => {
            Err(format!("the message does not say where: {message}"))
        }
        _ => Ok(End::Refused),
    }
}

/// A plan of a program, as text or dump, damaged: where it is accepted, the program is lowered by it.
pub(crate) fn plan(
    program: &str,
    random: &mut Random,
    show: &mut dyn FnMut(&str),
) -> Result<End, String> {
    let session = Session::new();
    let (types, library) = (&session.types, session.library);
    let program = read_program(program, types, library).map_err(|e| e.to_string())?;
    let options = Options {
        root: FunctionOptions {
            parallel: true,
            ..FunctionOptions::default()
        },
        ..Options::default()
    };
    let functions = parallel_functions(&program, &options);
    let made = numbra_parallel::plan(&program, types, library, &functions);
    let read = if random.once_in(2) {
        let text = damage::text(&print_plan(&made, &program), random);
        show(&text);
        read_plan(&text, &program, types, library).map_err(|e| e.to_string())
    } else {
        let text = damage::json(&to_json(&made)?, random);
        show(&text);
        from_json(&text, &program, types, library)
    };
    let plan = match read {
        Ok(plan) => plan,
        Err(message) if message.is_empty() => return Err("refused without a word".to_owned()),
        Err(_) => return Ok(End::Refused),
    };
    let again = read_plan(&print_plan(&plan, &program), &program, types, library);
    if again.as_ref() != Ok(&plan) {
        return Err(format!("a plan reads differently: {again:?}"));
    }
    match lower(&program, &plan, types, library, &options) {
        Ok(lowered) => use_module(&lowered.module, Phase::Built, random),
        Err(diagnostic) if diagnostic.code.0 == "L002" => {
            Err(format!("lowering: {}", diagnostic.message))
        }
        Err(_) => Ok(End::Diagnosed),
    }
}

/// A module that was verified: printed, through the passes for every target, interpreted and compiled.
pub(crate) fn use_module(
    module: &Module,
    phase: Phase,
    random: &mut Random,
) -> Result<End, String> {
    let text = print(module, Form::Lossless);
    let again = parse(&text).map_err(|error| format!("printed text cannot be read: {error}"))?;
    if again != canonical(module) {
        return Err("printed text reads differently".to_owned());
    }
    let mut optimised = module.clone();
    if phase == Phase::Built {
        HOST.run_verified(&mut optimised)
            .map_err(|error| error.to_string())?;
    }
    interpret(&optimised);
    let mut own = optimised.clone();
    CRANELIFT.run(&mut own);
    verified("passes for Cranelift", &own)?;
    let options = cranelift::Options {
        verify: true,
        ..cranelift::Options::default()
    };
    let mut end = match cranelift::compile(&own, &options) {
        Ok(_) => End::Compiled,
        Err(CodegenError::Unsupported { .. }) => End::Diagnosed,
        Err(error) => return Err(format!("Cranelift: {error}")),
    };
    if random.once_in(LLVM_EVERY) {
        let mut own = optimised;
        LLVM.run(&mut own);
        verified("passes for LLVM", &own)?;
        let target = Target::level(CpuLevel::host());
        let level = random.pick(&[OptLevel::O0, OptLevel::O3]);
        match numbra_llvm::compile(&own, &target, level) {
            Ok(_) => {}
            Err(numbra_llvm::Error::Unsupported(_)) => end = End::Diagnosed,
            Err(error) => return Err(error.to_string()),
        }
    }
    if phase == Phase::Built && random.once_in(LLVM_EVERY) {
        let mut own = module.clone();
        DEVICE.run(&mut own);
        verified("passes for GPUs", &own)?;
        let target = Target::gpu(80).expect("a GPU that exists");
        match numbra_llvm::assembly(&own, &target, OptLevel::O3) {
            Ok(_) | Err(numbra_llvm::Error::Unsupported(_)) => {}
            Err(error) => return Err(format!("PTX: {error}")),
        }
    }
    Ok(end)
}

fn verified(what: &str, module: &Module) -> Result<(), String> {
    verify(module, Phase::Placed).map_err(|errors| format!("{what}: {}", errors[0]))
}

/// Calls every function with zeros. Traps are answers.
fn interpret(module: &Module) {
    let interpreter = InterpreterExecutor { fuel: FUEL };
    for (id, decl) in module.functions.iter().filter(|(_, f)| f.body.is_some()) {
        let zeros = decl.sig.params.iter().map(|p| LirValue::zero(p.ty));
        let args: Vec<Arg> = zeros.map(Arg::Value).collect();
        let _ = interpreter.run(module, id, &args);
    }
}

/// Bytes of an artifact, and behind their checksum its numbers in the right form.
pub(crate) fn artifact(made: &Artifact, random: &mut Random) -> Result<End, String> {
    if random.once_in(2) {
        let mut bytes = made.to_bytes();
        damage::bytes(&mut bytes, random);
        return match Artifact::from_bytes(&bytes) {
            Ok(artifact) => artifact
                .validate()
                .map(|()| End::Compiled)
                .map_err(|e| format!("what was read is not valid: {e}")),
            Err(_) => Ok(End::Refused),
        };
    }
    let dump = serde_json::to_string(made).map_err(|e| e.to_string())?;
    let Ok(artifact) = serde_json::from_str::<Artifact>(&damage::json(&dump, random)) else {
        return Ok(End::Refused);
    };
    if artifact.validate().is_err() {
        return Ok(End::Refused);
    }
    let again = Artifact::from_bytes(&artifact.to_bytes());
    if again.as_ref() != Ok(&artifact) {
        return Err(format!("a valid artifact reads differently: {again:?}"));
    }
    // Loaded, not run: the code itself may be damaged.
    match numbra_lower::jit::load(Arc::new(artifact), &[], &numbra_runtime::symbol) {
        Ok(_) => Ok(End::Compiled),
        Err(_) => Ok(End::Diagnosed),
    }
}

/// The text of a type, and one that is of that type.
pub(crate) fn ty(text: &str) -> Result<End, String> {
    let session = Session::new();
    match session.types.parse(text) {
        Err(error) => refused("type", &error.to_string()),
        Ok(ty) => {
            let printed = session.types.text(ty).to_string();
            let _ = session.types.display(ty).to_string();
            match session.types.parse(&printed) {
                Ok(again) if again == ty => {}
                other => return Err(format!("`{printed}` reads as {other:?}")),
            }
            let source = "function f(x):\nbb0:\n  x = arg(0, name=x)\n  return x\n";
            let stage = read(&session, "f.nir", source)?;
            match advance(&session, stage, "asm", &[ty], false) {
                Ok(_) => Ok(End::Compiled),
                Err(_) => Ok(End::Diagnosed),
            }
        }
    }
}
