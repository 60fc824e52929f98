//! Arrays: elements, views, allocation, loops over operands.

mod allocate;
mod assign;
mod attribute;
mod axes;
mod display;
mod element;
mod elementwise;
mod flat;
mod fuse;
mod gather;
mod index;
mod nest;
mod reshape;

pub(super) use element::ArrayRef;
pub(super) use gather::{Gather, Gathered};
pub(super) use index::View;
pub(super) use nest::Walk;
