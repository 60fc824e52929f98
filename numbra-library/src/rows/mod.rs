//! The rows, by area.

pub(crate) mod sigs;
pub(crate) mod ufuncs;

mod arrays;
mod attributes;
mod builtins;
mod cmath;
mod constructors;
mod creation;
mod device;
mod device_bfloat;
mod device_half;
pub(crate) mod dicts;
mod exceptions;
mod fourier;
mod heaps;
mod iteration;
mod libdevice;
mod linalg;
mod lists;
mod literal_lists;
mod math;
mod numpy;
mod operators;
mod pointers;
mod python;
mod random;
mod random_generator;
mod reductions;
mod sets;
mod shape;
mod statistics;
mod text;
mod threads;

use crate::Row;

/// All tables, in the order of row numbers.
pub(crate) static TABLES: &[&[Row]] = &[
    operators::ROWS,
    builtins::ROWS,
    constructors::ROWS,
    math::ROWS,
    cmath::ROWS,
    iteration::ROWS,
    lists::ROWS,
    literal_lists::ROWS,
    heaps::ROWS,
    sets::ROWS,
    dicts::ROWS,
    arrays::ROWS,
    attributes::ROWS,
    creation::ROWS,
    device::place::ROWS,
    device::vectors::ROWS,
    device::ROWS,
    device_bfloat::ROWS,
    device_half::ROWS,
    libdevice::ROWS,
    numpy::ROWS,
    python::ROWS,
    reductions::ROWS,
    shape::ROWS,
    statistics::ROWS,
    text::ROWS,
    random::ROWS,
    random_generator::ROWS,
    linalg::ROWS,
    fourier::ROWS,
    pointers::ROWS,
    threads::ROWS,
    exceptions::ROWS,
];
