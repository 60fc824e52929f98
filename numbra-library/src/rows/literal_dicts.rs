//! Methods of displays of dictionaries whose values have no common type. Nothing changes such a dictionary.

use crate::row_macro::rule;
use crate::{Effects, Mismatch, Op, ResultCx, TypePattern as P};
use numbra_ir::{Const, Signature, Type, TypeKind};

const READ: Effects = Effects::READ;

library! {
    /// The keys as a tuple of constants.
    method literal_dict.keys(dict) {
        effects: READ,
        bodies: &[rule(&[P::LiteralDict], keys, Op::Constant)],
    }
    /// The values as a tuple.
    method literal_dict.values(dict) {
        effects: READ,
        bodies: &[rule(&[P::LiteralDict], values, Op::Identity)],
    }
    /// The pairs of keys and values as a tuple.
    method literal_dict.items(dict) {
        effects: READ,
        bodies: &[rule(&[P::LiteralDict], pairs, Op::Identity)],
    }
    /// The dictionary itself, which nothing changes.
    method literal_dict.copy(dict) {
        effects: READ,
        bodies: &[rule(&[P::LiteralDict], copy, Op::Identity)],
    }
    /// Not possible, as in Numba.
    method literal_dict.get(dict, key, default = Unset) {
        bodies: &[rule(&[P::Any, P::Any, P::Any], no_item, Op::NoneValue)],
    }
    /// Not possible: the types of the values are the type of the dictionary.
    method literal_dict.setdefault(dict, key, default = Unset) {
        bodies: &[rule(&[P::Any, P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the values are the type of the dictionary.
    method literal_dict.update(dict, other) {
        bodies: &[rule(&[P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the values are the type of the dictionary.
    method literal_dict.pop(dict, key, default = Unset) {
        bodies: &[rule(&[P::Any, P::Any, P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the values are the type of the dictionary.
    method literal_dict.popitem(dict) {
        bodies: &[rule(&[P::Any], immutable, Op::NoneValue)],
    }
    /// Not possible: the types of the values are the type of the dictionary.
    method literal_dict.clear(dict) {
        bodies: &[rule(&[P::Any], immutable, Op::NoneValue)],
    }
}

/// Keys and values of argument `i`.
fn entries<'a>(cx: &ResultCx<'a>, i: usize) -> Result<(&'a [Type], &'a [Type]), Mismatch> {
    match cx.types.kind(cx.arg(i)) {
        TypeKind::LiteralDict { keys, items } => Ok((keys, items)),
        _ => Err(Mismatch::rejected(format!("argument {i} is no such dict"))),
    }
}

/// An operation on argument 0, as it is.
fn of_dict(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.arg(0)],
        ret,
    })
}

fn constant(cx: &ResultCx<'_>, value: Const) -> Type {
    cx.types.intern(TypeKind::Literal(value))
}

/// `len(x)`, which the type tells.
pub(crate) fn len(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let count = entries(cx, 0)?.0.len() as i64;
    cx.returns(constant(cx, Const::Int(count)))
}

/// `x[k]` of a constant key.
pub(crate) fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (keys, items) = entries(cx, 0)?;
    let key = cx.arg(1);
    match keys.iter().position(|known| *known == key) {
        Some(at) => Ok(Signature {
            params: vec![cx.arg(0), key],
            ret: cx.types.without_initial(items[at]),
        }),
        None => Err(Mismatch::error(format!(
            "Key {} is not in dict.",
            cx.show(key)
        ))),
    }
}

/// `x[k]` of any other key, and `x.get(k)`: in Numba's words, braces included.
pub(crate) fn no_item(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::error(
        "Cannot get{item}() on a literal dictionary",
    ))
}

/// What would change the dictionary.
pub(crate) fn immutable(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::error("Cannot mutate a literal dictionary"))
}

/// `k in x` of a constant.
pub(crate) fn contains(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let found = entries(cx, 0)?.0.contains(&cx.arg(1));
    cx.returns(constant(cx, Const::Bool(found)))
}

/// `x == y` of the same keys in one order: as the tuples of the values.
pub(crate) fn equality(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if entries(cx, 0)?.0 != entries(cx, 1)?.0 {
        return Err(Mismatch::rejected(
            "only dicts with the same keys in the same order are compared where their values are of different types",
        ));
    }
    Ok(Signature {
        params: vec![cx.arg(0), cx.arg(1)],
        ret: Type::BOOL,
    })
}

/// `x.keys()`
fn keys(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (keys, _) = entries(cx, 0)?;
    of_dict(cx, cx.types.tuple(keys))
}

/// `x.values()`
fn values(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (_, items) = entries(cx, 0)?;
    let items = items.iter().map(|ty| cx.types.without_initial(*ty));
    let items: Vec<Type> = items.collect();
    of_dict(cx, cx.types.tuple(&items))
}

/// `x.items()`: a constant has no leaves, so that those of the pairs are those of the values.
fn pairs(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (keys, items) = entries(cx, 0)?;
    let pairs = keys.iter().zip(items);
    let pair = |k: &Type, v: &Type| cx.types.tuple(&[*k, cx.types.without_initial(*v)]);
    let pairs: Vec<Type> = pairs.map(|(k, v)| pair(k, v)).collect();
    of_dict(cx, cx.types.tuple(&pairs))
}

/// `x.copy()`
fn copy(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_dict(cx, cx.arg(0))
}
