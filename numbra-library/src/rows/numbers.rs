//! Classes of numbers as functions, which convert (`np.float32(x)`: values wrap and truncate), and attributes of numbers.

use super::text;
use crate::row_macro::{guarded_native, native, rule};
use crate::rules::{scalar_at, to_int64};
use crate::{Body, Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P, named_dtype};
use numbra_ir::{Scalar, Signature, Type, Types};

library! {
    /// Real part.
    attr complex.real(x) alias [float.real, int.real] {
        bodies: &[rule(&[P::Scalar], part, Op::Real)],
    }
    /// Imaginary part; 0 for real numbers.
    attr complex.imag(x) alias [float.imag, int.imag] {
        bodies: &[rule(&[P::Scalar], part, Op::Imag)],
    }
    /// Complex conjugate.
    method complex.conjugate(x) alias [float.conjugate, int.conjugate] {
        bodies: &[rule(&[P::Scalar], same, Op::Conjugate)],
    }
    /// The same bits as another type of the same width.
    method float.view(x, dtype) alias [int.view] {
        bodies: &[rule(&[P::Real, P::Any], view, Op::Reinterpret)],
    }
    /// The number itself.
    method complex.item(x) alias [float.item, int.item, bool.item] {
        bodies: &[rule(&[P::Scalar], same, Op::Identity)],
    }
    /// Converts to an integer, truncating; an integer keeps its type. Of text the integer that it says, to a base from 2 to 36 or,
    /// for 0, by its prefix; OverflowError for one that is no `int64`.
    fn builtins.int(x = Int(0), base = Unset) {
        effects: Effects::RAISE,
        bodies: &[
            rule(&[P::Scalar], int, Op::Convert),
            rule(&[P::Duration], to_int64, Op::Convert),
            guarded_native(&[P::AnyText], is_one, int_of_text, "numbra_np_str_int"),
            native(&[P::AnyText, P::Int], int_of_text, "numbra_np_str_int_base"),
        ],
    }
    /// Converts to a float; float32 stays float32. Of text the number that it says.
    fn builtins.float(x = Float(0.0)) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Scalar], float, Op::Convert), native(&[P::AnyText], float_of_text, "numbra_np_str_float")],
    }
    /// A complex number from one number or from its two parts.
    fn builtins.complex(real = Float(0.0), imag = Unset) {
        bodies: &[
            rule(&[P::Real, P::Real], complex_parts, Op::MakeComplex),
            rule(&[P::Scalar], complex, Op::Convert),
        ],
    }
    /// Converts a number to bool.
    fn numpy.bool_(x) alias [numpy.bool] { bodies: &[rule(&[P::ArrayLike], bool_, Op::Truth)] }
    /// Converts a number to int8.
    fn numpy.int8(x) alias [numpy.byte] { bodies: &[rule(&[P::ArrayLike], int8, Op::Convert)] }
    /// Converts a number to int16.
    fn numpy.int16(x) alias [numpy.short] { bodies: &[rule(&[P::ArrayLike], int16, Op::Convert)] }
    /// Converts a number to int32.
    fn numpy.int32(x) alias [numpy.intc] { bodies: &[rule(&[P::ArrayLike], int32, Op::Convert)] }
    /// Converts a number to int64.
    fn numpy.int64(x) alias [numpy.int_, numpy.intp, numpy.longlong] { bodies: &[rule(&[P::ArrayLike], int64, Op::Convert)] }
    /// Converts a number to uint8.
    fn numpy.uint8(x) alias [numpy.ubyte] { bodies: &[rule(&[P::ArrayLike], uint8, Op::Convert)] }
    /// Converts a number to uint16.
    fn numpy.uint16(x) alias [numpy.ushort] { bodies: &[rule(&[P::ArrayLike], uint16, Op::Convert)] }
    /// Converts a number to uint32.
    fn numpy.uint32(x) alias [numpy.uintc] { bodies: &[rule(&[P::ArrayLike], uint32, Op::Convert)] }
    /// Converts a number to uint64.
    fn numpy.uint64(x) alias [numpy.uint, numpy.uintp, numpy.ulonglong] { bodies: &[rule(&[P::ArrayLike], uint64, Op::Convert)] }
    /// Converts a number to float16, on GPUs.
    fn numpy.float16(x) alias [numpy.half] {
        targets: Targets::Gpu, bodies: &[Body { on: Targets::Gpu, ..rule(&[P::Scalar], float16, Op::Convert) }],
    }
    /// Converts a number to float32.
    fn numpy.float32(x) alias [numpy.single] { bodies: &[rule(&[P::ArrayLike], float32, Op::Convert)] }
    /// Converts a number to float64.
    fn numpy.float64(x) alias [numpy.double] { bodies: &[rule(&[P::ArrayLike], float64, Op::Convert)] }
    /// Converts a number to complex64.
    fn numpy.complex64(x) alias [numpy.csingle] { bodies: &[rule(&[P::ArrayLike], complex64, Op::Convert)] }
    /// Converts a number to complex128.
    fn numpy.complex128(x) alias [numpy.cdouble] { bodies: &[rule(&[P::ArrayLike], complex128, Op::Convert)] }
}

/// True for a call without a base.
fn is_one(_: &Types, args: &[Type]) -> bool {
    args.len() == 1
}

/// `int(text, base)`
fn int_of_text(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_text(cx, Type::INT64)
}

/// `float(text)`
fn float_of_text(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_text(cx, Type::FLOAT64)
}

/// What a text says.
fn of_text(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    Ok(Signature {
        ret,
        ..text::to_text(cx)?
    })
}

/// `int(x)`: an integer keeps its type.
fn int(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if cx.args.len() > 1 {
        let message = "int() can't convert non-string with explicit base";
        return Err(Mismatch::error(message));
    }
    match scalar_at(cx, 0)? {
        s if s.is_int() => cx.returns(cx.types.scalar(s)),
        s if s.is_complex() => Err(Mismatch::rejected("a complex number has no integer value")),
        _ => cx.returns(Type::INT64),
    }
}

/// `float(x)`: float32 stays float32.
fn float(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match scalar_at(cx, 0)? {
        s if s.is_float() => cx.returns(cx.types.scalar(s)),
        s if s.is_complex() => Err(Mismatch::rejected("a complex number has no float value")),
        _ => cx.returns(Type::FLOAT64),
    }
}

/// `complex(x)`: float32 gives complex64.
fn complex(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match scalar_at(cx, 0)? {
        Scalar::Float32 => cx.returns(Type::COMPLEX64),
        _ => cx.returns(Type::COMPLEX128),
    }
}

/// `complex(x, y)` of real numbers: complex64 for two float32, else complex128.
fn complex_parts(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (part, ret) = match (scalar_at(cx, 0)?, scalar_at(cx, 1)?) {
        (Scalar::Float32, Scalar::Float32) => (Type::FLOAT32, Type::COMPLEX64),
        _ => (Type::FLOAT64, Type::COMPLEX128),
    };
    Ok(Signature {
        params: vec![part; 2],
        ret,
    })
}

/// `x.real`, `x.imag` of a number: the part type; a real number's own type.
pub(crate) fn part(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match scalar_at(cx, 0)? {
        Scalar::Complex64 => cx.returns(Type::FLOAT32),
        Scalar::Complex128 => cx.returns(Type::FLOAT64),
        s => cx.returns(cx.types.scalar(s)),
    }
}

/// `x.view(dtype)`
fn view(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let from = scalar_at(cx, 0)?;
    let Some(to) = named_dtype(cx.types, cx.arg(1)) else {
        return Err(Mismatch::rejected("the dtype is not a known scalar type"));
    };
    match cx.types.as_scalar(to) {
        Some(s) if s.size() == from.size() && !s.is_complex() => Ok(Signature {
            params: vec![cx.plain(0), cx.arg(1)],
            ret: to,
        }),
        _ => Err(Mismatch::error(
            "Changing the dtype of a 0d array is only supported if the itemsize is unchanged",
        )),
    }
}

/// A scalar class does not convert arrays.
fn cast_of_array(cx: &ResultCx<'_>, to: Type) -> Mismatch {
    Mismatch::error(format!(
        "Casting {} to {} directly is unsupported.",
        cx.show(cx.plain(0)),
        cx.show(to)
    ))
}

/// The argument's own type.
pub(crate) fn same(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.plain(0))
}

macro_rules! classes {
    ($($name:ident => $ty:ident;)*) => {
        $(/// A call of this scalar class.
        pub(crate) fn $name(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
            match cx.types.as_array(cx.plain(0)) {
                Some(_) => Err(cast_of_array(cx, Type::$ty)),
                None => cx.returns(Type::$ty),
            }
        })*
    };
}

classes! {
    bool_ => BOOL; int8 => INT8; int16 => INT16; int32 => INT32; int64 => INT64;
    uint8 => UINT8; uint16 => UINT16; uint32 => UINT32; uint64 => UINT64;
    float16 => FLOAT16; float32 => FLOAT32; float64 => FLOAT64; complex64 => COMPLEX64; complex128 => COMPLEX128;
    bfloat16 => BFLOAT16;
}
