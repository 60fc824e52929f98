//! Options of lowering.

use numbra_ir::Instance;
use numbra_lir::{DebugInfo, FastMath, MathLib};
use std::collections::BTreeMap;

/// What a zero divisor does in Python's operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum ErrorModel {
    /// ZeroDivisionError
    #[default]
    Python,
    /// Integers give 0, floats follow IEEE 754.
    Numpy,
}

/// Options that each function of a program has for itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct FunctionOptions {
    /// What a zero divisor does.
    pub error_model: ErrorModel,
    /// Loops over `prange` run in parallel.
    pub parallel: bool,
    /// Array indices out of range raise IndexError.
    pub boundscheck: bool,
    /// Relaxations that every float operation gets, of library code that it calls too.
    pub fast: FastMath,
}

/// What a function that others call says about its options.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CalleeOptions {
    /// `None`: its caller's.
    pub error_model: Option<ErrorModel>,
    /// `None`: as its caller's.
    pub parallel: Option<bool>,
    /// Indices are checked, whoever calls it; else they are not.
    pub boundscheck: bool,
    /// `None`: its caller's.
    pub fast: Option<FastMath>,
    /// Its code counts as its callers'.
    pub inline_always: bool,
}

impl CalleeOptions {
    /// The options that it has where a function with the options `caller` calls it.
    pub fn called_from(&self, caller: FunctionOptions) -> FunctionOptions {
        if self.inline_always {
            return FunctionOptions {
                parallel: caller.parallel || self.parallel == Some(true),
                ..caller
            };
        }
        FunctionOptions {
            error_model: self.error_model.unwrap_or(caller.error_model),
            parallel: self.parallel.unwrap_or(caller.parallel),
            boundscheck: self.boundscheck,
            fast: self.fast.unwrap_or(caller.fast),
        }
    }
}

/// How to lower a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// Of the root.
    pub root: FunctionOptions,
    /// Of functions that the program calls. Those that are not here have their callers' options: library bodies,
    /// local functions, and all device functions of a kernel.
    pub callees: BTreeMap<Instance, CalleeOptions>,
    /// The code of functions that the program only has types of: modules of LIR that export one function.
    pub externals: BTreeMap<Instance, String>,
    /// Whose bits mathematical functions give, those of library code and callees too.
    pub math: MathLib,
    /// The code is for a GPU: it has neither the runtime nor interrupts, and what it raises ends the thread.
    pub device: bool,
    /// What the code says about its source.
    pub debug: DebugInfo,
    /// Symbol of the exported root; `None` makes one from the function's name.
    pub symbol: Option<String>,
}
