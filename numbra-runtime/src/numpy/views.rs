//! The same elements in another shape.

use super::shapes::{operand_shapes, single_shape};
use crate::array::{Axes, View, c_strides};
use crate::elements::Kind;
use crate::object::{self, Header};
use crate::strided::copy;
use crate::value::{
    Arg, Failure, Ret, axis_in, axis_named, bad_call, no_memory, positions, too_large, type_error,
    value_error,
};
use numbra_memory::{Gather, Grow, gathered_or, room};
use smallvec::smallvec;

bodies! {
    array_split = array_split, 3;
    as_strided = as_strided, 3;
    atleast_1d = atleast_1d, 1;
    atleast_2d = atleast_2d, 1;
    atleast_3d = atleast_3d, 1;
    broadcast_arrays = broadcast_arrays, 1;
    broadcast_shapes = broadcast_shapes, 1;
    broadcast_to = broadcast_to, 2;
    dsplit = dsplit, 2;
    expand_dims = expand_dims, 2;
    flip = flip, 1;
    fliplr = fliplr, 1;
    flipud = flipud, 1;
    frombuffer = frombuffer, 4;
    hsplit = hsplit, 2;
    meshgrid = meshgrid, 1;
    moveaxis = moveaxis, 3;
    rot90 = rot90, 2;
    sliding_window_view = sliding_window_view, 3;
    split = split, 3;
    swapaxes = swapaxes, 3;
    vsplit = vsplit, 2;
}

/// `(array, sections | places, axis) -> list of views`: parts of one size.
fn split(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    parts(&args[0], &args[1], args[2].int()?, true, ret)
}

/// `(array, sections | places, axis) -> list of views`: the first parts are one longer where needed.
fn array_split(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    parts(&args[0], &args[1], args[2].int()?, false, ret)
}

/// `(array, sections | places) -> list of views`: along the second axis, or the only one.
fn hsplit(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    least_axes(&args[0], 1, "hsplit")?;
    let axis = i64::from(args[0].array()?.ndim() > 1);
    parts(&args[0], &args[1], axis, true, ret)
}

/// `(array, sections | places) -> list of views`: along the first axis.
fn vsplit(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    least_axes(&args[0], 2, "vsplit")?;
    parts(&args[0], &args[1], 0, true, ret)
}

/// `(array, sections | places) -> list of views`: along the third axis.
fn dsplit(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    least_axes(&args[0], 3, "dsplit")?;
    parts(&args[0], &args[1], 2, true, ret)
}

fn least_axes(array: &Arg, least: usize, name: &str) -> Result<(), Failure> {
    if array.array()?.ndim() < least {
        return Err(value_error(format!(
            "{name} only works on arrays of {least} or more dimensions"
        )));
    }
    Ok(())
}

fn parts(array: &Arg, at: &Arg, axis: i64, even: bool, ret: Ret) -> Result<(), Failure> {
    let array = Shared::new(array)?;
    let view = &array.view;
    let prefix = "np.split: Argument axis out of bounds";
    let axis = axis_named(axis, view.ndim(), Some(prefix))?;
    let n = view.shape[axis];
    let mut bounds: Vec<usize>;
    if let Arg::Scalar(_) = at {
        let count = usize::try_from(at.int()?).unwrap_or(0);
        if count == 0 {
            return Err(value_error("number sections must be larger than 0."));
        }
        if even && n % count != 0 {
            return Err(value_error(
                "array split does not result in an equal division",
            ));
        }
        bounds = room(count.saturating_add(1));
        bounds.put(0);
        for i in 0..count {
            let size = n / count + usize::from(i < n % count);
            bounds.put(bounds[i] + size);
        }
    } else {
        let places = at.like()?;
        // One without a sign does not count from the end: beyond int64 it is behind all elements.
        let signed = places.view().kind != Kind::UInt64;
        bounds = vec![0];
        for at in crate::strided::to_vec::<i64>(places.view()) {
            let at = if signed || at >= 0 { at } else { i64::MAX };
            let at = if at < 0 { at + n as i64 } else { at };
            bounds.put(at.clamp(0, n as i64) as usize);
        }
        bounds.put(n);
    }
    let views: Vec<View> = bounds
        .windows(2)
        .map(|w| view.part(axis, w[0].min(w[1]), w[1].saturating_sub(w[0])))
        .gathered();
    ret.list_of(&views, array.owner)
}

/// An array that results may be views of: the caller's, or a new one with the elements of numbers.
pub(super) struct Shared {
    pub(super) view: View,
    owner: *mut Header,
    /// The owner is a reference of ours.
    made: bool,
}

impl Shared {
    pub(super) fn new(arg: &Arg) -> Result<Shared, Failure> {
        // The memory of a list has no owner of its own: the list may grow and move.
        if let Arg::Array(view, owner) = arg
            && !owner.is_null()
        {
            return Ok(Shared {
                view: view.clone(),
                owner: *owner,
                made: false,
            });
        }
        let source = arg.like()?;
        let from = source.view();
        let bytes = (from.len() * from.kind.size()) as i64;
        let owner = object::numbra_rt_alloc_zeroed(bytes, 64);
        if owner.is_null() {
            return Err(no_memory());
        }
        let view = View {
            data: object::data_of(owner),
            strides: c_strides(&from.shape, from.kind.size(), false),
            ..from.clone()
        };
        copy(from, &view);
        Ok(Shared {
            view,
            owner,
            made: true,
        })
    }

    /// The result is a view of this array's memory, or a converted copy where the element types differ.
    pub(super) fn give(&self, ret: Ret, view: &View) -> Result<(), Failure> {
        if ret.kind()? == view.kind {
            ret.view(view, self.owner)
        } else {
            ret.copy_of(view)
        }
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        if self.made {
            // SAFETY: the reference of the allocation is ours and given up here.
            unsafe { object::release(self.owner) };
        }
    }
}

/// `(array, axis) -> view`
fn expand_dims(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = Shared::new(&args[0])?;
    let mut axes: Vec<usize> = Vec::new();
    let given = args[1].ints()?;
    let ndim = array.view.ndim() + given.len();
    for axis in given {
        axes.push(axis_in(axis, ndim)?);
    }
    axes.sort_unstable();
    if axes.windows(2).any(|w| w[0] == w[1]) {
        return Err(value_error("repeated axis"));
    }
    let mut view = array.view.clone();
    for axis in axes {
        view = view.expanded(axis);
        // As long as what follows, so that a contiguous array stays one.
        view.strides[axis] = match view.strides.get(axis + 1) {
            Some(stride) => stride.wrapping_mul(view.shape[axis + 1] as isize),
            None => view.kind.size() as isize,
        };
    }
    array.give(ret, &view)
}

/// `(array, axis, axis) -> view`
fn swapaxes(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = Shared::new(&args[0])?;
    let ndim = array.view.ndim();
    let axis = |arg: &Arg, prefix| axis_named(arg.int()?, ndim, Some(prefix));
    let a = axis(&args[1], "np.swapaxes: Argument axis1 out of bounds")?;
    let b = axis(&args[2], "np.swapaxes: Argument axis2 out of bounds")?;
    let mut axes: Vec<usize> = (0..ndim).gathered();
    axes.swap(a, b);
    array.give(ret, &array.view.permuted(&axes))
}

/// `(array, source, destination) -> view`
fn moveaxis(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = Shared::new(&args[0])?;
    let ndim = array.view.ndim();
    let places = |arg: &Arg, name: &str, prefix| -> Result<Vec<usize>, Failure> {
        let given = positions(arg.like()?.view(), |_| too_large())?;
        let mut out = room(given.len());
        for axis in given {
            let axis = axis_named(axis, ndim, Some(prefix))?;
            if out.contains(&axis) {
                return Err(value_error(format!(
                    "np.moveaxis: repeated axis in {name} argument"
                )));
            }
            out.push(axis);
        }
        Ok(out)
    };
    let (from, to) = (
        places(
            &args[1],
            "source",
            "np.moveaxis: Argument source out of bounds",
        )?,
        places(
            &args[2],
            "destination",
            "np.moveaxis: Argument destination out of bounds",
        )?,
    );
    if from.len() != to.len() {
        return Err(value_error(
            "`source` and `destination` arguments must have the same number of elements",
        ));
    }
    let mut order: Vec<usize> = (0..ndim).filter(|a| !from.contains(a)).gathered();
    let mut moves: Vec<(usize, usize)> = to.into_iter().zip(from).gathered();
    moves.sort_unstable();
    for (to, from) in moves {
        order.insert(to, from);
    }
    array.give(ret, &array.view.permuted(&order))
}

/// `(array) -> view | scalar`, every axis in the other direction.
fn flip(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = Shared::new(&args[0])?;
    if !ret.is_array() {
        return super::scalar_at(ret, &array.view, 0);
    }
    let axes = 0..array.view.ndim();
    let view = axes.fold(array.view.clone(), |view, axis| view.flipped(axis));
    array.give(ret, &view)
}

/// `(array) -> view`, the first axis in the other direction.
fn flipud(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    flip_along(args, ret, 0)
}

/// `(array) -> view`, the second axis in the other direction.
fn fliplr(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    flip_along(args, ret, 1)
}

fn flip_along(args: &[Arg], ret: Ret, axis: usize) -> Result<(), Failure> {
    let array = Shared::new(&args[0])?;
    if array.view.ndim() <= axis {
        return Err(value_error("Input must have more dimensions."));
    }
    array.give(ret, &array.view.flipped(axis))
}

/// `(array, k) -> view`: turned by `k` right angles in the plane of the first two axes.
fn rot90(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = Shared::new(&args[0])?;
    let view = &array.view;
    if view.ndim() < 2 {
        return Err(value_error("Input must be >= 2-d."));
    }
    let mut swapped: Vec<usize> = (0..view.ndim()).gathered();
    swapped.swap(0, 1);
    let view = match args[1].remainder(4)? {
        0 => view.clone(),
        1 => view.flipped(1).permuted(&swapped),
        2 => view.flipped(0).flipped(1),
        _ => view.permuted(&swapped).flipped(1),
    };
    array.give(ret, &view)
}

/// Extents from an integer or a tuple.
pub(super) fn extents(arg: &Arg) -> Result<Axes<usize>, Failure> {
    arg.ints()?
        .into_iter()
        .map(|n| usize::try_from(n).map_err(|_| value_error("negative dimensions not allowed")))
        .collect()
}

/// `(array, shape) -> view`
fn broadcast_to(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = Shared::new(&args[0])?;
    let shape = gathered_or(args[1].ints()?.into_iter().map(|n| {
        usize::try_from(n)
            .map_err(|_| value_error("all elements of broadcast shape must be non-negative"))
    }))?;
    if shape.len() < array.view.ndim() {
        return Err(value_error(
            "input operand has more dimensions than allowed by the axis remapping",
        ));
    }
    let view = array.view.broadcast(&shape).ok_or_else(|| {
        value_error(format!(
            "operands could not be broadcast together with remapped shapes [original->remapped]: {} and requested shape {}",
            operand_shapes(&[&array.view.shape]),
            operand_shapes(&[&shape])
        ))
    })?;
    array.give(ret, &view)
}

/// `(tuple of arrays) -> tuple of views`
fn broadcast_arrays(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let arrays = gathered_or(args[0].items()?.iter().map(Shared::new))?;
    let shapes: Vec<&[usize]> = arrays.iter().map(|a| &a.view.shape[..]).gathered();
    let mut shape = single_shape(&shapes)?;
    if shape.is_empty() && ret.len() > 0 && ret.item(0)?.ndim() == 1 {
        // Numbers alone become arrays with one axis.
        shape.push(1);
    }
    for (i, array) in arrays.iter().enumerate() {
        let view = array.view.broadcast(&shape).ok_or_else(bad_call)?;
        array.give(ret.item(i)?, &view)?;
    }
    Ok(())
}

/// `((arrays.., indexing)) -> tuple of arrays`
fn meshgrid(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let Some((indexing, arrays)) = args[0].items()?.split_last() else {
        return Err(bad_call());
    };
    let swapped = match indexing.text()?.as_str() {
        "xy" => arrays.len() > 1,
        "ij" => false,
        _ => {
            return Err(value_error(
                "Valid values for `indexing` are 'xy' and 'ij'.",
            ));
        }
    };
    // The axis along which argument `i` goes.
    let axis = |i: usize| if swapped && i < 2 { 1 - i } else { i };
    let sources: Vec<_> = gathered_or(arrays.iter().map(Arg::like))?;
    let mut shape: Axes<usize> = smallvec![0; arrays.len()];
    for (i, source) in sources.iter().enumerate() {
        shape[axis(i)] = source.view().len();
    }
    for (i, source) in sources.iter().enumerate() {
        let line = super::rearrange::flat(source.view());
        let mut strides: Axes<isize> = smallvec![0; shape.len()];
        strides[axis(i)] = line.view().strides[0];
        let grid = View {
            shape: shape.clone(),
            strides,
            ..line.view().clone()
        };
        ret.item(i)?.copy_of(&grid)?;
    }
    Ok(())
}

/// `(tuple of shapes) -> shape`
fn broadcast_shapes(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let shapes: Vec<Axes<usize>> = args[0]
        .items()?
        .iter()
        .map(extents)
        .collect::<Result<_, _>>()
        .map_err(|_| value_error("negative dimensions are not allowed"))?;
    let shapes: Vec<&[usize]> = shapes.iter().map(|s| &s[..]).gathered();
    let shape = single_shape(&shapes)?;
    if shape.len() != ret.len() {
        return Err(bad_call());
    }
    for (i, &extent) in shape.iter().enumerate() {
        ret.item(i)?
            .scalar(crate::elements::Wide::Int(extent as i64))?;
    }
    Ok(())
}

/// `(tuple of arrays) -> view | tuple of views`
fn atleast_1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    atleast(args, ret, 1)
}

/// `(tuple of arrays) -> view | tuple of views`
fn atleast_2d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    atleast(args, ret, 2)
}

/// `(tuple of arrays) -> view | tuple of views`
fn atleast_3d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    atleast(args, ret, 3)
}

fn atleast(args: &[Arg], ret: Ret, rank: usize) -> Result<(), Failure> {
    let items = args[0].items()?;
    for (i, item) in items.iter().enumerate() {
        let array = Shared::new(item)?;
        let mut view = array.view.clone();
        let unit = view.kind.size() as isize;
        match (view.ndim(), rank) {
            (0, _) => {
                view.shape = smallvec![1; rank];
                view.strides = smallvec![unit; rank];
            }
            (1, 2..) => {
                let row = view.strides[0].wrapping_mul(view.shape[0] as isize);
                view = view.expanded(0);
                view.strides[0] = row;
                if rank == 3 {
                    view.shape.push(1);
                    view.strides.push(unit);
                }
            }
            (2, 3) => {
                view.shape.push(1);
                view.strides.push(unit);
            }
            _ => {}
        }
        let to = if ret.is_array() { ret } else { ret.item(i)? };
        array.give(to, &view)?;
    }
    Ok(())
}

/// `(array, window shape, axes | none) -> view`
fn sliding_window_view(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = Shared::new(&args[0])?;
    let ndim = array.view.ndim();
    let window = args[1].ints()?;
    let axes: Vec<usize> = match &args[2] {
        Arg::Nothing => {
            if window.len() != ndim {
                return Err(value_error(
                    "Must provide matching length window_shape and axis arguments.",
                ));
            }
            (0..ndim).gathered()
        }
        axes => {
            let axes = axes.ints()?;
            if axes.len() != window.len() {
                return Err(value_error(
                    "Must provide matching length window_shape and axis arguments.",
                ));
            }
            let prefix = Some("Argument axis out of bounds");
            gathered_or(axes.into_iter().map(|axis| axis_named(axis, ndim, prefix)))?
        }
    };
    let mut view = array.view.clone();
    for (axis, n) in axes.into_iter().zip(window) {
        let n = usize::try_from(n)
            .map_err(|_| value_error("`window_shape` cannot contain negative values"))?;
        let extent = (view.shape[axis] + 1).checked_sub(n);
        view.shape[axis] = extent
            .filter(|_| n <= view.shape[axis])
            .ok_or_else(|| value_error("window_shape cannot be larger than input array shape"))?;
        view.shape.push(n);
        view.strides.push(view.strides[axis]);
    }
    if view.ndim() != ret.ndim() {
        return Err(type_error("the number of windows is not that of the type"));
    }
    array.give(ret, &view)
}

/// `(array, shape | none, strides | none) -> view`
fn as_strided(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (array, owner) = args[0].owned_array()?;
    let mut view = array.clone();
    if !args[1].is_nothing() {
        view.shape = extents(&args[1])?;
    }
    if !args[2].is_nothing() {
        view.strides = args[2].ints()?.into_iter().map(|s| s as isize).collect();
    }
    if view.shape.len() != view.strides.len() {
        return Err(value_error("mismatch in length of strides and shape"));
    }
    ret.view(&view, owner)
}

/// `(array, none, count, offset) -> view`: the bytes from `offset` on as `count` elements of the result's type; as many as
/// there are for -1.
fn frombuffer(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (array, owner) = args[0].owned_array()?;
    let kind = ret.kind()?;
    let (count, offset) = (args[2].int()?, args[3].int()?);
    if !array.is_c_contiguous() {
        return Err(value_error("ndarray is not C-contiguous"));
    }
    let bytes = array.len() * array.kind.size();
    let Some(left) = usize::try_from(offset)
        .ok()
        .and_then(|at| bytes.checked_sub(at))
    else {
        return Err(value_error(format!(
            "offset must be non-negative and no greater than buffer length ({bytes})"
        )));
    };
    let size = kind.size();
    let n = match usize::try_from(count) {
        Ok(n) if n.checked_mul(size).is_some_and(|all| all <= left) => n,
        Ok(_) => return Err(value_error("buffer is smaller than requested size")),
        Err(_) if left % size != 0 => {
            return Err(value_error(
                "buffer size must be a multiple of element size",
            ));
        }
        Err(_) => left / size,
    };
    let view = View {
        kind,
        data: array.data.wrapping_add(bytes - left),
        shape: smallvec![n],
        strides: smallvec![size as isize],
    };
    ret.view(&view, owner)
}
