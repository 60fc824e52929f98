//! Signals while compiled code runs: Python's handlers, and the exceptions that they raise.

use crate::compiling::not_compiling;
use crate::convert::{guarded, keep_exception};
use crate::parallel::{give_up_gil, take_gil};
use crate::python::enter;
use numbra_runtime::SignalHooks;
use pyo3::exceptions::PyInterruptedError;
use pyo3::ffi;
use pyo3::prelude::*;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

/// Says to the runtime how Python handles signals.
pub(crate) fn install() {
    numbra_runtime::set_signal_hooks(SignalHooks {
        check,
        has_gil,
        give_way,
        handled_by_python,
    });
    crate::python::enter(|py| {
        let _ = ERROR_WORD.set(find_error_word(py));
    });
}

fn check() -> bool {
    guarded(false, || {
        let handle = || {
            enter(|py| {
                py.check_signals()
                    .map_err(|error| error.into_value(py).into_any())
            })
        };
        not_compiling(handle).map_err(keep_exception).is_err()
    })
}

/// True if this thread holds the GIL. `PyGILState_Check` says so of all threads once there is a subinterpreter.
pub(crate) fn has_gil() -> bool {
    // SAFETY: may be called by any thread.
    let own = unsafe { ffi::PyGILState_GetThisThreadState() };
    // SAFETY: as above.
    !own.is_null() && unsafe { ffi::compat::PyThreadState_GetUnchecked() } == own
}

/// How long the GIL is free when a thread gives way: who waits for it wakes in less. CPython hands it over at once where one
/// has waited for 5 ms.
const MOMENT: Duration = Duration::from_micros(500);

/// Where the interpreter ends meanwhile, this does not return.
fn give_way() {
    let token = give_up_gil();
    thread::sleep(MOMENT);
    take_gil(token);
}

/// `signal.getsignal` gives what Python calls; `SIG_DFL` and `SIG_IGN` are numbers, and None is a handler that is not
/// Python's.
fn handled_by_python(signal: i32) -> bool {
    guarded(false, || {
        crate::python::enter(|py| {
            let handler = py
                .import("_signal")
                .and_then(|module| module.call_method1("getsignal", (signal,)));
            handler.is_ok_and(|handler| handler.is_callable())
        })
    })
}

/// Which word of a thread's `PyThreadState` says that an exception is pending in it, if we know.
static ERROR_WORD: OnceLock<Option<usize>> = OnceLock::new();

/// Words of a `PyThreadState` that we look at. It has more in all versions, and what we look for is the 13th of 3.11 and
/// 3.12 (`curexc_type`, `current_exception`) and the 15th of 3.13.
const WORDS: usize = 32;

/// Which word holds an exception while one is pending, and is 0 before and after.
fn find_error_word(py: Python<'_>) -> Option<usize> {
    let words = || -> [usize; WORDS] {
        // SAFETY: this thread is attached.
        let state = unsafe { ffi::PyThreadState_Get() }.cast::<usize>();
        // SAFETY: the structure has so many words, and only this thread writes those that matter here.
        std::array::from_fn(|k| unsafe { state.add(k).read_volatile() })
    };
    let before = words();
    let error = PyInterruptedError::new_err(());
    let known = [error.get_type(py).as_ptr(), error.value(py).as_ptr()].map(|p| p.addr());
    error.restore(py);
    let during = words();
    drop(PyErr::take(py));
    let after = words();
    (0..WORDS).find(|&k| before[k] == 0 && known.contains(&during[k]) && after[k] == 0)
}

/// True if a Python exception is pending in this thread, which need not hold the GIL.
pub(crate) fn error_is_set() -> bool {
    let Some(word) = ERROR_WORD.get().copied().flatten() else {
        // SAFETY: the thread holds the GIL in the call of the closure.
        return crate::python::attach(|_| unsafe { !ffi::PyErr_Occurred().is_null() });
    };
    // SAFETY: may be called by any thread.
    let state = unsafe { ffi::PyGILState_GetThisThreadState() }.cast::<usize>();
    // SAFETY: the state of this thread, which nobody else sets exceptions in, has more than `WORDS` words.
    !state.is_null() && unsafe { state.add(word).read_volatile() } != 0
}
