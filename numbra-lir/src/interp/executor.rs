//! How tests run a function, on the interpreter or on machine code.

use super::{Completion, Interpreter, LirValue, Natives, Raised, Trap};
use crate::{FuncRef, Module, Ty};
use numbra_abi::STACK_OVERFLOW;
use std::fmt;

/// An argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    Value(LirValue),
    /// A pointer to memory with this content, aligned to 64 bytes at least and writable.
    Buffer(Vec<u8>),
    /// A pointer into the memory of an earlier [`Arg::Buffer`]: that one, counted from 0, and bytes from its start.
    Within(usize, usize),
    /// A borrowed reference to a heap object whose data has this content.
    Object(Vec<u8>),
}

/// What a call did.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Outcome {
    /// Empty if it raised. References read as 1, or 0 for null: their addresses differ between executors.
    pub results: Vec<LirValue>,
    /// Content of the [`Arg::Buffer`]s afterwards, in order.
    pub buffers: Vec<Vec<u8>>,
    /// Class and argument words of the exception that the call left pending.
    pub raised: Option<(String, Vec<u64>)>,
    /// Objects that are still alive and that neither the arguments nor the results own.
    pub leaked: i64,
}

impl Outcome {
    /// Equal, where all NaNs are equal; leaks do not count.
    pub fn same(&self, other: &Outcome) -> bool {
        self.results.len() == other.results.len()
            && self
                .results
                .iter()
                .zip(&other.results)
                .all(|(a, b)| a.same(b))
            && self.buffers == other.buffers
            && self.raised == other.raised
    }
}

/// Why a function could not be run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RunError {
    /// This executor cannot run such a module (device operations, absent natives).
    Unsupported(String),
    Trap(Trap),
    /// Generating or loading code failed.
    Failed(String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Unsupported(what) => write!(f, "unsupported: {what}"),
            RunError::Trap(trap) => trap.fmt(f),
            RunError::Failed(what) => write!(f, "failed: {what}"),
        }
    }
}

impl std::error::Error for RunError {}

/// Something that runs functions of LIR modules: the interpreter, or a code generator with its loader.
pub trait Executor {
    /// For messages: `interpreter`, `cranelift`, `llvm`.
    fn name(&self) -> &str;

    /// Calls a function of a verified module.
    fn run(&self, module: &Module, func: FuncRef, args: &[Arg]) -> Result<Outcome, RunError>;
}

/// The interpreter with its default natives.
#[derive(Clone, Copy, Debug)]
pub struct InterpreterExecutor {
    /// Instructions allowed in one run.
    pub fuel: u64,
}

impl Default for InterpreterExecutor {
    fn default() -> InterpreterExecutor {
        InterpreterExecutor { fuel: 20_000_000 }
    }
}

impl Executor for InterpreterExecutor {
    fn name(&self) -> &str {
        "interpreter"
    }

    fn run(&self, module: &Module, func: FuncRef, args: &[Arg]) -> Result<Outcome, RunError> {
        let mut interpreter = Interpreter::new(module).map_err(RunError::Trap)?;
        interpreter.fuel = self.fuel;
        run(&mut interpreter, module, func, args).map_err(|trap| match trap {
            Trap::Missing(name) => RunError::Unsupported(format!("no `{name}`")),
            other => RunError::Trap(other),
        })
    }
}

fn run(
    interpreter: &mut Interpreter,
    module: &Module,
    func: FuncRef,
    args: &[Arg],
) -> Result<Outcome, Trap> {
    let mut values = Vec::new();
    let mut buffers = Vec::new();
    let mut objects = Vec::new();
    for (n, arg) in args.iter().enumerate() {
        let ty = module
            .functions
            .get(func)
            .and_then(|f| f.sig.params.get(n))
            .map(|p| p.ty);
        values.push(match arg {
            Arg::Value(value) => value.clone(),
            Arg::Buffer(bytes) => {
                let address = interpreter.memory.alloc(bytes.clone());
                buffers.push(address);
                LirValue::Scalar(ty.unwrap_or(Ty::PTR), address.into())
            }
            Arg::Within(buffer, offset) => {
                let address = buffers.get(*buffer).ok_or(Trap::BadArguments)?;
                LirValue::Scalar(ty.unwrap_or(Ty::PTR), (address + *offset as u64).into())
            }
            Arg::Object(bytes) => {
                let memory = &mut interpreter.memory;
                let header = interpreter.natives.object(bytes.clone(), memory)?;
                objects.push(header);
                LirValue::Scalar(Ty::Ref, header.into())
            }
        });
    }
    let completion = interpreter.call(func, &values)?;
    let mut outcome = Outcome::default();
    match completion {
        Completion::Returned(results) => {
            for result in results {
                outcome.results.push(match result {
                    LirValue::Scalar(Ty::Ref, header) => {
                        objects.push(header as u64);
                        LirValue::Scalar(Ty::Ref, u128::from(header != 0))
                    }
                    other => other,
                });
            }
        }
        Completion::Raised(raised) => {
            outcome.raised = Some(match raised {
                Raised::Exception(id, words) => (module.exceptions[id].class.clone(), words),
                Raised::Described(..) => ("described".to_owned(), Vec::new()),
                Raised::StackOverflow => (STACK_OVERFLOW.0.to_owned(), Vec::new()),
                Raised::Nothing => ("nothing".to_owned(), Vec::new()),
            });
        }
    }
    for address in buffers {
        outcome.buffers.push(
            interpreter
                .memory
                .region(address)
                .unwrap_or_default()
                .to_vec(),
        );
    }
    // Give up what arguments and results own; what is then alive has leaked.
    for header in objects {
        if super::natives::release(header, &mut interpreter.memory)? {
            interpreter.natives.free(header, &mut interpreter.memory)?;
        }
    }
    outcome.leaked = interpreter.natives.live_objects();
    Ok(outcome)
}
