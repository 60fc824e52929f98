//! Arguments of exceptions that compiled code raises and whose leaves do not fit its error record.

use super::abi::{Words, guarded};
use super::boxing::object_of_value;
use numbra_runtime::Kept;
use pyo3::prelude::*;
use std::cell::RefCell;

thread_local! {
    /// Those of the last exception raised with such arguments, by number.
    static KEPT: RefCell<Vec<Py<PyAny>>> = const { RefCell::new(Vec::new()) };
}

/// Makes an object of a value and keeps it. Number 0 is the first of its exception.
pub(crate) fn keep_value(number: i64, ty: &str, block: *const Words) {
    guarded((), || {
        Python::attach(|py| {
            let object = object_of_value(py, ty, block)
                .unwrap_or_else(|error| error.into_value(py).into_bound(py).into_any());
            let stale = KEPT.with_borrow_mut(|kept| {
                let stale = if number == 0 {
                    std::mem::take(kept)
                } else {
                    Vec::new()
                };
                kept.push(object.unbind());
                stale
            });
            // Outside: a destructor may raise exceptions of its own.
            drop(stale);
        });
    });
}

/// What is kept under a number.
pub(super) fn kept(py: Python<'_>, number: u64) -> Option<Bound<'_, PyAny>> {
    KEPT.with_borrow(|kept| {
        let object = kept.get(usize::try_from(number).ok()?)?;
        Some(object.bind(py).clone())
    })
}

/// Keeps the exception that the body of a `with objmode` statement raised, as the only object.
pub(crate) fn keep_exception(py: Python<'_>, error: PyErr) {
    let exception = error.into_value(py).into_any();
    drop(KEPT.replace(vec![exception]));
}

/// The exception that is kept.
pub(super) fn take_exception(py: Python<'_>) -> Option<PyErr> {
    let exception = KEPT.take().into_iter().next()?;
    Some(PyErr::from_value(exception.into_bound(py)))
}

/// Objects on their way, which may be freed only under the GIL.
struct Moved(Vec<Py<PyAny>>);

impl Drop for Moved {
    fn drop(&mut self) {
        if !self.0.is_empty() {
            Python::attach(|_| self.0.clear());
        }
    }
}

/// Takes what this thread keeps, for another thread or until it is raised again.
pub(crate) fn take_kept() -> Option<Kept> {
    let kept = KEPT.take();
    if kept.is_empty() {
        return None;
    }
    Some(Box::new(Moved(kept)))
}

/// Keeps what was taken.
pub(crate) fn put_kept(kept: Kept) {
    let Ok(mut kept) = kept.downcast::<Moved>() else {
        return;
    };
    // What this thread kept before goes where it may be freed.
    kept.0 = KEPT.replace(std::mem::take(&mut kept.0));
}

/// Forgets what is kept.
pub(super) fn forget() {
    drop(KEPT.take());
}
