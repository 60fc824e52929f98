//! Result types of operations on sets. As with lists, what is added refines a set of which nothing is known.

use crate::rules::iteration;
use crate::{Mismatch, ResultCx};
use numbra_ir::{Signature, Type, TypeKind, Types};

fn set_at(cx: &ResultCx<'_>, i: usize) -> Result<(Type, bool), Mismatch> {
    cx.types
        .as_set(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no set")))
}

/// Why a set cannot hold items of type `ty`, if it cannot: items are numbers, strings, or tuples of them.
pub fn not_an_item(types: &Types, ty: Type) -> Option<String> {
    let mut todo = vec![ty];
    while let Some(ty) = todo.pop() {
        let ty = crate::plain(types, ty);
        let class = match types.kind(ty) {
            TypeKind::List { .. } | TypeKind::LiteralList(_) => "list",
            TypeKind::Set { .. } => "set",
            TypeKind::Array(_) => "numpy.ndarray",
            _ if [Type::UNDEFINED, Type::UNICODE].contains(&ty) => continue,
            _ if types.as_scalar(ty).is_some() => continue,
            _ => match types.tuple_items(ty) {
                Some(items) => {
                    todo.extend(items);
                    continue;
                }
                None => {
                    let shown = types.display(ty);
                    return Some(format!(
                        "the items of a set are numbers, strings, or tuples of them: {shown} is not supported"
                    ));
                }
            },
        };
        return Some(format!("unhashable type: '{class}'"));
    }
    None
}

/// The receiver that can also hold items of type `item`, and the common type.
fn joined(cx: &ResultCx<'_>, item: Type) -> Result<(Type, Type), Mismatch> {
    let (dtype, reflected) = set_at(cx, 0)?;
    // A set of which nothing is known takes the type first, so that the error is about that.
    if dtype != Type::UNDEFINED
        && let Some(why) = not_an_item(cx.types, item)
    {
        return Err(Mismatch::error(why));
    }
    let dtype = cx.unify(dtype, item).ok_or_else(|| {
        Mismatch::rejected(format!(
            "{} has no common type with {}",
            cx.show(item),
            cx.show(dtype)
        ))
    })?;
    Ok((cx.types.intern(TypeKind::Set { dtype, reflected }), dtype))
}

/// `set()`
pub(crate) fn empty(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.set(Type::UNDEFINED))
}

/// An array or a list of numbers.
pub(crate) fn holds_numbers(types: &Types, args: &[Type]) -> bool {
    args.first()
        .and_then(|ty| items_of(types, *ty))
        .is_some_and(|dtype| types.as_scalar(dtype).is_some())
}

fn items_of(types: &Types, ty: Type) -> Option<Type> {
    match types.as_list(ty) {
        Some((dtype, _)) => Some(dtype),
        None => types.as_array(ty).map(|array| array.dtype),
    }
}

/// `set(x)` of [`holds_numbers`].
pub(crate) fn of_items(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let dtype = items_of(cx.types, cx.plain(0))
        .ok_or_else(|| Mismatch::rejected("no array and no list"))?;
    cx.returns(cx.types.set(dtype))
}

/// A new set of the same items.
pub(crate) fn copied(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, _) = set_at(cx, 0)?;
    cx.returns(cx.types.set(dtype))
}

/// `x.add(v)`
pub(crate) fn add(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (set, dtype) = joined(cx, cx.plain(1))?;
    Ok(Signature {
        params: vec![set, dtype],
        ret: Type::NONE,
    })
}

/// `x.update(y)`
pub(crate) fn update(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = iteration::item(cx, iteration::iterator(cx, cx.arg(1))?)?;
    let (set, _) = joined(cx, crate::plain(cx.types, item))?;
    Ok(Signature {
        params: vec![set, cx.plain(1)],
        ret: Type::NONE,
    })
}

/// `x.pop()`
pub(crate) fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(set_at(cx, 0)?.0)
}

/// Numbers, or tuples of them.
fn is_numeric(types: &Types, ty: Type) -> bool {
    match types.tuple_items(ty) {
        Some(items) => items.iter().all(|item| is_numeric(types, *item)),
        None => types.as_scalar(ty).is_some(),
    }
}

/// A number keeps its type: one that no item can equal is found nowhere. Other values become items: an optional has to be one.
fn of_item(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    let (dtype, _) = set_at(cx, 0)?;
    let value = cx.plain(1);
    if cx.can_convert(value, dtype).is_none() {
        return Err(Mismatch::rejected(format!(
            "{} is no item of {}",
            cx.show(value),
            cx.show(cx.plain(0))
        )));
    }
    let param = match is_numeric(cx.types, value) {
        true => value,
        false => dtype,
    };
    Ok(Signature {
        params: vec![cx.plain(0), param],
        ret,
    })
}

/// `v in x`
pub(crate) fn contains(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_item(cx, Type::BOOL)
}

/// `x.discard(v)`, `x.remove(v)`
pub(crate) fn discard(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_item(cx, Type::NONE)
}

/// Both are sets of the same items.
pub(crate) fn same_items(types: &Types, args: &[Type]) -> bool {
    let set = |i: usize| args.get(i).and_then(|ty| types.as_set(*ty));
    match (set(0), set(1)) {
        (Some((a, _)), Some((b, _))) => a == b,
        _ => false,
    }
}

/// A set is among the arguments.
pub(crate) fn with_set(types: &Types, args: &[Type]) -> bool {
    args.iter().any(|ty| types.as_set(*ty).is_some())
}

/// Anything but two sets of the same items is wrong, in Numba's words.
pub(crate) fn other_arguments(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let shown: Vec<String> = (0..cx.args.len()).map(|i| cx.show(cx.plain(i))).collect();
    let all_sets = (0..cx.args.len()).all(|i| cx.types.as_set(cx.plain(i)).is_some());
    let what = if all_sets {
        "All Sets must be of the same type"
    } else {
        "All arguments must be Sets"
    };
    Err(Mismatch::error(format!(
        "{what}, got ({})",
        shown.join(", ")
    )))
}
