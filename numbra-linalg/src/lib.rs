//! Products and factorisations of dense matrices, on faer.
//!
//! The crate stands alone so that faer's generic code is compiled once, here: every public function that computes is a method
//! of a trait with an implementation for each number type, and nothing generic is left to instantiate for who calls it.
//! It knows nothing of arrays of compiled code or of NumPy's errors; `numbra-runtime` gives it contiguous numbers and words
//! failures.
//!
//! Products are computed at their own type. Factorisations are in double precision: who has single precision converts,
//! and loses nothing but time.
//!
//! Where there is no memory for a result or for what is computed on the way, it unwinds as `numbra_memory::refuse` does.
#![forbid(unsafe_code)]

mod factor;
mod lu;
mod matrix;
mod orthogonal;
mod product;
mod rows;
mod spectrum;
mod workspace;

pub use factor::Factor;
pub use faer::{c32, c64};
pub use lu::Lu;
pub use matrix::Matrix;
pub use product::{Number, Operand};

#[cfg(test)]
mod tests;
