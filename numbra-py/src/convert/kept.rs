//! Arguments of exceptions that compiled code raises and whose leaves do not fit its error record.

use super::abi::{Words, guarded};
use super::boxing::object_of_value;
use crate::python::{Held, enter};
use pyo3::prelude::*;
use std::cell::RefCell;

thread_local! {
    /// Those of the last exception raised with such arguments, by number.
    static KEPT: RefCell<Kept> = const { RefCell::new(Kept(Vec::new())) };
}

/// What Python keeps of an exception of compiled code.
#[derive(Default)]
pub(crate) struct Kept(Vec<Py<PyAny>>);

impl Kept {
    /// What this thread keeps, which it then keeps no more.
    pub(crate) fn take() -> Kept {
        // The slot is gone only while the thread ends.
        KEPT.try_with(RefCell::take).unwrap_or_default()
    }

    /// Has this thread keep it; what it kept before, which must be dropped where Python code may run.
    pub(crate) fn put(self) -> Kept {
        KEPT.try_with(|kept| kept.replace(self)).unwrap_or_default()
    }

    /// True if this thread keeps anything.
    pub(crate) fn is_any() -> bool {
        KEPT.try_with(|kept| !kept.borrow().is_empty())
            .unwrap_or(false)
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// What is kept under a number.
    pub(super) fn argument<'py>(&self, py: Python<'py>, number: u64) -> Option<Bound<'py, PyAny>> {
        let object = self.0.get(usize::try_from(number).ok()?)?;
        Some(object.bind(py).clone())
    }

    /// The exception that is kept as the only object.
    pub(super) fn exception(self, py: Python<'_>) -> Option<PyErr> {
        let exception = self.0.into_iter().next()?;
        Some(PyErr::from_value(exception.into_bound(py)))
    }
}

/// Makes an object of a value and keeps it. Number 0 is the first of its exception.
pub(crate) fn keep_value(number: i64, ty: &str, block: *const Words) {
    let made = guarded(None, || {
        enter(|py| {
            let object = object_of_value(py, ty, block)
                .unwrap_or_else(|error| error.into_value(py).into_bound(py).into_any());
            Some(object.unbind())
        })
    });
    // Behind `enter`, which leaves what is kept as it was.
    let mut kept = Kept::take();
    let stale = match number {
        0 => std::mem::take(&mut kept),
        _ => Kept::default(),
    };
    kept.0.extend(made);
    drop_in_python([stale, kept.put()]);
}

/// Keeps an exception of Python's, as the only object.
pub(crate) fn keep_exception(exception: Py<PyAny>) {
    drop_in_python([Kept(vec![exception]).put()]);
}

fn drop_in_python<const N: usize>(stale: [Kept; N]) {
    if stale.iter().any(|kept| !kept.is_empty()) {
        enter(|_| drop(stale));
    }
}

/// Takes what this thread keeps, for another thread or until it is raised again.
pub(crate) fn take_kept() -> Option<numbra_runtime::Kept> {
    let kept = Kept::take();
    if kept.is_empty() {
        return None;
    }
    Some(Box::new(Held::new(kept)))
}

/// Keeps what was taken.
pub(crate) fn put_kept(kept: numbra_runtime::Kept) {
    drop_in_python([taken(kept).put()]);
}

/// What was taken.
pub(super) fn taken(kept: numbra_runtime::Kept) -> Kept {
    let held = kept.downcast::<Held<Kept>>();
    held.map(|mut held| std::mem::take(&mut **held))
        .unwrap_or_default()
}
