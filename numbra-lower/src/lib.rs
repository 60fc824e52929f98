//! Typed Numba IR to LIR, and LIR to machine code by Cranelift.
//!
//! - [`lowering`]: typed programs to LIR; data models. It knows no machine.
//! - `cranelift`, `jit` (feature `cranelift`): tier 1 machine code, and artifacts in memory. They know LIR and nothing before it.
#![warn(unreachable_pub)]

#[cfg(feature = "cranelift")]
pub mod cranelift;
#[cfg(feature = "cranelift")]
pub mod jit;
pub mod lowering;
