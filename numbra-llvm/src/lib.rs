//! LIR through LLVM 22: to x86-64 artifacts at -O3, and to PTX.
//!
//! - [`emit`]: LIR as LLVM IR text; pure.
//! - [`compile`]: an x86-64 artifact, of the same kind that Cranelift yields.
//! - [`remarks`]: what LLVM says about loops.
//! - [`assembly`], [`optimised`]: PTX or x86-64 assembly, and LLVM IR after its passes.
//!
//! The crate holds no IR pass and no typing rule. It is an rlib for tests and for the driver; `cdylib/` wraps it into
//! the shared library that ships, so that LLVM loads only when it is first needed.

mod conversions;
mod emit;
mod engine;
mod libdevice;
mod object;
mod poll_inner_loops;
mod remarks;
mod sink;
mod target;
mod walk;

pub use emit::{ERROR, EmitError, emit};
use engine::LlvmError;
pub use engine::OptLevel;
pub use target::{Gpu, Target};

use numbra_lir::Module;
use numbra_lir::artifact::Artifact;
use numbra_lir::remarks::LoopRemark;
use std::fmt;

/// Why code could not be generated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Error {
    /// LIR that the target does not have, by what it is.
    Unsupported(String),
    /// LLVM refused: a bug of ours.
    Llvm(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Unsupported(what) => write!(f, "not available on this target: {what}"),
            Error::Llvm(message) => write!(f, "LLVM: {message}"),
        }
    }
}

impl std::error::Error for Error {}

impl From<EmitError> for Error {
    fn from(error: EmitError) -> Error {
        Error::Unsupported(error.0)
    }
}

impl From<LlvmError> for Error {
    fn from(error: LlvmError) -> Error {
        Error::Llvm(error.0)
    }
}

/// Compiles a verified module for a CPU.
pub fn compile(module: &Module, target: &Target, level: OptLevel) -> Result<Artifact, Error> {
    let Target::Cpu { level: cpu, .. } = target else {
        return Err(Error::Unsupported("an artifact for a GPU".to_owned()));
    };
    let ir = emit(module, target)?;
    let bytes = engine::object(&ir, target, level)?;
    Ok(object::artifact(
        &module.name,
        *cpu,
        &bytes,
        module.files.clone(),
    )?)
}

/// Assembly of a verified module: PTX for a GPU.
pub fn assembly(module: &Module, target: &Target, level: OptLevel) -> Result<String, Error> {
    Ok(engine::assembly(&emit(module, target)?, target, level)?)
}

/// LLVM IR of a verified module after LLVM's passes.
pub fn optimised(module: &Module, target: &Target, level: OptLevel) -> Result<String, Error> {
    Ok(engine::optimised_text(
        &emit(module, target)?,
        target,
        level,
    )?)
}

/// What LLVM says about the loops of a verified module when it compiles it at -O3, in order of their lines.
pub fn remarks(module: &Module, target: &Target) -> Result<Vec<LoopRemark>, Error> {
    let mut places = emit::Places::default();
    let ir = emit::emit_traced(module, target, Some(&mut places))?;
    let messages = engine::remarks(&ir, target)?;
    Ok(remarks::by_loop(&messages, &places, module))
}
