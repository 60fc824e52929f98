//! Sorting: NaN last, as NumPy.
//!
//! Long runs are sorted by their bits: a key of each number in the order of the numbers, taken digit by digit from the lowest
//! on. What has no key, and short runs, goes to the sorts of the standard library.

use crate::array::View;
use crate::elements::{Bool, Element, Half, Pair, Time, with_element};
use crate::reduce::line;
use crate::strided::{copy, to_vec};
use crate::value::{Arg, Failure, Ret, bad_call, place_of, value_error};
use numbra_memory::{Gather, filled, gathered_or};
use std::cmp::Ordering;

bodies! {
    argpartition = argpartition, 2;
    argsort = argsorted, 2;
    partition = partition, 2;
    sort = sorted, 1;
    sort_in_place = sort_in_place, 2;
}

/// Numbers with an order.
pub(super) trait Ordered: Element {
    /// Bits of [`Ordered::key`]; 0 when there is none.
    const BITS: u32;
    /// A number in the same order, NaN last.
    fn key(self) -> u64;
    /// The number of a key.
    fn of_key(key: u64) -> Self;
}

macro_rules! signed {
    ($($int:ident $bits:ident),*) => {
        $(impl Ordered for $int {
            const BITS: u32 = $int::BITS;
            fn key(self) -> u64 {
                u64::from((self as $bits) ^ (1 << ($int::BITS - 1)))
            }
            fn of_key(key: u64) -> $int {
                (key as $bits ^ (1 << ($int::BITS - 1))) as $int
            }
        })*
    };
}

macro_rules! unsigned {
    ($($int:ident),*) => {
        $(impl Ordered for $int {
            const BITS: u32 = $int::BITS;
            fn key(self) -> u64 {
                u64::from(self)
            }
            fn of_key(key: u64) -> $int {
                key as $int
            }
        })*
    };
}

signed!(i8 u8, i16 u16, i32 u32, i64 u64);
unsigned!(u8, u16, u32, u64);

/// Keys of floats by their bits: negative ones in reverse, below the others; every NaN above.
macro_rules! floats {
    ($($float:ty, $bits:ident, $to:expr, $from:expr;)*) => {
        $(impl Ordered for $float {
            const BITS: u32 = $bits::BITS;
            fn key(self) -> u64 {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                let bits: $bits = if self.is_nan() { $bits::MAX >> 1 } else { $to(self) };
                u64::from(if bits & SIGN != 0 { !bits } else { bits | SIGN })
            }
            fn of_key(key: u64) -> $float {
                const SIGN: $bits = 1 << ($bits::BITS - 1);
                let bits = key as $bits;
                $from(if bits & SIGN != 0 { bits & !SIGN } else { !bits })
            }
        })*
    };
}

floats! {
    f64, u64, f64::to_bits, f64::from_bits;
    f32, u32, f32::to_bits, f32::from_bits;
    Half, u16, (|x: Half| x.0), Half;
}

impl Ordered for Bool {
    const BITS: u32 = 8;
    fn key(self) -> u64 {
        u64::from(self.0 != 0)
    }
    fn of_key(key: u64) -> Bool {
        Bool(key as u8)
    }
}

/// By counts; NaT, the least, comes behind the greatest.
impl Ordered for Time {
    const BITS: u32 = 64;
    fn key(self) -> u64 {
        (self.0 as u64 ^ (1 << 63)).wrapping_sub(1)
    }
    fn of_key(key: u64) -> Time {
        Time((key.wrapping_add(1) ^ (1 << 63)) as i64)
    }
}

macro_rules! keyless {
    ($($ty:ty),*) => {
        $(impl Ordered for $ty {
            const BITS: u32 = 0;
            fn key(self) -> u64 {
                0
            }
            fn of_key(_: u64) -> $ty {
                <$ty>::default()
            }
        })*
    };
}

keyless!(Pair<f32>, Pair<f64>);

/// Order of numbers, NaN last.
pub(super) fn compare<T: Element>(a: &T, b: &T) -> Ordering {
    if !T::HAS_PARTS {
        return compare_numbers(a, b);
    }
    b.before(*a).cmp(&a.before(*b))
}

/// As [`compare`], of complex numbers without NaN.
fn compare_numbers<T: Element>(a: &T, b: &T) -> Ordering {
    if a.less(*b) {
        Ordering::Less
    } else if b.less(*a) {
        Ordering::Greater
    } else {
        a.is_nan().cmp(&b.is_nan())
    }
}

/// Runs shorter than this are sorted by comparison.
const SHORT: usize = 1024;
/// Bits of a digit.
const DIGIT: u32 = 11;
const DIGITS: usize = 1 << DIGIT;

/// Sorts items by the digits of their keys, from the lowest; equal ones keep their order.
fn by_digits<K: Copy + Default>(mut items: Vec<K>, bits: u32, key: impl Fn(K) -> u64) -> Vec<K> {
    let passes = bits.div_ceil(DIGIT);
    let digit = |item: K, pass: u32| (key(item) >> (pass * DIGIT)) as usize % DIGITS;
    let mut counts = filled(passes as usize, [0_usize; DIGITS]);
    for &item in &items {
        for (pass, counts) in counts.iter_mut().enumerate() {
            counts[digit(item, pass as u32)] += 1;
        }
    }
    let mut spare = filled(items.len(), K::default());
    for (pass, counts) in counts.iter_mut().enumerate() {
        if counts.contains(&items.len()) {
            // All have the same digit.
            continue;
        }
        let mut start = 0;
        for count in counts.iter_mut() {
            start += std::mem::replace(count, start);
        }
        for &item in &items {
            let to = &mut counts[digit(item, pass as u32)];
            spare[*to] = item;
            *to += 1;
        }
        std::mem::swap(&mut items, &mut spare);
    }
    items
}

/// Sorts a run.
pub(super) fn sort<T: Ordered>(run: &mut [T]) {
    if T::HAS_PARTS && !run.iter().any(|x| x.is_nan()) {
        // A third of the time.
        run.sort_unstable_by(compare_numbers);
    } else if T::BITS == 0 || run.len() < SHORT {
        run.sort_unstable_by(compare);
    } else if T::BITS <= 32 {
        let keys = run.iter().map(|x| x.key() as u32).gathered();
        let keys = by_digits(keys, T::BITS, u64::from);
        for (x, key) in run.iter_mut().zip(keys) {
            *x = T::of_key(key.into());
        }
    } else {
        let keys = by_digits(run.iter().map(|x| x.key()).gathered(), T::BITS, |k| k);
        for (x, key) in run.iter_mut().zip(keys) {
            *x = T::of_key(key);
        }
    }
}

/// The positions of a run's items in their order; equal items by position.
pub(super) fn argsort<T: Ordered>(run: &[T]) -> Vec<i64> {
    if T::BITS == 0 || run.len() < SHORT || u32::try_from(run.len()).is_err() {
        let mut places: Vec<i64> = (0..run.len() as i64).gathered();
        // Positions tell equal items apart: no memory is needed to keep their order.
        places
            .sort_unstable_by(|&a, &b| compare(&run[a as usize], &run[b as usize]).then(a.cmp(&b)));
        return places;
    }
    // -0.0 and 0.0 are equal.
    let key = |x: T| {
        if x.is_zero() {
            T::default().key()
        } else {
            x.key()
        }
    };
    let items = run.iter().zip(0..).map(|(&x, at)| (key(x), at)).gathered();
    let items: Vec<(u64, u32)> = by_digits(items, T::BITS, |item: (u64, u32)| item.0);
    items.into_iter().map(|item| item.1.into()).gathered()
}

/// Replaces each line along the last axis.
fn each_line<T: Element>(view: &View, mut f: impl FnMut(&mut [T])) {
    let Some(last) = view.ndim().checked_sub(1) else {
        return;
    };
    for start in view.lines() {
        let line = line(view, last, start);
        let mut run = to_vec::<T>(&line);
        f(&mut run);
        copy(&View::of(&run, &[run.len()]), &line);
    }
}

/// `(array) -> array`: along the last axis.
fn sorted(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let out = ret.new_room(&source.view().shape)?;
    copy(source.view(), &out);
    with_element!(out.kind, T => each_line::<T>(&out, sort));
    Ok(())
}

/// `(array) -> none`: along the last axis, in place.
fn sort_in_place(args: &[Arg], _: Ret) -> Result<(), Failure> {
    let view = args[0].array()?;
    with_element!(view.kind, T => each_line::<T>(view, sort));
    Ok(())
}

/// `(array, kind) -> array(int64)`: positions along the last axis.
fn argsorted(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    positions(args, ret, |_| Ok(Vec::new()))
}

/// Positions that sort each line, or that put what belongs there at the one place that `wanted` gives for its length.
fn positions(
    args: &[Arg],
    ret: Ret,
    wanted: impl Fn(usize) -> Result<Vec<usize>, Failure>,
) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    let last = view.ndim().checked_sub(1).ok_or_else(bad_call)?;
    let wanted = wanted(view.shape[last])?;
    let out = ret.new_room(&view.shape)?;
    for (from, to) in view.lines().zip(out.lines()) {
        let places = with_element!(view.kind, T => {
            let run = to_vec::<T>(&line(view, last, from));
            match wanted[..] {
                [k] => split_at(&run, k),
                _ => argsort(&run),
            }
        });
        copy(&View::of(&places, &[places.len()]), &line(&out, last, to));
    }
    Ok(())
}

/// Positions that are to hold what they hold in the sorted run; ValueError when out of range.
fn kth(arg: &Arg, n: usize) -> Result<Vec<usize>, Failure> {
    let source = arg.like()?;
    if source.view().ndim() > 1 {
        return Err(value_error("kth must be scalar or 1-D"));
    }
    if n == 0 {
        return Ok(Vec::new());
    }
    let wanted = to_vec::<i64>(source.view()).into_iter();
    gathered_or(wanted.map(|k| place_of(k, n).ok_or_else(|| value_error("kth out of bounds"))))
}

/// `(array, kth) -> array`: along the last axis.
fn partition(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    let n = view.shape.last().copied().ok_or_else(bad_call)?;
    let places = kth(&args[1], n)?;
    let out = ret.new_room(&view.shape)?;
    copy(view, &out);
    with_element!(out.kind, T => each_line::<T>(&out, |run| match places[..] {
        [] => {}
        [k] => {
            run.select_nth_unstable_by(k, compare);
        }
        _ => sort(run),
    }));
    Ok(())
}

/// `(array, kth) -> array(int64)`: positions along the last axis.
fn argpartition(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    positions(args, ret, |n| kth(&args[1], n))
}

/// Positions of what is not greater than item `k` of the sorted run, of that item, and of the rest.
fn split_at<T: Ordered>(run: &[T], k: usize) -> Vec<i64> {
    fn places<K: Copy>(
        mut items: Vec<(K, i64)>,
        k: usize,
        compare: impl Fn(&K, &K) -> Ordering,
    ) -> Vec<i64> {
        items.select_nth_unstable_by(k, |a, b| compare(&a.0, &b.0));
        items.into_iter().map(|(_, place)| place).gathered()
    }
    if T::BITS > 0 {
        return places(run.iter().map(|x| x.key()).zip(0..).gathered(), k, u64::cmp);
    }
    places(run.iter().copied().zip(0..).gathered(), k, compare)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers without a pattern.
    fn noise(n: usize) -> Vec<i64> {
        let mut x = 1_u64;
        let mut next = || {
            x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (x >> 3) as i64 - (1 << 60)
        };
        (0..n).map(|_| next()).collect()
    }

    #[test]
    fn digits_sort_as_comparisons() {
        let mut ints = noise(5000);
        let mut expected = ints.clone();
        expected.sort_unstable();
        sort(&mut ints);
        assert_eq!(ints, expected);
        let mut floats: Vec<f64> = noise(5000).iter().map(|&x| x as f64 * 1e-3).collect();
        floats[17] = f64::NAN;
        floats[18] = -f64::NAN;
        floats[19] = f64::NEG_INFINITY;
        let mut expected = floats.clone();
        expected.sort_unstable_by(compare);
        sort(&mut floats);
        assert!(floats[4998].is_nan() && floats[4999].is_nan());
        assert_eq!(floats[..4998], expected[..4998]);
    }

    #[test]
    fn nat_is_sorted_behind_all_times() {
        let mut times: Vec<Time> = noise(3000).into_iter().map(Time).collect();
        (times[5], times[6], times[7]) = (Time::NAT, Time(i64::MAX), Time(i64::MIN + 1));
        sort(&mut times);
        assert_eq!((times[0].0, times[2998].0), (i64::MIN + 1, i64::MAX));
        assert!(times[2999].is_nan() && times[..2999].is_sorted_by(|a, b| !b.less(*a)));
    }

    #[test]
    fn positions_of_equal_items_stay_in_order() {
        let run: Vec<f32> = noise(3000)
            .iter()
            .map(|&x| (x % 7) as f32 * 0.0 + (x % 5) as f32)
            .collect();
        let places = argsort(&run);
        for pair in places.windows(2) {
            let (a, b) = (run[pair[0] as usize], run[pair[1] as usize]);
            assert!(a < b || (a == b && pair[0] < pair[1]), "{a} {b}");
        }
    }
}
