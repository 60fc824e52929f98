//! Result types of indexing by arrays of integers and by masks.

use crate::pattern::plain;
use crate::rules::arrays::{array, check_mutable, normal_index};
use crate::rules::functions::like;
use crate::{Mismatch, ResultCx};
use numbra_ir::{ArrayType, Layout, Scalar, Signature, Type, Types};

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
pub(crate) fn get(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
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
pub(crate) fn is_mask(types: &Types, args: &[Type]) -> bool {
    let array = |i: usize| args.get(i).and_then(|ty| types.as_array(plain(types, *ty)));
    let (Some(target), Some(mask)) = (array(0), array(1)) else {
        return false;
    };
    let number = types.as_scalar(target.dtype).is_some();
    number && types.as_scalar(mask.dtype) == Some(Scalar::Bool) && mask.ndim == target.ndim
}

/// As [`is_mask`], for a mask of the first axis.
pub(crate) fn is_mask_of_rows(types: &Types, args: &[Type]) -> bool {
    let array = |i: usize| args.get(i).and_then(|ty| types.as_array(plain(types, *ty)));
    let (Some(target), Some(mask)) = (array(0), array(1)) else {
        return false;
    };
    let number = types.as_scalar(target.dtype).is_some();
    number && types.as_scalar(mask.dtype) == Some(Scalar::Bool) && target.ndim > mask.ndim
}

/// Whether the second argument is an array of integers, and the first one of numbers.
pub(crate) fn is_places(types: &Types, args: &[Type]) -> bool {
    let scalar = |i: usize| {
        let array = types.as_array(plain(types, *args.get(i)?))?;
        types.as_scalar(array.dtype)
    };
    scalar(0).is_some() && scalar(1).is_some_and(Scalar::is_int)
}

/// `x[i] = v` for an index with arrays, or a tuple as the value.
pub(crate) fn set(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let target = array(cx, 0)?;
    check_mutable(cx, cx.plain(0))?;
    let ndim = match crate::rules::arrays::index(cx, target, cx.arg(1)) {
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
