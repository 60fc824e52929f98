//! LIR through LLVM 22: to x86-64 artifacts at -O3, and to PTX.
//!
//! - [`emit`]: LIR as LLVM IR text; pure.
//! - [`compile_object`], [`compile_ptx`], [`optimise`]: text through LLVM.
//!
//! The crate holds no IR pass and no typing rule. It is an rlib for tests and for the driver; `cdylib/` wraps it into
//! the shared library that ships, so that LLVM loads only when it is first needed.

mod emit;
mod target;

pub use emit::{EmitError, emit};
pub use target::Target;
