//! Lists and sets.

mod change;
mod dict;
mod item;
mod object;
mod ops;
mod set;
mod slice;
