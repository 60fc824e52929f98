//! Signals while compiled code runs: Python's handlers, and the exceptions that they raise.

use crate::convert::{guarded, keep_exception};
use numbra_runtime::SignalHooks;
use pyo3::ffi;
use pyo3::prelude::*;

/// Says to the runtime how Python handles signals.
pub(crate) fn install() {
    numbra_runtime::set_signal_hooks(SignalHooks {
        check,
        has_gil,
        handled_by_python,
    });
}

fn check() -> bool {
    guarded(false, || {
        Python::attach(|py| {
            // The loop of a ufunc goes on after the exception of an element.
            let before = PyErr::take(py);
            match (py.check_signals(), before) {
                (Ok(()), before) => {
                    if let Some(error) = before {
                        error.restore(py);
                    }
                    false
                }
                (Err(error), _) => {
                    keep_exception(py, error);
                    true
                }
            }
        })
    })
}

fn has_gil() -> bool {
    // SAFETY: may be called by any thread.
    unsafe { ffi::PyGILState_Check() != 0 }
}

/// `signal.getsignal` gives what Python calls; `SIG_DFL` and `SIG_IGN` are numbers, and None is a handler that is not
/// Python's.
fn handled_by_python(signal: i32) -> bool {
    guarded(false, || {
        Python::attach(|py| {
            let handler = py
                .import("_signal")
                .and_then(|module| module.call_method1("getsignal", (signal,)));
            handler.is_ok_and(|handler| handler.is_callable())
        })
    })
}
