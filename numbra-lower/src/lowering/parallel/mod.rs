//! Parallel loops of functions compiled with `parallel=True`: `for i in prange(..)` and array expressions.
//!
//! - [`find`]: which loops may run in parallel, and why others may not.
//! - [`carried`]: what becomes of variables that live through the iterations: reductions, last values.
//! - [`races`]: stores of all iterations to the same elements.
//! - [`prange`]: lowers one loop.
//! - [`elements`]: loops over the elements of arrays.
//! - [`region`]: code that runs once for each chunk of a range: partial results, the call of the runtime.
//! - [`threads`]: numbers of threads and chunks.
//! - [`outline`]: makes such code, lowered in place like all other, a function of its own.

mod carried;
mod elements;
mod find;
mod outline;
mod prange;
mod races;
mod region;
mod threads;

pub(super) use find::Region;

use numbra_base::Span;

/// What became of a `prange` loop or of a loop over elements.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParallelLoop {
    /// The function that it stands in.
    pub function: String,
    pub span: Span,
    /// It is over the elements of an array expression, not a `prange`.
    pub of_elements: bool,
    /// Why it runs serially; `None` if it runs in parallel.
    pub serial: Option<String>,
    /// It runs inside a parallel loop, in its thread.
    pub is_inner: bool,
    /// Variables that are combined from partial results, with their operators.
    pub reductions: Vec<(String, &'static str)>,
}
