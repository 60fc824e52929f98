//! Parallel loops of functions compiled with `parallel=True`: `for i in prange(..)`, as the [plan](numbra_parallel::ParallelPlan)
//! has it, and array expressions.
//!
//! - [`prange`]: lowers one loop.
//! - [`elements`]: loops over the elements of arrays.
//! - [`region`]: code that runs once for each chunk of a range: partial results, the call of the runtime.
//! - [`threads`]: numbers of threads and chunks.
//! - [`outline`]: makes such code, lowered in place like all other, a function of its own.

mod elements;
mod outline;
mod prange;
mod region;
mod threads;

pub(super) use prange::PlannedLoop;
