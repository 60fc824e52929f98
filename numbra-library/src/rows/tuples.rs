//! Tuples.

use super::text;
use crate::pattern::plain;
use crate::row_macro::rule;
use crate::{Effects, Mismatch, Op, ResultCx, TypePattern as P};
use numbra_ir::{Const, Signature, Type, TypeKind, Types};

library! {
    /// Position of the first equal item; ValueError if there is none.
    method tuple.index(x, value) {
        effects: Effects::RAISE, bodies: &[rule(&[P::UniTuple, P::Any], index_of, Op::TupleIndexOf)],
    }
    /// The tuple itself.
    fn builtins.tuple(x) {
        bodies: &[rule(&[P::Tuple], same, Op::Identity)],
    }
}

/// Longest tuple that a repetition may make: Numba's limit on tuple arguments.
const MAX_ITEMS: usize = 1000;

/// Item types of argument `i`.
fn items(cx: &ResultCx<'_>, i: usize) -> Result<Vec<Type>, Mismatch> {
    cx.types
        .tuple_items(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no tuple")))
}

fn literal_int(cx: &ResultCx<'_>, i: usize) -> Result<i64, Mismatch> {
    match cx.types.kind(cx.arg(i)) {
        TypeKind::Literal(Const::Int(v)) => Ok(*v),
        _ => Err(Mismatch::rejected("the index is no constant")),
    }
}

/// `x[i]` with a literal index.
pub(crate) fn item(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let items = items(cx, 0)?;
    let index = literal_int(cx, 1)?;
    let literals = cx.types.tuple_items(cx.arg(0)).unwrap_or_default();
    let n = items.len() as i64;
    let at = if index < 0 {
        index.checked_add(n)
    } else {
        Some(index)
    };
    let at = at.and_then(|at| usize::try_from(at).ok());
    match at.and_then(|at| Some((at, *items.get(at)?))) {
        Some((at, item)) => Ok(Signature {
            params: vec![cx.plain(0), cx.arg(1)],
            // A constant string stays one: it may name a field.
            ret: match literals.get(at) {
                Some(constant) if P::LiteralStr.matches(cx.types, *constant) => *constant,
                _ => item,
            },
        }),
        None => Err(Mismatch::error("tuple index out of range")),
    }
}

/// `x[i]` of a homogeneous tuple.
pub(crate) fn item_at(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match cx.types.uniform_tuple(cx.plain(0)) {
        Some((item, _)) => Ok(Signature {
            params: vec![cx.plain(0), cx.count(1)],
            ret: item,
        }),
        None => Err(Mismatch::rejected(
            "only a homogeneous tuple takes an index that is not constant",
        )),
    }
}

/// True for a tuple of functions, in front of other arguments.
pub(crate) fn of_functions(types: &Types, args: &[Type]) -> bool {
    let items = args.first().and_then(|ty| types.tuple_items(*ty));
    items.is_some_and(|items| {
        !items.is_empty() && items.iter().all(|item| types.is_function_value(*item))
    })
}

/// A tuple of functions as one of the type that they have in common, and that type.
pub(crate) fn functions(cx: &ResultCx<'_>) -> Result<(Type, Type), Mismatch> {
    let found = cx.types.function_tuple(cx.plain(0), cx.ext);
    found.ok_or_else(|| Mismatch::rejected("the functions have no common signature"))
}

/// `x[i]` of a tuple of functions.
pub(crate) fn function_at(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (tuple, item) = functions(cx)?;
    Ok(Signature {
        params: vec![tuple, cx.count(1)],
        ret: item,
    })
}

/// `x[a:b:c]` with a literal slice.
pub(crate) fn slice(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let items = items(cx, 0)?;
    let TypeKind::SliceLiteral(parts) = cx.types.kind(cx.arg(1)) else {
        return Err(Mismatch::rejected("the slice is no constant"));
    };
    let Some(picked) = slice_positions(parts, items.len()) else {
        return Err(Mismatch::error("slice step cannot be zero"));
    };
    let picked: Vec<Type> = picked.into_iter().map(|at| items[at]).collect();
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: cx.types.tuple(&picked),
    })
}

/// The positions that `slice(parts)` picks out of `n`, as `range(*slice(..).indices(n))`; `None` for a zero step or
/// parts that are not integers.
pub fn slice_positions(parts: &[Const; 3], n: usize) -> Option<Vec<usize>> {
    let part = |c: &Const| match c {
        Const::None => Some(None),
        Const::Int(v) => Some(Some(*v)),
        _ => None,
    };
    let (start, stop, step) = (part(&parts[0])?, part(&parts[1])?, part(&parts[2])?);
    let step = step.unwrap_or(1);
    if step == 0 {
        return None;
    }
    let n = n as i64;
    let (low, high) = if step > 0 { (0, n) } else { (-1, n - 1) };
    let clamp = |v: i64| (if v < 0 { v.saturating_add(n) } else { v }).clamp(low, high);
    let start = start.map_or(if step > 0 { low } else { high }, clamp);
    let stop = stop.map_or(if step > 0 { high } else { low }, clamp);
    let mut at = start;
    let mut out = Vec::new();
    while (step > 0 && at < stop) || (step < 0 && at > stop) {
        out.push(usize::try_from(at).ok()?);
        at = at.saturating_add(step);
    }
    Some(out)
}

/// `x + y`
pub(crate) fn concat(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let mut all = items(cx, 0)?;
    all.extend(items(cx, 1)?);
    cx.returns(cx.types.tuple(&all))
}

/// `x * n` with a literal count.
pub(crate) fn repeat(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let one = items(cx, 0)?;
    let count = usize::try_from(literal_int(cx, 1)?.max(0)).unwrap_or(usize::MAX);
    if one.len().saturating_mul(count) >= MAX_ITEMS {
        return Err(Mismatch::error(format!(
            "Tuple length must be smaller than {MAX_ITEMS}"
        )));
    }
    Ok(Signature {
        params: vec![cx.plain(0), cx.arg(1)],
        ret: cx.types.tuple(&one.repeat(count)),
    })
}

/// `== !=`: items that both tuples have must compare.
pub(crate) fn equality(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    comparable(cx, false)
}

/// `< <= > >=`
pub(crate) fn ordering(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    comparable(cx, true)
}

fn comparable(cx: &ResultCx<'_>, ordered: bool) -> Result<Signature, Mismatch> {
    let (a, b) = (items(cx, 0)?, items(cx, 1)?);
    for (x, y) in a.iter().zip(&b) {
        if !items_compare(cx, *x, *y, ordered) {
            return Err(Mismatch::rejected(format!(
                "items of types {} and {} do not compare",
                cx.show(*x),
                cx.show(*y)
            )));
        }
    }
    cx.returns(Type::BOOL)
}

fn items_compare(cx: &ResultCx<'_>, x: Type, y: Type, ordered: bool) -> bool {
    let (x, y) = (plain(cx.types, x), plain(cx.types, y));
    if let (Some(a), Some(b)) = (cx.types.tuple_items(x), cx.types.tuple_items(y)) {
        return a
            .iter()
            .zip(&b)
            .all(|(x, y)| items_compare(cx, *x, *y, ordered));
    }
    match (cx.types.as_scalar(x), cx.types.as_scalar(y)) {
        (Some(a), Some(b)) => !ordered || !(a.is_complex() || b.is_complex()),
        _ if x == y => x == Type::UNICODE || (x == Type::NONE && !ordered),
        // Values of different kinds are never equal.
        _ => !ordered && [x, y].iter().all(|ty| has_kind(cx, *ty)),
    }
}

/// Numbers, text, `None` and tuples: kinds of values of which none equals one of another kind.
fn has_kind(cx: &ResultCx<'_>, ty: Type) -> bool {
    let is_number = cx.types.as_scalar(ty).is_some();
    is_number || matches!(ty, Type::UNICODE | Type::NONE) || cx.types.tuple_items(ty).is_some()
}

/// `y in x`
pub(crate) fn contains(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let needle = cx.plain(1);
    for item in items(cx, 0)? {
        if !items_compare(cx, item, needle, false) {
            return Err(Mismatch::rejected(format!(
                "items of type {} do not compare with {}",
                cx.show(item),
                cx.show(needle)
            )));
        }
    }
    cx.returns(Type::BOOL)
}

/// `x.index(y)`
fn index_of(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    contains(cx)?;
    cx.returns(Type::INT64)
}

/// `len(x)`
pub(crate) fn len(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(Type::INT64)
}

/// `tuple(x)` of a tuple is itself.
fn same(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    cx.returns(cx.plain(0))
}

/// `min(x)`, `max(x)` of a tuple of real numbers: their unified type.
pub(crate) fn extreme(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let items = items(cx, 0)?;
    let real = |ty: &Type| cx.types.as_scalar(*ty).is_some_and(|s| !s.is_complex());
    let Some((first, rest)) = items.split_first().filter(|_| items.iter().all(real)) else {
        return Err(Mismatch::rejected(
            "min and max need a tuple of real numbers",
        ));
    };
    let unified = rest
        .iter()
        .try_fold(*first, |common, item| cx.unify(common, *item));
    match unified {
        Some(item) => cx.returns(item),
        None => Err(Mismatch::rejected("the items have no common type")),
    }
}

/// `hash(x)` of a number, a text, or of a tuple of what has a hash.
pub(crate) fn hash(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    match hashable(cx, cx.plain(0)) {
        Some(param) => Ok(Signature {
            params: vec![param],
            ret: Type::INT64,
        }),
        None => Err(Mismatch::rejected(format!(
            "{} has no hash in compiled code",
            cx.show(cx.plain(0))
        ))),
    }
}

/// What a value is hashed as.
fn hashable(cx: &ResultCx<'_>, ty: Type) -> Option<Type> {
    let ty = plain(cx.types, ty);
    if let Some(text) = text::text_of(cx, ty) {
        return Some(text);
    }
    match cx.types.tuple_items(ty) {
        Some(items) => {
            let items: Option<Vec<Type>> = items.iter().map(|item| hashable(cx, *item)).collect();
            Some(cx.types.tuple(&items?))
        }
        None => cx.types.as_scalar(ty).map(|_| ty),
    }
}

/// The arguments as one tuple.
pub(crate) fn new(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let items: Vec<Type> = (0..cx.args.len()).map(|i| cx.plain(i)).collect();
    let ret = cx.types.tuple(&items);
    Ok(Signature { params: items, ret })
}

/// `sum(x[, start])` of a tuple of numbers: the type that `+` computes in.
pub(crate) fn sum(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let mut acc = if cx.args.len() > 1 {
        cx.plain(1)
    } else {
        Type::INT64
    };
    for item in items(cx, 0)? {
        let wide = match cx.types.as_scalar(item) {
            Some(s) if s.is_unsigned_int() => Type::UINT64,
            Some(s) if s.is_int() || s == numbra_ir::Scalar::Bool => Type::INT64,
            Some(s) => cx.types.scalar(s),
            None => return Err(Mismatch::rejected("sum needs numbers")),
        };
        // `int64 + uint64` is int64.
        acc = match (acc, wide) {
            (Type::INT64, Type::UINT64) | (Type::UINT64, Type::INT64) => Type::INT64,
            (a, b) => cx
                .unify(a, b)
                .ok_or_else(|| Mismatch::rejected("sum needs numbers"))?,
        };
    }
    cx.returns(acc)
}
