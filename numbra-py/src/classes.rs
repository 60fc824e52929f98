//! Classes by the names under which types and compiled code refer to them.
//!
//! The table does not keep a class alive: who refers to it by name has captured it ([`crate::captured`]), or has an
//! instance at hand.

use crate::captured::capture;
use pyo3::exceptions::PyTypeError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyString, PyType, PyWeakrefMethods, PyWeakrefReference};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The classes of one name.
#[derive(Default)]
struct Namesakes {
    /// How many there were: none gets the name of one that is gone.
    count: usize,
    /// Those that are there, by number.
    known: Vec<(usize, Py<PyWeakrefReference>)>,
}

static CLASSES: Mutex<Option<HashMap<String, Namesakes>>> = Mutex::new(None);

fn classes<R>(body: impl FnOnce(&mut HashMap<String, Namesakes>) -> R) -> R {
    let mut classes = CLASSES.lock().unwrap_or_else(PoisonError::into_inner);
    body(classes.get_or_insert_with(HashMap::new))
}

/// The unique name of the `number`th class of a name.
fn numbered(name: &str, number: usize) -> String {
    match number {
        1 => name.to_owned(),
        _ => format!("{name}#{number}"),
    }
}

/// A unique name taken apart.
fn name_and_number(unique: &str) -> (&str, usize) {
    let parts = unique.rsplit_once('#');
    let parts = parts.and_then(|(name, number)| Some((name, number.parse().ok()?)));
    parts.unwrap_or((unique, 1))
}

/// Registers a class under its qualified name; a second class of that name gets a number.
pub(crate) fn register_class(py: Python<'_>, name: String, class: &Bound<'_, PyType>) -> String {
    capture(class);
    // Python may run while it is made, and does not while the table is locked.
    let weak = PyWeakrefReference::new(class);
    let mut gone = Vec::new();
    let number = classes(|classes| {
        let same = classes.entry(name.clone()).or_default();
        let is_gone =
            |(_, weak): &mut (usize, Py<PyWeakrefReference>)| weak.bind(py).upgrade().is_none();
        gone.extend(same.known.extract_if(.., is_gone));
        let mut known = same.known.iter();
        let is_it = |weak: &Py<PyWeakrefReference>| {
            (weak.bind(py).upgrade()).is_some_and(|known| known.is(class))
        };
        if let Some((number, _)) = known.find(|(_, weak)| is_it(weak)) {
            return *number;
        }
        same.count += 1;
        if let Ok(weak) = weak {
            same.known.push((same.count, weak.unbind()));
        }
        same.count
    });
    drop(gone);
    numbered(&name, number)
}

/// A class by qualified name: registered, or importable.
pub(crate) fn class_named<'py>(py: Python<'py>, unique: &str) -> Option<Bound<'py, PyAny>> {
    let (name, number) = name_and_number(unique);
    let registered = classes(|classes| {
        let same = classes.get(name)?;
        let known = same.known.iter().find(|(known, _)| *known == number);
        Some(known.and_then(|(_, weak)| weak.bind(py).upgrade()))
    });
    let class = match registered {
        // The module of one that is gone may have another of this name by now.
        Some(known) => known?,
        None => {
            let (module, class) = unique.rsplit_once('.')?;
            let module = match loaded(py, module) {
                Some(module) => module,
                None => py.import(module).ok()?.into_any(),
            };
            module.getattr(class).ok()?
        }
    };
    capture(&class);
    Some(class)
}

/// A module that is there, without a call of Python's: near the end of a stack CPython refuses calls (3.14 on).
fn loaded<'py>(py: Python<'py>, name: &str) -> Option<Bound<'py, PyAny>> {
    let name = PyString::new(py, name);
    // SAFETY: a `str`, alive under the GIL; the result is a new reference or null.
    let module =
        unsafe { Bound::from_owned_ptr_or_opt(py, ffi::PyImport_GetModule(name.as_ptr())) };
    if module.is_none() {
        drop(PyErr::take(py));
    }
    module
}

/// An exception class that compiled code raises.
pub(crate) fn exception_class<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    class_named(py, name)
        .ok_or_else(|| PyTypeError::new_err(format!("exception class {name} is not importable")))
}
