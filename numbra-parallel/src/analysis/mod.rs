//! How the plan is made.
//!
//! - [`find`]: which loops may run in parallel, and why others may not; [`shape`]: what a loop is made of.
//! - [`carried`]: what becomes of variables that live through the iterations: reductions, last values.
//! - [`private`]: arrays of which each chunk has its own, and hazards; [`accesses`]: what a loop does with elements, [`callee`]:
//!   and functions that stay calls; [`inlined_callees`]: a copy of the loop with all others in place of their calls.
//! - [`dependence`]: whether iterations depend on each other by elements of an array; [`overlap`]: whether those of neighbours
//!   overlap; [`many_to_one`]: whether several iterations compute the same place.
//! - [`indices`], [`affine`], [`varying`]: what indices are, in terms of the loop's item.
//! - [`context`]: what all of them know of the function and of the program.

mod accesses;
mod affine;
mod callee;
mod carried;
mod context;
mod dependence;
mod find;
mod indices;
mod inlined_callees;
mod many_to_one;
mod overlap;
mod private;
mod shape;
mod varying;

pub(crate) use context::Context;
pub use find::plan;
pub(crate) use shape::ParallelLoops;
