//! Object mode: the body of `with objmode(..):` as code of its own that the interpreter runs.
//!
//! Compiled code enters such a body as one step that takes values of variables and gives values of variables.
//! The interpreter runs the body's own bytecode: a code object with the same bytes, whose start jumps to the first
//! instruction of the body, and in which the calls of `__exit__` are jumps to instructions that return the outputs.
//! It needs no source, and positions in tracebacks are those of the program.

mod code;
mod liveness;
mod region;

pub use code::BlockCode;
pub(crate) use region::{Carried, Exit, With, find};

use crate::exctable::{Region, parse};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Names by which programs refer to the context manager, the last one of a dotted path.
const NAMES: [&str; 2] = ["objmode", "objmode_context"];

/// True if a name is one of the context manager's.
pub(crate) fn is_name(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The body of a `with objmode(..):` statement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ObjectBlock {
    /// The context manager, as a dotted path from a global or free variable.
    pub manager: Vec<String>,
    /// The keyword arguments of the context manager.
    pub annotations: Vec<(String, Annotation)>,
    /// Variables whose values go in, by index in [`crate::Bytecode::variables`].
    pub inputs: Vec<u32>,
    /// Variables whose values come out.
    pub outputs: Vec<u32>,
    /// Names of `outputs`.
    pub output_names: Vec<String>,
    /// Byte offset of the first instruction of the body.
    pub(crate) start: u32,
    /// Stack items below the body.
    pub(crate) depth: u32,
    /// Exceptions that the body itself catches.
    pub(crate) regions: Vec<Region>,
    /// The ways out of the body; at least one.
    pub exits: Vec<BlockExit>,
}

/// A way out of the body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BlockExit {
    /// Which outputs the code behind it reads; the others have no value.
    pub live: Vec<bool>,
    /// Byte offset of the instructions that call `__exit__`.
    pub(crate) sequence: u32,
    /// A value that the program has on the stack while it calls `__exit__`: that of a `return`.
    pub(crate) carries: bool,
}

/// A keyword argument of the context manager: the type of an output.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Annotation {
    /// A string, the text of a type.
    Text(String),
    /// A global variable and attributes of it.
    Global(Vec<String>),
    /// A variable of an enclosing function and attributes of it.
    Free(Vec<String>),
    /// Anything else.
    Other,
}

/// Why the body of a `with objmode(..):` statement cannot run in the interpreter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectBlockError {
    /// `objmode(x)`
    PositionalArguments,
    /// `raise` in the body.
    Raise,
    /// `yield` in the body.
    Yield,
    /// `return` of a value that is no variable and no constant.
    ReturnedValue,
    /// The body is not what CPython's compiler writes.
    ControlFlow,
    /// Outputs without a type.
    Missing(Vec<String>),
    /// Types of variables that are no outputs.
    NotOutgoing(Vec<String>),
    /// In a function that is defined inside a compiled one.
    Nested,
}

impl fmt::Display for ObjectBlockError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObjectBlockError::PositionalArguments => {
                f.write_str("`objmode` takes keyword arguments only")
            }
            ObjectBlockError::Raise => {
                f.write_str("`raise` inside `with objmode` is not supported")
            }
            ObjectBlockError::Yield => {
                f.write_str("`yield` inside `with objmode` is not supported")
            }
            ObjectBlockError::ReturnedValue => {
                f.write_str("`return` inside `with objmode` must return a variable or a constant")
            }
            ObjectBlockError::ControlFlow => {
                f.write_str("unsupported control flow out of `with objmode`")
            }
            ObjectBlockError::Missing(names) => write!(
                f,
                "outputs of `with objmode` without a type: {}",
                names.join(", ")
            ),
            ObjectBlockError::NotOutgoing(names) => write!(
                f,
                "types of variables that are not read behind `with objmode`: {}",
                names.join(", ")
            ),
            ObjectBlockError::Nested => {
                f.write_str("`with objmode` in an inner function is not supported")
            }
        }
    }
}

impl ObjectBlockError {
    /// Numba's words.
    pub fn numba_phrase(&self) -> String {
        let list = |names: &[String]| {
            let names: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
            names.join(", ")
        };
        match self {
            ObjectBlockError::PositionalArguments => {
                "objectmode context doesn't take any positional arguments".to_owned()
            }
            ObjectBlockError::Raise => {
                "unsupported control flow due to raise statements inside with block".to_owned()
            }
            ObjectBlockError::Yield | ObjectBlockError::ControlFlow => {
                "unsupported control flow: with-context contains branches (i.e. break/return/raise) that can leave \
                 the block "
                    .to_owned()
            }
            ObjectBlockError::ReturnedValue => missing(&["return value".to_owned()]),
            ObjectBlockError::Missing(names) => missing(names),
            ObjectBlockError::NotOutgoing(names) => format!(
                "Invalid type annotation on non-outgoing variables: {{{}}}.Suggestion: remove annotation of the listed \
                 variables",
                list(names)
            ),
            ObjectBlockError::Nested => {
                "Unsupported constraint encountered: enter_with".to_owned()
            }
        }
    }

    /// What to write instead.
    pub fn help(&self) -> &'static str {
        match self {
            ObjectBlockError::PositionalArguments => "write `with objmode(y='float64'):`",
            ObjectBlockError::Raise => "call a Python function that raises",
            ObjectBlockError::Yield => "yield behind the block",
            ObjectBlockError::ReturnedValue => {
                "assign the value to a variable, name its type, and return the variable"
            }
            ObjectBlockError::ControlFlow => "leave the block at its end",
            ObjectBlockError::Missing(_) => "name their types: `with objmode(y='float64[:]'):`",
            ObjectBlockError::NotOutgoing(_) => "leave them out",
            ObjectBlockError::Nested => "define the function at module level, and jit it",
        }
    }

    /// True where Numba's error is of typing.
    pub fn is_typing(&self) -> bool {
        match self {
            ObjectBlockError::Missing(_)
            | ObjectBlockError::NotOutgoing(_)
            | ObjectBlockError::ReturnedValue => true,
            ObjectBlockError::PositionalArguments
            | ObjectBlockError::Raise
            | ObjectBlockError::Yield
            | ObjectBlockError::ControlFlow
            | ObjectBlockError::Nested => false,
        }
    }
}

fn missing(names: &[String]) -> String {
    let list: Vec<String> = names.iter().map(|name| format!("'{name}'")).collect();
    let first = names.first().map_or("", String::as_str);
    format!(
        "Missing type annotation on outgoing variable(s): [{}]\n\nExample code: with \
         objmode({first}='<add_type_as_string_here>')\n",
        list.join(", ")
    )
}

impl ObjectBlock {
    /// The parts that the bytecode alone tells: all but the context manager and its arguments.
    pub(crate) fn of_with(
        bytecode: &crate::Bytecode<'_>,
        with: &With,
        all: &[With],
    ) -> Result<ObjectBlock, crate::Error> {
        let flow = liveness::of(bytecode, with, all)?;
        let name = |&i: &u32| bytecode.variables[i as usize].name.clone();
        let exits = with
            .exits
            .iter()
            .zip(flow.live)
            .map(|(exit, live)| BlockExit {
                live,
                sequence: exit.sequence,
                carries: exit.carried.is_some(),
            });
        let caught = |region: &Region| {
            let handler = bytecode.at(region.target);
            handler.is_some_and(|i| with.inside.contains(&i))
        };
        let regions = parse(&bytecode.code.exceptiontable)?;
        Ok(ObjectBlock {
            manager: Vec::new(),
            annotations: Vec::new(),
            inputs: flow.inputs,
            output_names: flow.outputs.iter().map(name).collect(),
            outputs: flow.outputs,
            start: with.start,
            depth: with.depth,
            regions: regions.into_iter().filter(caught).collect(),
            exits: exits.collect(),
        })
    }

    /// The type of an output, as the program gave it.
    pub fn annotation(&self, name: &str) -> Option<&Annotation> {
        let found = self.annotations.iter().find(|(n, _)| n == name);
        found.map(|(_, annotation)| annotation)
    }

    /// Every output must have a type, and nothing else may.
    ///
    /// # Errors
    /// The variables that break this.
    pub fn check(&self) -> Result<(), ObjectBlockError> {
        let extra: Vec<String> = self
            .annotations
            .iter()
            .filter(|(name, _)| !self.output_names.contains(name))
            .map(|(name, _)| name.clone())
            .collect();
        if !extra.is_empty() {
            return Err(ObjectBlockError::NotOutgoing(extra));
        }
        let mut missing: Vec<String> = self
            .output_names
            .iter()
            .filter(|name| self.annotation(name).is_none())
            .cloned()
            .collect();
        missing.sort();
        if missing.is_empty() {
            Ok(())
        } else {
            Err(ObjectBlockError::Missing(missing))
        }
    }
}
