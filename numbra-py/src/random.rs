//! NumPy's `Generator` objects as arguments, and the generators of this thread as Python sees them.

use crate::convert::Leaves;
use crate::numpy;
use numbra_runtime::{
    RandomState, Stream, random_state, seed_random_state, set_random_state, twist_random_state,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyModule};
use std::ffi::CStr;

/// The name that NumPy gives the class of generators and the capsule of a bit generator.
const CLASS: &CStr = c"numpy.random._generator.Generator";
const CAPSULE: &CStr = c"BitGenerator";

/// True for a `numpy.random.Generator`.
pub(crate) fn is_generator(object: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the object is alive under the GIL, and so is its class, whose name ends with 0.
    unsafe { CStr::from_ptr((*ffi::Py_TYPE(object.as_ptr())).tp_name) == CLASS }
}

/// Appends the leaves of a generator: the object, its `bitgen_t`, and zero in the place of the owner.
pub(crate) fn leaves(object: &Bound<'_, PyAny>, out: &mut Leaves) -> PyResult<()> {
    let bits = object.getattr("bit_generator")?;
    let capsule = bits.getattr("capsule")?;
    // SAFETY: a capsule or not, the call checks it.
    let raw = unsafe { ffi::PyCapsule_GetPointer(capsule.as_ptr(), CAPSULE.as_ptr()) };
    if raw.is_null() {
        return Err(PyErr::fetch(object.py()));
    }
    // The numbers that are drawn depend on NumPy's version, which this says.
    numpy::api(object.py())?;
    out.push([object.as_ptr() as u64, 0]);
    out.push([raw as u64, 0]);
    out.push([0, 0]);
    Ok(())
}

/// The generator that stands for a module-level function of `random` or `numpy.random`, as the module of its name.
pub(crate) fn module_of(function: &Bound<'_, PyAny>) -> Option<&'static str> {
    let py = function.py();
    let owner = function.getattr("__self__").ok()?;
    let modules = py.import("sys").ok()?.getattr("modules").ok()?;
    let is = |module: &str, attribute: &str| {
        let found = modules.get_item(module).and_then(|m| m.getattr(attribute));
        found.is_ok_and(|instance| instance.is(&owner))
    };
    if is("random", "_inst") {
        Some("random")
    } else if is("numpy.random.mtrand", "_rand") {
        Some("numpy.random")
    } else {
        None
    }
}

/// What stands for a generator of the thread in Python: its number, as Numba has an address there.
fn stream(number: u64) -> PyResult<Stream> {
    match number {
        1 => Ok(Stream::Python),
        2 => Ok(Stream::Numpy),
        _ => Err(PyValueError::new_err("no state of random numbers")),
    }
}

/// The generator of `random` in this thread.
#[pyfunction]
pub(crate) fn rnd_get_py_state_ptr() -> u64 {
    1
}

/// The generator of `numpy.random` in this thread.
#[pyfunction]
pub(crate) fn rnd_get_np_state_ptr() -> u64 {
    2
}

/// Words used since the last twist, and all words.
#[pyfunction]
pub(crate) fn rnd_get_state(state: u64) -> PyResult<(usize, Vec<u32>)> {
    let (index, words) = random_state(stream(state)?);
    Ok((index, words.to_vec()))
}

/// Sets what `rnd_get_state` gives.
#[pyfunction]
pub(crate) fn rnd_set_state(state: u64, value: (usize, Vec<u32>)) -> PyResult<()> {
    let (index, words) = value;
    let words = words
        .try_into()
        .map_err(|_| PyValueError::new_err("list object has wrong size"))?;
    let value: RandomState = (index, words);
    set_random_state(stream(state)?, value);
    Ok(())
}

/// Makes the next words.
#[pyfunction]
pub(crate) fn rnd_shuffle(state: u64) -> PyResult<()> {
    twist_random_state(stream(state)?);
    Ok(())
}

/// Seeds with an integer, or with bytes.
#[pyfunction]
pub(crate) fn rnd_seed(state: u64, seed: &Bound<'_, PyAny>) -> PyResult<()> {
    let stream = stream(state)?;
    if let Ok(bytes) = seed.cast::<PyBytes>() {
        let (words, _) = bytes.as_bytes().as_chunks();
        let key: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
        seed_random_state(stream, Err(&key));
    } else if let Ok(word) = seed.extract::<u64>() {
        seed_random_state(stream, Ok(word as u32));
    } else {
        return Err(PyTypeError::new_err("a seed is an integer or bytes"));
    }
    Ok(())
}

/// Adds the functions to the extension module.
pub(crate) fn add_functions(m: &Bound<'_, PyModule>) -> PyResult<()> {
    m.add_function(wrap_pyfunction!(rnd_get_py_state_ptr, m)?)?;
    m.add_function(wrap_pyfunction!(rnd_get_np_state_ptr, m)?)?;
    m.add_function(wrap_pyfunction!(rnd_get_state, m)?)?;
    m.add_function(wrap_pyfunction!(rnd_set_state, m)?)?;
    m.add_function(wrap_pyfunction!(rnd_shuffle, m)?)?;
    m.add_function(wrap_pyfunction!(rnd_seed, m)?)
}
