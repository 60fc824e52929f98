//! Methods of list displays whose items have no common type. Nothing changes such a list.

use crate::pattern::plain;
use crate::row_macro::rule;
use crate::{Effects, Mismatch, Op, ResultCx, TypePattern as P};
use numbra_ir::{Const, Signature, Type, TypeKind};

const READ: Effects = Effects::READ;

library! {
    /// Not possible: the types of the items are the list's type.
    method literal_list.append(list, item) {
        bodies: &[rule(&[P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.extend(list, iterable) {
        bodies: &[rule(&[P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.insert(list, index, item) {
        bodies: &[rule(&[P::Any, P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.remove(list, value) {
        bodies: &[rule(&[P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.pop(list, index = Unset) {
        bodies: &[rule(&[P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.clear(list) {
        bodies: &[rule(&[P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.sort(list, key = None, reverse = Bool(false)) {
        bodies: &[rule(&[P::Any, P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the items are the list's type.
    method literal_list.reverse(list) {
        bodies: &[rule(&[P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible, as in Numba.
    method literal_list.index(list, value, start = Int(0), stop = Int(i64::MAX)) {
        bodies: &[rule(&[P::Any, P::Any, P::Any, P::Any], no_index, Op::NoneValue)],
    }
    /// The list itself, which nothing changes.
    method literal_list.copy(list) {
        effects: READ,
        bodies: &[rule(&[P::LiteralList], copy, Op::Identity)],
    }
    /// Number of items that equal a number, a string or `None`.
    method literal_list.count(list, value) {
        effects: READ,
        bodies: &[rule(&[P::LiteralList, P::Literal], count, Op::Constant), rule(&[P::LiteralList, P::Any], count_of, Op::TupleCount)],
    }
}

fn items<'a>(cx: &ResultCx<'a>, i: usize) -> Result<&'a [Type], Mismatch> {
    match cx.types.kind(cx.arg(i)) {
        TypeKind::LiteralList(items) => Ok(items),
        _ => Err(Mismatch::rejected(format!("argument {i} is no such list"))),
    }
}

/// `len(x)`, which the type tells.
pub(crate) fn len(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let length = items(cx, 0)?.len() as i64;
    cx.returns(cx.types.intern(TypeKind::Literal(Const::Int(length))))
}

/// `x[i]` for a constant `i`.
pub(crate) fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let items = items(cx, 0)?;
    let TypeKind::Literal(Const::Int(index)) = *cx.types.kind(cx.arg(1)) else {
        return no_item(cx);
    };
    let at = if index < 0 {
        index.checked_add(items.len() as i64)
    } else {
        Some(index)
    };
    let at = at.and_then(|at| usize::try_from(at).ok());
    match at.and_then(|at| items.get(at)) {
        Some(item) => Ok(Signature {
            params: vec![cx.arg(0), cx.arg(1)],
            ret: cx.types.without_initial(*item),
        }),
        None => Err(Mismatch::error("list index out of range")),
    }
}

/// `x[i]` for any other index.
pub(crate) fn no_item(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::error("Cannot __getitem__ on a literal list"))
}

/// What would change the list.
pub(crate) fn immutable(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::error("Cannot mutate a literal list"))
}

/// `x.index(y)`
fn no_index(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::error(
        "list.index is unsupported for literal lists",
    ))
}

/// `x.copy()`
fn copy(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret: cx.arg(0),
    })
}

/// Which items equal a constant; `None` where only their values tell.
fn equal_items(cx: &ResultCx<'_>) -> Option<Vec<bool>> {
    let TypeKind::Literal(value) = cx.types.kind(cx.arg(1)) else {
        return None;
    };
    let number = |value: &Const| match value {
        Const::Bool(value) => Some(i64::from(*value)),
        Const::Int(value) => Some(*value),
        _ => None,
    };
    let same = |item: &Const| match (number(item), number(value)) {
        (Some(a), Some(b)) => a == b,
        _ => item == value,
    };
    let is_number = |ty: Type| cx.types.as_scalar(ty).is_some();
    let equals = |ty: &Type| match cx.types.kind(*ty) {
        TypeKind::Literal(item) => Some(same(item)),
        _ if is_number(*ty) != is_number(cx.arg(1)) && *ty != Type::UNICODE => Some(false),
        _ => None,
    };
    items(cx, 0).ok()?.iter().map(equals).collect()
}

/// `y in x`, of a constant where types tell.
pub(crate) fn contains_constant(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match equal_items(cx) {
        Some(equal) => {
            let found = Const::Bool(equal.contains(&true));
            cx.returns(cx.types.intern(TypeKind::Literal(found)))
        }
        None => Err(Mismatch::rejected("not all items are constants")),
    }
}

/// `y in x` of a number or a string.
pub(crate) fn contains(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    compared(cx, Type::BOOL)
}

/// `x.count(y)` of a number or a string.
fn count_of(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    compared(cx, Type::INT64)
}

/// What compares all items with a number or a string.
fn compared(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    let comparable = |ty: Type| {
        let ty = plain(cx.types, ty);
        cx.types.as_scalar(ty).is_some() || ty == Type::NONE || ty == Type::UNICODE
    };
    if !items(cx, 0)?.iter().all(|ty| comparable(*ty)) || !comparable(cx.arg(1)) {
        return Err(Mismatch::rejected(
            "only numbers and strings are looked for among items of different types",
        ));
    }
    Ok(Signature {
        params: vec![cx.arg(0), cx.plain(1)],
        ret,
    })
}

/// `x.count(y)`
fn count(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match equal_items(cx) {
        Some(equal) => {
            let count = equal.into_iter().filter(|equal| *equal).count() as i64;
            cx.returns(cx.types.intern(TypeKind::Literal(Const::Int(count))))
        }
        None => Err(Mismatch::rejected("not all items are constants")),
    }
}
