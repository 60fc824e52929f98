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
use crate::resolved::Resolved;
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
    resolved: Vec<Arc<Resolved>>,
    /// A part of the compilation around it, which knows what is captured already.
    is_part: bool,
}

/// What a part of a compilation has captured, whether or not the compilation had done so before.
pub(crate) struct Part {
    pub(crate) objects: Vec<Py<PyAny>>,
    pub(crate) arrays: Vec<Arc<ConstantArray>>,
}

thread_local! {
    /// What the compilations that run on this thread have captured so far, the innermost last.
    static SCOPES: RefCell<Vec<Parts>> = const { RefCell::new(Vec::new()) };
}

/// Runs a compilation; its result, and what it has captured.
pub(crate) fn capturing<R>(compile: impl FnOnce() -> R) -> (R, Captured) {
    let (result, mut parts) = with_parts(Parts::default(), compile);
    // The objects whose contents were copied are needed no more.
    let (objects, arrays): (Vec<_>, Vec<_>) = parts.arrays.drain(..).unzip();
    if !objects.is_empty() {
        enter(|_| drop(objects));
    }
    let captured = Captured {
        others: Held::new((parts.resolved, arrays, parts.blocks)),
        objects: Held::new(parts.objects),
        users: AtomicUsize::new(0),
    };
    (result, captured)
}

/// Runs a part of a compilation; its result, and what it has captured, which the compilation has captured, too.
pub(crate) fn capturing_part<R>(describe: impl FnOnce() -> R) -> (R, Part) {
    let empty = Parts {
        is_part: true,
        ..Parts::default()
    };
    let (result, parts) = with_parts(empty, describe);
    let part = enter(|py| Part {
        objects: parts.objects.iter().map(|one| one.clone_ref(py)).collect(),
        arrays: parts
            .arrays
            .iter()
            .map(|(_, array)| array.clone())
            .collect(),
    });
    enter(|py| {
        let objects = parts.objects.into_iter();
        objects.for_each(|object| capture(object.bind(py)));
    });
    in_scope(|around| {
        for (object, array) in parts.arrays {
            if !around.arrays.iter().any(|(known, _)| known.is(&object)) {
                around.arrays.push((object, array));
            }
        }
        around.resolved.extend(parts.resolved);
    });
    parts.blocks.into_iter().for_each(capture_block);
    (result, part)
}

/// Runs `body` in a scope of its own: its result, and what the scope has come to hold.
fn with_parts<R>(parts: Parts, body: impl FnOnce() -> R) -> (R, Parts) {
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
        scopes.push(parts);
        scopes.len() - 1
    }));
    let result = body();
    let parts = SCOPES.with_borrow_mut(Vec::pop).unwrap_or_default();
    drop(scope);
    (result, parts)
}

/// What the compilation that runs on this thread has of functions whose names it has resolved.
pub(crate) fn resolved_in_scope<R: Default>(look: impl FnOnce(&mut Vec<Arc<Resolved>>) -> R) -> R {
    let mut found = R::default();
    in_scope(|parts| found = look(&mut parts.resolved));
    found
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
        let inner = scopes
            .iter()
            .rev()
            .take_while(|scope| scope.is_part)
            .count();
        let mut arrays = (scopes.iter().rev().take(inner + 1)).flat_map(|scope| &scope.arrays);
        let known = arrays.find(|(known, _)| known.is(object))?;
        Some(known.1.clone())
    });
    let array = match known {
        Some(known) => known,
        None => Arc::new(make()?),
    };
    let entry = (object.clone().unbind(), array.clone());
    in_scope(|parts| {
        if !parts.arrays.iter().any(|(known, _)| known.is(object)) {
            parts.arrays.push(entry);
        }
    });
    Ok(array)
}

/// What code keeps that no collector of cycles looks into.
type Others = (Vec<Arc<Resolved>>, Vec<Arc<ConstantArray>>, Vec<Arc<Block>>);

/// What code has captured.
pub(crate) struct Captured {
    /// Goes before `objects`, to which what names stand for refers.
    others: Held<Others>,
    objects: Held<Vec<Py<PyAny>>>,
    /// Who needs it beside signatures of its dispatcher. Grows under the GIL only.
    users: AtomicUsize,
}

impl Captured {
    /// The compilation has succeeded: what names stood for in it, they stand for in later ones of the same signatures.
    pub(crate) fn publish(&self) {
        self.others.0.iter().for_each(Resolved::publish);
    }

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
