//! From leaves to new Python objects.

use super::abi::{Words, guarded, guarded_with_gil};
use super::array_result::box_array;
use super::constant::constant;
use super::raise::restore;
use super::records;
use super::text;
use crate::made;
use crate::session::{helper_types, type_of_code};
use numbra_ir::{Scalar, Type, TypeKind, Types};
use pyo3::exceptions::{PySystemError, PyTypeError};
use pyo3::ffi::PyObject;
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};

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

pub(crate) fn box_value<'py>(
    py: Python<'py>,
    types: &Types,
    ty: Type,
    rest: &mut &[Words],
) -> PyResult<Bound<'py, PyAny>> {
    let mut take = || {
        let (first, tail) = rest
            .split_first()
            .ok_or_else(|| PySystemError::new_err("result block too short"))?;
        *rest = tail;
        PyResult::Ok(first[0])
    };
    if let Some(items) = types.tuple_items(ty) {
        let values = items
            .iter()
            .map(|item| box_value(py, types, *item, rest))
            .collect::<PyResult<Vec<_>>>()?;
        if let TypeKind::NamedTuple(name, ..) = types.kind(ty)
            && let Some(class) = crate::classes::class_named(py, name)
        {
            return class.call1(made::tuple(py, values)?.cast_into::<PyTuple>()?);
        }
        return made::tuple(py, values);
    }
    Ok(match types.kind(ty) {
        TypeKind::None | TypeKind::Omitted(_) => py.None().into_bound(py),
        TypeKind::Scalar(scalar, _) => {
            let bits = take()?;
            match scalar {
                Scalar::Bool => pyo3::types::PyBool::new(py, bits as u8 != 0)
                    .to_owned()
                    .into_any(),
                Scalar::Int8 => made::signed(py, (bits as i8).into())?,
                Scalar::Int16 => made::signed(py, (bits as i16).into())?,
                Scalar::Int32 => made::signed(py, (bits as i32).into())?,
                Scalar::Int64 => made::signed(py, bits as i64)?,
                Scalar::UInt8 => made::unsigned(py, (bits as u8).into())?,
                Scalar::UInt16 => made::unsigned(py, (bits as u16).into())?,
                Scalar::UInt32 => made::unsigned(py, (bits as u32).into())?,
                Scalar::UInt64 => made::unsigned(py, bits)?,
                Scalar::Float16 | Scalar::BFloat16 => {
                    return Err(PyTypeError::new_err(format!(
                        "cannot convert native {} to Python object",
                        scalar.name()
                    )));
                }
                Scalar::Float32 => made::float(py, f32::from_bits(bits as u32).into())?,
                Scalar::Float64 => made::float(py, f64::from_bits(bits))?,
                Scalar::Complex64 => {
                    let imag = f32::from_bits(take()? as u32);
                    made::complex(py, f32::from_bits(bits as u32).into(), imag.into())?
                }
                Scalar::Complex128 => {
                    let imag = f64::from_bits(take()?);
                    made::complex(py, f64::from_bits(bits), imag)?
                }
            }
        }
        TypeKind::Datetime(_) | TypeKind::Timedelta(_) => {
            let count = take()? as i64;
            py.import("numpy")?
                .call_method1("int64", (count,))?
                .call_method1("view", (crate::numpy::dtype_text(types, ty),))?
        }
        TypeKind::Record(_) => {
            let data = take()?;
            let _owner = take()?;
            // SAFETY: the leaves of a record are the address of its bytes and what keeps them.
            unsafe { records::copy(py, types, ty, data as *const u8) }?
        }
        TypeKind::Bytes => {
            let (data, _owner) = (take()?, take()?);
            let (length, stride) = (take()? as usize, take()?);
            if length > 1 && stride != 1 {
                return Err(PySystemError::new_err("bytes with gaps"));
            }
            let bytes = match length {
                0 => &[],
                // SAFETY: the leaves of bytes are their address, owner, number and the distance of each to the next, 1.
                _ => unsafe { std::slice::from_raw_parts(data as *const u8, length) },
            };
            made::bytes(py, bytes)?
        }
        TypeKind::CharSeq(_) | TypeKind::UnicodeCharSeq(_) => {
            let data = take()?;
            let _owner = take()?;
            // SAFETY: the leaves of a char sequence are the address of its bytes and what keeps them.
            unsafe { records::text(py, types, ty, data as *const u8) }?
        }
        TypeKind::Literal(value) => {
            let count = numbra_lower::lowering::leaves(types, ty)
                .map_err(PyTypeError::new_err)?
                .len();
            *rest = &rest[count..];
            constant(py, value)?
        }
        TypeKind::Unicode => text::object(py, rest)?,
        TypeKind::EnumMember { class, dtype, .. } => {
            let value = box_value(py, types, *dtype, rest)?;
            let class = crate::classes::class_named(py, class)
                .ok_or_else(|| PyTypeError::new_err("the enumeration is gone"))?;
            class.call1((value,))?
        }
        TypeKind::RandomGenerator => {
            let object = take()? as *mut PyObject;
            let (_bits, _owner) = (take()?, take()?);
            // SAFETY: the first leaf of a generator is the object, which its owner keeps alive.
            unsafe { Bound::from_borrowed_ptr(py, object) }
        }
        TypeKind::Polynomial(parts) => {
            let values = parts
                .iter()
                .map(|part| box_value(py, types, *part, rest))
                .collect::<PyResult<Vec<_>>>()?;
            crate::polynomials::box_polynomial(py, &values)?
        }
        TypeKind::Pointer(_) => made::unsigned(py, take()?)?,
        TypeKind::DType(item) => py
            .import("numbra.np.numpy_support")?
            .call_method1("as_dtype", (crate::types_py::to_python(py, *item)?,))?,
        TypeKind::Optional(inner) => {
            let present = take()? as u8 != 0;
            let value = box_value(py, types, *inner, rest);
            if present {
                value?
            } else {
                py.None().into_bound(py)
            }
        }
        TypeKind::List { .. } | TypeKind::Set { .. } => {
            let list = take()? as *mut numbra_runtime::Header;
            // SAFETY: the leaf of a list is a list of this type, which the caller of this keeps.
            unsafe { crate::lists::box_list(py, types, ty, list) }?
        }
        TypeKind::Generator { .. } => {
            let frame = take()? as *mut numbra_runtime::Header;
            // SAFETY: the leaf of a generator is its frame, which the caller of this keeps.
            unsafe { crate::generators::box_generator(py, ty, frame) }?
        }
        TypeKind::Array(array) => {
            let leaves = 2 + 2 * usize::from(array.ndim);
            if rest.len() < leaves {
                return Err(PySystemError::new_err("result block too short"));
            }
            let (mine, tail) = rest.split_at(leaves);
            *rest = tail;
            box_array(py, types, *array, mine)?
        }
        _ => {
            return Err(PyTypeError::new_err(format!(
                "cannot convert native {} to Python object",
                types.display(ty)
            )));
        }
    })
}
