//! Elements at places that arrays give.

use super::joining::parts_of;
use crate::row_macro::{moving, on_gpu};
use crate::rules::{
    NEW, Typed, array, check_int, checked_rank, is_array, is_int, is_none, like, literal_int, new,
    promoted, scalar, want,
};
use crate::{Inline, Mismatch, ResultCx, Targets, TypePattern as P};
use numbra_ir::Type;

library! {
    /// The elements at places of an axis, or of the elements in C order.
    fn numpy.take(a, indices, axis = None) method [array.take] {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[on_gpu(&[P::Array, P::Int, P::None], "device_take"), moving(&[P::Any, P::Any, P::OneOf(&[P::None, P::Int])], take, "numbra_np_take").inline(Inline::Take)],
    }
    /// The elements at places along an axis, line by line.
    fn numpy.take_along_axis(arr, indices, axis) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Any], take_along_axis, "numbra_np_take_along_axis")],
    }
    /// Each element from the first choice whose condition holds.
    fn numpy.select(condlist, choicelist, default = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Any], select, "numbra_np_select")],
    }
}

/// `np.select(condlist, choicelist, default)`
fn select(cx: &ResultCx<'_>) -> Typed {
    let parts = |i: usize| parts_of(cx, cx.plain(i));
    let (Some(conditions), Some(choices)) = (parts(0), parts(1)) else {
        return Err(Mismatch::error(if parts(0).is_none() {
            "condlist must be a List or a Tuple"
        } else {
            "choicelist must be a List or a Tuple"
        }));
    };
    let mut dtype = cx.plain(2);
    scalar(cx, dtype)
        .map_err(|_| Mismatch::error("default must be a scalar (number or boolean)"))?;
    let mut rank = None;
    for (condition, choice) in conditions.iter().zip(&choices) {
        let (Some(condition), Some(choice)) =
            (cx.types.as_array(*condition), cx.types.as_array(*choice))
        else {
            return Err(Mismatch::error(
                if cx.types.as_array(*condition).is_none() {
                    "items of condlist must be arrays"
                } else {
                    "items of choicelist must be arrays"
                },
            ));
        };
        if condition.dtype != Type::BOOL {
            return Err(Mismatch::error("condlist arrays must contain booleans"));
        }
        if condition.ndim != choice.ndim || rank.is_some_and(|r| r != choice.ndim) {
            return Err(Mismatch::error(
                "condlist and choicelist elements must have the same number of dimensions",
            ));
        }
        if condition.ndim == 0 {
            return Err(Mismatch::error(
                "condlist arrays must be of at least dimension 1",
            ));
        }
        // `default * choice`, as ufuncs compute it: an integer fits into any float.
        let fits = rank.is_none() && scalar(cx, dtype)?.is_int() && {
            let kind = scalar(cx, choice.dtype)?;
            kind.is_float() || kind.is_complex()
        };
        dtype = if fits {
            choice.dtype
        } else {
            promoted(cx, dtype, choice.dtype)?
        };
        rank = Some(choice.ndim);
    }
    let rank = rank.ok_or_else(|| Mismatch::rejected("no condition is given"))?;
    cx.returns(new(cx, dtype, rank))
}

/// `np.take(a, indices, axis)`
fn take(cx: &ResultCx<'_>) -> Typed {
    let ((dtype, rank), (at, places)) = (like(cx, 0)?, like(cx, 1)?);
    if !scalar(cx, at)?.is_int() {
        return Err(Mismatch::rejected("indices are integers"));
    }
    if is_none(cx, 2) {
        let ret = if places == 0 {
            dtype
        } else {
            new(cx, dtype, places)
        };
        return cx.returns(ret);
    }
    check_int(cx, 2, "axis must be an integer")?;
    if rank == 0 {
        return Err(Mismatch::rejected("a number has no axis"));
    }
    let ndim = checked_rank(cx, usize::from(rank) - 1 + usize::from(places))?;
    cx.returns(if ndim == 0 {
        dtype
    } else {
        new(cx, dtype, ndim)
    })
}

/// `np.take_along_axis(arr, indices, axis)`
fn take_along_axis(cx: &ResultCx<'_>) -> Typed {
    want(
        is_array(cx, 0),
        "The first argument \"arr\" must be an array",
    )?;
    want(
        is_array(cx, 1),
        "The second argument \"indices\" must be an array",
    )?;
    let (a, at) = (array(cx, 0)?, array(cx, 1)?);
    if !scalar(cx, at.dtype)?.is_int() {
        return Err(Mismatch::error("The indices array must contain integers"));
    }
    if is_none(cx, 2) {
        if at.ndim != 1 {
            return Err(Mismatch::error(
                "must have one-dimensional indices if axis is None",
            ));
        }
        return cx.returns(new(cx, a.dtype, 1));
    }
    let Some(axis) = literal_int(cx, 2) else {
        return Err(Mismatch::error(if is_int(cx, 2) {
            "axis must be a literal value"
        } else {
            "axis must be an integer"
        }));
    };
    if a.ndim != at.ndim {
        return Err(Mismatch::error(
            "`indices` and `arr` must have the same number of dimensions",
        ));
    }
    let ndim = i64::from(a.ndim);
    if !(-ndim..ndim).contains(&axis) {
        return Err(Mismatch::error(format!(
            "axis is out of bounds: axis {axis} is out of bounds for array of dimension {ndim}"
        )));
    }
    cx.returns(new(cx, a.dtype, a.ndim))
}
