//! Records and char sequences at the boundary.

use super::abi::guarded_with_gil;
use super::unbox::{is_lenient, set_unbox_error};
use crate::numpy::ArrayObject;
use crate::session::{helper_types, type_of_code};
use crate::typeof_::typeof_object;
use numbra_ir::lattice::can_convert;
use numbra_ir::{Type, Types};
use numbra_runtime::Header;
use pyo3::exceptions::{PyMemoryError, PySystemError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

/// A new structured scalar with a copy of a record, as NumPy's `record`.
///
/// # Safety
/// `data` points to a record of this type.
pub(super) unsafe fn copy<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    data: *const u8,
) -> PyResult<Bound<'py, PyAny>> {
    let size = size_of(types, ty)?;
    let dtype = py
        .import("numbra.np.numpy_support")?
        .call_method1("_record_dtype", (crate::types_py::to_python(py, ty)?,))?;
    let array = py
        .import("numpy")?
        .call_method1("empty", (pyo3::types::PyTuple::empty(py), dtype))?;
    // SAFETY: a new array without axes, of one record; the source holds as many bytes.
    unsafe {
        let made = &*array.as_ptr().cast::<ArrayObject>();
        std::ptr::copy_nonoverlapping(data, made.data, size);
    }
    array.get_item(pyo3::types::PyTuple::empty(py))
}

/// The `str` or `bytes` that a char sequence becomes: without the zeros at its end.
///
/// # Safety
/// `data` points to a char sequence of this type.
pub(super) unsafe fn text<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    data: *const u8,
) -> PyResult<Bound<'py, PyAny>> {
    let Some((count, width)) = types.as_char_seq(ty) else {
        return Err(PySystemError::new_err("not a char sequence"));
    };
    let (mut count, width) = (count as usize, width as usize);
    // SAFETY: so many bytes stand there.
    let bytes = unsafe { std::slice::from_raw_parts(data, count * width) };
    while count > 0
        && bytes[(count - 1) * width..count * width]
            .iter()
            .all(|b| *b == 0)
    {
        count -= 1;
    }
    if width == 1 {
        return Ok(PyBytes::new(py, &bytes[..count]).into_any());
    }
    // SAFETY: `count` characters of 4 bytes; CPython copies them and refuses what is none.
    unsafe {
        let made = ffi::PyUnicode_FromKindAndData(4, data.cast(), count as ffi::Py_ssize_t);
        Bound::from_owned_ptr_or_err(py, made)
    }
}

fn size_of(types: &Types, ty: Type) -> PyResult<usize> {
    types
        .element(ty)
        .map(|item| item.size() as usize)
        .ok_or_else(|| PySystemError::new_err("a type without a memory form"))
}

/// `numbra_py_unbox_chars(object, type) -> owner`: new memory with the characters; null when it is no object of the type.
///
/// # Safety
/// Called by entry wrappers: the GIL is held and `object` is alive.
pub(crate) unsafe extern "C" fn numbra_py_unbox_chars(
    object: *mut PyObject,
    code: u64,
) -> *mut Header {
    let run = |py: Python<'_>| {
        // SAFETY: the wrapper's argument array keeps the object alive.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        unbox_chars(&helper_types(), type_of_code(code), &object).unwrap_or_else(|error| {
            set_unbox_error(error);
            std::ptr::null_mut()
        })
    };
    // SAFETY: the wrapper runs with the GIL held.
    unsafe { guarded_with_gil(std::ptr::null_mut(), run) }
}

fn unbox_chars(types: &Types, ty: Type, object: &Bound<'_, PyAny>) -> PyResult<*mut Header> {
    let fits = match typeof_object(types, object)? {
        Some(found) => found == ty || (is_lenient() && can_convert(types, found, ty).is_some()),
        None => false,
    };
    let Some((count, width)) = types.as_char_seq(ty).filter(|_| fits) else {
        return Ok(std::ptr::null_mut());
    };
    let bytes: Vec<u8> = if width == 1 {
        object.cast::<PyBytes>()?.as_bytes().to_vec()
    } else {
        let text = object.cast::<PyString>()?;
        characters(text)
            .into_iter()
            .flat_map(u32::to_ne_bytes)
            .collect()
    };
    let size = count as usize * width as usize;
    let owner = numbra_runtime::new_memory(&bytes, size);
    if owner.is_null() {
        return Err(PyMemoryError::new_err("no memory for a char sequence"));
    }
    Ok(owner)
}

/// The code points of a string, surrogates among them.
fn characters(text: &Bound<'_, PyString>) -> Vec<u32> {
    let object = text.as_ptr();
    // SAFETY: a `str`, alive under the GIL: so many characters of this width stand there.
    unsafe {
        let (data, length) = (
            ffi::PyUnicode_DATA(object),
            ffi::PyUnicode_GET_LENGTH(object) as usize,
        );
        match ffi::PyUnicode_KIND(object) {
            1 => std::slice::from_raw_parts(data.cast::<u8>(), length)
                .iter()
                .map(|c| u32::from(*c))
                .collect(),
            2 => std::slice::from_raw_parts(data.cast::<u16>(), length)
                .iter()
                .map(|c| u32::from(*c))
                .collect(),
            _ => std::slice::from_raw_parts(data.cast::<u32>(), length).to_vec(),
        }
    }
}
