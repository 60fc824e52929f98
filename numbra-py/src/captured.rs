//! What compiled code refers to and does not hold itself: classes, constant arrays, bodies in object mode, functions of C.
//!
//! A compilation notes each of them as it comes up ([`capturing`]). Its code holds them from then on (`Needs`), and so does
//! its signature: they go with the last user of either. The registries by name and number, [`crate::classes`] and
//! [`crate::constant_arrays`], only know where they are.
//!
//! The collector of cycles sees them through the dispatcher, unless a generator or a callback needs the code without it:
//! the list that it reads (`Dispatcher::captured`) changes under the GIL only, and so does the number of such users grow.

use crate::constant_arrays::ConstantArray;
use crate::object_mode::Block;
use crate::python::{Held, enter};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What one compilation has captured.
#[derive(Default)]
struct Parts {
    /// One reference each: the collector of cycles counts them.
    objects: Vec<Py<PyAny>>,
    arrays: Vec<(Py<PyAny>, Arc<ConstantArray>)>,
    blocks: Vec<Arc<Block>>,
}

thread_local! {
    /// What the compilations that run on this thread have captured so far, the innermost last.
    static SCOPES: RefCell<Vec<Parts>> = const { RefCell::new(Vec::new()) };
}

/// Runs a compilation; its result, and what it has captured.
pub(crate) fn capturing<R>(compile: impl FnOnce() -> R) -> (R, Captured) {
    /// Also behind a panic.
    struct Scope(usize);
    impl Drop for Scope {
        fn drop(&mut self) {
            let left = SCOPES.with_borrow_mut(|scopes| scopes.split_off(self.0));
            if !left.is_empty() {
                enter(|_| drop(left));
            }
        }
    }
    let scope = Scope(SCOPES.with_borrow_mut(|scopes| {
        scopes.push(Parts::default());
        scopes.len() - 1
    }));
    let result = compile();
    let mut parts = SCOPES.with_borrow_mut(Vec::pop).unwrap_or_default();
    drop(scope);
    // The objects whose contents were copied are needed no more.
    let (objects, arrays): (Vec<_>, Vec<_>) = parts.arrays.drain(..).unzip();
    if !objects.is_empty() {
        enter(|_| drop(objects));
    }
    let captured = Captured {
        objects: Held::new(parts.objects),
        _others: Held::new((arrays, parts.blocks)),
        users: AtomicUsize::new(0),
    };
    (result, captured)
}

fn in_scope(note: impl FnOnce(&mut Parts)) {
    SCOPES.with_borrow_mut(|scopes| scopes.last_mut().map(note));
}

/// The compilation that runs on this thread, if one does, captures an object.
pub(crate) fn capture(object: &Bound<'_, PyAny>) {
    in_scope(|parts| {
        if !parts.objects.iter().any(|known| known.is(object)) {
            parts.objects.push(object.clone().unbind());
        }
    });
}

/// The compilation that runs on this thread captures a body in object mode.
pub(crate) fn capture_block(block: Arc<Block>) {
    in_scope(|parts| {
        if !parts.blocks.iter().any(|known| Arc::ptr_eq(known, &block)) {
            parts.blocks.push(block);
        }
    });
}

/// What the compilation that runs on this thread reads in the place of an array: it is made once.
pub(crate) fn capture_array(
    object: &Bound<'_, PyAny>,
    make: impl FnOnce() -> PyResult<ConstantArray>,
) -> PyResult<Arc<ConstantArray>> {
    let known = SCOPES.with_borrow(|scopes| {
        let mut arrays = scopes.last()?.arrays.iter();
        let known = arrays.find(|(known, _)| known.is(object))?;
        Some(known.1.clone())
    });
    if let Some(known) = known {
        return Ok(known);
    }
    let made = Arc::new(make()?);
    let entry = (object.clone().unbind(), made.clone());
    in_scope(|parts| parts.arrays.push(entry));
    Ok(made)
}

/// What code keeps that no collector of cycles looks into.
type Others = (Vec<Arc<ConstantArray>>, Vec<Arc<Block>>);

/// What code has captured.
pub(crate) struct Captured {
    objects: Held<Vec<Py<PyAny>>>,
    _others: Held<Others>,
    /// Who needs it beside signatures of its dispatcher. Grows under the GIL only.
    users: AtomicUsize,
}

impl Captured {
    /// The objects that only signatures of the dispatcher need, for the collector of cycles.
    pub(crate) fn own_objects(&self) -> &[Py<PyAny>] {
        match self.users.load(Ordering::Acquire) {
            0 => &self.objects,
            _ => &[],
        }
    }
}

/// A user of what code has captured that may outlive its dispatcher.
pub(crate) struct User(Arc<Captured>);

impl User {
    pub(crate) fn new(_py: Python<'_>, captured: Arc<Captured>) -> User {
        captured.users.fetch_add(1, Ordering::AcqRel);
        User(captured)
    }
}

impl Drop for User {
    fn drop(&mut self) {
        self.0.users.fetch_sub(1, Ordering::AcqRel);
    }
}
