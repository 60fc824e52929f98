//! Options and errors of code generation.

use numbra_lir::artifact::CpuLevel;
use std::fmt;

/// How much Cranelift optimises.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum OptLevel {
    /// Selection and register allocation only: about a third less compile time, up to twice the run time.
    None,
    /// Value numbering, folding, hoisting of pure code.
    Speed,
}

/// Options of one compilation.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Options {
    pub opt: OptLevel,
    /// The processor that the code may assume.
    pub cpu: CpuLevel,
    /// Keep a frame pointer in every function, for profilers and debuggers.
    pub frame_pointers: bool,
    /// Run Cranelift's own verifier.
    pub verify: bool,
}

impl Default for Options {
    /// `Speed` for this machine; verified in builds with debug assertions.
    fn default() -> Options {
        Options {
            opt: OptLevel::Speed,
            cpu: CpuLevel::host(),
            frame_pointers: false,
            verify: cfg!(debug_assertions),
        }
    }
}

/// Why a module has no machine code.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CodegenError {
    /// An operation that this generator does not have, such as a device operation.
    Unsupported { function: String, what: String },
    /// The module breaks a rule of LIR that the verifier checks.
    Malformed { function: String, what: String },
    /// Cranelift refused or failed: a bug of ours.
    Internal { function: String, what: String },
}

impl fmt::Display for CodegenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CodegenError::Unsupported { function, what } => {
                write!(f, "`{function}`: not available on the CPU: {what}")
            }
            CodegenError::Malformed { function, what } => {
                write!(f, "`{function}`: malformed LIR: {what}")
            }
            CodegenError::Internal { function, what } => {
                write!(f, "`{function}`: code generation failed: {what}")
            }
        }
    }
}

impl std::error::Error for CodegenError {}
