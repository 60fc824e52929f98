//! Branches and blocks.

pub(crate) mod conditions;
pub(crate) mod guards;
pub(crate) mod if_convert;
pub(crate) mod jump_threading;
pub(crate) mod select;
pub(crate) mod select_to_branch;
pub(crate) mod simplify_cfg;
pub(crate) mod sink_cold_blocks;
