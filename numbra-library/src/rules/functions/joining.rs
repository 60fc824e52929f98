//! Functions that repeat, insert, and join arrays.

use super::*;

/// `np.repeat(a, repeats)`
pub(crate) fn repeat(cx: &ResultCx<'_>) -> Typed {
    let (repeats, rank) = like(cx, 1).map_err(|_| {
        Mismatch::error("The repeats argument must be an integer or an array-like of integer dtype")
    })?;
    if !scalar(cx, repeats)?.is_int() || rank > 1 {
        return Err(Mismatch::error(
            "The repeats argument must be an integer or an array-like of integer dtype",
        ));
    }
    one_axis(cx)
}

/// `np.append(arr, values, axis)`
pub(crate) fn append(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0),
        "The first argument \"arr\" must be array-like",
    )?;
    want(
        is_like(cx, 1),
        "The second argument \"values\" must be array-like",
    )?;
    want(
        is_none(cx, 2) || is_int(cx, 2),
        "The third argument \"axis\" must be an integer",
    )?;
    let ((a, rank), (b, other)) = (like(cx, 0)?, like(cx, 1)?);
    let dtype = promoted(cx, a, b)?;
    if is_none(cx, 2) {
        return cx.returns(new(cx, dtype, 1));
    }
    if rank != other || rank == 0 {
        return Err(Mismatch::error(
            "all the input arrays must have same number of dimensions",
        ));
    }
    let layout = match (array(cx, 0), array(cx, 1)) {
        (Ok(a), Ok(b)) => join_layout(&[a, b]),
        _ => Layout::C,
    };
    cx.returns(cx.types.array(dtype, rank, layout))
}

/// `np.delete(arr, obj)`
pub(crate) fn delete(cx: &ResultCx<'_>) -> Typed {
    want(
        is_sequence(cx, 0),
        "arr must be either an Array or a Sequence",
    )?;
    let (dtype, _) = like(cx, 0)?;
    let obj = cx.plain(1);
    let fine = obj == Type::SLICE2
        || obj == Type::SLICE3
        || like(cx, 1).is_ok_and(|(ty, _)| {
            cx.types
                .as_scalar(ty)
                .is_some_and(|s| s.is_int() || (s == Scalar::Bool && obj != ty))
        });
    if !fine {
        return Err(Mismatch::error("obj should be of Integer dtype"));
    }
    cx.returns(new(cx, dtype, 1))
}

/// `np.insert(arr, obj, values)`
pub(crate) fn insert(cx: &ResultCx<'_>) -> Typed {
    if !is_none(cx, 3) {
        return Err(Mismatch::error("The 'axis' argument is not supported"));
    }
    want(
        cx.types.as_scalar(cx.plain(1)).is_none_or(Scalar::is_int),
        "obj should be an Integer, an Array or a Sequence",
    )?;
    like(cx, 2)?;
    delete(cx)
}

/// `np.trim_zeros(filt, trim)`
pub(crate) fn trim_zeros(cx: &ResultCx<'_>) -> Typed {
    let array = array(cx, 0).map_err(|_| Mismatch::error("The first argument must be an array"))?;
    if array.ndim != 1 {
        return Err(Mismatch::error("array must be 1D"));
    }
    if cx.plain(1) != Type::UNICODE {
        return Err(Mismatch::error("The second argument must be a string"));
    }
    cx.returns(cx.plain(0))
}

/// The item types of a tuple; of a list one for all.
pub(super) fn parts_of(cx: &ResultCx<'_>, ty: Type) -> Option<Vec<Type>> {
    match cx.types.as_list(ty) {
        Some((item, _)) => Some(vec![item]),
        None => cx.types.tuple_items(ty),
    }
}

/// The arrays that a function joins: a tuple of arrays, or one along whose first axis they lie.
pub(crate) fn joined(cx: &ResultCx<'_>) -> Result<(Type, Vec<ArrayType>), Mismatch> {
    let ty = cx.plain(0);
    if let Some(array) = cx.types.as_array(ty) {
        if array.ndim == 0 {
            return Err(Mismatch::rejected("a 0-d array has no parts"));
        }
        let part = ArrayType {
            ndim: array.ndim - 1,
            layout: if array.layout == Layout::C {
                Layout::C
            } else {
                Layout::A
            },
            ..array
        };
        return Ok((array.dtype, vec![part]));
    }
    let items = parts_of(cx, ty).unwrap_or_default();
    let arrays: Vec<ArrayType> = items
        .iter()
        .map(|item| cx.types.as_array(*item))
        .collect::<Option<_>>()
        .ok_or_else(|| Mismatch::error("expecting a non-empty tuple of arrays"))?;
    let Some(first) = arrays.first() else {
        return Err(Mismatch::rejected("need at least one array"));
    };
    let mut dtype = first.dtype;
    for array in &arrays {
        dtype = promoted(cx, dtype, array.dtype)
            .map_err(|_| Mismatch::error("input arrays must have compatible dtypes"))?;
    }
    Ok((dtype, arrays))
}

fn common_rank(arrays: &[ArrayType]) -> Result<u8, Mismatch> {
    let rank = arrays.first().map_or(0, |a| a.ndim);
    if arrays.iter().any(|a| a.ndim != rank) {
        return Err(Mismatch::error(
            "all the input arrays must have same number of dimensions",
        ));
    }
    Ok(rank)
}

/// Fortran order if all are, else C.
fn join_layout(arrays: &[ArrayType]) -> Layout {
    if arrays.iter().all(|a| a.layout == Layout::F) {
        Layout::F
    } else {
        Layout::C
    }
}

/// `np.stack(arrays, axis)`
pub(crate) fn stack(cx: &ResultCx<'_>) -> Typed {
    let (dtype, arrays) = joined(cx)?;
    let rank = common_rank(&arrays)? + 1;
    cx.returns(cx.types.array(dtype, rank, join_layout(&arrays)))
}

/// `np.hstack`
pub(crate) fn hstack(cx: &ResultCx<'_>) -> Typed {
    let (dtype, arrays) = joined(cx)?;
    let rank = common_rank(&arrays)?.max(1);
    cx.returns(cx.types.array(dtype, rank, join_layout(&arrays)))
}

/// `np.vstack`, `np.dstack`: with at least this many axes.
pub(crate) fn stack_up<const RANK: u8>(cx: &ResultCx<'_>) -> Typed {
    let (dtype, arrays) = joined(cx)?;
    let rank = common_rank(&arrays)?.max(RANK);
    let layout = if rank == arrays[0].ndim {
        join_layout(&arrays)
    } else {
        Layout::C
    };
    cx.returns(cx.types.array(dtype, rank, layout))
}

/// `np.column_stack`
pub(crate) fn column_stack(cx: &ResultCx<'_>) -> Typed {
    let (dtype, arrays) = joined(cx)?;
    if arrays.iter().any(|a| !(1..=2).contains(&a.ndim)) {
        return Err(Mismatch::error(
            "np.column_stack() is only defined on 1D or 2D arrays",
        ));
    }
    cx.returns(cx.types.array(dtype, 2, join_layout(&arrays)))
}
