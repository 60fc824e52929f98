//! Facts about functions, as side tables. Each is computed on demand and never kept inside a [`crate::Func`].

mod cfg;
mod def_use;
mod dominators;
mod liveness;
mod loops;
mod var_set;

pub use cfg::Cfg;
pub use def_use::DefUse;
pub use dominators::Dominators;
pub use liveness::Liveness;
pub use loops::{Loop, LoopId, Loops};
pub use var_set::VarSet;
