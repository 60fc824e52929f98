//! Where elements are: those that are not 0, those that a condition picks, places in sorted arrays.

use super::ufuncs::WHERE;
use crate::row_macro::{
    elementwise_where, guarded_moving, guarded_prelude, moving, native, on_gpu, ordered,
};
use crate::rules::{
    NEW, Typed, array, is_like, is_none, kind, like, new, promoted, shaped, want, want_one_unit,
};
use crate::{Mismatch, ResultCx, Targets, TypePattern as P};
use numbra_ir::{ArrayType, Const, Layout, Scalar, Type, TypeKind, Types};

library! {
    /// Indices of the elements that are not 0, an array for each axis.
    fn numpy.nonzero(a) method [array.nonzero] {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], nonzero, "numbra_np_nonzero")],
    }
    /// Positions in C order of the elements that are not 0.
    fn numpy.flatnonzero(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], places, "numbra_np_flatnonzero")],
    }
    /// Indices of the elements that are not 0, a row for each.
    fn numpy.argwhere(a) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], argwhere, "numbra_np_argwhere")],
    }
    /// `x` where the condition holds, else `y`; with the condition alone [`numpy.nonzero`].
    fn numpy.where(condition, x = Unset, y = Unset) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            on_gpu(&[P::Scalar, P::Scalar, P::Scalar], "device_where"),
            guarded_moving(&[P::Any], |_, args| args.len() == 1, nonzero, "numbra_np_nonzero"),
            elementwise_where(is_plain_choice, &WHERE),
            guarded_moving(&[P::Any], |_, args| args.len() == 3, choose, "numbra_np_where"),
        ],
    }
    /// The elements of `arr` where the condition, both in C order, holds.
    fn numpy.extract(condition, arr) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], extract, "numbra_np_extract")],
    }
    /// Where to insert numbers so that `a` stays sorted, before (`left`) or after (`right`) equal ones.
    fn numpy.searchsorted(a, v, side = Str("left")) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            guarded_prelude(&[P::ArrayNd(1), P::Real, P::Any], before_equals, "halve_before").since((2, 5)),
            guarded_prelude(&[P::ArrayNd(1), P::Real, P::Any], behind_equals, "halve_behind").since((2, 5)),
            guarded_prelude(&[P::ArrayNd(1), P::Real, P::Any], before_equals, "place_before"),
            guarded_prelude(&[P::ArrayNd(1), P::Real, P::Any], behind_equals, "place_behind"),
            ordered(&[P::Any, P::Any, P::Any], searchsorted, "numbra_np_searchsorted"),
        ],
    }
    /// The bin of each number among increasing or decreasing edges.
    fn numpy.digitize(x, bins, right = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Real, P::ArrayNd(1), P::Integral], "device_digitize"), native(&[P::Any, P::Any, P::Any], digitize, "numbra_np_digitize")],
    }
}

/// `np.searchsorted(a, v, side)`: of a number an integer.
fn searchsorted(cx: &ResultCx<'_>) -> Typed {
    match cx.types.kind(cx.arg(2)) {
        TypeKind::Literal(Const::Str(side)) | TypeKind::Omitted(Const::Str(side))
            if side != "left" && side != "right" =>
        {
            return Err(Mismatch::error(format!(
                "Invalid value given for 'side': {side}"
            )));
        }
        _ if cx.plain(2) != Type::UNICODE => {
            return Err(Mismatch::error(format!(
                "Invalid value given for 'side': {}",
                cx.show(cx.plain(2))
            )));
        }
        _ => {}
    }
    let (run, wanted) = (like(cx, 0)?.0, like(cx, 1)?.0);
    want_one_unit(cx, run, wanted)?;
    cx.returns(shaped(cx, Type::INT64, 1)?)
}

/// Whether `np.searchsorted(a, v, 'left')` is of numbers that compare without another type's help.
fn before_equals(types: &Types, args: &[Type]) -> bool {
    searches(types, args, "left")
}

/// As [`before_equals`], for `'right'`.
fn behind_equals(types: &Types, args: &[Type]) -> bool {
    searches(types, args, "right")
}

fn searches(types: &Types, args: &[Type], wanted: &str) -> bool {
    let side = args.get(2).map(|side| types.kind(*side));
    let Some(TypeKind::Literal(Const::Str(side)) | TypeKind::Omitted(Const::Str(side))) = side
    else {
        return false;
    };
    let item = types.as_array(args[0]).map(|array| array.dtype);
    let number = types.unliteral(args[1]);
    let plain = |ty| match types.as_scalar(ty) {
        Some(Scalar::Bool | Scalar::Float32 | Scalar::Float64) => true,
        other => other.is_some_and(Scalar::is_signed_int),
    };
    side == wanted && item.is_some_and(plain) && plain(number)
}

/// `np.digitize(x, bins, right)`
fn digitize(cx: &ResultCx<'_>) -> Typed {
    if like(cx, 1)?.1 != 1 {
        return Err(Mismatch::rejected("bins have one axis"));
    }
    if kind(cx, 0)?.is_complex() {
        return Err(Mismatch::error("x may not be complex"));
    }
    cx.returns(shaped(cx, Type::INT64, 0)?)
}

/// `np.nonzero(a)`: the index arrays of each axis.
fn nonzero(cx: &ResultCx<'_>) -> Typed {
    let (_, ndim) = decided(cx, 0)?;
    want(
        ndim > 0,
        "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.",
    )?;
    let places = new(cx, Type::INT64, 1);
    let n = u32::from(ndim);
    cx.returns(cx.types.intern(TypeKind::UniTuple(places, n)))
}

/// An argument whose elements are true or false.
fn decided(cx: &ResultCx<'_>, i: usize) -> Result<(Type, u8), Mismatch> {
    let (dtype, ndim) = like(cx, i)?;
    if cx.types.as_record(dtype).is_some() {
        return Err(Mismatch::rejected("records are neither true nor false"));
    }
    Ok((dtype, ndim))
}

/// `np.flatnonzero(a)`
pub(crate) fn places(cx: &ResultCx<'_>) -> Typed {
    decided(cx, 0)?;
    cx.returns(new(cx, Type::INT64, 1))
}

/// `np.argwhere(a)`
fn argwhere(cx: &ResultCx<'_>) -> Typed {
    decided(cx, 0)?;
    cx.returns(cx.types.array(Type::INT64, 2, Layout::F))
}

/// `np.where(condition, x, y)`
fn choose(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0),
        "The argument \"condition\" must be array-like",
    )?;
    want(
        !is_none(cx, 1) && !is_none(cx, 2),
        "Argument \"x\" or \"y\" cannot be None",
    )?;
    want(
        is_like(cx, 1),
        "The argument \"x\" must be array-like if provided",
    )?;
    want(
        is_like(cx, 2),
        "The argument \"y\" must be array-like if provided",
    )?;
    decided(cx, 0)?;
    let ((_, a), (x, b), (y, c)) = (like(cx, 0)?, like(cx, 1)?, like(cx, 2)?);
    // As NumPy keeps the order of its operands.
    let arrays: Vec<ArrayType> = (0..3).filter_map(|i| array(cx, i).ok()).collect();
    let fortran = !arrays.is_empty() && arrays.iter().all(|a| a.layout == Layout::F);
    let layout = if fortran { Layout::F } else { Layout::C };
    let dtype = promoted(cx, x, y)?;
    cx.returns(cx.types.array(dtype, a.max(b).max(c), layout))
}

/// `np.where` of arrays and numbers whose loop has the type that NumPy promotes them to, in C order.
fn is_plain_choice(types: &Types, args: &[Type]) -> bool {
    let [condition, x, y] = args else {
        return false;
    };
    let arrays = || args.iter().filter_map(|ty| types.as_array(*ty));
    let is_any_order = |array: ArrayType| array.layout != Layout::F && array.ndim > 0;
    let number = |ty: &Type| match types.kind(*ty) {
        TypeKind::Optional(_) => None,
        _ => numbra_ir::lattice::operand(types, *ty).map(|operand| operand.scalar),
    };
    arrays().count() > 0
        && arrays().all(is_any_order)
        && number(condition) == Some(Scalar::Bool)
        && match (number(x), number(y)) {
            (Some(x), Some(y)) if x == y => !matches!(x, Scalar::Float16 | Scalar::BFloat16),
            (Some(Scalar::Float64), Some(other)) | (Some(other), Some(Scalar::Float64)) => {
                other.is_int() || other == Scalar::Float32
            }
            _ => false,
        }
}

/// `np.extract(condition, arr)`
fn extract(cx: &ResultCx<'_>) -> Typed {
    decided(cx, 0)?;
    let (dtype, _) = like(cx, 1)?;
    cx.returns(new(cx, dtype, 1))
}
