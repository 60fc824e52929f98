//! The steps of protocols: iteration, which `for` loops and unpacking are made of, and making named tuples.

use super::tuples;
use crate::pattern::plain;
use crate::row_macro::{guarded, guarded_prelude, prelude, rule};
use crate::rules::array;
use crate::{Effects, Mismatch, Op, ResultCx, TypePattern as P};
use numbra_ir::{ArrayType, Const, Layout, Scalar, Signature, Type, TypeKind};

/// What making a generator does.
const LAZY: Effects = Effects::READ.and(Effects::ALLOC);

library! {
    /// Pairs of a counter and an item.
    fn builtins.enumerate(iterable, start = Unset) {
        effects: Effects::READ,
        bodies: &[rule(&[P::Any, P::Any], enumerate, Op::EnumerateNew)],
    }
    /// Tuples of one item of each iterable, as long as the shortest; ValueError where one has more or fewer and `strict` is true.
    fn builtins.zip(*iterables, strict = Bool(false)) {
        effects: Effects::READ,
        bodies: &[rule(&[P::Any], zip, Op::ZipNew)],
    }
    /// An iterator over `x`.
    fn builtins.iter(x) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Flat], getiter, Op::ArrayFlatIter),
            rule(&[P::Iterable], getiter, Op::GetIter),
        ],
    }
    /// The next item of an iterator, or StopIteration.
    fn builtins.next(iterator) {
        effects: Effects::READ.and(Effects::STATE).and(Effects::RAISE),
        bodies: &[rule(&[P::Iterator], next, Op::Next)],
    }
    /// A generator of the function's results, as long as the shortest of up to three iterables.
    fn builtins.map(function, *iterables) {
        effects: LAZY, targets: crate::Targets::Cpu,
        bodies: &[
            guarded_prelude(&[P::Any, P::Iterable], |_, args| args.len() == 2, "map_of_one"),
            guarded_prelude(&[P::Any, P::Iterable], |_, args| args.len() == 3, "map_of_two"),
            guarded_prelude(&[P::Any, P::Iterable], |_, args| args.len() == 4, "map_of_three"),
        ],
    }
    /// A generator of the items for which the function's result is true, or which are true themselves.
    fn builtins.filter(function, iterable) {
        effects: LAZY, targets: crate::Targets::Cpu,
        bodies: &[
            prelude(&[P::None, P::Iterable], "filter_true"),
            prelude(&[P::Any, P::Iterable], "filter_items"),
        ],
    }
    /// Joins the items from left to right by a function of two arguments; TypeError when there is nothing to join.
    fn functools.reduce(function, iterable, initial = Unset) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[
            guarded_prelude(&[P::Any, P::Iterable], |_, args| args.len() == 2, "reduce_items"),
            guarded_prelude(&[P::Any, P::Iterable, P::Any], |_, args| args.len() == 3, "reduce_from"),
        ],
    }
    /// The items from the last to the first: a range of a range, else a generator.
    fn builtins.reversed(sequence) {
        effects: LAZY.and(Effects::RAISE), targets: crate::Targets::Cpu,
        bodies: &[
            rule(&[P::Range], range_reversed, Op::RangeReversed),
            prelude(&[P::OneOf(&[P::List, P::Array, P::Tuple])], "reversed_items"),
        ],
    }
    /// `iter(x)`: over a range, an array's first axis, a homogeneous tuple, `array.flat`; an iterator is itself.
    step iteration.getiter(x) {
        effects: Effects::READ,
        bodies: &[
            rule(&[P::Flat], getiter, Op::ArrayFlatIter),
            rule(&[P::Iterable], getiter, Op::GetIter),
            guarded(&[P::Tuple], tuples::of_functions, function_iter, Op::GetIter),
        ],
    }
    /// Every index of a shape as a tuple, the last axis fastest.
    fn numpy.ndindex(*shape) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::ShapeLike], ndindex, Op::NdIndexNew)],
    }
    /// `ndindex(..)` whose iterations may run in parallel, in functions compiled with `parallel=True`.
    fn numbra.pndindex(*shape) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::ShapeLike], ndindex, Op::ParallelNdIndexNew)],
    }
    /// Pairs of index and element, in C order.
    fn numpy.ndenumerate(arr) {
        effects: Effects::READ,
        bodies: &[rule(&[P::Array], ndenumerate, Op::NdEnumerateNew)],
    }
    /// The elements of an array, or of several broadcast together, as arrays without axes: in C order, or in Fortran order where
    /// all arrays of the common rank are contiguous so.
    fn numpy.nditer(arrays) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[rule(&[P::Any], nditer, Op::NdIterNew)],
    }
    /// `Point(x, y)` of a named tuple class, once its arguments are in the order of the fields.
    step namedtuple.new(*items) {
        bodies: &[rule(&[P::Any], tuples::new, Op::TupleNew)],
    }
    /// Advances an iterator: a pair of the item and whether there was one.
    step iteration.iternext(x) {
        effects: Effects::READ.and(Effects::STATE).and(Effects::RAISE),
        bodies: &[rule(&[P::Iterator], iternext, Op::IterNext)],
    }
}

/// `reversed(range)`: an iterator of unsigned items, whose range may have no stop below 0, else a range.
fn range_reversed(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.kind(cx.plain(0)) {
        TypeKind::Range(item)
            if cx
                .types
                .as_scalar(*item)
                .is_some_and(Scalar::is_unsigned_int) =>
        {
            cx.returns(cx.types.intern(TypeKind::RangeIter(*item)))
        }
        TypeKind::Range(_) => cx.returns(cx.plain(0)),
        _ => Err(Mismatch::rejected("no range")),
    }
}

/// The iterator that `iter(x)` gives.
pub(crate) fn iterator(cx: &ResultCx<'_>, ty: Type) -> Result<Type, Mismatch> {
    let ty = plain(cx.types, ty);
    if let Some(iterator) = cx.types.iterator(ty) {
        return Ok(iterator);
    }
    if cx.types.as_buffer(ty).is_some() {
        return Err(Mismatch::error("0-d arrays are not iterable"));
    }
    Err(Mismatch::rejected(format!(
        "{} is not iterable",
        cx.show(ty)
    )))
}

fn is_empty(cx: &ResultCx<'_>, ty: Type) -> bool {
    cx.types
        .tuple_items(ty)
        .is_some_and(|items| items.is_empty())
}

/// What an iterator yields.
pub(crate) fn item(cx: &ResultCx<'_>, iter: Type) -> Result<Type, Mismatch> {
    let item = cx.types.item(iter);
    item.ok_or_else(|| Mismatch::rejected(format!("{} is no iterator", cx.show(iter))))
}

/// `iter(x)`
fn getiter(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(iterator(cx, cx.arg(0))?)
}

/// `iter(x)` of a tuple of several functions.
fn function_iter(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (tuple, _) = tuples::functions(cx)?;
    Ok(Signature {
        params: vec![tuple],
        ret: iterator(cx, tuple)?,
    })
}

/// One step: a pair of item and "there was one".
fn iternext(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if let TypeKind::UniTupleIter(tuple) = cx.types.kind(cx.arg(0))
        && is_empty(cx, *tuple)
    {
        // The loop's body is never reached, which its type says already.
        let none = cx.types.intern(TypeKind::Literal(Const::Bool(false)));
        return cx.returns(cx.types.intern(TypeKind::Pair(Type::NONE, none)));
    }
    let item = item(cx, cx.arg(0))?;
    cx.returns(cx.types.intern(TypeKind::Pair(item, Type::BOOL)))
}

/// `next(x)`
fn next(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(item(cx, cx.arg(0))?)
}

/// `np.ndindex(shape)`
fn ndindex(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let first = cx.plain(0);
    let given = match cx.types.tuple_items(first) {
        Some(items) if cx.args.len() == 1 => items,
        _ => (0..cx.args.len()).map(|i| cx.plain(i)).collect(),
    };
    let int = |ty: &Type| {
        cx.types
            .as_scalar(plain(cx.types, *ty))
            .is_some_and(numbra_ir::Scalar::is_int)
    };
    if !given.iter().all(int) {
        return Err(Mismatch::rejected(
            "ndindex takes integers or a tuple of integers",
        ));
    }
    cx.returns(indices(cx, given.len() as u32))
}

/// The iterator over every index of `n` axes.
fn indices(cx: &ResultCx<'_>, n: u32) -> Type {
    let index = cx.types.tuple(&vec![Type::INT64; n as usize]);
    cx.types.intern(TypeKind::RangeIter(index))
}

/// `np.ndenumerate(x)`
fn ndenumerate(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = array(cx, 0)?;
    cx.returns(array.elements(cx.types, true))
}

/// `np.nditer(x)`, `np.nditer((x, y, ..))` of arrays and numbers.
fn nditer(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let given = cx
        .types
        .tuple_items(cx.plain(0))
        .unwrap_or_else(|| vec![cx.plain(0)]);
    let mut ndim = 0;
    let mut items = Vec::with_capacity(given.len());
    for ty in &given {
        let whole = match cx.types.as_array(*ty) {
            Some(array) => array,
            None if cx.types.as_scalar(*ty).is_some() => ArrayType {
                dtype: *ty,
                ndim: 0,
                layout: Layout::C,
                mutable: true,
                aligned: true,
            },
            None => {
                return Err(Mismatch::rejected(format!(
                    "nditer takes arrays and numbers, not {}",
                    cx.show(*ty)
                )));
            }
        };
        ndim = whole.ndim.max(ndim);
        items.push(cx.types.intern(TypeKind::Array(ArrayType {
            ndim: 0,
            layout: Layout::C,
            ..whole
        })));
    }
    if items.is_empty() {
        return Err(Mismatch::rejected("nditer of nothing"));
    }
    cx.returns(cx.types.intern(TypeKind::NdIter { ndim, items }))
}

/// `enumerate(x[, start])`
fn enumerate(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let iter = iterator(cx, cx.arg(0))?;
    item(cx, iter)?;
    let mut params = vec![cx.plain(0)];
    if cx.args.len() > 1 {
        if !cx
            .types
            .as_scalar(cx.plain(1))
            .is_some_and(numbra_ir::Scalar::is_int)
        {
            return Err(Mismatch::error(
                "Only integers supported as start value in enumerate",
            ));
        }
        params.push(cx.count(1));
    }
    Ok(Signature {
        params,
        ret: cx.types.intern(TypeKind::Enumerate(iter)),
    })
}

/// `zip(x, .., strict)`
fn zip(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (_, iterables) = cx
        .args
        .split_last()
        .ok_or_else(|| Mismatch::rejected("nothing says whether zip() is strict"))?;
    let iters = iterables
        .iter()
        .map(|ty| iterator(cx, *ty))
        .collect::<Result<Vec<Type>, Mismatch>>()?;
    for iter in &iters {
        item(cx, *iter)?;
    }
    let mut params: Vec<Type> = (0..iterables.len()).map(|i| cx.plain(i)).collect();
    params.push(Type::BOOL);
    Ok(Signature {
        params,
        ret: cx.types.intern(TypeKind::Zip(iters)),
    })
}
