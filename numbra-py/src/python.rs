//! The ways into Python: from machine code, from slots of CPython's types, from other threads.
//!
//! pyo3 counts how often each thread has attached and goes by its count. Where it is 0, a reference that is dropped waits
//! until somebody attaches; where it is more, pyo3 takes the GIL for held. Machine code changes neither the count when
//! CPython calls it, nor when it gives the GIL up (`nogil=True`, parallel loops, inner loops of ufuncs). So whatever is
//! entered by either comes into Python here and nowhere else, and clippy refuses `Python::attach` elsewhere
//! (`numbra-py/clippy.toml`).
//!
//! Python code may run other compiled code in this thread: signal handlers, callbacks, destructors, collections of cycles.
//! What belongs to the call that is interrupted, an exception that is pending above all, is set aside meanwhile ([`Aside`]).

use crate::convert::{Kept, set_lenient};
use crate::interrupt::has_gil;
use numbra_runtime::PendingError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::any::Any;
use std::sync::{Mutex, PoisonError};

/// Runs `body` with an attachment that pyo3 counts.
///
/// # Safety
/// The thread holds the GIL.
pub(crate) unsafe fn with_gil<R>(body: impl FnOnce(Python<'_>) -> R) -> R {
    // SAFETY: the interpreter is there, for this thread holds its lock.
    unsafe { Python::attach_unchecked(body) }
}

/// Runs `body` with the GIL, which the thread may hold already, with nothing pending. What was pending before is pending
/// behind it.
///
/// While the interpreter ends, a thread that does not hold the GIL does not come back.
pub(crate) fn enter<R>(body: impl FnOnce(Python<'_>) -> R) -> R {
    attach(|py| {
        let _aside = Aside::new(py);
        crate::compiling::look(py);
        body(py)
    })
}

/// As [`enter`]; what is pending stays pending.
pub(crate) fn attach<R>(body: impl FnOnce(Python<'_>) -> R) -> R {
    let _gil = (!has_gil()).then(Gil::take);
    // SAFETY: the thread holds the GIL now.
    unsafe { with_gil(body) }
}

/// As [`enter`]; `None` where the interpreter is gone, or ends and another thread holds the GIL.
pub(crate) fn try_enter<R>(body: impl FnOnce(Python<'_>) -> R) -> Option<R> {
    (has_gil() || is_running()).then(|| enter(body))
}

/// True while threads may still wait for the GIL.
fn is_running() -> bool {
    #[cfg(not(Py_3_13))]
    use _Py_IsFinalizing as is_finalizing;
    #[cfg(Py_3_13)]
    use ffi::Py_IsFinalizing as is_finalizing;
    #[cfg(not(Py_3_13))]
    unsafe extern "C" {
        /// CPython, `Include/cpython/pylifecycle.h`.
        fn _Py_IsFinalizing() -> std::ffi::c_int;
    }
    // SAFETY: may be called by any thread, whatever the interpreter does.
    let is_there = unsafe { ffi::Py_IsInitialized() } != 0;
    // SAFETY: as above.
    is_there && unsafe { is_finalizing() } == 0
}

/// The GIL, taken by a thread that did not hold it.
struct Gil(ffi::PyGILState_STATE);

impl Gil {
    #[cold]
    fn take() -> Gil {
        if !is_running() {
            loop {
                std::thread::park();
            }
        }
        // SAFETY: the interpreter runs.
        Gil(unsafe { ffi::PyGILState_Ensure() })
    }
}

impl Drop for Gil {
    fn drop(&mut self) {
        // SAFETY: taken by this thread, and given back once.
        unsafe { ffi::PyGILState_Release(self.0) }
    }
}

/// What was pending in this thread: it is again when this goes, in the place of anything that was left pending meanwhile.
/// Calls that Python makes meanwhile convert no arguments because a call below them does.
struct Aside<'py> {
    py: Python<'py>,
    pending: Option<Pending>,
    lenient: bool,
}

/// The exception of compiled code, what Python keeps of it, and Python's own.
struct Pending {
    native: Option<PendingError>,
    kept: Kept,
    python: Option<PyErr>,
}

impl Pending {
    /// What is pending, which then is no more; `None` where nothing is.
    fn take(py: Python<'_>) -> Option<Pending> {
        if !numbra_runtime::is_error_pending() && !PyErr::occurred(py) && !Kept::is_any() {
            return None;
        }
        Some(Pending {
            native: numbra_runtime::take_error(),
            kept: Kept::take(),
            python: PyErr::take(py),
        })
    }
}

impl<'py> Aside<'py> {
    fn new(py: Python<'py>) -> Aside<'py> {
        Aside {
            py,
            pending: Pending::take(py),
            lenient: set_lenient(false),
        }
    }
}

impl Drop for Aside<'_> {
    fn drop(&mut self) {
        set_lenient(self.lenient);
        // Destructors of what was left may leave something behind as well.
        while let Some(left) = Pending::take(self.py) {
            drop(left);
        }
        let Some(pending) = self.pending.take() else {
            return;
        };
        if let Some(error) = pending.native {
            numbra_runtime::put_error(error);
        }
        // There was nothing.
        drop(pending.kept.put());
        if let Some(error) = pending.python {
            error.restore(self.py);
        }
    }
}

/// A value that holds Python objects and is dropped where pyo3 does not count: by a slot or a destructor of C.
///
/// Without the GIL it waits until Python has a moment, not until somebody attaches. Where the interpreter ends, it stays.
#[derive(Debug)]
pub(crate) struct Held<T: Send + 'static>(Option<T>);

impl<T: Send + 'static> Held<T> {
    pub(crate) fn new(value: T) -> Held<T> {
        Held(Some(value))
    }
}

impl<T: Send + 'static> std::ops::Deref for Held<T> {
    type Target = T;

    fn deref(&self) -> &T {
        self.0.as_ref().expect("it is there until it is dropped")
    }
}

impl<T: Send + 'static> std::ops::DerefMut for Held<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.0.as_mut().expect("it is there until it is dropped")
    }
}

impl<T: Send + 'static> Drop for Held<T> {
    fn drop(&mut self) {
        let value = self.0.take();
        if has_gil() {
            enter(|_| drop(value));
        } else if let Some(value) = value.filter(|_| is_running()) {
            drop_soon(Box::new(value));
        }
    }
}

/// What was dropped without the GIL, which may be waited for only where no lock is held.
static DROPPED: Mutex<Vec<Box<dyn Any + Send>>> = Mutex::new(Vec::new());

/// Has the main thread drop a value at its next instruction of Python.
fn drop_soon(value: Box<dyn Any + Send>) {
    extern "C" fn drop_all(_: *mut std::ffi::c_void) -> std::ffi::c_int {
        let dropped = std::mem::take(&mut *DROPPED.lock().unwrap_or_else(PoisonError::into_inner));
        enter(|_| drop(dropped));
        0
    }
    let mut dropped = DROPPED.lock().unwrap_or_else(PoisonError::into_inner);
    dropped.push(value);
    drop(dropped);
    // SAFETY: may be called by any thread; the function is there for ever and needs no argument. Where 32 calls wait
    // already, one of them does the same.
    unsafe { ffi::Py_AddPendingCall(Some(drop_all), std::ptr::null_mut()) };
}
