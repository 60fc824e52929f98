//! What code for a GPU reads as globals or from closures and needs as long as it lives: device arrays, whose pointer, shape
//! and strides become constants, and functions that other code defines.
//!
//! A description carries a handle or a symbol while code is compiled; what ends up in code, its owner keeps.

use super::for_device;
use crate::cuda::array::DeviceArrayBase;
use crate::session::session;
use crate::types::from_python;
use numbra_ir::{Const, Type, TypeKind};
use numbra_lir::{Linkage, Module};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

/// Handles from here on are of device arrays; those of constant arrays count from 0.
const FIRST: u64 = 1 << 40;

static NEXT: AtomicU64 = AtomicU64::new(FIRST);

/// What a compilation has described.
#[derive(Default)]
struct Scope {
    arrays: Vec<Captured>,
    /// Declared functions with their symbols.
    functions: Vec<(String, Py<PyAny>)>,
}

/// An object that was described, and its device array.
struct Captured {
    handle: u64,
    object: Py<PyAny>,
    array: Py<PyAny>,
}

thread_local! {
    /// What the compilations that run on this thread have captured, the innermost last.
    static CAPTURED: RefCell<Vec<Scope>> = const { RefCell::new(Vec::new()) };
}

/// Runs a compilation; what it has described is forgotten afterwards.
pub(super) fn capturing<R>(compile: impl FnOnce() -> R) -> R {
    struct Leave;
    impl Drop for Leave {
        fn drop(&mut self) {
            let gone = CAPTURED.with_borrow_mut(Vec::pop);
            // Outside: destructors of arrays may run code.
            drop(gone);
        }
    }
    CAPTURED.with_borrow_mut(|all| all.push(Scope::default()));
    let _leave = Leave;
    compile()
}

/// True for handles of device arrays.
pub(crate) fn is_captured(handle: u64) -> bool {
    handle >= FIRST
}

/// The type and a handle of a device array, or of an object with `__cuda_array_interface__`, while code for a GPU is
/// compiled; `None` for all else.
pub(crate) fn describe(object: &Bound<'_, PyAny>) -> PyResult<Option<(Type, u64)>> {
    let py = object.py();
    if !for_device() {
        return Ok(None);
    }
    let is_array = object.cast::<DeviceArrayBase>().is_ok()
        || object
            .getattr(intern!(py, "__cuda_array_interface__"))
            .is_ok();
    if !is_array {
        return Ok(None);
    }
    let known = CAPTURED.with_borrow(|all| {
        let mut all = all.iter().flat_map(|scope| &scope.arrays);
        all.find(|c| c.object.is(object))
            .map(|c| (c.handle, c.array.clone_ref(py)))
    });
    let (handle, array) = match known {
        Some((handle, array)) => (handle, array.into_bound(py)),
        None => {
            let array = py
                .import("numbra.cuda.launch")?
                .call_method1("captured", (object,))?;
            (NEXT.fetch_add(1, Ordering::Relaxed), array)
        }
    };
    let ty = from_python(&array.getattr(intern!(py, "_numba_type_"))?)?;
    session().types.hold(ty);
    if session().types.as_array(ty).is_none() {
        return Ok(None);
    }
    let captured = Captured {
        handle,
        object: object.clone().unbind(),
        array: array.unbind(),
    };
    CAPTURED.with_borrow_mut(|all| {
        if let Some(scope) = all.last_mut() {
            scope.arrays.push(captured);
        }
    });
    Ok(Some((ty, handle)))
}

/// The device array of a handle that the running compilation has described.
pub(super) fn array(py: Python<'_>, handle: u64) -> Option<Py<PyAny>> {
    CAPTURED.with_borrow(|all| {
        let mut all = all.iter().flat_map(|scope| &scope.arrays);
        all.find(|c| c.handle == handle)
            .map(|c| c.array.clone_ref(py))
    })
}

/// The type and the symbol of a function that other code defines (`cuda.declare_device`), while code for a GPU is
/// compiled; `None` for all else.
pub(crate) fn describe_function(object: &Bound<'_, PyAny>) -> PyResult<Option<(Type, Const)>> {
    let py = object.py();
    let mark = intern!(py, "_numba_declared_device_");
    if !for_device() || !object.get_type().hasattr(mark)? {
        return Ok(None);
    }
    let (abi, name, ret, params): (String, String, Bound<'_, PyAny>, Vec<Bound<'_, PyAny>>) =
        object.call_method0(mark)?.extract()?;
    let types = &session().types;
    let ret = from_python(&ret)?;
    let params = params.iter().map(from_python).collect::<PyResult<_>>()?;
    let ty = types.intern(TypeKind::FunctionType { ret, params });
    let text = format!("{abi}:{name}");
    CAPTURED.with_borrow_mut(|all| {
        if let Some(scope) = all.last_mut() {
            scope.functions.push((name, object.clone().unbind()));
        }
    });
    Ok(Some((ty, Const::Str(text))))
}

/// The declared functions that a module calls.
pub(super) fn functions(py: Python<'_>, module: &Module) -> Vec<Py<PyAny>> {
    let called = |name: &str| {
        let mut all = module.functions.values();
        all.any(|f| f.linkage == Linkage::Import && f.name == name)
    };
    let mut found: Vec<Py<PyAny>> = Vec::new();
    CAPTURED.with_borrow(|all| {
        for (name, object) in all.iter().flat_map(|scope| &scope.functions) {
            if called(name) && !found.iter().any(|known| known.is(object)) {
                found.push(object.clone_ref(py));
            }
        }
    });
    found
}
