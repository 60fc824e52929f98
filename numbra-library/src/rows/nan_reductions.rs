//! Reductions that leave out NaN.

use super::reductions::{accumulator, duration};
use super::{reductions, statistics};
use crate::row_macro::{native, on_gpu, ordered};
use crate::rules::{
    NEW, Typed, double, is_int, is_none, kind, like, new, ranked, scalar, time, want,
};
use crate::{Few, Inline, Mismatch, ResultCx, Targets, Threads, TypePattern as P};
use numbra_ir::{Layout, Signature, Type};

library! {
    /// [`numpy.median`] of the elements that are no NaN.
    fn numpy.nanmedian(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanmedian"), ordered(&[P::Any], statistics::median, "numbra_np_nanmedian")],
    }
    /// [`numpy.percentile`] of the elements that are no NaN.
    fn numpy.nanpercentile(a, q) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Real], "device_nanpercentile"), ordered(&[P::Any, P::Any], statistics::quantile, "numbra_np_nanpercentile")],
    }
    /// [`numpy.quantile`] of the elements that are no NaN.
    fn numpy.nanquantile(a, q) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Real], "device_nanquantile"), ordered(&[P::Any, P::Any], statistics::quantile, "numbra_np_nanquantile")],
    }
    /// The smallest element that is no NaN; ValueError when empty.
    fn numpy.nanmin(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanmin"), ordered(&[P::Any], element, "numbra_np_nanmin")],
    }
    /// The greatest element that is no NaN; ValueError when empty.
    fn numpy.nanmax(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanmax"), ordered(&[P::Any], element, "numbra_np_nanmax")],
    }
    /// Sum of the elements that are no NaN.
    fn numpy.nansum(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nansum"), ordered(&[P::Array], reductions::duration, "numbra_np_nansum"), native(&[P::Any], total, "numbra_np_nansum")],
    }
    /// Product of the elements that are no NaN.
    fn numpy.nanprod(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanprod"), native(&[P::Any], total, "numbra_np_nanprod")],
    }
    /// Running sums in C order that pass NaN over.
    fn numpy.nancumsum(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Array], durations, "numbra_np_nancumsum"), native(&[P::Any], running, "numbra_np_nancumsum")],
    }
    /// Running products in C order that pass NaN over.
    fn numpy.nancumprod(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], running, "numbra_np_nancumprod")],
    }
    /// Mean of the elements that are no NaN.
    fn numpy.nanmean(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_nanmean"), ordered(&[P::Array], reductions::duration, "numbra_np_mean").threads(Threads::Reduction).inline(Inline::Few(Few::Mean)), native(&[P::Any], mean, "numbra_np_nanmean")],
    }
    /// Variance of the elements that are no NaN, with `ddof` fewer in the divisor.
    fn numpy.nanvar(a, axis = None, dtype = None, out = None, ddof = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None, P::None, P::None, P::Real], "device_nanvar"), native(&[P::Any, P::None, P::None, P::None, P::Real], spread, "numbra_np_nanvar")],
    }
    /// Standard deviation of the elements that are no NaN, with `ddof` fewer in the divisor.
    fn numpy.nanstd(a, axis = None, dtype = None, out = None, ddof = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None, P::None, P::None, P::Real], "device_nanstd"), native(&[P::Any, P::None, P::None, P::None, P::Real], spread, "numbra_np_nanstd")],
    }
    /// Position in C order of the first smallest element that is no NaN.
    fn numpy.nanargmin(a, axis = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_nanargmin"), ordered(&[P::Any, P::Any], position, "numbra_np_nanargmin")],
    }
    /// Position in C order of the first greatest element that is no NaN.
    fn numpy.nanargmax(a, axis = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_nanargmax"), ordered(&[P::Any, P::Any], position, "numbra_np_nanargmax")],
    }
}

/// Running sums of durations.
fn durations(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let signature = duration(cx)?;
    let ret = cx.types.array(signature.ret, 1, Layout::C);
    Ok(Signature { ret, ..signature })
}

/// `np.nanmin`, `np.nanmax`: the element type.
fn element(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    cx.returns(dtype)
}

/// `np.nansum`, `np.nanprod`
fn total(cx: &ResultCx<'_>) -> Typed {
    cx.returns(valid_total(cx)?)
}

/// `np.nancumsum`, `np.nancumprod`
fn running(cx: &ResultCx<'_>) -> Typed {
    let dtype = valid_total(cx)?;
    cx.returns(new(cx, dtype, 1))
}

fn valid_total(cx: &ResultCx<'_>) -> Result<Type, Mismatch> {
    accumulator(cx, like(cx, 0)?.0)
}

/// `np.nanmean`: complex128 or float64.
fn mean(cx: &ResultCx<'_>) -> Typed {
    let kinds = [kind(cx, 0)?];
    cx.returns(double(cx, &kinds))
}

/// `np.nanvar`, `np.nanstd`
fn spread(cx: &ResultCx<'_>) -> Typed {
    kind(cx, 0)?;
    if !(1..4).all(|i| is_none(cx, i)) {
        return Err(Mismatch::rejected("axis, dtype and out are not supported"));
    }
    cx.returns(Type::FLOAT64)
}

/// `np.nanargmin`, `np.nanargmax`
fn position(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    if time(cx, dtype).is_none() && scalar(cx, dtype)?.is_complex() {
        return Err(Mismatch::rejected("the elements have no order"));
    }
    if is_none(cx, 1) {
        return cx.returns(Type::INT64);
    }
    want(is_int(cx, 1), "axis must be an integer")?;
    let (_, ndim) = like(cx, 0)?;
    want(ndim > 0, "a 0-d array has no axis")?;
    cx.returns(ranked(cx, Type::INT64, ndim - 1))
}
