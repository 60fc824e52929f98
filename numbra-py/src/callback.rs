//! C callbacks at the Python edge: their address and name, and what becomes of their exceptions.

use crate::captured::User;
use crate::dispatcher;
use crate::entry::callback::refusal;
use crate::session::session;
use crate::types::from_python;
use numbra_ir::Type;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString};
use std::ffi::{CStr, c_char};

/// Address and symbol of the compiled signature at a position.
#[pyfunction]
pub(crate) fn _entry_point(
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
) -> PyResult<(usize, String)> {
    let entries = dispatcher::inner(dispatcher)?.entries();
    let entry = entries
        .get(index)
        .ok_or_else(|| PyTypeError::new_err("no such signature"))?;
    let compiled = &entry.compiled;
    // C may call the address whenever it likes: the code stays, as Numba's does, with what it refers to.
    for captured in entry.captured() {
        std::mem::forget(User::new(dispatcher.py(), captured.clone()));
    }
    std::mem::forget(compiled.loaded());
    let address = compiled.entry_address();
    Ok((
        address.ok_or_else(|| PyTypeError::new_err("its code was superseded"))? as usize,
        compiled.entry_name().to_owned(),
    ))
}

/// Why there is no C function with a result and parameters of these types, or None.
#[pyfunction]
pub(crate) fn _callback_refusal(
    ret: &Bound<'_, PyAny>,
    params: Vec<Bound<'_, PyAny>>,
) -> PyResult<Option<String>> {
    let params: Vec<Type> = params.iter().map(from_python).collect::<PyResult<_>>()?;
    Ok(refusal(&session().types, &params, from_python(ret)?))
}

/// Prints the exception that a callback of this name has left pending.
///
/// # Safety
/// `name` is a text that ends with NUL.
pub(crate) unsafe extern "C" fn numbra_py_callback_error(name: *const c_char) {
    // SAFETY: by contract.
    let name = unsafe { CStr::from_ptr(name) }.to_string_lossy();
    crate::python::attach(|py| {
        // SAFETY: the GIL is held.
        unsafe { crate::convert::numbra_py_raise(std::ptr::null_mut()) };
        if let Some(error) = PyErr::take(py) {
            error.write_unraisable(py, Some(PyString::new(py, &name).as_any()));
        }
    });
}
