//! Code that Python has recorded through the low-level extension API: modules of LIR, as text.
//!
//! Each has a number, by which a typed program names it (`numbra_typeinfer::Overload::id`); they live as long as the
//! process, as do the implementations of overloads.

use crate::convert::{Leaves, Words};
use crate::errors;
use crate::session::session;
use crate::types::{from_python, to_python};
use numbra_base::{ErrorClass, FxHashMap};
use numbra_driver::Callable;
use numbra_ir::{ArgKind, ArgSpec, Signature, Type};
use numbra_lower::lowering::leaves;
use numbra_typeinfer::{Overload, OverloadBody};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyAny;
use std::sync::{Arc, Mutex, PoisonError};

/// Numbers of jitted functions, which name overloads too, are less.
const FIRST: u64 = 1 << 40;

static CODES: Mutex<Vec<Arc<str>>> = Mutex::new(Vec::new());

/// True for the numbers of recorded code.
pub(crate) fn is_recorded(id: u64) -> bool {
    id >= FIRST
}

/// The text of recorded code.
pub(crate) fn code(id: u64) -> Option<Arc<str>> {
    let at = usize::try_from(id.checked_sub(FIRST)?).ok()?;
    let codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    codes.get(at).cloned()
}

/// Keeps recorded code; its number.
#[pyfunction]
pub(crate) fn _register_code(text: &str) -> PyResult<u64> {
    numbra_lir::text::read(text).map_err(|e| PyTypeError::new_err(e.to_string()))?;
    let mut codes = CODES.lock().unwrap_or_else(PoisonError::into_inner);
    codes.push(text.into());
    Ok(FIRST + codes.len() as u64 - 1)
}

/// The machine types that stand for a value of a type, as LIR writes them.
#[pyfunction]
pub(crate) fn _leaves(ty: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let types = &session().types;
    let leaves = leaves(types, from_python(ty)?).map_err(PyTypeError::new_err)?;
    Ok(leaves.iter().map(ToString::to_string).collect())
}

/// An implementation whose code Python has recorded.
pub(crate) struct Recorded {
    pub(crate) id: u64,
    names: Vec<String>,
    signature: Signature,
}

/// What Python says of it: number, names of the parameters, their types, the type of the result.
type Described<'py> = (u64, Vec<String>, Vec<Bound<'py, PyAny>>, Bound<'py, PyAny>);

/// The recorded implementation that a Python object is; `None` for other objects.
pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Option<Recorded>> {
    let Some(described) = object.getattr_opt(intern!(object.py(), "_numba_recorded_"))? else {
        return Ok(None);
    };
    let (id, names, params, ret): Described<'_> = described.extract()?;
    let params = params.iter().map(from_python).collect::<PyResult<_>>()?;
    let ret = from_python(&ret)?;
    Ok(Some(Recorded {
        id,
        names,
        signature: Signature { params, ret },
    }))
}

impl Recorded {
    /// It as the implementation of a call.
    pub(crate) fn overload(self, literal: bool) -> Overload {
        let spec = |name: String| ArgSpec {
            name,
            kind: ArgKind::PositionalOrKeyword,
            default: None,
        };
        Overload {
            id: self.id,
            args: self.names.into_iter().map(spec).collect(),
            literal,
            body: OverloadBody::External(self.signature),
        }
    }
}

/// Code by which objects become values of a type, or values objects.
pub(crate) struct Conversion {
    _code: Callable,
    run: unsafe extern "C" fn(*mut Words, *const Words) -> i32,
}

/// The conversions that have come up, by type and direction. They live as long as the process, as do such types.
type Conversions = FxHashMap<(Type, bool), Option<Arc<Conversion>>>;

static CONVERSIONS: Mutex<Option<Conversions>> = Mutex::new(None);

/// What Python has registered for a type: `box`, or `unbox`; `None` where it has registered nothing.
fn conversion(py: Python<'_>, ty: Type, boxes: bool) -> PyResult<Option<Arc<Conversion>>> {
    let known = {
        let known = CONVERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
        known
            .as_ref()
            .and_then(|all| all.get(&(ty, boxes)).cloned())
    };
    if let Some(known) = known {
        return Ok(known);
    }
    let text = py
        .import("numbra.core.lowering_api")?
        .call_method1("conversion_code", (to_python(py, ty)?, boxes))?;
    let text: Option<String> = text.extract()?;
    let made = text.map(|text| -> PyResult<Arc<Conversion>> {
        let types = &session().types;
        let symbols = |name: &str| crate::symbols::address(types, name);
        let failed = |what: String| errors::typing_error(py, ErrorClass::LoweringError, &what);
        let code = session().callable(&text, &symbols).map_err(failed)?;
        let address = code.address().ok_or_else(|| failed("no code".to_owned()))?;
        // SAFETY: the thunk has this signature.
        let run = unsafe {
            std::mem::transmute::<*const u8, unsafe extern "C" fn(*mut Words, *const Words) -> i32>(
                address,
            )
        };
        Ok(Arc::new(Conversion { _code: code, run }))
    });
    let made = made.transpose()?;
    let mut known = CONVERSIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let known = known.get_or_insert_default();
    Ok(known.entry((ty, boxes)).or_insert(made).clone())
}

/// Appends the leaves of an object, by what is registered for its type: those that are references are the caller's. False
/// where nothing is registered.
pub(crate) fn unbox(ty: Type, object: &Bound<'_, PyAny>, words: &mut Leaves) -> PyResult<bool> {
    let py = object.py();
    let Some(conversion) = conversion(py, ty, false)? else {
        return Ok(false);
    };
    let count = leaves(&session().types, ty)
        .map_err(PyTypeError::new_err)?
        .len();
    let mut results: Leaves = std::iter::repeat_n([0; 2], count + 1).collect();
    let argument = [object.as_ptr().expose_provenance() as u64, 0];
    // SAFETY: the code takes a `PyObject*`, and gives the leaves of the type and a byte; the GIL is held.
    unsafe { (conversion.run)(results.as_mut_ptr(), &raw const argument) };
    let failed = results[count][0] & 0xff != 0;
    if failed {
        let ty = session().types.display(ty).to_string();
        return Err(PyErr::take(py).unwrap_or_else(|| {
            PyTypeError::new_err(format!("cannot convert the object to {ty}"))
        }));
    }
    words.extend_from_slice(&results[..count]);
    Ok(true)
}

/// The object of a value, by what is registered for its type; `None` where nothing is.
pub(crate) fn box_object<'py>(
    py: Python<'py>,
    ty: Type,
    words: &[Words],
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let Some(conversion) = conversion(py, ty, true)? else {
        return Ok(None);
    };
    let mut result: Words = [0; 2];
    // SAFETY: the code takes the leaves of the type, and gives a `PyObject*`; the GIL is held.
    unsafe { (conversion.run)(&raw mut result, words.as_ptr()) };
    let made = std::ptr::with_exposed_provenance_mut(result[0] as usize);
    // SAFETY: a new reference, or null with an exception set.
    unsafe { Bound::from_owned_ptr_or_err(py, made) }.map(Some)
}
