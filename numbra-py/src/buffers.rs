//! Buffers: `bytearray`, `memoryview` and `array.array` as arguments; wrappers read `bytes` themselves.

use numbra_ir::{ArrayType, BufferClass, Layout, Scalar, Type, TypeKind, Types};
use numbra_runtime::{Header, object_header};
use pyo3::exceptions::PyMemoryError;
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyByteArray, PyMemoryView};
use std::ffi::CStr;

/// A buffer that its exporter holds still until this object goes.
#[pyclass(frozen, name = "_Buffer", module = "numbra")]
struct HeldBuffer(Box<ffi::Py_buffer>);

// SAFETY: the view is only read, and given back under the GIL.
unsafe impl Send for HeldBuffer {}
// SAFETY: as above.
unsafe impl Sync for HeldBuffer {}

impl Drop for HeldBuffer {
    fn drop(&mut self) {
        crate::python::enter(|_| {
            // SAFETY: obtained by `PyObject_GetBuffer`, given back once; the GIL is held.
            unsafe { ffi::PyBuffer_Release(&raw mut *self.0) }
        });
    }
}

impl HeldBuffer {
    /// The buffer of an object: writable if it can be, of any strides, with its format.
    fn of(object: &Bound<'_, PyAny>) -> PyResult<HeldBuffer> {
        let mut view = Box::new(ffi::Py_buffer::new());
        // SAFETY: `object` is alive under the GIL; the view is initialised on success.
        let status = unsafe {
            ffi::PyObject_GetBuffer(object.as_ptr(), &raw mut *view, ffi::PyBUF_RECORDS_RO)
        };
        match status {
            0 => Ok(HeldBuffer(view)),
            _ => Err(PyErr::fetch(object.py())),
        }
    }

    /// Its element type, shape, strides and whether it may be written; `None` for elements that have no type.
    fn layout(&self, types: &Types) -> Option<(ArrayType, Vec<i64>, Vec<i64>)> {
        let view = &*self.0;
        let ndim = usize::try_from(view.ndim).ok()?;
        let dtype = match view.format.is_null() {
            true => Type::UINT8,
            // SAFETY: a string that lives as long as the view.
            false => types.scalar(scalar_of_format(unsafe { CStr::from_ptr(view.format) })?),
        };
        let size = i64::from(types.as_scalar(dtype)?.size());
        if i64::try_from(view.itemsize).ok()? != size {
            return None;
        }
        let words = |at: *const ffi::Py_ssize_t| -> Option<Vec<i64>> {
            // SAFETY: the exporter gives `ndim` of each.
            (!at.is_null()).then(|| (0..ndim).map(|i| unsafe { *at.add(i) } as i64).collect())
        };
        let shape = match ndim {
            0 => Vec::new(),
            _ => words(view.shape)?,
        };
        let strides = match words(view.strides) {
            Some(strides) => strides,
            None => dense(&shape, size, Layout::C),
        };
        let layout = [Layout::C, Layout::F]
            .into_iter()
            .find(|layout| is_dense(&shape, &strides, size, *layout))
            .unwrap_or(Layout::A);
        let array = ArrayType {
            dtype,
            ndim: u8::try_from(ndim).ok()?,
            layout,
            mutable: view.readonly == 0,
            aligned: true,
        };
        Some((array, shape, strides))
    }
}

/// Strides of a contiguous array.
fn dense(shape: &[i64], size: i64, layout: Layout) -> Vec<i64> {
    let mut strides = vec![size; shape.len()];
    let mut bytes = size;
    let mut axes: Vec<usize> = (0..shape.len()).collect();
    if layout != Layout::F {
        axes.reverse();
    }
    for axis in axes {
        strides[axis] = bytes;
        bytes = bytes.wrapping_mul(shape[axis]);
    }
    strides
}

fn is_dense(shape: &[i64], strides: &[i64], size: i64, layout: Layout) -> bool {
    let want = dense(shape, size, layout);
    shape.contains(&0)
        || (0..shape.len()).all(|axis| shape[axis] == 1 || strides[axis] == want[axis])
}

/// The scalar of a format of the `struct` module, native or little-endian.
fn scalar_of_format(format: &CStr) -> Option<Scalar> {
    let text = format.to_str().ok()?;
    let native = text.strip_prefix(['@', '=', '<']).unwrap_or(text);
    Some(match native {
        "?" => Scalar::Bool,
        "b" => Scalar::Int8,
        "B" | "c" => Scalar::UInt8,
        "h" => Scalar::Int16,
        "H" => Scalar::UInt16,
        "i" => Scalar::Int32,
        "I" => Scalar::UInt32,
        "l" | "q" | "n" => Scalar::Int64,
        "L" | "Q" | "N" => Scalar::UInt64,
        "e" => Scalar::Float16,
        "f" => Scalar::Float32,
        "d" => Scalar::Float64,
        "Zf" => Scalar::Complex64,
        "Zd" => Scalar::Complex128,
        _ => return None,
    })
}

/// The class of a buffer that is an argument; `bytes` is a type of its own.
pub(crate) fn class_of(object: &Bound<'_, PyAny>) -> Option<BufferClass> {
    if object.is_exact_instance_of::<PyByteArray>() {
        return Some(BufferClass::ByteArray);
    }
    if object.is_exact_instance_of::<PyMemoryView>() {
        return Some(BufferClass::MemoryView);
    }
    let class = object.get_type();
    let is_array = class.name().is_ok_and(|name| name == "array")
        && class.module().is_ok_and(|module| module == "array");
    is_array.then_some(BufferClass::PyArray)
}

/// The type of a buffer; `None` for elements that have none.
pub(crate) fn typeof_buffer(
    types: &Types,
    class: BufferClass,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<Type>> {
    let held = HeldBuffer::of(object)?;
    Ok(held
        .layout(types)
        .map(|(array, ..)| types.intern(TypeKind::Buffer { class, array })))
}

/// The leaves of a buffer, the owner's place empty, and the owner.
pub(crate) fn unbox_buffer(
    types: &Types,
    ty: Type,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<(Vec<u64>, *mut Header)>> {
    let is_class = match types.kind(ty) {
        TypeKind::Buffer { class, .. } => class_of(object) == Some(*class),
        _ => false,
    };
    if !is_class {
        return Ok(None);
    }
    let held = HeldBuffer::of(object)?;
    let Some((array, shape, strides)) = held.layout(types) else {
        return Ok(None);
    };
    if types.as_buffer(ty) != Some(array) {
        return Ok(None);
    }
    let data = held.0.buf.cast::<u8>();
    let mut leaves = vec![data as u64, 0];
    leaves.extend(shape.iter().chain(&strides).map(|n| *n as u64));
    let held = Py::new(object.py(), held)?;
    // The header takes a reference of its own.
    let owner = object_header(data, held.as_ptr().cast());
    if owner.is_null() {
        return Err(PyMemoryError::new_err("no memory for a buffer"));
    }
    Ok(Some((leaves, owner)))
}
