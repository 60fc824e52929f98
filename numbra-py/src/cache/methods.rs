//! The functions over the cache of a dispatcher that the Python package uses.

use super::ask::is_large;
use super::keep::{Cache, Outcome};
use crate::dispatcher::{compiled, inner};
use crate::types::to_python;
use numbra_ir::{ObjKind, TypeKind};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyBytes, PyTuple};
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

/// The entries of the compiled signatures that can be kept, in their binary form.
#[pyfunction]
pub(crate) fn _cache_entries<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Vec<(Bound<'py, PyBytes>, Bound<'py, PyBytes>)>> {
    let entries = inner(dispatcher)?.entries();
    let kept = entries.iter().filter_map(|entry| {
        let (index, data) = entry
            .kept
            .as_ref()?
            .to_bytes(&entry.compiled.artifact)
            .ok()?;
        Some((PyBytes::new(py, &index), PyBytes::new(py, &data)))
    });
    Ok(kept.collect())
}

/// Gives a dispatcher entries that another process has made.
#[pyfunction]
pub(crate) fn _carry_cache(
    dispatcher: &Bound<'_, PyAny>,
    entries: Vec<(Bound<'_, PyBytes>, Bound<'_, PyBytes>)>,
) -> PyResult<()> {
    let cache = inner(dispatcher)?.cache.get_or_init(Cache::default);
    for (index, data) in entries {
        cache.carry(index.as_bytes(), data.as_bytes());
    }
    Ok(())
}

/// True if the code of a compiled signature (by index) knows addresses of this process or large arrays.
#[pyfunction]
pub(crate) fn _has_dynamic_globals(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
) -> PyResult<bool> {
    let compiled = compiled(dispatcher, index)?;
    let Some(stages) = compiled.stages.get() else {
        return Ok(false); // Such code is not kept.
    };
    let functions = stages.program.functions.values();
    let mut objects = functions.flat_map(|(_, typed)| typed.func.objects.values());
    Ok(objects.any(|desc| match desc.kind {
        ObjKind::Typed(ty, _) => {
            matches!(compiled.types.kind(ty), TypeKind::FunctionType { .. })
        }
        ObjKind::Array { handle, .. } => is_large(py, handle),
        _ => false,
    }))
}
