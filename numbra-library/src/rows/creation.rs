//! Functions that make arrays.

use crate::pattern::plain;
use crate::row_macro::{moving, native, prelude, rule};
use crate::rules::{
    NEW, Typed, array, checked_rank, count_of, double, dtype_arg, fresh, is_int, is_none, like,
    like_of, new, promoted, scalar, scalar_is, shape_of, tight, view, want,
};
use crate::{Effects, Fill, Mismatch, Op, ResultCx, Targets, Threads, TypePattern as P};
use numbra_ir::{ArrayType, Layout, Scalar, Signature, Type, TypeKind, Types};

const FRESH: Effects = Effects::ALLOC.and(Effects::RAISE);

library! {
    /// A new array without set contents, float64 unless a dtype is given.
    fn numpy.empty(shape, dtype = None) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], create, Op::ArrayNew(Fill::Uninit))],
    }
    /// A new array of zeros, float64 unless a dtype is given.
    fn numpy.zeros(shape, dtype = None) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], create, Op::ArrayNew(Fill::Zero))],
    }
    /// A new array of ones, float64 unless a dtype is given.
    fn numpy.ones(shape, dtype = None) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any], create, Op::ArrayNew(Fill::One))],
    }
    /// A new array of one value, of the value's type unless a dtype is given.
    fn numpy.full(shape, fill_value, dtype = None) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[rule(&[P::ShapeLike, P::Any, P::Any], full, Op::ArrayNew(Fill::Value))],
    }
    /// A new array of the shape and type of another, without set contents.
    fn numpy.empty_like(prototype, dtype = None) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], create_like, Op::ArrayNewLike(Fill::Uninit))],
    }
    /// A new array of zeros of the shape and type of another.
    fn numpy.zeros_like(a, dtype = None) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], create_like, Op::ArrayNewLike(Fill::Zero))],
    }
    /// A new array of ones of the shape and type of another.
    fn numpy.ones_like(a, dtype = None) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], create_like, Op::ArrayNewLike(Fill::One))],
    }
    /// A new array of one value, of the shape and type of another.
    fn numpy.full_like(a, fill_value, dtype = None) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], full_like, Op::ArrayNewLike(Fill::Value))],
    }
    /// `num` numbers from `start` to `stop`, both included.
    fn numpy.linspace(start, stop, num = Int(50)) {
        effects: FRESH, targets: Targets::Cpu,
        bodies: &[native(&[P::Scalar, P::Scalar, P::Any], spaced, "numbra_np_linspace").threads(Threads::Elements)],
    }
    /// Coordinates of a grid: for each argument, as one axis, an array over all axes; the first two change places unless
    /// `indexing` is `ij`.
    fn numpy.meshgrid(*xi, indexing = Str("xy")) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], meshgrid, "numbra_np_meshgrid")],
    }
    /// A new array of a number or nested tuples and lists of numbers or arrays.
    fn numpy.array(object, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::List, P::Any], make_of_numbers, Op::ArrayOfList),
            rule(&[P::Any, P::Any], make_of_nested, Op::ArrayOfNested),
            native(&[P::Any, P::Any], make, "numbra_np_array"),
        ],
    }
    /// An array as it is where it has the dtype, else a converted copy; numbers and tuples become arrays.
    fn numpy.asarray(a, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::Array, P::DTypeLike], as_is, Op::Identity),
            rule(&[P::List, P::Any], make_of_numbers, Op::ArrayOfList),
            rule(&[P::Any, P::Any], make_of_nested, Op::ArrayOfNested),
            native(&[P::Any, P::Any], make, "numbra_np_array"),
        ],
    }
    /// [`numpy.asarray`]; ValueError if an element is NaN or infinite.
    fn numpy.asarray_chkfinite(a, dtype = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Any, P::DTypeLike], "asarray_chkfinite")],
    }
    /// The bytes of a contiguous array from `offset` on as elements of another type, a view with one axis.
    fn numpy.frombuffer(buffer, dtype = None, count = Int(-1), offset = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Int, P::Int], frombuffer, "numbra_np_frombuffer")],
    }
    /// `num` numbers from `10**start` to `10**stop`, each a fixed multiple of the one before.
    fn numpy.logspace(start, stop, num = Int(50)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], logspace, "numbra_np_logspace")],
    }
    /// `num` numbers from `start` to `stop`, each a fixed multiple of the one before.
    fn numpy.geomspace(start, stop, num = Int(50)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], geomspace, "numbra_np_geomspace")],
    }
    /// Powers of each number in a row, falling unless `increasing`.
    fn numpy.vander(x, N = None, increasing = Bool(false)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Integral], vander, "numbra_np_vander")],
    }
    /// Indices of every element of a shape, axis by axis.
    fn numpy.indices(dimensions) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any], indices, "numbra_np_indices")],
    }
}

/// `np.empty(shape, dtype)` and its kin.
fn create(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (shape, rank) = shape_of(cx, cx.plain(0))?;
    let dtype = dtype_arg(cx, 1, Type::FLOAT64)?;
    Ok(Signature {
        params: vec![shape, cx.arg(1)],
        ret: fresh(cx, dtype, rank, Layout::C),
    })
}

/// `np.full(shape, value, dtype)`
fn full(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (shape, rank) = shape_of(cx, cx.plain(0))?;
    let dtype = dtype_arg(cx, 2, cx.plain(1))?;
    check_fill(cx, dtype)?;
    Ok(Signature {
        params: vec![shape, dtype, cx.arg(2)],
        ret: fresh(cx, dtype, rank, Layout::C),
    })
}

fn check_fill(cx: &ResultCx<'_>, dtype: Type) -> Result<(), Mismatch> {
    match cx.types.element(dtype) {
        Some(_) if cx.can_convert(cx.plain(1), dtype).is_some() => Ok(()),
        _ => Err(Mismatch::rejected(format!(
            "{} does not convert to {}",
            cx.show(cx.plain(1)),
            cx.show(dtype)
        ))),
    }
}

/// Element type, rank and layout of what an argument is like: a scalar counts as a 0-d array.
fn prototype(cx: &ResultCx<'_>) -> Result<(Type, u8, Layout), Mismatch> {
    let ty = cx.plain(0);
    if cx.types.element(ty).is_some() {
        return Ok((ty, 0, Layout::C));
    }
    let a = array(cx, 0)?;
    Ok((a.dtype, a.ndim, tight(a.layout)))
}

/// `np.empty_like(x, dtype)` and its kin.
fn create_like(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, ndim, layout) = prototype(cx)?;
    let dtype = dtype_arg(cx, 1, dtype)?;
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: fresh(cx, dtype, ndim, layout),
    })
}

/// `np.full_like(x, value, dtype)`
fn full_like(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, ndim, layout) = prototype(cx)?;
    let dtype = dtype_arg(cx, 2, dtype)?;
    check_fill(cx, dtype)?;
    Ok(Signature {
        params: vec![cx.plain(0), dtype, cx.arg(2)],
        ret: fresh(cx, dtype, ndim, layout),
    })
}

/// `np.logspace(start, stop, num)`
fn logspace(cx: &ResultCx<'_>) -> Typed {
    want(
        is_number(cx, 0),
        "The first argument \"start\" must be a number",
    )?;
    want(
        is_number(cx, 1),
        "The second argument \"stop\" must be a number",
    )?;
    want(
        is_int(cx, 2),
        "The third argument \"num\" must be an integer",
    )?;
    spaced(cx)
}

/// `np.geomspace(start, stop, num)`
fn geomspace(cx: &ResultCx<'_>) -> Typed {
    want(is_number(cx, 0), "The argument \"start\" must be a number")?;
    want(is_number(cx, 1), "The argument \"stop\" must be a number")?;
    want(is_int(cx, 2), "The argument \"num\" must be an integer")?;
    spaced(cx)
}

/// `np.linspace(start, stop, num)`: complex128 or float64.
fn spaced(cx: &ResultCx<'_>) -> Typed {
    let kinds = [scalar(cx, cx.plain(0))?, scalar(cx, cx.plain(1))?];
    if !scalar(cx, cx.plain(2))?.is_int() {
        return Err(Mismatch::error("The argument \"num\" must be an integer"));
    }
    let dtype = double(cx, &kinds);
    cx.returns(new(cx, dtype, 1))
}

/// `np.vander(x, N, increasing)`
fn vander(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    if ndim != 1 {
        return Err(Mismatch::error(
            "x must be a one-dimensional array or sequence.",
        ));
    }
    if !is_none(cx, 1) && !cx.types.as_scalar(cx.plain(1)).is_some_and(Scalar::is_int) {
        return Err(Mismatch::error(
            "Second argument N must be None or an integer",
        ));
    }
    let dtype = promoted(cx, dtype, Type::INT64)?;
    cx.returns(new(cx, dtype, 2))
}

/// `np.indices(dimensions)`
fn indices(cx: &ResultCx<'_>) -> Typed {
    if cx.types.tuple_items(cx.plain(0)).is_none() {
        return Err(Mismatch::error(
            "The argument \"dimensions\" must be a tuple of integers",
        ));
    }
    let message = "The argument \"dimensions\" must be a tuple of integers";
    let n = count_of(cx, 0).map_err(|_| Mismatch::error(message))?;
    cx.returns(new(cx, Type::INT64, n + 1))
}

/// `np.array(object, dtype)`: numbers and nested tuples of them.
fn make(cx: &ResultCx<'_>) -> Typed {
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
fn make_of_numbers(cx: &ResultCx<'_>) -> Typed {
    let made = make(cx)?;
    match cx.types.as_list(cx.plain(0)) {
        Some((item, _)) if holds_numbers(cx, item, false, made.ret) => Ok(made),
        _ => Err(Mismatch::rejected("the items are no such numbers")),
    }
}

/// `np.array(x, dtype)` of nested tuples and lists of numbers that the dtype can hold a part of.
fn make_of_nested(cx: &ResultCx<'_>) -> Typed {
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
fn as_is(cx: &ResultCx<'_>) -> Typed {
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

/// `np.frombuffer(buffer, dtype, count, offset)` of an array: a view with one axis.
fn frombuffer(cx: &ResultCx<'_>) -> Typed {
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

/// True if argument `i` is a number, not a boolean.
fn is_number(cx: &ResultCx<'_>, i: usize) -> bool {
    scalar_is(cx, i, |s| s != Scalar::Bool)
}

/// `np.meshgrid(*xi, indexing)`: the last argument is `indexing`.
fn meshgrid(cx: &ResultCx<'_>) -> Typed {
    let count = cx.args.len().saturating_sub(1);
    want(
        cx.plain(count) == Type::UNICODE,
        "The argument \"indexing\" must be a string",
    )?;
    let ndim = checked_rank(cx, count)?;
    let grids = (0..count)
        .map(|i| Ok(new(cx, like(cx, i)?.0, ndim)))
        .collect::<Result<Vec<Type>, Mismatch>>()?;
    cx.returns(cx.types.tuple(&grids))
}
