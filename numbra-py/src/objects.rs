//! Python objects that native memory keeps alive.

use crate::interrupt::has_gil;
use crate::python::{attach, try_enter};
use pyo3::ffi::{self, PyObject};

/// Takes a reference to a Python object.
///
/// # Safety
/// `object` is alive.
pub(crate) unsafe extern "C" fn retain(object: *mut u8) {
    // A count runs no code.
    attach(|_| {
        // SAFETY: the object is alive, and the GIL is held.
        unsafe { ffi::Py_INCREF(object.cast::<PyObject>()) }
    });
}

/// Gives a reference to a Python object up. While the interpreter ends, nobody needs it.
///
/// # Safety
/// The caller owns the reference.
pub(crate) unsafe extern "C" fn release(object: *mut u8) {
    let object = object.cast::<PyObject>();
    // SAFETY: the caller owns a reference; counts are read and written under the GIL.
    if has_gil() && unsafe { ffi::Py_REFCNT(object) } > 1 {
        // SAFETY: as above. It is not the last one: nothing runs.
        return unsafe { ffi::Py_DECREF(object) };
    }
    try_enter(|_| {
        // SAFETY: the caller owns the reference, and the GIL is held.
        unsafe { ffi::Py_DECREF(object) }
    });
}
