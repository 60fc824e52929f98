//! What comes out of a body: Python objects as values of the types that the program gave.

use super::Block;
use crate::convert::{Accept, Unboxing, Words};
use crate::lists::Entered;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// The leaves of a body's result; references among them are owned.
pub(super) fn leaves(block: &Block, result: &Bound<'_, PyTuple>) -> PyResult<Vec<Words>> {
    let mut entered = Entered::detached();
    let mut out = Unboxing::new(&block.types, Accept::Coerced, &mut entered);
    let mut values = result.iter();
    let exit = if block.exits.len() > 1 {
        let number: usize = values.next().map_or(Ok(0), |n| n.extract())?;
        out.number(number as u64);
        number
    } else {
        0
    };
    let live = block.exits.get(exit).map_or(&[][..], Vec::as_slice);
    for ((ty, value), live) in block.outputs.iter().zip(values).zip(live) {
        if *live {
            out.value(*ty, &value)?;
        } else {
            out.nothing(*ty)?;
        }
    }
    Ok(out.hand_to(<[Words]>::to_vec))
}
