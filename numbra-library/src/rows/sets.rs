//! Methods of sets, and `set` itself. Operators are in `operators`.

use super::{iteration, lists};
use crate::row_macro::{guarded, guarded_prelude, prelude, prelude_at, rule};
use crate::{Effects, Mismatch, Op, ResultCx, SetOp, Targets, TypePattern as P};
use numbra_ir::lattice::is_stored_as;
use numbra_ir::{ListClass, Signature, Type, TypeKind, Types};

const READ: Effects = Effects::READ.and(Effects::RAISE);
const COPY: Effects = READ.and(Effects::ALLOC);
const CHANGE: Effects = COPY.and(Effects::WRITE);
const TWO: &[P] = &[P::Set, P::Set];

library! {
    /// A new set: empty, with a type that follows from what is put in, or of the items of an iterable.
    fn builtins.set(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), empty, Op::Set(SetOp::New)),
            rule(&[P::Set], of_set, Op::Set(SetOp::Copy)),
            guarded(&[P::OneOf(&[P::ArrayNd(1), P::List])], holds_numbers, of_items, Op::Set(SetOp::OfItems)),
            prelude(&[P::Iterable], "set_of_iterable"),
        ],
    }
    /// A new typed set: empty, with a type that follows from what is put in, or of the items of an iterable.
    fn numbra.typed.typedset.Set(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), typed_empty, Op::Set(SetOp::New)),
            rule(&[P::Set], typed_copied, Op::Set(SetOp::Copy)),
            prelude(&[P::Iterable], "typed_set_of_iterable"),
        ],
    }
    /// An empty typed set of items of this type.
    fn numbra.typed.typedset.Set.empty(key_type, n_keys = Int(0)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], typed_of, Op::Set(SetOp::New))],
    }
    /// An empty typed set of items of this type.
    fn numbra.typed.setobject.new_set(key, n_keys = Int(0)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], typed_of, Op::Set(SetOp::New))],
    }
    /// A set that nobody else has as a typed set.
    step typed.set(set) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set], typed_copied, Op::Identity)],
    }
    /// Adds an item.
    method set.add(set, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set, P::Any], add, Op::Set(SetOp::Add))],
    }
    /// Adds the items of an iterable.
    method set.update(set, iterable) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude_at(&[P::Set, P::Any], update, "set_update")],
    }
    /// Removes an item if it is there.
    method set.discard(set, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set, P::Any], discard, Op::Set(SetOp::Discard))],
    }
    /// Removes an item; KeyError when it is not there.
    method set.remove(set, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set, P::Any], discard, Op::Set(SetOp::Remove))],
    }
    /// Removes some item and gives it; KeyError when there is none.
    method set.pop(set) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set], item, Op::Set(SetOp::Pop))],
    }
    /// Removes all items.
    method set.clear(set) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set], lists::nothing, Op::Set(SetOp::Clear))],
    }
    /// A new set of the same items.
    method set.copy(set) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Set], copied, Op::Set(SetOp::Copy))],
    }
    /// The items of both.
    method set.union(set, other) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, same_items, "set_union"), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// The items that both have.
    method set.intersection(set, other) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[guarded(TWO, same_items, copied, Op::Set(SetOp::Both)), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// The items that the other does not have.
    method set.difference(set, other) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[guarded(TWO, same_items, copied, Op::Set(SetOp::Without)), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// The items that one of both has.
    method set.symmetric_difference(set, other) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, same_items, "set_symmetric_difference"), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// Keeps the items that the other has.
    method set.intersection_update(set, other) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, same_items, "set_intersection_update"), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// Removes the items that the other has.
    method set.difference_update(set, other) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, same_items, "set_difference_update"), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// Keeps the items that the other does not have, and adds its others.
    method set.symmetric_difference_update(set, other) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, same_items, "set_symmetric_difference_update"), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// Whether the other has all items.
    method set.issubset(set, other) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, same_items, "set_le"), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// Whether the set has all items of the other.
    method set.issuperset(set, other) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, same_items, "set_ge"), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
    /// Whether no item is in both.
    method set.isdisjoint(set, other) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[guarded_prelude(TWO, same_items, "set_isdisjoint"), guarded(&[P::Any, P::Any], with_set, other_arguments, Op::NoneValue)],
    }
}

fn set_at(cx: &ResultCx<'_>, i: usize) -> Result<(Type, ListClass), Mismatch> {
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
    let (dtype, class) = set_at(cx, 0)?;
    // A set of which nothing is known takes the type first, so that the error is about that.
    if dtype != Type::UNDEFINED
        && let Some(why) = not_an_item(cx.types, item)
    {
        return Err(Mismatch::error(why));
    }
    if class == ListClass::Typed {
        let dtype = typed_joined(cx, dtype, item)?;
        return Ok((cx.types.set_of(dtype, class), dtype));
    }
    let dtype = cx.unify(dtype, item).ok_or_else(|| {
        Mismatch::rejected(format!(
            "{} has no common type with {}",
            cx.show(item),
            cx.show(dtype)
        ))
    })?;
    Ok((cx.types.set_of(dtype, class), dtype))
}

/// The type of the items of a typed set with this one: it does not change once it is known.
fn typed_joined(cx: &ResultCx<'_>, known: Type, item: Type) -> Result<Type, Mismatch> {
    if known != Type::UNDEFINED && is_stored_as(cx.types, cx.ext, item, known) {
        return Ok(known);
    }
    let joined = cx.types.is_imprecise(known).then(|| cx.unify(known, item));
    joined
        .flatten()
        .ok_or_else(|| lists::unsafe_cast(cx, item, known))
}

/// `Set()`
fn typed_empty(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.set_of(Type::UNDEFINED, ListClass::Typed))
}

/// `Set.empty(key_type)`
fn typed_of(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = lists::named(cx, 0)?;
    match not_an_item(cx.types, item) {
        Some(why) => Err(Mismatch::error(why)),
        None => cx.returns(cx.types.set_of(item, ListClass::Typed)),
    }
}

/// A typed set of the items of a set.
fn typed_copied(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, _) = set_at(cx, 0)?;
    cx.returns(cx.types.set_of(dtype, ListClass::Typed))
}

/// `set()`
fn empty(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.set(Type::UNDEFINED))
}

/// An array or a list of numbers.
fn holds_numbers(types: &Types, args: &[Type]) -> bool {
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
fn of_items(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let dtype = items_of(cx.types, cx.plain(0))
        .ok_or_else(|| Mismatch::rejected("no array and no list"))?;
    cx.returns(cx.types.set(dtype))
}

/// A new set of the same items: a typed one of a typed one.
pub(crate) fn copied(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match set_at(cx, 0)? {
        (_, ListClass::Typed) => cx.returns(cx.plain(0)),
        (dtype, _) => cx.returns(cx.types.set(dtype)),
    }
}

/// `set(x)` of a set.
fn of_set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, _) = set_at(cx, 0)?;
    cx.returns(cx.types.set(dtype))
}

/// `x.add(v)`
fn add(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (set, dtype) = joined(cx, cx.plain(1))?;
    Ok(Signature {
        params: vec![set, dtype],
        ret: Type::NONE,
    })
}

/// `x.update(y)`
fn update(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = iteration::item(cx, iteration::iterator(cx, cx.arg(1))?)?;
    let (set, _) = joined(cx, crate::plain(cx.types, item))?;
    Ok(Signature {
        params: vec![set, cx.plain(1)],
        ret: Type::NONE,
    })
}

/// `x.pop()`
fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(set_at(cx, 0)?.0)
}

/// Numbers, strings, or tuples of them.
fn keeps_its_type(types: &Types, ty: Type) -> bool {
    match types.tuple_items(ty) {
        Some(items) => items.iter().all(|item| keeps_its_type(types, *item)),
        None => ty == Type::UNICODE || types.as_scalar(ty).is_some(),
    }
}

/// A value keeps its type: one that no item can equal is found nowhere. An optional and a char sequence become items.
fn of_item(cx: &ResultCx<'_>, ret: Type) -> Result<Signature, Mismatch> {
    let (dtype, class) = set_at(cx, 0)?;
    let value = cx.plain(1);
    if class == ListClass::Typed && !is_stored_as(cx.types, cx.ext, value, dtype) {
        return Err(lists::unsafe_cast(cx, value, dtype));
    }
    if cx.can_convert(value, dtype).is_none() {
        return Err(Mismatch::rejected(format!(
            "{} is no item of {}",
            cx.show(value),
            cx.show(cx.plain(0))
        )));
    }
    let param = match keeps_its_type(cx.types, value) {
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
fn discard(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    of_item(cx, Type::NONE)
}

/// Both are sets of the same items.
pub(crate) fn same_items(types: &Types, args: &[Type]) -> bool {
    let set = |i: usize| args.get(i).and_then(|ty| types.as_set(*ty));
    match (set(0), set(1)) {
        (Some((a, a_class)), Some((b, b_class))) => a == b && a_class.common(b_class).is_some(),
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
