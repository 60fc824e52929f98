//! `numpy.polynomial.Polynomial` objects as arguments and results.

use crate::typeof_::typeof_object;
use numbra_ir::{Type, TypeKind, Types};
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// What a polynomial holds, in the order of its type's parts.
const PARTS: [&str; 3] = ["coef", "domain", "window"];
const MODULE: &str = "numpy.polynomial.polynomial";

fn is_polynomial(object: &Bound<'_, PyAny>) -> bool {
    let class = object.get_type();
    class.name().is_ok_and(|name| name == "Polynomial")
        && class.module().is_ok_and(|module| module == MODULE)
}

/// The type of a `Polynomial`; `None` for other objects, and for one whose parts have no array type.
pub(crate) fn typeof_polynomial(
    types: &Types,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<Type>> {
    if !is_polynomial(object) {
        return Ok(None);
    }
    let mut parts = [Type::NONE; 3];
    for (part, name) in parts.iter_mut().zip(PARTS) {
        match typeof_object(types, &object.getattr(name)?)? {
            Some(ty) if types.as_array(ty).is_some() => *part = ty,
            _ => return Ok(None),
        }
    }
    Ok(Some(types.intern(TypeKind::Polynomial(parts))))
}

/// One of the arrays of a polynomial, in the order of its type's parts; `None` for other objects.
pub(crate) fn part<'py>(
    object: &Bound<'py, PyAny>,
    part: usize,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    match PARTS.get(part).filter(|_| is_polynomial(object)) {
        Some(name) => object.getattr(*name).map(Some),
        None => Ok(None),
    }
}

/// The polynomial of these arrays. Domain and window of integers are those of a constructor without them: they get the
/// element type that NumPy gives them then.
pub(crate) fn box_polynomial<'py>(
    py: Python<'py>,
    parts: &[Bound<'py, PyAny>],
) -> PyResult<Bound<'py, PyAny>> {
    let class = py.import(MODULE)?.getattr("Polynomial")?;
    let object = class.call1((&parts[0],))?;
    for (name, part) in PARTS.iter().zip(parts) {
        let kind: String = part.getattr("dtype")?.getattr("kind")?.extract()?;
        if kind == "i" {
            let dtype = object.getattr(*name)?.getattr("dtype")?;
            object.setattr(*name, part.call_method1("astype", (dtype,))?)?;
        } else {
            object.setattr(*name, part)?;
        }
    }
    Ok(object)
}
