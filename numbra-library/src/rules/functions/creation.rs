//! Functions that make arrays: of sequences, of triangles, of a buffer.

use super::*;

/// `np.array(object, dtype)`: numbers and nested tuples of them.
pub(crate) fn make(cx: &ResultCx<'_>) -> Typed {
    want(
        !is_none(cx, 0),
        "The argument \"object\" must be array-like",
    )?;
    want(
        cx.types.as_scalar(cx.plain(1)).is_none(),
        "The argument \"dtype\" must be a data-type if it is provided",
    )?;
    let (own, ndim) = like(cx, 0)?;
    let dtype = dtype_arg(cx, 1, own)?;
    scalar(cx, dtype)?;
    Ok(Signature {
        params: vec![cx.plain(0), Type::NONE],
        ret: new(cx, dtype, ndim),
    })
}

/// `np.array(list, dtype)` of a list of numbers that the dtype can hold a part of.
pub(crate) fn make_of_numbers(cx: &ResultCx<'_>) -> Typed {
    let made = make(cx)?;
    match cx.types.as_list(cx.plain(0)) {
        Some((item, _)) if holds_numbers(cx, item, false, made.ret) => Ok(made),
        _ => Err(Mismatch::rejected("the items are no such numbers")),
    }
}

/// `np.array(x, dtype)` of nested tuples and lists of numbers that the dtype can hold a part of.
pub(crate) fn make_of_nested(cx: &ResultCx<'_>) -> Typed {
    let x = cx.plain(0);
    let no_number = cx.types.as_scalar(cx.plain(1)).is_none();
    let made = match (make(cx), cx.types.as_list(x)) {
        (Ok(made), _) => made,
        // The runtime knows lists of tuples of one type, this operation all.
        (Err(_), Some((item, _))) if no_number && shape_of_numbers(cx.types, item).is_some() => {
            let (own, ndim) = like_of(cx, item)?;
            Signature {
                params: vec![x, Type::NONE],
                ret: new(cx, dtype_arg(cx, 1, own)?, ndim + 1),
            }
        }
        (Err(error), _) => return Err(error),
    };
    if cx.types.as_scalar(x).is_some() || !holds_numbers(cx, x, true, made.ret) {
        return Err(Mismatch::rejected("the items are no such numbers"));
    }
    Ok(made)
}

/// Extents of the array of a number or of nested tuples of numbers, unless neighbours differ.
pub fn shape_of_numbers(types: &Types, ty: Type) -> Option<Vec<usize>> {
    if types.as_scalar(ty).is_some() {
        return Some(Vec::new());
    }
    let items = types.tuple_items(ty)?;
    let shapes = items.into_iter().map(|item| shape_of_numbers(types, item));
    shape_of_neighbours(shapes.collect::<Option<Vec<_>>>()?)
}

/// The extents of neighbours with their number in front, if they are equal.
pub fn shape_of_neighbours(shapes: Vec<Vec<usize>>) -> Option<Vec<usize>> {
    let first = shapes.first().cloned().unwrap_or_default();
    let equal = shapes.iter().all(|shape| *shape == first);
    equal.then(|| [vec![shapes.len()], first].concat())
}

/// True if a value is a number, or `nested` ones, that elements of an array can hold a part of.
fn holds_numbers(cx: &ResultCx<'_>, ty: Type, nested: bool, array: Type) -> bool {
    let number = |ty: Type| cx.types.as_scalar(ty).filter(|s| *s != Scalar::Float16);
    let Some(to) = cx.types.as_array(array).and_then(|a| number(a.dtype)) else {
        return false;
    };
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        let ty = plain(cx.types, ty);
        match (number(ty), cx.types.as_list(ty), cx.types.tuple_items(ty)) {
            (Some(from), _, _) if to.is_complex() || !from.is_complex() => {}
            (None, Some((item, _)), _) if nested => todo.push(item),
            (None, None, Some(items)) if nested => todo.extend(items),
            _ => return false,
        }
    }
    true
}

/// `np.asarray(a, dtype)` of an array that has the dtype already: itself.
pub(crate) fn as_is(cx: &ResultCx<'_>) -> Typed {
    let own = array(cx, 0)?;
    let dtype = dtype_arg(cx, 1, own.dtype)?;
    if dtype != own.dtype {
        return Err(Mismatch::rejected("the elements are to be converted"));
    }
    Ok(Signature {
        params: vec![cx.plain(0), Type::NONE],
        ret: cx.plain(0),
    })
}

/// `np.diag(v, k)`
pub(crate) fn diag(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) =
        like(cx, 0).map_err(|_| Mismatch::error("The argument \"v\" must be array-like"))?;
    want(is_int(cx, 1), "The argument \"k\" must be an integer")?;
    match ndim {
        1 => cx.returns(new(cx, dtype, 2)),
        2 => cx.returns(new(cx, dtype, 1)),
        _ => Err(Mismatch::error("Input must be 1- or 2-d.")),
    }
}

/// `np.fill_diagonal(a, val, wrap)`
pub(crate) fn fill_diagonal(cx: &ResultCx<'_>) -> Typed {
    let a = array(cx, 0).map_err(|_| Mismatch::error("The first argument must be an array."))?;
    check_mutable(cx, cx.plain(0))?;
    if a.ndim < 2 {
        return Err(Mismatch::error(
            "The first argument must be at least 2-D (found 1-D)",
        ));
    }
    let (value, _) = like(cx, 1)?;
    if cx.can_convert(value, a.dtype).is_none() {
        return Err(Mismatch::error("Unable to safely conform val to a.dtype"));
    }
    cx.returns(Type::NONE)
}

/// `np.tri(N, M, k)`
pub(crate) fn tri(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 2, "k must be an integer")?;
    cx.returns(new(cx, Type::FLOAT64, 2))
}

/// `np.tril(m, k)`, `np.triu(m, k)`
pub(crate) fn triangle(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 1, "k must be an integer")?;
    let (dtype, ndim) = like(cx, 0)?;
    if ndim == 0 {
        return Err(Mismatch::rejected("the input has no axis"));
    }
    cx.returns(new(cx, dtype, ndim.max(2)))
}

/// `np.tril_indices(n, k, m)`, `np.triu_indices(n, k, m)`
pub(crate) fn triangle_indices(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 0, "n must be an integer")?;
    check_int(cx, 1, "k must be an integer")?;
    want(is_none(cx, 2) || is_int(cx, 2), "m must be an integer")?;
    let places = new(cx, Type::INT64, 1);
    cx.returns(cx.types.tuple(&[places, places]))
}

/// What `np.tril_indices_from` and its kin do not take.
pub(crate) fn no_matrix(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 1, "k must be an integer")?;
    Err(Mismatch::error("input array must be 2-d"))
}

/// `np.frombuffer(buffer, dtype, count, offset)` of an array: a view with one axis.
pub(crate) fn frombuffer(cx: &ResultCx<'_>) -> Typed {
    let buffer = crate::rules::arrays::array(cx, 0)
        .map_err(|_| Mismatch::error("Argument \"buffer\" must be buffer-like"))?;
    scalar(cx, buffer.dtype)?;
    want(
        buffer.layout == Layout::C,
        "\"buffer\" must be C-contiguous",
    )?;
    let dtype = dtype_arg(cx, 1, Type::FLOAT64)?;
    scalar(cx, dtype)?;
    Ok(Signature {
        params: vec![
            cx.types.intern(TypeKind::Array(buffer)),
            Type::NONE,
            cx.plain(2),
            cx.plain(3),
        ],
        ret: view(
            cx,
            ArrayType {
                dtype,
                ndim: 1,
                ..buffer
            },
        ),
    })
}
