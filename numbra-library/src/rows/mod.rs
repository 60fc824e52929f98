//! The rows, by area.

pub(crate) mod sigs;
pub(crate) mod ufuncs;

mod numpy;
mod operators;

use crate::Row;

/// All tables, in the order of row numbers.
pub(crate) static TABLES: &[&[Row]] = &[operators::ROWS, numpy::ROWS];
