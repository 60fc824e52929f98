//! Code that Python has recorded through the low-level extension API: modules of LIR, as text.
//!
//! Each has a number, by which a typed program names it (`numbra_typeinfer::Overload::id`); they live as long as the
//! process, as do the implementations of overloads.

use crate::types::from_python;
use numbra_ir::{ArgKind, ArgSpec, Signature};
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
    let types = &crate::session::session().types;
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
