//! Python objects that native memory keeps alive.

use crate::captured::User;
use crate::dispatcher::Needs;
use crate::interrupt::has_gil;
use crate::python::{attach, enter, try_enter};
use numbra_lower::jit::{CodeMemory, keep_code};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;

/// Keeps compiled code for whoever has been given what belongs to it: constants, the steps of a generator.
#[pyclass(frozen, name = "_Code", module = "numbra")]
pub(crate) struct Code {
    /// Goes with the object, and with it the code if nobody else keeps it.
    _memory: CodeMemory,
    /// What the code refers to.
    _captured: Vec<User>,
}

impl Code {
    /// An object that keeps this code, as a new reference.
    pub(crate) fn keeping(py: Python<'_>, memory: CodeMemory) -> PyResult<*mut PyObject> {
        let code = Code {
            _captured: users(py, &memory),
            _memory: memory,
        };
        Ok(Py::new(py, code)?.into_ptr())
    }
}

/// A use of all that code has captured: see [`crate::captured`].
pub(crate) fn users(py: Python<'_>, code: &CodeMemory) -> Vec<User> {
    let needs = code.needs().and_then(|needs| needs.downcast_ref::<Needs>());
    let captured = needs.map_or(&[][..], |needs| &needs.captured);
    (captured.iter())
        .map(|one| User::new(py, one.clone()))
        .collect()
}

/// An object that keeps the compiled code to which an address belongs, as a new reference; null if that fails, or there is
/// none.
///
/// # Safety
/// The code is alive.
pub(crate) unsafe extern "C" fn code(address: *mut u8) -> *mut u8 {
    let kept = enter(|py| Code::keeping(py, keep_code(address)?).ok());
    kept.unwrap_or(std::ptr::null_mut()).cast()
}

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
