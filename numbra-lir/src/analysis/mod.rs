//! Facts about functions, computed on request and never stored in them.
//!
//! [`effects`] is the one table of what instructions do besides computing; every pass asks it.

mod affine;
mod call_graph;
mod cfg;
mod closed;
mod def_use;
mod effects;
mod induction;
mod interval;
mod leading;
mod liveness;
mod provenance;
mod repetition;
mod runtime_calls;

pub use crate::ops::effects;
pub use affine::{Affine, AffineAddress, affine, affine_address};
pub use call_graph::{callees, kinds};
pub use cfg::Cfg;
pub use closed::is_closed;
pub use def_use::{DefUse, Use, use_counts};
pub use effects::{AliasSet, InstEffects, native_effects};
pub use induction::{
    Addend, Counted, Induction, Inductions, LatchTest, LoopInductions, addend, back_edges,
    is_fixed, sum_with_constant,
};
pub use interval::Interval;
pub use leading::Leading;
pub use liveness::LivenessBuilder;
pub use liveness::{Liveness, liveness};
pub use numbra_graph::{LoopId, components};
pub use provenance::{Origins, Provenance, returns_new_memory};
pub use repetition::{has_loop, has_repetition};
pub use runtime_calls::{RuntimeCall, runtime_call};

/// The dominator tree of the blocks of a function.
pub type Dominators = numbra_graph::Dominators<crate::Block>;
/// A natural loop of a function.
pub type Loop = numbra_graph::Loop<crate::Block>;
/// The natural loops of a function.
pub type Loops = numbra_graph::Loops<crate::Block>;
