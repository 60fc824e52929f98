//! Result types of reductions.

use crate::rules::arrays::array;
use crate::rules::functions::{like, time};
use crate::{Mismatch, ResultCx, dtype_or};
use numbra_ir::{Layout, Scalar, Signature, Type, TypeKind};

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

/// Running sums of durations.
pub(crate) fn durations(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let signature = duration(cx)?;
    let ret = cx.types.array(signature.ret, 1, Layout::C);
    Ok(Signature { ret, ..signature })
}

/// `np.sum(a, axis, dtype)`: a scalar without an axis, else one axis less, C.
pub(crate) fn sum(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn prod(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(accumulator(cx, array(cx, 0)?.dtype)?)
}

/// `np.cumprod(a)`: flat.
pub(crate) fn cumulative(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let dtype = accumulator(cx, array(cx, 0)?.dtype)?;
    cx.returns(cx.types.array(dtype, 1, Layout::C))
}

/// `np.cumsum(a, axis, dtype)`: flat, or along an axis.
pub(crate) fn cumsum(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn spread(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    array(cx, 0)?;
    cx.returns(Type::FLOAT64)
}

/// `np.min(a)`, `np.max(a)`: the element type.
pub(crate) fn extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let dtype = array(cx, 0)?.dtype;
    cx.returns(dtype)
}

/// `np.min(a)`, `np.max(a)` of nested lists and tuples.
pub(crate) fn extreme_like(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, _) = like(cx, 0)?;
    cx.returns(dtype)
}

/// `np.argmin(a, axis)`, `np.argmax(a, axis)`
pub(crate) fn arg_extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn count(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
