//! Indexing by arrays of integers and by masks, mixed with every kind of basic index.

use super::shapes::{broadcast_shape, operand_shapes, shape_text};
use crate::array::{Axes, View};
use crate::elements::{Bool, Element, Kind, with_element};
use crate::simd::widest;
use crate::strided::{converted, copy, run_of, to_vec};
use crate::value::{Arg, Failure, Ret, bad_call, index_error, out_of_bounds, value_error};
use numbra_memory::{Gather, filled, room};
use smallvec::smallvec;
use std::borrow::Cow;

bodies! {
    get_index = get, 2;
    set_index = set, 3;
}

/// `(array, index) -> array | scalar`
fn get(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    if let Some(set) = whole_mask(array, &args[1])
        && ret.is_array()
        && !matches!(array.kind, Kind::Bytes(_))
    {
        return with_element!(array.kind, T => match array.as_slice::<T>() {
            Some(run) => compress(run, set, ret),
            None => compress(&to_vec::<T>(array), set, ret),
        });
    }
    if let Some(rows) = Rows::of(array, &args[1])
        && ret.is_array()
    {
        rows.check()?;
        return rows.collect(ret);
    }
    get_picked(args, ret)
}

/// Whole rows of an array that one array of integers picks: what most programs index by arrays.
pub(super) struct Rows<'a> {
    /// The first row.
    data: *mut u8,
    /// How many there are, and how far apart.
    count: usize,
    stride: isize,
    /// Bytes of a row, which has no gaps.
    size: usize,
    /// The extents of a row.
    extents: Axes<usize>,
    at: &'a View,
    indices: Cow<'a, [i64]>,
}

impl<'a> Rows<'a> {
    /// None for other arrays and indices.
    pub(super) fn of(array: &View, index: &'a Arg) -> Option<Rows<'a>> {
        let Arg::Array(at, _) = index else {
            return None;
        };
        let (&count, _) = array.shape.split_first()?;
        let row = View {
            shape: array.shape[1..].into(),
            strides: array.strides[1..].into(),
            ..array.clone()
        };
        let is_index = matches!(
            at.kind,
            Kind::Int8
                | Kind::Int16
                | Kind::Int32
                | Kind::Int64
                | Kind::UInt8
                | Kind::UInt16
                | Kind::UInt32
        );
        (is_index && row.is_c_contiguous()).then_some(())?;
        Some(Rows {
            data: array.data,
            count,
            stride: array.strides[0],
            size: row.len() * array.kind.size(),
            extents: row.shape,
            at,
            indices: run_of::<i64>(at),
        })
    }

    /// Whether no index is out of range.
    pub(super) fn are_inside(&self) -> bool {
        all_inside(&self.indices, self.count)
    }

    /// IndexError when an index is out of range.
    pub(super) fn check(&self) -> Result<(), Failure> {
        if !self.are_inside() {
            for &at in self.indices.iter() {
                place(at, 0, self.count)?;
            }
        }
        Ok(())
    }

    /// A new array of the rows, whose indices are inside.
    pub(super) fn collect(&self, ret: Ret) -> Result<(), Failure> {
        let shape = self.at.shape.iter().chain(&self.extents);
        let out = ret.new_room(&shape.copied().collect::<Axes<usize>>())?;
        let (data, size) = (out.data, self.size as isize);
        let moved = self.places().enumerate().map(move |(i, place)| {
            let to = data.wrapping_offset(size.wrapping_mul(i as isize));
            (place.cast_const(), to)
        });
        // SAFETY: rows of the array, whose indices were checked, and of the new one; both have one element type.
        unsafe { super::move_elements(moved, self.size) };
        Ok(())
    }

    /// Where the rows are, for indices that [`Rows::check`] found right.
    fn places(&self) -> impl Iterator<Item = *mut u8> {
        // Numbers of its own: what is written may be anywhere.
        let (data, stride, count) = (self.data, self.stride, self.count);
        let places = self.indices.iter();
        places.map(move |&at| {
            let at = wrapped(at, count) as isize;
            data.wrapping_offset(stride.wrapping_mul(at))
        })
    }
}

widest! {
    fn all_inside(indices: &[i64], count: usize) -> bool {
        let last = count as i64 - 1;
        // The sign of what is below 0 and of what is left up to the last: no branch, and vectors can do it.
        let signs = indices.iter().fold(0, |signs, &at| {
            let at = wrapped(at, count) as i64;
            signs | at | last.wrapping_sub(at)
        });
        signs >= 0
    }

    /// How many items of a mask are true.
    fn count_set(set: &[Bool]) -> usize {
        set.iter().filter(|x| x.0 != 0).count()
    }
}

/// An index from the end, counted from the start.
#[inline(always)]
fn wrapped(at: i64, count: usize) -> u64 {
    let from_end = (at >> 63) as u64 & count as u64;
    (at as u64).wrapping_add(from_end)
}

/// The elements of a mask as it lies, if it is the whole index of an array of its shape.
fn whole_mask<'a>(array: &View, index: &'a Arg) -> Option<&'a [Bool]> {
    match index {
        Arg::Array(mask, _) if mask.kind == Kind::Bool && mask.shape == array.shape => {
            mask.as_slice::<Bool>()
        }
        _ => None,
    }
}

/// The elements where `set` holds.
pub(super) fn compress<T: Element>(run: &[T], set: &[Bool], ret: Ret) -> Result<(), Failure> {
    let count = count_set(set);
    let out = ret.new_room(&[count])?.data.cast::<T>();
    let mut n = 0;
    for (x, set) in run.iter().zip(set) {
        // Every element is written where the next one goes: no branch depends on the mask.
        if n == count {
            break;
        }
        // SAFETY: the new array has room for `count` elements, aligned as memory of its own is.
        unsafe { out.add(n).write(*x) };
        n += usize::from(set.0 != 0);
    }
    Ok(())
}

fn get_picked(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let picked = Picked::new(args[0].array()?, &args[1])?;
    if !ret.is_array() {
        let from = picked.offsets.first().ok_or_else(bad_call)?;
        return super::scalar_at(ret, &picked.rest, *from);
    }
    let out = ret.new_array(&picked.shape())?;
    let to = picked.split(&out);
    picked.copy(&to, Direction::Out);
    Ok(())
}

/// `(array, index, value) -> none`
fn set(args: &[Arg], _: Ret) -> Result<(), Failure> {
    let array = args[0].array()?;
    if let (Some(set), Arg::Scalar(x)) = (whole_mask(array, &args[1]), &args[2])
        && !matches!(array.kind, Kind::Bytes(_))
        && array.is_c_contiguous()
    {
        with_element!(array.kind, T => {
            let value = T::from_wide(*x);
            let mut aside = value;
            let aside = std::hint::black_box(&raw mut aside);
            for (i, set) in set.iter().enumerate() {
                // No branch depends on the mask: the others are written elsewhere.
                let at = array.data.wrapping_add(i * size_of::<T>()).cast::<T>();
                let at = std::hint::select_unpredictable(set.0 != 0, at, aside);
                // SAFETY: element `i` of the run, of this type, or `aside`.
                unsafe { at.write_unaligned(value) };
            }
        });
        return Ok(());
    }
    let source = args[2].like()?;
    let view = source.view();
    let rows = Rows::of(array, &args[1]).filter(|_| array.ndim() == 1);
    if let Some(rows) = rows
        && view.kind == array.kind
        && !view.may_overlap(array)
        && !rows.at.may_overlap(array)
        && let Some(value) = view.broadcast(&rows.at.shape)
    {
        rows.check()?;
        let from = value.offsets().map(|at| value.data.wrapping_offset(at));
        let moved = from.map(|from| from.cast_const()).zip(rows.places());
        // SAFETY: elements of the value and of the array, of one type, whose indices were checked.
        unsafe { super::move_elements(moved, rows.size) };
        return Ok(());
    }
    let picked = Picked::new(array, &args[1])?;
    let own;
    let value = if view.kind == array.kind && !view.may_overlap(array) {
        view
    } else {
        own = converted(view, array.kind);
        &own.view
    };
    let shape = picked.shape();
    let mut value = value.clone();
    while value.ndim() > shape.len() && value.shape[0] == 1 {
        value = value.at(0, 0);
    }
    let value = value.broadcast(&shape).ok_or_else(|| {
        let (to, from) = (shape_text(&shape), shape_text(&view.shape));
        value_error(format!(
            "cannot assign slice of shape {to} from input of shape {from}"
        ))
    })?;
    picked.copy(&picked.split(&value), Direction::In);
    Ok(())
}

/// Which way elements go.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    /// Out of the indexed array.
    Out,
    /// Into it.
    In,
}

/// Elements that an index picks: the view `rest`, once at each of `offsets`.
struct Picked {
    /// The axes that are not picked from, of the indexed array.
    rest: View,
    /// Byte offsets of the picked places, in C order of `picked`.
    offsets: Vec<isize>,
    /// Shape of the index arrays, broadcast.
    picked: Axes<usize>,
    /// How many axes of `rest` come before the picked ones in the result.
    before: usize,
}

/// An index array: byte offsets that it adds, and its shape.
struct Places {
    offsets: Vec<isize>,
    shape: Axes<usize>,
}

impl Picked {
    fn new(array: &View, index: &Arg) -> Result<Picked, Failure> {
        let items: &[Arg] = match index {
            Arg::Tuple(items) => items,
            one => std::slice::from_ref(one),
        };
        let used: usize = items.iter().map(axes_of).sum();
        let open = array.ndim().checked_sub(used).ok_or_else(|| {
            index_error(format!(
                "too many indices for array: array is {}-dimensional, but {used} were indexed",
                array.ndim()
            ))
        })?;
        let mut rest = View {
            shape: Axes::new(),
            strides: Axes::new(),
            ..array.clone()
        };
        let mut places: Vec<Places> = Vec::new();
        let mut axis = 0;
        let mut before = 0;
        // Whether arrays and integers among the items stand side by side.
        let (mut started, mut ended, mut apart) = (false, false, false);
        let mut left = Some(open);
        for item in items {
            let picks = matches!(item, Arg::Array(..) | Arg::Scalar(_));
            if picks {
                apart |= ended;
                if !started {
                    before = rest.ndim();
                }
                started = true;
            } else {
                ended |= started;
            }
            match item {
                Arg::Scalar(_) => {
                    let at = place(item.int()?, axis, array.shape[axis])?;
                    places.push(Places {
                        offsets: vec![array.strides[axis].wrapping_mul(at as isize)],
                        shape: Axes::new(),
                    });
                    axis += 1;
                }
                Arg::Array(mask, _) if mask.kind == Kind::Bool => {
                    places.push(of_mask(array, axis, mask)?);
                    axis += mask.ndim();
                }
                Arg::Array(at, _) => {
                    places.push(of_integers(array, axis, at)?);
                    axis += 1;
                }
                Arg::Slice(parts) => {
                    let (start, n, step) = clamp(*parts, array.shape[axis])?;
                    let stride = array.strides[axis];
                    rest.data = rest
                        .data
                        .wrapping_offset(stride.wrapping_mul(start as isize));
                    rest.shape.push(n);
                    rest.strides.push(stride.wrapping_mul(step as isize));
                    axis += 1;
                }
                Arg::Nothing => {
                    rest.shape.push(1);
                    rest.strides.push(0);
                }
                Arg::Ellipsis => {
                    for _ in 0..left.take().unwrap_or(0) {
                        rest.shape.push(array.shape[axis]);
                        rest.strides.push(array.strides[axis]);
                        axis += 1;
                    }
                }
                Arg::Tuple(_) | Arg::Text(_) | Arg::Generator(_) => return Err(bad_call()),
            }
        }
        rest.shape.extend_from_slice(&array.shape[axis..]);
        rest.strides.extend_from_slice(&array.strides[axis..]);
        let shapes: Vec<&[usize]> = places.iter().map(|p| &p.shape[..]).gathered();
        let picked = broadcast_shape(&shapes).ok_or_else(|| {
            index_error(format!(
                "shape mismatch: indexing arrays could not be broadcast together with shapes {}",
                operand_shapes(&shapes)
            ))
        })?;
        Ok(Picked {
            offsets: joined(places, &picked),
            rest,
            picked,
            before: if apart { 0 } else { before },
        })
    }

    /// Shape of the result.
    fn shape(&self) -> Axes<usize> {
        let (outer, inner) = self.rest.shape.split_at(self.before);
        outer
            .iter()
            .chain(&self.picked)
            .chain(inner)
            .copied()
            .collect()
    }

    /// An array of the result's shape with the picked axes first.
    fn split(&self, whole: &View) -> View {
        let picked = self.picked.len();
        let axes: Vec<usize> = (self.before..self.before + picked)
            .chain(0..self.before)
            .chain(self.before + picked..whole.ndim())
            .collect();
        whole.permuted(&axes)
    }

    /// Copies between the indexed array and `other`, whose first axes are the picked ones.
    fn copy(&self, other: &View, direction: Direction) {
        let n = self.picked.len();
        let outer = View {
            shape: other.shape[..n].into(),
            strides: other.strides[..n].into(),
            ..other.clone()
        };
        let mut inner = View {
            shape: other.shape[n..].into(),
            strides: other.strides[n..].into(),
            ..other.clone()
        };
        let moved = self.offsets.iter().zip(outer.offsets());
        if inner.len() == 1 {
            let elements = moved.map(|(&mine, theirs)| {
                let mine = self.rest.data.wrapping_offset(mine);
                let theirs = other.data.wrapping_offset(theirs);
                match direction {
                    Direction::Out => (mine.cast_const(), theirs),
                    Direction::In => (theirs.cast_const(), mine),
                }
            });
            // SAFETY: elements of both arrays, which have one element type.
            unsafe { super::move_elements(elements, other.kind.size()) };
            return;
        }
        let mut part = self.rest.clone();
        for (&mine, theirs) in moved {
            part.data = self.rest.data.wrapping_offset(mine);
            inner.data = other.data.wrapping_offset(theirs);
            match direction {
                Direction::Out => copy(&part, &inner),
                Direction::In => copy(&inner, &part),
            }
        }
    }
}

/// How many axes an index item takes.
fn axes_of(item: &Arg) -> usize {
    match item {
        Arg::Array(mask, _) if mask.kind == Kind::Bool => mask.ndim(),
        Arg::Array(..) | Arg::Scalar(_) | Arg::Slice(_) => 1,
        Arg::Nothing | Arg::Ellipsis | Arg::Tuple(_) | Arg::Text(_) | Arg::Generator(_) => 0,
    }
}

/// An index of an axis; IndexError when out of range.
pub(super) fn place(at: i64, axis: usize, n: usize) -> Result<usize, Failure> {
    crate::value::place_of(at, n).ok_or_else(|| out_of_bounds(&at, axis, n))
}

fn of_integers(array: &View, axis: usize, at: &View) -> Result<Places, Failure> {
    let (n, stride) = (array.shape[axis], array.strides[axis]);
    let count = at.len();
    let mut offsets = room(count);
    for at in to_vec::<i64>(at) {
        let wrapped = if at < 0 {
            at.wrapping_add(n as i64)
        } else {
            at
        };
        if wrapped as u64 >= n as u64 {
            place(at, axis, n)?;
        }
        offsets.push(stride.wrapping_mul(wrapped as isize));
    }
    Ok(Places {
        offsets,
        shape: at.shape.clone(),
    })
}

fn of_mask(array: &View, axis: usize, mask: &View) -> Result<Places, Failure> {
    for (i, &extent) in mask.shape.iter().enumerate() {
        if array.shape[axis + i] != extent {
            return Err(index_error(format!(
                "boolean index did not match indexed array along axis {}; size of axis is {} but size of \
                 corresponding boolean axis is {extent}",
                axis + i,
                array.shape[axis + i]
            )));
        }
    }
    let axes = axis..axis + mask.ndim();
    let (shape, strides) = (&array.shape[axes.clone()], &array.strides[axes]);
    let own;
    let set = match mask.as_slice::<Bool>() {
        Some(set) => set,
        None => {
            own = to_vec::<Bool>(mask);
            &own
        }
    };
    let mut offsets: Vec<isize> = room(set.iter().filter(|x| x.0 != 0).count());
    if let Some(step) = one_step(shape, strides) {
        let places = set.iter().enumerate().filter(|(_, set)| set.0 != 0);
        offsets.extend(places.map(|(i, _)| step.wrapping_mul(i as isize)));
    } else {
        let places = crate::array::Offsets::new(shape, strides).zip(set);
        offsets.extend(
            places
                .filter(|(_, set)| set.0 != 0)
                .map(|(offset, _)| offset),
        );
    }
    Ok(Places {
        shape: smallvec![offsets.len()],
        offsets,
    })
}

/// How far apart elements are that follow each other in C order, if that is the same for all.
fn one_step(shape: &[usize], strides: &[isize]) -> Option<isize> {
    let inner = *strides.last()?;
    let outer =
        (1..shape.len()).all(|i| strides[i - 1] == strides[i].wrapping_mul(shape[i] as isize));
    outer.then_some(inner)
}

/// The sum of the offsets of all index arrays, broadcast to one shape.
fn joined(mut places: Vec<Places>, shape: &[usize]) -> Vec<isize> {
    if let [one] = &mut places[..]
        && *one.shape == *shape
    {
        return std::mem::take(&mut one.offsets);
    }
    let mut sums = filled(shape.iter().product(), 0_isize);
    for place in &places {
        let offsets: Vec<i64> = place.offsets.iter().map(|&o| o as i64).gathered();
        let Some(view) = View::of(&offsets, &place.shape).broadcast(shape) else {
            continue;
        };
        for (sum, at) in sums.iter_mut().zip(view.offsets()) {
            // SAFETY: an element of `offsets`.
            *sum = sum.wrapping_add(unsafe { view.read::<i64>(at) } as isize);
        }
    }
    sums
}

/// CPython's `slice.indices`: first index, number of indices, step.
pub(crate) fn clamp(parts: [i64; 3], n: usize) -> Result<(usize, usize, i64), Failure> {
    let [start, stop, step] = parts;
    if step == 0 {
        return Err(value_error("slice step cannot be zero"));
    }
    let n = n as i64;
    let (low, high) = if step < 0 { (-1, n - 1) } else { (0, n) };
    let bound = |at: i64| {
        if at == i64::MIN {
            return low;
        }
        let at = if at < 0 { at.saturating_add(n) } else { at };
        at.clamp(low, high)
    };
    let (start, stop) = (bound(start), bound(stop));
    let distance = if step < 0 { start - stop } else { stop - start };
    if distance <= 0 {
        return Ok((0, 0, step));
    }
    let count = (distance - 1) as u64 / step.unsigned_abs() + 1;
    Ok((start.max(0) as usize, count as usize, step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_are_clamped_as_in_python() {
        let all = |start, stop, step| clamp([start, stop, step], 5).expect("a step");
        assert_eq!(all(0, i64::MAX, 1), (0, 5, 1));
        assert_eq!(all(i64::MAX, i64::MIN, -1), (4, 5, -1));
        assert_eq!(all(-2, i64::MAX, 1), (3, 2, 1));
        assert_eq!(all(4, 0, -2), (4, 2, -2));
        assert_eq!(all(7, 9, 1), (0, 0, 1));
        assert!(clamp([0, 1, 0], 5).is_err());
    }

    /// `x[[2, -4], 1:]` and `x[2:, [2, 0]]` of a matrix.
    #[test]
    fn picks_rows_and_columns() {
        let x: Vec<i64> = (0..12).collect();
        let view = View::of(&x, &[4, 3]);
        let pick = |items: Vec<Arg>| {
            let picked = Picked::new(&view, &Arg::Tuple(items))?;
            let mut out = vec![0_i64; picked.shape().iter().product()];
            let out_view = View::of_mut(&mut out, &picked.shape());
            picked.copy(&picked.split(&out_view), Direction::Out);
            Ok::<_, Failure>((picked.shape(), out))
        };
        let integers = |at: &'static [i64]| Arg::Array(View::of(at, &[2]), std::ptr::null_mut());
        let rows = pick(vec![integers(&[2, -4]), Arg::Slice([1, i64::MAX, 1])]);
        assert_eq!(rows, Ok((smallvec![2, 2], vec![7, 8, 1, 2])));
        let columns = pick(vec![Arg::Slice([2, i64::MAX, 1]), integers(&[2, 0])]);
        assert_eq!(columns, Ok((smallvec![2, 2], vec![8, 6, 11, 9])));
        let outside = pick(vec![integers(&[0, 4])]).expect_err("there are four rows");
        let said = "index 4 is out of bounds for axis 0 with size 4";
        assert_eq!(outside, index_error(said));
    }
}
