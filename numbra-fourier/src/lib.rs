//! Discrete Fourier transforms of rows of numbers, on rustfft and realfft.
//!
//! The crate stands alone so that generic code of theirs is compiled once, here: plans are made by methods of [`Float`],
//! which has an implementation for each precision, and nothing of theirs is left to instantiate for who calls it. It knows nothing of arrays of compiled code or of NumPy's errors;
//! `numbra-runtime` gives it contiguous rows and words failures.
//!
//! Each precision is computed in itself, as NumPy does.
//!
//! Where there is no memory for a plan or for what is computed on the way, it unwinds as `numbra_memory::refuse` does.
#![forbid(unsafe_code)]

mod float;
mod kept;
mod rows;

pub use float::{Float, Scaling};
pub use rows::{HalfSpectra, RealRows, Rows};
pub use rustfft::num_complex::Complex;

#[cfg(test)]
mod tests;
