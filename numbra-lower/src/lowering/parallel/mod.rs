//! Parallel loops of functions compiled with `parallel=True`: `for i in prange(..)` and array expressions.
//!
//! - [`find`]: which loops may run in parallel, and why others may not.
//! - [`carried`]: what becomes of variables that live through the iterations: reductions, last values.
//! - [`shared`]: elements of arrays that several iterations change; [`accesses`]: what a loop does with elements,
//!   [`callee`]: and functions that it calls;
//!   [`meeting`]: whether iterations meet at one; [`overlap`]: whether those of neighbours overlap.
//! - [`indices`], [`linear`], [`varying`]: what indices are, in terms of the loop's item.
//! - [`prange`]: lowers one loop.
//! - [`elements`]: loops over the elements of arrays.
//! - [`region`]: code that runs once for each chunk of a range: partial results, the call of the runtime.
//! - [`threads`]: numbers of threads and chunks.
//! - [`outline`]: makes such code, lowered in place like all other, a function of its own.

mod accesses;
mod callee;
mod carried;
mod elements;
mod find;
mod folds;
mod indices;
mod linear;
mod meeting;
mod outline;
mod overlap;
mod prange;
mod region;
mod shared;
mod threads;
mod varying;
mod with_callees;

pub(super) use find::Region;

use numbra_base::Span;

/// What a loop goes over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LoopKind {
    /// A `prange`.
    Range,
    /// The elements of an array expression, an assignment or a new array.
    Elements,
    /// The elements of an array that a library function makes one number of.
    Reduction,
}

impl LoopKind {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            LoopKind::Range => "prange",
            LoopKind::Elements => "array expression",
            LoopKind::Reduction => "reduction",
        }
    }
}

/// What may make the results of a parallel loop other than those of a serial one.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Hazard {
    pub reason: String,
    /// The statement that changes what iterations may share.
    pub span: Span,
}

/// What became of a loop that may run in parallel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParallelLoop {
    /// The function that it stands in.
    pub function: String,
    pub span: Span,
    pub kind: LoopKind,
    /// Why it runs serially; `None` if it runs in parallel.
    pub serial: Option<String>,
    /// It runs inside a parallel loop, in its thread.
    pub is_inner: bool,
    /// Variables that are combined from partial results, with their operators.
    pub reductions: Vec<(String, &'static str)>,
    /// What may make the results of iterations in parallel other than those of a serial loop.
    pub hazards: Vec<Hazard>,
}
