//! Reductions of arrays. Sums of floats follow NumPy's pairwise order over contiguous runs, so that the bits agree.

use super::numbers;
use crate::row_macro::{native, on_gpu, ordered, rule};
use crate::rules::{array, like, time, to_bool};
use crate::{
    CmpOp, Effects, Few, Inline, Mismatch, Op, ResultCx, Targets, Threads, TypePattern as P,
    dtype_or,
};
use numbra_ir::{Layout, Scalar, Signature, Type, TypeKind};

const REDUCE: Effects = Effects::READ;
const BY_AXIS: Effects = Effects::READ.and(Effects::ALLOC).and(Effects::RAISE);
const NON_EMPTY: Effects = Effects::READ.and(Effects::RAISE);

library! {
    /// Sum of the elements, over all axes, one or a tuple of them. Integers and booleans add in 64 bits.
    fn numpy.sum(a, axis = None, dtype = None) method [array.sum] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None, P::None], "device_sum"), on_gpu(&[P::Array, P::None, P::DTypeLike], "device_sum_as"), on_gpu(&[P::ArrayNd(1), P::Int, P::None], "device_sum_of_axis"), ordered(&[P::Array, P::Any, P::DTypeLike], sum, "numbra_np_sum").threads(Threads::Reduction).inline(Inline::Few(Few::Sum))],
    }
    /// Product of the elements. Integers and booleans multiply in 64 bits.
    fn numpy.prod(a) method [array.prod] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_prod"), native(&[P::Array], prod, "numbra_np_prod").threads(Threads::Reduction).inline(Inline::Few(Few::Product))],
    }
    /// Arithmetic mean; NaN when empty.
    fn numpy.mean(a) method [array.mean] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_mean"), ordered(&[P::Array], mean, "numbra_np_mean").threads(Threads::Reduction).inline(Inline::Few(Few::Mean))],
    }
    /// Variance of the population.
    fn numpy.var(a) method [array.var] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_var"), native(&[P::Array], spread, "numbra_np_var").threads(Threads::Reduction)],
    }
    /// Standard deviation of the population.
    fn numpy.std(a) method [array.std] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_std"), native(&[P::Array], spread, "numbra_np_std").threads(Threads::Reduction)],
    }
    /// The smallest element; NaN if there is one; ValueError when empty.
    fn numpy.min(a) alias [numpy.amin] method [array.min] {
        effects: NON_EMPTY, targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Array], "device_min"),
            ordered(&[P::Array], extreme, "numbra_np_min").threads(Threads::Reduction).inline(Inline::Few(Few::Extreme(CmpOp::Le))),
            rule(&[P::OneOf(&[P::Scalar, P::Time])], numbers::same, Op::Identity),
            native(&[P::Any], extreme_like, "numbra_np_min").threads(Threads::Reduction),
        ],
    }
    /// The greatest element; NaN if there is one; ValueError when empty.
    fn numpy.max(a) alias [numpy.amax] method [array.max] {
        effects: NON_EMPTY, targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Array], "device_max"),
            ordered(&[P::Array], extreme, "numbra_np_max").threads(Threads::Reduction).inline(Inline::Few(Few::Extreme(CmpOp::Ge))),
            rule(&[P::OneOf(&[P::Scalar, P::Time])], numbers::same, Op::Identity),
            native(&[P::Any], extreme_like, "numbra_np_max").threads(Threads::Reduction),
        ],
    }
    /// Position of the first smallest element; ValueError when empty.
    fn numpy.argmin(a, axis = None) method [array.argmin] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_argmin"), on_gpu(&[P::ArrayNd(1), P::Int], "device_argmin_of_axis"), ordered(&[P::Array, P::Any], arg_extreme, "numbra_np_argmin").threads(Threads::Reduction).inline(Inline::Few(Few::Place(CmpOp::Le)))],
    }
    /// Position of the first greatest element; ValueError when empty.
    fn numpy.argmax(a, axis = None) method [array.argmax] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_argmax"), on_gpu(&[P::ArrayNd(1), P::Int], "device_argmax_of_axis"), ordered(&[P::Array, P::Any], arg_extreme, "numbra_np_argmax").threads(Threads::Reduction).inline(Inline::Few(Few::Place(CmpOp::Ge)))],
    }
    /// True if any element is.
    fn numpy.any(a) method [array.any] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_any"), ordered(&[P::Array], to_bool, "numbra_np_any").threads(Threads::Reduction).inline(Inline::Few(Few::Any)), rule(&[P::Scalar], to_bool, Op::Truth)],
    }
    /// True if every element is.
    fn numpy.all(a) method [array.all] {
        effects: REDUCE, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array], "device_all"), ordered(&[P::Array], to_bool, "numbra_np_all").threads(Threads::Reduction).inline(Inline::Few(Few::All)), rule(&[P::Scalar], to_bool, Op::Truth)],
    }
    /// Number of elements that are not zero.
    fn numpy.count_nonzero(a, axis = None) {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::None], "device_count_nonzero"), ordered(&[P::Array, P::Any], count, "numbra_np_count_nonzero").threads(Threads::Reduction)],
    }
    /// Running sums of the elements, in C order or along an axis.
    fn numpy.cumsum(a, axis = None, dtype = None) method [array.cumsum] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Array, P::Any, P::DTypeLike], cumsum, "numbra_np_cumsum")],
    }
    /// Running products of the elements in C order.
    fn numpy.cumprod(a) method [array.cumprod] {
        effects: BY_AXIS, targets: Targets::Cpu,
        bodies: &[native(&[P::Array], cumulative, "numbra_np_cumprod")],
    }
}

/// What sums and products of elements compute in: 64-bit integers, floats as they are.
pub(crate) fn accumulator(cx: &ResultCx<'_>, dtype: Type) -> Result<Type, Mismatch> {
    Ok(match cx.types.as_scalar(dtype) {
        Some(s) if s.is_unsigned_int() => Type::UINT64,
        Some(s) if s.is_int() || s == Scalar::Bool => Type::INT64,
        Some(s) => cx.types.scalar(s),
        None if time(cx, dtype).is_some_and(|time| !time.is_date) => dtype,
        None => return Err(Mismatch::rejected("the elements are no numbers")),
    })
}

/// The sum of durations, which NaT is not left out of, or their mean.
pub(crate) fn duration(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let dtype = array(cx, 0)?.dtype;
    if time(cx, dtype).is_none_or(|time| time.is_date) {
        return Err(Mismatch::rejected("the elements are no durations"));
    }
    cx.returns(dtype)
}

/// `np.sum(a, axis, dtype)`: a scalar without an axis, else one axis less, C.
fn sum(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    let dtype = dtype_or(cx.types, cx.arg(2), accumulator(cx, a.dtype)?)
        .ok_or_else(|| Mismatch::rejected("the dtype is not a known scalar type"))?;
    if cx.can_convert(a.dtype, dtype).is_none() {
        return Err(Mismatch::rejected(
            "the elements do not convert to the dtype",
        ));
    }
    let (axis, ret) = match cx.types.as_scalar(cx.plain(1)) {
        None if cx.plain(1) == Type::NONE => (Type::NONE, dtype),
        Some(s) if s.is_int() => (cx.count(1), drop_axis(cx, a.ndim, dtype)?),
        _ => drop_axes(cx, a.ndim, dtype)?,
    };
    Ok(Signature {
        params: vec![cx.plain(0), axis, cx.arg(2)],
        ret,
    })
}

/// The type of a tuple of axes as an operand, and an array of as many axes less.
fn drop_axes(cx: &ResultCx<'_>, ndim: u8, dtype: Type) -> Result<(Type, Type), Mismatch> {
    let wrong = || Mismatch::rejected("axis is an integer, a tuple of integers or None");
    let items = cx.types.tuple_items(cx.plain(1)).ok_or_else(wrong)?;
    let axes = items.iter().map(|&item| {
        let scalar = cx.types.as_scalar(item).filter(|s| s.is_int());
        scalar.map(|_| crate::pattern::count(cx.types, item))
    });
    let axes: Vec<Type> = axes.collect::<Option<_>>().ok_or_else(wrong)?;
    let left = usize::from(ndim).checked_sub(axes.len()).ok_or_else(|| {
        Mismatch::error(format!(
            "an array of {ndim} axes has not {} to sum over",
            axes.len()
        ))
    })?;
    let ret = match left {
        0 => dtype,
        n => cx.types.array(dtype, n as u8, Layout::C),
    };
    Ok((cx.types.tuple(&axes), ret))
}

/// An array of one axis less; a scalar if none is left.
fn drop_axis(cx: &ResultCx<'_>, ndim: u8, dtype: Type) -> Result<Type, Mismatch> {
    match ndim {
        0 => Err(Mismatch::error("a 0-d array has no axis")),
        1 => Ok(dtype),
        n => Ok(cx.types.array(dtype, n - 1, Layout::C)),
    }
}

/// `np.prod(a)`
fn prod(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(accumulator(cx, array(cx, 0)?.dtype)?)
}

/// `np.cumprod(a)`: flat.
fn cumulative(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let dtype = accumulator(cx, array(cx, 0)?.dtype)?;
    cx.returns(cx.types.array(dtype, 1, Layout::C))
}

/// `np.cumsum(a, axis, dtype)`: flat, or along an axis.
fn cumsum(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    let dtype = dtype_or(cx.types, cx.arg(2), accumulator(cx, a.dtype)?)
        .filter(|ty| cx.can_convert(a.dtype, *ty).is_some())
        .ok_or_else(|| Mismatch::rejected("the elements do not convert to the dtype"))?;
    let (axis, ndim) = match cx.types.as_scalar(cx.plain(1)) {
        None if cx.plain(1) == Type::NONE => (Type::NONE, 1),
        Some(s) if s.is_int() && a.ndim > 0 => (cx.count(1), a.ndim),
        _ => return Err(Mismatch::rejected("axis is an integer or None")),
    };
    Ok(Signature {
        params: vec![cx.plain(0), axis, cx.arg(2)],
        ret: cx.types.array(dtype, ndim, Layout::C),
    })
}

/// `np.mean(a)`: floats as they are, integers in float64.
pub(crate) fn mean(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    match cx.types.as_scalar(a.dtype) {
        Some(s) if s.is_float() || s.is_complex() => cx.returns(a.dtype),
        Some(_) => cx.returns(Type::FLOAT64),
        None => duration(cx),
    }
}

/// `np.var(a)`, `np.std(a)`: float64.
fn spread(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    array(cx, 0)?;
    cx.returns(Type::FLOAT64)
}

/// `np.min(a)`, `np.max(a)`: the element type.
fn extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let dtype = array(cx, 0)?.dtype;
    cx.returns(dtype)
}

/// `np.min(a)`, `np.max(a)` of nested lists and tuples.
fn extreme_like(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, _) = like(cx, 0)?;
    cx.returns(dtype)
}

/// `np.argmin(a, axis)`, `np.argmax(a, axis)`
fn arg_extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    let is_ordered = match cx.types.as_scalar(a.dtype) {
        Some(kind) => !kind.is_complex(),
        None => time(cx, a.dtype).is_some(),
    };
    if !is_ordered {
        return Err(Mismatch::rejected("the elements have no order"));
    }
    by_axis(cx, a.ndim)
}

/// `np.count_nonzero(a, axis)`
fn count(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    by_axis(cx, a.ndim)
}

fn by_axis(cx: &ResultCx<'_>, ndim: u8) -> Result<Signature, Mismatch> {
    let (axis, ret) = match cx.types.kind(cx.plain(1)) {
        TypeKind::None => (Type::NONE, Type::INT64),
        TypeKind::Scalar(s, _) if s.is_int() => (cx.count(1), drop_axis(cx, ndim, Type::INT64)?),
        _ => return Err(Mismatch::error("axis must be an integer")),
    };
    Ok(Signature {
        params: vec![cx.plain(0), axis],
        ret,
    })
}
