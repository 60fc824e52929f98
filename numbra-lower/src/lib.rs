//! LIR: the one low-level IR that every code generator and the interpreter read, and what leads to it and from it.
//!
//! - [`lir`]: the IR as data; its specification is the verifier's documentation.
//! - [`lowering`]: typed Numba IR to LIR; data models.
//! - [`artifact`]: machine code as every generator yields it: sections, relocations by name, line table.
//! - [`interrupts`]: how compiled code learns that it is to leave.
//! - [`text`], [`verify`], [`interp`]: reading and writing it, its rules, its meaning executed.
//! - [`analysis`], [`passes`]: facts about it and transformations of it.
//! - [`remarks`]: what a generator says about loops.
//! - [`filetest`]: tests of all that from text.
//! - `cranelift`, `jit` (feature `cranelift`): tier 1 machine code, and artifacts in memory.
#![warn(unreachable_pub)]

/// The bits of the bfloat16 that is nearest to a number, ties to even.
pub fn bfloat16_bits(number: f64) -> u16 {
    interp::bfloat::from_f64(number)
}

pub mod analysis;
pub mod artifact;
#[cfg(feature = "cranelift")]
pub mod cranelift;
pub mod filetest;
pub mod interp;
pub mod interrupts;
#[cfg(feature = "cranelift")]
pub mod jit;
pub mod lir;
pub mod lowering;
pub mod passes;
pub mod remarks;
pub mod text;
pub mod verify;
