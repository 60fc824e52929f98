//! Python lists and sets as arguments and results.
//!
//! An argument is copied into a list or set of our own that remembers the Python object; after the call, also a failed
//! one, what was changed is written back. A result is a new Python object, or the argument itself. Items own what they
//! point to, as [`numbra_lower::lowering::owner`] says, since a list may outlive the call.

use crate::convert::{
    Accept, Leaves, Unboxing, Words, box_value, for_argument, guarded_with_gil, restore,
};
use crate::errors;
use crate::made;
use crate::python::enter;
use crate::session::{helper_types, type_of_code};
use crate::typeof_::typeof_object;
use crate::types::typed::let_go;
use numbra_ir::{Type, Types};
use numbra_lir::Ty;
use numbra_lower::lowering::{ItemLayout, Owner, containers, item_layout, item_parts, owner};
use numbra_runtime::{Header, List, Set, new_list, new_set};
use pyo3::exceptions::{PyMemoryError, PyTypeError, PyValueError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySet, PyTuple};
use std::cell::RefCell;
use std::ffi::c_int;

/// A list or set that a call knows: the Python object, and ours.
type Known = (*mut PyObject, Type, *mut Header);

thread_local! {
    /// Those among the arguments of the call that is being entered.
    static ENTERED: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

/// The lists and sets that a call knows: what is passed twice, or lies in two places, is one inside, too. Each is alive:
/// who unboxed it has a reference, or a container in which it lies.
pub(crate) struct Entered {
    known: Vec<Known>,
    /// Containers remember the Python objects that they stand for.
    reflects: bool,
}

impl Entered {
    /// Those of values that have nothing to do with the Python objects any more.
    pub(crate) fn detached() -> Entered {
        Entered {
            known: Vec::new(),
            reflects: false,
        }
    }

    /// Unboxes an argument of the call that is being entered. Calls that are made meanwhile (looking for a type may run
    /// Python code) know nothing of this one's, nor this one of theirs.
    pub(crate) fn scope<R>(run: impl FnOnce(&mut Entered) -> R) -> R {
        let mut entered = Entered {
            known: ENTERED.take(),
            reflects: true,
        };
        let result = run(&mut entered);
        ENTERED.replace(entered.known);
        result
    }
}

/// `numbra_py_unbox_list(object, type, first) -> ref`: a list or set with the items of a Python one; null when it is not
/// of that type. `first` says that no other of this call was unboxed yet.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, `object` is alive, and so are the lists that this call has unboxed.
pub(crate) unsafe extern "C" fn numbra_py_unbox_list(
    object: *mut PyObject,
    code: u64,
    first: c_int,
) -> *mut Header {
    if first != 0 {
        ENTERED.with_borrow_mut(Vec::clear);
    }
    let run = |types: &Types, object: &Bound<'_, PyAny>| {
        let made =
            Entered::scope(|entered| native_container(types, type_of_code(code), object, entered))?;
        Ok(made.unwrap_or(std::ptr::null_mut()))
    };
    // SAFETY: by contract.
    unsafe { for_argument(object, std::ptr::null_mut(), run) }
}

/// A list or set with the items of a Python one, new or known to the call, of which the caller gets a reference; `None`
/// for other objects, and when the first item is of another type.
pub(crate) fn native_container(
    types: &Types,
    ty: Type,
    object: &Bound<'_, PyAny>,
    entered: &mut Entered,
) -> PyResult<Option<*mut Header>> {
    let is_set = types.as_set(ty).is_some();
    let fits = match is_set {
        true => object.is_exact_instance_of::<PySet>(),
        false => object.is_exact_instance_of::<PyList>(),
    };
    let Some(dtype) = types.container_item(ty).filter(|_| fits) else {
        return Ok(None);
    };
    let same = |known: &&Known| known.0 == object.as_ptr() && known.1 == ty;
    if let Some(&(.., known)) = entered.known.iter().find(same) {
        // SAFETY: the call keeps what it knows.
        unsafe { numbra_runtime::retain(known) };
        return Ok(Some(known));
    }
    // Typed ones are shared, not copied.
    if types.kind(dtype).is_container() && owner(types, dtype) != Some(Owner::Both) {
        return Err(PyTypeError::new_err(format!(
            "cannot reflect element of reflected container: {}\n",
            types.display(ty)
        )));
    }
    let layout = item_layout(types, dtype).map_err(PyTypeError::new_err)?;
    let count = object.len()?;
    let header: *mut Header = if is_set {
        let parts = item_parts(types, dtype, &layout).ok_or_else(|| {
            PyTypeError::new_err(format!("sets of {} cannot be passed", types.display(dtype)))
        })?;
        new_set(layout.size as usize, layout.refs, &parts).cast()
    } else {
        new_list(count, layout.size as usize, layout.refs).cast()
    };
    if header.is_null() {
        return Err(PyMemoryError::new_err("out of memory"));
    }
    let before = entered.known.len();
    let filled = fill(
        types, dtype, &layout, object, header, is_set, count, entered,
    );
    if !matches!(filled, Ok(true)) {
        // What lies in it goes with it.
        entered.known.truncate(before);
        // SAFETY: this owns the only reference.
        unsafe { numbra_runtime::release(header) };
        return filled.map(|_| None);
    }
    // SAFETY: both begin with a list, and nobody else knows it.
    let native = unsafe { &mut *header.cast::<List>() };
    if entered.reflects {
        // SAFETY: the object is alive; the container takes this reference.
        unsafe { ffi::Py_INCREF(object.as_ptr()) };
        native.set_object(object.as_ptr().cast());
    }
    native.set_clean();
    entered.known.push((object.as_ptr(), ty, header));
    Ok(Some(header))
}

/// Copies the items of a Python container; false when the first is of another type.
#[allow(
    clippy::too_many_arguments,
    reason = "the parts of one function of the caller"
)]
fn fill(
    types: &Types,
    dtype: Type,
    layout: &ItemLayout,
    object: &Bound<'_, PyAny>,
    header: *mut Header,
    is_set: bool,
    count: usize,
    entered: &mut Entered,
) -> PyResult<bool> {
    let mut unboxing = Unboxing::new(types, Accept::Exactly, entered);
    let mut memory = vec![0_u64; (layout.size as usize).div_ceil(8)];
    for (index, item) in object.try_iter()?.enumerate().take(count) {
        let item = item?;
        if !unboxing.value(dtype, &item)? {
            if index == 0 {
                return Ok(false);
            }
            return heterogeneous(types, dtype, &item, is_set).map(|()| false);
        }
        if is_set {
            let place = memory.as_mut_ptr().cast::<u8>();
            let mut leaves = Leaves::new();
            unboxing.hand_to(|words| {
                leaves.extend_from_slice(words);
                write_item(layout, place, words);
            });
            // SAFETY: a set that nobody else knows, and an item outside it.
            let added = unsafe { (*header.cast::<Set>()).add(place) };
            // SAFETY: the references that the unboxing handed over; the set took its own.
            unsafe { let_go(layout, &leaves) };
            if !added {
                return Err(PyMemoryError::new_err("out of memory"));
            }
            continue;
        }
        // SAFETY: a list that nobody else knows.
        let list = unsafe { &mut *header.cast::<List>() };
        unboxing.hand_to(|words| write_item(layout, list.item(index), words));
        // SAFETY: the items up to this one are written.
        unsafe { list.set_len(index + 1) };
    }
    Ok(true)
}

fn heterogeneous(types: &Types, dtype: Type, item: &Bound<'_, PyAny>, set: bool) -> PyResult<()> {
    // As in Numba, where the items of a set are looked at one by one.
    if let (true, Some(items), Ok(tuple)) = (set, types.tuple_items(dtype), item.cast::<PyTuple>())
        && tuple.len() != items.len()
    {
        return Err(PyValueError::new_err(format!(
            "size mismatch for tuple, expected {} element(s) but got {}",
            items.len(),
            tuple.len()
        )));
    }
    let what = if set { "set" } else { "list" };
    let found = match typeof_object(types, item)? {
        Some(ty) => types.display(ty).to_string(),
        None => item.get_type().to_string(),
    };
    let error = PyTypeError::new_err(format!(
        "can't unbox heterogeneous {what}: {} != {found}",
        types.display(dtype)
    ));
    // Programs for Numba read the text whole.
    let fix = format!(
        "the items of a {what} are of one type: convert them, as in `[float(v) for v in x]`, or pass a tuple, whose items may \
         be of several types"
    );
    Err(errors::noted(item.py(), error, &fix))
}

/// Writes leaves to the memory of an item.
pub(crate) fn write_item(layout: &ItemLayout, item: *mut u8, words: &[Words]) {
    for (&(ty, offset), word) in layout.leaves.iter().zip(words) {
        let bytes = word[0].to_le_bytes();
        let place = item.wrapping_add(offset as usize);
        let size = (ty.size() as usize).min(bytes.len());
        // SAFETY: the leaf lies inside the item, for which the list has room.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), place, size) };
    }
}

/// The leaves of an item in memory.
pub(crate) fn read_item(layout: &ItemLayout, item: *const u8, words: &mut Leaves) {
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
        return python_container(py, types, ty, list);
    }
    reflect(py, types, ty, list)?;
    // SAFETY: the list keeps the object alive.
    Ok(unsafe { Bound::from_borrowed_ptr(py, object) })
}

fn python_container<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    list: &List,
) -> PyResult<Bound<'py, PyAny>> {
    let dtype = types.container_item(ty).unwrap_or(Type::NONE);
    let layout = item_layout(types, dtype).map_err(PyTypeError::new_err)?;
    let is_list = types.as_list(ty).is_some();
    // Most lists hold plain numbers.
    if is_list && dtype == Type::FLOAT64 {
        // SAFETY: the items of the list are floats.
        let items = (0..list.len()).map(|n| unsafe { list.item(n).cast::<f64>().read() });
        return made::list(py, items.map(|item| made::float(py, item)));
    }
    if is_list && dtype == Type::INT64 {
        // SAFETY: the items of the list are integers.
        let items = (0..list.len()).map(|n| unsafe { list.item(n).cast::<i64>().read() });
        return made::list(py, items.map(|item| made::signed(py, item)));
    }
    let mut words = Leaves::new();
    let room = numbra_memory::try_room(list.len());
    let mut items = room.map_err(|_| PyMemoryError::new_err(()))?;
    for index in 0..list.len() {
        read_item(&layout, list.item(index), &mut words);
        items.push(box_value(py, types, dtype, &mut words.as_slice())?);
    }
    if types.as_set(ty).is_some() {
        return Ok(PySet::new(py, items)?.into_any());
    }
    made::list(py, items.into_iter().map(Ok))
}

/// Writes what was changed in a list or set, and in those that lie in its items, back to the Python objects that they
/// stand for.
fn reflect(py: Python<'_>, types: &Types, ty: Type, list: &mut List) -> PyResult<()> {
    let dtype = types.container_item(ty).unwrap_or(Type::NONE);
    let inner = containers(types, dtype);
    if !inner.is_empty() {
        let layout = item_layout(types, dtype).map_err(PyTypeError::new_err)?;
        let mut words = Leaves::new();
        for index in 0..list.len() {
            read_item(&layout, list.item(index), &mut words);
            for &(leaf, ty) in &inner {
                // SAFETY: the item's container, which the list keeps, or null where there is none.
                if let Some(inner) = unsafe { (words[leaf][0] as *mut List).as_mut() } {
                    reflect(py, types, ty, inner)?;
                }
            }
        }
    }
    if !list.is_dirty() || list.object().is_null() {
        return Ok(());
    }
    let items = python_container(py, types, ty, list)?;
    list.set_clean();
    // SAFETY: the container keeps the object alive.
    let object = unsafe { Bound::from_borrowed_ptr(py, list.object().cast::<PyObject>()) };
    if let Ok(set) = object.cast::<PySet>() {
        set.clear();
        return set.call_method1("update", (items,)).map(|_| ());
    }
    // SAFETY: both are lists, alive under the GIL.
    let done =
        unsafe { ffi::PyList_SetSlice(object.as_ptr(), 0, ffi::PY_SSIZE_T_MAX, items.as_ptr()) };
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
    let run = |py: Python<'_>| {
        // SAFETY: by contract.
        let list = unsafe { &mut *list.cast::<List>() };
        // The call may have left an exception pending.
        let done = enter(|py| reflect(py, &helper_types(), type_of_code(code), list));
        match done {
            Ok(()) => 0,
            Err(error) => {
                restore(py, error);
                1
            }
        }
    };
    // SAFETY: the wrapper runs with the GIL held.
    unsafe { guarded_with_gil(1, run) }
}
