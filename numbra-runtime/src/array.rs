//! Arrays of any rank and strides, and how they are walked.

use crate::elements::{Element, Kind};

/// Memory seen as an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct View {
    pub(crate) kind: Kind,
    pub(crate) data: *mut u8,
    pub(crate) shape: Vec<usize>,
    /// In bytes.
    pub(crate) strides: Vec<isize>,
}

/// Strides of a new array: C order, or Fortran order.
pub(crate) fn c_strides(shape: &[usize], itemsize: usize, fortran: bool) -> Vec<isize> {
    let mut strides = vec![0; shape.len()];
    let mut step = itemsize as isize;
    let mut axes: Vec<usize> = (0..shape.len()).rev().collect();
    if fortran {
        axes.reverse();
    }
    for axis in axes {
        strides[axis] = step;
        step *= shape[axis].max(1) as isize;
    }
    strides
}

impl View {
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

    /// Without one axis.
    pub(crate) fn without(&self, axis: usize) -> View {
        let mut view = self.clone();
        view.shape.remove(axis);
        view.strides.remove(axis);
        view
    }

    /// The same elements in the order of memory: steps are positive, the largest first, and neighbouring axes that are one
    /// run are one axis. This is the order in which NumPy reduces.
    pub(crate) fn in_memory_order(&self) -> View {
        let mut view = self.clone();
        let mut axes: Vec<(usize, isize)> = Vec::new();
        for (&extent, &stride) in self.shape.iter().zip(&self.strides) {
            if extent == 1 {
                continue;
            }
            if stride < 0 && extent > 0 {
                let to_last = stride.wrapping_mul(extent as isize - 1);
                view.data = view.data.wrapping_offset(to_last);
            }
            axes.push((extent, stride.wrapping_abs()));
        }
        // Stable: equal steps keep their order.
        axes.sort_by_key(|a| std::cmp::Reverse(a.1));
        let mut merged: Vec<(usize, isize)> = Vec::new();
        for (extent, stride) in axes {
            match merged.last_mut() {
                Some(last) if last.1 == stride.wrapping_mul(extent as isize) => {
                    *last = (last.0 * extent, stride);
                }
                _ => merged.push((extent, stride)),
            }
        }
        view.shape = merged.iter().map(|a| a.0).collect();
        view.strides = merged.iter().map(|a| a.1).collect();
        view
    }
}

/// Byte offsets of the elements of an array, last axis fastest.
pub(crate) struct Offsets {
    axes: Vec<(usize, isize)>,
    index: Vec<usize>,
    offset: isize,
    left: usize,
}

impl Offsets {
    pub(crate) fn new(shape: &[usize], strides: &[isize]) -> Offsets {
        Offsets {
            axes: shape.iter().copied().zip(strides.iter().copied()).collect(),
            index: vec![0; shape.len()],
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
            shape: shape.to_vec(),
            strides: strides.to_vec(),
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
            (v.shape, v.strides, v.data.addr() as isize)
        };
        assert_eq!(merged(&[2, 3, 4], &[96, 32, 8]), (vec![24], vec![8], 0));
        assert_eq!(merged(&[3, 2], &[8, 24]), (vec![6], vec![8], 0));
        assert_eq!(merged(&[4], &[-8]), (vec![4], vec![8], -24));
        assert_eq!(merged(&[2, 3], &[48, 16]), (vec![6], vec![16], 0));
        assert_eq!(merged(&[2, 3], &[64, 16]), (vec![2, 3], vec![64, 16], 0));
        assert_eq!(merged(&[1, 1], &[8, 8]), (vec![], vec![], 0));
    }

    #[test]
    fn strides_of_new_arrays() {
        assert_eq!(c_strides(&[2, 3], 8, false), [24, 8]);
        assert_eq!(c_strides(&[2, 3], 8, true), [8, 16]);
        assert_eq!(c_strides(&[2, 0], 8, false), [8, 8]);
    }
}
