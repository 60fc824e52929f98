//! Result types of iteration.

use crate::pattern::plain;
use crate::rules::arrays;
use crate::{Mismatch, ResultCx};
use numbra_ir::{ArrayType, Const, Layout, Signature, Type, TypeKind};

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
pub(crate) fn getiter(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(iterator(cx, cx.arg(0))?)
}

/// One step: a pair of item and "there was one".
pub(crate) fn iternext(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn next(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(item(cx, cx.arg(0))?)
}

/// `np.ndindex(shape)`
pub(crate) fn ndindex(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn ndenumerate(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = arrays::array(cx, 0)?;
    cx.returns(array.elements(cx.types, true))
}

/// `np.nditer(x)`, `np.nditer((x, y, ..))` of arrays and numbers.
pub(crate) fn nditer(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn enumerate(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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

/// `zip(x, ..)`
pub(crate) fn zip(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let iters = cx
        .args
        .iter()
        .map(|ty| iterator(cx, *ty))
        .collect::<Result<Vec<Type>, Mismatch>>()?;
    for iter in &iters {
        item(cx, *iter)?;
    }
    cx.returns(cx.types.intern(TypeKind::Zip(iters)))
}
