//! `with objmode(..):`: bodies as Python functions, and what compiled code calls to run them.

mod outputs;
mod resolve;

pub(crate) use resolve::resolve;

use crate::captured::{capture, capture_block};
use crate::convert::{Words, box_value, guarded, keep_exception};
use crate::python::enter;
use numbra_ir::{DispatcherId, Type, Types};
use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyWeakrefMethods, PyWeakrefReference};
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError, Weak};

/// A body. Compiled code refers to it by number and has captured it, with its function.
pub(crate) struct Block {
    /// The function that it is in, its position there, and all of the result.
    key: Key,
    /// The function that runs it.
    function: Py<PyWeakrefReference>,
    /// For each argument of the function: which input it is.
    arguments: Vec<Option<usize>>,
    /// Types of what comes out, the number of the exit not counted.
    outputs: Vec<Type>,
    /// For each exit: which outputs have a value.
    exits: Vec<Vec<bool>>,
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

/// See [`Block::key`].
type Key = (DispatcherId, u32, Type);

/// Those that there are.
struct Blocks {
    numbers: BTreeMap<Key, i64>,
    all: BTreeMap<i64, Weak<Block>>,
    next: i64,
}

static BLOCKS: Mutex<Blocks> = Mutex::new(Blocks {
    numbers: BTreeMap::new(),
    all: BTreeMap::new(),
    next: 0,
});

fn of_number(number: i64) -> Option<Arc<Block>> {
    let blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    blocks.all.get(&number)?.upgrade()
}

/// The number of a body, which the compilation that runs captures; a known one of this place and result is used again.
pub(super) fn register(py: Python<'_>, block: Block) -> i64 {
    let known = {
        let blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        blocks.numbers.get(&block.key).copied()
    };
    let known = known.and_then(|number| Some((number, of_number(number)?)));
    if let Some((number, known)) = known
        && let Some(function) = known.function.bind(py).upgrade()
    {
        capture(&function);
        capture_block(known);
        return number;
    }
    let (key, block) = (block.key, Arc::new(block));
    if let Some(function) = block.function.bind(py).upgrade() {
        capture(&function);
    }
    let mut blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
    let number = blocks.next;
    blocks.next += 1;
    blocks.numbers.insert(key, number);
    blocks.all.insert(number, Arc::downgrade(&block));
    drop(blocks);
    capture_block(block);
    number
}

impl Drop for Block {
    fn drop(&mut self) {
        let mut blocks = BLOCKS.lock().unwrap_or_else(PoisonError::into_inner);
        let Blocks { numbers, all, .. } = &mut *blocks;
        let gone: Vec<i64> = all
            .extract_if(.., |_, block| block.strong_count() == 0)
            .map(|(number, _)| number)
            .collect();
        numbers.retain(|_, number| !gone.contains(number));
    }
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
    let gone = || PySystemError::new_err("no such body of a with statement");
    let block = of_number(handle).ok_or_else(gone)?;
    let function = block.function.bind(py).upgrade().ok_or_else(gone)?;
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
    let result = function.call1(arguments)?;
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
