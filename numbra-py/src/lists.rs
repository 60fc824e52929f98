//! Python lists as arguments and results.
//!
//! An argument is copied into a list of our own that remembers the Python list; after the call, also a failed one, what
//! was changed is written back. A result is a new Python list, or the argument itself.

use crate::convert::{Words, array_leaves, box_value, guarded, set_unbox_error, unbox};
use crate::session::{session, type_of_code};
use crate::typeof_::typeof_object;
use numbra_ir::{Type, TypeKind, Types};
use numbra_lower::lir::Ty;
use numbra_lower::lowering::{ItemLayout, item_layout};
use numbra_runtime::{Header, List, new_list, object_header};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyList;
use std::cell::RefCell;
use std::ffi::c_int;

thread_local! {
    /// Lists among the arguments of the call that is being entered: one that is passed twice is one list inside, too.
    static ENTERED: RefCell<Vec<(*mut PyObject, *mut Header)>> = const { RefCell::new(Vec::new()) };
}

/// `numbra_py_unbox_list(object, type, first) -> ref`: a list with the items of an exact `list`; null when it is not of
/// that type. `first` says that no other list of this call was unboxed yet.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, `object` is alive.
pub(crate) unsafe extern "C" fn numbra_py_unbox_list(
    object: *mut PyObject,
    code: u64,
    first: c_int,
) -> *mut Header {
    guarded(std::ptr::null_mut(), || {
        if first != 0 {
            ENTERED.with_borrow_mut(Vec::clear);
        }
        let known = ENTERED.with_borrow(|lists| lists.iter().find(|l| l.0 == object).copied());
        if let Some((_, list)) = known {
            // SAFETY: the wrapper keeps the lists that it unboxed before.
            unsafe { numbra_runtime::retain(list) };
            return list;
        }
        // SAFETY: the wrapper runs with the GIL held.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: the wrapper's argument array keeps the object alive.
        let found = unsafe { Bound::from_borrowed_ptr(py, object) };
        match native_list(&session().types.view(), type_of_code(code), &found) {
            Ok(Some(list)) => {
                ENTERED.with_borrow_mut(|lists| lists.push((object, list)));
                list
            }
            Ok(None) => std::ptr::null_mut(),
            Err(error) => {
                set_unbox_error(error);
                std::ptr::null_mut()
            }
        }
    })
}

/// A new list with the items of a Python list; `None` when the first item is of another type.
fn native_list(
    types: &Types,
    ty: Type,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<*mut Header>> {
    let (Some((dtype, _)), Ok(items)) = (types.as_list(ty), object.cast::<PyList>()) else {
        return Ok(None);
    };
    if matches!(
        types.kind(dtype),
        TypeKind::List { .. } | TypeKind::Set { .. }
    ) {
        return Err(PyTypeError::new_err(format!(
            "cannot reflect element of reflected container: {}\n",
            types.display(ty)
        )));
    }
    let layout = item_layout(types, dtype).map_err(PyTypeError::new_err)?;
    let count = items.len();
    let list = new_list(count, layout.size as usize, layout.refs);
    // SAFETY: null, or a new list that nobody else knows.
    let Some(native) = (unsafe { list.as_mut() }) else {
        return Err(PyMemoryError::new_err("cannot allocate list"));
    };
    let mut words = Vec::new();
    let mut filled = Ok(Some(()));
    for (index, item) in items.iter().enumerate().take(count) {
        words.clear();
        filled = item_words(types, dtype, &item, &mut words).and_then(|fits| {
            if fits {
                Ok(Some(()))
            } else if index == 0 {
                Ok(None)
            } else {
                heterogeneous(types, dtype, &item).map(|()| None)
            }
        });
        if !matches!(filled, Ok(Some(()))) {
            break;
        }
        write_item(&layout, native.item(index), &words);
        // SAFETY: the items up to this one are written.
        unsafe { native.set_len(index + 1) };
    }
    match filled {
        Ok(Some(())) => {
            // SAFETY: the object is alive; the list takes this reference.
            unsafe { ffi::Py_INCREF(object.as_ptr()) };
            native.set_object(object.as_ptr().cast());
            Ok(Some(list.cast()))
        }
        other => {
            // SAFETY: this owns the only reference.
            unsafe { numbra_runtime::release(list.cast()) };
            other.map(|_| None)
        }
    }
}

fn heterogeneous(types: &Types, dtype: Type, item: &Bound<'_, PyAny>) -> PyResult<()> {
    let found = match typeof_object(types, item)? {
        Some(ty) => types.display(ty).to_string(),
        None => item.get_type().to_string(),
    };
    Err(PyTypeError::new_err(format!(
        "can't unbox heterogeneous list: {} != {found}",
        types.display(dtype)
    )))
}

/// The leaves of an item; arrays get an owner of their own, since the list may outlive the call's frame.
fn item_words(
    types: &Types,
    ty: Type,
    object: &Bound<'_, PyAny>,
    out: &mut Vec<Words>,
) -> PyResult<bool> {
    if types.as_array(ty).is_some() {
        if typeof_object(types, object)? != Some(ty) {
            return Ok(false);
        }
        let start = out.len();
        // SAFETY: an array type was found, which only an exact `ndarray` has.
        unsafe { array_leaves(object.as_ptr().cast(), out) };
        let data = out[start][0] as *mut u8;
        let owner = object_header(data, object.as_ptr().cast());
        if owner.is_null() {
            return Err(PyMemoryError::new_err("cannot allocate list"));
        }
        out[start + numbra_abi::ArrayLayout::OWNER] = [owner as u64, 0];
        return Ok(true);
    }
    if let (Some(items), Ok(tuple)) = (types.tuple_items(ty), object.cast::<pyo3::types::PyTuple>())
        && items.iter().any(|item| types.as_array(*item).is_some())
    {
        if items.len() != tuple.len() {
            return Ok(false);
        }
        for (item, element) in items.iter().zip(tuple.iter()) {
            if !item_words(types, *item, &element, out)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    unbox(types, ty, object, false, out)
}

/// Writes leaves to the memory of an item.
fn write_item(layout: &ItemLayout, item: *mut u8, words: &[Words]) {
    for (&(ty, offset), word) in layout.leaves.iter().zip(words) {
        let bytes = word[0].to_le_bytes();
        let place = item.wrapping_add(offset as usize);
        let size = (ty.size() as usize).min(bytes.len());
        // SAFETY: the leaf lies inside the item, for which the list has room.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, size) };
    }
}

/// The leaves of an item in memory.
fn read_item(layout: &ItemLayout, item: *const u8, words: &mut Vec<Words>) {
    words.clear();
    for &(ty, offset) in &layout.leaves {
        let mut bytes = [0_u8; 8];
        let size = if ty == Ty::I1 { 1 } else { ty.size() as usize };
        let place = item.wrapping_add(offset as usize);
        // SAFETY: the leaf lies inside the item, which the list has.
        unsafe {
            std::ptr::copy_nonoverlapping(place, bytes.as_mut_ptr(), size.min(bytes.len()));
        }
        words.push([u64::from_le_bytes(bytes), 0]);
    }
}

/// A list as the Python object: the argument that it reflects, or a new list.
///
/// # Safety
/// `list` is a list of type `ty` that is alive, and the GIL is held.
pub(crate) unsafe fn box_list<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    list: *mut Header,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: by contract.
    let list = unsafe { &mut *list.cast::<List>() };
    let object = list.object().cast::<PyObject>();
    if object.is_null() {
        return Ok(python_list(py, types, ty, list)?.into_any());
    }
    reflect(py, types, ty, list)?;
    // SAFETY: the list keeps the object alive.
    Ok(unsafe { Bound::from_borrowed_ptr(py, object) })
}

fn python_list<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    list: &List,
) -> PyResult<Bound<'py, PyList>> {
    let dtype = types.as_list(ty).map_or(Type::NONE, |(dtype, _)| dtype);
    let layout = item_layout(types, dtype).map_err(PyTypeError::new_err)?;
    let mut words = Vec::new();
    let mut items = Vec::with_capacity(list.len());
    for index in 0..list.len() {
        read_item(&layout, list.item(index), &mut words);
        items.push(box_value(py, types, dtype, &mut words.as_slice())?);
    }
    PyList::new(py, items)
}

/// Writes a changed list back to the Python list that it stands for.
fn reflect(py: Python<'_>, types: &Types, ty: Type, list: &mut List) -> PyResult<()> {
    if !list.is_dirty() || list.object().is_null() {
        return Ok(());
    }
    let items = python_list(py, types, ty, list)?;
    list.set_clean();
    // SAFETY: both are lists, alive under the GIL.
    let done = unsafe {
        ffi::PyList_SetSlice(list.object().cast(), 0, ffi::PY_SSIZE_T_MAX, items.as_ptr())
    };
    if done != 0 {
        return Err(PyErr::fetch(py));
    }
    Ok(())
}

/// `numbra_py_reflect(list, type) -> 0`: after a call, writes what was changed in an argument back; 1 with an exception
/// set when that fails.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, `list` is alive.
pub(crate) unsafe extern "C" fn numbra_py_reflect(list: *mut Header, code: u64) -> c_int {
    guarded(1, || {
        // SAFETY: the wrapper runs with the GIL held.
        let py = unsafe { Python::assume_attached() };
        // SAFETY: by contract.
        let list = unsafe { &mut *list.cast::<List>() };
        match reflect(py, &session().types.view(), type_of_code(code), list) {
            Ok(()) => 0,
            Err(error) => {
                error.restore(py);
                1
            }
        }
    })
}
