//! Arrays of any rank and strides, and how they are walked.

use crate::elements::{Element, Kind};
use smallvec::SmallVec;

/// One number for each axis, in place for the usual ranks: calls on small arrays allocate nothing.
pub(crate) type Axes<T> = SmallVec<[T; 4]>;

/// What `of` says for each of `ndim` axes. The usual ranks one by one: numbers that were written to memory just before wait
/// there to be copied.
#[inline(always)]
pub(crate) fn per_axis<T: Copy + Default>(ndim: usize, mut of: impl FnMut(usize) -> T) -> Axes<T> {
    if ndim > 4 {
        return (0..ndim).map(of).collect();
    }
    let mut at = |axis| if axis < ndim { of(axis) } else { T::default() };
    let few = [at(0), at(1), at(2), at(3)];
    Axes::from_buf_and_len(few, ndim)
}

/// A copy of numbers, one for each axis.
pub(crate) fn axes_of<T: Copy + Default>(values: &[T]) -> Axes<T> {
    per_axis(values.len(), |axis| values[axis])
}

/// Memory seen as an array.
#[derive(PartialEq, Eq, Debug)]
pub(crate) struct View {
    pub(crate) kind: Kind,
    pub(crate) data: *mut u8,
    pub(crate) shape: Axes<usize>,
    /// In bytes.
    pub(crate) strides: Axes<isize>,
}

// SAFETY: a view is an address and numbers. Whoever reads or writes what it is of keeps to elements that no other thread changes.
unsafe impl Sync for View {}

/// Strides of a new array: C order, or Fortran order.
pub(crate) fn c_strides(shape: &[usize], itemsize: usize, fortran: bool) -> Axes<isize> {
    let step = |inner: &[usize]| {
        let extents = inner.iter().map(|&extent| extent.max(1));
        extents.fold(itemsize, usize::wrapping_mul) as isize
    };
    per_axis(shape.len(), |axis| match fortran {
        true => step(&shape[..axis]),
        false => step(&shape[axis + 1..]),
    })
}

impl Clone for View {
    fn clone(&self) -> View {
        View {
            kind: self.kind,
            data: self.data,
            shape: axes_of(&self.shape),
            strides: axes_of(&self.strides),
        }
    }
}

impl View {
    /// Elements in C order seen as an array that is only read.
    pub(crate) fn of<T: Element>(values: &[T], shape: &[usize]) -> View {
        View {
            kind: T::KIND,
            data: values.as_ptr().cast_mut().cast(),
            shape: axes_of(shape),
            strides: c_strides(shape, size_of::<T>(), false),
        }
    }

    /// Elements in C order seen as an array that may be written.
    pub(crate) fn of_mut<T: Element>(values: &mut [T], shape: &[usize]) -> View {
        View {
            data: values.as_mut_ptr().cast(),
            ..View::of(values, shape)
        }
    }

    /// Number of axes.
    pub(crate) fn ndim(&self) -> usize {
        self.shape.len()
    }

    /// Without `axis`, at index `i` of it.
    pub(crate) fn at(&self, axis: usize, i: usize) -> View {
        let mut view = self.without(axis);
        let offset = self.strides[axis].wrapping_mul(i as isize);
        view.data = self.data.wrapping_offset(offset);
        view
    }

    /// The `n` indices of `axis` from `start` on.
    pub(crate) fn part(&self, axis: usize, start: usize, n: usize) -> View {
        let mut view = self.clone();
        let offset = self.strides[axis].wrapping_mul(start as isize);
        view.data = self.data.wrapping_offset(offset);
        view.shape[axis] = n;
        view
    }

    /// The axis in the other direction.
    pub(crate) fn flipped(&self, axis: usize) -> View {
        let mut view = self.clone();
        let last = self.shape[axis].saturating_sub(1) as isize;
        view.data = self
            .data
            .wrapping_offset(self.strides[axis].wrapping_mul(last));
        view.strides[axis] = self.strides[axis].wrapping_neg();
        view
    }

    /// The axes in another order.
    pub(crate) fn permuted(&self, axes: &[usize]) -> View {
        View {
            kind: self.kind,
            data: self.data,
            shape: per_axis(axes.len(), |n| self.shape[axes[n]]),
            strides: per_axis(axes.len(), |n| self.strides[axes[n]]),
        }
    }

    /// With a new axis of one index before `axis`.
    pub(crate) fn expanded(&self, axis: usize) -> View {
        let mut view = self.clone();
        view.shape.insert(axis, 1);
        view.strides.insert(axis, 0);
        view
    }

    /// Seen in a shape that it broadcasts to; `None` if it does not.
    pub(crate) fn broadcast(&self, shape: &[usize]) -> Option<View> {
        let skip = shape.len().checked_sub(self.shape.len())?;
        let mut strides = per_axis(shape.len(), |_| 0);
        for (axis, (&extent, &stride)) in self.shape.iter().zip(&self.strides).enumerate() {
            if extent == shape[skip + axis] {
                strides[skip + axis] = stride;
            } else if extent != 1 {
                return None;
            }
        }
        Some(View {
            kind: self.kind,
            data: self.data,
            shape: axes_of(shape),
            strides,
        })
    }

    /// True if the elements are one run in C order.
    pub(crate) fn is_c_contiguous(&self) -> bool {
        self.is_run(self.shape.iter().zip(&self.strides).rev())
    }

    /// True if the elements are one run in Fortran order.
    pub(crate) fn is_f_contiguous(&self) -> bool {
        self.is_run(self.shape.iter().zip(&self.strides))
    }

    /// True if along these axes, of which the first is the innermost, there is no gap.
    fn is_run<'a>(&self, axes: impl Iterator<Item = (&'a usize, &'a isize)>) -> bool {
        let mut step = self.kind.size() as isize;
        for (&extent, &stride) in axes {
            if extent == 0 {
                return true;
            }
            if extent != 1 && stride != step {
                return false;
            }
            step = step.wrapping_mul(extent as isize);
        }
        true
    }

    /// The elements of a C-contiguous array. The type must be that of the array.
    pub(crate) fn as_slice<T: Element>(&self) -> Option<&[T]> {
        self.is_c_contiguous().then(|| self.run()).flatten()
    }

    /// The elements of an F-contiguous array in the order of memory. The type must be that of the array.
    pub(crate) fn as_fortran_slice<T: Element>(&self) -> Option<&[T]> {
        self.is_f_contiguous().then(|| self.run()).flatten()
    }

    /// The elements of a contiguous array in the order of memory.
    fn run<T: Element>(&self) -> Option<&[T]> {
        if T::KIND != self.kind || !self.data.addr().is_multiple_of(align_of::<T>()) {
            return None;
        }
        if self.len() == 0 {
            return Some(&[]);
        }
        // SAFETY: so many elements of this type are at `data`, one after another, and aligned.
        Some(unsafe { std::slice::from_raw_parts(self.data.cast::<T>(), self.len()) })
    }

    /// The elements of a C-contiguous array that the caller alone has, such as a new one; none where it is of another type
    /// or order.
    pub(crate) fn elements_mut<T: Element>(&mut self) -> &mut [T] {
        let Some(all) = self.as_slice::<T>() else {
            return &mut [];
        };
        let (data, n) = (self.data.cast::<T>(), all.len());
        if n == 0 {
            return &mut [];
        }
        // SAFETY: so many elements of this type are at `data`, which the caller alone has.
        unsafe { std::slice::from_raw_parts_mut(data, n) }
    }

    /// Lowest and one past the highest address of the elements; equal when there are none.
    fn extent(&self) -> (usize, usize) {
        let mut low = self.data.addr();
        if self.len() == 0 {
            return (low, low);
        }
        let mut high = low.wrapping_add(self.kind.size());
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            let reach = stride.wrapping_mul(extent as isize - 1);
            if reach < 0 {
                low = low.wrapping_add_signed(reach);
            } else {
                high = high.wrapping_add_signed(reach);
            }
        }
        (low, high)
    }

    /// True if the memory of the two may have bytes in common.
    pub(crate) fn may_overlap(&self, other: &View) -> bool {
        let ((a, b), (c, d)) = (self.extent(), other.extent());
        a < d && c < b
    }

    /// Number of elements.
    pub(crate) fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// The element at a byte offset.
    ///
    /// # Safety
    /// The offset is that of an element of this view, whose type is `T`.
    pub(crate) unsafe fn read<T: Element>(&self, offset: isize) -> T {
        debug_assert_eq!(T::KIND, self.kind);
        // SAFETY: the caller says that an element of this type is there.
        unsafe {
            self.data
                .wrapping_offset(offset)
                .cast::<T>()
                .read_unaligned()
        }
    }

    /// Writes the element at a byte offset.
    ///
    /// # Safety
    /// As for [`View::read`]; the memory is writable.
    pub(crate) unsafe fn write<T: Element>(&self, offset: isize, value: T) {
        debug_assert_eq!(T::KIND, self.kind);
        let at = self.data.wrapping_offset(offset).cast::<T>();
        // SAFETY: the caller says that an element of this type is there.
        unsafe { at.write_unaligned(value) };
    }

    /// Byte offsets of all elements, last axis fastest.
    pub(crate) fn offsets(&self) -> Offsets {
        Offsets::new(&self.shape, &self.strides)
    }

    /// Byte offsets at which the lines along the last axis start. An array without elements has none, whatever number
    /// of empty rows it has; one without axes is a line.
    pub(crate) fn lines(&self) -> Offsets {
        let outer = self.ndim().saturating_sub(1);
        let mut lines = Offsets::new(&self.shape[..outer], &self.strides[..outer]);
        if self.shape.last() == Some(&0) {
            lines.left = 0;
        }
        lines
    }

    /// Without one axis.
    pub(crate) fn without(&self, axis: usize) -> View {
        let mut view = self.clone();
        view.shape.remove(axis);
        view.strides.remove(axis);
        view
    }

    /// The same elements in the order in which NumPy reduces: the axis with the largest step first, each in its own
    /// direction, and neighbouring axes that are one run as one axis.
    pub(crate) fn in_memory_order(&self) -> View {
        if self.ndim() == 1 && self.shape[0] > 1 {
            return self.clone();
        }
        let count = self.len();
        if count > 1 && self.is_c_contiguous() {
            return View {
                kind: self.kind,
                data: self.data,
                shape: per_axis(1, |_| count),
                strides: per_axis(1, |_| self.kind.size() as isize),
            };
        }
        let mut axes: Axes<(usize, isize)> = Axes::new();
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            if extent == 1 {
                continue;
            }
            axes.push((extent, stride));
        }
        sort_axes(&mut axes);
        let mut merged: Axes<(usize, isize)> = Axes::new();
        for (extent, stride) in axes {
            match merged.last_mut() {
                Some(last) if last.1 == stride.wrapping_mul(extent as isize) => {
                    *last = (last.0 * extent, stride);
                }
                _ => merged.push((extent, stride)),
            }
        }
        View {
            kind: self.kind,
            data: self.data,
            shape: per_axis(merged.len(), |n| merged[n].0),
            strides: per_axis(merged.len(), |n| merged[n].1),
        }
    }
}

/// Axes with smaller steps go behind those with larger ones, as NumPy's iterator sorts them: by insertion, and an axis without
/// a step, which compares with none, stays where it is unless others pass it.
fn sort_axes(axes: &mut [(usize, isize)]) {
    for start in (0..axes.len()).rev() {
        let step = axes[start].1.unsigned_abs();
        let mut to = start;
        for (at, &(_, other)) in axes.iter().enumerate().skip(start + 1) {
            let other = other.unsigned_abs();
            if step == 0 || other == 0 {
                continue;
            }
            if other <= step {
                break;
            }
            to = at;
        }
        axes[start..=to].rotate_left(1);
    }
}

/// Byte offsets of the elements of an array, last axis fastest.
pub(crate) struct Offsets {
    axes: Axes<(usize, isize)>,
    index: Axes<usize>,
    offset: isize,
    left: usize,
}

impl Offsets {
    pub(crate) fn new(shape: &[usize], strides: &[isize]) -> Offsets {
        Offsets {
            axes: per_axis(shape.len(), |axis| (shape[axis], strides[axis])),
            index: per_axis(shape.len(), |_| 0),
            offset: 0,
            left: shape.iter().product(),
        }
    }
}

impl Iterator for Offsets {
    type Item = isize;

    fn next(&mut self) -> Option<isize> {
        self.left = self.left.checked_sub(1)?;
        let current = self.offset;
        for (index, &(extent, stride)) in self.index.iter_mut().zip(&self.axes).rev() {
            *index += 1;
            if *index < extent {
                self.offset = self.offset.wrapping_add(stride);
                break;
            }
            *index = 0;
            let back = stride.wrapping_mul(extent as isize - 1);
            self.offset = self.offset.wrapping_sub(back);
        }
        Some(current)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn view(shape: &[usize], strides: &[isize]) -> View {
        View {
            kind: Kind::Float64,
            data: std::ptr::null_mut(),
            shape: shape.into(),
            strides: strides.into(),
        }
    }

    #[test]
    fn offsets_follow_c_order() {
        let all: Vec<isize> = view(&[2, 3], &[8, 16]).offsets().collect();
        assert_eq!(all, [0, 16, 32, 8, 24, 40]);
        assert_eq!(view(&[], &[]).offsets().collect::<Vec<_>>(), [0]);
        assert_eq!(view(&[0, 3], &[8, 16]).offsets().count(), 0);
    }

    #[test]
    fn contiguous_axes_merge() {
        let merged = |shape: &[usize], strides: &[isize]| {
            let v = view(shape, strides).in_memory_order();
            (v.shape.to_vec(), v.strides.to_vec(), v.data.addr() as isize)
        };
        assert_eq!(merged(&[2, 3, 4], &[96, 32, 8]), (vec![24], vec![8], 0));
        assert_eq!(merged(&[3, 2], &[8, 24]), (vec![6], vec![8], 0));
        assert_eq!(merged(&[4], &[-8]), (vec![4], vec![-8], 0));
        assert_eq!(merged(&[2, 3], &[8, -16]), (vec![3, 2], vec![-16, 8], 0));
        assert_eq!(merged(&[2, 3], &[-24, -8]), (vec![6], vec![-8], 0));
        assert_eq!(merged(&[2, 3], &[0, 8]), (vec![2, 3], vec![0, 8], 0));
        assert_eq!(merged(&[2, 3], &[48, 16]), (vec![6], vec![16], 0));
        assert_eq!(merged(&[2, 3], &[64, 16]), (vec![2, 3], vec![64, 16], 0));
        assert_eq!(merged(&[1, 1], &[8, 8]), (vec![], vec![], 0));
    }

    #[test]
    fn strides_of_new_arrays() {
        assert_eq!(c_strides(&[2, 3], 8, false)[..], [24, 8]);
        assert_eq!(c_strides(&[2, 3], 8, true)[..], [8, 16]);
        assert_eq!(c_strides(&[2, 0], 8, false)[..], [8, 8]);
    }
}
