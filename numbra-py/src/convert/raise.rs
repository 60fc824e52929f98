//! From the pending native exception of a thread to a Python one.

use super::abi::{Words, guarded_with_gil};
use super::boxing::box_value;
use super::chain::set_contexts;
use super::constant::literal;
use super::kept::{Kept, taken};
use crate::session::helper_types;
use numbra_lir::{KEPT_ARG, TEXT_ARG, fill_text};
use numbra_lower::jit::moved_line;
use numbra_runtime::{Cause, Handled, PendingError};
use pyo3::exceptions::PySystemError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use std::ffi::{CString, c_char, c_int};

/// What a pending native exception says: the JSON of a `numbra_lir::Exception`, written by the code generator.
#[derive(serde::Deserialize)]
struct Description {
    class: String,
    args: Vec<Option<String>>,
    function: String,
    #[serde(default)]
    file: String,
    #[serde(default)]
    line: u32,
}

unsafe extern "C" {
    /// Adds a frame to the traceback of the current exception (CPython, `Include/internal/pycore_traceback.h`; exported).
    fn _PyTraceback_Add(function: *const c_char, file: *const c_char, line: c_int);
}

/// `numbra_py_raise(callable) -> null`: turns the thread's pending native exception into a Python one.
///
/// # Safety
/// Called by entry wrappers with the GIL held.
pub(crate) unsafe extern "C" fn numbra_py_raise(_callable: *mut PyObject) -> *mut PyObject {
    let run = |py: Python<'_>| {
        if PyErr::occurred(py) && !numbra_runtime::is_error_pending() {
            return; // A helper or a callback has set it.
        }
        raise_pending(py);
    };
    // SAFETY: the wrapper runs with the GIL held.
    unsafe { guarded_with_gil((), run) };
    std::ptr::null_mut()
}

/// The exception that compiled code has left pending.
pub(crate) fn pending_error(py: Python<'_>) -> PyErr {
    raise_pending(py);
    PyErr::fetch(py)
}

/// Raises an exception of ours in Python: its `__context__` is what Python is handling, as with any `raise`. One that has
/// a context has been raised before and is handed on.
pub(crate) fn restore(py: Python<'_>, error: PyErr) {
    let value = error.value(py);
    // SAFETY: an exception, alive under the GIL.
    let context = unsafe { ffi::PyException_GetContext(value.as_ptr()) };
    if context.is_null() {
        own_traceback(py, &error);
        // SAFETY: an exception and its class, alive under the GIL.
        unsafe { ffi::PyErr_SetObject(value.get_type_ptr().cast(), value.as_ptr()) };
    } else {
        // SAFETY: `PyException_GetContext` gives an owned reference.
        drop(unsafe { Bound::from_owned_ptr(py, context) });
        error.restore(py);
    }
}

/// As `raise .. from ..`: the context is hidden.
fn set_cause(py: Python<'_>, error: &PyErr, cause: Option<PyErr>) {
    let cause = cause.map_or(std::ptr::null_mut(), |cause| {
        cause.into_value(py).into_ptr()
    });
    // SAFETY: an exception, alive under the GIL; the cause is an owned reference or null.
    unsafe { ffi::PyException_SetCause(error.value(py).as_ptr(), cause) };
}

/// Before 3.12 the traceback of a fetched exception is not yet its own, where `PyErr_SetObject` takes it from.
fn own_traceback(py: Python<'_>, error: &PyErr) {
    if let Some(traceback) = error.traceback(py) {
        // SAFETY: an exception and a traceback, alive under the GIL.
        unsafe { ffi::PyException_SetTraceback(error.value(py).as_ptr(), traceback.as_ptr()) };
    }
}

/// Function, file and line.
type Raised = (String, String, u32);

/// Sets what compiled code has left pending as Python's exception.
fn raise_pending(py: Python<'_>) {
    let Some(pending) = numbra_runtime::take_error() else {
        let error = PySystemError::new_err("a compiled function failed without an exception");
        return restore(py, error);
    };
    let (error, place) = raised(py, pending);
    restore(py, error);
    add_frame(place);
}

/// Adds the place of an exception to the traceback of the current one.
fn add_frame(place: Option<Raised>) {
    if let Some((function, file, line)) = place
        && !file.is_empty()
        && line > 0
        && let (Ok(function), Ok(file)) = (CString::new(function), CString::new(file))
    {
        // SAFETY: an exception is set, the GIL is held, the strings outlive the call.
        unsafe { _PyTraceback_Add(function.as_ptr(), file.as_ptr(), line as c_int) };
    }
}

/// A native exception as Python's, with its contexts, and where it was raised.
pub(crate) fn raised(py: Python<'_>, mut pending: PendingError) -> (PyErr, Option<Raised>) {
    // Taken before anything else can run that raises.
    let kept = Kept::take();
    let contexts = pending.take_contexts();
    let (error, place) = without_contexts(py, pending, kept);
    let contexts = contexts.into_iter().map(|context| {
        let (error, place) = handled(py, context);
        error.restore(py);
        add_frame(place);
        let error = PyErr::fetch(py);
        own_traceback(py, &error);
        error
    });
    set_contexts(py, &error, contexts);
    (error, place)
}

fn handled(py: Python<'_>, handled: Handled) -> (PyErr, Option<Raised>) {
    let kept = handled.kept.map(taken).unwrap_or_default();
    without_contexts(py, handled.error, kept)
}

fn without_contexts(
    py: Python<'_>,
    mut pending: PendingError,
    kept: Kept,
) -> (PyErr, Option<Raised>) {
    let description: Description = match serde_json::from_slice(pending.description()) {
        Ok(description) => description,
        Err(error) => {
            let text = format!("bad exception description: {error}");
            return (PySystemError::new_err(text), None);
        }
    };
    let kept = match [numbra_runtime::PYTHON_EXCEPTION, numbra_runtime::INTERRUPT]
        .contains(&description.class.as_str())
    {
        // The exception that the body of a `with objmode` statement or a signal handler raised.
        true => match kept.exception(py) {
            Some(error) => return (error, None),
            None => Kept::default(),
        },
        false => kept,
    };
    let line = if pending.line() > 0 {
        pending.line() as u32
    } else {
        description.line
    };
    // Code from the cache says where its source stood when it was compiled.
    let (file, line) = moved_line(pending.address(), &description.file, line)
        .unwrap_or_else(|| (description.file.clone(), line));
    let error = exception(
        py,
        &description.class,
        &description.args,
        pending.args(),
        &kept,
    );
    match pending.take_cause() {
        Cause::Unsaid => {}
        Cause::None => set_cause(py, &error, None),
        Cause::Exception(cause) => set_cause(py, &error, Some(handled(py, *cause).0)),
    }
    (error, Some((description.function, file, line)))
}

/// The Python exception that a description stands for; `words` fill the arguments without text.
pub(crate) fn exception(
    py: Python<'_>,
    class: &str,
    args: &[Option<String>],
    words: &[u64],
    kept: &Kept,
) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let class = crate::classes::exception_class(py, class)?;
        let mut words = words.iter().copied();
        let mut values = Vec::new();
        for arg in args {
            values.push(match arg {
                Some(text) if text == KEPT_ARG => {
                    let number = words.next().unwrap_or(u64::MAX);
                    kept.argument(py, number)
                        .ok_or_else(|| PySystemError::new_err("an argument got lost"))?
                }
                Some(text) if text.starts_with(TEXT_ARG) => {
                    let said = fill_text(&text[TEXT_ARG.len()..], &mut words);
                    said.into_pyobject(py)?.into_any()
                }
                Some(text) => match text.strip_prefix('=').and_then(|t| t.split_once(':')) {
                    Some((count, ty)) => run_time_arg(py, count, ty, &mut words)?,
                    None => literal(py, text)?,
                },
                None => (words.next().unwrap_or(0) as i64)
                    .into_pyobject(py)?
                    .into_any(),
            });
        }
        let instance = class.call1(PyTuple::new(py, values)?)?;
        Ok(PyErr::from_value(instance))
    };
    build().unwrap_or_else(|error| error)
}

/// An argument of an exception whose leaves are run-time words: see `numbra_lir::Exception::args`.
fn run_time_arg<'py>(
    py: Python<'py>,
    count: &str,
    ty: &str,
    words: &mut dyn Iterator<Item = u64>,
) -> PyResult<Bound<'py, PyAny>> {
    let types = &helper_types();
    let bad = |_| PySystemError::new_err(format!("bad exception argument: {count}:{ty}"));
    let ty = types.parse(ty).map_err(|e| bad(e.to_string()))?;
    let count: usize = count
        .parse()
        .map_err(|e: std::num::ParseIntError| bad(e.to_string()))?;
    let leaves: Vec<Words> = words.take(count).map(|word| [word, 0]).collect();
    box_value(py, types, ty, &mut leaves.as_slice())
}
