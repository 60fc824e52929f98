//! The slow path of a call: an entry that misses its arguments comes here, and so does a dispatcher without entries.

use super::arguments::Folded;
use super::object::{DispatcherObject, inner};
use super::state::{Dispatcher, Entry};
use super::superseded;
use crate::convert::{disagreement, guarded, leniently, restore, take_unbox_error};
use crate::entry::Protocol;
use crate::errors;
use crate::python::with_gil;
use crate::session::helper_types;
use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyTuple};
use smallvec::SmallVec;
use std::borrow::Cow;
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::Ordering;

thread_local! {
    /// Argument array of a call that must hit: an entry that misses it would otherwise come back here for ever.
    static MUST_HIT: Cell<*const *mut PyObject> = const { Cell::new(std::ptr::null()) };
    /// Set when it did not, and no argument said why.
    static MISSED: Cell<bool> = const { Cell::new(false) };
}

/// The slow path of a call; also the vectorcall of a dispatcher without entries.
///
/// # Safety
/// Called with CPython's vectorcall protocol on an instance of the dispatcher type.
pub(crate) unsafe extern "C" fn numbra_py_dispatch(
    callable: *mut PyObject,
    args: *const *mut PyObject,
    nargsf: usize,
    kwnames: *mut PyObject,
) -> *mut PyObject {
    let run = |py: Python<'_>| {
        // SAFETY: CPython passes a live callable.
        let this = unsafe { Bound::from_borrowed_ptr(py, callable) };
        // SAFETY: as the vectorcall protocol says.
        match unsafe { dispatch(py, &this, args, nargsf, kwnames) } {
            Ok(result) => result,
            Err(error) => {
                restore(py, error);
                std::ptr::null_mut()
            }
        }
    };
    // SAFETY: vectorcall runs with the GIL held.
    unsafe {
        with_gil(|py| {
            guarded(None, || Some(run(py))).unwrap_or_else(|| {
                let text = "the compiler panicked; this is a bug of numbra";
                restore(py, errors::internal(py, text));
                std::ptr::null_mut()
            })
        })
    }
}

/// # Safety
/// The vectorcall protocol.
unsafe fn dispatch(
    py: Python<'_>,
    this: &Bound<'_, PyAny>,
    args: *const *mut PyObject,
    nargsf: usize,
    kwnames: *mut PyObject,
) -> PyResult<*mut PyObject> {
    // SAFETY: `None` is immortal or has a reference of the interpreter's.
    let is_bound = std::ptr::eq(kwnames, unsafe { ffi::Py_None() });
    if is_bound || !args.is_null() && MUST_HIT.get() == args {
        MUST_HIT.set(std::ptr::null());
        if let Some(unread) = take_unbox_error() {
            // SAFETY: the wrapper hands on what it was called with, with vectorcall's count.
            let given = unsafe { objects(args, ffi::PyVectorcall_NARGS(nargsf) as usize) };
            let at = given
                .iter()
                .position(|arg| std::ptr::eq(*arg, unread.argument));
            return Err(match at {
                Some(at) => inner(this)?.about_argument(py, unread.error, at),
                None => unread.error,
            });
        }
        MISSED.set(true);
        return Err(PySystemError::new_err(
            "an argument does not unbox as its own type; this is a bug of numbra",
        ));
    }
    superseded::sweep(py);
    let dispatcher = inner(this)?;
    // SAFETY: `kwnames` is null or a live tuple, as vectorcall has it.
    let names = unsafe { Bound::from_borrowed_ptr_or_opt(py, kwnames) };
    let names = names
        .map(|names| names.cast_into::<PyTuple>())
        .transpose()?;
    let names = names.as_ref().map_or(&[][..], |names| names.as_slice());
    // SAFETY: vectorcall's count and arguments.
    let (positional, named) = unsafe {
        let count = ffi::PyVectorcall_NARGS(nargsf) as usize;
        objects(args, count + names.len()).split_at(count)
    };
    if !names.is_empty()
        && let Some(args) = dispatcher.in_order(positional, names, named)
    {
        // SAFETY: an instance of our type, read under the GIL; its arguments are alive.
        return unsafe {
            let object = this.as_ptr().cast::<DispatcherObject>();
            let wrapper = (*object).vectorcall.unwrap_or(numbra_py_dispatch);
            answer(
                py,
                wrapper(
                    this.as_ptr(),
                    args.as_ptr(),
                    args.len(),
                    std::ptr::null_mut(),
                ),
            )
        };
    }
    let mut keywords: SmallVec<[(&str, *mut PyObject); 4]> = SmallVec::new();
    for (name, object) in names.iter().zip(named) {
        keywords.push((name.cast::<PyString>()?.to_str()?, *object));
    }
    let Folded { mut slots, rest } = dispatcher.fold(py, positional, &keywords)?;
    let lattice = dispatcher.types();
    let types = dispatcher.typeof_slots(py, &lattice, &mut slots)?;
    let result = if let Some(entry) = dispatcher.find(&types) {
        // SAFETY: the slots are alive: arguments, defaults and `rest`, which the slot of `*args` is.
        unsafe { call(this, &entry, &slots) }
    } else if dispatcher.can_compile.load(Ordering::Acquire) {
        let entry = dispatcher.compile_for(py, &lattice, &types, &slots)?;
        // SAFETY: as above.
        unsafe { call(this, &entry, &slots) }
    } else {
        let entry = dispatcher.best_match(&lattice, &types)?;
        // SAFETY: as above.
        leniently(|| unsafe { call(this, &entry, &slots) })
    };
    drop(rest);
    answer(py, result)
}

/// What a wrapper gave: an object, or nothing and an exception that is set.
fn answer(py: Python<'_>, result: *mut PyObject) -> PyResult<*mut PyObject> {
    if result.is_null() {
        return Err(PyErr::take(py)
            .unwrap_or_else(|| PySystemError::new_err("a call failed without an exception")));
    }
    Ok(result)
}

/// The arguments of a call; without any, CPython need not say where they are.
///
/// # Safety
/// `args` is null, or points to so many objects.
unsafe fn objects<'a>(args: *const *mut PyObject, count: usize) -> &'a [*mut PyObject] {
    if args.is_null() {
        return &[];
    }
    // SAFETY: by contract.
    unsafe { std::slice::from_raw_parts(args, count) }
}

/// What a call of a function runs that has been compiled as the loop of a ufunc only.
pub(super) unsafe extern "C" fn refuse_call(
    _callable: *mut PyObject,
    _args: *const *mut PyObject,
    _nargsf: usize,
    _kwnames: *mut PyObject,
) -> *mut PyObject {
    let error = PyTypeError::new_err("this function is the loop of a ufunc: call the ufunc");
    // SAFETY: vectorcall runs with the GIL held.
    unsafe { with_gil(|py| restore(py, error)) };
    std::ptr::null_mut()
}

/// Calls an entry and makes it the one that the next call tries first.
///
/// # Safety
/// `slots` holds one live object a parameter, a tuple for `*args`, null exactly where the entry's type is `Omitted`.
unsafe fn call(
    this: &Bound<'_, PyAny>,
    entry: &Arc<Entry>,
    slots: &[*mut PyObject],
) -> *mut PyObject {
    let direct = entry.protocol == Protocol::Direct;
    let args = match direct {
        // SAFETY: as the caller promises.
        true => Cow::Owned(unsafe { in_a_row(this, slots) }),
        false => Cow::Borrowed(slots),
    };
    let names = match direct {
        true => std::ptr::null_mut(),
        // SAFETY: `None` is there as long as the interpreter.
        false => unsafe { ffi::Py_None() },
    };
    let object = this.as_ptr().cast::<DispatcherObject>();
    // What an earlier miss left behind is not about this call. Dropping it may run anything.
    drop(take_unbox_error());
    let (wrapper, measured) = entry.wrapper.enter(this.py());
    if direct && !entry.discarded.load(Ordering::Relaxed) {
        // SAFETY: an instance of our type; writing the slot under the GIL is how calls switch entries.
        unsafe { (*object).vectorcall = Some(wrapper) };
    }
    MUST_HIT.set(args.as_ptr());
    // SAFETY: the wrapper finds its arguments as its protocol says; the entry keeps its code alive.
    let result = unsafe { wrapper(this.as_ptr(), args.as_ptr(), args.len(), names) };
    MUST_HIT.set(std::ptr::null());
    if result.is_null() && MISSED.take() {
        explain_miss(this.py(), entry, slots);
    }
    if let Some(measured) = measured {
        measured.left(this.py(), entry);
    }
    result
}

/// Arguments as CPython hands them over without names: those of `*args` one by one, none for defaults.
///
/// # Safety
/// As [`call`].
unsafe fn in_a_row(this: &Bound<'_, PyAny>, slots: &[*mut PyObject]) -> Vec<*mut PyObject> {
    let star = inner(this).ok().and_then(Dispatcher::star);
    let mut args = Vec::with_capacity(slots.len());
    for (index, slot) in slots.iter().copied().enumerate() {
        if slot.is_null() {
            continue;
        }
        if star != Some(index) {
            args.push(slot);
            continue;
        }
        // SAFETY: the slot of `*args` is a live tuple.
        unsafe {
            let count = ffi::PyTuple_GET_SIZE(slot);
            args.extend((0..count).map(|at| ffi::PyTuple_GET_ITEM(slot, at)));
        }
    }
    args
}

/// Replaces the exception of a call that missed by one about the argument that is not of the type that `typeof` gives it:
/// only an object that says its type itself can be so.
fn explain_miss(py: Python<'_>, entry: &Entry, slots: &[*mut PyObject]) {
    let types = helper_types();
    let pending = PyErr::take(py);
    let given = entry.args.iter().zip(slots);
    let found = given
        .filter(|(_, slot)| !slot.is_null())
        .find_map(|(ty, slot)| {
            // SAFETY: the caller keeps the slots alive.
            let object = unsafe { Bound::from_borrowed_ptr(py, *slot) };
            disagreement(&types, *ty, &object)
        });
    if let Some(error) = found.or(pending) {
        restore(py, error);
    }
}
