//! Facts about functions, as side tables. Each is computed on demand and never kept inside a [`crate::Func`].

mod cfg;
mod def_use;
mod liveness;
mod var_set;

pub use cfg::Cfg;
pub use def_use::DefUse;
pub use liveness::Liveness;
pub use numbra_graph::LoopId;
pub use var_set::VarSet;

/// The dominator tree over all edges, exceptional ones included.
pub type Dominators = numbra_graph::Dominators<crate::Block>;
/// A natural loop of a function.
pub type Loop = numbra_graph::Loop<crate::Block>;
/// The natural loops of a function.
pub type Loops = numbra_graph::Loops<crate::Block>;
