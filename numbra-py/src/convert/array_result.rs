//! Arrays that compiled code returns.

use super::abi::Words;
use crate::numpy::{self, ArrayObject};
use crate::session::session;
use numbra_abi::HEADER;
use numbra_ir::{ArrayType, Type, Types};
use pyo3::exceptions::{PyMemoryError, PyTypeError};
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use smallvec::SmallVec;
use std::ffi::{c_int, c_void};

/// An array result: the argument itself when the view is unchanged, a view of it, or a new `ndarray` over our memory.
pub(crate) fn box_array<'py>(
    py: Python<'py>,
    types: &Types,
    ty: ArrayType,
    leaves: &[Words],
) -> PyResult<Bound<'py, PyAny>> {
    let api = numpy::api(py)?;
    let ndim = usize::from(ty.ndim);
    let data = leaves[0][0] as *mut u8;
    let owner = leaves[1][0] as *mut u8;
    let word = |index: usize| leaves[index][0] as isize;
    // Of a few axes without memory of its own: a small array is made in less time than a vector.
    let numbers: SmallVec<[isize; 8]> = (2..2 + 2 * ndim).map(word).collect();
    let (shape, strides) = numbers.split_at(ndim);
    let object = if owner.is_null() {
        std::ptr::null_mut()
    } else {
        header_word(owner, 5) as *mut PyObject
    };
    if !object.is_null() {
        // SAFETY: the header's owner object is alive: it is an argument of the running call, or the header holds a reference.
        let same = unsafe { unchanged(py, api, object, ty.dtype, data, shape, strides) };
        // What must not be written is not handed out as an array that may be.
        if let Some(same) = same.filter(|same| ty.mutable || !is_writeable(same)) {
            return Ok(same);
        }
    }
    // NewFromDescr steals this reference.
    let Some(descr) = numpy::new_descr(py, types, ty.dtype)? else {
        return Err(PyTypeError::new_err(format!(
            "cannot convert native array of {} to Python object",
            types.display(ty.dtype)
        )));
    };
    let flags = crate::layout::NPY_WRITEABLE | crate::layout::NPY_ALIGNED;
    let flags = match (ty.mutable, ty.aligned) {
        (true, true) => flags,
        (true, false) => crate::layout::NPY_WRITEABLE,
        (false, true) => crate::layout::NPY_ALIGNED,
        (false, false) => 0,
    };
    // SAFETY: shape and strides hold `ndim` words; NumPy copies them; contiguity flags are computed by NumPy.
    let array = unsafe {
        (api.new_from_descr)(
            api.array_type,
            descr,
            ndim as c_int,
            shape.as_ptr(),
            strides.as_ptr(),
            data.cast::<c_void>(),
            flags,
            std::ptr::null_mut(),
        )
    };
    // SAFETY: a new reference, or null with an exception set.
    let array = unsafe { Bound::from_owned_ptr_or_err(py, array) }?;
    let base = if !object.is_null() {
        // SAFETY: alive as above; the array takes this reference.
        unsafe { ffi::Py_INCREF(object) };
        object
    } else if !owner.is_null() {
        owner_object(py, owner)?
    } else {
        return Ok(array);
    };
    // SAFETY: steals the reference to `base` also on failure.
    if unsafe { (api.set_base_object)(array.as_ptr(), base) } != 0 {
        return Err(PyErr::fetch(py));
    }
    Ok(array)
}

/// Word `index` of the fields of a header.
fn header_word(header: *const u8, index: usize) -> u64 {
    // SAFETY: a non-null owner leaf points to a live header.
    unsafe {
        header
            .add(HEADER.offset(index) as usize)
            .cast::<u64>()
            .read()
    }
}

/// The argument itself if the result is the whole of it, unchanged.
///
/// # Safety
/// `object` is alive and the GIL is held.
unsafe fn unchanged<'py>(
    py: Python<'py>,
    api: &numpy::Api,
    object: *mut PyObject,
    dtype: Type,
    data: *mut u8,
    shape: &[isize],
    strides: &[isize],
) -> Option<Bound<'py, PyAny>> {
    // SAFETY: alive by contract.
    if unsafe { ffi::PyType_IsSubtype(ffi::Py_TYPE(object), api.array_type) } == 0 {
        return None;
    }
    // SAFETY: an `ndarray`.
    let array = unsafe { &*object.cast::<ArrayObject>() };
    if array.data != data || array.nd as usize != shape.len() {
        return None;
    }
    // The real parts of a complex array start where it starts.
    let types = &session().types;
    let same_dtype = match types.as_scalar(dtype) {
        Some(scalar) => api.descr(scalar) == Some(array.descr),
        None => crate::typeof_::element_of_equivalent(types, array.descr) == Some(dtype),
    };
    if !same_dtype {
        return None;
    }
    let same = |at: *const isize, want: &[isize]| {
        // SAFETY: an array has `nd` dimensions and strides.
        want.iter()
            .enumerate()
            .all(|(axis, n)| unsafe { *at.add(axis) } == *n)
    };
    if !same(array.dimensions, shape) || !same(array.strides, strides) {
        return None;
    }
    // SAFETY: alive by contract; we take a new reference.
    Some(unsafe { Bound::from_borrowed_ptr(py, object) })
}

fn is_writeable(array: &Bound<'_, PyAny>) -> bool {
    // SAFETY: the caller has found an `ndarray`.
    let array = unsafe { &*array.as_ptr().cast::<ArrayObject>() };
    array.flags & crate::layout::NPY_WRITEABLE != 0
}

/// The memory of an array that compiled code made: its `base`.
#[pyclass(frozen, name = "_MemInfo", module = "numbra")]
struct MemInfo {
    /// A live heap header, of which this object owns one reference.
    header: *mut u8,
}

// SAFETY: the header is counted atomically, and nothing else of it changes while it is alive.
unsafe impl Send for MemInfo {}
// SAFETY: as above.
unsafe impl Sync for MemInfo {}

#[pymethods]
impl MemInfo {
    /// References to the memory by native code and arrays.
    #[getter]
    fn refcount(&self) -> i64 {
        header_word(self.header, 0) as i64
    }

    /// Address of the memory.
    #[getter]
    fn data(&self) -> u64 {
        header_word(self.header, 3)
    }

    /// Bytes of the memory.
    #[getter]
    fn size(&self) -> u64 {
        header_word(self.header, 4)
    }
}

impl Drop for MemInfo {
    fn drop(&mut self) {
        // SAFETY: the reference of this object.
        unsafe { numbra_runtime::release(self.header.cast()) };
    }
}

/// A Python object that keeps what a header owns.
fn owner_object(py: Python<'_>, owner: *mut u8) -> PyResult<*mut PyObject> {
    // SAFETY: the owner leaf of a live array is a live header. The new reference belongs to the object.
    let header = unsafe { numbra_runtime::promote(owner.cast()) };
    if header.is_null() {
        return Err(PyMemoryError::new_err("no memory for an array"));
    }
    Ok(Py::new(
        py,
        MemInfo {
            header: header.cast(),
        },
    )?
    .into_ptr())
}
