//! Lists and sets.

mod change;
mod item;
mod object;
mod ops;
mod set;
mod slice;
