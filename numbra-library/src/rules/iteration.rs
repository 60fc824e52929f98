//! Result types of iteration.

use crate::pattern::plain;
use crate::rules::arrays;
use crate::{Mismatch, ResultCx};
use numbra_ir::{ArrayType, Const, Layout, Signature, Type, TypeKind};

/// The iterator that `iter(x)` gives.
pub(crate) fn iterator(cx: &ResultCx<'_>, ty: Type) -> Result<Type, Mismatch> {
    let ty = plain(cx.types, ty);
    Ok(match cx.types.kind(ty) {
        TypeKind::Range(item) => cx.types.intern(TypeKind::RangeIter(*item)),
        TypeKind::List { .. } => cx.types.intern(TypeKind::ListIter(ty)),
        TypeKind::Set { .. } => cx.types.intern(TypeKind::SetIter(ty)),
        TypeKind::Unicode | TypeKind::UnicodeCharSeq(_) => cx.types.intern(TypeKind::TextIter),
        TypeKind::Array(array) if array.ndim > 0 => cx.types.intern(TypeKind::ArrayIter(ty)),
        TypeKind::Buffer { array, .. } if array.ndim > 0 => {
            let array = cx.types.intern(TypeKind::Array(*array));
            cx.types.intern(TypeKind::ArrayIter(array))
        }
        TypeKind::Bytes => {
            let array = cx.types.as_buffer(ty).map(TypeKind::Array);
            let array = array.ok_or_else(|| Mismatch::rejected("no bytes"))?;
            cx.types.intern(TypeKind::ArrayIter(cx.types.intern(array)))
        }
        TypeKind::Array(_) | TypeKind::Buffer { .. } => {
            return Err(Mismatch::error("0-d arrays are not iterable"));
        }
        _ if cx.types.uniform_tuple(ty).is_some() || is_empty(cx, ty) => {
            cx.types.intern(TypeKind::UniTupleIter(ty))
        }
        TypeKind::BoundMethod { receiver, method } if method == "flat" => {
            let Some(array) = cx.types.as_array(*receiver) else {
                return Err(Mismatch::rejected("flat needs an array"));
            };
            elements(cx, array, false)
        }
        kind if kind.is_iterator() => ty,
        _ => {
            return Err(Mismatch::rejected(format!(
                "{} is not iterable",
                cx.show(ty)
            )));
        }
    })
}

/// The iterator over the elements of an array in C order: over an axis where one step leads from each element to the next.
fn elements(cx: &ResultCx<'_>, array: ArrayType, indexed: bool) -> Type {
    let layout = match (array.ndim, array.layout) {
        (0, _) | (_, Layout::C) => Layout::C,
        (1, layout) => layout,
        _ => {
            let array = cx.types.intern(TypeKind::Array(array));
            return cx.types.intern(TypeKind::FlatIter { array, indexed });
        }
    };
    let flat = cx.types.intern(TypeKind::Array(ArrayType {
        ndim: 1,
        layout,
        ..array
    }));
    let elements = cx.types.intern(TypeKind::ArrayIter(flat));
    if !indexed {
        return elements;
    }
    let parts = vec![indices(cx, u32::from(array.ndim)), elements];
    cx.types.intern(TypeKind::Zip(parts))
}

fn is_empty(cx: &ResultCx<'_>, ty: Type) -> bool {
    cx.types
        .tuple_items(ty)
        .is_some_and(|items| items.is_empty())
}

/// What an iterator yields.
pub(crate) fn item(cx: &ResultCx<'_>, iter: Type) -> Result<Type, Mismatch> {
    Ok(match cx.types.kind(iter) {
        TypeKind::RangeIter(item) => *item,
        TypeKind::ListIter(list) => match cx.types.as_list(*list) {
            Some((dtype, _)) => dtype,
            None => return Err(Mismatch::rejected("iterates no list")),
        },
        TypeKind::SetIter(set) => match cx.types.as_set(*set) {
            Some((dtype, _)) => dtype,
            None => return Err(Mismatch::rejected("iterates no set")),
        },
        TypeKind::TextIter => Type::UNICODE,
        TypeKind::Generator { yields, .. } => *yields,
        TypeKind::ArrayIter(array) => match cx.types.as_array(*array) {
            Some(array) => arrays::index(cx, array, Type::INT64)?.0,
            None => return Err(Mismatch::rejected("iterates no array")),
        },
        TypeKind::FlatIter { array, indexed } => match cx.types.as_array(*array) {
            Some(array) if *indexed => {
                let index = vec![Type::INT64; usize::from(array.ndim)];
                cx.types.tuple(&[cx.types.tuple(&index), array.dtype])
            }
            Some(array) => array.dtype,
            None => return Err(Mismatch::rejected("iterates no array")),
        },
        TypeKind::NdIter { items, .. } => cx.types.tuple_or_one(items),
        TypeKind::UniTupleIter(tuple) => match cx.types.uniform_tuple(*tuple) {
            Some((item, _)) => item,
            None => return Err(Mismatch::rejected("iterates no tuple")),
        },
        TypeKind::Enumerate(inner) => {
            let inner = item(cx, *inner)?;
            cx.types.tuple(&[Type::INT64, inner])
        }
        TypeKind::Zip(inners) => {
            let items = inners
                .iter()
                .map(|it| item(cx, *it))
                .collect::<Result<Vec<Type>, Mismatch>>()?;
            cx.types.tuple(&items)
        }
        _ => {
            return Err(Mismatch::rejected(format!(
                "{} is no iterator",
                cx.show(iter)
            )));
        }
    })
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
    cx.returns(elements(cx, array, true))
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
