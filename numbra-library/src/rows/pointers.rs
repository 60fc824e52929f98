//! Addresses that come from C: the memory at them as an array.

use crate::row_macro::rule;
use crate::rules::{dtype_arg, shape_of};
use crate::{Effects, Mismatch, Op, ResultCx, TypePattern as P};
use numbra_ir::{ArrayType, Layout, Signature, Type, TypeKind};

const VIEW: Effects = Effects::READ.and(Effects::RAISE);

library! {
    /// The memory at a pointer as an array in C order; `dtype` must be given for a `void*`. The memory stays its owner's.
    fn numbra.carray(ptr, shape, dtype = None) {
        effects: VIEW,
        bodies: &[rule(&[P::Any, P::ShapeLike, P::Any], carray, Op::ArrayAt)],
    }
    /// As `carray`, in Fortran order.
    fn numbra.farray(ptr, shape, dtype = None) {
        effects: VIEW,
        bodies: &[rule(&[P::Any, P::ShapeLike, P::Any], farray, Op::ArrayAt)],
    }
}

/// What a pointer points to; nothing for `void*`.
fn target(cx: &ResultCx<'_>) -> Result<Option<Type>, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Pointer(to) => Ok(*to),
        _ => Err(Mismatch::error(format!(
            "expected a pointer, got {}",
            cx.show(cx.plain(0))
        ))),
    }
}

/// `carray(ptr, shape, dtype)`
fn carray(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    array_at(cx, Layout::C)
}

/// `farray(ptr, shape, dtype)`
fn farray(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    array_at(cx, Layout::F)
}

fn array_at(cx: &ResultCx<'_>, layout: Layout) -> Result<Signature, Mismatch> {
    let (shape, ndim) = shape_of(cx, cx.plain(1))?;
    let given = dtype_arg(cx, 2, Type::NONE)?;
    let dtype = match target(cx)? {
        None if given == Type::NONE => {
            return Err(Mismatch::error(
                "explicit dtype required for void* argument",
            ));
        }
        None => given,
        Some(dtype) if given == Type::NONE || given == dtype => dtype,
        Some(_) => {
            return Err(Mismatch::error(format!(
                "mismatching dtype '{}' for pointer type '{}'",
                cx.show(given),
                cx.show(cx.plain(0))
            )));
        }
    };
    if cx.types.element(dtype).is_none() {
        return Err(Mismatch::error(format!(
            "an array cannot have elements of type {}",
            cx.show(dtype)
        )));
    }
    let ret = cx.types.intern(TypeKind::Array(ArrayType {
        dtype,
        ndim,
        layout,
        mutable: true,
        aligned: true,
    }));
    Ok(Signature {
        params: vec![cx.plain(0), shape, cx.arg(2)],
        ret,
    })
}

fn element(cx: &ResultCx<'_>) -> Result<Type, Mismatch> {
    target(cx)?
        .filter(|to| cx.types.element(*to).is_some())
        .ok_or_else(|| {
            let pointer = cx.show(cx.plain(0));
            Mismatch::rejected(format!("what {pointer} points to has no value"))
        })
}

/// `ptr[i]`
pub(crate) fn get(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let ret = element(cx)?;
    cx.returns(ret)
}

/// `ptr[i] = v`
pub(crate) fn set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let to = element(cx)?;
    if cx.can_convert(cx.plain(2), to).is_none() {
        return Err(Mismatch::rejected(format!(
            "{} does not convert to {}",
            cx.show(cx.plain(2)),
            cx.show(to)
        )));
    }
    Ok(Signature {
        params: vec![cx.plain(0), cx.plain(1), to],
        ret: Type::NONE,
    })
}
