//! Numbers, booleans, times, and the classes and dtypes of them.

use super::{Args, Edge, Fields, to_python};
use crate::convert::{Boxing, Leaves, Unboxing, Words};
use crate::made;
use crate::numpy::{self, value_of};
use numbra_ir::{Flavor, Scalar, TimeUnit, Type, TypeKind, Types, kinds};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::PyAny;

impl Edge for kinds::Scalar<'_> {
    const WORDS: &'static [&'static str] = &["scalar"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.scalar.name())?;
        fields.push(*self.flavor == Flavor::Python)?;
        fields.push(self.scalar.size() * 8)?;
        Ok("scalar")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        let name: String = args.get(1)?;
        let found = Scalar::named(&name);
        let scalar =
            found.ok_or_else(|| PyValueError::new_err(format!("no scalar type {name}")))?;
        Ok(TypeKind::Scalar(scalar, Flavor::Numpy))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let py = boxing.py;
        let bits = boxing.take()?;
        Ok(match *self.scalar {
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
                return Err(boxing.refuse());
            }
            Scalar::Float32 => made::float(py, f32::from_bits(bits as u32).into())?,
            Scalar::Float64 => made::float(py, f64::from_bits(bits))?,
            Scalar::Complex64 => {
                let imag = f32::from_bits(boxing.take()? as u32);
                made::complex(py, f32::from_bits(bits as u32).into(), imag.into())?
            }
            Scalar::Complex128 => {
                let imag = f64::from_bits(boxing.take()?);
                made::complex(py, f64::from_bits(bits), imag)?
            }
        })
    }

    fn plain(
        &self,
        unboxing: &mut Unboxing<'_>,
        _: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        unbox_scalar(*self.scalar, object, unboxing.words()).map(|()| true)
    }
}

/// The date or duration with a count.
fn time_object<'py>(boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
    let count = boxing.take()? as i64;
    let numpy = boxing.py.import("numpy")?;
    let dtype = numpy::dtype_text(boxing.types, boxing.ty);
    numpy
        .call_method1("int64", (count,))?
        .call_method1("view", (dtype,))
}

fn plain_time(
    kind: &TypeKind,
    unboxing: &mut Unboxing<'_>,
    found: Type,
    object: &Bound<'_, PyAny>,
) -> PyResult<bool> {
    let ty = unboxing.types().intern(kind.clone());
    let count = time_count(unboxing.types(), ty, found, object)?;
    if let Some(count) = count {
        unboxing.number(count as u64);
    }
    Ok(count.is_some())
}

fn unit(args: &Args<'_, '_>) -> PyResult<TimeUnit> {
    let unit: String = args.get(1)?;
    TimeUnit::from_name(&unit)
        .ok_or_else(|| PyValueError::new_err(format!("no unit of time '{unit}'")))
}

impl Edge for kinds::Datetime<'_> {
    const WORDS: &'static [&'static str] = &["datetime"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.unit.name())?;
        Ok("datetime")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Datetime(unit(args)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        time_object(boxing)
    }

    fn plain(
        &self,
        unboxing: &mut Unboxing<'_>,
        found: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        plain_time(self.kind, unboxing, found, object)
    }
}

impl Edge for kinds::Timedelta<'_> {
    const WORDS: &'static [&'static str] = &["timedelta"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.push(self.unit.name())?;
        Ok("timedelta")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::Timedelta(unit(args)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        time_object(boxing)
    }

    fn plain(
        &self,
        unboxing: &mut Unboxing<'_>,
        found: Type,
        object: &Bound<'_, PyAny>,
    ) -> PyResult<bool> {
        plain_time(self.kind, unboxing, found, object)
    }
}

impl Edge for kinds::NumberClass<'_> {
    const WORDS: &'static [&'static str] = &["number_class"];

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.ty)?;
        Ok("number_class")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::NumberClass(args.ty(1)?))
    }
}

impl Edge for kinds::DType<'_> {
    const WORDS: &'static [&'static str] = &["dtype"];
    const HAS_OBJECT: bool = true;

    fn fields(&self, fields: &mut Fields<'_>) -> PyResult<&'static str> {
        fields.ty(*self.ty)?;
        Ok("dtype")
    }

    fn read(_: &str, args: &Args<'_, '_>) -> PyResult<TypeKind> {
        Ok(TypeKind::DType(args.ty(1)?))
    }

    fn to_object<'py>(&self, boxing: &mut Boxing<'_, '_, 'py>) -> PyResult<Bound<'py, PyAny>> {
        let py = boxing.py;
        let item = to_python(py, *self.ty)?;
        py.import("numbra.np.numpy_support")?
            .call_method1("as_dtype", (item,))
    }
}

/// The count of a NumPy date or duration of type `found`, in the unit of `ty`; `None` for what is none.
fn time_count(
    types: &Types,
    ty: Type,
    found: Type,
    object: &Bound<'_, PyAny>,
) -> PyResult<Option<i64>> {
    if !numpy::loaded(object.py())?.is_some_and(|api| api.is_time(object)) {
        return Ok(None);
    }
    if found != ty {
        let dtype = crate::numpy::dtype_text(types, ty);
        let converted = object.call_method1("astype", (dtype,))?;
        return time_count(types, ty, ty, &converted);
    }
    // SAFETY: a NumPy scalar of times has a count of 64 bits as its value, and is alive under the GIL.
    Ok(Some(unsafe { *value_of(object).cast::<i64>() }))
}

/// The value of a Python or NumPy scalar in the representation of `scalar`.
pub(crate) fn unbox_scalar(
    scalar: Scalar,
    object: &Bound<'_, PyAny>,
    out: &mut Leaves,
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
pub(crate) fn numpy_words(scalar: Scalar, object: &Bound<'_, PyAny>) -> Option<[Option<Words>; 2]> {
    let found = numpy::loaded(object.py())
        .ok()??
        .scalar_of_class(object.get_type_ptr())?;
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
