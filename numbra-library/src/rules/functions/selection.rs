//! Functions that pick items: by condition, by index, by choice.

use super::*;

/// `np.nonzero(a)`: the index arrays of each axis.
pub(crate) fn nonzero(cx: &ResultCx<'_>) -> Typed {
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
pub(crate) fn argwhere(cx: &ResultCx<'_>) -> Typed {
    decided(cx, 0)?;
    cx.returns(cx.types.array(Type::INT64, 2, Layout::F))
}

/// `np.where(condition, x, y)`
pub(crate) fn choose(cx: &ResultCx<'_>) -> Typed {
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
pub(crate) fn is_plain_choice(types: &Types, args: &[Type]) -> bool {
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

/// `np.select(condlist, choicelist, default)`
pub(crate) fn select(cx: &ResultCx<'_>) -> Typed {
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

/// `np.extract(condition, arr)`
pub(crate) fn extract(cx: &ResultCx<'_>) -> Typed {
    decided(cx, 0)?;
    let (dtype, _) = like(cx, 1)?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.take(a, indices, axis)`
pub(crate) fn take(cx: &ResultCx<'_>) -> Typed {
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
    let ndim = ranked(cx, usize::from(rank) - 1 + usize::from(places))?;
    cx.returns(if ndim == 0 {
        dtype
    } else {
        new(cx, dtype, ndim)
    })
}

/// `np.take_along_axis(arr, indices, axis)`
pub(crate) fn take_along_axis(cx: &ResultCx<'_>) -> Typed {
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
