//! Order statistics, averages, histograms, covariances.

use super::reductions;
use super::reductions::accumulator;
use crate::row_macro::{native, on_gpu, ordered};
use crate::rules::{
    NEW, Typed, difference, double, inexact, is_none, is_real, kind, like, new, promoted, scalar,
    time, want,
};
use crate::{Few, Inline, Mismatch, ResultCx, Targets, Threads, TypePattern as P};
use numbra_ir::Type;

library! {
    /// The element in the middle, or the mean of the two there; NaN if there is one or the array is empty.
    fn numpy.median(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_median"), ordered(&[P::Any], median, "numbra_np_median")],
    }
    /// The number that `q` percent of the elements are below, in proportion between two elements.
    fn numpy.percentile(a, q) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Real], "device_percentile"), ordered(&[P::Any, P::Any], quantile, "numbra_np_percentile")],
    }
    /// The number that a fraction `q` of the elements is below, in proportion between two elements.
    fn numpy.quantile(a, q) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Real], "device_quantile"), ordered(&[P::Any, P::Any], quantile, "numbra_np_quantile")],
    }
    /// The greatest element less the smallest.
    fn numpy.ptp(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_ptp"), ordered(&[P::Any], ptp, "numbra_np_ptp")],
    }
    /// Mean, weighted if weights are given.
    fn numpy.average(a, axis = None, weights = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None, P::None], "device_average"), native(&[P::Array, P::None, P::None], reductions::mean, "numbra_np_mean").threads(Threads::Reduction).inline(Inline::Few(Few::Mean)), native(&[P::Any, P::Any, P::Any], average, "numbra_np_average")],
    }
    /// How often each integer from 0 on is among the elements, or the sum of its weights.
    fn numpy.bincount(a, weights = None, minlength = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Int], bincount, "numbra_np_bincount")],
    }
    /// Numbers of elements in bins, and the edges of the bins.
    fn numpy.histogram(a, bins = Int(10), range = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any], histogram, "numbra_np_histogram")],
    }
    /// Covariances of variables, each a row (`rowvar`) or column.
    fn numpy.cov(m, y = None, rowvar = Bool(true), bias = Bool(false), ddof = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            native(&[P::Any, P::Any, P::Integral, P::Integral, P::Any],
                cov,
                "numbra_np_cov",
            ),
        ],
    }
    /// Correlation coefficients of variables, each a row (`rowvar`) or column.
    fn numpy.corrcoef(x, y = None, rowvar = Bool(true)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Integral], corrcoef, "numbra_np_corrcoef")],
    }
}

fn check_real(cx: &ResultCx<'_>, i: usize) -> Result<(), Mismatch> {
    if kind(cx, i)?.is_complex() {
        return Err(Mismatch::error("Not supported for complex dtype"));
    }
    Ok(())
}

/// `np.median(a)`
pub(crate) fn median(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    if let Some(time) = time(cx, dtype) {
        want(!time.is_date, "dates have no mean")?;
        return cx.returns(dtype);
    }
    check_real(cx, 0)?;
    cx.returns(Type::FLOAT64)
}

/// `np.percentile(a, q)` and its kin: a float, or a time of times, for a number `q`, else an array.
pub(crate) fn quantile(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    let at = match time(cx, dtype) {
        Some(_) => dtype,
        None => {
            check_real(cx, 0)?;
            Type::FLOAT64
        }
    };
    check_real(cx, 1)?;
    let (_, ndim) = like(cx, 1)?;
    cx.returns(match ndim {
        0 => at,
        _ => new(cx, at, 1),
    })
}

/// `np.average(a, axis, weights)`: the mean's type, or that of the products over that of the weights' sum.
fn average(cx: &ResultCx<'_>) -> Typed {
    if !is_none(cx, 1) {
        return Err(Mismatch::error("Numba does not support average with axis."));
    }
    let (dtype, _) = like(cx, 0)?;
    if is_none(cx, 2) {
        return cx.returns(inexact(cx, scalar(cx, dtype)?));
    }
    let weights = kind(cx, 2)?;
    let product = scalar(cx, promoted(cx, dtype, cx.types.scalar(weights))?)?;
    cx.returns(if weights.is_float() || weights.is_complex() {
        inexact(cx, product)
    } else {
        double(cx, &[product])
    })
}

/// `np.ptp(a)`
fn ptp(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    if dtype == Type::BOOL {
        return Err(Mismatch::error(
            "Boolean dtype is unsupported (as per NumPy)",
        ));
    }
    if let Some(difference) = difference(cx, dtype) {
        return cx.returns(difference);
    }
    cx.returns(accumulator(cx, dtype)?)
}

/// `np.bincount(a, weights, minlength)`
fn bincount(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("bincount() first argument must be an array"))?;
    if ndim != 1 {
        return Err(Mismatch::error(
            "bincount() first argument must be 1-dimensional",
        ));
    }
    if !scalar(cx, dtype)?.is_int() {
        return Err(Mismatch::error(
            "bincount() first argument must be an integer array",
        ));
    }
    if is_none(cx, 1) {
        return cx.returns(new(cx, Type::INT64, 1));
    }
    let weights =
        like(cx, 1).map_err(|_| Mismatch::error("bincount() weights argument must be an array"))?;
    if weights.1 != 1 {
        return Err(Mismatch::error(
            "bincount() weights argument must be 1-dimensional",
        ));
    }
    if scalar(cx, weights.0)?.is_complex() {
        return Err(Mismatch::rejected("weights are complex"));
    }
    cx.returns(new(cx, Type::FLOAT64, 1))
}

/// `np.histogram(a, bins, range)`
fn histogram(cx: &ResultCx<'_>) -> Typed {
    check_real(cx, 0)?;
    let counts = new(cx, Type::INT64, 1);
    let edges = match like(cx, 1)? {
        (dtype, 0) if scalar(cx, dtype)?.is_int() => new(cx, Type::FLOAT64, 1),
        (dtype, 1) => new(cx, dtype, 1),
        _ => {
            return Err(Mismatch::rejected(
                "bins is an integer or an array with one axis",
            ));
        }
    };
    if !is_none(cx, 2)
        && cx
            .types
            .tuple_items(cx.plain(2))
            .is_none_or(|items| items.len() != 2)
    {
        return Err(Mismatch::rejected("range is a pair of numbers"));
    }
    cx.returns(cx.types.tuple(&[counts, edges]))
}

/// `np.cov`: a matrix, or an array without axes for one variable.
fn cov(cx: &ResultCx<'_>) -> Typed {
    want(
        is_none(cx, 4) || is_real(cx, 4),
        "ddof must be a real numerical scalar type",
    )?;
    let (dtype, single) = covariance(cx)?;
    cx.returns(new(cx, dtype, if single { 0 } else { 2 }))
}

/// `np.corrcoef`: a matrix, or a number for one variable.
fn corrcoef(cx: &ResultCx<'_>) -> Typed {
    let (dtype, single) = covariance(cx)?;
    cx.returns(if single { dtype } else { new(cx, dtype, 2) })
}

/// The element type, and whether there is one variable.
fn covariance(cx: &ResultCx<'_>) -> Result<(Type, bool), Mismatch> {
    let (dtype, ndim) = like(cx, 0).map_err(|_| Mismatch::error("m must be array-like"))?;
    if ndim > 2 {
        return Err(Mismatch::error("m has more than 2 dimensions"));
    }
    let mut kinds = vec![scalar(cx, dtype)?];
    if !is_none(cx, 1) {
        let (other, rank) = like(cx, 1).map_err(|_| Mismatch::error("y must be array-like"))?;
        if rank > 2 {
            return Err(Mismatch::error("y has more than 2 dimensions"));
        }
        kinds.push(scalar(cx, other)?);
    }
    Ok((double(cx, &kinds), ndim < 2 && is_none(cx, 1)))
}
