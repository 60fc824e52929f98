//! `np.iinfo` and `np.finfo`: named tuples of constants, which [`crate::Op::Limits`] makes.

use crate::pattern::{plain, type_of_const};
use crate::rules::functions::Typed;
use crate::{Mismatch, ResultCx, named_dtype};
use numbra_ir::{Const, Scalar, Signature, Type, TypeKind, Types};

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
pub(crate) fn iinfo(cx: &ResultCx<'_>) -> Typed {
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
pub(crate) fn finfo(cx: &ResultCx<'_>) -> Typed {
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
