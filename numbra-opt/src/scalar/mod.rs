//! Values: folding, numbering, dead code, ranges.

pub(crate) mod dce;
pub(crate) mod differences;
pub(crate) mod floor_divisions;
pub(crate) mod fold;
pub(crate) mod gvn;
pub(crate) mod ranges;
pub(crate) mod sink;
pub(crate) mod special_floats;
pub(crate) mod sroa;
