//! `np.iinfo` and `np.finfo`: named tuples of constants.

use crate::rules::functions::Typed;
use crate::{Mismatch, ResultCx, named_dtype};
use numbra_ir::{Const, Scalar, Signature, Type, TypeKind};

/// The scalar that a dtype or number means.
fn meant(cx: &ResultCx<'_>) -> Result<Scalar, Mismatch> {
    let dtype = named_dtype(cx.types, cx.arg(0)).unwrap_or(cx.plain(0));
    cx.types
        .as_scalar(dtype)
        .ok_or_else(|| Mismatch::rejected("the argument is no dtype or number"))
}

fn constants(cx: &ResultCx<'_>, name: &str, fields: Vec<(&str, Const)>) -> Typed {
    let (names, values): (Vec<&str>, Vec<Const>) = fields.into_iter().unzip();
    let types: Vec<Type> = values
        .into_iter()
        .map(|value| cx.types.intern(TypeKind::Literal(value)))
        .collect();
    let names = names.into_iter().map(str::to_owned).collect();
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx
            .types
            .intern(TypeKind::NamedTuple(name.to_owned(), names, types)),
    })
}

/// `np.iinfo(int_type)`
pub(crate) fn iinfo(cx: &ResultCx<'_>) -> Typed {
    let kind = meant(cx)?;
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
    let bits = Const::Int(bits.into());
    constants(
        cx,
        "iinfo",
        vec![("min", low), ("max", high), ("bits", bits)],
    )
}

/// `np.finfo(dtype)`: of a complex type that of its parts.
pub(crate) fn finfo(cx: &ResultCx<'_>) -> Typed {
    // Bits of the exponent and of the fraction, decimal digits.
    let (bits, exponent, fraction, digits) = match meant(cx)? {
        Scalar::Float32 | Scalar::Complex64 => (32, 8, 23, 6),
        Scalar::Float64 | Scalar::Complex128 => (64, 11, 52, 15),
        Scalar::Float16 => (16, 5, 10, 3),
        kind => return Err(Mismatch::error(format!("Unknown dtype: {}", kind.name()))),
    };
    let power = |n: i32| 2_f64.powi(n);
    let top: i32 = 1 << (exponent - 1);
    let max = (2.0 - power(-fraction)) * power(top - 1);
    let tiny = power(2 - top);
    let float = Const::float;
    let int = |n: i32| Const::Int(n.into());
    constants(
        cx,
        "finfo",
        vec![
            ("bits", int(bits)),
            ("eps", float(power(-fraction))),
            ("epsneg", float(power(-fraction - 1))),
            ("iexp", int(exponent)),
            ("machep", int(-fraction)),
            ("max", float(max)),
            ("maxexp", int(top)),
            ("min", float(-max)),
            ("minexp", int(2 - top)),
            ("negep", int(-fraction - 1)),
            ("nexp", int(exponent)),
            ("nmant", int(fraction)),
            ("precision", int(digits)),
            (
                "resolution",
                float(format!("1e-{digits}").parse().unwrap_or(0.0)),
            ),
            ("tiny", float(tiny)),
            ("smallest_normal", float(tiny)),
            ("smallest_subnormal", float(tiny * power(-fraction))),
        ],
    )
}
