//! Arrays joined to one.

use super::shapes::operand_shapes;
use crate::array::View;
use crate::strided::copy;
use crate::value::{Arg, Failure, Ret, Source, axis_in, checked_sum, value_error};
use numbra_memory::{refuse, try_allocate};
use smallvec::SmallVec;

bodies! {
    append = append, 3;
    array = array, 1;
    array_like = array, 1;
    column_stack = column_stack, 1;
    dstack = dstack, 1;
    hstack = hstack, 1;
    stack = stack, 2;
    vstack = vstack, 1;
}

/// Room for as many parts as there are: few where they are written one by one, any number from a list.
fn room_for<T>(n: usize) -> SmallVec<[T; 4]> {
    let mut all = SmallVec::new();
    if try_allocate(|| all.try_reserve_exact(n)).is_err() {
        refuse()
    }
    all
}

fn sources(arg: &Arg) -> Result<SmallVec<[Source<'_>; 4]>, Failure> {
    match arg {
        Arg::Tuple(items) => {
            let mut all = room_for(items.len());
            for item in items {
                all.push(item.like()?);
            }
            Ok(all)
        }
        // The parts along the first axis.
        array => {
            let view = array.array()?;
            let n = view.shape.first().copied().unwrap_or(0);
            let mut all = room_for(n);
            all.extend((0..n).map(|i| Source::View(view.at(0, i))));
            Ok(all)
        }
    }
}

/// Joins what `shape` makes of the views of some arrays along an axis; see [`join`].
fn join_as(
    sources: &[Source<'_>],
    shape: impl Fn(&View) -> View,
    axis: usize,
    ret: Ret,
) -> Result<(), Failure> {
    let mut parts: SmallVec<[View; 4]> = room_for(sources.len());
    parts.extend(sources.iter().map(|s| shape(s.view())));
    join(&parts, axis, ret)
}

/// Joins arrays of one rank along an axis; ValueError where their other extents differ.
fn join(parts: &[View], axis: usize, ret: Ret) -> Result<(), Failure> {
    let Some(first) = parts.first() else {
        return Err(value_error("need at least one array to concatenate"));
    };
    let mut shape = first.shape.clone();
    shape[axis] = 0;
    for (number, part) in parts.iter().enumerate() {
        check_joined([&first.shape, &part.shape], axis, number)?;
        shape[axis] = checked_sum([shape[axis], part.shape[axis]])?;
    }
    let out = ret.new_room(&shape)?;
    let mut at = 0;
    for part in parts {
        copy(part, &out.part(axis, at, part.shape[axis]));
        at += part.shape[axis];
    }
    Ok(())
}

/// ValueError where extents other than that of `axis` differ: of the first array, and of array `number`.
pub(crate) fn check_joined(
    [first, other]: [&[usize]; 2],
    axis: usize,
    number: usize,
) -> Result<(), Failure> {
    if first.len() != other.len() {
        return Err(value_error(format!(
            "all the input arrays must have the same number of dimensions, but array 0 has shape {} and array {number} {}",
            operand_shapes(&[first]),
            operand_shapes(&[other])
        )));
    }
    match (0..first.len()).find(|&at| at != axis && first[at] != other[at]) {
        None => Ok(()),
        Some(at) => Err(value_error(format!(
            "np.concatenate(): input sizes over dimension {at} do not match: the array at index 0 has size {} and the array \
             at index {number} has size {}",
            first[at], other[at]
        ))),
    }
}

/// `(tuple | array, axis) -> array`
fn stack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let ndim = sources.first().map_or(0, |s| s.view().ndim()) + 1;
    let axis = axis_in(args[1].int()?, ndim)?;
    for source in &sources {
        let shapes: [&[usize]; 2] = [&sources[0].view().shape, &source.view().shape];
        if shapes[0] != shapes[1] {
            return Err(value_error(format!(
                "all input arrays must have the same shape: {}",
                operand_shapes(&shapes)
            )));
        }
    }
    join_as(&sources, |v| v.expanded(axis), axis, ret)
}

/// A part with at least two axes, one axis as a row.
fn row(view: &View) -> View {
    match view.ndim() {
        0 => view.expanded(0).expanded(0),
        1 => view.expanded(0),
        _ => view.clone(),
    }
}

/// `(tuple | array) -> array`
fn hstack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let axis = usize::from(sources.first().is_some_and(|s| s.view().ndim() > 1));
    let shape = |v: &View| match v.ndim() {
        0 => v.expanded(0),
        _ => v.clone(),
    };
    join_as(&sources, shape, axis, ret)
}

/// `(tuple | array) -> array`
fn vstack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    join_as(&sources, row, 0, ret)
}

/// `(tuple | array) -> array`
fn dstack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let shape = |v: &View| match row(v) {
        v if v.ndim() == 2 => v.expanded(2),
        v => v,
    };
    join_as(&sources, shape, 2, ret)
}

/// `(tuple | array) -> array`: one axis as a column.
fn column_stack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let shape = |v: &View| match v.ndim() {
        0 => v.expanded(0).expanded(0),
        1 => v.expanded(1),
        _ => v.clone(),
    };
    join_as(&sources, shape, 1, ret)
}

/// `(array, values, axis | none) -> array`
fn append(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (array, values) = (args[0].like()?, args[1].like()?);
    let (array, values) = (array.view(), values.view());
    let Some(axis) = args[2].optional_int()? else {
        let out = ret.new_room(&[checked_sum([array.len(), values.len()])?])?;
        let part = |view: &View, start: usize| {
            let mut to = out.part(0, start, view.len());
            to.strides = crate::array::c_strides(&view.shape, out.kind.size(), false);
            to.shape.clone_from(&view.shape);
            copy(view, &to);
        };
        part(array, 0);
        part(values, array.len());
        return Ok(());
    };
    let axis = axis_in(axis, array.ndim())?;
    join(&[array.clone(), values.clone()], axis, ret)
}

/// `(number | tuple | array) -> array`: the elements in a new array of the result's type.
fn array(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    ret.copy_of(source.view())
}
