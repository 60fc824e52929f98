//! LIR: the one low-level IR that every code generator and the interpreter read, and what leads to it and from it.
//!
//! - [`lir`]: the IR as data; its specification is the verifier's documentation.
//! - [`artifact`]: machine code as every generator yields it: sections, relocations by name, line table.
#![warn(unreachable_pub)]

pub mod artifact;
pub mod lir;
