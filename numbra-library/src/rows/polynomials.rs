//! Polynomials.

use crate::row_macro::{native, rule};
use crate::rules::{
    NEW, Typed, inexact, is_int, like, like_of, new, promoted, ranked, scalar, want,
};
use crate::{Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Const, Scalar, Type, TypeKind};

library! {
    /// Coefficients, the lowest first.
    attr polynomial.coef(x) { bodies: &[rule(&[P::Any], polynomial_coef, Op::PolynomialPart(0))] }
    /// The interval that is mapped to the window.
    attr polynomial.domain(x) { bodies: &[rule(&[P::Any], polynomial_domain, Op::PolynomialPart(1))] }
    /// The interval that the domain is mapped to.
    attr polynomial.window(x) { bodies: &[rule(&[P::Any], polynomial_window, Op::PolynomialPart(2))] }
    /// Sum of polynomials by their coefficients.
    fn numpy.polynomial.polynomial.polyadd(c1, c2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], polynomial, "numbra_np_polyadd")],
    }
    /// Difference of polynomials by their coefficients.
    fn numpy.polynomial.polynomial.polysub(c1, c2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], polynomial, "numbra_np_polysub")],
    }
    /// Product of polynomials by their coefficients.
    fn numpy.polynomial.polynomial.polymul(c1, c2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], polynomial, "numbra_np_polymul")],
    }
    /// Quotient and remainder of polynomials by their coefficients.
    fn numpy.polynomial.polynomial.polydiv(c1, c2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], polynomial_pair, "numbra_np_polydiv")],
    }
    /// Integral of a polynomial, `m` times, 0 at 0.
    fn numpy.polynomial.polynomial.polyint(c, m = Int(1)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], polyint, "numbra_np_polyint")],
    }
    /// Values of a polynomial at `x`.
    fn numpy.polynomial.polynomial.polyval(x, c, tensor = Bool(true)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], polyval, "numbra_np_polyval")],
    }
    /// The polynomial of these coefficients, as float64; `domain` and `window` are both given, or both `[-1, 1]`.
    fn numpy.polynomial.polynomial.Polynomial(coef, domain = None, window = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Array, P::Any, P::Any], polynomial_class, "numbra_np_polynomial")],
    }
    /// Each item as an array with one axis, without zeros at the end if `trim`.
    fn numpy.polynomial.polyutils.as_series(alist, trim = Bool(true)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], as_series, "numbra_np_as_series")],
    }
    /// Without zeros at the end; one number at least stays.
    fn numpy.polynomial.polyutils.trimseq(seq) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], trimseq, "numbra_np_trimseq")],
    }
}

fn coefficients(cx: &ResultCx<'_>, i: usize) -> Result<Type, Mismatch> {
    let name = |i: usize| format!("The argument \"c{}\" must be array-like", i + 1);
    let (dtype, ndim) = like(cx, i).map_err(|_| Mismatch::error(name(i)))?;
    if ndim > 1 {
        return Err(Mismatch::error("Coefficient array is not 1-d"));
    }
    Ok(dtype)
}

/// `polyadd`, `polysub`, `polymul`: at least float64.
fn polynomial(cx: &ResultCx<'_>) -> Typed {
    let dtype = promoted(cx, coefficients(cx, 0)?, coefficients(cx, 1)?)?;
    let dtype = inexact(cx, scalar(cx, dtype)?);
    cx.returns(new(cx, dtype, 1))
}

/// `polydiv`
fn polynomial_pair(cx: &ResultCx<'_>) -> Typed {
    let dtype = promoted(cx, coefficients(cx, 0)?, coefficients(cx, 1)?)?;
    let dtype = inexact(cx, scalar(cx, dtype)?);
    let array = new(cx, dtype, 1);
    cx.returns(cx.types.tuple(&[array, array]))
}

/// `Polynomial(coef, domain, window)`
fn polynomial_class(cx: &ResultCx<'_>) -> Typed {
    let array = |i: usize| cx.types.as_array(cx.plain(i));
    let given: Vec<bool> = (1..3).map(|i| cx.plain(i) != Type::NONE).collect();
    if given[0] != given[1] || (given[0] && array(1).is_none_or(|a| a.ndim != 1)) {
        return Err(Mismatch::rejected("domain and window are two arrays"));
    }
    want(
        array(0).is_some_and(|a| a.ndim == 1),
        "Coefficient array is not 1-d",
    )?;
    let ends = if given[0] { Type::FLOAT64 } else { Type::INT64 };
    let (coef, ends) = (new(cx, Type::FLOAT64, 1), new(cx, ends, 1));
    let parts = [coef, ends, ends];
    cx.returns(cx.types.intern(TypeKind::Polynomial(parts)))
}

/// `polynomial.coef`
fn polynomial_coef(cx: &ResultCx<'_>) -> Typed {
    polynomial_part(cx, 0)
}

/// `polynomial.domain`
fn polynomial_domain(cx: &ResultCx<'_>) -> Typed {
    polynomial_part(cx, 1)
}

/// `polynomial.window`
fn polynomial_window(cx: &ResultCx<'_>) -> Typed {
    polynomial_part(cx, 2)
}

fn polynomial_part(cx: &ResultCx<'_>, part: usize) -> Typed {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Polynomial(parts) => cx.returns(parts[part]),
        _ => Err(Mismatch::rejected("no polynomial")),
    }
}

/// `as_series(alist, trim)`: a list of arrays.
fn as_series(cx: &ResultCx<'_>) -> Typed {
    let alist = cx.plain(0);
    let array_like = || Mismatch::error("The argument \"alist\" must be array-like");
    let mut dtype = Type::FLOAT64;
    let mut ndim = 0;
    match cx.types.tuple_items(alist) {
        Some(items) => {
            for item in items {
                let (other, rank) = like_of(cx, item).map_err(|_| array_like())?;
                dtype = promoted(cx, dtype, other)?;
                ndim = ndim.max(rank);
            }
        }
        None => {
            let (other, rank) = like(cx, 0).map_err(|_| array_like())?;
            want(rank > 0, "The argument \"alist\" must be array-like")?;
            (dtype, ndim) = (promoted(cx, dtype, other)?, rank - 1);
        }
    }
    let flag = cx.types.as_scalar(cx.plain(1)) == Some(Scalar::Bool);
    want(flag, "The argument \"trim\" must be boolean")?;
    want(ndim <= 1, "Coefficient array is not 1-d")?;
    cx.returns(cx.types.list(new(cx, dtype, 1)))
}

/// `polyint(c, m)`: along the first axis.
fn polyint(cx: &ResultCx<'_>) -> Typed {
    let c = cx.plain(0);
    let holds = cx.types.as_list(c).is_some() || cx.types.tuple_items(c).is_some();
    let (dtype, ndim) = like(cx, 0).map_err(|_| {
        Mismatch::error(if holds {
            "Input dtype must be scalar."
        } else {
            "The argument \"c\" must be array-like"
        })
    })?;
    want(is_int(cx, 1), "The argument \"m\" must be an integer")?;
    let dtype = inexact(cx, scalar(cx, dtype)?);
    cx.returns(new(cx, dtype, ndim.max(1)))
}

/// `trimseq(seq)`
fn trimseq(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"seq\" must be array-like"))?;
    if cx.types.tuple_items(cx.plain(0)).is_some() {
        return Err(Mismatch::error(format!(
            "Unsupported type {} for argument \"seq\"",
            cx.show(cx.plain(0))
        )));
    }
    want(ndim == 1, "Coefficient array is not 1-d")?;
    cx.returns(new(cx, dtype, 1))
}

/// `polyval(x, c, tensor)`
fn polyval(cx: &ResultCx<'_>) -> Typed {
    let ((x, n), (c, m)) = (
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"x\" must be array-like"))?,
        like(cx, 1).map_err(|_| Mismatch::error("The argument \"c\" must be array-like"))?,
    );
    let tensor = match cx.types.kind(cx.arg(2)) {
        TypeKind::Literal(Const::Bool(v)) | TypeKind::Omitted(Const::Bool(v)) => *v,
        _ => return Err(Mismatch::error("The argument \"tensor\" must be boolean")),
    };
    let columns = m.saturating_sub(1);
    let ndim = if tensor { n + columns } else { n.max(columns) };
    let dtype = promoted(cx, promoted(cx, x, c)?, Type::FLOAT64)?;
    cx.returns(ranked(cx, dtype, ndim))
}
