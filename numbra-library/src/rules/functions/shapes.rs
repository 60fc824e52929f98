//! Functions that give another shape or another view of one array.

use super::*;

/// A new array of the argument's shape and type.
pub(crate) fn same_shape(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    cx.returns(new(cx, dtype, ndim))
}

/// `np.copy(a)` and its kin of what is no array.
pub(crate) fn same_shape_like(cx: &ResultCx<'_>) -> Typed {
    let message = "The argument \"a\" must be array-like";
    want(is_like(cx, 0), message)?;
    same_shape(cx)
}

/// A new array with one axis and the argument's element type.
pub(crate) fn one_axis(cx: &ResultCx<'_>) -> Typed {
    let (dtype, _) = like(cx, 0)?;
    cx.returns(new(cx, dtype, 1))
}

/// `np.diagflat(v, k)`
pub(crate) fn diagflat(cx: &ResultCx<'_>) -> Typed {
    want(is_like(cx, 0), "The argument \"v\" must be array-like")?;
    want(is_int(cx, 1), "The argument \"k\" must be an integer")?;
    let (dtype, _) = like(cx, 0)?;
    cx.returns(new(cx, dtype, 2))
}

/// A view of any strides and the same rank.
pub(crate) fn any_view(cx: &ResultCx<'_>) -> Typed {
    let array = array_or_like(cx, 0)?;
    let layout = Layout::A;
    cx.returns(view(cx, ArrayType { layout, ..array }))
}

/// `np.flip(m)`: of an array without axes its element.
pub(crate) fn flip(cx: &ResultCx<'_>) -> Typed {
    let message = format!("Cannot np.flip on {} type", flipped_name(cx));
    want(is_array(cx, 0), &message)?;
    let array = array_or_like(cx, 0)?;
    let is_number =
        cx.types.as_scalar(array.dtype).is_some() || cx.types.as_time(array.dtype).is_some();
    if array.ndim == 0 && is_number {
        return cx.returns(array.dtype);
    }
    any_view(cx)
}

/// `np.flipud` and `np.fliplr`: as [`any_view`], with that axis.
pub(crate) fn flip_along<const AXIS: u8>(cx: &ResultCx<'_>) -> Typed {
    let name = if AXIS == 0 { "flipud" } else { "fliplr" };
    let message = format!("Cannot np.{name} on {} type", flipped_name(cx));
    want(is_like(cx, 0), &message)?;
    let array = array_or_like(cx, 0)?;
    let message = format!(
        "cannot index {} with {} indices",
        cx.show(cx.plain(0)),
        AXIS + 1
    );
    want(array.ndim > AXIS, &message)?;
    any_view(cx)
}

fn flipped_name(cx: &ResultCx<'_>) -> String {
    cx.show(cx.plain(0))
}

/// `np.swapaxes(a, axis1, axis2)`
pub(crate) fn swapaxes(cx: &ResultCx<'_>) -> Typed {
    want(is_array(cx, 0), "The first argument \"a\" must be an array")?;
    want(
        is_int(cx, 1),
        "The second argument \"axis1\" must be an integer",
    )?;
    want(
        is_int(cx, 2),
        "The third argument \"axis2\" must be an integer",
    )?;
    any_view(cx)
}

/// `np.moveaxis(a, source, destination)`
pub(crate) fn moveaxis(cx: &ResultCx<'_>) -> Typed {
    want(is_array(cx, 0), "The first argument \"a\" must be an array")?;
    let axes = |i: usize| {
        like(cx, i).is_ok_and(|(ty, n)| n < 2 && scalar(cx, ty).is_ok_and(Scalar::is_int))
    };
    let words = "must be an integer or sequence";
    want(axes(1), &format!("The second argument \"source\" {words}"))?;
    want(
        axes(2),
        &format!("The third argument \"destination\" {words}"),
    )?;
    any_view(cx)
}

/// `np.roll(a, shift)`
pub(crate) fn roll(cx: &ResultCx<'_>) -> Typed {
    want(is_int(cx, 1), "shift must be an integer")?;
    same_shape(cx)
}

/// `np.rot90`
pub(crate) fn rot90(cx: &ResultCx<'_>) -> Typed {
    want(is_array(cx, 0), "The first argument \"m\" must be an array")?;
    want(
        is_int(cx, 1),
        "The second argument \"k\" must be an integer",
    )?;
    let array = array_or_like(cx, 0)?;
    if array.ndim < 2 {
        return Err(Mismatch::error("Input must be >= 2-d."));
    }
    any_view(cx)
}

/// `np.expand_dims(a, axis)`
pub(crate) fn expand_dims(cx: &ResultCx<'_>) -> Typed {
    want(is_array(cx, 0), "First argument \"a\" must be an array")?;
    want(
        count_of(cx, 1).is_ok(),
        "Argument \"axis\" must be an integer",
    )?;
    let array = array_or_like(cx, 0)?;
    let ndim = array.ndim + count_of(cx, 1)?;
    let layout = if array.ndim == 0 {
        Layout::C
    } else {
        array.layout
    };
    cx.returns(view(
        cx,
        ArrayType {
            ndim,
            layout,
            ..array
        },
    ))
}

/// `np.broadcast_to(array, shape)`: read-only.
pub(crate) fn broadcast_to(cx: &ResultCx<'_>) -> Typed {
    let array = array_or_like(cx, 0)
        .map_err(|_| Mismatch::error("The first argument \"array\" must be array-like"))?;
    let ndim = count_of(cx, 1).map_err(|_| {
        Mismatch::error("The second argument \"shape\" must be a tuple of integers")
    })?;
    if array.ndim > 0 && ndim == 0 {
        return Err(Mismatch::error(
            "Cannot broadcast a non-scalar to a scalar array",
        ));
    }
    let array = ArrayType {
        ndim,
        layout: Layout::A,
        mutable: false,
        ..array
    };
    cx.returns(view(cx, array))
}

/// `np.broadcast_arrays(*arrays)`
pub(crate) fn broadcast_arrays(cx: &ResultCx<'_>) -> Typed {
    for i in 0..cx.args.len() {
        want(
            is_like(cx, i),
            &format!("Argument \"{i}\" must be array-like"),
        )?;
    }
    let arrays = (0..cx.args.len())
        .map(|i| array_or_like(cx, i))
        .collect::<Result<Vec<_>, _>>()?;
    let mixed = arrays.iter().any(|a| a.dtype != arrays[0].dtype);
    want(!mixed, "Mismatch of argument types")?;
    // Numbers alone become arrays with one axis, as Numba's.
    let least = u8::from((0..cx.args.len()).all(|i| cx.types.as_array(cx.plain(i)).is_none()));
    let ndim = arrays.iter().map(|a| a.ndim).max().unwrap_or(0).max(least);
    let views: Vec<Type> = arrays
        .into_iter()
        .map(|a| {
            view(
                cx,
                ArrayType {
                    ndim,
                    layout: Layout::A,
                    mutable: false,
                    ..a
                },
            )
        })
        .collect();
    cx.returns(cx.types.tuple(&views))
}

/// `np.broadcast_shapes(*shapes)`
pub(crate) fn broadcast_shapes(cx: &ResultCx<'_>) -> Typed {
    let mut rank = 0;
    for i in 0..cx.args.len() {
        let message = format!("Argument {i} must be either an int or tuple[int]");
        rank = rank.max(count_of(cx, i).map_err(|_| Mismatch::error(message))?);
    }
    cx.returns(
        cx.types
            .intern(TypeKind::UniTuple(Type::INT64, u32::from(rank))),
    )
}

/// `np.atleast_1d` and its kin: one array, or a tuple of them.
pub(crate) fn atleast<const RANK: u8>(cx: &ResultCx<'_>) -> Typed {
    let mut views = Vec::with_capacity(cx.args.len());
    for i in 0..cx.args.len() {
        let array = array_or_like(cx, i)?;
        let ndim = array.ndim.max(RANK);
        let layout = match array.ndim {
            0 | 1 if array.layout != Layout::A => Layout::C,
            _ if ndim == array.ndim => array.layout,
            _ if array.layout == Layout::C => Layout::C,
            _ => Layout::A,
        };
        views.push(view(
            cx,
            ArrayType {
                ndim,
                layout,
                ..array
            },
        ));
    }
    match views[..] {
        [] => Err(Mismatch::rejected("no array is given")),
        [one] => cx.returns(one),
        _ => cx.returns(cx.types.tuple(&views)),
    }
}

/// `np.lib.stride_tricks.sliding_window_view(x, window_shape, axis)`
pub(crate) fn sliding_window_view(cx: &ResultCx<'_>) -> Typed {
    let array = array(cx, 0)?;
    let windows = count_of(cx, 1)
        .map_err(|_| Mismatch::error("window_shape must be an integer or tuple of integer"))?;
    want(
        is_none(cx, 2) || count_of(cx, 2).is_ok(),
        "axis must be None, an integer or tuple of integer",
    )?;
    let array = ArrayType {
        ndim: array.ndim + windows,
        layout: Layout::A,
        mutable: false,
        ..array
    };
    cx.returns(view(cx, array))
}

/// `np.meshgrid(*xi, indexing)`: the last argument is `indexing`.
pub(crate) fn meshgrid(cx: &ResultCx<'_>) -> Typed {
    let count = cx.args.len().saturating_sub(1);
    want(
        cx.plain(count) == Type::UNICODE,
        "The argument \"indexing\" must be a string",
    )?;
    let ndim = ranked(cx, count)?;
    let grids = (0..count)
        .map(|i| Ok(new(cx, like(cx, i)?.0, ndim)))
        .collect::<Result<Vec<Type>, Mismatch>>()?;
    cx.returns(cx.types.tuple(&grids))
}

/// `np.split(ary, indices_or_sections, axis)` and its kin: a list of views.
pub(crate) fn split(cx: &ResultCx<'_>) -> Typed {
    let array =
        array(cx, 0).map_err(|_| Mismatch::error("The argument \"ary\" must be an array"))?;
    let (at, rank) = like(cx, 1).map_err(|_| {
        Mismatch::error("The argument \"indices_or_sections\" must be int or 1d-array")
    })?;
    if rank > 1 || !scalar(cx, at)?.is_int() {
        return Err(Mismatch::error(
            "The argument \"indices_or_sections\" must be int or 1d-array",
        ));
    }
    let layout = match (array.ndim, array.layout) {
        (1, Layout::C | Layout::F) => Layout::C,
        _ => Layout::A,
    };
    let part = view(cx, ArrayType { layout, ..array });
    cx.returns(cx.types.list(part))
}

/// `np.resize(a, new_shape)`
pub(crate) fn resize(cx: &ResultCx<'_>) -> Typed {
    want(is_like(cx, 0), "The argument \"a\" must be array-like")?;
    want(
        count_of(cx, 1).is_ok(),
        "The argument \"new_shape\" must be an integer or a tuple of integers",
    )?;
    let (dtype, _) = like(cx, 0)?;
    let ndim = count_of(cx, 1)?;
    cx.returns(new(cx, dtype, ndim))
}

/// `np.lib.stride_tricks.as_strided(x, shape, strides)`
pub(crate) fn as_strided(cx: &ResultCx<'_>) -> Typed {
    let array = array(cx, 0)?;
    let mut ndim = array.ndim;
    for (i, name) in [(1, "shape"), (2, "strides")] {
        if is_none(cx, i) {
            continue;
        }
        let count = count_of(cx, i)?;
        if i == 2 && !is_none(cx, 1) && count != ndim {
            return Err(Mismatch::error(format!(
                "{name} has another length than shape"
            )));
        }
        ndim = count;
    }
    let layout = Layout::A;
    cx.returns(view(
        cx,
        ArrayType {
            ndim,
            layout,
            ..array
        },
    ))
}
