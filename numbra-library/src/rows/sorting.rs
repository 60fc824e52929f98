//! Sorting.

use crate::row_macro::{on_gpu, ordered};
use crate::rules::{NEW, Typed, array, check_mutable, kind, like, new, want};
use crate::{Effects, Mismatch, ResultCx, Targets, TypePattern as P};
use numbra_ir::{Const, Scalar, Type, TypeKind};

/// What kernels do.
const IN_PLACE: &str = "`a.sort()` sorts an array in place, one of `cuda.local.array`, too";

library! {
    /// A copy sorted along the last axis, NaN last.
    fn numpy.sort(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any], sorted, "numbra_np_sort").instead(IN_PLACE)],
    }
    /// Sorts along the last axis in place, NaN last.
    method array.sort(a, kind = Str("quicksort")) {
        effects: NEW.and(Effects::WRITE), targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::ArrayNd(1), P::Any], "device_sort"), on_gpu(&[P::Array, P::Any], "device_sort_rows"), ordered(&[P::Array, P::Any], sort_in_place, "numbra_np_sort_in_place").instead(IN_PLACE)],
    }
    /// Positions that sort along the last axis; equal elements keep their order.
    fn numpy.argsort(a, kind = Str("quicksort")) method [array.argsort] {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any], argsort, "numbra_np_argsort")],
    }
    /// A copy in which the `kth` elements along the last axis stand where sorting puts them, smaller ones before.
    fn numpy.partition(a, kth) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any], partition, "numbra_np_partition")],
    }
    /// Positions that partition along the last axis.
    fn numpy.argpartition(a, kth) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[ordered(&[P::Any, P::Any], argpartition, "numbra_np_argpartition")],
    }
}

/// One axis at least, sorted along the last: the same type.
fn sorted(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("Argument \"a\" must be array-like"))?;
    if ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    cx.returns(new(cx, dtype, ndim))
}

/// `a.sort()`
fn sort_in_place(cx: &ResultCx<'_>) -> Typed {
    if array(cx, 0)?.ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    sort_kind(cx)?;
    check_mutable(cx, cx.plain(0))?;
    cx.returns(Type::NONE)
}

/// `np.argsort(a, kind)`
fn argsort(cx: &ResultCx<'_>) -> Typed {
    let (_, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"a\" must be array-like"))?;
    if ndim == 0 {
        return Err(Mismatch::rejected("the array has no axis"));
    }
    sort_kind(cx)?;
    cx.returns(new(cx, Type::INT64, ndim))
}

/// The way to sort that argument 1 names: every sort here is stable.
fn sort_kind(cx: &ResultCx<'_>) -> Result<(), Mismatch> {
    match cx.types.kind(cx.arg(1)) {
        TypeKind::Literal(Const::Str(kind)) | TypeKind::Omitted(Const::Str(kind)) => want(
            matches!(kind.as_str(), "quicksort" | "mergesort" | "stable"),
            &format!("Unsupported \"kind\": '{kind}'"),
        ),
        _ => Err(Mismatch::error("\"kind\" must be a string literal")),
    }
}

fn check_kth(cx: &ResultCx<'_>) -> Result<(Type, u8), Mismatch> {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The first argument must be an array-like"))?;
    want(
        cx.types.as_scalar(cx.plain(0)).is_none(),
        "The first argument must be an array-like",
    )?;
    if ndim == 0 {
        return Err(Mismatch::error(
            "The first argument must be at least 1-D (found 0-D)",
        ));
    }
    want(
        kind(cx, 1).is_ok_and(Scalar::is_int),
        "Partition index must be integer",
    )?;
    Ok((dtype, ndim))
}

/// `np.partition(a, kth)`
fn partition(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = check_kth(cx)?;
    cx.returns(new(cx, dtype, ndim))
}

/// `np.argpartition(a, kth)`
fn argpartition(cx: &ResultCx<'_>) -> Typed {
    let (_, ndim) = check_kth(cx)?;
    cx.returns(new(cx, Type::INT64, ndim))
}
