//! Random numbers: the streams of Python's `random`, of `numpy.random` and of NumPy's `Generator` objects.
//!
//! The generators of a thread ([`streams`]) are Mersenne Twisters of its own. The streams are Numba's: which functions follow
//! CPython's algorithms and which NumPy's legacy ones is said where they are.

mod binomial;
mod bits;
mod bounded;
mod choose;
mod cpython;
mod draw;
mod generator;
mod generator_gamma;
mod legacy;
mod legacy_integers;
mod poisson;
mod streams;
mod twister;
mod ziggurat;
mod ziggurat_tables;

pub(crate) use bits::BitGenerator;
pub(crate) use draw::{numbra_rt_draw, numbra_rt_draw_fill};
pub use streams::{
    RandomState, Stream, random_state, seed_random_state, set_random_state, twist_random_state,
};
pub(crate) use streams::{numbra_rt_random_refill, numbra_rt_random_words};

use crate::bodies::NativeBody;

/// The tables of native bodies of the modules.
pub(crate) const TABLES: &[&[NativeBody]] = &[bounded::BODIES, choose::BODIES];
