//! Elements moved, repeated, inserted and left out.

use super::index::{clamp, place};
use super::shapes::not_together;
use super::views::extents;
use crate::array::{View, per_axis};
use crate::elements::Kind;
use crate::elements::{Element, with_element};
use crate::reduce::elements;
use crate::strided::{converted, copy, move_elements, to_vec};
use crate::value::{
    Arg, Failure, Ret, Source, bad_call, checked_sum, index_error, out_of_bounds, place_of,
    positions, too_big, type_error, value_error,
};
use numbra_memory::{Gather, filled, room, sort_stable};
use smallvec::{SmallVec, smallvec};
use std::fmt::Display;

bodies! {
    delete = delete, 2;
    insert = insert, 4;
    repeat = repeat, 2;
    resize = resize, 2;
    roll = roll, 2;
    tile = tile, 2;
    trim_zeros = trim_zeros, 2;
}

/// The elements in C order as one axis: where they are, or copied.
pub(super) fn flat(view: &View) -> Source<'static> {
    let line = |data| View {
        kind: view.kind,
        data,
        shape: smallvec![view.len()],
        strides: smallvec![view.kind.size() as isize],
    };
    if view.is_c_contiguous() {
        return Source::View(line(view.data));
    }
    let mut own = converted(view, view.kind);
    own.view = line(own.view.data);
    Source::Own(own)
}

/// `(array, shift) -> array`: over the elements in C order.
fn roll(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    let out = ret.new_room(&view.shape)?;
    let n = view.len();
    if n == 0 {
        return Ok(());
    }
    let shift = args[1].remainder(n)?;
    let from = flat(view);
    let mut to = out.clone();
    to.shape = smallvec![n];
    to.strides = smallvec![out.kind.size() as isize];
    copy(
        &from.view().part(0, 0, n - shift),
        &to.part(0, shift, n - shift),
    );
    copy(
        &from.view().part(0, n - shift, shift),
        &to.part(0, 0, shift),
    );
    Ok(())
}

/// `(array, repeats) -> array`: each element of the array in C order, so many times.
fn repeat(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let from = flat(source.view());
    let repeats = args[1].like()?;
    let counts = to_vec::<i64>(repeats.view());
    if let [n] = counts[..] {
        return each_repeated(from.view(), n, ret);
    }
    if counts.len() != from.view().len() {
        return Err(not_together(&[&from.view().shape, &[counts.len()]]));
    }
    if counts.iter().any(|&n| n < 0) {
        return Err(value_error("negative dimensions are not allowed"));
    }
    let total = checked_sum(counts.iter().map(|&n| n as usize))?;
    let out = ret.new_room(&[total])?;
    let size = out.kind.size();
    let mut at = 0;
    let pairs = counts.iter().enumerate().flat_map(|(i, &n)| {
        let first = at;
        at += n as usize;
        let from = from.view().data.wrapping_add(i * size);
        let out = out.data;
        (first..first + n as usize).map(move |j| (from.cast_const(), out.wrapping_add(j * size)))
    });
    // SAFETY: elements of the array and of the result, which have one type.
    unsafe { move_elements(pairs, size) };
    Ok(())
}

/// Each element of a run `n` times.
fn each_repeated(from: &View, n: i64, ret: Ret) -> Result<(), Failure> {
    let n = usize::try_from(n).map_err(|_| value_error("negative dimensions are not allowed"))?;
    let total = from.len().checked_mul(n).ok_or_else(too_big)?;
    let out = ret.new_room(&[total])?;
    if total == 0 {
        return Ok(());
    }
    // Column by column: the result as a table with `n` columns.
    let (size, mut table) = (out.kind.size() as isize, out.clone());
    table.shape = smallvec![from.len()];
    table.strides = smallvec![size.wrapping_mul(n as isize)];
    for column in 0..n as isize {
        table.data = out.data.wrapping_offset(column.wrapping_mul(size));
        copy(from, &table);
    }
    Ok(())
}

/// `(array, counts) -> array`: the array so many times along each axis.
fn tile(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let (view, counts) = (source.view(), args[1].ints()?);
    let ndim = view.ndim().max(counts.len());
    let (added, uncounted) = (ndim - view.ndim(), ndim - counts.len());
    // Each axis of the array as two: that of the times, along which it does not move, and its own.
    let mut from = view.clone();
    (from.shape, from.strides) = Default::default();
    let mut shape: SmallVec<[usize; 4]> = SmallVec::new();
    for axis in 0..ndim {
        let own = axis.checked_sub(added);
        let extent = own.map_or(1, |i| view.shape[i]);
        let count = axis.checked_sub(uncounted).map_or(1, |i| counts[i]);
        let times = match usize::try_from(count) {
            Ok(times) => times,
            Err(_) if extent == 0 => 0,
            Err(_) => return Err(value_error("negative dimensions are not allowed")),
        };
        from.shape.extend([times, extent]);
        from.strides.extend([0, own.map_or(0, |i| view.strides[i])]);
        shape.push(times.checked_mul(extent).ok_or_else(too_big)?);
    }
    let out = ret.new_array(&shape)?;
    let mut to = out.clone();
    to.shape = from.shape.clone();
    to.strides = per_axis(2 * ndim, |n| match n % 2 {
        0 => out.strides[n / 2].wrapping_mul(from.shape[n + 1] as isize),
        _ => out.strides[n / 2],
    });
    copy(&from, &to);
    Ok(())
}

/// `(array, shape) -> array`: the elements in C order, over and over.
fn resize(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let shape = extents(&args[1])
        .map_err(|_| value_error("All elements of `new_shape` must be non-negative"))?;
    let out = ret.new_array(&shape)?;
    let from = flat(source.view());
    let (n, size) = (from.view().len(), out.kind.size());
    if n == 0 {
        return Ok(());
    }
    // The first run, then all that is there once more, until all is.
    let total = out.len() * size;
    let mut done = total.min(n * size);
    // SAFETY: elements of the array, and of the result, which has one type with it and other memory.
    unsafe { std::ptr::copy_nonoverlapping(from.view().data, out.data, done) };
    while done < total {
        let more = done.min(total - done);
        // SAFETY: bytes of the result that are written, and as many behind them.
        unsafe { std::ptr::copy_nonoverlapping(out.data, out.data.wrapping_add(done), more) };
        done += more;
    }
    Ok(())
}

/// `(array, integer | slice | array) -> array`: over the elements in C order.
fn delete(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let from = flat(source.view());
    let n = from.view().len();
    let mut keep = filled(n, true);
    match &args[1] {
        Arg::Slice(parts) => {
            let (start, count, step) = clamp(*parts, n)?;
            for i in 0..count as i64 {
                keep[(start as i64 + i * step) as usize] = false;
            }
        }
        Arg::Scalar(_) => {
            let outside = |at: &dyn Display| {
                index_error(format!(
                    "obj must be less than the len(arr): index {at} is out of bounds for axis 0 with size {n}"
                ))
            };
            let at = positions(args[1].like()?.view(), outside)?[0];
            let at = place_of(at, n).ok_or_else(|| outside(&at))?;
            let (from, out) = (from.view(), ret.new_room(&[n - 1])?);
            copy(&from.part(0, 0, at), &out.part(0, 0, at));
            let rest = n - 1 - at;
            copy(&from.part(0, at + 1, rest), &out.part(0, at, rest));
            return Ok(());
        }
        other => {
            let at = other.like()?;
            if at.view().kind == Kind::Bool {
                if at.view().len() != n {
                    return Err(value_error(format!(
                        "the mask has another length than the array: {} and {n}",
                        at.view().len()
                    )));
                }
                for (keep, drop) in keep.iter_mut().zip(to_vec::<u8>(at.view())) {
                    *keep = drop == 0;
                }
            } else {
                for at in positions(at.view(), |at| out_of_bounds(at, 0, n))? {
                    keep[place(at, 0, n)?] = false;
                }
            }
        }
    }
    let left = keep.iter().filter(|&&keep| keep).count();
    let out = ret.new_room(&[left])?;
    let mut at = 0;
    let mut start = 0;
    for run in keep.chunk_by(|a, b| a == b) {
        if run[0] {
            copy(
                &from.view().part(0, start, run.len()),
                &out.part(0, at, run.len()),
            );
            at += run.len();
        }
        start += run.len();
    }
    Ok(())
}

/// `(array, places, values, none) -> array`: values before those places of the elements in C order.
fn insert(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let from = flat(source.view());
    let n = from.view().len();
    let outside = |at: &dyn Display| {
        index_error(format!(
            "index {at} is out of bounds for axis 0 with size {n}: index is out of bounds for the given array size"
        ))
    };
    let given: Vec<i64> = match &args[1] {
        Arg::Slice(parts) => {
            let (start, count, step) = clamp(*parts, n)?;
            (0..count as i64)
                .map(|i| start as i64 + i * step)
                .gathered()
        }
        other => {
            let at = other.like()?;
            if at.view().kind == Kind::Bool {
                let set = to_vec::<u8>(at.view());
                (0..set.len() as i64)
                    .filter(|&i| set[i as usize] != 0)
                    .gathered()
            } else {
                positions(at.view(), outside)?
            }
        }
    };
    let values = args[2].like()?;
    let given_values = converted(values.view(), from.view().kind);
    let values = flat(&given_values.view);
    let values = values.view();
    let count = values.len();
    let single = given.len() == 1;
    let inserted = if single { count } else { given.len() };
    if !single && count != 1 && count != inserted {
        return Err(value_error(format!(
            "shape mismatch: value array of shape ({count},) could not be broadcast to indexing result of shape ({inserted},)"
        )));
    }
    // Position in the array, and number of the value.
    let mut marks: Vec<(usize, usize)> = room(inserted);
    for i in 0..inserted {
        let at = if single { given[0] } else { given[i] };
        let wrapped = if at < 0 { at + n as i64 } else { at };
        if !(0..=n as i64).contains(&wrapped) {
            return Err(outside(&at));
        }
        marks.push((wrapped as usize, if count == 1 { 0 } else { i }));
    }
    sort_stable(&mut marks, |a, b| a.0.cmp(&b.0));
    let out = ret.new_room(&[n + inserted])?;
    let mut done = 0;
    for (i, (at, value)) in marks.into_iter().enumerate() {
        let run = at - done;
        copy(&from.view().part(0, done, run), &out.part(0, done + i, run));
        copy(&values.part(0, value, 1), &out.part(0, at + i, 1));
        done = at;
    }
    let rest = n - done;
    copy(
        &from.view().part(0, done, rest),
        &out.part(0, done + inserted, rest),
    );
    Ok(())
}

/// How many zeros are in front of the first other number.
fn zeros_before(view: &View) -> usize {
    with_element!(view.kind, T => elements::<T>(view).take_while(|x| x.is_zero()).count())
}

/// `(array, sides) -> array`: `f` in the text means the front, `b` the back.
fn trim_zeros(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    let sides = args[1].text()?;
    if view.ndim() != 1 {
        return Err(type_error("array must be 1D"));
    }
    let mut first = 0;
    let mut last = view.len();
    if sides.contains(['f', 'F']) {
        first = zeros_before(view);
    }
    if sides.contains(['b', 'B']) {
        last -= zeros_before(&view.flipped(0));
    }
    let (_, owner) = args[0].owned_array()?;
    if ret.ndim() != 1 {
        return Err(bad_call());
    }
    ret.view(
        &view.part(0, first.min(last), last.saturating_sub(first)),
        owner,
    )
}
