//! Exceptions that handlers drop or keep.

pub(crate) mod dead_errors;
pub(crate) mod late_keeps;
