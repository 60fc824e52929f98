//! Smallest and greatest elements and their positions.

use crate::array::View;
use crate::elements::{Element, Kind, Wide, with_element};
use crate::lines;
use crate::parallel::Threads;
use crate::reduce::{elements, for_each_line, line};
use crate::simd::widest;
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use std::ops::Range;

bodies! {
    argmax = argmax, 2, lines::argmax;
    argmin = argmin, 2, lines::argmin;
    max = max, 1, lines::max;
    min = min, 1, lines::min;
}

/// Which end of the order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    Least,
    Greatest,
}

/// `(array) -> scalar`: As max.
fn min(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let message = "zero-size array to reduction operation minimum which has no identity";
    extreme(args, ret, End::Least, message)
}

/// `(array) -> scalar`: The greatest element; a NaN wins; complex numbers in lexicographic order. Empty: ValueError
/// "zero-size array to reduction operation maximum which has no identity".
fn max(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let message = "zero-size array to reduction operation maximum which has no identity";
    extreme(args, ret, End::Greatest, message)
}

fn extreme(args: &[Arg], ret: Ret, end: End, empty: &'static str) -> Result<(), Failure> {
    let source = args[0].like()?;
    let array = source.view();
    let found =
        with_element!(array.kind, T => value::<T>(array, end, ret.threads()).map(|x| x.wide()));
    ret.scalar(found.ok_or_else(|| value_error(empty))?)
}

/// The extreme element; the first NaN, if there is one.
fn value<T: Element>(array: &View, end: End, threads: Threads) -> Option<T> {
    let ordered = array.in_memory_order();
    if T::HAS_PARTS {
        return find::<T>(array, end, threads).map(|(_, x)| x);
    }
    match ordered.as_slice::<T>() {
        Some(run) => of_run_in(threads, run, end),
        None if threads == Threads::One => in_pieces(array, end),
        None => find::<T>(array, end, threads).map(|(_, x)| x),
    }
}

/// The extreme element of an array with gaps: of the extreme ones of so many elements side by side.
fn in_pieces<T: Element>(array: &View, end: End) -> Option<T> {
    let mut best = None;
    each_piece(array, |_, piece: &[T]| {
        let found = of_run(piece, end);
        best = first([best, found].into_iter().flatten(), end).map(|(_, x)| x);
    });
    best
}

/// As [`in_pieces`], with its position in C order.
fn place_in_pieces<T: Element>(array: &View, end: End) -> Option<(usize, T)> {
    let mut best = None;
    each_piece(array, |start, piece: &[T]| {
        let found = first_of_run(piece, end).map(|(at, x)| (start + at, x));
        best = first_of([best, found].into_iter().flatten(), end);
    });
    best
}

/// Elements in C order, so many at once side by side, and the position of the first.
fn each_piece<T: Element>(array: &View, mut see: impl FnMut(usize, &[T])) {
    const PIECE: usize = 512;
    let mut piece = [T::default(); PIECE];
    if let ([n], [stride]) = (&array.shape[..], &array.strides[..]) {
        for start in (0..*n).step_by(PIECE) {
            let here = &mut piece[..PIECE.min(n - start)];
            for (i, place) in (start as isize..).zip(here.iter_mut()) {
                // SAFETY: an element of the array, whose type the caller has looked at.
                *place = unsafe { array.read::<T>(i.wrapping_mul(*stride)) };
            }
            see(start, here);
        }
        return;
    }
    let mut elements = elements::<T>(array);
    let mut start = 0;
    loop {
        let mut n = 0;
        for (place, x) in piece.iter_mut().zip(&mut elements) {
            *place = x;
            n += 1;
        }
        if n == 0 {
            return;
        }
        see(start, &piece[..n]);
        start += n;
    }
}

/// As [`of_run`], in several threads if there is enough to do.
pub(crate) fn of_run_in<T: Element>(threads: Threads, run: &[T], end: End) -> Option<T> {
    let join =
        |a: Option<T>, b: Option<T>| first([a, b].into_iter().flatten(), end).map(|(_, x)| x);
    threads.joined(run.len(), |part| of_run(&run[part], end), join)
}

/// Shorter runs have no whole block.
const SHORT: usize = 16;

/// The extreme element of a run of real numbers, in as many lanes as the processor has.
pub(crate) fn of_run<T: Element>(run: &[T], end: End) -> Option<T> {
    if run.len() < SHORT {
        return first(run.iter().copied(), end).map(|(_, x)| x);
    }
    in_lanes(run, end)
}

widest! {
    /// Blocks of 128 bytes: several registers of any width, and twice as many fit at once.
    fn in_lanes[T: Element](run: &[T], end: End) -> Option<T> {
        match size_of::<T>() {
            0..2 if run.len() >= 128 => in_blocks::<T, 128>(run, end),
            2..4 if run.len() >= 64 => in_blocks::<T, 64>(run, end),
            4..8 if run.len() >= 32 => in_blocks::<T, 32>(run, end),
            _ => in_blocks::<T, SHORT>(run, end),
        }
    }
}

#[inline(always)]
fn in_blocks<T: Element, const LANES: usize>(run: &[T], end: End) -> Option<T> {
    match end {
        End::Least => joined::<T, LANES>(run, |x, best| x.less(best)),
        End::Greatest => joined::<T, LANES>(run, |x, best| best.less(x)),
    }
}

#[inline(always)]
fn joined<T: Element, const LANES: usize>(run: &[T], better: impl Fn(T, T) -> bool) -> Option<T> {
    let better_of = |x, best| if better(x, best) { x } else { best };
    if T::HAS_TOTAL_ORDER {
        return run.iter().copied().reduce(|best, x| better_of(x, best));
    }
    // The last NaN of each lane, or its first element: of the elements' own type, so that the lanes of both fit together.
    let first: [T; LANES] = *run.first_chunk()?;
    let (mut best, mut unordered) = (first, first);
    let mut see = |block: &[T; LANES]| {
        for lane in 0..LANES {
            let x = block[lane];
            best[lane] = better_of(x, best[lane]);
            unordered[lane] = if x.is_nan() { x } else { unordered[lane] };
        }
    };
    let (blocks, rest) = run.as_chunks();
    blocks[1..].iter().for_each(&mut see);
    if !rest.is_empty() {
        // Elements may be seen twice.
        see(run.last_chunk()?);
    }
    if unordered.iter().fold(false, |found, x| found | x.is_nan()) {
        return run.iter().copied().find(|x| x.is_nan());
    }
    let [a, b, c, d] = folded::<T, 4>(&best, better_of)?;
    Some(better_of(better_of(d, c), better_of(b, a)))
}

/// The lanes of all blocks of a run.
#[inline(always)]
fn folded<T: Element, const LANES: usize>(
    run: &[T],
    join: impl Fn(T, T) -> T,
) -> Option<[T; LANES]> {
    let mut all: [T; LANES] = *run.first_chunk()?;
    for block in run[LANES..].chunks_exact(LANES) {
        for lane in 0..LANES {
            all[lane] = join(block[lane], all[lane]);
        }
    }
    Some(all)
}

/// `(array, none | int64 axis) -> int64 | array(int64)`: As argmax; a NaN is smallest.
fn argmin(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let empty = "attempt to get argmin of an empty sequence";
    position(args, ret, End::Least, empty)
}

/// `(array, none | int64 axis) -> int64 | array(int64)`: Position in C order of the first greatest element, or along the
/// axis; a NaN is greatest. Empty: ValueError "attempt to get argmax of an empty sequence". Axis out of range: AxisError.
fn argmax(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let empty = "attempt to get argmax of an empty sequence";
    position(args, ret, End::Greatest, empty)
}

fn position(args: &[Arg], ret: Ret, end: End, empty: &'static str) -> Result<(), Failure> {
    let array = args[0].array()?;
    let find = |view: &View, threads: Threads| {
        let found = with_element!(view.kind, T => find::<T>(view, end, threads).map(|(at, _)| at));
        found.map(|at| at as i64).ok_or_else(|| value_error(empty))
    };
    match args[1].axis(array.shape.len())? {
        Some(axis) if ret.is_array() => {
            let rest = array.without(axis);
            if ret.kind()? != Kind::Int64 {
                return Err(bad_call());
            }
            if array.shape[axis] == 0 && rest.len() > 0 {
                return Err(value_error(empty));
            }
            let out = ret.new_array(&rest.shape)?;
            for_each_line(ret.threads(), array, axis, &out, |to, from| {
                // No line is empty.
                if let Ok(at) = find(&line(array, axis, from), Threads::One) {
                    // SAFETY: an element of the result, which no other line writes.
                    unsafe { out.write(to, at) };
                }
            });
            Ok(())
        }
        _ => ret.scalar(Wide::Int(find(array, ret.threads())?)),
    }
}

/// Position in C order and value of the first extreme element; the first NaN, if there is one.
fn find<T: Element>(array: &View, end: End, threads: Threads) -> Option<(usize, T)> {
    let Some(&rows) = array.shape.first() else {
        return first(elements::<T>(array), end);
    };
    if let (Some(run), Threads::One) = (array.as_slice::<T>(), threads) {
        return first_of_run(run, end);
    }
    if threads == Threads::One && !T::HAS_PARTS {
        return place_in_pieces(array, end);
    }
    let each = (array.len() / rows.max(1)).max(1);
    let parts = threads.parts(array.len(), |part| {
        let (start, stop) = (part.start.div_ceil(each), part.end.div_ceil(each));
        let found = first(elements::<T>(&array.part(0, start, stop - start)), end);
        found.map(|(at, x)| (start * each + at, x))
    });
    first_of(parts.into_iter().flatten(), end)
}

/// The first extreme one of elements at ascending positions; the first NaN, if there is one.
fn first_of<T: Element>(mut all: impl Iterator<Item = (usize, T)>, end: End) -> Option<(usize, T)> {
    let mut best = all.next()?;
    if best.1.is_nan() {
        return Some(best);
    }
    for (at, x) in all {
        if x.is_nan() {
            return Some((at, x));
        }
        let better = match end {
            End::Least => x.less(best.1),
            End::Greatest => best.1.less(x),
        };
        if better {
            best = (at, x);
        }
    }
    Some(best)
}

/// Position of the first extreme element of a run; the first NaN, if there is one. 0 for an empty one.
pub(crate) fn position_in<T: Element>(threads: Threads, run: &[T], end: End) -> i64 {
    let place = |part: Range<usize>| {
        let found = first_of_run(&run[part.clone()], end);
        found.map(|(at, x)| (part.start + at, x))
    };
    let join = |a, b| first_of([a, b].into_iter().flatten(), end);
    threads
        .joined(run.len(), place, join)
        .map_or(0, |(at, _)| at as i64)
}

/// As [`first`], of a run: what is looked for is found first, by vectors, and then where it is.
fn first_of_run<T: Element>(run: &[T], end: End) -> Option<(usize, T)> {
    if T::HAS_PARTS || run.len() < SHORT {
        return first(run.iter().copied(), end);
    }
    let best = of_run(run, end)?;
    let at = if best.is_nan() {
        place_in(run, |x| x.is_nan())
    } else {
        place_in(run, |x| !x.less(best) & !best.less(x))
    };
    at.map(|at| (at, best))
}

/// Where the first element is for which `holds`; whole blocks are asked at once.
fn place_in<T: Element>(run: &[T], holds: impl Fn(T) -> bool) -> Option<usize> {
    const BLOCK: usize = 64;
    let blocks = run.chunks(BLOCK).map(|block| {
        let any = |found: bool, &x: &T| found | holds(x);
        block.iter().fold(false, any)
    });
    let (at, _) = blocks.enumerate().find(|(_, any)| *any)?;
    let start = at * BLOCK;
    let inner = run[start..].iter().position(|&x| holds(x))?;
    Some(start + inner)
}

fn first<T: Element>(elements: impl Iterator<Item = T>, end: End) -> Option<(usize, T)> {
    first_of(elements.enumerate(), end)
}
