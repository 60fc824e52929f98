//! From Python objects to leaves, for what entry wrappers do not recognise inline.

use super::abi::{Words, guarded_with_gil};
use super::text;
use crate::layout as at;
use crate::numpy::{self, ArrayObject, value_of};
use crate::session::{helper_types, type_of_code};
use crate::typeof_::typeof_object;
use numbra_ir::lattice::can_convert;
use numbra_ir::{Const, Scalar, Type, TypeKind, Types};
use pyo3::exceptions::PyTypeError;
use pyo3::ffi::{self, PyObject};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyTuple};
use std::cell::Cell;
use std::ffi::c_int;

thread_local! {
    /// Set while a dispatcher calls an entry whose types the arguments only convert to.
    static LENIENT: Cell<bool> = const { Cell::new(false) };
    /// Why the last value that has the right type could not be unboxed.
    static UNBOX_ERROR: Cell<Option<PyErr>> = const { Cell::new(None) };
}

/// Why an entry missed an argument of its parameter's type, if that is why it did.
pub(crate) fn take_unbox_error() -> Option<PyErr> {
    UNBOX_ERROR.take()
}

/// Says why an argument of its parameter's type cannot be unboxed.
pub(crate) fn set_unbox_error(error: PyErr) {
    UNBOX_ERROR.set(Some(error));
}

/// Says whether `numbra_py_unbox` may convert arguments; what held before.
pub(crate) fn set_lenient(lenient: bool) -> bool {
    LENIENT.replace(lenient)
}

/// Runs `call` with argument conversion allowed in `numbra_py_unbox`.
pub(crate) fn leniently<R>(call: impl FnOnce() -> R) -> R {
    struct Reset(bool);
    impl Drop for Reset {
        fn drop(&mut self) {
            LENIENT.set(self.0);
        }
    }
    let _reset = Reset(LENIENT.replace(true));
    call()
}

/// True while arguments may be converted to the parameter's type.
pub(super) fn is_lenient() -> bool {
    LENIENT.get()
}

/// `numbra_py_unbox(object, type, leaves) -> hit`: fills the leaves of `object` as `type`; 0 when it is not of that type.
/// The owner leaf of an array or record is left to the caller.
///
/// # Safety
/// Called by entry wrappers: the GIL is held, `object` is alive, `block` has room for the type's leaves.
pub(crate) unsafe extern "C" fn numbra_py_unbox(
    object: *mut PyObject,
    code: u64,
    block: *mut Words,
) -> c_int {
    let run = |py: Python<'_>| {
        // SAFETY: the wrapper's argument array keeps the object alive.
        let object = unsafe { Bound::from_borrowed_ptr(py, object) };
        let mut leaves = Vec::new();
        match unbox(
            &helper_types(),
            type_of_code(code),
            &object,
            LENIENT.get(),
            &mut leaves,
        ) {
            Ok(true) => {
                for (index, leaf) in leaves.into_iter().enumerate() {
                    // SAFETY: the wrapper sized the block for the leaves of this type.
                    unsafe { *block.add(index) = leaf };
                }
                1
            }
            Ok(false) => 0,
            Err(error) => {
                UNBOX_ERROR.set(Some(error));
                0
            }
        }
    };
    // SAFETY: the wrapper runs with the GIL held.
    unsafe { guarded_with_gil(0, run) }
}

/// Appends the leaves of `object` as `ty`; false when it is not of that type.
pub(crate) fn unbox(
    types: &Types,
    ty: Type,
    object: &Bound<'_, PyAny>,
    lenient: bool,
    out: &mut Vec<Words>,
) -> PyResult<bool> {
    if let TypeKind::Optional(inner) = types.kind(ty) {
        if object.is_none() {
            let mut probe = vec![[0, 0]];
            let count = numbra_lower::lowering::leaves(types, *inner)
                .map_err(PyTypeError::new_err)?
                .len();
            probe.resize(1 + count, [0, 0]);
            out.extend(probe);
            return Ok(true);
        }
        out.push([1, 0]);
        return unbox(types, *inner, object, lenient, out);
    }
    if matches!(types.kind(ty), TypeKind::NamedTuple(..))
        && typeof_object(types, object)? != Some(ty)
    {
        return Ok(false);
    }
    if let (Some(items), Ok(tuple)) = (types.tuple_items(ty), object.cast::<PyTuple>()) {
        if items.len() != tuple.len() {
            return Ok(false);
        }
        for (item, element) in items.iter().zip(tuple.iter()) {
            if !unbox(types, *item, &element, lenient, out)? {
                return Ok(false);
            }
        }
        return Ok(true);
    }
    if let TypeKind::Literal(value) = types.kind(ty) {
        // Nothing to pass: the entry is for this value only.
        return Ok(crate::typeof_::constant_of(object).as_ref() == Some(value));
    }
    let Some(found) = typeof_object(types, object)? else {
        return Ok(false);
    };
    let matches = found == ty || (lenient && can_convert(types, found, ty).is_some());
    if !matches {
        return Ok(false);
    }
    match types.kind(ty) {
        TypeKind::Scalar(scalar, _) => unbox_scalar(*scalar, object, out).map(|()| true),
        TypeKind::EnumMember { dtype, .. } => {
            unbox(types, *dtype, &object.getattr("value")?, lenient, out)
        }
        TypeKind::Array(_) => {
            // SAFETY: `typeof` found an array type, of this rank, only for an `ndarray`.
            unsafe { array_leaves(object.as_ptr().cast(), out) };
            Ok(true)
        }
        TypeKind::Datetime(_) | TypeKind::Timedelta(_) => {
            out.push([time_count(types, ty, found, object)? as u64, 0]);
            Ok(true)
        }
        TypeKind::Generator { .. } => match crate::generators::frame_of(ty, object) {
            Some(frame) => {
                out.push([frame as u64, 0]);
                Ok(true)
            }
            None => Ok(false),
        },
        TypeKind::Record(_) => {
            // SAFETY: `typeof` found a record type only for a structured scalar, which is alive under the GIL.
            let data = unsafe {
                object
                    .as_ptr()
                    .cast::<u8>()
                    .add(at::VOID_DATA)
                    .cast::<u64>()
                    .read()
            };
            out.extend([[data, 0], [0, 0]]);
            Ok(true)
        }
        TypeKind::None | TypeKind::Ellipsis => Ok(true),
        TypeKind::FunctionType { .. } => match crate::host::function_pointer(types, object)? {
            Some((_, Const::Int(address))) => {
                out.push([address as u64, 0]);
                Ok(true)
            }
            _ => Ok(false),
        },
        TypeKind::RandomGenerator => crate::random::leaves(object, out).map(|()| true),
        TypeKind::Unicode => {
            out.extend(text::leaves(object));
            Ok(true)
        }
        TypeKind::Slice2 | TypeKind::Slice3 => {
            let part = |name: &str, default: i64| -> PyResult<i64> {
                let part = object.getattr(name)?;
                if part.is_none() {
                    Ok(default)
                } else {
                    part.extract()
                }
            };
            let step = part("step", 1)?;
            let (start, stop) = if step >= 0 {
                (0, i64::MAX)
            } else {
                (i64::MAX, i64::MIN)
            };
            for value in [part("start", start)?, part("stop", stop)?] {
                out.push([value as u64, 0]);
            }
            if matches!(types.kind(ty), TypeKind::Slice3) {
                out.push([step as u64, 0]);
            }
            Ok(true)
        }
        _ => Ok(numbra_lower::lowering::leaves(types, ty).is_ok_and(|l| l.is_empty())),
    }
}

/// The count of a NumPy date or duration of type `found`, in the unit of `ty`.
fn time_count(types: &Types, ty: Type, found: Type, object: &Bound<'_, PyAny>) -> PyResult<i64> {
    if found != ty {
        let dtype = crate::numpy::dtype_text(types, ty);
        let converted = object.call_method1("astype", (dtype,))?;
        return time_count(types, ty, ty, &converted);
    }
    // SAFETY: `typeof` found the type of a NumPy scalar of times, whose value is a count of 64 bits, for an object alive
    // under the GIL.
    Ok(unsafe { *value_of(object).cast::<i64>() })
}

/// The value of a Python or NumPy scalar in the representation of `scalar`.
pub(crate) fn unbox_scalar(
    scalar: Scalar,
    object: &Bound<'_, PyAny>,
    out: &mut Vec<Words>,
) -> PyResult<()> {
    if let Some(words) = numpy_words(scalar, object) {
        out.extend(words.into_iter().flatten());
    } else if scalar == Scalar::Bool {
        out.push([u64::from(object.is_truthy()?), 0]);
    } else if scalar.is_int() {
        // The low bits of the integer part, as Numba takes them.
        // SAFETY: `object` is alive under the GIL.
        let number = unsafe {
            Bound::from_owned_ptr_or_err(object.py(), ffi::PyNumber_Long(object.as_ptr()))
        }?;
        let bits = if scalar.is_unsigned_int() {
            number.extract::<u64>()?
        } else {
            number.extract::<i64>()? as u64
        };
        out.push([bits, 0]);
    } else if scalar.is_float() || scalar == Scalar::BFloat16 {
        let value: f64 = object.extract()?;
        let bits = match scalar {
            Scalar::Float32 => u64::from((value as f32).to_bits()),
            Scalar::Float64 => value.to_bits(),
            _ => {
                let name = scalar.name();
                return Err(PyTypeError::new_err(format!(
                    "{name} values cannot be passed"
                )));
            }
        };
        out.push([bits, 0]);
    } else {
        // SAFETY: `object` is alive under the GIL.
        let value = unsafe { ffi::PyComplex_AsCComplex(object.as_ptr()) };
        if value.real == -1.0 && PyErr::occurred(object.py()) {
            return Err(PyErr::fetch(object.py()));
        }
        for part in [value.real, value.imag] {
            let bits = if scalar == Scalar::Complex64 {
                u64::from((part as f32).to_bits())
            } else {
                part.to_bits()
            };
            out.push([bits, 0]);
        }
    }
    Ok(())
}

/// The value of a NumPy scalar of exactly this type, as its leaves.
fn numpy_words(scalar: Scalar, object: &Bound<'_, PyAny>) -> Option<[Option<Words>; 2]> {
    let found = numpy::loaded()?.scalar_of_class(object.get_type_ptr())?;
    if found != scalar || scalar == Scalar::Float16 {
        return None;
    }
    let value = value_of(object);
    let one = |bits: u64| [Some([bits, 0]), None];
    // SAFETY: the object is alive under the GIL, and its value is of this type.
    Some(unsafe {
        match (scalar, scalar.size()) {
            (Scalar::Complex64, _) => {
                let [re, im] = *value.cast::<[u32; 2]>();
                [Some([u64::from(re), 0]), Some([u64::from(im), 0])]
            }
            (Scalar::Complex128, _) => {
                let [re, im] = *value.cast::<[u64; 2]>();
                [Some([re, 0]), Some([im, 0])]
            }
            (s, 1) if s.is_signed_int() => one(i64::from(*value.cast::<i8>()) as u64),
            (s, 2) if s.is_signed_int() => one(i64::from(*value.cast::<i16>()) as u64),
            (s, 4) if s.is_signed_int() => one(i64::from(*value.cast::<i32>()) as u64),
            (_, 1) => one(u64::from(*value)),
            (_, 2) => one(u64::from(*value.cast::<u16>())),
            (_, 4) => one(u64::from(*value.cast::<u32>())),
            _ => one(*value.cast::<u64>()),
        }
    })
}

/// Leaves of an array but the owner, whose place is filled with zero.
///
/// # Safety
/// `array` is an `ndarray`, alive under the GIL.
pub(crate) unsafe fn array_leaves(array: *const ArrayObject, out: &mut Vec<Words>) {
    // SAFETY: by contract.
    let array = unsafe { &*array };
    let ndim = usize::try_from(array.nd).unwrap_or(0);
    out.push([array.data as u64, 0]);
    out.push([0, 0]);
    for axis in 0..ndim {
        // SAFETY: an array has `nd` dimensions and strides.
        out.push([unsafe { *array.dimensions.add(axis) } as u64, 0]);
    }
    for axis in 0..ndim {
        // SAFETY: as above.
        out.push([unsafe { *array.strides.add(axis) } as u64, 0]);
    }
}
