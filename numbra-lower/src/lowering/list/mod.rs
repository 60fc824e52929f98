//! Lists.

mod change;
mod item;
mod object;
mod ops;
mod slice;
