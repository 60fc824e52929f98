//! Python objects that native memory keeps alive.

use pyo3::Python;
use pyo3::ffi::{self, PyObject};

/// Takes a reference to a Python object.
///
/// # Safety
/// `object` is alive.
pub(crate) unsafe extern "C" fn retain(object: *mut u8) {
    Python::attach(|_| {
        // SAFETY: the object is alive, and the GIL is held.
        unsafe { ffi::Py_INCREF(object.cast::<PyObject>()) }
    });
}

/// Gives a reference to a Python object up. While the interpreter ends, nobody needs it.
///
/// # Safety
/// The caller owns the reference.
pub(crate) unsafe extern "C" fn release(object: *mut u8) {
    Python::try_attach(|_| {
        // SAFETY: the caller owns the reference, and the GIL is held.
        unsafe { ffi::Py_DECREF(object.cast::<PyObject>()) }
    });
}
