//! Which loops over `prange` and `pndindex` run in parallel: a stage of its own, from the typed program to a [`ParallelPlan`].
//!
//! [`plan`] decides for each such loop of a function compiled with `parallel=True` whether its iterations may run in any order
//! and at once, and what becomes of what they share: reductions, last values, arrays of which each chunk of iterations has its
//! own, and hazards, which the user must know not to happen. Lowering does what the plan says; a loop that stands in no plan
//! runs serially. Like every stage the plan is data, printed by [`print_plan`], read back by [`read_plan`], dumped by
//! [`to_json`], and checked by [`verify`], whose documentation is the specification.
//!
//! ```
//! use numbra_ir::{Types, read_program};
//! use numbra_library::Library;
//! use numbra_parallel::{FunctionKey, plan, print_plan};
//!
//! // The last statement of each iteration is `s += x[i]`.
//! let text = "\
//! function f(x: array(float64, 1d, C)) -> float64:
//! bb0:
//!   x: array(float64, 1d, C) = arg(0, name=x)
//!   s: float64 = const(float, 0.0)
//!   n: int64 = const(int, 100)
//!   prange: Function(numbra.prange) = undefined
//!   range: range_state_int64 = call prange(n) ; calls numbra.prange#0 (int64) -> range_state_int64
//!   iter: range_iter_int64 = getiter(range) ; calls iteration.getiter#1 (range_state_int64) -> range_iter_int64
//!   jump bb1
//! bb1:
//!   s.1: float64 = phi(bb0: s, bb2: s.2)
//!   pair: pair<int64, bool> = iternext(iter) ; calls iteration.iternext#0 (range_iter_int64) -> pair<int64, bool>
//!   i: int64 = pair_first(pair)
//!   more: bool = pair_second(pair)
//!   branch more, bb2, bb3
//! bb2:
//!   item: float64 = getitem(x, i) ; calls operator.getitem#0 (array(float64, 1d, C), int64) -> float64
//!   s.2: float64 = s.1 += item ; calls operator.iadd#1 (float64, float64) -> float64
//!   jump bb1
//! bb3:
//!   return s.1
//! ";
//! let (types, library) = (Types::new(), Library::standard());
//! let program = read_program(text, &types, library)?;
//! let root = FunctionKey { instance: program.root, no_nans: false };
//! let plan = plan(&program, &types, library, &[root]);
//! assert_eq!(print_plan(&plan, &program), "\
//! plan fn0 ; f
//! loop bb1 over range: parallel
//!   item i, from bb2 to bb3
//!   body bb2
//!   carries s.1: reduction +
//! ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod analysis;
mod plan;
mod reason;
mod report;
mod text;
mod verify;

pub use analysis::plan;
pub use plan::{
    Carried, CarriedVar, Decision, FunctionKey, FunctionPlan, LoopPlan, LoopShape, NanReset,
    ParallelPlan, PrivateArray, Region,
};
pub use reason::{Dependence, Hazard, SerialReason};
pub use report::{LoopKind, LoopReport};
pub use text::{from_json, print_plan, read_plan, to_json};
pub use verify::{VerifyError, verify};
