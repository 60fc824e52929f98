//! Passes over LIR. One file, one transformation. [`Pass`] is the table of them; [`HOST`], [`DEVICE`] and the lists that follow
//! them order them, each checked against [`ORDER`].
//!
//! - `scalar`, `flow`, `loops`: values, branches, loops;
//! - `calls`, `refs`, `errors`, `polls`: inlining, room on the stack and generators, reference counts, exceptions, interrupts
//!   ([`interrupts`] says how compiled code learns that it is to leave);
//! - `host`: kernels of a GPU for the CPU;
//! - `analyses`: what is known of a function between passes;
//! - `edit`: edges, copies, renaming, single-assignment form, for all of them.
//!
//! ```
//! use numbra_lir::text::{Form, parse, print};
//! use numbra_opt::Pass;
//!
//! let mut module = parse(
//!     "function export @f(i64) -> (i64) {\n\
//!      block0(v0: i64):\n  v1: i64 = iconst 1\n  v2: i64 = imul v0, v1\n  return v2\n}\n",
//! )?;
//! assert!(Pass::Gvn.run(&mut module) && Pass::Dce.run(&mut module));
//! assert!(!print(&module, Form::Plain).contains("imul"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! All respect [`numbra_lir::analysis::effects`]: what is not removable stays, what is not speculatable is not executed where
//! the program does not, convergent operations are neither moved over control flow, merged nor duplicated, and guards
//! are hoisted only past code that nobody can observe.
#![forbid(unsafe_code)]

mod analyses;
mod calls;
mod edit;
mod errors;
mod flow;
mod host;
mod loops;
mod manager;
mod polls;
mod refs;
mod report;
mod scalar;

pub use calls::generators::{FrameLayout, split_generator};
pub use host::threads::{HostNeeds, host_gap, host_needs};
pub use manager::{
    CRANELIFT, DEVICE, HOST, HOST_THREADS, LLVM, ORDER, Pass, PassError, PassRun, Pipeline,
};
pub use polls::interrupts;
pub use report::pass_report;
