//! Records and char sequences at the boundary.

use crate::made;
use crate::numpy::ArrayObject;
use numbra_ir::{Type, Types};
use numbra_runtime::Header;
use pyo3::exceptions::{PyMemoryError, PySystemError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyString};

/// A new structured scalar with a copy of a record, as NumPy's `record`.
///
/// # Safety
/// `data` points to a record of this type.
pub(crate) unsafe fn copy<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    data: *const u8,
) -> PyResult<Bound<'py, PyAny>> {
    let size = size_of(types, ty)?;
    let dtype = py
        .import("numbra.np.numpy_support")?
        .call_method1("_record_dtype", (crate::types::to_python(py, ty)?,))?;
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
pub(crate) unsafe fn text<'py>(
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
        return made::bytes(py, &bytes[..count]);
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

/// New memory with the characters of an object of the type, and its owner; `None` for other objects.
pub(crate) fn chars(
    types: &Types,
    ty: Type,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<(*mut u8, *mut Header)>> {
    let Some((count, width)) = types.as_char_seq(ty) else {
        return Ok(None);
    };
    let bytes: Vec<u8> = if width == 1 {
        match object.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => return Ok(None),
        }
    } else {
        match object.cast::<PyString>() {
            Ok(text) => (characters(text).into_iter())
                .flat_map(u32::to_ne_bytes)
                .collect(),
            Err(_) => return Ok(None),
        }
    };
    let size = count as usize * width as usize;
    let owner = numbra_runtime::new_memory(&bytes, size);
    if owner.is_null() {
        return Err(PyMemoryError::new_err("no memory for a char sequence"));
    }
    // SAFETY: a header that was made just now.
    Ok(Some((unsafe { (*owner).data_address() }, owner)))
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
