//! Facts about functions, computed on request and never stored in them.
//!
//! [`effects`] is the one table of what instructions do besides computing; every pass asks it.

mod call_graph;
mod cfg;
mod closed;
mod def_use;
mod dominators;
mod effects;
mod interval;
mod leading;
mod liveness;
mod loops;
mod provenance;
mod runtime_calls;

pub use crate::ops::effects;
pub use call_graph::{callees, components, kinds};
pub use cfg::Cfg;
pub use closed::is_closed;
pub use def_use::{DefUse, Use, use_counts};
pub use dominators::Dominators;
pub use effects::{AliasSet, Effects, native_effects};
pub use interval::Interval;
pub use leading::Leading;
pub use liveness::LivenessBuilder;
pub use liveness::{Liveness, liveness};
pub use loops::{Loop, LoopId, Loops, has_loop, has_repetition};
pub use provenance::{Origins, Provenance, returns_new_memory};
pub use runtime_calls::{RuntimeCall, runtime_call};
