//! Chains of contexts: what was handled when an exception was raised, what was handled when that was raised, and so on.

use pyo3::exceptions::PyBaseException;
use pyo3::ffi;
use pyo3::prelude::*;

/// An exception's context, and its context, and so on.
struct Chain<'py> {
    members: Vec<Bound<'py, PyBaseException>>,
}

impl<'py> Chain<'py> {
    /// From an exception on, up to `end`, which stands in no chain before it.
    fn of(
        first: Bound<'py, PyBaseException>,
        end: Option<&Bound<'py, PyBaseException>>,
    ) -> Chain<'py> {
        let mut chain = Chain {
            members: Vec::new(),
        };
        let mut next = Some(first);
        while let Some(member) = next
            && !chain.holds(&member)
            && !end.is_some_and(|end| end.is(&member))
        {
            next = context(&member);
            chain.members.push(member);
        }
        chain
    }

    fn holds(&self, exception: &Bound<'py, PyBaseException>) -> bool {
        self.members.iter().any(|member| member.is(exception))
    }

    /// Puts another chain behind this one, as far as it is new.
    fn extend(&mut self, other: Chain<'py>) {
        for member in other.members {
            if self.holds(&member) {
                break;
            }
            if let Some(last) = self.members.last() {
                set_context(last, Some(&member));
            }
            self.members.push(member);
        }
        // No cycles: what is behind the last one now was in the chain before, or is what Python handles.
        if let Some(last) = self.members.last() {
            set_context(last, None);
        }
    }
}

/// Gives an exception that is being raised contexts, each that of the one before, and the last one what Python handles.
pub(super) fn set_contexts(
    py: Python<'_>,
    error: &PyErr,
    contexts: impl ExactSizeIterator<Item = PyErr>,
) {
    if contexts.len() == 0 {
        return;
    }
    let handled = handled(py);
    let mut chain = Chain::of(error.value(py).clone(), handled.as_ref());
    for context in contexts {
        chain.extend(Chain::of(context.value(py).clone(), handled.as_ref()));
    }
    if let Some(handled) = handled {
        chain.extend(Chain::of(handled, None));
    }
}

/// The exception that Python handles.
fn handled(py: Python<'_>) -> Option<Bound<'_, PyBaseException>> {
    // SAFETY: the GIL is held; an owned reference or null.
    let handled = unsafe { Bound::from_owned_ptr_or_opt(py, ffi::PyErr_GetHandledException()) }?;
    handled.cast_into().ok()
}

fn context<'py>(exception: &Bound<'py, PyBaseException>) -> Option<Bound<'py, PyBaseException>> {
    // SAFETY: an exception, alive under the GIL.
    let context = unsafe { ffi::PyException_GetContext(exception.as_ptr()) };
    // SAFETY: an owned reference or null.
    unsafe { Bound::from_owned_ptr_or_opt(exception.py(), context) }?
        .cast_into()
        .ok()
}

fn set_context<'py>(
    exception: &Bound<'py, PyBaseException>,
    context: Option<&Bound<'py, PyBaseException>>,
) {
    let context = context.map_or(std::ptr::null_mut(), |context| context.clone().into_ptr());
    // SAFETY: an exception, alive under the GIL; the context is an owned reference or null.
    unsafe { ffi::PyException_SetContext(exception.as_ptr(), context) };
}
