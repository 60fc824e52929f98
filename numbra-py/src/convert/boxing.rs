//! From leaves to new Python objects.

use super::abi::{Words, guarded, guarded_with_gil};
use super::raise::restore;
use crate::made;
use crate::session::{helper_types, type_of_code};
use crate::types::Edge;
use numbra_ir::{Type, Types, with_kind};
use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::PyAny;

/// `numbra_py_box(type, leaves) -> PyObject*`: a new object from leaves; null with an exception set when it cannot be made.
/// References among the leaves are borrowed.
///
/// # Safety
/// Called by entry wrappers: the GIL is held and `block` holds the leaves of the type.
pub(crate) unsafe extern "C" fn numbra_py_box(code: u64, block: *const Words) -> *mut PyObject {
    let run = |py: Python<'_>| {
        let types = &helper_types();
        let ty = type_of_code(code);
        let boxed = numbra_lower::lowering::leaves(types, ty)
            .map_err(PyTypeError::new_err)
            .and_then(|shape| {
                // SAFETY: the block holds one entry a leaf.
                let leaves = unsafe { std::slice::from_raw_parts(block, shape.len()) };
                box_value(py, types, ty, &mut { leaves })
            });
        match boxed {
            Ok(object) => object.into_ptr(),
            Err(error) => {
                restore(py, error);
                std::ptr::null_mut()
            }
        }
    };
    // SAFETY: the wrapper runs with the GIL held.
    unsafe { guarded_with_gil(std::ptr::null_mut(), run) }
}

/// `str` of the object that a value becomes, or its `repr` inside another; leaves are borrowed. None when there is none.
pub(crate) fn text_of_value(ty: &str, block: *const Words, inside: bool) -> Option<String> {
    guarded(None, || {
        crate::python::enter(|py| {
            object_of_value(py, ty, block)
                .and_then(|object| if inside { object.repr() } else { object.str() })
                .and_then(|text| text.extract::<String>())
                .map_err(|error| error.write_unraisable(py, None))
                .ok()
        })
    })
}

/// The object that a value becomes, given the text of its type; leaves are borrowed.
pub(super) fn object_of_value<'py>(
    py: Python<'py>,
    ty: &str,
    block: *const Words,
) -> PyResult<Bound<'py, PyAny>> {
    let types = &helper_types();
    let ty = types
        .parse(ty)
        .map_err(|error| PySystemError::new_err(error.to_string()))?;
    let shape = numbra_lower::lowering::leaves(types, ty).map_err(PyTypeError::new_err)?;
    // SAFETY: compiled code passes one entry a leaf of the type that it names.
    let leaves = unsafe { std::slice::from_raw_parts(block, shape.len()) };
    box_value(py, types, ty, &mut { leaves })
}

/// The object that a value becomes; takes its leaves from the front of `rest`.
pub(crate) fn box_value<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    rest: &mut &[Words],
) -> PyResult<Bound<'py, PyAny>> {
    let mut boxing = Boxing {
        py,
        types,
        ty,
        rest,
    };
    with_kind!(types.kind(ty), kind => kind.to_object(&mut boxing))
}

/// The leaves of a value that becomes an object.
pub(crate) struct Boxing<'a, 'w, 'py> {
    pub(crate) py: Python<'py>,
    pub(crate) types: &'a Types,
    /// The type of the value.
    pub(crate) ty: Type,
    /// Its leaves, and what follows them.
    pub(crate) rest: &'a mut &'w [Words],
}

impl<'w, 'py> Boxing<'_, 'w, 'py> {
    /// The next leaf.
    pub(crate) fn take(&mut self) -> PyResult<u64> {
        Ok(self.take_many(1)?[0][0])
    }

    /// The next leaves.
    pub(crate) fn take_many(&mut self, count: usize) -> PyResult<&'w [Words]> {
        let (first, tail) = self
            .rest
            .split_at_checked(count)
            .ok_or_else(|| PySystemError::new_err("result block too short"))?;
        *self.rest = tail;
        Ok(first)
    }

    /// The object of a part.
    pub(crate) fn value(&mut self, ty: Type) -> PyResult<Bound<'py, PyAny>> {
        box_value(self.py, self.types, ty, self.rest)
    }

    /// A tuple of parts.
    pub(crate) fn tuple(&mut self, items: &[Type]) -> PyResult<Bound<'py, PyAny>> {
        let values = items.iter().map(|item| self.value(*item));
        let values = values.collect::<PyResult<Vec<_>>>()?;
        made::tuple(self.py, values)
    }

    /// The error for a type whose values become no objects.
    pub(crate) fn refuse(&self) -> PyErr {
        PyTypeError::new_err(format!(
            "cannot convert native {} to Python object",
            self.types.display(self.ty)
        ))
    }
}
