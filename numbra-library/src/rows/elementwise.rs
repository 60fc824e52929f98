//! Functions of each element that are no universal functions, and comparisons of whole arrays.

use super::numbers;
use super::ufuncs::check_output;
use crate::pattern::plain;
use crate::row_macro::{guarded_prelude, native, on_gpu, ordered, prelude, rule};
use crate::rules::{
    NEW, Typed, array, inexact, intern, is_like, is_none, is_real as real, kind, like, new,
    promoted, ranked, shaped, tight, want, want_one_unit,
};
use crate::{Effects, Fill, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{ArrayType, Const, Layout, Scalar, Signature, Type, TypeKind, Types};

library! {
    /// Real parts: a view of a complex array, else the array or number.
    fn numpy.real(val) {
        bodies: &[
            rule(&[P::Array], part, Op::Real),
            rule(&[P::Scalar], numbers::part, Op::Real),
        ],
    }
    /// Imaginary parts: a view of a complex array, else zeros.
    fn numpy.imag(val) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array], imag, Op::Imag),
            rule(&[P::Array], imag_zeros, Op::ArrayNewLike(Fill::Zero)),
            rule(&[P::Scalar], numbers::part, Op::Imag),
        ],
    }
    /// Elements below `a_min` or above `a_max` replaced by these.
    fn numpy.clip(a, a_min, a_max, out = None) method [array.clip] {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Is(Scalar::Float64), P::Real, P::Real, P::None], "device_clip"),
            on_gpu(&[P::Is(Scalar::Float32), P::Is(Scalar::Float32), P::Is(Scalar::Float32), P::None], "device_clip"),
            on_gpu(&[P::Is(Scalar::Int64), P::Is(Scalar::Int64), P::Is(Scalar::Int64), P::None], "device_clip"),
            prelude(&[P::Is(Scalar::Float64), P::Real, P::Real, P::None], "device_clip"),
            prelude(&[P::Is(Scalar::Float32), P::Is(Scalar::Float32), P::Is(Scalar::Float32), P::None], "device_clip"),
            prelude(&[P::Is(Scalar::Int64), P::Is(Scalar::Int64), P::Is(Scalar::Int64), P::None], "device_clip"),
            guarded_prelude(&[P::Array, P::Any, P::Any, P::None], limits_convert, "clip_to_numbers"),
            guarded_prelude(&[P::Array, P::Any, P::Any, P::None], limits_promote, "clip_to_wider_numbers"),
            ordered(&[P::Any, P::Any, P::Any, P::Any], clip, "numbra_np_clip"),
        ],
    }
    /// Rounded to `decimals` digits, ties to even.
    fn numpy.round(a, decimals = Int(0), out = None) alias [numpy.around, numpy.round_] {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Is(Scalar::Float32), P::Int, P::None], "device_round_number"),
            prelude(&[P::Is(Scalar::Float64), P::Int, P::None], "round_number"),
            native(&[P::Any, P::Int, P::Any], round, "numbra_np_round"),
        ],
    }
    /// Whether numbers are equal within a tolerance.
    fn numpy.isclose(a, b, rtol = Float(1e-5), atol = Float(1e-8), equal_nan = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Real, P::Real, P::Real, P::Real, P::Integral], "device_isclose"),
            prelude(&[P::Float, P::Real, P::Float, P::Float, P::Is(Scalar::Bool)], "device_isclose"),
            prelude(&[P::Real, P::Float, P::Float, P::Float, P::Is(Scalar::Bool)], "device_isclose"),
            native(&[P::Any], isclose, "numbra_np_isclose"),
        ],
    }
    /// Whether all numbers are equal within a tolerance.
    fn numpy.allclose(a, b, rtol = Float(1e-5), atol = Float(1e-8), equal_nan = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Array, P::Real, P::Real, P::Integral], "device_allclose"), on_gpu(&[P::Array, P::Real, P::Real, P::Real, P::Integral], "device_allclose_to"), native(&[P::Any], allclose, "numbra_np_allclose")],
    }
    /// Whether arrays have the same shape and elements.
    fn numpy.array_equal(a1, a2) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Array], "device_array_equal"), ordered(&[P::Any, P::Any], array_equal, "numbra_np_array_equal")],
    }
    /// NaN and infinities replaced by finite numbers.
    fn numpy.nan_to_num(x, copy = Bool(true), nan = Float(0.0), posinf = None, neginf = None) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Is(Scalar::Float64), P::Integral, P::Real, P::None, P::None], "device_nan_to_num"),
            prelude(&[P::Is(Scalar::Float64), P::Integral, P::Real, P::None, P::None], "device_nan_to_num"),
            native(
                &[P::Any, P::Integral, P::Real, P::OneOf(&[P::None, P::Real]), P::OneOf(&[P::None, P::Real])],
                nan_to_num,
                "numbra_np_nan_to_num",
            ),
        ],
    }
    /// Angle of complex numbers, in radians or degrees.
    fn numpy.angle(z, deg = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Complex, P::Integral], "device_angle"), prelude(&[P::Complex, P::Integral], "device_angle"), native(&[P::Any, P::Integral], angle, "numbra_np_angle")],
    }
    /// Normalised sinc, `sin(pi x) / (pi x)`, 1 at 0.
    fn numpy.sinc(x) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Is(Scalar::Float64)], "device_sinc"), prelude(&[P::Is(Scalar::Float64)], "device_sinc"), native(&[P::Any], sinc, "numbra_np_sinc")],
    }
    /// Whether numbers have an imaginary part.
    fn numpy.iscomplex(x) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], truth, "numbra_np_iscomplex")],
    }
    /// Whether numbers have no imaginary part.
    fn numpy.isreal(x) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], truth, "numbra_np_isreal")],
    }
    /// Whether numbers are minus infinity.
    fn numpy.isneginf(x, out = None) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], infinite, "numbra_np_isneginf")],
    }
    /// Whether numbers are plus infinity.
    fn numpy.isposinf(x, out = None) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], infinite, "numbra_np_isposinf")],
    }
    /// Whether the argument is a number or string.
    fn numpy.isscalar(element) {
        bodies: &[rule(&[P::Any], is_scalar, Op::Constant)],
    }
    /// Whether the elements are of a complex type.
    fn numpy.iscomplexobj(x) {
        bodies: &[rule(&[P::Any], is_complex, Op::Constant)],
    }
    /// Whether the elements are of a real type.
    fn numpy.isrealobj(x) {
        bodies: &[rule(&[P::Any], is_real, Op::Constant)],
    }
}

/// `x.real`, `x.imag` of an array: a strided view of complex numbers, the array itself of real ones.
pub(crate) fn part(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = array(cx, 0)?;
    let dtype = match cx.types.as_scalar(array.dtype) {
        Some(Scalar::Complex64) => Type::FLOAT32,
        Some(Scalar::Complex128) => Type::FLOAT64,
        _ => return cx.returns(cx.plain(0)),
    };
    cx.returns(intern(
        cx,
        ArrayType {
            dtype,
            layout: Layout::A,
            ..array
        },
    ))
}

/// `x.imag` of a complex array; of a real one there is nothing to view.
pub(crate) fn imag(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.as_scalar(array(cx, 0)?.dtype) {
        Some(s) if s.is_complex() => part(cx),
        _ => Err(Mismatch::rejected("the elements are real")),
    }
}

/// `x.imag` of a real array: zeros that cannot be written.
pub(crate) fn imag_zeros(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(intern(
        cx,
        ArrayType {
            layout: tight(a.layout),
            mutable: false,
            aligned: true,
            ..a
        },
    ))
}

/// Whether the argument is a number or string.
fn is_scalar(cx: &ResultCx<'_>) -> Typed {
    let ty = cx.plain(0);
    let scalar = cx.types.as_scalar(ty).is_some()
        || cx.types.as_time(ty).is_some()
        || matches!(ty, Type::UNICODE | Type::BYTES);
    cx.returns(literal(cx, scalar))
}

/// Whether the elements are of a complex type.
fn is_complex(cx: &ResultCx<'_>) -> Typed {
    let complex = kind(cx, 0)?.is_complex();
    cx.returns(literal(cx, complex))
}

/// Whether the elements are of a real type.
fn is_real(cx: &ResultCx<'_>) -> Typed {
    let complex = kind(cx, 0)?.is_complex();
    cx.returns(literal(cx, !complex))
}

fn literal(cx: &ResultCx<'_>, value: bool) -> Type {
    cx.types.intern(TypeKind::Literal(Const::Bool(value)))
}

/// `np.clip(a, a_min, a_max, out)`
fn clip(cx: &ResultCx<'_>) -> Typed {
    let (dtype, mut ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"a\" must be array-like"))?;
    for (i, name) in [(1, "a_min"), (2, "a_max")] {
        if !is_none(cx, i) {
            let (limit, rank) = like(cx, i).map_err(|_| {
                Mismatch::error(format!("The argument \"{name}\" must be a number"))
            })?;
            want_one_unit(cx, dtype, limit)?;
            ndim = ndim.max(rank);
        }
    }
    if !is_none(cx, 3) {
        array(cx, 3).map_err(|_| {
            Mismatch::error("The argument \"out\" must be an array if it is provided")
        })?;
        want(
            array(cx, 3)?.ndim == ndim,
            "The argument \"out\" must have the same number of dimensions as the argument \"a\"",
        )?;
        check_output(cx, 3, clipped(cx, dtype)?)?;
        return cx.returns(cx.plain(3));
    }
    cx.returns(match cx.types.as_array(cx.plain(0)) {
        Some(a) if a.ndim == ndim => cx.types.array(dtype, ndim, tight(a.layout)),
        Some(_) => new(cx, dtype, ndim),
        None => ranked(cx, dtype, ndim),
    })
}

/// The element type of NumPy's `np.clip`: what the numbers and their limits have in common. An integer has no type of its own
/// beside integers.
fn clipped(cx: &ResultCx<'_>, dtype: Type) -> Result<Type, Mismatch> {
    let whole = |ty| cx.types.as_scalar(ty).is_some_and(Scalar::is_int);
    let mut computed = dtype;
    for i in [1, 2] {
        if is_none(cx, i) || (whole(dtype) && cx.plain(i) == Type::INT64) {
            continue;
        }
        let limit = like(cx, i)?.0;
        if limit != computed {
            computed = promoted(cx, computed, limit)?;
        }
    }
    Ok(computed)
}

/// Whether `np.clip` of an array with axes has limits that are numbers, and their types become the array's without a change
/// of their order among its elements.
fn limits_convert(types: &Types, args: &[Type]) -> bool {
    number_limits(types, args).is_some_and(|(dtype, mut limits)| {
        matches!(dtype, Scalar::Float32 | Scalar::Float64) || limits.all(|limit| limit == dtype)
    })
}

/// Whether `np.clip` of an array of integers has limits that are numbers, all of which have a common type in which none
/// changes, unless it is a float.
fn limits_promote(types: &Types, args: &[Type]) -> bool {
    number_limits(types, args).is_some_and(|(dtype, limits)| {
        let kinds: Vec<Scalar> = limits.chain([dtype]).collect();
        let signed = kinds.iter().any(|kind| kind.is_signed_int());
        dtype.is_int() && !(signed && kinds.contains(&Scalar::UInt64))
    })
}

/// The element type of an array with axes that is kept between numbers, and the types of these, at least one.
fn number_limits<'a>(
    types: &'a Types,
    args: &'a [Type],
) -> Option<(Scalar, impl Iterator<Item = Scalar> + 'a)> {
    let array = types.as_array(*args.first()?).filter(|a| a.ndim > 0)?;
    let dtype = types.as_scalar(array.dtype)?;
    let limits = || {
        let given = args[1..].iter().take(2).map(|ty| plain(types, *ty));
        given.filter(|ty| *ty != Type::NONE)
    };
    let real = |ty: Type| {
        let kind = types.as_scalar(ty);
        kind.is_some_and(|k| matches!(k, Scalar::Float32 | Scalar::Float64) || k.is_int())
    };
    (limits().next().is_some() && limits().all(real))
        .then(|| (dtype, limits().filter_map(|ty| types.as_scalar(ty))))
}

/// `np.round(a, decimals, out)`
fn round(cx: &ResultCx<'_>) -> Typed {
    if !is_none(cx, 2) {
        check_output(cx, 2, like(cx, 0)?.0)?;
        return cx.returns(cx.plain(2));
    }
    let (dtype, _) = like(cx, 0)?;
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.isclose(a, b, ..)`
fn isclose(cx: &ResultCx<'_>) -> Typed {
    check_close(cx)?;
    let ((_, n), (_, m)) = (like(cx, 0)?, like(cx, 1)?);
    // As of a ufunc: the order of the arrays of most axes, if they agree.
    let full: Vec<Layout> = [0, 1]
        .into_iter()
        .filter_map(|i| array(cx, i).ok())
        .filter(|a| a.ndim == n.max(m))
        .map(|a| a.layout)
        .collect();
    if !full.is_empty() && full.iter().all(|layout| *layout == Layout::F) {
        return cx.returns(cx.types.array(Type::BOOL, n.max(m), Layout::F));
    }
    cx.returns(ranked(cx, Type::BOOL, n.max(m)))
}

fn check_close(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    want(
        is_like(cx, 0),
        "The first argument \"a\" must be array-like",
    )?;
    want(
        is_like(cx, 1),
        "The second argument \"b\" must be array-like",
    )?;
    want(
        real(cx, 2),
        "The third argument \"rtol\" must be a floating point",
    )?;
    want(
        real(cx, 3),
        "The fourth argument \"atol\" must be a floating point",
    )?;
    want(
        cx.plain(4) == Type::BOOL,
        "The fifth argument \"equal_nan\" must be a boolean",
    )
}

/// `np.allclose(a, b, ..)`
fn allclose(cx: &ResultCx<'_>) -> Typed {
    check_close(cx)?;
    cx.returns(Type::BOOL)
}

/// `np.array_equal(a1, a2)`
fn array_equal(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0) && is_like(cx, 1),
        "Both arguments to \"array_equals\" must be array-like",
    )?;
    want_one_unit(cx, like(cx, 0)?.0, like(cx, 1)?.0)?;
    cx.returns(Type::BOOL)
}

/// `np.nan_to_num(x, copy, nan, posinf, neginf)`
fn nan_to_num(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)
        .map_err(|_| Mismatch::error("The first argument must be a scalar or an array-like"))?;
    if dtype == Type::BOOL {
        return Err(Mismatch::error(
            "Only Integer, Float, and Complex values are accepted",
        ));
    }
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.angle(z, deg)`: of complex numbers their part type.
fn angle(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0),
        "Argument \"z\" must be a complex or Array[complex]",
    )?;
    let dtype = match kind(cx, 0)? {
        Scalar::Complex64 => Type::FLOAT32,
        Scalar::Complex128 => Type::FLOAT64,
        Scalar::Float32 => Type::FLOAT32,
        _ => Type::FLOAT64,
    };
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.sinc(x)`: floats as they are.
fn sinc(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0),
        "Argument \"x\" must be a Number or array-like",
    )?;
    let dtype = inexact(cx, kind(cx, 0)?);
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.isposinf(x, out)`: of what has a sign.
fn infinite(cx: &ResultCx<'_>) -> Typed {
    if kind(cx, 0)?.is_complex() {
        return Err(Mismatch::error(format!(
            "This operation is not supported for {} values because it would be ambiguous.",
            cx.show(like(cx, 0)?.0)
        )));
    }
    truth(cx)
}

/// A truth value for each number.
fn truth(cx: &ResultCx<'_>) -> Typed {
    if cx.args.len() > 1 && !is_none(cx, 1) {
        check_output(cx, 1, Type::BOOL)?;
        return cx.returns(cx.plain(1));
    }
    cx.returns(shaped(cx, Type::BOOL, 0)?)
}
