//! C callbacks at the Python edge: their address and name, and what becomes of their exceptions.

use crate::dispatcher;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::ffi::c_char;

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
    Ok((
        compiled.entry_address() as usize,
        compiled.entry_name().to_owned(),
    ))
}

/// Prints the exception that a callback of this name has left pending.
///
/// # Safety
/// `name` is a text that ends with NUL.
pub(crate) unsafe extern "C" fn numbra_py_callback_error(name: *const c_char) {
    // SAFETY: a thread that CPython knows or may know; the state is given back below.
    let state = unsafe { ffi::PyGILState_Ensure() };
    // SAFETY: the GIL is held; the name is a C string by the caller's word.
    unsafe {
        crate::convert::numbra_py_raise(std::ptr::null_mut());
        let mut raised = (
            std::ptr::null_mut(),
            std::ptr::null_mut(),
            std::ptr::null_mut(),
        );
        // Making the name must not see the exception.
        ffi::PyErr_Fetch(&raw mut raised.0, &raw mut raised.1, &raw mut raised.2);
        let name = ffi::PyUnicode_FromString(name);
        ffi::PyErr_Restore(raised.0, raised.1, raised.2);
        ffi::PyErr_WriteUnraisable(name);
        ffi::Py_XDECREF(name);
        ffi::PyGILState_Release(state);
    }
}
