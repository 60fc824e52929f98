//! Positions of the elements that are not 0.

use super::select::truth;
use crate::array::View;
use crate::elements::{Element, Kind, with_element};
use crate::simd::widest;
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::{filled, room};

bodies! {
    argwhere = argwhere, 1;
    flatnonzero = flatnonzero, 1;
    nonzero = nonzero, 1;
}

/// How many elements one word of [`Marks`] stands for.
const WORD: usize = 64;

/// Up to so many set bits of a word are looked for one by one.
const FEW: usize = 52;

/// A bit for each element in C order, set where it is not 0.
struct Marks {
    words: Vec<u64>,
    /// How many are set.
    count: usize,
}

impl Marks {
    fn of(view: &View) -> Marks {
        let mut marks = Marks {
            words: room(view.len().div_ceil(WORD)),
            count: 0,
        };
        if let Kind::Bytes(_) = view.kind {
            let set = truth(view);
            for chunk in set.chunks(WORD) {
                marks.push(chunk.len(), |at| chunk[at]);
            }
            return marks;
        }
        with_element!(view.kind, T => match view.as_slice::<T>() {
            Some(run) => {
                marks.words = filled(run.len().div_ceil(WORD), 0);
                marks.count = mark(run, &mut marks.words);
            }
            None => {
                let set = strided_truth::<T>(view);
                for chunk in set.chunks(WORD) {
                    marks.push(chunk.len(), |at| chunk[at]);
                }
            }
        });
        marks
    }

    /// Adds a word for the next `n` elements, at most [`WORD`], which are asked for in order.
    fn push(&mut self, n: usize, mut set: impl FnMut(usize) -> bool) {
        let mut bytes = [0_u8; WORD];
        for (at, byte) in bytes[..n].iter_mut().enumerate() {
            *byte = u8::from(set(at));
        }
        let word = word_of(&bytes);
        self.count += word.count_ones() as usize;
        self.words.push(word);
    }

    /// Writes the positions of the set bits, for which there is room.
    fn write(&self, out: &mut [i64]) -> Result<(), Failure> {
        if out.len() != self.count {
            return Err(bad_call());
        }
        let mut rest = out;
        for (at, &word) in self.words.iter().enumerate() {
            let (here, after) = rest.split_at_mut(word.count_ones() as usize);
            write_word(word, (at * WORD) as i64, here);
            rest = after;
        }
        Ok(())
    }
}

widest! {
    /// Makes the words of a run, and says how many bits are set.
    fn mark[T: Element](run: &[T], words: &mut [u64]) -> usize {
        let (chunks, rest) = run.as_chunks::<WORD>();
        let mut count = 0_usize;
        for (word, chunk) in words.iter_mut().zip(chunks) {
            let mut bytes = [0_u8; WORD];
            for (byte, x) in bytes.iter_mut().zip(chunk) {
                *byte = u8::from(!x.is_zero());
            }
            *word = word_of(&bytes);
            count += word.count_ones() as usize;
        }
        if let (Some(word), false) = (words.last_mut(), rest.is_empty()) {
            let mut bytes = [0_u8; WORD];
            for (byte, x) in bytes.iter_mut().zip(rest) {
                *byte = u8::from(!x.is_zero());
            }
            *word = word_of(&bytes);
            count += word.count_ones() as usize;
        }
        count
    }
}

/// Bytes of 0 or 1 as bits.
#[inline(always)]
fn word_of(bytes: &[u8; WORD]) -> u64 {
    let mut word = 0;
    for (at, eight) in bytes.as_chunks::<8>().0.iter().enumerate() {
        // The product has byte `i` as bit `i` of its highest byte.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        word |= bits << (at * 8);
    }
    word
}

/// Writes the positions of the set bits of a word, from `start` on.
#[inline]
fn write_word(mut word: u64, start: i64, mut out: &mut [i64]) {
    if out.len() <= FEW {
        for to in out {
            *to = start + i64::from(word.trailing_zeros());
            word &= word.wrapping_sub(1);
        }
        return;
    }
    // Most are set: positions one after another, up to the next that is not.
    let mut bit = 0;
    while !out.is_empty() {
        bit += (word >> bit).trailing_zeros();
        let ones = (word >> bit).trailing_ones();
        let (run, after) = out.split_at_mut(ones as usize);
        for (to, place) in run.iter_mut().zip(start + i64::from(bit)..) {
            *to = place;
        }
        (out, bit) = (after, bit + ones);
    }
}

/// Whether the elements of an array of any strides are not 0, in C order.
fn strided_truth<T: Element>(view: &View) -> Vec<bool> {
    let last = view.ndim().saturating_sub(1);
    let (row, step) = match view.shape.last() {
        Some(&row) => (row as isize, view.strides[last]),
        None => (1, 0),
    };
    let mut set = room(view.len());
    for base in view.lines() {
        set.extend((0..row).map(|at| {
            // SAFETY: an element of the array, of whose type `T` is.
            let x = unsafe { view.read::<T>(base.wrapping_add(at.wrapping_mul(step))) };
            !x.is_zero()
        }));
    }
    set
}

/// Takes the index of an axis out of positions in C order, which increase: they become positions among the axes before it.
fn take_axis(places: &mut [i64], extent: usize, out: &mut [i64]) {
    let extent = extent as i64;
    let (mut row, mut start) = (0, 0);
    for (place, to) in places.iter_mut().zip(out) {
        if *place - start >= extent {
            row = *place / extent;
            start = row * extent;
        }
        *to = *place - start;
        *place = row;
    }
}

/// Writes the indices of each axis to the arrays that `room` gives for so many.
fn write_axes(
    view: &View,
    mut room: impl FnMut(usize, usize) -> Result<View, Failure>,
) -> Result<(), Failure> {
    let marks = Marks::of(view);
    let last = view.ndim() - 1;
    let mut axes = numbra_memory::room(view.ndim());
    for axis in 0..=last {
        axes.push(room(axis, marks.count)?);
    }
    // Positions in C order, which lose an axis after another, and are the index of the first in the end.
    let (first, rest) = axes.split_at_mut(1);
    let places = first[0].elements_mut::<i64>();
    marks.write(places)?;
    for (to, &extent) in rest.iter_mut().zip(&view.shape[1..]).rev() {
        take_axis(places, extent, to.elements_mut());
    }
    Ok(())
}

/// `(array) -> tuple of arrays`
fn nonzero(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    if view.ndim() == 0 {
        return Err(value_error(
            "Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead. If the context of this \
             error is of the form `arr[nonzero(cond)]`, just use `arr[cond]`.",
        ));
    }
    write_axes(view, |axis, n| ret.item(axis)?.new_room(&[n]))
}

/// `(array) -> array`
fn flatnonzero(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let marks = Marks::of(args[0].like()?.view());
    marks.write(ret.new_room(&[marks.count])?.elements_mut())
}

/// `(array) -> array`: one row an element.
fn argwhere(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    if view.ndim() == 0 {
        return ret.new_array(&[Marks::of(view).count, 0]).map(drop);
    }
    let mut out = None;
    write_axes(view, |axis, n| {
        let out = match &mut out {
            Some(out) => out,
            none => none.insert(ret.new_room(&[n, view.ndim()])?),
        };
        Ok(out.at(1, axis))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found<T: Element>(all: &mut [T], shape: &[usize]) -> Vec<i64> {
        let marks = Marks::of(&View::of_mut(all, shape));
        let mut out = vec![0; marks.count];
        marks.write(&mut out).expect("room for all");
        out
    }

    #[test]
    fn positions_across_words() {
        for n in [0, 1, 7, 8, 63, 64, 65, 200] {
            for step in [1, 3, 64, 300] {
                let mut all: Vec<f64> =
                    (0..n).map(|i| f64::from(u8::from(i % step == 0))).collect();
                let want: Vec<i64> = (0..n as i64).step_by(step).collect();
                assert_eq!(found(&mut all, &[n]), want, "{n} {step}");
            }
        }
    }

    #[test]
    fn positions_where_few_are_zero() {
        for zero in [0, 1, 31, 62, 63, 64, 126, 127, 129] {
            let mut all: Vec<i64> = (0..130).map(|i| i64::from(i != zero && i != 70)).collect();
            let want: Vec<i64> = (0..130).filter(|&i| i != zero && i != 70).collect();
            assert_eq!(found(&mut all, &[130]), want, "{zero}");
        }
    }

    #[test]
    fn every_true_byte_counts_once() {
        let mut all: Vec<crate::elements::Bool> = [0, 1, 2, 255, 0, 128, 0, 3, 1, 0]
            .map(crate::elements::Bool)
            .to_vec();
        assert_eq!(found(&mut all, &[2, 5]), [1, 2, 3, 5, 7, 8]);
    }

    #[test]
    fn an_axis_is_taken_out() {
        let (mut places, mut out) = ([0, 2, 3, 11, 12], [0; 5]);
        take_axis(&mut places, 3, &mut out);
        assert_eq!((places, out), ([0, 0, 1, 3, 4], [0, 2, 0, 2, 0]));
    }
}
