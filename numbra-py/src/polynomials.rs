//! `numpy.polynomial.Polynomial` objects as arguments and results.

use crate::convert::{Words, array_leaves, guarded_with_gil, set_unbox_error};
use crate::session::{helper_types, type_of_code};
use crate::typeof_::typeof_object;
use numbra_ir::{Type, TypeKind, Types};
use numbra_runtime::{Header, object_header};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// What a polynomial holds, in the order of its type's parts.
const PARTS: [&str; 3] = ["coef", "domain", "window"];
const MODULE: &str = "numpy.polynomial.polynomial";

/// The type of a `Polynomial`; `None` for other objects, and for one whose parts have no array type.
pub(crate) fn typeof_polynomial(
    types: &Types,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<Type>> {
    let class = object.get_type();
    let is_polynomial = class.name().is_ok_and(|name| name == "Polynomial")
        && class.module().is_ok_and(|module| module == MODULE);
    if !is_polynomial {
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

/// `numbra_py_unbox_polynomial(object, type, part, leaves) -> owner`: fills the leaves of one array but the owner; null when
/// the object is not of the type.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, `object` is alive, `block` has room for the leaves of the part.
pub(crate) unsafe extern "C" fn numbra_py_unbox_polynomial(
    object: *mut PyObject,
    code: u64,
    part: u64,
    block: *mut Words,
) -> *mut Header {
    let run = |py: Python<'_>| {
        // SAFETY: the wrapper's argument array keeps the object alive.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        match unbox(&helper_types(), type_of_code(code), &object, part as usize) {
            Ok(Some((leaves, owner))) => {
                for (index, leaf) in leaves.into_iter().enumerate() {
                    // SAFETY: the wrapper sized the block for the leaves of this part.
                    unsafe { *block.add(index) = leaf };
                }
                owner
            }
            Ok(None) => std::ptr::null_mut(),
            Err(error) => {
                set_unbox_error(error);
                std::ptr::null_mut()
            }
        }
    };
    // SAFETY: the wrapper runs with the GIL held.
    unsafe { guarded_with_gil(std::ptr::null_mut(), run) }
}

/// The leaves of one array, the owner's place empty, and the owner.
fn unbox(
    types: &Types,
    ty: Type,
    object: &Bound<'_, PyAny>,
    part: usize,
) -> PyResult<Option<(Vec<Words>, *mut Header)>> {
    // The parts may have been replaced since the type was found.
    if typeof_polynomial(types, object)? != Some(ty) {
        return Ok(None);
    }
    let array = object.getattr(PARTS[part])?;
    let mut leaves = Vec::new();
    // SAFETY: the type of the part is that of an array.
    unsafe { array_leaves(array.as_ptr().cast(), &mut leaves) };
    // The header takes a reference of its own.
    let owner = object_header(leaves[0][0] as *mut u8, array.as_ptr().cast());
    if owner.is_null() {
        return Err(PyMemoryError::new_err("no memory for a polynomial"));
    }
    Ok(Some((leaves, owner)))
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
