//! Arrays joined to one.

use crate::array::View;
use crate::strided::copy;
use crate::value::{Arg, Failure, Ret, Source, axis_in, checked_sum, value_error};
use numbra_memory::{refuse, try_allocate};
use smallvec::SmallVec;

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

/// Joins what `shape` makes of the views of some arrays, all of one rank, along an axis; ValueError with `message` where their other extents differ.
fn join_as(
    sources: &[Source<'_>],
    shape: impl Fn(&View) -> View,
    axis: usize,
    ret: Ret,
    message: &'static str,
) -> Result<(), Failure> {
    let mut parts: SmallVec<[View; 4]> = room_for(sources.len());
    parts.extend(sources.iter().map(|s| shape(s.view())));
    join(&parts, axis, ret, message)
}

/// Joins arrays of one rank along an axis; ValueError with `message` where their other extents differ.
fn join(parts: &[View], axis: usize, ret: Ret, message: &'static str) -> Result<(), Failure> {
    let Some(first) = parts.first() else {
        return Err(value_error("need at least one array to concatenate"));
    };
    let mut shape = first.shape.clone();
    shape[axis] = 0;
    for part in parts {
        let same = part.ndim() == shape.len()
            && (0..shape.len()).all(|a| a == axis || part.shape[a] == shape[a]);
        if !same {
            return Err(value_error(message));
        }
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

const SIZES: &str = "np.concatenate(): input sizes over dimension do not match";

/// `(tuple | array, axis) -> array`
pub(super) fn stack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let ndim = sources.first().map_or(0, |s| s.view().ndim()) + 1;
    let axis = axis_in(args[1].int()?, ndim)?;
    let message = "all input arrays must have the same shape";
    join_as(&sources, |v| v.expanded(axis), axis, ret, message)
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
pub(super) fn hstack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let axis = usize::from(sources.first().is_some_and(|s| s.view().ndim() > 1));
    let shape = |v: &View| match v.ndim() {
        0 => v.expanded(0),
        _ => v.clone(),
    };
    join_as(&sources, shape, axis, ret, SIZES)
}

/// `(tuple | array) -> array`
pub(super) fn vstack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    join_as(&sources, row, 0, ret, SIZES)
}

/// `(tuple | array) -> array`
pub(super) fn dstack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let shape = |v: &View| match row(v) {
        v if v.ndim() == 2 => v.expanded(2),
        v => v,
    };
    join_as(&sources, shape, 2, ret, SIZES)
}

/// `(tuple | array) -> array`: one axis as a column.
pub(super) fn column_stack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let shape = |v: &View| match v.ndim() {
        0 => v.expanded(0).expanded(0),
        1 => v.expanded(1),
        _ => v.clone(),
    };
    join_as(&sources, shape, 1, ret, SIZES)
}

/// `(array, values, axis | none) -> array`
pub(super) fn append(args: &[Arg], ret: Ret) -> Result<(), Failure> {
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
    join(&[array.clone(), values.clone()], axis, ret, SIZES)
}

/// `(number | tuple | array) -> array`: the elements in a new array of the result's type.
pub(super) fn array(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    ret.copy_of(source.view())
}
