//! Reference counts: placing and pruning them.

pub(crate) mod check_refs;
pub(crate) mod place_refs;
pub(crate) mod prune_refs;
pub(crate) mod ref_roots;
