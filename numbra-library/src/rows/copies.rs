//! Copies of arrays, and other types of their elements.

use super::shape::same_shape;
use crate::row_macro::{moving, rule};
use crate::rules::{Typed, array, check_mutable, dtype_arg, fresh, intern, is_like, tight, want};
use crate::{Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::{ArrayType, Layout, Signature, Type};

const COPY: Effects = Effects::READ.and(Effects::ALLOC);

library! {
    /// A contiguous copy; Fortran order stays.
    fn numpy.copy(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array], copy_keep, Op::ArrayCopy),
            moving(&[P::Any], same_shape_like, "numbra_np_array_like"),
        ],
    }
    /// A C-contiguous copy.
    method array.copy(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], copy_c, Op::ArrayCopy)],
    }
    /// The array itself if it is C-contiguous, else a copy.
    fn numpy.ascontiguousarray(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], as_c, Op::ArrayAsLayout)],
    }
    /// The array itself if it is Fortran-contiguous, else a copy.
    fn numpy.asfortranarray(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], as_f, Op::ArrayAsLayout)],
    }
    /// A copy with elements of another type.
    method array.astype(a, dtype) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array, P::Any], astype, Op::ArrayCopy)],
    }
    /// The memory as elements of another type; ValueError where the last axis does not hold a whole number of them.
    method array.view(a, dtype) {
        effects: Effects::RAISE,
        bodies: &[rule(&[P::Array, P::Any], view_as, Op::ArrayView)],
    }
    /// The bytes of the elements in C order, as `bytes`.
    method array.tobytes(a) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Array], to_bytes, Op::ArrayToBytes)],
    }
    /// Sets every element.
    method array.fill(a, value) {
        effects: Effects::WRITE,
        bodies: &[rule(&[P::Array, P::Any], fill, Op::ArrayFill)],
    }
}

/// `x.fill(v)`
fn fill(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    if cx.can_convert(cx.plain(1), target.dtype).is_none() {
        return Err(Mismatch::rejected(
            "the value does not convert to the element type",
        ));
    }
    Ok(Signature {
        params: vec![cx.plain(0), target.dtype],
        ret: Type::NONE,
    })
}

/// `x.view(dtype)`
fn view_as(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let whole = array(cx, 0)?;
    let dtype = dtype_arg(cx, 1, whole.dtype)?;
    if cx.types.element(dtype).is_none() {
        return Err(Mismatch::rejected("the dtype is none of an array"));
    }
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: intern(cx, ArrayType { dtype, ..whole }),
    })
}

/// `x.tobytes()`
fn to_bytes(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    array(cx, 0)?;
    cx.returns(Type::BYTES)
}

/// `np.copy(x)`: F stays F.
fn copy_keep(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(fresh(cx, a.dtype, a.ndim, tight(a.layout)))
}

/// `x.copy()`: C.
fn copy_c(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(fresh(cx, a.dtype, a.ndim, Layout::C))
}

/// `np.ascontiguousarray`: C, one axis at least.
fn as_c(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    as_layout(cx, Layout::C)
}

/// `np.asfortranarray`: F, one axis at least.
fn as_f(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    as_layout(cx, Layout::F)
}

fn as_layout(cx: &ResultCx<'_>, layout: Layout) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    cx.returns(intern(
        cx,
        ArrayType {
            ndim: a.ndim.max(1),
            layout,
            aligned: true,
            mutable: true,
            ..a
        },
    ))
}

/// `x.astype(dtype)`
fn astype(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let a = array(cx, 0)?;
    let dtype = dtype_arg(cx, 1, Type::FLOAT64)?;
    if cx.can_convert(a.dtype, dtype).is_none() {
        return Err(Mismatch::rejected(format!(
            "cannot convert {} to {}",
            cx.show(a.dtype),
            cx.show(dtype)
        )));
    }
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: fresh(cx, dtype, a.ndim, tight(a.layout)),
    })
}

/// `np.copy(a)` and its kin of what is no array.
fn same_shape_like(cx: &ResultCx<'_>) -> Typed {
    let message = "The argument \"a\" must be array-like";
    want(is_like(cx, 0), message)?;
    same_shape(cx)
}
