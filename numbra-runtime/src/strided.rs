//! Copies between arrays of any strides and element types.

use crate::array::View;
use crate::elements::{Element, Kind, with_element};
use crate::parallel::Threads;
use numbra_memory::{filled, zeroed};
use smallvec::smallvec;
use std::borrow::Cow;

/// Copies elements of `from` to `to`, which has the same shape and other memory, converting them to its type.
pub(crate) fn copy(from: &View, to: &View) {
    debug_assert_eq!(from.shape, to.shape);
    if from.len() == 0 {
        return;
    }
    if from.kind == to.kind {
        return copy_runs(from, to);
    }
    let convert = converter(from.kind, to.kind);
    let outer = from.shape.len().saturating_sub(1);
    let (row, step_from, step_to) = match from.shape.last() {
        Some(&row) => (row, from.strides[outer], to.strides[outer]),
        None => (1, 0, 0),
    };
    for (source, target) in from.lines().zip(to.lines()) {
        let source = from.data.wrapping_offset(source);
        let target = to.data.wrapping_offset(target);
        // SAFETY: a row of each array, with these element types.
        unsafe { convert(source, step_from, target, step_to, row) };
    }
}

/// Fills `out` with elements in C order, from number `start` on, converted.
pub(crate) fn copy_part<T: Element>(from: &View, start: usize, out: &mut [T]) {
    let Some(last) = from.ndim().checked_sub(1) else {
        return copy(from, &View::of_mut(out, &[]));
    };
    let row = from.shape[last];
    let mut done = 0;
    while done < out.len() {
        let (mut number, at) = ((start + done) / row, (start + done) % row);
        let mut line = from.part(last, at, (row - at).min(out.len() - done));
        for axis in (0..last).rev() {
            let extent = line.shape[axis];
            let offset = line.strides[axis].wrapping_mul((number % extent) as isize);
            line.data = line.data.wrapping_offset(offset);
            number /= extent;
        }
        line.shape = smallvec![line.shape[last]];
        line.strides = smallvec![line.strides[last]];
        let n = line.len();
        copy(&line, &View::of_mut(&mut out[done..done + n], &line.shape));
        done += n;
    }
}

/// Converts a number of elements: where the first is and how far apart they are, and where they go.
type Convert = unsafe fn(*const u8, isize, *mut u8, isize, usize);

fn converter(from: Kind, to: Kind) -> Convert {
    /// # Safety
    /// `n` elements of type `A` may be read, and of type `B` written, at these places.
    unsafe fn run<A: Element, B: Element>(
        from: *const u8,
        step_from: isize,
        to: *mut u8,
        step_to: isize,
        n: usize,
    ) {
        for i in 0..n as isize {
            let source = from.wrapping_offset(i * step_from).cast::<A>();
            // SAFETY: the caller says that an element is there.
            let x = unsafe { source.read_unaligned() };
            let target = to.wrapping_offset(i * step_to).cast::<B>();
            // SAFETY: the caller says that there is room for an element.
            unsafe { target.write_unaligned(B::from_wide(x.wide())) };
        }
    }
    with_element!(from, A => with_element!(to, B => run::<A, B> as Convert))
}

/// Same types: whole rows where both are contiguous.
fn copy_runs(from: &View, to: &View) {
    let size = from.kind.size();
    // A last axis of one element would make rows of it.
    if let Some(last) = from.ndim().checked_sub(1)
        && last > 0
        && from.shape[last] == 1
    {
        return copy_runs(&from.without(last), &to.without(last));
    }
    let outer = from.shape.len().saturating_sub(1);
    let (row, step_from, step_to) = match outer.checked_sub(0).filter(|_| !from.shape.is_empty()) {
        Some(last) => (from.shape[last], from.strides[last], to.strides[last]),
        None => (1, size as isize, size as isize),
    };
    let contiguous = step_from == size as isize && step_to == size as isize;
    if contiguous && outer == 0 {
        // SAFETY: the elements of each array; they are different memory.
        return unsafe { std::ptr::copy_nonoverlapping(from.data, to.data, row * size) };
    }
    for (source, target) in from.lines().zip(to.lines()) {
        let (source, target) = (
            from.data.wrapping_offset(source),
            to.data.wrapping_offset(target),
        );
        if contiguous {
            // SAFETY: a row of each array; they are different memory.
            unsafe { std::ptr::copy_nonoverlapping(source, target, row * size) };
            continue;
        }
        let pairs = (0..row as isize).map(|i| {
            let from = source.wrapping_offset(i.wrapping_mul(step_from));
            (
                from.cast_const(),
                target.wrapping_offset(i.wrapping_mul(step_to)),
            )
        });
        // SAFETY: the elements of a row of each array.
        unsafe { move_elements(pairs, size) };
    }
}

/// Copies elements of `size` bytes from the first address of each pair to the second.
///
/// # Safety
/// Each pair is an element that may be read and one that may be written.
#[inline]
pub(crate) unsafe fn move_elements(pairs: impl Iterator<Item = (*const u8, *mut u8)>, size: usize) {
    macro_rules! sizes {
        ($($size:literal)*) => {
            match size {
                $($size => {
                    for (from, to) in pairs {
                        // SAFETY: the caller says that the element may be read.
                        let x = unsafe { from.cast::<[u8; $size]>().read() };
                        // SAFETY: the caller says that the element may be written.
                        unsafe { to.cast::<[u8; $size]>().write(x) };
                    }
                })*
                _ => {
                    for (from, to) in pairs {
                        // SAFETY: the caller says that both elements have `size` bytes.
                        unsafe { std::ptr::copy(from, to, size) };
                    }
                }
            }
        };
    }
    sizes!(1 2 4 8 16)
}

/// An array in memory of its own.
pub(crate) struct Owned {
    pub(crate) view: View,
    _memory: Vec<u128>,
}

impl Owned {
    /// A new array of zeros, contiguous in C order.
    pub(crate) fn new(shape: &[usize], kind: Kind) -> Owned {
        let count: usize = shape.iter().product();
        let mut memory: Vec<u128> = match (count * kind.size()).div_ceil(16) {
            // SAFETY: integers.
            words @ 64.. => unsafe { zeroed(words) },
            words => filled(words, 0),
        };
        let view = View {
            kind,
            data: memory.as_mut_ptr().cast(),
            shape: crate::array::axes_of(shape),
            strides: crate::array::c_strides(shape, kind.size(), false),
        };
        Owned {
            view,
            _memory: memory,
        }
    }
}

/// As [`converted`], in several threads if there is enough to do.
pub(crate) fn converted_in(threads: Threads, view: &View, kind: Kind) -> Owned {
    let owned = Owned::new(&view.shape, kind);
    let Some(&rows) = view.shape.first() else {
        copy(view, &owned.view);
        return owned;
    };
    let to = &owned.view;
    let each = view.len() / rows.max(1);
    // Cut by elements, rounded to rows: each row is in one part.
    threads.parts(view.len(), |part| {
        let row = |element: usize| element.div_ceil(each.max(1));
        let (start, end) = (row(part.start), row(part.end));
        copy(
            &view.part(0, start, end - start),
            &to.part(0, start, end - start),
        );
    });
    owned
}

/// The elements of `view` as another type, contiguous in C order.
pub(crate) fn converted(view: &View, kind: Kind) -> Owned {
    let owned = Owned::new(&view.shape, kind);
    copy(view, &owned.view);
    owned
}

/// The elements in C order: the array's own memory where it is one run of this type, else converted.
pub(crate) fn run_of<T: Element>(view: &View) -> Cow<'_, [T]> {
    match view.as_slice() {
        Some(run) => Cow::Borrowed(run),
        None => Cow::Owned(to_vec(view)),
    }
}

/// The elements in C order, converted.
pub(crate) fn to_vec<T: Element>(view: &View) -> Vec<T> {
    let mut out = zeros(view.len());
    copy(view, &View::of_mut(&mut out, &view.shape));
    out
}

/// So many zeros. Few are written, since calloc takes none of the blocks that the C library keeps for a thread.
pub(crate) fn zeros<T: Element>(n: usize) -> Vec<T> {
    if n > 64 {
        // SAFETY: elements are plain numbers, whose zeros have no bits.
        return unsafe { zeroed(n) };
    }
    filled(n, T::default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use smallvec::smallvec;

    #[test]
    fn transposed_copies_convert() {
        let mut from = [1.5_f64, -2.0, 3.0, 4.0, 5.0, 6.0];
        let view = View {
            kind: Kind::Float64,
            data: from.as_mut_ptr().cast(),
            shape: smallvec![3, 2],
            strides: smallvec![8, 24],
        };
        let ints = converted(&view, Kind::Int16);
        let got: Vec<i16> = ints
            .view
            .offsets()
            // SAFETY: offsets of the array's own elements.
            .map(|o| unsafe { ints.view.read::<i16>(o) })
            .collect();
        assert_eq!(got, [1, 4, -2, 5, 3, 6]);
        let same = converted(&view, Kind::Float64);
        // SAFETY: offset of the second element.
        assert_eq!(unsafe { same.view.read::<f64>(8) }, 4.0);
    }
}
