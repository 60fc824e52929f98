//! Tools that edit functions: edges, copies, renaming, single-assignment form.

pub(crate) mod block_copies;
pub(crate) mod copies;
pub(crate) mod edges;
pub(crate) mod rename;
pub(crate) mod ssa;
