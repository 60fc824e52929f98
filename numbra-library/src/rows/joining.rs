//! Functions that join arrays, take them apart, and put in or leave out elements.

use crate::row_macro::{moving, native};
use crate::rules::{
    NEW, Typed, array, count_of, fresh, is_int, is_like, is_none, like, new, one_axis, promoted,
    scalar, view, want,
};
use crate::{Effects, Inline, Join, Mismatch, ResultCx, Targets, TypePattern as P};
use numbra_ir::{ArrayType, Layout, Scalar, Signature, Type};

const COPY: Effects = Effects::READ.and(Effects::ALLOC);

library! {
    /// Joins a tuple or list of arrays along an axis.
    fn numpy.concatenate(arrays, axis = Int(0)) alias [numpy.concat] {
        effects: COPY.and(Effects::RAISE), targets: Targets::Cpu,
        bodies: &[moving(&[P::OneOf(&[P::ArrayTuple, P::List]), P::Int], concatenate, "numbra_np_concatenate").inline(Inline::Join(Join::Concatenate))],
    }
    /// Each element in C order as often as `repeats` says.
    fn numpy.repeat(a, repeats) method [array.repeat] {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], repeat, "numbra_np_repeat")],
    }
    /// The array so many times along each axis; `reps` counts from the last axis, new axes come first.
    fn numpy.tile(A, reps) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], tile, "numbra_np_tile")],
    }
    /// The arrays one after another, in C order or along an axis.
    fn numpy.append(arr, values, axis = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Any], append, "numbra_np_append")],
    }
    /// The elements in C order without those at `obj`.
    fn numpy.delete(arr, obj) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], delete, "numbra_np_delete")],
    }
    /// The elements in C order with values before those at `obj`.
    fn numpy.insert(arr, obj, values, axis = None) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any, P::Any, P::Any], insert, "numbra_np_insert")],
    }
    /// Without zeros at the front (`f`) and back (`b`), a view.
    fn numpy.trim_zeros(filt, trim = Str("fb")) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[native(&[P::Any, P::Any], trim_zeros, "numbra_np_trim_zeros")],
    }
    /// Arrays of one shape along a new axis.
    fn numpy.stack(arrays, axis = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Int], stack, "numbra_np_stack").inline(Inline::Join(Join::Stack))],
    }
    /// Arrays side by side: along the second axis, or the only one.
    fn numpy.hstack(tup) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], hstack, "numbra_np_hstack").inline(Inline::Join(Join::Horizontal))],
    }
    /// Arrays below each other: along the first axis, one-dimensional ones as rows.
    fn numpy.vstack(tup) alias [numpy.row_stack] {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], stack_up::<2>, "numbra_np_vstack").inline(Inline::Join(Join::Vertical))],
    }
    /// Arrays behind each other: along the third axis.
    fn numpy.dstack(tup) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], stack_up::<3>, "numbra_np_dstack").inline(Inline::Join(Join::Depth))],
    }
    /// Arrays side by side, one-dimensional ones as columns.
    fn numpy.column_stack(tup) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any], column_stack, "numbra_np_column_stack").inline(Inline::Join(Join::Columns))],
    }
    /// Views of the parts of an axis, of one size or between places.
    fn numpy.split(ary, indices_or_sections, axis = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Int], split, "numbra_np_split")],
    }
    /// Views of the parts of an axis, of nearly one size or between places.
    fn numpy.array_split(ary, indices_or_sections, axis = Int(0)) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any, P::Int], split, "numbra_np_array_split")],
    }
    /// [`numpy.split`] along the second axis, or the only one.
    fn numpy.hsplit(ary, indices_or_sections) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], split, "numbra_np_hsplit")],
    }
    /// [`numpy.split`] along the first axis.
    fn numpy.vsplit(ary, indices_or_sections) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], split, "numbra_np_vsplit")],
    }
    /// [`numpy.split`] along the third axis.
    fn numpy.dsplit(ary, indices_or_sections) {
        effects: NEW, targets: Targets::Cpu,
        bodies: &[moving(&[P::Any, P::Any], split, "numbra_np_dsplit")],
    }
}

/// `np.concatenate(arrays, axis)`: the promoted dtype; F if all are F, else C.
fn concatenate(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (dtype, arrays) = joined(cx)?;
    let Some(first) = arrays.first() else {
        return Err(Mismatch::error("need at least one array to concatenate"));
    };
    if first.ndim == 0 {
        return Err(Mismatch::error(
            "zero-dimensional arrays cannot be concatenated",
        ));
    }
    if arrays.iter().any(|a| a.ndim != first.ndim) {
        return Err(Mismatch::error(
            "all the input arrays must have same number of dimensions",
        ));
    }
    let layout = if arrays.iter().all(|a| a.layout == Layout::F) {
        Layout::F
    } else {
        Layout::C
    };
    Ok(Signature {
        params: vec![cx.plain(0), cx.count(1)],
        ret: fresh(cx, dtype, first.ndim, layout),
    })
}

/// `np.repeat(a, repeats)`
fn repeat(cx: &ResultCx<'_>) -> Typed {
    let (repeats, rank) = like(cx, 1).map_err(|_| {
        Mismatch::error("The repeats argument must be an integer or an array-like of integer dtype")
    })?;
    if !scalar(cx, repeats)?.is_int() || rank > 1 {
        return Err(Mismatch::error(
            "The repeats argument must be an integer or an array-like of integer dtype",
        ));
    }
    one_axis(cx)
}

/// `np.tile(A, reps)`
fn tile(cx: &ResultCx<'_>) -> Typed {
    let (dtype, ndim) = like(cx, 0)?;
    let count = count_of(cx, 1).map_err(|_| {
        Mismatch::error("The argument \"reps\" must be an integer or a tuple of integers")
    })?;
    cx.returns(new(cx, dtype, ndim.max(count)))
}

/// `np.append(arr, values, axis)`
fn append(cx: &ResultCx<'_>) -> Typed {
    want(
        is_like(cx, 0),
        "The first argument \"arr\" must be array-like",
    )?;
    want(
        is_like(cx, 1),
        "The second argument \"values\" must be array-like",
    )?;
    want(
        is_none(cx, 2) || is_int(cx, 2),
        "The third argument \"axis\" must be an integer",
    )?;
    let ((a, rank), (b, other)) = (like(cx, 0)?, like(cx, 1)?);
    let dtype = promoted(cx, a, b)?;
    if is_none(cx, 2) {
        return cx.returns(new(cx, dtype, 1));
    }
    if rank != other || rank == 0 {
        return Err(Mismatch::error(
            "all the input arrays must have same number of dimensions",
        ));
    }
    let layout = match (array(cx, 0), array(cx, 1)) {
        (Ok(a), Ok(b)) => join_layout(&[a, b]),
        _ => Layout::C,
    };
    cx.returns(cx.types.array(dtype, rank, layout))
}

/// `np.delete(arr, obj)`
fn delete(cx: &ResultCx<'_>) -> Typed {
    want(
        is_sequence(cx, 0),
        "arr must be either an Array or a Sequence",
    )?;
    let (dtype, _) = like(cx, 0)?;
    let obj = cx.plain(1);
    let fine = obj == Type::SLICE2
        || obj == Type::SLICE3
        || like(cx, 1).is_ok_and(|(ty, _)| {
            cx.types
                .as_scalar(ty)
                .is_some_and(|s| s.is_int() || (s == Scalar::Bool && obj != ty))
        });
    if !fine {
        return Err(Mismatch::error("obj should be of Integer dtype"));
    }
    cx.returns(new(cx, dtype, 1))
}

/// `np.insert(arr, obj, values)`
fn insert(cx: &ResultCx<'_>) -> Typed {
    if !is_none(cx, 3) {
        return Err(Mismatch::error("The 'axis' argument is not supported"));
    }
    want(
        cx.types.as_scalar(cx.plain(1)).is_none_or(Scalar::is_int),
        "obj should be an Integer, an Array or a Sequence",
    )?;
    like(cx, 2)?;
    delete(cx)
}

/// `np.trim_zeros(filt, trim)`
fn trim_zeros(cx: &ResultCx<'_>) -> Typed {
    let array = array(cx, 0).map_err(|_| Mismatch::error("The first argument must be an array"))?;
    if array.ndim != 1 {
        return Err(Mismatch::error("array must be 1D"));
    }
    if cx.plain(1) != Type::UNICODE {
        return Err(Mismatch::error("The second argument must be a string"));
    }
    cx.returns(cx.plain(0))
}

/// The item types of a tuple; of a list one for all.
pub(crate) fn parts_of(cx: &ResultCx<'_>, ty: Type) -> Option<Vec<Type>> {
    match cx.types.as_list(ty) {
        Some((item, _)) => Some(vec![item]),
        None => cx.types.tuple_items(ty),
    }
}

/// The arrays that a function joins: a tuple of arrays, or one along whose first axis they lie.
fn joined(cx: &ResultCx<'_>) -> Result<(Type, Vec<ArrayType>), Mismatch> {
    let ty = cx.plain(0);
    if let Some(array) = cx.types.as_array(ty) {
        if array.ndim == 0 {
            return Err(Mismatch::rejected("a 0-d array has no parts"));
        }
        let part = ArrayType {
            ndim: array.ndim - 1,
            layout: if array.layout == Layout::C {
                Layout::C
            } else {
                Layout::A
            },
            ..array
        };
        return Ok((array.dtype, vec![part]));
    }
    let items = parts_of(cx, ty).unwrap_or_default();
    let arrays: Vec<ArrayType> = items
        .iter()
        .map(|item| cx.types.as_array(*item))
        .collect::<Option<_>>()
        .ok_or_else(|| Mismatch::error("expecting a non-empty tuple of arrays"))?;
    let Some(first) = arrays.first() else {
        return Err(Mismatch::rejected("need at least one array"));
    };
    let mut dtype = first.dtype;
    for array in &arrays {
        dtype = promoted(cx, dtype, array.dtype)
            .map_err(|_| Mismatch::error("input arrays must have compatible dtypes"))?;
    }
    Ok((dtype, arrays))
}

fn common_rank(arrays: &[ArrayType]) -> Result<u8, Mismatch> {
    let rank = arrays.first().map_or(0, |a| a.ndim);
    if arrays.iter().any(|a| a.ndim != rank) {
        return Err(Mismatch::error(
            "all the input arrays must have same number of dimensions",
        ));
    }
    Ok(rank)
}

/// Fortran order if all are, else C.
fn join_layout(arrays: &[ArrayType]) -> Layout {
    if arrays.iter().all(|a| a.layout == Layout::F) {
        Layout::F
    } else {
        Layout::C
    }
}

/// `np.stack(arrays, axis)`
fn stack(cx: &ResultCx<'_>) -> Typed {
    let (dtype, arrays) = joined(cx)?;
    let rank = common_rank(&arrays)? + 1;
    cx.returns(cx.types.array(dtype, rank, join_layout(&arrays)))
}

/// `np.hstack`
fn hstack(cx: &ResultCx<'_>) -> Typed {
    let (dtype, arrays) = joined(cx)?;
    let rank = common_rank(&arrays)?.max(1);
    cx.returns(cx.types.array(dtype, rank, join_layout(&arrays)))
}

/// `np.vstack`, `np.dstack`: with at least this many axes.
fn stack_up<const RANK: u8>(cx: &ResultCx<'_>) -> Typed {
    let (dtype, arrays) = joined(cx)?;
    let rank = common_rank(&arrays)?.max(RANK);
    let layout = if rank == arrays[0].ndim {
        join_layout(&arrays)
    } else {
        Layout::C
    };
    cx.returns(cx.types.array(dtype, rank, layout))
}

/// `np.column_stack`
fn column_stack(cx: &ResultCx<'_>) -> Typed {
    let (dtype, arrays) = joined(cx)?;
    if arrays.iter().any(|a| !(1..=2).contains(&a.ndim)) {
        return Err(Mismatch::error(
            "np.column_stack() is only defined on 1D or 2D arrays",
        ));
    }
    cx.returns(cx.types.array(dtype, 2, join_layout(&arrays)))
}

/// True if argument `i` is an array, not one number.
fn is_sequence(cx: &ResultCx<'_>, i: usize) -> bool {
    is_like(cx, i) && cx.types.as_scalar(cx.plain(i)).is_none()
}

/// `np.split(ary, indices_or_sections, axis)` and its kin: a list of views.
fn split(cx: &ResultCx<'_>) -> Typed {
    let array =
        array(cx, 0).map_err(|_| Mismatch::error("The argument \"ary\" must be an array"))?;
    let (at, rank) = like(cx, 1).map_err(|_| {
        Mismatch::error("The argument \"indices_or_sections\" must be int or 1d-array")
    })?;
    if rank > 1 || !scalar(cx, at)?.is_int() {
        return Err(Mismatch::error(
            "The argument \"indices_or_sections\" must be int or 1d-array",
        ));
    }
    let layout = match (array.ndim, array.layout) {
        (1, Layout::C | Layout::F) => Layout::C,
        _ => Layout::A,
    };
    let part = view(cx, ArrayType { layout, ..array });
    cx.returns(cx.types.list(part))
}
