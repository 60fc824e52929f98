//! Arrays joined to one.

use crate::array::View;
use crate::strided::copy;
use crate::value::{Arg, Failure, Ret, Source, axis_in, value_error};

fn sources(arg: &Arg) -> Result<Vec<Source>, Failure> {
    match arg {
        Arg::Tuple(items) => items.iter().map(Arg::like).collect(),
        // The parts along the first axis.
        array => {
            let view = array.array()?;
            let n = view.shape.first().copied().unwrap_or(0);
            Ok((0..n).map(|i| Source::Borrowed(view.at(0, i))).collect())
        }
    }
}

fn views(sources: &[Source]) -> Vec<View> {
    sources.iter().map(|s| s.view().clone()).collect()
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
        shape[axis] += part.shape[axis];
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
    let parts = views(&sources);
    let ndim = parts.first().map_or(0, View::ndim) + 1;
    let axis = axis_in(args[1].int()?, ndim)?;
    let parts: Vec<View> = parts.iter().map(|p| p.expanded(axis)).collect();
    join(
        &parts,
        axis,
        ret,
        "all input arrays must have the same shape",
    )
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
    let parts: Vec<View> = views(&sources)
        .iter()
        .map(|v| {
            if v.ndim() == 0 {
                v.expanded(0)
            } else {
                v.clone()
            }
        })
        .collect();
    let axis = usize::from(parts.first().is_some_and(|p| p.ndim() > 1));
    join(&parts, axis, ret, SIZES)
}

/// `(tuple | array) -> array`
pub(super) fn vstack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let parts: Vec<View> = views(&sources).iter().map(row).collect();
    join(&parts, 0, ret, SIZES)
}

/// `(tuple | array) -> array`
pub(super) fn dstack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let parts: Vec<View> = views(&sources)
        .iter()
        .map(row)
        .map(|v| if v.ndim() == 2 { v.expanded(2) } else { v })
        .collect();
    join(&parts, 2, ret, SIZES)
}

/// `(tuple | array) -> array`: one axis as a column.
pub(super) fn column_stack(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let sources = sources(&args[0])?;
    let parts: Vec<View> = views(&sources)
        .iter()
        .map(|v| match v.ndim() {
            0 => v.expanded(0).expanded(0),
            1 => v.expanded(1),
            _ => v.clone(),
        })
        .collect();
    join(&parts, 1, ret, SIZES)
}

/// `(array, values, axis | none) -> array`
pub(super) fn append(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (array, values) = (args[0].like()?, args[1].like()?);
    let (array, values) = (array.view(), values.view());
    let Some(axis) = args[2].optional_int()? else {
        let out = ret.new_array(&[array.len() + values.len()])?;
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
