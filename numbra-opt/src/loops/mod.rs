//! Loops: their form, what leaves them, copies of them, vectors.

pub(crate) mod defer_div_checks;
pub(crate) mod hoist_div_checks;
pub(crate) mod licm;
pub(crate) mod loop_predicates;
pub(crate) mod merge_inductions;
pub(crate) mod rotate_loops;
pub(crate) mod scalar_promotion;
pub(crate) mod stepping;
pub(crate) mod stream_compaction;
pub(crate) mod unroll;
pub(crate) mod vectorize;
pub(crate) mod version_loops;
pub(crate) mod version_strides;
