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
    let number = |ty: Type| cx.types.as_scalar(ty).filter(|s| *s != Scalar::Float16);
    let from = cx.types.as_list(cx.plain(0)).and_then(|l| number(l.0));
    let to = cx.types.as_array(made.ret).and_then(|a| number(a.dtype));
    match (from, to) {
        (Some(from), Some(to)) if to.is_complex() || !from.is_complex() => Ok(made),
        _ => Err(Mismatch::rejected("the items are no such numbers")),
    }
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
