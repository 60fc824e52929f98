//! `a[b]`, `a[b] = c` and `del a[b]`.

use super::{dicts, lists, literal_dicts, literal_lists, pointers, records, text, tuples};
use crate::pattern::plain;
use crate::row_macro::{guarded, guarded_on_gpu, moving, native, on_gpu, rule};
use crate::rules::{array, check_mutable, intern, like};
use crate::{DictOp, Effects, Inline, ListOp, Mismatch, Op, ResultCx, TypePattern as P};
use numbra_ir::{ArrayType, BufferClass, Layout, Scalar, Signature, Type, TypeKind, Types};

library! {
    /// `a[b]`: of a tuple by constant index or slice (of a homogeneous one by any integer); of an array by integers,
    /// slices, `None` and `...`, which gives an element or a view; with arrays of integers or masks among these a copy;
    /// of a record, or an array of records, by the constant name of a field; of a pointer the value so many values on.
    op operator.getitem(a, b) {
        effects: Effects::READ.and(Effects::RAISE),
        bodies: &[
            rule(&[P::Array, P::BasicIndex], getitem, Op::ArrayGet),
            rule(&[P::List, P::Int], lists::item, Op::List(ListOp::Get)),
            rule(&[P::List, P::Slice], lists::same, Op::List(ListOp::GetSlice)),
            rule(&[P::Tuple, P::LiteralInt], tuples::item, Op::TupleItem),
            rule(&[P::Tuple, P::SliceLiteral], tuples::slice, Op::TupleSlice),
            rule(&[P::UniTuple, P::Int], tuples::item_at, Op::TupleItemAt),
            rule(&[P::Flat, P::Int], flat_getitem, Op::ArrayFlatGet),
            moving(&[P::Array, P::Any], get, "numbra_np_get_index").inline(Inline::Take).instead("loop over the places, or assign to them: `a[mask] = value`"),
            rule(&[P::AnyText, P::Int], text::item, Op::TextItem),
            rule(&[P::Buffer, P::BasicIndex], buffer_getitem, Op::ArrayGet),
            rule(&[P::Record, P::Literal], records::get, Op::RecordGet),
            rule(&[P::Array, P::LiteralStr], records::array_field, Op::ArrayField),
            rule(&[P::LiteralList, P::LiteralInt], literal_lists::item, Op::TupleItem),
            rule(&[P::LiteralList, P::Any], literal_lists::no_item, Op::NoneValue),
            rule(&[P::Pointer, P::Int], pointers::get, Op::PointerGet),
            native(&[P::AnyText, P::Slice], text::to_text, "numbra_np_str_slice"),
            rule(&[P::Dict, P::Any], dicts::getitem, Op::Dict(DictOp::Get)),
            rule(&[P::LiteralDict, P::LiteralStr], literal_dicts::item, Op::LiteralDictItem),
            rule(&[P::LiteralDict, P::Any], literal_dicts::no_item, Op::NoneValue),
            guarded(&[P::Tuple, P::Int], tuples::of_functions, tuples::function_at, Op::TupleItemAt),
        ],
    }
    /// `a[b] = c`: stores an element or a field, or assigns a scalar or array to the view `a[b]`.
    op operator.setitem(a, b, c) {
        effects: Effects::WRITE.and(Effects::READ).and(Effects::RAISE),
        bodies: &[
            rule(&[P::Array, P::BasicIndex, P::Any], setitem, Op::ArraySet),
            rule(&[P::Flat, P::Int, P::Scalar], flat_setitem, Op::ArrayFlatSet),
            guarded_on_gpu(&[P::Array, P::Array, P::Scalar], is_mask, "device_set_mask"),
            guarded_on_gpu(&[P::Array, P::ArrayNd(1), P::Scalar], is_mask_of_rows, "device_set_masked_rows"),
            guarded_on_gpu(&[P::Array, P::Array, P::ArrayNd(1)], is_mask, "device_set_masked_values"),
            guarded_on_gpu(&[P::ArrayNd(1), P::ArrayNd(1), P::Scalar], is_places, "device_set_places"),
            guarded_on_gpu(&[P::ArrayNd(1), P::ArrayNd(1), P::ArrayNd(1)], is_places, "device_set_values"),
            on_gpu(&[P::ArrayNd(1), P::Slice, P::UniTuple], "device_set_items"),
            guarded(&[P::Array, P::Array, P::Scalar], is_mask, set, Op::ArraySetMask),
            moving(&[P::Array, P::Any, P::Any], set, "numbra_np_set_index"),
            rule(&[P::List, P::Int, P::Any], lists::setitem, Op::List(ListOp::Set)),
            rule(&[P::List, P::Slice, P::List], lists::set_slice, Op::List(ListOp::SetSlice)),
            rule(&[P::Buffer, P::BasicIndex, P::Scalar], setitem, Op::ArraySet),
            rule(&[P::Record, P::Literal, P::Any], records::set, Op::RecordSet),
            rule(&[P::Array, P::LiteralStr, P::Any], records::set_array_field, Op::ArrayFieldSet),
            rule(&[P::Pointer, P::Int, P::Any], pointers::set, Op::PointerSet),
            rule(&[P::LiteralList, P::Any, P::Any], literal_lists::immutable, Op::NoneValue),
            rule(&[P::Dict, P::Any, P::Any], dicts::setitem, Op::Dict(DictOp::Set)),
            rule(&[P::LiteralDict, P::Any, P::Any], literal_dicts::immutable, Op::NoneValue),
        ],
    }
    /// `del a[b]` of a list or a dictionary.
    op operator.delitem(a, b) {
        effects: Effects::WRITE.and(Effects::RAISE),
        bodies: &[
            rule(&[P::List, P::Int], lists::nothing, Op::List(ListOp::Del)),
            rule(&[P::List, P::Slice], lists::nothing, Op::List(ListOp::DelSlice)),
            rule(&[P::LiteralList, P::Any], literal_lists::immutable, Op::NoneValue),
            rule(&[P::Dict, P::Any], dicts::delitem, Op::Dict(DictOp::Del)),
            rule(&[P::LiteralDict, P::Any], literal_dicts::immutable, Op::NoneValue),
        ],
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
    // Numba types `z[...]` of a 0-d array as an element and has no code for it: it is NumPy's view.
    let is_view = ndim == 0 && parts.contains(&Part::Ellipsis);
    let ret = if rank == 0 && !is_view {
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

/// `x[i]`
fn getitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (ret, index) = index(cx, array(cx, 0)?, cx.arg(1))?;
    Ok(Signature {
        params: vec![cx.plain(0), index],
        ret,
    })
}

/// `x[i] = v`: a scalar is converted to the element type; an array must not have more dimensions than `x[i]`.
fn setitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    let (view, index) = index(cx, target, cx.arg(1))?;
    let value = cx.plain(2);
    let param = match cx.types.as_array(value) {
        Some(value_array) => {
            if cx.types.as_array(view).is_none() {
                return Err(Mismatch::rejected(format!(
                    "cannot assign {} to an element of {}",
                    cx.show(value),
                    cx.show(cx.plain(0))
                )));
            }
            if cx.can_convert(value_array.dtype, target.dtype).is_none() {
                return Err(Mismatch::rejected(format!(
                    "{} does not convert to {}",
                    cx.show(value_array.dtype),
                    cx.show(target.dtype)
                )));
            }
            value
        }
        None => {
            if cx.can_convert(value, target.dtype).is_none() {
                return Err(Mismatch::rejected(format!(
                    "{} does not convert to {}",
                    cx.show(value),
                    cx.show(target.dtype)
                )));
            }
            target.dtype
        }
    };
    Ok(Signature {
        params: vec![cx.plain(0), index, param],
        ret: Type::NONE,
    })
}

/// `x.flat[i]`
fn flat_getitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    Ok(Signature {
        params: vec![cx.arg(0), normal_index(cx, cx.arg(1))],
        ret: flat_array(cx)?.dtype,
    })
}

/// `x.flat[i] = v`
fn flat_setitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = flat_array(cx)?;
    check_mutable(cx, intern(cx, target))?;
    if cx.can_convert(cx.plain(2), target.dtype).is_none() {
        return Err(Mismatch::rejected(
            "the value does not convert to the element type",
        ));
    }
    Ok(Signature {
        params: vec![cx.arg(0), normal_index(cx, cx.arg(1)), target.dtype],
        ret: Type::NONE,
    })
}

fn flat_array(cx: &ResultCx<'_>) -> Result<ArrayType, Mismatch> {
    match cx.types.kind(cx.arg(0)) {
        TypeKind::BoundMethod { receiver, .. } => cx.types.as_array(*receiver),
        _ => None,
    }
    .ok_or_else(|| Mismatch::rejected("flat needs an array"))
}

/// `x[i]` of a buffer: a slice is a buffer of the same class, which those that copy do not give.
fn buffer_getitem(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let sig = getitem(cx)?;
    let Some(view) = cx.types.as_array(sig.ret) else {
        return Ok(sig);
    };
    let ret = match cx.types.kind(cx.plain(0)) {
        TypeKind::Buffer {
            class: BufferClass::MemoryView,
            ..
        } => cx.types.intern(TypeKind::Buffer {
            class: BufferClass::MemoryView,
            array: view,
        }),
        TypeKind::Bytes if view.layout == Layout::C && view.ndim == 1 => Type::BYTES,
        _ => {
            return Err(Mismatch::rejected(format!(
                "a slice of {} would be a copy",
                cx.show(cx.plain(0))
            )));
        }
    };
    Ok(Signature { ret, ..sig })
}

/// Rank of `array[index]` for an index with at least one array.
fn rank(cx: &ResultCx<'_>, array: ArrayType, index: Type) -> Result<u8, Mismatch> {
    let index = plain(cx.types, index);
    let items = cx.types.tuple_items(index).unwrap_or_else(|| vec![index]);
    let (mut used, mut kept, mut picked, mut ellipses, mut arrays) = (0, 0, 0, 0, 0);
    for item in &items {
        let item = plain(cx.types, *item);
        if let Some(at) = cx.types.as_array(item) {
            let consumed = match cx.types.as_scalar(at.dtype) {
                Some(Scalar::Bool) => at.ndim,
                Some(s) if s.is_int() => 1,
                _ => return Err(unsupported(cx, item, index)),
            };
            arrays += 1;
            used += consumed;
            picked = picked.max(if at.dtype == Type::BOOL { 1 } else { at.ndim });
        } else if cx.types.as_scalar(item).is_some_and(Scalar::is_int) {
            used += 1;
        } else {
            match item {
                Type::SLICE2 | Type::SLICE3 => {
                    used += 1;
                    kept += 1;
                }
                Type::NONE => kept += 1,
                Type::ELLIPSIS => ellipses += 1,
                _ => return Err(unsupported(cx, item, index)),
            }
        }
    }
    if arrays == 0 {
        return Err(unsupported(cx, index, index));
    }
    if ellipses > 1 {
        return Err(Mismatch::error(
            "Only one ellipsis allowed in array indices",
        ));
    }
    let open = array.ndim.checked_sub(used).ok_or_else(|| {
        Mismatch::error(format!(
            "cannot index {} with {used} indices: {}",
            cx.show(cx.plain(0)),
            cx.show(index)
        ))
    })?;
    Ok(open + kept + picked)
}

fn unsupported(cx: &ResultCx<'_>, item: Type, index: Type) -> Mismatch {
    Mismatch::rejected(format!(
        "Unsupported array index type {} in {}",
        cx.show(item),
        cx.show(index)
    ))
}

/// `x[i]`: a copy of the chosen elements.
fn get(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let array = array(cx, 0)?;
    let ndim = rank(cx, array, cx.arg(1))?;
    Ok(Signature {
        params: vec![cx.plain(0), normal_index(cx, cx.arg(1))],
        ret: match ndim {
            0 => array.dtype,
            n => cx.types.array(array.dtype, n, Layout::C),
        },
    })
}

/// The index is one mask with as many axes as the array of numbers.
fn is_mask(types: &Types, args: &[Type]) -> bool {
    let array = |i: usize| args.get(i).and_then(|ty| types.as_array(plain(types, *ty)));
    let (Some(target), Some(mask)) = (array(0), array(1)) else {
        return false;
    };
    let number = types.as_scalar(target.dtype).is_some();
    number && types.as_scalar(mask.dtype) == Some(Scalar::Bool) && mask.ndim == target.ndim
}

/// As [`is_mask`], for a mask of the first axis.
fn is_mask_of_rows(types: &Types, args: &[Type]) -> bool {
    let array = |i: usize| args.get(i).and_then(|ty| types.as_array(plain(types, *ty)));
    let (Some(target), Some(mask)) = (array(0), array(1)) else {
        return false;
    };
    let number = types.as_scalar(target.dtype).is_some();
    number && types.as_scalar(mask.dtype) == Some(Scalar::Bool) && target.ndim > mask.ndim
}

/// Whether the second argument is an array of integers, and the first one of numbers.
fn is_places(types: &Types, args: &[Type]) -> bool {
    let scalar = |i: usize| {
        let array = types.as_array(plain(types, *args.get(i)?))?;
        types.as_scalar(array.dtype)
    };
    scalar(0).is_some() && scalar(1).is_some_and(Scalar::is_int)
}

/// `x[i] = v` for an index with arrays, or a tuple as the value.
fn set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    let ndim = match index(cx, target, cx.arg(1)) {
        Ok((view, _)) => cx.types.as_array(view).map_or(0, |v| v.ndim),
        Err(_) => rank(cx, target, cx.arg(1))?,
    };
    let (dtype, value_rank) = like(cx, 2)?;
    // Leading axes of a value may have one item, which only its shape says.
    if ndim == 0 && value_rank > 1 {
        return Err(Mismatch::rejected(
            "the value has more dimensions than what it is assigned to",
        ));
    }
    let numbers = cx.types.as_scalar(target.dtype).is_some();
    let converts = match value_rank {
        n if n > 0 && !numbers => dtype == target.dtype,
        _ => cx.can_convert(dtype, target.dtype).is_some(),
    };
    if !converts {
        return Err(Mismatch::rejected(format!(
            "{} does not convert to {}",
            cx.show(dtype),
            cx.show(target.dtype)
        )));
    }
    let value = if value_rank == 0 && cx.types.as_array(cx.plain(2)).is_none() {
        target.dtype
    } else {
        cx.plain(2)
    };
    Ok(Signature {
        params: vec![cx.plain(0), normal_index(cx, cx.arg(1)), value],
        ret: Type::NONE,
    })
}
