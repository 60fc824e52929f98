//! Dictionaries: `dict` itself, its methods and its views, with their rules. As with lists, what is put in refines a dictionary
//! of which nothing is known.

use super::lists;
use crate::row_macro::{guarded, prelude, prelude_at, rule};
use crate::{Body, DictOp, Effects, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::lattice::{NoExt, is_stored_as};
use numbra_ir::{DictPart, ListClass, Signature, Type, TypeKind, Types};

const READ: Effects = Effects::READ.and(Effects::RAISE);
const COPY: Effects = READ.and(Effects::ALLOC);
const CHANGE: Effects = COPY.and(Effects::WRITE);
const TWO: &[P] = &[P::Dict, P::Dict];

library! {
    /// A new dictionary: empty, with types that follow from what is put in, or of the entries of another one or of pairs.
    fn builtins.dict(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), empty, Op::Dict(DictOp::New)),
            rule(&[P::Dict], lists::same, Op::Dict(DictOp::Copy)),
            prelude(&[P::Iterable], "dict_of_pairs"),
        ],
    }
    /// A new dictionary: empty, or of the entries of another one or of pairs.
    fn numbra.typed.typeddict.Dict(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), empty, Op::Dict(DictOp::New)),
            rule(&[P::Dict], lists::same, Op::Dict(DictOp::Copy)),
            prelude(&[P::Iterable], "dict_of_pairs"),
        ],
    }
    /// An empty dictionary with keys and values of these types.
    fn numbra.typed.typeddict.Dict.empty(key_type, value_type, n_keys = Int(0)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], of_types, Op::Dict(DictOp::New))],
    }
    /// An empty dictionary with keys and values of these types.
    fn numbra.typed.dictobject.new_dict(key, value, n_keys = Int(0)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any, P::Any], of_types, Op::Dict(DictOp::New))],
    }
    /// The value of a key; else `default`, by default None.
    method dict.get(dict, key, default = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[with_default(prelude_at(&[P::Dict, P::Any, P::Any], get_or, "dict_get_or")), prelude(&[P::Dict, P::Any], "dict_get")],
    }
    /// The value of a key, which is `default` from now on if there was none.
    method dict.setdefault(dict, key, default) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Dict, P::Any, P::Any], setdefault, "dict_setdefault")],
    }
    /// Removes a key and gives its value; without the key `default`, or KeyError.
    method dict.pop(dict, key, default = Unset) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[with_default(prelude_at(&[P::Dict, P::Any, P::Any], pop_or, "dict_pop_or")), prelude(&[P::Dict, P::Any], "dict_pop")],
    }
    /// Removes the entry that came last and gives it; KeyError when there is none.
    method dict.popitem(dict) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Dict], pair, Op::Dict(DictOp::PopItem))],
    }
    /// Removes all entries.
    method dict.clear(dict) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Dict], lists::nothing, Op::Dict(DictOp::Clear))],
    }
    /// A new dictionary of the same entries.
    method dict.copy(dict) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Dict], lists::same, Op::Dict(DictOp::Copy))],
    }
    /// Takes the entries of another dictionary.
    method dict.update(dict, other) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(TWO, update, "dict_update")],
    }
    /// The keys, in the order in which they came.
    method dict.keys(dict) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::Dict], |cx| view(cx, DictPart::Keys), Op::Dict(DictOp::View))],
    }
    /// The values, in the order in which their keys came.
    method dict.values(dict) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::Dict], |cx| view(cx, DictPart::Values), Op::Dict(DictOp::View))],
    }
    /// Pairs of keys and values, in the order in which the keys came.
    method dict.items(dict) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::Dict], |cx| view(cx, DictPart::Items), Op::Dict(DictOp::View))],
    }
}

/// The body for calls with a default.
const fn with_default(body: Body) -> Body {
    Body {
        guard: Some(|_, args| args.len() == 3),
        ..body
    }
}

/// Key and value of argument `i`.
fn dict_at(cx: &ResultCx<'_>, i: usize) -> Result<(Type, Type), Mismatch> {
    cx.types
        .as_dict(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no dict")))
}

/// The type of a part of the entries that can also be `given`.
fn joined(cx: &ResultCx<'_>, known: Type, given: Type) -> Result<Type, Mismatch> {
    if known != Type::UNDEFINED && is_stored_as(cx.types, cx.ext, given, known) {
        return Ok(known);
    }
    // Of a dictionary that is made here an integer may be the first value, and a float the next.
    let is_real = |ty: Type| cx.types.as_scalar(ty).is_some_and(|s| !s.is_complex());
    let may_join = cx.types.is_imprecise(known) || (is_real(known) && is_real(given));
    if may_join && let Some(joined) = cx.unify(known, given) {
        return Ok(joined);
    }
    Err(lists::unsafe_cast(cx, given, known))
}

/// `dict()`
fn empty(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.dict(Type::UNDEFINED, Type::UNDEFINED))
}

/// `Dict.empty(key_type, value_type)`
fn of_types(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (key, value) = (lists::named(cx, 0)?, lists::named(cx, 1)?);
    for (ty, what) in [(key, "key"), (value, "value")] {
        let kind = cx.types.kind(ty);
        if matches!(kind, TypeKind::Optional(_) | TypeKind::None) {
            let shown = cx.show(ty);
            return Err(Mismatch::error(format!(
                "Dict.{what}_type cannot be of type {shown}"
            )));
        }
        if is_pythons(cx.types, ty) {
            return Err(Mismatch::error(format!(
                "{} as {what} is forbidden",
                cx.show(ty)
            )));
        }
    }
    match cx.types.not_a_key(key) {
        Some(why) => Err(Mismatch::error(why)),
        None => cx.returns(cx.types.dict(key, value)),
    }
}

/// True for the types of lists and sets that are not typed ones.
fn is_pythons(types: &Types, ty: Type) -> bool {
    match types.kind(ty) {
        TypeKind::List { class, .. } | TypeKind::Set { class, .. } => *class != ListClass::Typed,
        _ => false,
    }
}

/// The dictionary that also has an entry of these types.
fn with_entry(cx: &ResultCx<'_>, key: Type, value: Type) -> Result<(Type, Type, Type), Mismatch> {
    let (known_key, known_value) = dict_at(cx, 0)?;
    let why = cx.types.not_a_key(key);
    if let Some(why) = why.or_else(|| cx.types.not_a_value(value)) {
        return Err(Mismatch::error(why));
    }
    let (key, value) = (joined(cx, known_key, key)?, joined(cx, known_value, value)?);
    Ok((cx.types.dict(key, value), key, value))
}

/// `d[k] = v`
pub(crate) fn setitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dict, key, value) = with_entry(cx, cx.plain(1), cx.plain(2))?;
    Ok(Signature {
        params: vec![dict, key, value],
        ret: Type::NONE,
    })
}

/// `d.get(k, default)`: of a dictionary of which nothing is known, one that could hold both.
fn get_or(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (key, default) = (cx.plain(1), cx.plain(2));
    let (known, value) = dict_at(cx, 0)?;
    if known == Type::UNDEFINED {
        let (dict, key, value) = with_entry(cx, key, default)?;
        return Ok(Signature {
            params: vec![dict, key, value],
            ret: value,
        });
    }
    let default = stored_default(cx, default, value)?;
    Ok(Signature {
        params: vec![cx.plain(0), key, default],
        ret: Type::UNDEFINED,
    })
}

/// The type of a default: that of the values, which it is stored as; `None` and optional values stay.
fn stored_default(cx: &ResultCx<'_>, default: Type, value: Type) -> Result<Type, Mismatch> {
    if matches!(
        cx.types.kind(default),
        TypeKind::None | TypeKind::Optional(_)
    ) {
        return Ok(default);
    }
    match is_stored_as(cx.types, cx.ext, default, value) {
        true => Ok(value),
        false => Err(lists::unsafe_cast(cx, default, value)),
    }
}

/// `d.pop(k, default)`
fn pop_or(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dict, value) = (cx.plain(0), dict_at(cx, 0)?.1);
    let key = with_key(cx, Type::NONE)?.params[1];
    let default = stored_default(cx, cx.plain(2), value)?;
    Ok(Signature {
        params: vec![dict, key, default],
        ret: Type::UNDEFINED,
    })
}

/// `d.setdefault(k, v)`
fn setdefault(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dict, key, value) = with_entry(cx, cx.plain(1), cx.plain(2))?;
    Ok(Signature {
        params: vec![dict, key, value],
        ret: value,
    })
}

/// `d.update(other)`
fn update(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (key, value) = dict_at(cx, 1)?;
    let (dict, ..) = with_entry(cx, key, value)?;
    Ok(Signature {
        params: vec![dict, cx.plain(1)],
        ret: Type::NONE,
    })
}

/// What is done with the entry of a key: the key as the dictionary has it.
fn with_key(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    let (key, _) = dict_at(cx, 0)?;
    let given = cx.plain(1);
    if !is_stored_as(cx.types, cx.ext, given, key) {
        return Err(lists::unsafe_cast(cx, given, key));
    }
    // A number stays what it is: one that no key equals is not there.
    let param = match cx.types.as_scalar(given) {
        Some(_) => given,
        None => key,
    };
    Ok(Signature {
        params: vec![cx.plain(0), param],
        ret,
    })
}

/// `d[k]`
pub(crate) fn getitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    with_key(cx, dict_at(cx, 0)?.1)
}

/// `del d[k]`
pub(crate) fn delitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    with_key(cx, Type::NONE)
}

/// `k in d`
pub(crate) fn contains(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    with_key(cx, Type::BOOL)
}

/// `d.popitem()`
fn pair(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (key, value) = dict_at(cx, 0)?;
    cx.returns(cx.types.tuple(&[key, value]))
}

fn view(cx: &ResultCx<'_>, part: DictPart) -> Result<Signature, Mismatch> {
    let dict = cx.plain(0);
    cx.returns(cx.types.intern(TypeKind::DictView { dict, part }))
}

/// Keys of the first are looked for in the second.
pub(crate) fn comparable(types: &Types, args: &[Type]) -> bool {
    let dict = |i: usize| args.get(i).and_then(|ty| types.as_dict(*ty));
    matches!((dict(0), dict(1)), (Some((a, _)), Some((b, _))) if is_stored_as(types, &NoExt, a, b))
}
