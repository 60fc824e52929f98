//! Jitted functions as values of compiled code: functions of one signature, which other code calls by their address.
//!
//! The dispatcher keeps the code of each such signature as long as it lives, also of those that `recompile` has thrown
//! away: who holds the value holds its Python object, and may call it at any time. Code that makes such a value reads its
//! leaves where [`FunctionValue::leaves`] says, and has captured the object.

use super::compile::LOOK;
use super::registry::with;
use super::state::{Dispatcher, Form, Needs};
use crate::captured::{Captured, capture, capturing};
use crate::compiling::{asker, compiling, has_raised};
use crate::host::PythonHost;
use crate::python::enter;
use crate::session::session;
use crate::types::to_python;
use numbra_driver::{CompileError, Compiled};
use numbra_ir::lattice::{Conversion, ExtRules};
use numbra_ir::{DispatcherId, Type, TypeKind, Types};
use numbra_runtime::{Header, borrowed_header};
use pyo3::exceptions::{PyReferenceError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, Weak};
use std::thread::ThreadId;

/// What a value of such a type is in compiled code, one leaf every 16 bytes: the address of the code, 1 for code that is
/// compiled, the header that names the function.
type Words = [[AtomicU64; 2]; 3];

/// A jitted function as a function of one signature.
pub(crate) struct FunctionValue {
    /// Its type, and what holds it.
    ty: Type,
    types: Types,
    leaves: Words,
    /// Names the dispatcher's Python object, which it does not own.
    _header: Box<Header>,
    /// Who compiles it.
    maker: ThreadId,
    code: OnceLock<(Compiled, Arc<Captured>)>,
}

// SAFETY: the header is counted atomically, and nothing else in it changes.
unsafe impl Send for FunctionValue {}
// SAFETY: as above.
unsafe impl Sync for FunctionValue {}

impl FunctionValue {
    /// Where the leaves are. The address of the code is there once it is compiled, before any code that reads it runs.
    pub(crate) fn leaves(&self) -> *const u8 {
        self.leaves.as_ptr().cast()
    }

    /// The address of its code.
    pub(crate) fn address(&self) -> u64 {
        self.leaves[0][0].load(Ordering::Acquire)
    }
}

impl Dispatcher {
    /// The function as a value of this type of functions, compiled if it has to be; `None` if it cannot be one.
    pub(crate) fn function_value(&self, ty: Type) -> Option<Arc<FunctionValue>> {
        if let Some(value) = self.known_value(ty) {
            return Some(value);
        }
        enter(|py| compiling(py, || self.make_value(ty)).unwrap_or_default())
    }

    /// The function as a value of this type, if it has been compiled as one.
    pub(crate) fn known_value(&self, ty: Type) -> Option<Arc<FunctionValue>> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let mut values = values.iter();
        let found = values.find(|value| value.ty == ty && value.code.get().is_some());
        found.cloned()
    }

    /// Makes the value, or waits for who does. Who makes it already, and comes by it again, gets it before it has an
    /// address.
    fn make_value(&self, ty: Type) -> Option<Arc<FunctionValue>> {
        let maker = asker();
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        while let Some(value) = values.iter().find(|value| value.ty == ty) {
            if value.code.get().is_some() || value.maker == maker {
                return Some(value.clone());
            }
            values = self
                .landed
                .wait_timeout(values, LOOK)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
            drop(values);
            if has_raised() {
                return None;
            }
            values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        }
        let types = session().types.view();
        types.hold(ty);
        let header = borrowed_header(self.object.load(Ordering::Acquire).cast());
        let header = Box::new(header);
        let named = (&raw const *header).expose_provenance() as u64;
        let leaves = [0, 1, named].map(|word| [AtomicU64::new(word), AtomicU64::new(0)]);
        let value = Arc::new(FunctionValue {
            ty,
            types: types.clone(),
            leaves,
            _header: header,
            maker,
            code: OnceLock::new(),
        });
        values.push(value.clone());
        drop(values);
        let (made, captured) = capturing(|| self.compile_value(&types, ty));
        let address = made.as_ref().ok().and_then(Compiled::entry_address);
        let found = match (made, address) {
            (Ok(compiled), Some(address)) => {
                let captured = self.hold(captured);
                if let Some(code) = compiled.loaded() {
                    code.keep(Box::new(Needs {
                        _types: compiled.types.clone(),
                        captured: vec![captured.clone()],
                        entry: Weak::new(),
                    }));
                }
                value.leaves[0][0].store(address.expose_provenance() as u64, Ordering::Release);
                let _ = value.code.set((compiled, captured));
                Some(value)
            }
            _ => {
                enter(|_| drop(captured));
                let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
                values.retain(|one| !Arc::ptr_eq(one, &value));
                None
            }
        };
        self.landed.notify_all();
        found
    }

    /// Its type as a function, where it has one signature and gets no others.
    fn only_signature(&self, types: &Types) -> Option<Type> {
        if self.can_compile.load(Ordering::Acquire) || !matches!(self.form, Form::Call) {
            return None;
        }
        let entries = self.entries();
        let [entry] = entries.as_slice() else {
            return None;
        };
        Some(types.intern(TypeKind::FunctionType {
            ret: entry.compiled.ret,
            params: entry.args.clone(),
        }))
    }

    fn compile_value(&self, types: &Types, ty: Type) -> Result<Compiled, CompileError> {
        let refused = || CompileError {
            step: None,
            diagnostics: Vec::new(),
            force_literal: Vec::new(),
        };
        let TypeKind::FunctionType { ret, params } = types.kind(ty) else {
            return Err(refused());
        };
        if !matches!(self.form, Form::Call | Form::Callback) || self.options.stencil.is_some() {
            return Err(refused());
        }
        if params.len() != self.parameters.len() {
            return Err(refused());
        }
        self.refuse_unsupported()?;
        // Signatures that are fixed are called as they are.
        let is_fixed = !self.can_compile.load(Ordering::Acquire);
        let fits = |entry: &Arc<super::state::Entry>| entry.compiled.ret == *ret;
        if is_fixed && !self.find(params).as_ref().is_some_and(fits) {
            return Err(refused());
        }
        self.made(types, params, Some(*ret), &PythonHost, &Form::Value)
    }
}

/// The Python object of a live dispatcher.
pub(crate) fn object_of(py: Python<'_>, id: DispatcherId) -> PyResult<Bound<'_, PyAny>> {
    let object = with(id, |d| d.object.load(Ordering::Acquire));
    let object = object.unwrap_or(std::ptr::null_mut());
    // SAFETY: null, or an object that clears the pointer under the GIL before it goes.
    let object = unsafe { Bound::from_borrowed_ptr_or_opt(py, object) };
    object.ok_or_else(|| PyReferenceError::new_err("underlying object has vanished"))
}

/// The compilation that runs on this thread captures a live dispatcher.
pub(crate) fn capture_object(id: DispatcherId) {
    enter(|py| object_of(py, id).map(|object| capture(&object)).ok());
}

/// The address of a jitted function as a function of this type, for as long as the jitted function.
#[pyfunction]
pub(crate) fn _function_address(
    dispatcher: &Bound<'_, PyAny>,
    ty: &Bound<'_, PyAny>,
) -> PyResult<u64> {
    let ty = crate::types::from_python(ty)?;
    let value = super::inner(dispatcher)?.function_value(ty);
    let refused = || PyTypeError::new_err("the function cannot be compiled for this signature");
    Ok(value.ok_or_else(refused)?.address())
}

/// The signatures that it has been compiled for as a value: list of (argument types, return type).
#[pyfunction]
pub(crate) fn _value_signatures<'py>(
    py: Python<'py>,
    dispatcher: &Bound<'py, PyAny>,
) -> PyResult<Vec<(Bound<'py, PyTuple>, Bound<'py, PyAny>)>> {
    let d = super::inner(dispatcher)?;
    let values = d
        .values
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone();
    let mut found = Vec::new();
    for value in values.iter().filter(|value| value.code.get().is_some()) {
        if let TypeKind::FunctionType { ret, params } = value.types.kind(value.ty) {
            let params = params.iter().map(|ty| to_python(py, *ty));
            let params = params.collect::<PyResult<Vec<_>>>()?;
            found.push((PyTuple::new(py, params)?, to_python(py, *ret)?));
        }
    }
    Ok(found)
}

/// The type of functions that these functions, of which one says its signature, have in common.
pub(crate) fn common_function_type(types: &Types, items: &[Type]) -> Option<Type> {
    if items.is_empty() || !items.iter().all(|ty| types.is_function_value(*ty)) {
        return None;
    }
    let common = items.iter().find_map(|ty| match types.kind(*ty) {
        TypeKind::FunctionType { .. } => Some(*ty),
        TypeKind::Dispatcher { id, .. } => with(*id, |d| d.only_signature(types)).flatten(),
        _ => None,
    })?;
    let fits = |ty: &Type| *ty == common || FunctionRules.can_convert(*ty, common).is_some();
    items.iter().all(fits).then_some(common)
}

/// Where the leaves of a jitted function as a value of this type are. The compilation that runs on this thread captures the
/// function.
pub(crate) fn leaves_of(id: DispatcherId, ty: Type) -> Option<*const u8> {
    let leaves = with(id, |d| d.function_value(ty).map(|value| value.leaves()))??;
    enter(|py| object_of(py, id).map(|object| capture(&object)).ok())?;
    Some(leaves)
}

/// Conversions that only the functions themselves decide.
pub(crate) struct FunctionRules;

impl ExtRules for FunctionRules {
    fn can_convert(&self, from: Type, to: Type) -> Option<Conversion> {
        let types = &session().types;
        match (types.kind(from), types.kind(to)) {
            (TypeKind::Dispatcher { id, .. }, TypeKind::FunctionType { .. }) => {
                with(*id, |d| d.function_value(to)).flatten()?;
                Some(Conversion::Safe)
            }
            _ => None,
        }
    }

    fn unify(&self, _: Type, _: Type) -> Option<Type> {
        None
    }

    fn made_by(&self, constructor: DispatcherId) -> Option<Type> {
        with(constructor, |d| d.makes.get().copied()).flatten()
    }
}
