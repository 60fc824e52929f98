//! Result types of array operations.

use crate::{Mismatch, ResultCx};
use numbra_ir::lattice::can_cast_same_kind;
use numbra_ir::{ArrayType, Layout, Scalar, Signature, Type, TypeKind};

/// The array behind argument `i`.
pub(crate) fn array(cx: &ResultCx<'_>, i: usize) -> Result<ArrayType, Mismatch> {
    cx.types
        .as_array(cx.plain(i))
        .ok_or_else(|| Mismatch::rejected(format!("argument {i} is no array")))
}

/// Refuses a read-only array, in Numba's words.
pub(crate) fn check_mutable(cx: &ResultCx<'_>, ty: Type) -> Result<(), Mismatch> {
    match cx.types.as_array(ty) {
        Some(array) if !array.mutable => Err(Mismatch::error(format!(
            "Cannot modify readonly array of type: {}",
            cx.show(ty)
        ))),
        _ => Ok(()),
    }
}

/// `a op= b` for an array `a`: the result is `a`, whose dtype takes the computed type by same-kind casting.
pub(crate) fn in_place(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    if let Some(other) = cx.types.as_array(cx.plain(1))
        && other.ndim > target.ndim
    {
        return Err(Mismatch::rejected(
            "the right operand has more dimensions than the array that is written to",
        ));
    }
    let operand = numbra_ir::lattice::operand(cx.types, cx.plain(1)).map(|o| o.scalar);
    match (cx.types.as_scalar(target.dtype), operand) {
        (Some(to), Some(from)) if can_cast_same_kind(from, to) => cx.returns(cx.plain(0)),
        _ => Err(Mismatch::rejected(format!(
            "{} does not cast to {} by same-kind casting",
            cx.show(cx.plain(1)),
            cx.show(target.dtype)
        ))),
    }
}

/// One part of a basic index.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Int,
    /// `true`: with a step.
    Slice(bool),
    NewAxis,
    Ellipsis,
}

fn part_of(cx: &ResultCx<'_>, ty: Type) -> Option<Part> {
    let ty = crate::pattern::plain(cx.types, ty);
    Some(match ty {
        Type::SLICE2 => Part::Slice(false),
        Type::SLICE3 => Part::Slice(true),
        Type::NONE => Part::NewAxis,
        Type::ELLIPSIS => Part::Ellipsis,
        _ if cx.types.as_scalar(ty).is_some_and(Scalar::is_int) => Part::Int,
        _ => return None,
    })
}

/// The type of an index as the compiled operation takes it: integers as `int64` or `uint64` (unsigned ones never wrap).
fn normal_index(cx: &ResultCx<'_>, ty: Type) -> Type {
    let ty = crate::pattern::plain(cx.types, ty);
    match cx.types.as_scalar(ty) {
        Some(s) if s.is_signed_int() => Type::INT64,
        Some(s) if s.is_unsigned_int() => Type::UINT64,
        _ => match cx.types.tuple_items(ty) {
            Some(items) => {
                let items: Vec<Type> = items.iter().map(|t| normal_index(cx, *t)).collect();
                cx.types.tuple(&items)
            }
            None => ty,
        },
    }
}

/// The type of `array[index]` and the normalised index type.
pub(crate) fn index(
    cx: &ResultCx<'_>,
    array: ArrayType,
    index: Type,
) -> Result<(Type, Type), Mismatch> {
    let plain = crate::pattern::plain(cx.types, index);
    let items = cx.types.tuple_items(plain).unwrap_or_else(|| vec![plain]);
    let mut parts = Vec::with_capacity(items.len());
    for item in &items {
        parts.push(part_of(cx, *item).ok_or_else(|| {
            Mismatch::rejected(format!(
                "Unsupported array index type {} in {}",
                cx.show(*item),
                cx.show(plain)
            ))
        })?);
    }
    if parts.iter().filter(|p| **p == Part::Ellipsis).count() > 1 {
        return Err(Mismatch::error(
            "Only one ellipsis allowed in array indices",
        ));
    }
    let indexed = parts
        .iter()
        .filter(|p| matches!(p, Part::Int | Part::Slice(_)))
        .count();
    let ndim = usize::from(array.ndim);
    if indexed > ndim {
        return Err(Mismatch::error(format!(
            "cannot index {} with {indexed} indices: {}",
            cx.show(cx.types.intern(TypeKind::Array(array))),
            cx.show(plain)
        )));
    }
    let dropped = parts.iter().filter(|p| **p == Part::Int).count();
    let added = parts.iter().filter(|p| **p == Part::NewAxis).count();
    let rank = ndim - dropped + added;
    let ret = if rank == 0 {
        array.dtype
    } else {
        let rank = u8::try_from(rank).map_err(|_| Mismatch::error("too many dimensions"))?;
        let layout = view_layout(array.layout, ndim, indexed, &parts);
        cx.types.intern(TypeKind::Array(ArrayType {
            ndim: rank,
            layout,
            ..array
        }))
    };
    Ok((ret, normal_index(cx, index)))
}

/// Layout of a basic-index view, as Numba types it: `C` (`F`) is kept when, from the outermost axis in, there are
/// integers, then at most one slice without step as the last index, and nothing after an ellipsis (before it, for `F`).
fn view_layout(layout: Layout, ndim: usize, indexed: usize, parts: &[Part]) -> Layout {
    let split = parts.iter().position(|p| *p == Part::Ellipsis);
    let (left, right) = match split {
        Some(at) => (&parts[..at], &parts[at + 1..]),
        None => (parts, &[][..]),
    };
    let real = |p: &&Part| matches!(p, Part::Int | Part::Slice(_));
    let keeps = |outer: &mut dyn Iterator<Item = &Part>| -> bool {
        let outer: Vec<&Part> = outer.collect();
        outer.iter().enumerate().all(|(i, p)| match p {
            Part::Slice(stepped) => !stepped && i + 1 == outer.len(),
            Part::Int | Part::NewAxis | Part::Ellipsis => true,
        })
    };
    let kept = match layout {
        Layout::C if indexed == ndim => keeps(&mut left.iter().chain(right).filter(real)),
        Layout::C => right.is_empty() && keeps(&mut left.iter().filter(real)),
        Layout::F if indexed == ndim => keeps(&mut left.iter().chain(right).rev().filter(real)),
        Layout::F => left.is_empty() && keeps(&mut right.iter().rev().filter(real)),
        Layout::A => false,
    };
    if kept { layout } else { Layout::A }
}
