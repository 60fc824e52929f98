//! Diagnostics and compile errors as Python exceptions with Numba's classes and first lines.

use crate::session::session;
use numbra_base::{ErrorClass, Span, render};
use numbra_driver::{Advice, CompileError, Compiled, InspectError};
use pyo3::exceptions::{PyMemoryError, PyRuntimeError, PySystemError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::sync::Arc;

/// Source text of a file through `linecache`, which also knows cells of notebooks. That raises nothing itself: what comes
/// out of it a handler of signals has raised.
pub(crate) fn source_of(py: Python<'_>, path: &str) -> Option<Arc<str>> {
    let lines = py
        .import("linecache")
        .and_then(|linecache| linecache.call_method1("getlines", (path,)))
        .map_err(|error| crate::compiling::keep(py, error))
        .ok()?;
    let lines: Vec<String> = lines.extract().ok()?;
    if lines.is_empty() {
        None
    } else {
        Some(lines.concat().into())
    }
}

/// The exception class of this name: Numba's from `numbra.core.errors`, else Python's.
fn class<'py>(py: Python<'py>, class: ErrorClass) -> PyResult<Bound<'py, PyAny>> {
    let name = format!("{class:?}");
    let numba = |name: &str| py.import("numbra.core.errors")?.getattr(name);
    match class {
        ErrorClass::TypeError
        | ErrorClass::ValueError
        | ErrorClass::NameError
        | ErrorClass::NotImplementedError
        | ErrorClass::MemoryError => py.import("builtins")?.getattr(name.as_str()),
        ErrorClass::TypingError
        | ErrorClass::UnsupportedError
        | ErrorClass::UnsupportedBytecodeError
        | ErrorClass::LoweringError
        | ErrorClass::CompilerError
        | ErrorClass::NumbaValueError
        | ErrorClass::NumbaTypeError
        | ErrorClass::NumbaAssertionError
        | ErrorClass::NumbaIndexError
        | ErrorClass::NumbaRuntimeError
        | ErrorClass::NumbaNotImplementedError
        | ErrorClass::ConstantInferenceError
        | ErrorClass::VerificationError
        | ErrorClass::InternalError => numba(&name),
    }
}

/// The exception for a text of a stage that there is not.
pub(crate) fn no_text(error: InspectError) -> PyErr {
    match error {
        InspectError::NoMemory => PyMemoryError::new_err(error.to_string()),
        InspectError::Other(why) => PyValueError::new_err(why),
    }
}

/// An exception with a note, which tracebacks show behind its text.
pub(crate) fn noted(py: Python<'_>, error: PyErr, note: &str) -> PyErr {
    // Where no note can be made the exception says enough without one.
    drop(error.value(py).call_method1("add_note", (note,)));
    error
}

/// A failed compilation: Numba's first lines, then the diagnostics in full.
pub(crate) fn compile_error(py: Python<'_>, error: &CompileError) -> PyErr {
    compile_error_in(py, error, "nopython mode")
}

/// As [`compile_error`], of a pipeline of this name.
pub(crate) fn compile_error_in(py: Python<'_>, error: &CompileError, pipeline: &str) -> PyErr {
    let build = || -> PyResult<PyErr> {
        let first = error
            .diagnostics
            .first()
            .ok_or_else(|| PySystemError::new_err("a compilation failed without a reason"))?;
        let class = class(py, first.class)?;
        let sources = session().sources();
        let mut text = String::new();
        if let Some(step) = &error.step {
            text.push_str(&format!("Failed in {pipeline} pipeline (step: {step})\n"));
        }
        text.push_str(first.numba_phrase.as_deref().unwrap_or(&first.message));
        for diagnostic in &error.diagnostics {
            text.push_str("\n\n");
            text.push_str(&render(diagnostic, &sources));
        }
        let text = in_words_of(pipeline, text);
        Ok(PyErr::from_value(class.call1((text,))?))
    };
    build().unwrap_or_else(|error| error)
}

/// What inference says of callees, in the words of the pipeline: those of kernels are compiled as they are.
fn in_words_of(pipeline: &str, text: String) -> String {
    if pipeline == "nopython mode" {
        return text;
    }
    let callee = format!("Failed in {pipeline} pipeline");
    text.replace("Failed in nopython mode pipeline", &callee)
        .replace("type(CPUDispatcher(", "type(CUDADispatcher(")
}

/// An exception of one of Numba's classes.
pub(crate) fn typing_error(py: Python<'_>, which: ErrorClass, text: &str) -> PyErr {
    class(py, which)
        .and_then(|c| c.call1((text,)))
        .map_or_else(|error| error, PyErr::from_value)
}

/// Numba's warnings that a function asked to be parallel is not, or one of its loops.
pub(crate) fn warn_not_parallel(py: Python<'_>, compiled: &Compiled) {
    numbra_runtime::note_start();
    let loops = compiled.made_from().parallel_loops();
    let serial: Vec<Advice> = loops
        .iter()
        .filter(|one| !one.is_nested)
        .filter_map(|one| {
            let reason = one.serial.as_ref()?;
            let text =
                format!("prange or pndindex loop will not be executed in parallel: {reason}");
            Some(Advice {
                text,
                span: one.span,
            })
        })
        .collect();
    warn_slow(py, &serial);
    let unsafe_loops = loops.iter().filter(|one| !one.is_nested);
    for (one, hazard) in unsafe_loops.flat_map(|one| one.hazards.iter().map(move |h| (one, h))) {
        let sources = session().sources();
        let place = sources
            .path(hazard.span.file)
            .map_or_else(String::new, |path| {
                format!(" ({path}:{})", hazard.span.line)
            });
        let text = format!(
            "prange or pndindex loop runs in parallel, but {hazard}{place}: then the result depends on the order of iterations, and \
             changes may be lost. If this can happen, use the array for nothing else in the loop than `a[..] += x` (or \
             another reduction), which is always combined, or replace `prange` by `range`; if not, filter this warning."
        );
        report(
            py,
            warn_at(py, "NumbaParallelSafetyWarning", &text, one.span),
        );
    }
    if loops.iter().any(|one| one.serial.is_none()) {
        return;
    }
    let text = "\nThe keyword argument 'parallel=True' was specified but no transformation for parallel execution was possible.";
    let warn = || -> PyResult<()> {
        let warning = warning(py, "NumbaPerformanceWarning", text)?;
        py.import("warnings")?.call_method1("warn", (warning,))?;
        Ok(())
    };
    report(py, warn());
}

/// Numba's warnings of calls that are right but slow, at the lines of the calls.
pub(crate) fn warn_slow(py: Python<'_>, advice: &[Advice]) {
    let warn = |advice: &Advice| -> PyResult<()> {
        let config = py.import("numbra.core.config")?;
        if config
            .getattr("DISABLE_PERFORMANCE_WARNINGS")?
            .is_truthy()?
        {
            return Ok(());
        }
        warn_at(py, "NumbaPerformanceWarning", &advice.text, advice.span)
    };
    for one in advice {
        report(py, warn(one));
    }
}

/// A warning of one of Numba's classes at a line of the source.
fn warn_at(py: Python<'_>, class: &str, text: &str, span: Span) -> PyResult<()> {
    let warning = warning(py, class, text)?;
    let sources = session().sources();
    let path = sources.path(span.file).unwrap_or("<unknown>");
    let place = (warning, py.None(), path, span.line);
    py.import("warnings")?
        .call_method1("warn_explicit", place)?;
    Ok(())
}

fn warning<'py>(py: Python<'py>, class: &str, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("numbra.core.errors")?
        .getattr(class)?
        .call1((text,))
}

/// Warnings turned into errors cannot stop a compilation on another thread's behalf.
fn report(py: Python<'_>, warned: PyResult<()>) {
    if let Err(error) = warned {
        error.write_unraisable(py, None);
    }
}

/// A bug of ours.
pub(crate) fn internal(_py: Python<'_>, message: &str) -> PyErr {
    PyRuntimeError::new_err(message.to_owned())
}
