//! Differences, integrals, interpolation, convolution.

use crate::row_macro::{native, on_gpu, ordered};
use crate::rules::{
    NEW, Typed, difference, double, inexact, is_array, is_int, is_none, kind, like, literal_int,
    new, promoted, ranked, scalar, shaped, want, want_one_unit,
};
use crate::{Mismatch, ResultCx, Targets, TypePattern as P};
use numbra_ir::Type;

library! {
    /// Differences of neighbours along the last axis, `n` times.
    fn numpy.diff(a, n = Int(1)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Int], diff, "numbra_np_diff")],
    }
    /// Differences of neighbours in C order, with numbers before and after.
    fn numpy.ediff1d(ary, to_end = None, to_begin = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any, P::Any], ediff1d, "numbra_np_ediff1d")],
    }
    /// Integral along the last axis by trapezoids.
    fn numpy.trapezoid(y, x = None, dx = Float(1.0)) alias [numpy.trapz] {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::ArrayNd(1), P::None, P::Real], "device_trapezoid"), on_gpu(&[P::ArrayNd(1), P::ArrayNd(1), P::Real], "device_trapezoid_over"), native(&[P::Any, P::Any, P::Scalar], trapezoid, "numbra_np_trapezoid")],
    }
    /// Values at `x` of the straight lines between the points (`xp`, `fp`).
    fn numpy.interp(x, xp, fp) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Real, P::ArrayNd(1), P::ArrayNd(1)], "device_interp"), native(&[P::Any, P::Any, P::Any], interp, "numbra_np_interp")],
    }
    /// Discrete convolution: `full`, `same` or `valid`.
    fn numpy.convolve(a, v, mode = Str("full")) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], slide, "numbra_np_convolve")],
    }
    /// Cross-correlation: `full`, `same` or `valid`.
    fn numpy.correlate(a, v, mode = Str("valid")) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], slide, "numbra_np_correlate")],
    }
    /// Jumps of more than half a period along the last axis taken out.
    fn numpy.unwrap(p, discont = None, axis = Int(-1), period = Float(std::f64::consts::TAU)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Any], unwrap, "numbra_np_unwrap"),
        ],
    }
}

/// `np.diff(a, n)`
fn diff(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    if ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    let dtype = difference(cx, dtype).unwrap_or(dtype);
    cx.returns(new(cx, dtype, ndim))
}

/// `np.ediff1d(ary, to_end, to_begin)`
fn ediff1d(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    if dtype == Type::BOOL {
        return Err(Mismatch::error(
            "Boolean dtype is unsupported (as per NumPy)",
        ));
    }
    let dtype = difference(cx, dtype).unwrap_or(dtype);
    for (i, name) in [(1, "to_end"), (2, "to_begin")] {
        if is_none(cx, i) {
            continue;
        }
        let (other, _) = like(cx, i)?;
        want_one_unit(cx, dtype, other)?;
        if cx.can_convert(other, dtype).is_none() {
            return Err(Mismatch::error(format!(
                "dtype of {name} must be compatible with input ary"
            )));
        }
    }
    cx.returns(new(cx, dtype, 1))
}

/// `np.trapezoid(y, x, dx)`: over the last axis.
fn trapezoid(cx: &ResultCx<'_>) -> Typed {
    let (y, ndim) = like(cx, 0).map_err(|_| Mismatch::error("y must be array-like"))?;
    want(ndim > 0 || is_array(cx, 0), "y cannot be a scalar")?;
    want(ndim > 0, "y cannot be 0D")?;
    let mut kinds = vec![scalar(cx, y)?, kind(cx, 2)?];
    if !is_none(cx, 1) {
        kinds.push(kind(cx, 1)?);
    }
    cx.returns(ranked(cx, double(cx, &kinds), ndim - 1))
}

/// `np.interp(x, xp, fp)`
fn interp(cx: &ResultCx<'_>) -> Typed {
    if like(cx, 1)?.1 != 1 {
        return Err(Mismatch::error("xp must be 1D"));
    }
    let (fp, rank) = like(cx, 2)?;
    if rank != 1 {
        return Err(Mismatch::error("fp must be 1D"));
    }
    if kind(cx, 1)?.is_complex() || kind(cx, 0)?.is_complex() {
        return Err(Mismatch::error(
            "Cannot cast array data from complex dtype to float64 dtype",
        ));
    }
    let dtype = double(cx, &[scalar(cx, fp)?]);
    cx.returns(shaped(cx, dtype, 0)?)
}

/// `np.convolve(a, v, mode)`, `np.correlate(a, v, mode)`
fn slide(cx: &ResultCx<'_>) -> Typed {
    let ((a, n), (v, m)) = (like(cx, 0)?, like(cx, 1)?);
    if n != 1 || m != 1 {
        return Err(Mismatch::error("only supported on 1D arrays"));
    }
    if cx.plain(2) != Type::UNICODE {
        return Err(Mismatch::rejected("mode is a string"));
    }
    let dtype = promoted(cx, a, v)?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.unwrap(p, discont, axis, period)`
fn unwrap(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"p\" must be array-like"))?;
    want(
        ndim > 0,
        "diff requires input that is at least one dimensional",
    )?;
    want(
        is_none(cx, 1) || cx.types.as_scalar(cx.plain(1)).is_some(),
        "The argument \"discont\" must be a scalar",
    )?;
    want(is_int(cx, 2), "The argument \"axis\" must be an integer")?;
    want(
        cx.types.as_scalar(cx.plain(3)).is_some(),
        "The argument \"period\" must be a scalar",
    )?;
    want(
        literal_int(cx, 2).is_none_or(|axis| axis == -1),
        "Value for argument \"axis\" is not supported",
    )?;
    let kind = scalar(cx, dtype)?;
    if kind.is_complex() {
        return Err(Mismatch::rejected("p is complex"));
    }
    let dtype = if kind.is_int() && is_int(cx, 3) {
        Type::INT64
    } else {
        inexact(cx, kind)
    };
    cx.returns(new(cx, dtype, ndim))
}
