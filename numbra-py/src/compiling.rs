//! What a compilation needs of the thread that asks for it: an ear for signals, and room on the stack.
//!
//! Handlers run in the main thread where CPython looks for signals: in bytecode, in `repr`, in C code that asks. A
//! compilation comes by such places on its way to names, sources and attributes, where an exception says that there are
//! none. So signals are kept back from CPython meanwhile, but at places of ours ([`look`]), and what a handler raises there is
//! kept for the caller.

use crate::python::enter;
use numbra_runtime::{defer_signals, deliver_signals};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::panic::resume_unwind;
use std::sync::{Mutex, PoisonError};
use std::thread::{self, ThreadId};

/// What generators use of a stack, with what calls them.
const ROOM: usize = 1 << 20;

thread_local! {
    /// This thread compiles.
    static COMPILES: Cell<bool> = const { Cell::new(false) };
    /// For whom this thread compiles, where it is another's.
    static ASKER: Cell<Option<ThreadId>> = const { Cell::new(None) };
    /// What a handler raised meanwhile.
    static RAISED: RefCell<Option<PyErr>> = const { RefCell::new(None) };
}

/// Sets whether this thread compiles, until it is dropped.
struct Compiles(bool);

impl Compiles {
    fn set(now: bool) -> Compiles {
        let before = COMPILES.replace(now);
        if before != now {
            defer_signals(now);
        }
        Compiles(before)
    }
}

impl Drop for Compiles {
    fn drop(&mut self) {
        if COMPILES.replace(self.0) != self.0 {
            defer_signals(self.0);
        }
    }
}

/// Runs a compilation, without the GIL. What a handler of signals raised meanwhile, or raises now, comes out behind it.
pub(crate) fn compiling<R: Send>(
    py: Python<'_>,
    compile: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    let compiles = Compiles::set(true);
    // What came before signals were kept back.
    py.check_signals()?;
    let made = py.detach(|| roomy(compile));
    drop(compiles);
    match RAISED.take() {
        Some(error) => Err(error),
        None => py.check_signals().map(|()| made),
    }
}

/// Runs what is no part of a compilation though one waits for it: compiled code ends by what handlers raise.
pub(crate) fn not_compiling<R>(run: impl FnOnce() -> R) -> R {
    let _compiles = Compiles::set(false);
    run()
}

/// On the way into Python: runs the handlers of signals that have come, where this thread compiles.
pub(crate) fn look(py: Python<'_>) {
    if COMPILES.get() {
        deliver_signals();
        if let Err(error) = py.check_signals() {
            keep(py, error);
        }
    }
}

/// Keeps what a handler raised. Nobody waits for it where no compilation runs: there CPython prints it.
pub(crate) fn keep(py: Python<'_>, error: PyErr) {
    if !COMPILES.get() {
        return error.write_unraisable(py, None);
    }
    RAISED.with_borrow_mut(|raised| {
        raised.get_or_insert(error);
    });
}

/// The value, or nothing where there is none; what is no `Exception` a handler has raised, and is kept.
pub(crate) fn quiet<T>(py: Python<'_>, result: PyResult<T>) -> Option<T> {
    match result {
        Err(error) if !error.is_instance_of::<PyException>(py) => {
            keep(py, error);
            None
        }
        result => result.ok(),
    }
}

/// True if a handler has raised, which ends the compilation.
pub(crate) fn has_raised() -> bool {
    enter(|_| ());
    RAISED.with_borrow(Option::is_some)
}

/// The thread that asked for what this one does.
pub(crate) fn asker() -> ThreadId {
    ASKER.get().unwrap_or_else(|| thread::current().id())
}

/// Runs what compiles, in a thread of its own where less than [`ROOM`] is left of this one's stack.
fn roomy<R: Send>(run: impl FnOnce() -> R + Send) -> R {
    if numbra_runtime::stack_left() >= ROOM {
        return run();
    }
    let run = Mutex::new(Some(run));
    let asker = asker();
    let take = || run.lock().unwrap_or_else(PoisonError::into_inner).take();
    let result = thread::scope(|scope| {
        let builder = thread::Builder::new().stack_size(2 * ROOM);
        let worker = builder.spawn_scoped(scope, || {
            ASKER.set(Some(asker));
            take().map(|run| run())
        });
        match worker.map(thread::ScopedJoinHandle::join) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => resume_unwind(panic),
            // There is no thread to be had.
            Err(_) => take().map(|run| run()),
        }
    });
    result.expect("one of the two took it")
}
