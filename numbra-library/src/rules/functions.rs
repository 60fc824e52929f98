//! Result types of array functions: what their arguments are as arrays, and shapes that follow from ranks.

use crate::pattern::plain;
use crate::rules::arrays::{array, check_mutable, dtype_arg};
use crate::{Mismatch, ResultCx};
use numbra_ir::{ArrayType, Const, Layout, Scalar, Signature, Type, TypeKind};

/// The outcome of a rule.
pub(crate) type Typed = Result<Signature, Mismatch>;

/// Element type and rank of argument `i` as an array: an array, a number, or nested tuples and lists of these.
pub(crate) fn like(cx: &ResultCx<'_>, i: usize) -> Result<(Type, u8), Mismatch> {
    like_of(cx, cx.arg(i))
}

/// As [`like`], of a type.
pub(crate) fn like_of(cx: &ResultCx<'_>, ty: Type) -> Result<(Type, u8), Mismatch> {
    let ty = plain(cx.types, ty);
    let reject = || Mismatch::rejected(format!("{} is no array of numbers", cx.show(ty)));
    if let Some(array) = cx.types.as_array(ty) {
        cx.types.as_scalar(array.dtype).ok_or_else(reject)?;
        return Ok((array.dtype, array.ndim));
    }
    if cx.types.as_scalar(ty).is_some() {
        return Ok((ty, 0));
    }
    if let Some((dtype, _)) = cx.types.as_list(ty) {
        if crate::native::kind_word(cx.types, ty).is_none() {
            return Err(reject());
        }
        let (dtype, ndim) = like_of(cx, dtype)?;
        return Ok((dtype, ndim + 1));
    }
    let items = cx.types.tuple_items(ty).ok_or_else(reject)?;
    let mut common: Option<(Type, u8)> = None;
    for item in items {
        let (dtype, ndim) = like_of(cx, item)?;
        common = Some(match common {
            None => (dtype, ndim),
            Some((other, rank)) if rank == ndim => (promoted(cx, other, dtype)?, ndim),
            Some(_) => return Err(reject()),
        });
    }
    let (dtype, ndim) = common.unwrap_or((Type::FLOAT64, 0));
    Ok((dtype, ndim + 1))
}

/// Fails with Numba's text where an argument is not what the function takes.
pub(crate) fn want(holds: bool, message: &str) -> Result<(), Mismatch> {
    if holds {
        Ok(())
    } else {
        Err(Mismatch::error(message))
    }
}

fn scalar_is(cx: &ResultCx<'_>, i: usize, test: fn(Scalar) -> bool) -> bool {
    cx.types.as_scalar(cx.plain(i)).is_some_and(test)
}

/// True if argument `i` is an integer.
pub(crate) fn is_int(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, Scalar::is_int)
}

/// True if argument `i` is a number, not a boolean.
pub(crate) fn is_number(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, |s| s != Scalar::Bool)
}

/// True if argument `i` is a real number, not a boolean.
pub(crate) fn is_real(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, |s| s != Scalar::Bool && !s.is_complex())
}

/// True if argument `i` is an array, a number, or nested tuples and lists of these.
pub(crate) fn is_like(cx: &ResultCx<'_>, i: usize) -> bool {
    like(cx, i).is_ok()
}

/// True if argument `i` is an array, not one number.
pub(crate) fn is_sequence(cx: &ResultCx<'_>, i: usize) -> bool {
    is_like(cx, i) && cx.types.as_scalar(cx.plain(i)).is_none()
}

/// True if argument `i` is an array.
pub(crate) fn is_array(cx: &ResultCx<'_>, i: usize) -> bool {
    cx.types.as_array(cx.plain(i)).is_some()
}

/// The common element type of two.
pub(crate) fn promoted(cx: &ResultCx<'_>, a: Type, b: Type) -> Result<Type, Mismatch> {
    cx.unify(a, b)
        .filter(|ty| cx.types.as_scalar(*ty).is_some())
        .ok_or_else(|| {
            Mismatch::rejected(format!(
                "{} and {} have no common dtype",
                cx.show(a),
                cx.show(b)
            ))
        })
}

/// The scalar behind an element type.
pub(crate) fn scalar(cx: &ResultCx<'_>, ty: Type) -> Result<Scalar, Mismatch> {
    cx.types
        .as_scalar(ty)
        .ok_or_else(|| Mismatch::rejected(format!("{} is no number", cx.show(ty))))
}

/// A new array in C order.
pub(crate) fn new(cx: &ResultCx<'_>, dtype: Type, ndim: u8) -> Type {
    cx.types.array(dtype, ndim, Layout::C)
}

fn view(cx: &ResultCx<'_>, array: ArrayType) -> Type {
    cx.types.intern(TypeKind::Array(array))
}

/// The array behind an argument, or the type that its elements have as one.
fn array_or_like(cx: &ResultCx<'_>, i: usize) -> Result<ArrayType, Mismatch> {
    if let Ok(array) = array(cx, i) {
        return Ok(array);
    }
    let (dtype, ndim) = like(cx, i)?;
    Ok(ArrayType {
        dtype,
        ndim,
        layout: Layout::C,
        mutable: true,
        aligned: true,
    })
}

/// Number of entries of an integer or a tuple of integers.
pub(crate) fn count_of(cx: &ResultCx<'_>, i: usize) -> Result<u8, Mismatch> {
    let ty = cx.plain(i);
    if cx.types.as_scalar(ty).is_some_and(Scalar::is_int) {
        return Ok(1);
    }
    let items = cx
        .types
        .tuple_items(ty)
        .filter(|items| {
            let int = |t: &Type| {
                cx.types
                    .as_scalar(plain(cx.types, *t))
                    .is_some_and(Scalar::is_int)
            };
            items.iter().all(int)
        })
        .ok_or_else(|| Mismatch::rejected(format!("{} is no tuple of integers", cx.show(ty))))?;
    u8::try_from(items.len()).map_err(|_| Mismatch::error("too many dimensions"))
}

/// An argument that is `None` or left out.
pub(crate) fn is_none(cx: &ResultCx<'_>, i: usize) -> bool {
    cx.plain(i) == Type::NONE
}

fn ranked(cx: &ResultCx<'_>, n: usize) -> Result<u8, Mismatch> {
    u8::try_from(n)
        .map_err(|_| Mismatch::error(format!("too many dimensions for {}", cx.show(cx.plain(0)))))
}

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

/// `np.flip(m)`
pub(crate) fn flip(cx: &ResultCx<'_>) -> Typed {
    let message = format!("Cannot np.flip on {} type", flipped_name(cx));
    want(is_array(cx, 0), &message)?;
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
    let arrays: Vec<ArrayType> = arrays
        .into_iter()
        .map(|a| ArrayType {
            ndim: a.ndim.max(1),
            ..a
        })
        .collect();
    let mixed = arrays.iter().any(|a| a.dtype != arrays[0].dtype);
    want(!mixed, "Mismatch of argument types")?;
    let ndim = arrays.iter().map(|a| a.ndim).max().unwrap_or(0);
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
    cx.returns(new(cx, dtype, rank))
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
fn parts_of(cx: &ResultCx<'_>, ty: Type) -> Option<Vec<Type>> {
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
    cx.returns(new(cx, dtype, 2))
}

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

fn check_int(cx: &ResultCx<'_>, i: usize, message: &str) -> Result<(), Mismatch> {
    if cx.types.as_scalar(cx.plain(i)).is_some_and(Scalar::is_int) {
        return Ok(());
    }
    Err(Mismatch::error(message))
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

/// `np.nonzero(a)`: the index arrays of each axis.
pub(crate) fn nonzero(cx: &ResultCx<'_>) -> Typed {
    let (_, ndim) = like(cx, 0)?;
    let places = new(cx, Type::INT64, 1);
    let n = u32::from(ndim.max(1));
    cx.returns(cx.types.intern(TypeKind::UniTuple(places, n)))
}

/// `np.flatnonzero(a)`
pub(crate) fn places(cx: &ResultCx<'_>) -> Typed {
    like(cx, 0)?;
    cx.returns(new(cx, Type::INT64, 1))
}

/// `np.argwhere(a)`
pub(crate) fn argwhere(cx: &ResultCx<'_>) -> Typed {
    like(cx, 0)?;
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
    let ((_, a), (x, b), (y, c)) = (like(cx, 0)?, like(cx, 1)?, like(cx, 2)?);
    // As NumPy keeps the order of its operands.
    let arrays: Vec<ArrayType> = (0..3).filter_map(|i| array(cx, i).ok()).collect();
    let fortran = !arrays.is_empty() && arrays.iter().all(|a| a.layout == Layout::F);
    let layout = if fortran { Layout::F } else { Layout::C };
    let dtype = promoted(cx, x, y)?;
    cx.returns(cx.types.array(dtype, a.max(b).max(c), layout))
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
        rank = Some(choice.ndim);
        dtype = promoted(cx, dtype, choice.dtype)?;
    }
    let rank = rank.ok_or_else(|| Mismatch::rejected("no condition is given"))?;
    cx.returns(new(cx, dtype, rank))
}

/// `np.extract(condition, arr)`
pub(crate) fn extract(cx: &ResultCx<'_>) -> Typed {
    like(cx, 0)?;
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
        return Err(Mismatch::error("axis is out of bounds"));
    }
    cx.returns(new(cx, a.dtype, a.ndim))
}

/// The constant integer that argument `i` is, also as a default.
pub(crate) fn literal_int(cx: &ResultCx<'_>, i: usize) -> Option<i64> {
    match cx.types.kind(cx.arg(i)) {
        TypeKind::Literal(Const::Int(v)) | TypeKind::Omitted(Const::Int(v)) => Some(*v),
        _ => None,
    }
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

/// `x.view(dtype)`
pub(crate) fn view_as(cx: &ResultCx<'_>) -> Typed {
    let array = array(cx, 0)?;
    let dtype = crate::named_dtype(cx.types, cx.arg(1))
        .ok_or_else(|| Mismatch::rejected("the dtype is not a known scalar type"))?;
    let (to, from) = (scalar(cx, dtype)?.size(), scalar(cx, array.dtype)?.size());
    if array.ndim == 0 && to != from {
        return Err(Mismatch::error(
            "Changing the dtype of a 0d array is only supported if the itemsize is unchanged",
        ));
    }
    Ok(Signature {
        params: vec![cx.plain(0), Type::NONE],
        ret: view(cx, ArrayType { dtype, ..array }),
    })
}

/// What `np.tril_indices_from` and its kin do not take.
pub(crate) fn no_matrix(cx: &ResultCx<'_>) -> Typed {
    check_int(cx, 1, "k must be an integer")?;
    Err(Mismatch::error("input array must be 2-d"))
}

/// `np.frombuffer(buffer, dtype, count, offset)` of an array: a view with one axis.
pub(crate) fn frombuffer(cx: &ResultCx<'_>) -> Typed {
    let buffer =
        array(cx, 0).map_err(|_| Mismatch::error("Argument \"buffer\" must be buffer-like"))?;
    scalar(cx, buffer.dtype)?;
    want(
        buffer.layout == Layout::C,
        "\"buffer\" must be C-contiguous",
    )?;
    let dtype = dtype_arg(cx, 1, Type::FLOAT64)?;
    scalar(cx, dtype)?;
    Ok(Signature {
        params: vec![cx.plain(0), Type::NONE, cx.plain(2), cx.plain(3)],
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
