//! Options of lowering.

use crate::lir::{DebugInfo, FastMath, MathLib};
use numbra_ir::DispatcherId;
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

/// How to lower a program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Options {
    /// What a zero divisor does.
    pub error_model: ErrorModel,
    /// The same for jitted functions that the program calls, where they have a model of their own.
    pub error_models: BTreeMap<DispatcherId, ErrorModel>,
    /// Loops over `prange` run in parallel.
    pub parallel: bool,
    /// The same for jitted functions that the program calls.
    pub parallels: BTreeMap<DispatcherId, bool>,
    /// Array indices out of range raise IndexError.
    pub boundscheck: bool,
    /// Whose bits mathematical functions give, those of library code and callees too.
    pub math: MathLib,
    /// The code is for a GPU: it has neither the runtime nor interrupts, and what it raises ends the thread.
    pub device: bool,
    /// Relaxations that every float operation of user and library code gets.
    pub fast: FastMath,
    /// What the code says about its source.
    pub debug: DebugInfo,
    /// Symbol of the exported root; `None` makes one from the function's name.
    pub symbol: Option<String>,
}
