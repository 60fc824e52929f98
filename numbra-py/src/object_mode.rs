//! `with objmode(..):`: bodies as Python functions, and what compiled code calls to run them.

mod outputs;
mod resolve;

pub(crate) use resolve::resolve;

use crate::convert::{Words, box_value, guarded, keep_exception};
use crate::python::enter;
use numbra_ir::{DispatcherId, Type, Types};
use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// A body. Compiled code refers to it by number, and other functions may have taken that code in: bodies live as long as
/// the process.
pub(super) struct Block {
    /// The function that it is in, and its position there.
    key: (DispatcherId, u32),
    function: Py<PyAny>,
    /// For each argument of the function: which input it is.
    arguments: Vec<Option<usize>>,
    /// Types of what comes out, the number of the exit not counted.
    outputs: Vec<Type>,
    /// For each exit: which outputs have a value.
    exits: Vec<Vec<bool>>,
    /// All of the result.
    ret: Type,
    /// Holds the types of the results, and those of inputs.
    types: Types,
    /// Types of inputs by the text that compiled code gives.
    inputs: Mutex<HashMap<String, Arc<Inputs>>>,
}

/// What goes into a body.
struct Inputs {
    types: Vec<Type>,
    leaves: usize,
}

static BLOCKS: Mutex<Vec<Arc<Block>>> = Mutex::new(Vec::new());

/// The number of a body; a known one of this place and result is used again.
pub(super) fn register(block: Block) -> i64 {
    let mut blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = blocks
        .iter()
        .position(|b| b.key == block.key && b.ret == block.ret);
    let at = known.unwrap_or_else(|| {
        blocks.push(Arc::new(block));
        blocks.len() - 1
    });
    at as i64
}

/// Runs a body for compiled code: see `numbra_rt_object_block`.
pub(crate) fn run(handle: i64, ty: &str, inputs: *const Words, outputs: *mut Words) -> bool {
    guarded(false, || {
        let done = enter(|py| {
            run_block(py, handle, ty, inputs, outputs)
                .map_err(|error| error.into_value(py).into_any())
        });
        done.map_err(keep_exception).is_ok()
    })
}

fn run_block(
    py: Python<'_>,
    handle: i64,
    ty: &str,
    inputs: *const Words,
    outputs: *mut Words,
) -> PyResult<()> {
    let block = {
        let blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        let block = usize::try_from(handle).ok().and_then(|i| blocks.get(i));
        block.cloned()
    };
    let block = block.ok_or_else(|| PySystemError::new_err("no such body of a with statement"))?;
    let given = block.inputs_of(ty)?;
    // SAFETY: compiled code passes one entry a leaf of the types that it names.
    let mut leaves = unsafe { std::slice::from_raw_parts(inputs, given.leaves) };
    let values = given
        .types
        .iter()
        .map(|ty| box_value(py, &block.types, *ty, &mut leaves))
        .collect::<PyResult<Vec<_>>>()?;
    let none = py.None().into_bound(py);
    let arguments = block.arguments.iter().map(|input| match input {
        Some(i) => values.get(*i).unwrap_or(&none),
        None => &none,
    });
    let arguments = PyTuple::new(py, arguments)?;
    drop(values);
    let result = block.function.bind(py).call1(arguments)?;
    let result = result.cast_into::<PyTuple>().map_err(PyErr::from)?;
    let leaves = outputs::leaves(&block, &result)?;
    for (i, leaf) in leaves.into_iter().enumerate() {
        // SAFETY: compiled code has room for the leaves of the result.
        unsafe { *outputs.add(i) = leaf };
    }
    Ok(())
}

impl Block {
    fn inputs_of(&self, text: &str) -> PyResult<Arc<Inputs>> {
        let mut known = self.inputs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(inputs) = known.get(text) {
            return Ok(inputs.clone());
        }
        let ty = self
            .types
            .parse(text)
            .map_err(|error| PySystemError::new_err(error.to_string()))?;
        let shape =
            numbra_lower::lowering::leaves(&self.types, ty).map_err(PyTypeError::new_err)?;
        let inputs = Arc::new(Inputs {
            types: self.types.tuple_items(ty).unwrap_or_default(),
            leaves: shape.len(),
        });
        known.insert(text.to_owned(), inputs.clone());
        Ok(inputs)
    }
}
