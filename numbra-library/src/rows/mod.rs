//! The functions of the library, by area: in each file rows, and beside them the rules that give their result types. Rules of
//! several areas are in [`crate::rules`].

pub(crate) mod random;
pub(crate) mod sigs;
pub(crate) mod ufuncs;

mod array_sets;
mod attributes;
mod builtins;
mod calculus;
mod cmath;
mod copies;
mod creation;
mod device;
mod device_atomics;
mod device_bfloat;
mod device_half;
mod diagonals;
mod dicts;
mod dtypes;
mod elementwise;
mod exceptions;
mod fourier;
mod functions;
mod heaps;
mod indexing;
mod iteration;
mod joining;
mod libdevice;
mod linalg;
mod lists;
mod literal_dicts;
mod literal_lists;
mod math;
mod nan_reductions;
mod numbers;
mod numpy;
mod objects;
mod operators;
mod pointers;
mod polynomials;
mod python;
mod random_generator;
mod ranges;
mod records;
mod reductions;
mod searching;
mod sets;
mod shape;
mod sorting;
mod statistics;
mod stencils;
mod subscripts;
mod text;
mod threads;
mod tuples;
mod windows;

pub use creation::{shape_of_neighbours, shape_of_numbers};
pub use device::constant_integers;
pub use dtypes::limits;
pub use sets::not_an_item;
pub use tuples::slice_positions;

use crate::Row;

/// All tables, in the order of row numbers.
pub(crate) static TABLES: &[&[Row]] = &[
    operators::ROWS,
    subscripts::ROWS,
    builtins::ROWS,
    numbers::ROWS,
    dtypes::ROWS,
    math::ROWS,
    cmath::ROWS,
    iteration::ROWS,
    ranges::ROWS,
    tuples::ROWS,
    lists::ROWS,
    literal_lists::ROWS,
    literal_dicts::ROWS,
    heaps::ROWS,
    sets::ROWS,
    dicts::ROWS,
    copies::ROWS,
    attributes::ROWS,
    creation::ROWS,
    diagonals::ROWS,
    device::place::ROWS,
    device::vectors::ROWS,
    device::ROWS,
    device_atomics::ROWS,
    device_bfloat::ROWS,
    device_half::ROWS,
    libdevice::ROWS,
    numpy::ROWS,
    python::ROWS,
    reductions::ROWS,
    shape::ROWS,
    joining::ROWS,
    searching::ROWS,
    indexing::ROWS,
    elementwise::ROWS,
    sorting::ROWS,
    array_sets::ROWS,
    statistics::ROWS,
    stencils::ROWS,
    objects::ROWS,
    nan_reductions::ROWS,
    calculus::ROWS,
    windows::ROWS,
    polynomials::ROWS,
    text::ROWS,
    random::ROWS,
    random_generator::ROWS,
    linalg::ROWS,
    fourier::ROWS,
    functions::ROWS,
    pointers::ROWS,
    threads::ROWS,
    exceptions::ROWS,
];
