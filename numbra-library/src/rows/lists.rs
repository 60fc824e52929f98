//! Methods of lists, and functions that make lists. Subscripts are in `arrays`, operators in `operators`.

use super::iteration;
use crate::row_macro::{guarded, guarded_prelude, prelude, prelude_at, rule};
use crate::{Effects, ListOp, Mismatch, Op, ResultCx, Targets, TypePattern as P};
use numbra_ir::lattice::is_stored_as;
use numbra_ir::{ListClass, Scalar, Signature, Type, TypeKind, Types};

const READ: Effects = Effects::READ.and(Effects::RAISE);
const COPY: Effects = READ.and(Effects::ALLOC);
const CHANGE: Effects = COPY.and(Effects::WRITE);

library! {
    /// A new list: empty, with a type that follows from what is put in, or of the items of an iterable.
    fn builtins.list(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), empty, Op::List(ListOp::New)),
            rule(&[P::List], copied, Op::List(ListOp::Copy)),
            rule(&[P::Tuple], of_tuple, Op::List(ListOp::OfTuple)),
            prelude(&[P::Iterable], "list_of_iterable"),
        ],
    }
    /// A new typed list: empty, with a type that follows from what is put in, or of the items of an iterable.
    fn numbra.typed.typedlist.List(iterable = Unset) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[
            guarded(&[], |_, args| args.is_empty(), typed_empty, Op::List(ListOp::New)),
            rule(&[P::List], typed_copied, Op::List(ListOp::Copy)),
            rule(&[P::Tuple], typed_of_tuple, Op::List(ListOp::OfTuple)),
            prelude(&[P::Iterable], "typed_list_of_iterable"),
        ],
    }
    /// An empty typed list of items of this type.
    fn numbra.typed.typedlist.List.empty_list(item_type, allocated = Int(0)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], typed_of, Op::List(ListOp::New))],
    }
    /// An empty typed list of items of this type.
    fn numbra.typed.listobject.new_list(item, allocated = Int(0)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Any, P::Any], typed_of, Op::List(ListOp::New))],
    }
    /// A list that nobody else has as a typed list.
    step typed.list(list) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::List], typed_copied, Op::Identity)],
    }
    /// The item at position `i`.
    method list.getitem_unchecked(list, i) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Int], item, Op::List(ListOp::Get))],
    }
    /// Number of items there is room for.
    method list._allocated(list) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[guarded(&[P::List], is_typed, |cx| cx.returns(Type::INT64), Op::List(ListOp::Allocated))],
    }
    /// Whether a typed list may be changed.
    method list._is_mutable(list) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[guarded(&[P::List], is_typed, |cx| cx.returns(Type::BOOL), Op::List(ListOp::IsMutable))],
    }
    /// Lets a typed list be changed.
    method list._make_mutable(list) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[guarded(&[P::List], is_typed, nothing, Op::List(ListOp::SetMutable(true)))],
    }
    /// Has what would change a typed list raise ValueError.
    method list._make_immutable(list) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[guarded(&[P::List], is_typed, nothing, Op::List(ListOp::SetMutable(false)))],
    }
    /// The list, whose items go to names of which one is starred: ValueError when there are fewer than `least`.
    step unpack.at_least(list, least) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Int], at_least, Op::List(ListOp::AtLeast))],
    }
    /// The items of the tuple `between` as a list, for a starred name; `whole` says what they are where there are none.
    step unpack.rest(between, whole) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::Tuple, P::Tuple], rest, Op::List(ListOp::OfTuple))],
    }
    /// A new sorted list of the items of an iterable.
    fn builtins.sorted(iterable, key = None, reverse = Bool(false)) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[prelude(&[P::Iterable, P::Any, P::Any], "sorted_list")],
    }
    /// Adds an item at the end.
    method list.append(list, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Any], append, Op::List(ListOp::Append))],
    }
    /// Adds the items of an iterable at the end.
    method list.extend(list, iterable) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::List, P::List], extend_list, Op::List(ListOp::Extend)),
            prelude_at(&[P::List, P::Any], extend, "list_extend"),
        ],
    }
    /// Adds an item in front of position `index`.
    method list.insert(list, index, item) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Any, P::Any], insert, Op::List(ListOp::Insert))],
    }
    /// Removes the item at position `index`, by default the last, and gives it; IndexError when it is not there.
    method list.pop(list, index = Unset) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List, P::Any], pop, Op::List(ListOp::Pop))],
    }
    /// Removes the first item that equals `value`; ValueError when there is none.
    method list.remove(list, value) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List, P::Any], "list_remove")],
    }
    /// Removes all items.
    method list.clear(list) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List], nothing, Op::List(ListOp::Clear))],
    }
    /// Turns the order of the items round.
    method list.reverse(list) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[rule(&[P::List], nothing, Op::List(ListOp::Reverse))],
    }
    /// A new list of the same items.
    method list.copy(list) {
        effects: COPY, targets: Targets::Cpu,
        bodies: &[rule(&[P::List], copy, Op::List(ListOp::Copy))],
    }
    /// Number of items that equal `value`.
    method list.count(list, value) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[prelude(&[P::List, P::Any], "list_count")],
    }
    /// Position of the first item that equals `value`; ValueError when there is none.
    method list.index(list, value, start = Int(0), stop = Int(i64::MAX)) {
        effects: READ, targets: Targets::Cpu,
        bodies: &[
            prelude(&[P::List, P::Any, P::Count, P::Count], "list_index"),
            rule(&[P::List, P::Any, P::Any, P::Any], bad_bounds, Op::NoneValue),
        ],
    }
    /// Sorts the items in place, stably; `key` is a jitted function or one of the library. NaN comes last.
    method list.sort(list, key = None, reverse = Bool(false)) {
        effects: CHANGE, targets: Targets::Cpu,
        bodies: &[
            rule(&[P::List, P::None, P::Integral], sort, Op::List(ListOp::Sort)),
            guarded_prelude(&[P::List, P::None, P::Integral], has_comparable_items, "list_sort_by_order"),
            guarded_prelude(&[P::List, P::Any, P::Integral], has_key, "list_sort_by_key"),
            guarded(&[P::List, P::Any, P::Any], has_bad_key, bad_key, Op::NoneValue),
            guarded(&[P::List, P::Any, P::Any], has_bad_reverse, bad_reverse, Op::NoneValue),
        ],
    }
}

/// The element type of argument `i` and what the list is to Python.
fn list_at(cx: &ResultCx<'_>, i: usize) -> Result<(Type, ListClass), Mismatch> {
    cx.types
        .as_list(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no list")))
}

/// The receiver that can also hold items of type `item`, and the common type.
fn joined(cx: &ResultCx<'_>, item: Type) -> Result<(Type, Type), Mismatch> {
    let (dtype, class) = list_at(cx, 0)?;
    if class == ListClass::Typed {
        return typed_joined(cx, dtype, item);
    }
    let dtype = cx.unify(dtype, item).ok_or_else(|| {
        Mismatch::rejected(format!(
            "{} has no common type with {}",
            cx.show(item),
            cx.show(dtype)
        ))
    })?;
    Ok((cx.types.list_of(dtype, class), dtype))
}

/// As [`joined`] of a typed list, whose type an item does not change once it is known.
fn typed_joined(cx: &ResultCx<'_>, known: Type, item: Type) -> Result<(Type, Type), Mismatch> {
    if let Some(why) = not_an_item(cx, item) {
        return Err(Mismatch::error(why));
    }
    if known != Type::UNDEFINED && is_stored_as(cx.types, cx.ext, item, known) {
        return Ok((cx.types.list_of(known, ListClass::Typed), known));
    }
    let dtype = cx.types.is_imprecise(known).then(|| cx.unify(known, item));
    match dtype.flatten() {
        Some(dtype) => Ok((cx.types.list_of(dtype, ListClass::Typed), dtype)),
        None => Err(unsafe_cast(cx, item, known)),
    }
}

/// Numba's words for what does not fit into a typed container: numbers are cast explicitly, other values not at all.
pub(crate) fn unsafe_cast(cx: &ResultCx<'_>, from: Type, to: Type) -> Mismatch {
    let (shown, wanted) = (cx.show(from), cx.show(to));
    let is_possible = cx.types.as_scalar(to).is_some() || cx.can_convert(from, to).is_some();
    Mismatch::error(match is_possible {
        true => format!("cannot safely cast {shown} to {wanted}. Please cast explicitly."),
        false => format!("Cannot cast {shown} to {wanted}"),
    })
}

/// Why a typed list cannot have such items, if it cannot.
fn not_an_item(cx: &ResultCx<'_>, item: Type) -> Option<String> {
    let optional = matches!(cx.types.kind(item), TypeKind::Optional(_));
    optional.then(|| format!("List.item_type cannot be of type {}", cx.show(item)))
}

/// A typed list.
fn is_typed(types: &Types, args: &[Type]) -> bool {
    let list = args.first().and_then(|ty| types.as_list(*ty));
    list.is_some_and(|(_, class)| class == ListClass::Typed)
}

/// `List()`
fn typed_empty(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.list_of(Type::UNDEFINED, ListClass::Typed))
}

/// The type that argument `i` is, or that of a typed container, whose type is meant.
pub(crate) fn named(cx: &ResultCx<'_>, i: usize) -> Result<Type, Mismatch> {
    let given = cx.plain(i);
    let class = cx.types.as_list(given).or_else(|| cx.types.as_set(given));
    match cx.types.kind(given) {
        TypeKind::TypeRef(ty) | TypeKind::NumberClass(ty) => Ok(*ty),
        TypeKind::Dict { .. } => Ok(given),
        _ if class.is_some_and(|(_, class)| class == ListClass::Typed) => Ok(given),
        _ => Err(Mismatch::rejected(format!("{} is no type", cx.show(given)))),
    }
}

/// `List.empty_list(item_type)`
fn typed_of(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = named(cx, 0)?;
    match not_an_item(cx, item) {
        Some(why) => Err(Mismatch::error(why)),
        None => Ok(Signature {
            params: vec![cx.plain(0), cx.count(1)],
            ret: cx.types.list_of(item, ListClass::Typed),
        }),
    }
}

/// `List(x)` of what `list(x)` gives by `rule`.
fn typed(
    cx: &ResultCx<'_>,
    rule: impl FnOnce(&ResultCx<'_>) -> Result<Signature, Mismatch>,
) -> Result<Signature, Mismatch> {
    let mut signature = rule(cx)?;
    if let Some((item, _)) = cx.types.as_list(signature.ret) {
        if let Some(why) = not_an_item(cx, item) {
            return Err(Mismatch::error(why));
        }
        signature.ret = cx.types.list_of(item, ListClass::Typed);
    }
    Ok(signature)
}

/// `List(x)` of a list.
fn typed_copied(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    typed(cx, copied)
}

/// `List(x)` of a tuple whose items have a common type.
fn typed_of_tuple(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    typed(cx, of_tuple)
}

/// `x.copy()`
fn copy(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match list_at(cx, 0)?.1 {
        ListClass::Typed => same(cx),
        ListClass::Local | ListClass::Reflected => copied(cx),
    }
}

/// `list()`
fn empty(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.types.list(Type::UNDEFINED))
}

/// `list(x)` of a list.
fn copied(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, _) = list_at(cx, 0)?;
    cx.returns(cx.types.list(dtype))
}

/// `list(x)` of a tuple whose items have a common type.
fn of_tuple(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let tuple = cx.plain(0);
    let items = cx.types.tuple_items(tuple).unwrap_or_default();
    let Some((first, rest)) = items.split_first() else {
        return cx.returns(cx.types.list(Type::UNDEFINED));
    };
    let first = crate::plain(cx.types, *first);
    let common = rest.iter().try_fold(first, |common, item| {
        cx.unify(common, crate::plain(cx.types, *item))
    });
    match common {
        Some(dtype) => cx.returns(cx.types.list(dtype)),
        None => Err(Mismatch::error(format!(
            "a list of the items of {} is not possible: they have no common type",
            cx.show(tuple)
        ))),
    }
}

/// `rest(between, whole)`: the items between as a list. Where there are none, one that could hold the items of the
/// whole tuple, which has numbers where it has no items either.
fn rest(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let common = |i: usize| {
        let items = cx.types.tuple_items(cx.plain(i)).unwrap_or_default();
        let mut items = items.into_iter().map(|item| crate::plain(cx.types, item));
        let first = items.next()?;
        items.try_fold(first, |common, item| cx.unify(common, item))
    };
    let between = cx.plain(0);
    let is_empty = cx.types.tuple_items(between).is_some_and(|i| i.is_empty());
    let dtype = match common(0) {
        None if is_empty => Some(common(1).unwrap_or(Type::INT64)),
        found => found,
    };
    match dtype {
        Some(dtype) => cx.returns(cx.types.list(dtype)),
        None => Err(Mismatch::error(format!(
            "a list of the items of {} is not possible: they have no common type",
            cx.show(between)
        ))),
    }
}

/// `at_least(x, n)`
fn at_least(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: cx.plain(0),
    })
}

/// An operation that gives the list's own type.
pub(crate) fn same(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.plain(0))
}

/// An operation without a result.
pub(crate) fn nothing(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::NONE)
}

/// `x.pop()`, `x.pop(i)`
fn pop(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if cx.args.len() > 1 && !is_int(cx, 1) {
        return Err(Mismatch::error("argument for pop must be an integer"));
    }
    item(cx)
}

/// Argument `i` is an integer.
fn is_int(cx: &ResultCx<'_>, i: usize) -> bool {
    cx.types.as_scalar(cx.plain(i)).is_some_and(Scalar::is_int)
}

/// `x[i]`
pub(crate) fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(list_at(cx, 0)?.0)
}

/// `x[i] = v`
pub(crate) fn setitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, class) = list_at(cx, 0)?;
    let value = cx.plain(2);
    if class == ListClass::Typed {
        let (list, dtype) = typed_joined(cx, dtype, value)?;
        return Ok(Signature {
            params: vec![list, cx.plain(1), dtype],
            ret: Type::NONE,
        });
    }
    if cx.can_convert(value, dtype).is_none() {
        return Err(Mismatch::rejected(format!(
            "invalid setitem with value of {} to element of {}",
            cx.show(value),
            cx.show(dtype)
        )));
    }
    Ok(Signature {
        params: vec![cx.plain(0), cx.plain(1), dtype],
        ret: Type::NONE,
    })
}

/// The arguments, of which two are lists of the same items; where nothing is known of one of them, it takes the other's.
fn same_items(cx: &ResultCx<'_>, i: usize, j: usize) -> Result<Vec<Type>, Mismatch> {
    let ((a, a_class), (b, b_class)) = (list_at(cx, i)?, list_at(cx, j)?);
    let is_new = |ty: Type| cx.types.is_imprecise(ty);
    let dtype = match (is_new(a), is_new(b)) {
        (false, true) => a,
        (true, false) => b,
        _ if a == b => a,
        _ => return Err(Mismatch::rejected("the lists have items of other types")),
    };
    let mut params: Vec<Type> = (0..cx.args.len()).map(|i| cx.plain(i)).collect();
    for (at, class) in [(i, a_class), (j, b_class)] {
        params[at] = cx.types.list_of(dtype, class);
    }
    Ok(params)
}

/// `x[a:b:c] = y`
pub(crate) fn set_slice(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: same_items(cx, 0, 2)?,
        ret: Type::NONE,
    })
}

/// `x + y`
pub(crate) fn concat(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let params = same_items(cx, 0, 1)?;
    let Some(class) = list_at(cx, 0)?.1.common(list_at(cx, 1)?.1) else {
        return Err(Mismatch::rejected("one of the lists is a typed list"));
    };
    let (dtype, _) = cx
        .types
        .as_list(params[0])
        .unwrap_or((Type::UNDEFINED, class));
    let ret = cx.types.list_of(dtype, class);
    Ok(Signature { params, ret })
}

/// `x += y`
pub(crate) fn concat_in_place(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let params = same_items(cx, 0, 1)?;
    let ret = params[0];
    Ok(Signature { params, ret })
}

/// `x * n`
pub(crate) fn repeat(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.plain(0), cx.count(1)],
        ret: cx.plain(0),
    })
}

/// `n * x`
pub(crate) fn repeat_right(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.count(0), cx.plain(1)],
        ret: cx.plain(1),
    })
}

/// `x.append(v)`
fn append(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (list, dtype) = joined(cx, cx.plain(1))?;
    Ok(Signature {
        params: vec![list, dtype],
        ret: Type::NONE,
    })
}

/// `x.insert(i, v)`
fn insert(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    if !is_int(cx, 1) {
        return Err(Mismatch::error("list insert indices must be integers"));
    }
    let (list, dtype) = joined(cx, cx.plain(2))?;
    Ok(Signature {
        params: vec![list, cx.count(1), dtype],
        ret: Type::NONE,
    })
}

/// `x.extend(y)` of a list whose items need no conversion.
fn extend_list(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (item, _) = list_at(cx, 1)?;
    let (list, dtype) = joined(cx, item)?;
    if dtype != item {
        return Err(Mismatch::rejected("the items are converted"));
    }
    Ok(Signature {
        params: vec![list, cx.plain(1)],
        ret: Type::NONE,
    })
}

/// `x.extend(y)`
fn extend(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let iterator = iteration::iterator(cx, cx.arg(1))
        .map_err(|_| Mismatch::error("extend argument must be iterable"))?;
    let item = iteration::item(cx, iterator)?;
    let (list, _) = joined(cx, crate::plain(cx.types, item))?;
    Ok(Signature {
        params: vec![list, cx.plain(1)],
        ret: Type::NONE,
    })
}

/// `x.sort(None, reverse)`
fn sort(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, _) = list_at(cx, 0)?;
    if !is_ordered(cx.types, dtype) {
        return Err(Mismatch::rejected(format!(
            "items of type {} have no order",
            cx.show(dtype)
        )));
    }
    Ok(Signature {
        params: vec![cx.plain(0), Type::NONE, Type::BOOL],
        ret: Type::NONE,
    })
}

/// Real numbers, strings, and tuples of these.
fn is_ordered(types: &Types, ty: Type) -> bool {
    match types.tuple_items(ty) {
        Some(items) => items.iter().all(|item| is_ordered(types, *item)),
        None if types.unliteral(ty) == Type::UNICODE => true,
        None => types
            .as_scalar(ty)
            .is_some_and(|s| !s.is_complex() && s != Scalar::Float16),
    }
}

/// True for a list of items that compare otherwise than numbers and strings: times, lists, and tuples with such.
fn has_comparable_items(types: &Types, args: &[Type]) -> bool {
    fn compares(types: &Types, ty: Type) -> bool {
        let parts = match types.as_list(ty) {
            Some((item, _)) => Some(vec![item]),
            None => types.tuple_items(ty),
        };
        match parts {
            Some(parts) => parts.iter().all(|part| compares(types, *part)),
            None => is_ordered(types, ty) || types.as_time(ty).is_some(),
        }
    }
    let item = args.first().and_then(|list| types.as_list(*list));
    item.is_some_and(|(item, _)| compares(types, item))
}

/// A key of `sort` that is a function: a jitted one, or one of the library.
fn has_key(types: &Types, args: &[Type]) -> bool {
    args.get(1).is_some_and(|ty| {
        matches!(
            types.kind(*ty),
            TypeKind::Dispatcher { .. } | TypeKind::Closure { .. } | TypeKind::Function { .. }
        )
    })
}

/// A key that is neither a function nor `None`.
fn has_bad_key(types: &Types, args: &[Type]) -> bool {
    !has_key(types, args)
        && args
            .get(1)
            .is_some_and(|key| crate::plain(types, *key) != Type::NONE)
}

/// `reverse` is no integer.
fn has_bad_reverse(types: &Types, args: &[Type]) -> bool {
    !args
        .get(2)
        .is_some_and(|reverse| P::Integral.matches(types, *reverse))
}

/// `x.sort(reverse=r)` of such an `r`.
fn bad_reverse(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::error("an integer is required for 'reverse'"))
}

/// Any other key.
fn bad_key(_: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Err(Mismatch::error(
        "Key must be None or a Numba JIT compiled function",
    ))
}

/// `x.index(v, start, stop)` with a start or stop that is no integer.
fn bad_bounds(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (name, at) = if is_int(cx, 2) {
        ("stop", 3)
    } else {
        ("start", 2)
    };
    Err(Mismatch::error(format!(
        "arg \"{name}\" must be an Integer. Got {}",
        cx.show(cx.plain(at))
    )))
}
