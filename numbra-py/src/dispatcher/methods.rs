//! The functions over dispatchers that the Python package builds their methods from.

use super::call::numbra_py_dispatch;
use super::object::{DispatcherObject, inner, make_type};
use super::state::{Entry, Form};
use super::value::object_of;
use super::{promotion, superseded};
use crate::compiling::compiling;
use crate::errors;
use crate::session::session;
use crate::types::from_python;
use numbra_driver::{Compiled, Tier};
use numbra_ir::{DispatcherId, Signature, Type, TypeKind};
use numbra_lir::remarks::Note;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple, PyType};
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};

/// Gives a Python subclass of the dispatcher type the vectorcall flag, which CPython 3.11 does not inherit.
#[pyfunction]
pub(crate) fn _enable_vectorcall(py: Python<'_>, class: &Bound<'_, PyType>) -> PyResult<()> {
    let base = make_type(py)?;
    if !class.is_subclass(&base)? {
        return Err(PyTypeError::new_err("not a dispatcher class"));
    }
    // SAFETY: a heap type that inherits our vectorcall offset and does not override `__call__`.
    unsafe { (*class.as_type_ptr()).tp_flags |= ffi::Py_TPFLAGS_HAVE_VECTORCALL };
    Ok(())
}

/// A signature as Python has it: the tuple of argument types, and the return type.
type Shown<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>);

/// Compiles for argument types (and a return type); the index of the entry, and its signature.
#[pyfunction]
pub(crate) fn _compile<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
    args: Vec<Bound<'py, PyAny>>,
    ret: Option<Bound<'py, PyAny>>,
) -> PyResult<(usize, Shown<'py>)> {
    let d = inner(dispatcher)?;
    let mut args = args
        .iter()
        .map(crate::types::from_python)
        .collect::<PyResult<Vec<_>>>()?;
    let ret = ret.map(|r| crate::types::from_python(&r)).transpose()?;
    let types = &d.types();
    // The tuple that `*args` is may be given as itself.
    if let Some(star) = d.star()
        && args.len() == d.parameters.len()
        && let Some(items) = types.tuple_items(args[star])
    {
        args.splice(star..=star, items);
    }
    let args = d.parameter_types(types, args)?;
    if !d.can_compile.load(Ordering::Acquire) && d.find(&args).is_none() {
        return Err(PyRuntimeError::new_err("compilation disabled"));
    }
    loop {
        let entry = d.compile(py, types, &args, ret)?;
        // Another thread may have given up all entries meanwhile, to compile them anew.
        if let Some(index) = d.entries().iter().position(|e| Arc::ptr_eq(e, &entry)) {
            return Ok((index, shown(py, &entry)?));
        }
    }
}

fn shown<'py>(py: Python<'py>, entry: &Entry) -> PyResult<Shown<'py>> {
    // `*args` shows as the tuple that it is.
    let types = &session().types;
    let args = entry.args.iter().map(|&t| match types.kind(t) {
        TypeKind::StarArgTuple(items) => types.tuple(items),
        _ => t,
    });
    let args = args
        .map(|t| crate::types::to_python(py, t))
        .collect::<PyResult<Vec<_>>>()?;
    Ok((
        PyTuple::new(py, args)?.into_any(),
        crate::types::to_python(py, entry.compiled.ret)?,
    ))
}

/// Stops (or allows again) compiling for new argument types.
#[pyfunction]
pub(crate) fn _disable_compile(dispatcher: &Bound<'_, PyAny>, disabled: bool) -> PyResult<()> {
    inner(dispatcher)?
        .can_compile
        .store(!disabled, Ordering::Release);
    Ok(())
}

/// Has callers choose among these signatures alone: result and argument types of a device function, given once.
#[pyfunction]
pub(crate) fn _fix_signatures(
    dispatcher: &Bound<'_, PyAny>,
    signatures: Vec<(Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>)>,
) -> PyResult<()> {
    let known = |object: &Bound<'_, PyAny>| {
        let ty = from_python(object)?;
        session().types.hold(ty);
        Ok::<Type, PyErr>(ty)
    };
    let signatures = signatures.iter().map(|(ret, params)| {
        Ok(Signature {
            ret: known(ret)?,
            params: params.iter().map(known).collect::<PyResult<_>>()?,
        })
    });
    let signatures = signatures.collect::<PyResult<_>>()?;
    // The first are those that it has.
    let _ = inner(dispatcher)?.signatures.set(signatures);
    Ok(())
}

/// True while new argument types are compiled.
#[pyfunction]
pub(crate) fn _can_compile(dispatcher: &Bound<'_, PyAny>) -> PyResult<bool> {
    Ok(inner(dispatcher)?.can_compile.load(Ordering::Acquire))
}

/// The compiled signatures: list of (argument types, return type).
#[pyfunction]
pub(crate) fn _signatures<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Vec<Shown<'py>>> {
    let entries = inner(dispatcher)?.entries();
    entries.iter().map(|entry| shown(py, entry)).collect()
}

/// Forgets all compiled signatures; their code is freed when nobody runs it.
#[pyfunction]
pub(crate) fn _reset(py: Python<'_>, dispatcher: &Bound<'_, PyAny>) -> PyResult<()> {
    let object = dispatcher.as_ptr().cast::<DispatcherObject>();
    let d = inner(dispatcher)?;
    // SAFETY: `inner` checked the type; the GIL is held.
    unsafe { (*object).vectorcall = Some(numbra_py_dispatch) };
    let old = std::mem::take(&mut *d.entries.lock().unwrap_or_else(PoisonError::into_inner));
    let captured = std::mem::take(&mut *d.captured.lock().unwrap_or_else(PoisonError::into_inner));
    drop(captured);
    *d.resolved.lock().unwrap_or_else(PoisonError::into_inner) = Vec::new();
    let values = std::mem::take(&mut *d.values.lock().unwrap_or_else(PoisonError::into_inner));
    let mut old_values = d.old_values.lock().unwrap_or_else(PoisonError::into_inner);
    old_values.extend(values);
    drop(old_values);
    d.forced
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clear();
    for entry in old {
        entry.discarded.store(true, Ordering::Relaxed);
        match d.form {
            Form::Call => {
                if let Some(users) = entry.users() {
                    superseded::free_later(py, entry, users);
                }
            }
            // Ufuncs keep the entries that they run.
            Form::Loop | Form::CoreLoop(_) => drop(entry),
            Form::Callback | Form::Value => {
                let mut kept = d.discarded.lock().unwrap_or_else(PoisonError::into_inner);
                kept.push(entry);
            }
        }
    }
    superseded::sweep(py);
    promotion::watch_superseded(py);
    Ok(())
}

/// The live dispatcher with this number.
#[pyfunction]
pub(crate) fn _dispatcher_object(py: Python<'_>, id: u32) -> PyResult<Py<PyAny>> {
    object_of(py, DispatcherId(id)).map(Bound::unbind)
}

/// The Python function.
#[pyfunction]
pub(crate) fn _py_func<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(inner(dispatcher)?.function.bind(py).clone())
}

/// A compiled signature, by index.
fn entry(dispatcher: &Bound<'_, PyAny>, index: usize) -> PyResult<Arc<Entry>> {
    let entries = inner(dispatcher)?.entries();
    let entry = entries.into_iter().nth(index);
    entry.ok_or_else(|| PyTypeError::new_err("no such signature"))
}

/// What was made for a compiled signature, by index.
pub(crate) fn compiled(dispatcher: &Bound<'_, PyAny>, index: usize) -> PyResult<Arc<Compiled>> {
    Ok(entry(dispatcher, index)?.compiled.clone())
}

/// A compiled signature, by index, with the stages that it was made from.
pub(crate) fn made(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
) -> PyResult<Arc<Compiled>> {
    let entry = entry(dispatcher, index)?;
    let d = inner(dispatcher)?;
    compiling(py, || d.make_stages(&entry))?
        .map_err(|error| crate::errors::compile_error(py, &error))?;
    Ok(entry.compiled.clone())
}

/// Text of one stage of one compiled signature (by index).
#[pyfunction]
pub(crate) fn _inspect(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
    stage: &str,
) -> PyResult<String> {
    let compiled = match stage {
        "asm" => compiled(dispatcher, index)?,
        _ => made(py, dispatcher, index)?,
    };
    let stage = stage.to_owned();
    py.detach(|| session().inspect(&compiled, &stage))
        .map_err(errors::no_text)
}

/// Function, file, line, depth, whether it is a rare copy, width and interleaving if it runs in vectors, lines and texts of
/// what LLVM says.
type Remark = (
    String,
    String,
    u32,
    u32,
    bool,
    Option<(u32, u32)>,
    Vec<(u32, String)>,
);

/// What LLVM makes of the loops of a compiled signature (by index).
#[pyfunction]
pub(crate) fn _loop_remarks(
    py: Python<'_>,
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
) -> PyResult<Vec<Remark>> {
    let compiled = made(py, dispatcher, index)?;
    let (remarks, module) = py
        .detach(|| session().remarks(compiled.made_from()))
        .map_err(|error| errors::no_text(error.into()))?;
    let file = |id: usize| module.files.get(id).cloned().unwrap_or_default();
    let notes = |notes: Vec<Note>| notes.into_iter().map(|n| (n.span.line, n.text)).collect();
    Ok(remarks
        .into_iter()
        .map(|one| {
            (
                one.function,
                file(one.span.file.0 as usize),
                one.span.line,
                one.depth,
                one.cold,
                one.vectors.map(|v| (v.width, v.interleave)),
                notes(one.notes),
            )
        })
        .collect())
}

/// Who made the code that a compiled signature (by index) runs: `cranelift` or `llvm`.
#[pyfunction]
pub(crate) fn _tier(dispatcher: &Bound<'_, PyAny>, index: usize) -> PyResult<&'static str> {
    let dispatcher = inner(dispatcher)?;
    let entries = dispatcher.entries();
    let entry = entries
        .get(index)
        .ok_or_else(|| PyTypeError::new_err("no such signature"))?;
    Ok(match entry.compiled.generator {
        Tier::Llvm => "llvm",
        Tier::Cranelift | Tier::Auto if entry.wrapper.is_promoted() => "llvm",
        Tier::Cranelift | Tier::Auto => "cranelift",
    })
}

/// Times of the pipeline's stages in seconds, by name, in order.
#[pyfunction]
pub(crate) fn _timings(
    dispatcher: &Bound<'_, PyAny>,
    index: usize,
) -> PyResult<Vec<(String, f64)>> {
    let entries = inner(dispatcher)?.entries();
    let entry = entries
        .get(index)
        .ok_or_else(|| PyTypeError::new_err("no such signature"))?;
    Ok(entry
        .compiled
        .timings
        .iter()
        .map(|t| (t.stage.to_owned(), t.seconds))
        .collect())
}
