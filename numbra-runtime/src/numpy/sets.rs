//! Arrays as sets, and positions in sorted arrays.

use super::order::{Ordered, compare, sort};
use crate::array::View;
use crate::elements::{Bool, Element, Kind, Wide, with_element};
use crate::numpy_version::numpy_is_at_least;
use crate::set;
use crate::simd::widest;
use crate::strided::{run_of, to_vec};
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use numbra_memory::{Gather, Grow, filled, joined};
use std::cmp::Ordering;
use std::hint::select_unpredictable;
use std::ops::BitOr;

bodies! {
    digitize = digitize, 3;
    intersect1d = intersect1d, 3;
    isin = isin, 4;
    searchsorted = searchsorted, 3;
    setdiff1d = setdiff1d, 3;
    setxor1d = setxor1d, 3;
    union1d = union1d, 2;
    unique = unique, 1;
}

/// The elements of an argument in order, each once unless `keep`.
fn distinct<T: Ordered>(arg: &Arg, keep: bool) -> Result<Vec<T>, Failure> {
    let mut run = to_vec::<T>(arg.like()?.view());
    sort(&mut run);
    if !keep {
        keep_one_of_each(&mut run);
    }
    Ok(run)
}

/// Leaves one of equal items that follow each other. Every NaN is taken for the same, whichever part of a complex number it is.
fn keep_one_of_each<T: Element>(run: &mut Vec<T>) {
    run.dedup_by(|a, b| compare(a, b) == Ordering::Equal || (a.is_nan() && b.is_nan()));
}

/// `(array) -> array`
fn unique(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => ret.vector(&distinct::<T>(&args[0], false)?))
}

/// `(array, array) -> array`
fn union1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => {
        let mut run = distinct::<T>(&args[0], true)?;
        run.put_all(distinct::<T>(&args[1], true)?);
        sort(&mut run);
        keep_one_of_each(&mut run);
        ret.vector(&run)
    })
}

/// `(array, array, assume_unique) -> array`
fn intersect1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let unique = args[2].flag()?;
    with_element!(ret.kind()?, T => {
        let (a, b) = (distinct::<T>(&args[0], unique)?, distinct::<T>(&args[1], unique)?);
        let mut run = joined(&[&a, &b]);
        sort(&mut run);
        let twice = run.windows(2).filter(|w| w[0].wide() == w[1].wide());
        let found: Vec<T> = twice.map(|w| w[0]).gathered();
        ret.vector(&found)
    })
}

/// `(array, array, assume_unique) -> array`
fn setxor1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let unique = args[2].flag()?;
    with_element!(ret.kind()?, T => {
        let (a, b) = (distinct::<T>(&args[0], unique)?, distinct::<T>(&args[1], unique)?);
        let mut run = joined(&[&a, &b]);
        sort(&mut run);
        let same = |i: usize, j: usize| run[i].wide() == run[j].wide();
        let once = |i: usize| {
            (i == 0 || !same(i - 1, i)) && (i + 1 == run.len() || !same(i, i + 1))
        };
        let found: Vec<T> = (0..run.len()).filter(|&i| once(i)).map(|i| run[i]).gathered();
        ret.vector(&found)
    })
}

/// `(array, array, assume_unique) -> array`
fn setdiff1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let unique = args[2].flag()?;
    with_element!(ret.kind()?, T => {
        let mut a = if unique {
            to_vec::<T>(args[0].like()?.view())
        } else {
            distinct::<T>(&args[0], false)?
        };
        let (own, b) = (View::of(&a, &[a.len()]), args[1].like()?);
        let mut is_in = filled(a.len(), Bool(0));
        mark_members(&mut is_in, &own, b.view(), true);
        let mut is_in = is_in.iter();
        a.retain(|_| is_in.next().is_some_and(|is_in| is_in.0 == 0));
        ret.vector(&a)
    })
}

/// The widest type in which two element types compare.
fn common(a: Kind, b: Kind) -> Kind {
    let complex = |k| matches!(k, Kind::Complex64 | Kind::Complex128);
    let float = |k| matches!(k, Kind::Float16 | Kind::Float32 | Kind::Float64);
    if a == b {
        a
    } else if complex(a) || complex(b) {
        Kind::Complex128
    } else if float(a) || float(b) {
        Kind::Float64
    } else if a == Kind::UInt64 || b == Kind::UInt64 {
        // Numbers of both signs and 64 bits have no integer type.
        let unsigned = |k| {
            matches!(
                k,
                Kind::Bool | Kind::UInt8 | Kind::UInt16 | Kind::UInt32 | Kind::UInt64
            )
        };
        if unsigned(a) && unsigned(b) {
            Kind::UInt64
        } else {
            Kind::Float64
        }
    } else {
        Kind::Int64
    }
}

/// Sets of up to so many bytes are compared item by item, many elements at once: narrow ones more at once.
const SHORT: usize = 512;

/// `(element, test_elements, assume_unique, invert) -> array(bool)`
fn isin(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (x, set) = (args[0].like()?, args[1].like()?);
    let invert = args[3].flag()?;
    let mut found = filled(x.view().len(), Bool(0));
    mark_members(&mut found, x.view(), set.view(), !invert);
    ret.array(&x.view().shape, &found)
}

/// Says `found`, else its opposite, for the elements of `x` that are in a set, compared in the type that both have in common.
/// Integers of 64 bits with and without sign have none: they compare as the numbers that they are.
fn mark_members(places: &mut [Bool], x: &View, set: &View, found: bool) {
    let kind = common(x.kind, set.kind);
    if is_whole(x.kind) && is_whole(set.kind) && !is_whole(kind) {
        // Numbers below 0 and those from 2^63 on have the high bit, and are in one type only.
        let both = |bits: &u64| *bits <= i64::MAX as u64;
        let set: Vec<u64> = run_of::<u64>(set).iter().copied().filter(both).gathered();
        return mark_members_of(places, &run_of::<u64>(x), &set, found);
    }
    with_element!(kind, T => mark_members_of(places, &run_of::<T>(x), &run_of::<T>(set), found));
}

fn is_whole(kind: Kind) -> bool {
    !matches!(
        kind,
        Kind::Float16
            | Kind::Float32
            | Kind::Float64
            | Kind::Complex64
            | Kind::Complex128
            | Kind::Bytes(_)
    )
}

fn mark_members_of<T: Element>(places: &mut [Bool], all: &[T], set: &[T], found: bool) {
    if size_of_val(set) <= SHORT {
        return mark(places, all, set, found);
    }
    let set = Members::new(set);
    for (place, x) in places.iter_mut().zip(all) {
        place.0 = (set.has(*x) == found).into();
    }
}

/// Says `found` where an element is in a set of few items.
fn mark<T: Element>(places: &mut [Bool], all: &[T], set: &[T], found: bool) {
    match size_of::<T>() {
        1 => mark_as(places, all, set, found, 0_u8),
        2 => mark_as(places, all, set, found, 0_u16),
        4 => mark_as(places, all, set, found, 0_u32),
        _ => mark_as(places, all, set, found, 0_u64),
    }
}

widest! {
    /// [`mark`], with integers of the size of elements, of which `none` is 0, for what is known of each: vectors of both have as
    /// many lanes.
    fn mark_as[T: Element, M: Copy + From<bool> + BitOr<Output = M> + PartialEq](
        places: &mut [Bool], all: &[T], set: &[T], found: bool, none: M,
    ) {
        /// So many elements at once, whose results are in registers meanwhile.
        const BLOCK: usize = 64;
        let (blocks, rest) = all.as_chunks::<BLOCK>();
        let (places, rest_of_places) = places.as_chunks_mut::<BLOCK>();
        for (places, block) in places.iter_mut().zip(blocks) {
            let mut is_in = [none; BLOCK];
            for item in set {
                for lane in 0..BLOCK {
                    is_in[lane] = is_in[lane] | M::from(block[lane] == *item);
                }
            }
            *places = is_in.map(|is_in| Bool(u8::from((is_in != none) == found)));
        }
        for (place, x) in rest_of_places.iter_mut().zip(rest) {
            let is_in = set.iter().fold(false, |is_in, item| is_in | (x == item));
            *place = Bool((is_in == found).into());
        }
    }
}

/// The items of a set, found by their hash.
struct Members<T> {
    /// Each item is at the place of its hash or, with others only in between, behind it.
    slots: Vec<T>,
    /// An item, which is also in all places that are free; none if there are no items.
    free: Option<T>,
    shift: u32,
}

impl<T: Element> Members<T> {
    /// A NaN equals nothing and is no item.
    fn new(items: &[T]) -> Members<T> {
        let free = items.iter().copied().find(|x| !x.is_nan());
        // At most half is full: few places have to be looked at.
        let size = (items.len() * 2).next_power_of_two().max(2);
        let mut members = Members {
            slots: filled(size, free.unwrap_or_default()),
            free,
            shift: u64::BITS - size.trailing_zeros(),
        };
        for &x in items.iter().filter(|x| !x.is_nan()) {
            let place = members.place(x);
            members.slots[place] = x;
        }
        members
    }

    fn has(&self, x: T) -> bool {
        self.free.is_some() && self.slots[self.place(x)] == x
    }

    /// Where `x` is, or where it would be.
    fn place(&self, x: T) -> usize {
        let mask = self.slots.len() - 1;
        let mut place = (hash(x) >> self.shift) as usize & mask;
        while self.slots[place] != x && Some(self.slots[place]) != self.free {
            place = (place + 1) & mask;
        }
        place
    }
}

/// Equal numbers have equal ones, of which the high bits differ most.
fn hash<T: Element>(x: T) -> u64 {
    // Zero and its negative are equal.
    let bits = |x: f64| (x + 0.0).to_bits();
    let word = match x.wide() {
        Wide::Int(x) => x as u64,
        Wide::UInt(x) => x,
        Wide::Float(x) => bits(x),
        Wide::Complex(re, im) => set::hash(bits(re)) ^ bits(im),
    };
    set::hash(word)
}

/// Where numbers go in a sorted run, NaN last, before or after equal ones. Numbers in no order are found without a branch on
/// them, which no processor foresees.
fn search<T: Element>(run: &[T], x: T, after: bool) -> i64 {
    let is_number = |y: &T| !y.is_nan();
    let place = match (x.is_nan(), after) {
        (true, false) if T::HAS_PARTS => run.partition_point(|y| y.before(x)),
        (true, true) if T::HAS_PARTS => run.partition_point(|y| !x.before(*y)),
        (true, false) => run.partition_point(is_number),
        (true, true) => run.len(),
        (false, false) => run.partition_point(|y| y.less(x)),
        (false, true) => run.partition_point(|y| is_number(y) & !x.less(*y)),
    };
    place as i64
}

/// Where NumPy finds numbers in a run that may be in any order.
enum Bisection {
    /// From NumPy 2.5 on: it halves the number of places that are left, for each number anew.
    Halves,
    /// Before: it halves what is between two bounds, and keeps one of them from one number to the next.
    Bounds { low: usize, high: usize },
}

impl Bisection {
    fn of(n: usize) -> Bisection {
        if numpy_is_at_least((2, 5)) {
            Bisection::Halves
        } else {
            Bisection::Bounds { low: 0, high: n }
        }
    }

    /// The place of `x`, which is searched after `last`.
    fn next<T: Element>(&mut self, run: &[T], last: T, x: T, after: bool) -> i64 {
        let before = |a: T, b: T| if after { !b.before(a) } else { a.before(b) };
        let (low, high) = match self {
            Bisection::Halves => return halve(run, |y| before(y, x)) as i64,
            Bisection::Bounds { low, high } => (low, high),
        };
        if before(last, x) {
            *high = run.len();
        } else {
            *low = 0;
            *high = run.len().min(*high + 1);
        }
        while *low < *high {
            let middle = *low + (*high - *low) / 2;
            let is_before = before(run[middle], x);
            *low = select_unpredictable(is_before, middle + 1, *low);
            *high = select_unpredictable(is_before, *high, middle);
        }
        *low as i64
    }
}

/// The place behind all that are `before`, of which half are left out at each step.
fn halve<T: Element>(run: &[T], before: impl Fn(T) -> bool) -> usize {
    let (mut low, mut left) = (0, run.len());
    while left > 1 {
        let half = left / 2;
        left -= half;
        low += select_unpredictable(before(run[low + half]), half, 0);
    }
    low + usize::from(run.get(low).is_some_and(|y| before(*y)))
}

/// In sorted runs of so many numbers, or fewer, all that come before another are counted.
const COUNTED: usize = 16;

/// In runs of up to so many numbers for each that is looked for, it is worth a look whether they are in order.
const LOOKED_AT: usize = 16;

/// As [`search`], of numbers in a sorted run of numbers.
fn count_before<T: Element>(run: &[T], x: T, after: bool) -> i64 {
    let before = |y: &T| if after { !x.less(*y) } else { y.less(x) };
    run.iter().fold(0, |count, y| count + i64::from(before(y)))
}

/// Positions of the numbers of `x` in the `run`, in the result's shape. In a sorted run they do not depend on how they are found.
fn places(run: &View, x: &View, after: bool, turn: bool, ret: Ret) -> Result<(), Failure> {
    let found: Vec<i64> = with_element!(common(run.kind, x.kind), T => {
        let run = run_of::<T>(run);
        let n = run.len() as i64;
        let all = run_of::<T>(x);
        let in_order = run.len() / LOOKED_AT <= all.len()
            && run.is_sorted_by(|a, b| !b.before(*a));
        let is_small = in_order
            && run.len() <= COUNTED
            && run.last().is_some_and(|y| !y.is_nan());
        let mut bounds = Bisection::of(run.len());
        let mut last = all.first().copied().unwrap_or_default();
        let mut place = |x: T| {
            if is_small && !x.is_nan() {
                return count_before(&run, x, after);
            }
            if in_order {
                return search(&run, x, after);
            }
            let place = bounds.next(&run, last, x, after);
            last = x;
            place
        };
        all.iter()
            .map(|&x| place(x))
            .map(|at| if turn { n - at } else { at })
            .gathered()
    });
    if !ret.is_array() {
        let first = found.first().copied().ok_or_else(bad_call)?;
        return ret.scalar(Wide::Int(first));
    }
    ret.array(&x.shape, &found)
}

/// `(array, number | array, side) -> int64 | array(int64)`
fn searchsorted(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let after = match args[2].text()?.as_str() {
        "left" => false,
        "right" => true,
        other => {
            return Err(value_error(format!(
                "Invalid value given for 'side': {other}"
            )));
        }
    };
    let (run, x) = (args[0].like()?, args[1].like()?);
    places(run.view(), x.view(), after, false, ret)
}

/// Whether the edges go up, else down; nothing where they do neither. NumPy's `check_array_monotonic`, which also says what
/// happens with NaN: the first two edges that differ decide, and comparisons with NaN are false.
fn rises(edges: &[f64]) -> Option<bool> {
    let Some(next) = edges.iter().position(|e| *e != edges[0]).filter(|i| *i > 0) else {
        // One value only; or NaN first, which differs from itself.
        return match edges {
            [first, rest @ ..] if first.is_nan() && !rest.is_empty() => falls(rest),
            _ => Some(true),
        };
    };
    let rest = &edges[next..];
    if edges[0] < edges[next] {
        let broken = rest.windows(2).any(|w| w[0] > w[1]);
        return (!broken).then_some(true);
    }
    falls(rest)
}

fn falls(edges: &[f64]) -> Option<bool> {
    let broken = edges.windows(2).any(|w| w[0] < w[1]);
    (!broken).then_some(false)
}

/// `(number | array, bins, right) -> int64 | array(int64)`
fn digitize(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (x, bins) = (args[0].like()?, args[1].like()?);
    let after = !args[2].flag()?;
    let edges = run_of::<f64>(bins.view());
    let wrong = || value_error("bins must be monotonically increasing or decreasing");
    if rises(&edges).ok_or_else(wrong)? {
        return places(bins.view(), x.view(), after, false, ret);
    }
    places(&bins.view().flipped(0), x.view(), after, true, ret)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elements::Pair;

    #[test]
    fn complex_numbers_are_found() {
        let z = |re: f64, im: f64| Pair { re, im };
        let run = [z(0.0, 1.0), z(1.0, -1.0), z(1.0, 2.0)];
        let set = Members::new(&run);
        assert!(set.has(z(1.0, -1.0)) && set.has(z(-0.0, 1.0)));
        assert!(!set.has(z(1.0, 0.0)) && !set.has(z(0.0, 0.0)));
        assert_eq!(search(&run, z(1.0, 0.0), false), 2);
        assert_eq!(
            (search(&run, run[0], false), search(&run, run[0], true)),
            (0, 1)
        );
    }
}
