//! Types of elements and their limits.

use crate::pattern::{plain, type_of_const};
use crate::row_macro::rule;
use crate::rules::{Typed, dtype_arg};
use crate::{Mismatch, Op, ResultCx, TypePattern as P, named_dtype};
use numbra_ir::{Const, Scalar, Signature, Type, TypeKind, Types};

library! {
    /// The dtype that a class, a constant string or a dtype names.
    fn numpy.dtype(dtype) { bodies: &[rule(&[P::DTypeLike], make_dtype, Op::Identity)] }
    /// Bytes of an element.
    attr dtype.itemsize(a) { bodies: &[rule(&[P::DTypeLike], dtype_itemsize, Op::Constant)] }
    /// Kind of an element: `b`, `i`, `u`, `f`, `c`, `M`, `m`, `S`, `U` or `V`.
    attr dtype.kind(a) { bodies: &[rule(&[P::DTypeLike], dtype_kind, Op::Constant)] }
    /// Character of an element's type: `d` of float64.
    attr dtype.char(a) { bodies: &[rule(&[P::DTypeLike], dtype_char, Op::Constant)] }
    /// Number of an element's type: 12 of float64.
    attr dtype.num(a) { bodies: &[rule(&[P::DTypeLike], dtype_num, Op::Constant)] }
    /// Name of an element's type: `float64`.
    attr dtype.name(a) { bodies: &[rule(&[P::DTypeLike], dtype_name, Op::Constant)] }
    /// Byte order, kind and size of an element: `<f8`.
    attr dtype.str(a) { bodies: &[rule(&[P::DTypeLike], dtype_str, Op::Constant)] }
    /// The scalar class.
    attr dtype.type(a) { bodies: &[rule(&[P::DTypeLike], dtype_type, Op::NoneValue)] }
    /// Limits of an integer type.
    fn numpy.iinfo(int_type) {
        bodies: &[rule(&[P::Any], iinfo, Op::Limits)],
    }
    /// Limits and precision of a float type.
    fn numpy.finfo(dtype) {
        bodies: &[rule(&[P::Any], finfo, Op::Limits)],
    }
}

/// `np.dtype(dtype)`
fn make_dtype(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = dtype_arg(cx, 0, Type::FLOAT64)?;
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx.types.intern(TypeKind::DType(item)),
    })
}

/// Size of an element of a dtype, as a literal.
fn dtype_itemsize(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let size = named_dtype(cx.types, cx.arg(0))
        .and_then(|ty| cx.types.as_scalar(ty))
        .ok_or_else(|| Mismatch::rejected("no scalar dtype"))?
        .size();
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx
            .types
            .intern(TypeKind::Literal(Const::Int(i64::from(size)))),
    })
}

/// A constant that depends on the type of an array's elements; refused where it has none.
fn of_dtype(
    cx: &ResultCx<'_>,
    find: impl FnOnce(&Types, Type) -> Option<Const>,
) -> Result<Signature, Mismatch> {
    let found = named_dtype(cx.types, cx.arg(0)).and_then(|ty| find(cx.types, ty));
    let value = found.ok_or_else(|| Mismatch::rejected("not known of this dtype"))?;
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx.types.intern(TypeKind::Literal(value)),
    })
}

/// NumPy's character for a scalar, its kind and the number of its type.
fn numpy_codes(scalar: Scalar) -> Option<(&'static str, &'static str, i64)> {
    Some(match scalar {
        Scalar::Bool => ("?", "b", 0),
        Scalar::Int8 => ("b", "i", 1),
        Scalar::UInt8 => ("B", "u", 2),
        Scalar::Int16 => ("h", "i", 3),
        Scalar::UInt16 => ("H", "u", 4),
        Scalar::Int32 => ("i", "i", 5),
        Scalar::UInt32 => ("I", "u", 6),
        Scalar::Int64 => ("l", "i", 7),
        Scalar::UInt64 => ("L", "u", 8),
        Scalar::Float16 => ("e", "f", 23),
        Scalar::Float32 => ("f", "f", 11),
        Scalar::Float64 => ("d", "f", 12),
        Scalar::Complex64 => ("F", "c", 14),
        Scalar::Complex128 => ("D", "c", 15),
        Scalar::BFloat16 => return None,
    })
}

/// `dtype.kind`
fn dtype_kind(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        let kind = match types.kind(ty) {
            TypeKind::Datetime(_) => "M",
            TypeKind::Timedelta(_) => "m",
            TypeKind::CharSeq(_) => "S",
            TypeKind::UnicodeCharSeq(_) => "U",
            TypeKind::Record(_) => "V",
            _ => numpy_codes(types.as_scalar(ty)?)?.1,
        };
        Some(Const::Str(kind.into()))
    })
}

/// `dtype.char`
fn dtype_char(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        Some(Const::Str(numpy_codes(types.as_scalar(ty)?)?.0.into()))
    })
}

/// `dtype.num`
fn dtype_num(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        Some(Const::Int(numpy_codes(types.as_scalar(ty)?)?.2))
    })
}

/// `dtype.name`
fn dtype_name(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        types.as_scalar(ty)?;
        Some(Const::Str(types.display(ty).to_string()))
    })
}

/// `dtype.str`
fn dtype_str(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dtype(cx, |types, ty| {
        let scalar = types.as_scalar(ty)?;
        let order = if scalar.size() == 1 { '|' } else { '<' };
        let text = format!("{order}{}{}", numpy_codes(scalar)?.1, scalar.size());
        Some(Const::Str(text))
    })
}

/// The class of a dtype.
fn dtype_type(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = named_dtype(cx.types, cx.arg(0)).ok_or_else(|| Mismatch::rejected("no dtype"))?;
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx.types.intern(TypeKind::NumberClass(item)),
    })
}

/// A field: its name, its type and its value.
type Field = (&'static str, Type, Const);

/// The scalar that a dtype or number means.
fn meant(types: &Types, ty: Type) -> Result<Scalar, Mismatch> {
    let dtype = named_dtype(types, ty).unwrap_or(plain(types, ty));
    types
        .as_scalar(dtype)
        .ok_or_else(|| Mismatch::rejected("the argument is no dtype or number"))
}

fn made(cx: &ResultCx<'_>, name: &str, fields: Vec<Field>) -> Typed {
    let names = fields.iter().map(|field| field.0.to_owned()).collect();
    let types = fields.iter().map(|field| field.1).collect();
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx
            .types
            .intern(TypeKind::NamedTuple(name.to_owned(), names, types)),
    })
}

/// The values of the fields of `np.iinfo` or `np.finfo`, whose result is `ret`, of an argument of type `ty`.
pub fn limits(types: &Types, ty: Type, ret: Type) -> Option<Vec<Const>> {
    let kind = meant(types, ty).ok()?;
    let fields = match types.kind(ret) {
        TypeKind::NamedTuple(name, ..) if name == "iinfo" => of_integer(types, kind),
        _ => of_float(kind),
    };
    Some(fields.ok()?.into_iter().map(|field| field.2).collect())
}

/// `np.iinfo(int_type)`
fn iinfo(cx: &ResultCx<'_>) -> Typed {
    made(
        cx,
        "iinfo",
        of_integer(cx.types, meant(cx.types, cx.arg(0))?)?,
    )
}

/// Numbers of 64 bits, signed unless they are too large.
fn of_integer(types: &Types, kind: Scalar) -> Result<Vec<Field>, Mismatch> {
    if !kind.is_int() {
        return Err(Mismatch::error(format!("Unknown dtype: {}", kind.name())));
    }
    let bits = kind.size() * 8;
    let (low, high) = if kind.is_unsigned_int() {
        let high = u64::MAX >> (64 - bits);
        let high = i64::try_from(high).map_or_else(|_| Const::BigInt(high.into()), Const::Int);
        (Const::Int(0), high)
    } else {
        let high = i64::MAX >> (64 - bits);
        (Const::Int(-high - 1), Const::Int(high))
    };
    let fields = [
        ("min", low),
        ("max", high),
        ("bits", Const::Int(bits.into())),
    ];
    let typed = |(name, value)| (name, type_of_const(types, &value), value);
    Ok(fields.into_iter().map(typed).collect())
}

/// `np.finfo(dtype)`
fn finfo(cx: &ResultCx<'_>) -> Typed {
    made(cx, "finfo", of_float(meant(cx.types, cx.arg(0))?)?)
}

/// Of a complex type those of its parts. Floats are of the type that they are of, but for halves, which numbers are not.
fn of_float(kind: Scalar) -> Result<Vec<Field>, Mismatch> {
    // Bits of the exponent and of the fraction, decimal digits.
    let (own, bits, exponent, fraction, digits) = match kind {
        Scalar::Float32 | Scalar::Complex64 => (Type::FLOAT32, 32, 8, 23, 6),
        Scalar::Float64 | Scalar::Complex128 => (Type::FLOAT64, 64, 11, 52, 15),
        Scalar::Float16 => (Type::FLOAT64, 16, 5, 10, 3),
        kind => return Err(Mismatch::error(format!("Unknown dtype: {}", kind.name()))),
    };
    let power = |n: i32| 2_f64.powi(n);
    let top: i32 = 1 << (exponent - 1);
    let max = (2.0 - power(-fraction)) * power(top - 1);
    let tiny = power(2 - top);
    let float = |name: &'static str, x: f64| (name, own, Const::float(x));
    let int = |name: &'static str, n: i32| (name, Type::INT64, Const::Int(n.into()));
    Ok(vec![
        int("bits", bits),
        float("eps", power(-fraction)),
        float("epsneg", power(-fraction - 1)),
        int("iexp", exponent),
        int("machep", -fraction),
        float("max", max),
        int("maxexp", top),
        float("min", -max),
        int("minexp", 2 - top),
        int("negep", -fraction - 1),
        int("nexp", exponent),
        int("nmant", fraction),
        int("precision", digits),
        float("resolution", format!("1e-{digits}").parse().unwrap_or(0.0)),
        float("tiny", tiny),
        float("smallest_normal", tiny),
        float("smallest_subnormal", tiny * power(-fraction)),
    ])
}
