//! Elements chosen by conditions and positions.

use super::index::{Rows, compress, place};
use super::rearrange::flat;
use super::shapes::{operand_shapes, single_shape};
use crate::array::View;
use crate::elements::{Bool, Element, Kind, with_element};
use crate::simd::widest;
use crate::strided::{self, converted, copy, move_elements, to_vec};
use crate::value::{Arg, Failure, Ret, Source, axis_in, bad_call, value_error};
use numbra_memory::{Gather, filled, room};

bodies! {
    extract = extract, 2;
    select = select, 3;
    take = take, 3;
    take_along_axis = take_along_axis, 3;
    where = choose, 3;
}

/// Which elements are not 0, in C order.
pub(super) fn truth(view: &View) -> Vec<bool> {
    if let Kind::Bytes(size) = view.kind {
        let set = |offset| {
            let first = view.data.wrapping_offset(offset);
            // SAFETY: `size` bytes of an element of the array.
            (0..size as usize).any(|i| unsafe { first.wrapping_add(i).read() } != 0)
        };
        return view.offsets().map(set).gathered();
    }
    with_element!(view.kind, T => {
        let all = strided::run_of::<T>(view);
        all.iter().map(|x| !x.is_zero()).gathered()
    })
}

/// Numbers one after another, or one for all.
enum Run<'a, T> {
    One(T),
    Many(&'a [T]),
}

impl<T: Element> Run<'_, T> {
    fn at(&self, i: usize) -> T {
        match self {
            Run::One(x) => *x,
            Run::Many(all) => all[i],
        }
    }
}

/// An array as a run of `n` numbers of its own type.
fn run_of<T: Element>(view: &View, n: usize) -> Option<Run<'_, T>> {
    if view.ndim() == 0 {
        return with_element!(view.kind, U => {
            // SAFETY: the only element of the array.
            let x = unsafe { view.read::<U>(0) };
            Some(Run::One(T::from_wide(x.wide())))
        });
    }
    view.as_slice::<T>()
        .filter(|all| all.len() == n)
        .map(Run::Many)
}

/// `(condition, x, y) -> array | scalar`
fn choose(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let [condition, x, y] = args else {
        return Err(bad_call());
    };
    let (condition, x, y) = (condition.like()?, x.like()?, y.like()?);
    let shapes = [&condition, &x, &y].map(|s| &s.view().shape[..]);
    let shape = single_shape(&shapes)?;
    let kind = ret.kind()?;
    if !ret.is_array() {
        let first = truth(condition.view()).first().copied().unwrap_or(false);
        let picked = if first { x.view() } else { y.view() };
        return super::scalar_at(ret, picked, 0);
    }
    let out = ret.new_array(&shape)?;
    if let Some(set) = condition.view().as_slice::<Bool>()
        && condition.view().shape == shape
        && out.is_c_contiguous()
        && !matches!(kind, Kind::Bytes(_))
    {
        let done = with_element!(kind, T => {
            let mut out = out.clone();
            match (run_of::<T>(x.view(), set.len()), run_of::<T>(y.view(), set.len())) {
                (Some(x), Some(y)) => {
                    for (i, (to, set)) in out.elements_mut::<T>().iter_mut().zip(set).enumerate() {
                        *to = if set.0 != 0 { x.at(i) } else { y.at(i) };
                    }
                    true
                }
                _ => false,
            }
        });
        if done {
            return Ok(());
        }
    }
    let condition = condition.view().broadcast(&shape).ok_or_else(bad_call)?;
    let same = |s: &Source<'_>| -> Result<(View, Option<crate::strided::Owned>), Failure> {
        let own = (s.view().kind != kind).then(|| converted(s.view(), kind));
        let view = own.as_ref().map_or(s.view(), |o| &o.view);
        Ok((view.broadcast(&shape).ok_or_else(bad_call)?, own))
    };
    let ((x, _keep_x), (y, _keep_y)) = (same(&x)?, same(&y)?);
    let set = truth(&condition);
    let sources = x.offsets().zip(y.offsets()).zip(set);
    let pairs = sources.zip(out.offsets()).map(|(((a, b), set), to)| {
        let from = if set {
            x.data.wrapping_offset(a)
        } else {
            y.data.wrapping_offset(b)
        };
        (from.cast_const(), out.data.wrapping_offset(to))
    });
    // SAFETY: elements of `x`, `y` and the result, which have one type.
    unsafe { move_elements(pairs, kind.size()) };
    Ok(())
}

/// `(conditions, choices, default) -> array`: each element from the first choice whose condition holds.
fn select(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (conditions, choices) = (args[0].items()?, args[1].items()?);
    if conditions.len() != choices.len() {
        return Err(value_error(
            "list of cases must be same length as list of conditions",
        ));
    }
    let Some(first) = choices.first() else {
        return Err(value_error(
            "select with an empty condition list is not possible",
        ));
    };
    let shape = first.array()?.shape.clone();
    let mut out = ret.new_array(&shape)?;
    let default = args[2].like()?;
    if let Some(view) = default.view().broadcast(&shape) {
        copy(&view, &out);
    }
    for (condition, choice) in conditions.iter().zip(choices).rev() {
        let set = condition.array()?;
        let choice = choice.array()?;
        if set.shape != shape || choice.shape != shape {
            return Err(value_error(format!(
                "conditions and choices have different shapes: {}",
                operand_shapes(&[&shape, &set.shape, &choice.shape])
            )));
        }
        if let Some(set) = set.as_slice::<Bool>()
            && out.is_c_contiguous()
            && !matches!(out.kind, Kind::Bytes(_))
        {
            with_element!(out.kind, T => {
                put_where(out.elements_mut::<T>(), set, &strided::run_of::<T>(choice));
            });
            continue;
        }
        let choice = converted(choice, out.kind);
        let moved = truth(set)
            .into_iter()
            .zip(choice.view.offsets().zip(out.offsets()));
        let pairs = moved.filter(|(set, _)| *set).map(|(_, (from, to))| {
            let from = choice.view.data.wrapping_offset(from);
            (from.cast_const(), out.data.wrapping_offset(to))
        });
        // SAFETY: elements of the choice and the result, which have one type.
        unsafe { move_elements(pairs, out.kind.size()) };
    }
    Ok(())
}

widest! {
    /// Replaces the elements where the mask is set.
    fn put_where[T: Element](to: &mut [T], set: &[Bool], from: &[T]) {
        for ((to, set), from) in to.iter_mut().zip(set).zip(from) {
            *to = if set.0 != 0 { *from } else { *to };
        }
    }
}

/// `(condition, array) -> array`: the elements where the condition, both in C order, holds.
fn extract(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (condition, array) = (args[0].like()?, args[1].like()?);
    let from = flat(array.view());
    let from = from.view();
    let n = from.len();
    if let Some(set) = condition.view().as_slice::<Bool>()
        && set.len() == n
        && !matches!(from.kind, Kind::Bytes(_))
    {
        return with_element!(from.kind, T => compress(&strided::run_of::<T>(from), set, ret));
    }
    let set = truth(condition.view());
    if set.iter().skip(n).any(|&s| s) {
        return Err(value_error(format!(
            "condition shape inconsistent with arr shape: {}",
            operand_shapes(&[&condition.view().shape, &array.view().shape])
        )));
    }
    // Each place is written, and stays where the condition holds: without a branch that no processor foresees.
    let set = &set[..n.min(set.len())];
    let mut places = filled(set.len() + 1, 0);
    let mut count = 0;
    for (i, &set) in set.iter().enumerate() {
        places[count] = i;
        count += usize::from(set);
    }
    let out = ret.new_room(&[count])?;
    let size = out.kind.size();
    let (from, to) = (from.data, out.data);
    let pairs = places[..count].iter().enumerate().map(move |(i, at)| {
        let from = from.wrapping_add(at * size);
        (from.cast_const(), to.wrapping_add(i * size))
    });
    // SAFETY: elements of the array and the result, which have one type.
    unsafe { move_elements(pairs, size) };
    Ok(())
}

/// `(array, indices, axis | none) -> array | scalar`
fn take(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let at = args[1].like()?;
    let own;
    let (view, axis) = match args[2].optional_int()? {
        Some(axis) => (source.view(), axis_in(axis, source.view().ndim())?),
        None => {
            own = flat(source.view());
            (own.view(), 0)
        }
    };
    if axis == 0
        && ret.is_array()
        && let Some(rows) = Rows::of(view, &args[1])
    {
        rows.check()?;
        return rows.collect(ret);
    }
    let indices = to_vec::<i64>(at.view());
    let n = view.shape[axis];
    let mut places = room(indices.len());
    for at in indices {
        places.push(place(at, axis, n)?);
    }
    if !ret.is_array() {
        let offset = view.strides[axis].wrapping_mul(places[0] as isize);
        return super::scalar_at(ret, view, offset);
    }
    let shape = [
        &view.shape[..axis],
        &at.view().shape,
        &view.shape[axis + 1..],
    ]
    .concat();
    let out = ret.new_array(&shape)?;
    let size = out.kind.size();
    if view.ndim() == 1 {
        let stride = view.strides[0];
        let pairs = places.iter().zip(0..).map(|(&at, i)| {
            let from = view.data.wrapping_offset(stride.wrapping_mul(at as isize));
            (from.cast_const(), out.data.wrapping_add(i * size))
        });
        // SAFETY: elements of the array and the result, which have one type.
        unsafe { move_elements(pairs, size) };
        return Ok(());
    }
    // The result with the index axes as one.
    let mut joined = out.clone();
    joined.shape[axis] = places.len();
    joined.shape.truncate(axis + 1);
    joined.shape.extend_from_slice(&view.shape[axis + 1..]);
    joined.strides = crate::array::c_strides(&joined.shape, size, false);
    for (i, &at) in places.iter().enumerate() {
        copy(&view.at(axis, at), &joined.at(axis, i));
    }
    Ok(())
}

/// `(array, indices, axis | none) -> array`
fn take_along_axis(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    let indices = args[1].array()?;
    let own;
    let (array, axis) = match args[2].optional_int()? {
        Some(axis) => (array, axis_in(axis, array.ndim())?),
        None => {
            own = flat(array);
            (own.view(), 0)
        }
    };
    if array.ndim() != indices.ndim() {
        return Err(value_error(
            "`indices` and `arr` must have the same number of dimensions",
        ));
    }
    let mut shape = array.shape.clone();
    shape[axis] = indices.shape[axis];
    let mut single = shape.clone();
    for (a, extent) in single.iter_mut().enumerate() {
        if a != axis && *extent != indices.shape[a] {
            if *extent == 1 {
                *extent = indices.shape[a];
            } else if indices.shape[a] != 1 {
                return Err(value_error(format!(
                    "dimensions don't match: an array and indices of shapes {}",
                    operand_shapes(&[&array.shape, &indices.shape])
                )));
            }
        }
    }
    let shape = single;
    let mut whole = shape.clone();
    whole[axis] = array.shape[axis];
    let array = array.broadcast(&whole).ok_or_else(bad_call)?;
    let own = converted(indices, crate::elements::Kind::Int64);
    let indices = own.view.broadcast(&shape).ok_or_else(bad_call)?;
    let out = ret.new_array(&shape)?;
    let mut lines = array.clone();
    lines.shape.clone_from(&shape);
    let stride = std::mem::replace(&mut lines.strides[axis], 0);
    let mut pairs = room(out.len());
    for ((base, at), to) in lines.offsets().zip(indices.offsets()).zip(out.offsets()) {
        // SAFETY: an element of the indices.
        let at = place(unsafe { indices.read::<i64>(at) }, axis, array.shape[axis])?;
        let from = base.wrapping_add(stride.wrapping_mul(at as isize));
        let from = array.data.wrapping_offset(from);
        pairs.push((from.cast_const(), out.data.wrapping_offset(to)));
    }
    // SAFETY: elements of the array and the result, which have one type.
    unsafe { move_elements(pairs.into_iter(), out.kind.size()) };
    Ok(())
}
