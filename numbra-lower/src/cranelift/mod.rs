//! Tier 1: machine code by Cranelift.
//!
//! [`compile`] turns a verified module into an [`Artifact`](numbra_lir::artifact::Artifact). Every operation keeps the
//! meaning that its documentation in [`numbra_lir`] gives, whatever the machine does by itself: divisors are guarded,
//! conversions are defined for every input, narrow and wide vectors travel in 128-bit pieces.

mod abi;
mod anchor;
mod arith;
mod atomics;
mod bits128;
mod blocks;
mod calls;
mod compile;
mod convert;
mod divide;
mod emitter;
mod isa;
mod layout;
mod memory;
mod names;
mod options;
mod thunk;
mod vector;

pub use compile::{clif, compile};
/// Cranelift's version.
pub use cranelift_codegen::VERSION;
pub(crate) use isa::host_isa;
pub use options::{CodegenError, OptLevel, Options};
pub use thunk::{THUNK, thunk};
