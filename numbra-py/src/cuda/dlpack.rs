//! DLPack: arrays passed between libraries in capsules.
//!
//! The structures are those of DLPack 1: `dltensor` capsules are the plain form, `dltensor_versioned` carry a version and
//! flags before the same tensor.

use core::ffi::{CStr, c_void};
use core::ptr;

use pyo3::exceptions::{PyBufferError, PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use super::errors::add;

const PLAIN: &CStr = c"dltensor";
const PLAIN_USED: &CStr = c"used_dltensor";
const VERSIONED: &CStr = c"dltensor_versioned";
const VERSIONED_USED: &CStr = c"used_dltensor_versioned";

const READ_ONLY: u64 = 1;

pub(super) fn add_functions(m: &Bound<'_, PyModule>) -> PyResult<()> {
    add!(m, dlpack_import, dlpack_export);
    Ok(())
}

#[repr(C)]
#[derive(Clone, Copy)]
struct Device {
    kind: i32,
    id: i32,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct DataType {
    code: u8,
    bits: u8,
    lanes: u16,
}

/// `DLTensor`
#[repr(C)]
#[derive(Clone, Copy)]
struct Tensor {
    data: *mut c_void,
    device: Device,
    ndim: i32,
    dtype: DataType,
    shape: *mut i64,
    /// In elements; null for row-major order.
    strides: *mut i64,
    byte_offset: u64,
}

/// `DLManagedTensor`
#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// `DLManagedTensorVersioned`
#[repr(C)]
struct ManagedVersioned {
    major: u32,
    minor: u32,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut ManagedVersioned)>,
    flags: u64,
    tensor: Tensor,
}

/// A tensor taken out of a capsule: its producer's memory goes with this object.
#[pyclass(frozen, name = "_DLPackTensor", module = "numbra.cuda")]
struct Taken {
    plain: *mut Managed,
    versioned: *mut ManagedVersioned,
}

// SAFETY: what is in it is freed once, by whoever drops it, and otherwise not touched.
unsafe impl Send for Taken {}
// SAFETY: as above.
unsafe impl Sync for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        // SAFETY: one of the two is a tensor that the capsule gave up, or null; its deleter is called once.
        unsafe {
            if let Some(managed) = self.plain.as_ref()
                && let Some(deleter) = managed.deleter
            {
                deleter(self.plain);
            }
            if let Some(managed) = self.versioned.as_ref()
                && let Some(deleter) = managed.deleter
            {
                deleter(self.versioned);
            }
        }
    }
}

/// A tensor in a capsule that nobody has taken yet.
pub(crate) struct Peeked<'a> {
    /// Address of the first element.
    pub(crate) pointer: u64,
    /// Lengths of the dimensions.
    pub(crate) shape: &'a [i64],
    /// Distances in elements; none where the tensor is in C order without gaps.
    pub(crate) strides: Option<&'a [i64]>,
    /// Kind and bits of an element, in DLPack's numbers.
    pub(crate) element: (u8, u8),
}

/// Looks at a tensor in the memory of a GPU, which stays the capsule's; `None` for anything else.
pub(crate) fn peek<'a>(capsule: &'a Bound<'_, PyAny>) -> Option<Peeked<'a>> {
    const GPU: i32 = 2;
    const MANAGED: i32 = 13;
    // SAFETY: any object may be asked; a capsule of this name holds such a structure.
    let tensor = unsafe {
        if ffi::PyCapsule_IsValid(capsule.as_ptr(), PLAIN.as_ptr()) != 1 {
            return None;
        }
        let managed = ffi::PyCapsule_GetPointer(capsule.as_ptr(), PLAIN.as_ptr());
        (*managed.cast::<Managed>()).tensor
    };
    let ndim = usize::try_from(tensor.ndim).ok()?;
    let numbers = |at: *mut i64| {
        // SAFETY: a tensor has `ndim` numbers there, as long as the capsule lives.
        (!at.is_null()).then(|| unsafe { core::slice::from_raw_parts(at, ndim) })
    };
    let plain = matches!(tensor.device.kind, GPU | MANAGED) && tensor.dtype.lanes == 1;
    plain.then_some(Peeked {
        pointer: (tensor.data as u64).wrapping_add(tensor.byte_offset),
        shape: numbers(tensor.shape).or((ndim == 0).then_some(&[][..]))?,
        strides: numbers(tensor.strides),
        element: (tensor.dtype.code, tensor.dtype.bits),
    })
}

/// What [`dlpack_import`] gives: pointer, shape, strides in elements or None, (code, bits, lanes), (kind, id) of the
/// device, whether it may only be read, and the owner.
type Imported = (
    u64,
    Py<PyTuple>,
    Option<Py<PyTuple>>,
    (u8, u8, u16),
    (i32, i32),
    bool,
    Py<PyAny>,
);

/// Takes the tensor out of a capsule.
#[pyfunction]
fn dlpack_import(py: Python<'_>, capsule: &Bound<'_, PyAny>) -> PyResult<Imported> {
    let named = |name: &CStr| {
        // SAFETY: any object may be asked.
        unsafe { ffi::PyCapsule_IsValid(capsule.as_ptr(), name.as_ptr()) == 1 }
    };
    let take = |name: &CStr, used: &'static CStr| -> PyResult<*mut c_void> {
        // SAFETY: a capsule of this name, whose pointer is not null; the new name is a constant. From here on the tensor
        // is ours and the capsule's destructor leaves it alone.
        unsafe {
            let pointer = ffi::PyCapsule_GetPointer(capsule.as_ptr(), name.as_ptr());
            match ffi::PyCapsule_SetName(capsule.as_ptr(), used.as_ptr()) {
                0 => Ok(pointer),
                _ => Err(PyErr::fetch(py)),
            }
        }
    };
    let (taken, read_only) = if named(PLAIN) {
        let plain = take(PLAIN, PLAIN_USED)?.cast::<Managed>();
        let versioned = ptr::null_mut();
        (Taken { plain, versioned }, false)
    } else if named(VERSIONED) {
        let versioned = take(VERSIONED, VERSIONED_USED)?.cast::<ManagedVersioned>();
        let plain = ptr::null_mut();
        let taken = Taken { plain, versioned };
        // SAFETY: the capsule held such a structure; version and flags stand where every version has them.
        let (major, flags) = unsafe { ((*versioned).major, (*versioned).flags) };
        if major > 1 {
            return Err(PyBufferError::new_err(format!(
                "DLPack version {major} is not known"
            )));
        }
        (taken, flags & READ_ONLY != 0)
    } else if named(PLAIN_USED) || named(VERSIONED_USED) {
        return Err(PyValueError::new_err(
            "the DLPack capsule was consumed already",
        ));
    } else {
        return Err(PyTypeError::new_err("a DLPack capsule is needed"));
    };
    // SAFETY: see above.
    let tensor = unsafe {
        match taken.plain.as_ref() {
            Some(managed) => managed.tensor,
            None => (*taken.versioned).tensor,
        }
    };
    let ndim = usize::try_from(tensor.ndim)
        .map_err(|_| PyValueError::new_err("a DLPack tensor with ndim < 0"))?;
    let numbers = |at: *mut i64| -> PyResult<Option<Py<PyTuple>>> {
        if at.is_null() {
            return Ok(None);
        }
        // SAFETY: a tensor has `ndim` numbers there.
        let numbers = unsafe { core::slice::from_raw_parts(at, ndim) };
        Ok(Some(PyTuple::new(py, numbers)?.unbind()))
    };
    let shape = match numbers(tensor.shape)? {
        Some(shape) => shape,
        None if ndim == 0 => PyTuple::empty(py).unbind(),
        None => return Err(PyValueError::new_err("a DLPack tensor without a shape")),
    };
    let pointer = (tensor.data as u64).wrapping_add(tensor.byte_offset);
    let DataType { code, bits, lanes } = tensor.dtype;
    let device = (tensor.device.kind, tensor.device.id);
    let strides = numbers(tensor.strides)?;
    let owner = Py::new(py, taken)?.into_any();
    Ok((
        pointer,
        shape,
        strides,
        (code, bits, lanes),
        device,
        read_only,
        owner,
    ))
}

/// What an exported tensor keeps: its owner, and the numbers that the tensor points to.
struct Exported {
    owner: Py<PyAny>,
    /// Shape, then strides.
    dims: Box<[i64]>,
}

/// A capsule with a tensor that keeps `owner`. Strides are in elements.
#[pyfunction]
#[pyo3(signature = (owner, pointer, shape, strides, dtype, device, versioned = false))]
#[allow(
    clippy::too_many_arguments,
    reason = "they are what a tensor consists of"
)]
fn dlpack_export(
    py: Python<'_>,
    owner: Py<PyAny>,
    pointer: u64,
    shape: Vec<i64>,
    strides: Vec<i64>,
    dtype: (u8, u8, u16),
    device: (i32, i32),
    versioned: bool,
) -> PyResult<Py<PyAny>> {
    if shape.len() != strides.len() {
        return Err(PyValueError::new_err(
            "as many strides as dimensions are needed",
        ));
    }
    let ndim = shape.len();
    let dims: Box<[i64]> = shape.into_iter().chain(strides).collect();
    let exported = Box::into_raw(Box::new(Exported { owner, dims }));
    // SAFETY: just made.
    let dims = unsafe { (*exported).dims.as_mut_ptr() };
    let tensor = Tensor {
        data: pointer as *mut c_void,
        device: Device {
            kind: device.0,
            id: device.1,
        },
        ndim: ndim as i32,
        dtype: DataType {
            code: dtype.0,
            bits: dtype.1,
            lanes: dtype.2,
        },
        shape: dims,
        strides: dims.wrapping_add(ndim),
        byte_offset: 0,
    };
    let context = exported.cast::<c_void>();
    let (pointer, name) = if versioned {
        let managed = ManagedVersioned {
            major: 1,
            minor: 0,
            context,
            deleter: Some(delete_versioned),
            flags: 0,
            tensor,
        };
        (Box::into_raw(Box::new(managed)).cast::<c_void>(), VERSIONED)
    } else {
        let managed = Managed {
            tensor,
            context,
            deleter: Some(delete),
        };
        (Box::into_raw(Box::new(managed)).cast::<c_void>(), PLAIN)
    };
    // SAFETY: a pointer that is not null, a constant name, and a destructor for both forms.
    let capsule = unsafe { ffi::PyCapsule_New(pointer, name.as_ptr(), Some(drop_capsule)) };
    if capsule.is_null() {
        let error = PyErr::fetch(py);
        // SAFETY: nobody else has it.
        unsafe {
            if versioned {
                delete_versioned(pointer.cast());
            } else {
                delete(pointer.cast());
            }
        }
        return Err(error);
    }
    // SAFETY: a new reference.
    Ok(unsafe { Bound::from_owned_ptr(py, capsule) }.unbind())
}

/// Frees a tensor that no consumer took.
///
/// # Safety
/// Python calls it with a capsule that [`dlpack_export`] made.
unsafe extern "C" fn drop_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: as the caller promises; a consumer renames the capsule when it takes the tensor.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, PLAIN.as_ptr()) == 1 {
            delete(ffi::PyCapsule_GetPointer(capsule, PLAIN.as_ptr()).cast());
        } else if ffi::PyCapsule_IsValid(capsule, VERSIONED.as_ptr()) == 1 {
            delete_versioned(ffi::PyCapsule_GetPointer(capsule, VERSIONED.as_ptr()).cast());
        }
    }
}

/// # Safety
/// A tensor that [`dlpack_export`] made; consumers call it once, on any thread.
unsafe extern "C" fn delete(managed: *mut Managed) {
    // SAFETY: as the caller promises.
    unsafe { release(Box::from_raw(managed).context) }
}

/// # Safety
/// As for [`delete`].
unsafe extern "C" fn delete_versioned(managed: *mut ManagedVersioned) {
    // SAFETY: as the caller promises.
    unsafe { release(Box::from_raw(managed).context) }
}

/// # Safety
/// What [`dlpack_export`] boxed.
unsafe fn release(context: *mut c_void) {
    // SAFETY: as the caller promises.
    let exported = unsafe { Box::from_raw(context.cast::<Exported>()) };
    // A consumer may have no Python thread any more, or Python may be gone; then the owner is left alone.
    let Exported { owner, dims: _ } = *exported;
    let mut owner = core::mem::ManuallyDrop::new(owner);
    crate::python::try_enter(|_py| {
        // SAFETY: dropped once, here.
        unsafe { core::mem::ManuallyDrop::drop(&mut owner) }
    });
}
