//! The functions over the cache of a dispatcher that the Python package uses.

use super::keep::{Cache, Outcome};
use crate::dispatcher::inner;
use crate::types_py::to_python;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use std::path::PathBuf;
use std::sync::PoisonError;

/// Keeps what is compiled from now on in files of a directory whose names start with `name`; the index has `suffix` too.
#[pyfunction]
pub(crate) fn _enable_cache(
    dispatcher: &Bound<'_, PyAny>,
    directory: PathBuf,
    name: String,
    suffix: String,
) -> PyResult<()> {
    let d = inner(dispatcher)?;
    // Whoever enables it again has it already.
    let _ = d.cache.set(Cache::new(directory, name, suffix));
    Ok(())
}

/// Forgets what is kept of the function.
#[pyfunction]
pub(crate) fn _flush_cache(dispatcher: &Bound<'_, PyAny>) -> PyResult<()> {
    if let Some(cache) = inner(dispatcher)?.cache.get() {
        cache.flush();
    }
    Ok(())
}

type CacheEvent<'py> = (Bound<'py, PyAny>, Option<String>);

/// What became of each compiled signature: argument types, and why it was compiled; `None` if it was not.
#[pyfunction]
pub(crate) fn _cache_events<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Vec<CacheEvent<'py>>> {
    let Some(cache) = inner(dispatcher)?.cache.get() else {
        return Ok(Vec::new());
    };
    let events = cache
        .events
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let mut out = Vec::new();
    for event in events {
        let args = event
            .args
            .iter()
            .map(|ty| to_python(py, *ty))
            .collect::<PyResult<Vec<_>>>()?;
        drop(event.types);
        let reason = match event.outcome {
            Outcome::Hit => None,
            Outcome::Miss(reason) => Some(reason),
        };
        out.push((PyTuple::new(py, args)?.into_any(), reason));
    }
    Ok(out)
}
