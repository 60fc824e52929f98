//! LIR: the one low-level IR that every code generator and the interpreter read, and what leads to it and from it.
//!
//! - [`lir`]: the IR as data; its specification is the verifier's documentation.
//! - [`lowering`]: typed Numba IR to LIR; data models.
//! - [`artifact`]: machine code as every generator yields it: sections, relocations by name, line table.
//! - `cranelift`, `jit` (feature `cranelift`): tier 1 machine code, and artifacts in memory.
#![warn(unreachable_pub)]

pub mod artifact;
#[cfg(feature = "cranelift")]
pub mod cranelift;
#[cfg(feature = "cranelift")]
pub mod jit;
pub mod lir;
pub mod lowering;
