//! Every way to run a module: as it was lowered and after the passes, on the interpreter, Cranelift and LLVM.

use crate::kinds::Item;
use crate::oracle::Told;
use numbra_lir::artifact::{Artifact, CpuLevel};
use numbra_lir::interp::{Arg, Executor, InterpreterExecutor, LirValue, Outcome, RunError, Trap};
use numbra_lir::verify::{Phase, verify};
use numbra_lir::{FuncRef, Module, Ty};
use numbra_llvm::{OptLevel, Target};
use numbra_lower::cranelift;
use numbra_lower::jit::CodeExecutor;
use numbra_opt::{CRANELIFT, HOST, LLVM, Pass};
use numbra_testing::machine_code::runtime;
use std::cell::RefCell;

/// Instructions that interpreted code may execute.
const FUEL: u64 = 5_000_000;

/// What the ways gave.
pub(crate) enum Compared {
    Equal {
        interpreted: bool,
    },
    /// The program takes too long.
    Unfinished,
}

/// The module as it is run: counted as lowered, and after each pipeline.
struct Forms {
    plain: Module,
    cranelift: Module,
    llvm: Module,
}

fn forms(module: &Module) -> Result<Forms, String> {
    let checked = |what: &str, module: Module, phase| match verify(&module, phase) {
        Ok(()) => Ok(module),
        Err(errors) => Err(format!("{what}: {}", errors[0])),
    };
    let mut plain = checked("as lowered", module.clone(), Phase::Built)?;
    Pass::PlaceRefs.run(&mut plain);
    let mut optimised = module.clone();
    HOST.run_verified(&mut optimised)
        .map_err(|e| e.to_string())?;
    let (mut cranelift, mut llvm) = (optimised.clone(), optimised);
    CRANELIFT.run(&mut cranelift);
    LLVM.run(&mut llvm);
    Ok(Forms {
        plain: checked("place_refs", plain, Phase::Placed)?,
        cranelift: checked("passes for Cranelift", cranelift, Phase::Placed)?,
        llvm: checked("passes for LLVM", llvm, Phase::Placed)?,
    })
}

/// Runs a built module in every way; an error says how two differ, or one from what the oracle told of a call.
pub(crate) fn compare(
    module: &Module,
    root: &str,
    calls: &[Vec<Arg>],
    told: &[Option<Told>],
    buffers: &[Item],
) -> Result<Compared, String> {
    let forms = forms(module)?;
    let interpreter = InterpreterExecutor { fuel: FUEL };
    let machine = once(|module| {
        let options = cranelift::Options {
            verify: true,
            ..cranelift::Options::default()
        };
        cranelift::compile(module, &options).map_err(|e| RunError::Failed(e.to_string()))
    });
    let (fast, slow) = (once(llvm(OptLevel::O3)), once(llvm(OptLevel::O0)));
    let machine = code("Cranelift", &machine);
    let (fast, slow) = (code("LLVM -O3", &fast), code("LLVM -O0", &slow));
    let mut interpreted = true;
    // A call without an end for the oracle may have none for machine code either.
    let calls = calls.iter().enumerate();
    let calls: Vec<_> = calls
        .filter(|(number, _)| !matches!(told.get(*number), Some(None)))
        .collect();
    if calls.is_empty() {
        return Ok(Compared::Unfinished);
    }
    for (number, args) in calls {
        let mut want: Option<(String, Outcome)> = None;
        let ways: [(&str, &Module, &dyn Executor); 7] = [
            ("as lowered", &forms.plain, &interpreter),
            ("optimised", &forms.cranelift, &interpreter),
            ("optimised for LLVM", &forms.llvm, &interpreter),
            ("as lowered", &forms.plain, &machine),
            ("optimised", &forms.cranelift, &machine),
            ("as lowered", &forms.plain, &slow),
            ("optimised", &forms.llvm, &fast),
        ];
        for (form, module, executor) in ways {
            let way = format!("{} {form}", executor.name());
            let found = module.functions.iter().find(|(_, f)| f.name == root);
            let root = found.map(|(root, _)| root).ok_or("the root is gone")?;
            let outcome = match executor.run(module, root, args) {
                Ok(outcome) => normal(outcome, buffers),
                Err(RunError::Unsupported(_)) => {
                    interpreted = false;
                    continue;
                }
                Err(RunError::Trap(Trap::OutOfFuel)) => return Ok(Compared::Unfinished),
                Err(error) => return Err(format!("{way}: {error}")),
            };
            if outcome.leaked != 0 {
                return Err(format!(
                    "{way}: {} objects are left: {outcome:?}",
                    outcome.leaked
                ));
            }
            if let Some(Some(told)) = told.get(number)
                && !told.is(&outcome, buffers)
            {
                return Err(format!("{way} gives {outcome:?}, right is {told:?}"));
            }
            match &want {
                None => want = Some((way, outcome)),
                Some((first, want)) if !want.same(&outcome) => {
                    return Err(format!("{first} gives {want:?}, {way} {outcome:?}"));
                }
                Some(_) => {}
            }
        }
    }
    Ok(Compared::Equal { interpreted })
}

type Generate = dyn Fn(&Module) -> Result<Artifact, RunError>;

fn code<'a>(name: &'a str, generate: &'a Generate) -> CodeExecutor<'a> {
    CodeExecutor {
        name,
        generate,
        runtime: runtime(),
    }
}

/// Generates the code of each module once: each call runs its module again.
fn once(
    generate: impl Fn(&Module) -> Result<Artifact, RunError>,
) -> impl Fn(&Module) -> Result<Artifact, RunError> {
    let made: RefCell<Vec<(Module, Result<Artifact, RunError>)>> = RefCell::default();
    move |module| {
        if let Some((_, made)) = made.borrow().iter().find(|(m, _)| m == module) {
            return made.clone();
        }
        let new = generate(module);
        made.borrow_mut().push((module.clone(), new.clone()));
        new
    }
}

fn llvm(level: OptLevel) -> impl Fn(&Module) -> Result<Artifact, RunError> {
    move |module| {
        let target = Target::level(CpuLevel::host());
        numbra_llvm::compile(module, &target, level).map_err(|e| RunError::Failed(e.to_string()))
    }
}

/// Without what is not defined: addresses, and which NaN it is.
fn normal(mut outcome: Outcome, buffers: &[Item]) -> Outcome {
    for result in &mut outcome.results {
        if let LirValue::Scalar(ty @ Ty::Ptr(_), _) = *result {
            *result = LirValue::Scalar(ty, 0);
        }
    }
    for (bytes, item) in outcome.buffers.iter_mut().zip(buffers) {
        item.normal(bytes);
    }
    outcome
}

/// The exported function.
pub(crate) fn root_of(module: &Module) -> Option<(FuncRef, String)> {
    let mut exported = module
        .functions
        .iter()
        .filter(|(_, f)| f.linkage == numbra_lir::Linkage::Export && f.body.is_some());
    exported.next().map(|(root, f)| (root, f.name.clone()))
}
