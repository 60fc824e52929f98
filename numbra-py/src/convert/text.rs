//! Strings: `str` objects as leaves, and back.

use super::abi::Words;
use numbra_runtime::Header;
use pyo3::exceptions::PySystemError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString};

/// Leaves of a string: data, length, bytes a character, ASCII or not, hash (-1: not known), owner.
const LEAVES: usize = 6;

/// The leaves of a `str` but the owner, whose place is filled with zero.
pub(crate) fn leaves(object: &Bound<'_, PyString>) -> [Words; LEAVES] {
    let text = object.as_ptr();
    // SAFETY: a `str`, alive under the GIL.
    let (data, length, kind, ascii) = unsafe {
        (
            ffi::PyUnicode_DATA(text) as u64,
            ffi::PyUnicode_GET_LENGTH(text) as u64,
            u64::from(ffi::PyUnicode_KIND(text)),
            u64::from(is_ascii(text)),
        )
    };
    [data, length, kind, ascii, u64::MAX, 0].map(|word| [word, 0])
}

/// # Safety
/// `text` is a `str`, alive under the GIL.
#[cfg(not(Py_3_14))]
unsafe fn is_ascii(text: *mut ffi::PyObject) -> bool {
    // SAFETY: by contract.
    unsafe { ffi::PyUnicode_IS_ASCII(text) != 0 }
}

/// CPython 3.14 and later keep the flag to themselves. They put the characters of ASCII text right behind the smaller of two
/// headers; those of objects of derived classes are elsewhere.
///
/// # Safety
/// `text` is a `str`, alive under the GIL.
#[cfg(Py_3_14)]
unsafe fn is_ascii(text: *mut ffi::PyObject) -> bool {
    // SAFETY: by contract.
    let (data, kind) = unsafe { (ffi::PyUnicode_DATA(text), ffi::PyUnicode_KIND(text)) };
    if kind != 1 {
        return false;
    }
    // SAFETY: by contract; each character is a byte.
    let bytes = unsafe {
        let length = ffi::PyUnicode_GET_LENGTH(text) as usize;
        std::slice::from_raw_parts(data.cast::<u8>(), length)
    };
    data.addr() == text.addr() + size_of::<ffi::PyASCIIObject>() || bytes.is_ascii()
}

/// The `str` whose characters the leaves are, from the first to the last.
fn whole<'py>(py: Python<'py>, leaves: &[Words]) -> Option<Bound<'py, PyString>> {
    let owner = std::ptr::with_exposed_provenance::<Header>(leaves[5][0] as usize);
    // SAFETY: null, or the owner of the characters, which is alive.
    let object = unsafe { owner.as_ref() }?.object().cast::<ffi::PyObject>();
    // SAFETY: null, or an object that the header keeps.
    let object = unsafe { Bound::from_borrowed_ptr_or_opt(py, object) }?;
    let text = object.cast_into_exact::<PyString>().ok()?;
    let known = self::leaves(&text);
    (known[0] == leaves[0] && known[1] == leaves[1]).then_some(text)
}

/// The `str` that the leaves at the front of `rest` are, or a new one of them.
pub(crate) fn object<'py>(py: Python<'py>, rest: &mut &[Words]) -> PyResult<Bound<'py, PyAny>> {
    let (leaves, tail) = rest
        .split_at_checked(LEAVES)
        .ok_or_else(|| PySystemError::new_err("result block too short"))?;
    *rest = tail;
    let (data, length, kind) = (leaves[0][0], leaves[1][0], leaves[2][0]);
    if let Some(same) = whole(py, leaves) {
        return Ok(same.into_any());
    }
    // SAFETY: leaves of a string describe so many characters of this width; CPython copies them.
    unsafe {
        let made = ffi::PyUnicode_FromKindAndData(
            kind as i32,
            data as *const _,
            length as ffi::Py_ssize_t,
        );
        Bound::from_owned_ptr_or_err(py, made)
    }
}

/// `numbra_py_box_text(data, length, kind, owner) -> PyObject*`: the `str` of these characters, that of their owner if they are
/// all of it; null with an exception set when it cannot be made. The owner is borrowed.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, so many characters of this width are at `data`, and the owner is null or alive.
pub(crate) unsafe extern "C" fn numbra_py_box_text(
    data: *const u8,
    length: i64,
    kind: i32,
    owner: *const Header,
) -> *mut ffi::PyObject {
    // SAFETY: by contract.
    let object = unsafe { owner.as_ref() }.map_or(std::ptr::null_mut(), Header::object);
    let object = object.cast::<ffi::PyObject>();
    // SAFETY: null, or an object that the header keeps.
    if !object.is_null() && unsafe { ffi::PyUnicode_CheckExact(object) } != 0 {
        // SAFETY: a `str`, alive under the GIL.
        let (its_data, its_length) = unsafe {
            (
                ffi::PyUnicode_DATA(object),
                ffi::PyUnicode_GET_LENGTH(object),
            )
        };
        if its_data.cast_const().cast() == data && its_length as i64 == length {
            // SAFETY: as above.
            unsafe { ffi::Py_INCREF(object) };
            return object;
        }
    }
    // SAFETY: so many characters are there, which CPython copies; it sets an exception where it cannot.
    unsafe { ffi::PyUnicode_FromKindAndData(kind, data.cast(), length as ffi::Py_ssize_t) }
}

/// Python's hash of so many bytes, which needs no GIL.
///
/// # Safety
/// So many bytes are at `data`.
pub(crate) unsafe fn hash_of_bytes(data: *const u8, len: usize) -> i64 {
    // SAFETY: by contract.
    let hash = unsafe { ffi::compat::Py_HashBuffer(data.cast(), len as ffi::Py_ssize_t) };
    hash as i64
}
