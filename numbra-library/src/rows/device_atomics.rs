//! Atomic operations of kernels.

use super::device::fixed;
use super::subscripts;
use crate::pattern::plain;
use crate::row_macro::rule;
use crate::rules::{array, check_mutable};
use crate::{Atomic, DeviceFn as D, Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Scalar, Signature, Type};

const ATOMIC: Effects = Effects::READ.and(Effects::WRITE);

library! {
    /// `array[index] += value` at once; the old element.
    fn numbra.cuda.atomic.add(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_sum, Op::Device(D::Atomic(Atomic::Add)))],
    }
    /// `array[index] -= value` at once; the old element.
    fn numbra.cuda.atomic.sub(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_sum, Op::Device(D::Atomic(Atomic::Sub)))],
    }
    /// `array[index] = max(array[index], value)` at once; the old element, which stays if either is NaN.
    fn numbra.cuda.atomic.max(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_number, Op::Device(D::Atomic(Atomic::Max)))],
    }
    /// `array[index] = min(array[index], value)` at once; the old element, which stays if either is NaN.
    fn numbra.cuda.atomic.min(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_number, Op::Device(D::Atomic(Atomic::Min)))],
    }
    /// As `max`, ignoring NaN.
    fn numbra.cuda.atomic.nanmax(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_number, Op::Device(D::Atomic(Atomic::NanMax)))],
    }
    /// As `min`, ignoring NaN.
    fn numbra.cuda.atomic.nanmin(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_number, Op::Device(D::Atomic(Atomic::NanMin)))],
    }
    /// `array[index] &= value` at once; the old element.
    fn numbra.cuda.atomic.and_(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_integer, Op::Device(D::Atomic(Atomic::And)))],
    }
    /// `array[index] |= value` at once; the old element.
    fn numbra.cuda.atomic.or_(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_integer, Op::Device(D::Atomic(Atomic::Or)))],
    }
    /// `array[index] ^= value` at once; the old element.
    fn numbra.cuda.atomic.xor(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_integer, Op::Device(D::Atomic(Atomic::Xor)))],
    }
    /// `array[index] = value` at once; the old element.
    fn numbra.cuda.atomic.exch(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_integer, Op::Device(D::Atomic(Atomic::Exchange)))],
    }
    /// `array[index] = 0 if array[index] >= value else array[index] + 1` at once; the old element.
    fn numbra.cuda.atomic.inc(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_unsigned, Op::Device(D::Atomic(Atomic::Inc)))],
    }
    /// `array[index] = value if array[index] == 0 or array[index] > value else array[index] - 1` at once; the old element.
    fn numbra.cuda.atomic.dec(ary, idx, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any], atomic_unsigned, Op::Device(D::Atomic(Atomic::Dec)))],
    }
    /// `array[index] = value` at once if it is `old`; the old element.
    fn numbra.cuda.atomic.cas(ary, idx, old, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::Array, P::Any, P::Any, P::Any], atomic_cas, Op::Device(D::Atomic(Atomic::Cas)))],
    }
    /// `array[0] = value` at once if it is `old`; the old element.
    fn numbra.cuda.atomic.compare_and_swap(ary, old, val) {
        effects: ATOMIC, targets: Targets::Gpu,
        bodies: &[rule(&[P::ArrayNd(1), P::Any, P::Any], compare_and_swap, Op::Device(D::Atomic(Atomic::CompareAndSwap)))],
    }
}

/// The array, the index as the element access takes it, and the type of its elements.
fn element(cx: &ResultCx<'_>, allowed: fn(Scalar) -> bool) -> Result<(Type, Type, Type), Mismatch> {
    let array = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    let (found, index) = subscripts::index(cx, array, cx.arg(1))?;
    if found != array.dtype {
        return Err(Mismatch::rejected("the index does not name one element"));
    }
    match cx.types.as_scalar(array.dtype) {
        Some(scalar) if allowed(scalar) => Ok((cx.plain(0), index, array.dtype)),
        _ => Err(Mismatch::rejected(format!(
            "Unimplemented atomic {} with {} array",
            cx.row.rsplit('.').next().unwrap_or(cx.row),
            cx.show(array.dtype)
        ))),
    }
}

fn is_wide_integer(scalar: Scalar) -> bool {
    matches!(
        scalar,
        Scalar::Int32 | Scalar::UInt32 | Scalar::Int64 | Scalar::UInt64
    )
}

fn atomic(cx: &ResultCx<'_>, allowed: fn(Scalar) -> bool) -> Result<Signature, Mismatch> {
    let (array, index, item) = element(cx, allowed)?;
    let mut params = vec![array, index];
    params.resize(cx.args.len(), item);
    for (i, param) in params.iter().enumerate().skip(2) {
        if cx.can_convert(cx.plain(i), *param).is_none() {
            return Err(Mismatch::rejected(format!(
                "{} does not convert to {}",
                cx.show(cx.plain(i)),
                cx.show(*param)
            )));
        }
    }
    fixed(&params, item)
}

/// Numbers of 32 and 64 bits, and half floats.
fn atomic_sum(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, |scalar| is_wide_integer(scalar) || scalar.is_float())
}

/// Numbers of 32 and 64 bits.
fn atomic_number(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, |scalar| {
        is_wide_integer(scalar) || matches!(scalar, Scalar::Float32 | Scalar::Float64)
    })
}

/// Integers of 32 and 64 bits.
fn atomic_integer(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, is_wide_integer)
}

/// Unsigned integers of 32 and 64 bits.
fn atomic_unsigned(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, |scalar| {
        matches!(scalar, Scalar::UInt32 | Scalar::UInt64)
    })
}

/// `(array, index, old, value)`
fn atomic_cas(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    atomic(cx, is_wide_integer)
}

/// `(array, old, value)`
fn compare_and_swap(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    let item = plain(cx.types, array.dtype);
    if !cx.types.as_scalar(item).is_some_and(is_wide_integer) {
        return Err(Mismatch::rejected(format!(
            "Unimplemented atomic compare_and_swap with {} array",
            cx.show(item)
        )));
    }
    fixed(&[cx.plain(0), item, item], item)
}
