//! Objects of CPython's own types, made where memory may be short: there pyo3's constructors print the MemoryError and panic,
//! these raise it.

use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::ffi::c_char;

/// A new object, or the exception that says why there is none.
///
/// # Safety
/// `object` is a new reference, or null with an exception set.
unsafe fn made(py: Python<'_>, object: *mut ffi::PyObject) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: by contract.
    unsafe { Bound::from_owned_ptr_or_err(py, object) }
}

/// An `int`.
pub(crate) fn signed(py: Python<'_>, value: i64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: called with the GIL.
    unsafe { made(py, ffi::PyLong_FromLongLong(value)) }
}

/// An `int` that is not negative.
pub(crate) fn unsigned(py: Python<'_>, value: u64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: called with the GIL.
    unsafe { made(py, ffi::PyLong_FromUnsignedLongLong(value)) }
}

/// A `float`.
pub(crate) fn float(py: Python<'_>, value: f64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: called with the GIL.
    unsafe { made(py, ffi::PyFloat_FromDouble(value)) }
}

/// A `complex`.
pub(crate) fn complex(py: Python<'_>, real: f64, imag: f64) -> PyResult<Bound<'_, PyAny>> {
    // SAFETY: called with the GIL.
    unsafe { made(py, ffi::PyComplex_FromDoubles(real, imag)) }
}

/// A `bytes` with a copy of these.
pub(crate) fn bytes<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let (data, length) = (bytes.as_ptr().cast::<c_char>(), bytes.len() as isize);
    // SAFETY: so many bytes are there, which CPython copies.
    unsafe { made(py, ffi::PyBytes_FromStringAndSize(data, length)) }
}

/// A `str`.
pub(crate) fn text<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    let (data, length) = (text.as_ptr().cast::<c_char>(), text.len() as isize);
    // SAFETY: so many bytes of UTF-8 are there, which CPython copies.
    unsafe { made(py, ffi::PyUnicode_FromStringAndSize(data, length)) }
}

/// A `tuple`.
pub(crate) fn tuple<'py>(
    py: Python<'py>,
    items: Vec<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called with the GIL.
    let tuple = unsafe { made(py, ffi::PyTuple_New(items.len() as isize)) }?;
    for (index, item) in items.into_iter().enumerate() {
        // SAFETY: a new tuple that nobody else knows has this place, which takes the reference.
        unsafe { ffi::PyTuple_SET_ITEM(tuple.as_ptr(), index as isize, item.into_ptr()) };
    }
    Ok(tuple)
}

/// A `list`. Making the items runs no Python code.
pub(crate) fn list<'py>(
    py: Python<'py>,
    items: impl ExactSizeIterator<Item = PyResult<Bound<'py, PyAny>>>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: called with the GIL.
    let list = unsafe { made(py, ffi::PyList_New(items.len() as isize)) }?;
    for (index, item) in (0..items.len()).zip(items) {
        // SAFETY: a new list that no Python code has seen has this place, which takes the reference. Where an item fails,
        // the places behind it stay null, which lists allow when they go.
        unsafe { ffi::PyList_SET_ITEM(list.as_ptr(), index as isize, item?.into_ptr()) };
    }
    Ok(list)
}
