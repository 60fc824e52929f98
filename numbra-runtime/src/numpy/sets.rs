//! Arrays as sets, and positions in sorted arrays.

use super::order::{Ordered, compare, sort};
use crate::array::View;
use crate::elements::{Bool, Element, Kind, with_element};
use crate::strided::{run_of, to_vec};
use crate::value::{Arg, Failure, Ret, bad_call, value_error};
use std::cmp::Ordering;

/// The elements of an argument in order, each once unless `keep`.
fn distinct<T: Ordered>(arg: &Arg, keep: bool) -> Result<Vec<T>, Failure> {
    let mut run = to_vec::<T>(arg.like()?.view());
    sort(&mut run);
    if !keep {
        run.dedup_by(|a, b| compare(a, b) == Ordering::Equal);
    }
    Ok(run)
}

/// `(array) -> array`
pub(super) fn unique(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => ret.vector(&distinct::<T>(&args[0], false)?))
}

/// `(array, array) -> array`
pub(super) fn union1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    with_element!(ret.kind()?, T => {
        let mut run = distinct::<T>(&args[0], true)?;
        run.extend(distinct::<T>(&args[1], true)?);
        sort(&mut run);
        run.dedup_by(|a, b| compare(a, b) == Ordering::Equal);
        ret.vector(&run)
    })
}

/// `(array, array, assume_unique) -> array`
pub(super) fn intersect1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let unique = args[2].flag()?;
    with_element!(ret.kind()?, T => {
        let (a, b) = (distinct::<T>(&args[0], unique)?, distinct::<T>(&args[1], unique)?);
        let mut run = [a, b].concat();
        sort(&mut run);
        let twice = run.windows(2).filter(|w| w[0].wide() == w[1].wide());
        let found: Vec<T> = twice.map(|w| w[0]).collect();
        ret.vector(&found)
    })
}

/// `(array, array, assume_unique) -> array`
pub(super) fn setxor1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let unique = args[2].flag()?;
    with_element!(ret.kind()?, T => {
        let (a, b) = (distinct::<T>(&args[0], unique)?, distinct::<T>(&args[1], unique)?);
        let mut run = [a, b].concat();
        sort(&mut run);
        let same = |i: usize, j: usize| run[i].wide() == run[j].wide();
        let once = |i: usize| {
            (i == 0 || !same(i - 1, i)) && (i + 1 == run.len() || !same(i, i + 1))
        };
        let found: Vec<T> = (0..run.len()).filter(|&i| once(i)).map(|i| run[i]).collect();
        ret.vector(&found)
    })
}

/// True if the sorted run has an element equal to `x`; a NaN equals none.
fn has<T: Element>(run: &[T], x: T) -> bool {
    let at = search(run, x, false) as usize;
    run.get(at).is_some_and(|y| *y == x)
}

/// `(array, array, assume_unique) -> array`
pub(super) fn setdiff1d(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let unique = args[2].flag()?;
    with_element!(ret.kind()?, T => {
        let mut a = if unique {
            to_vec::<T>(args[0].like()?.view())
        } else {
            distinct::<T>(&args[0], false)?
        };
        let b = distinct::<T>(&args[1], true)?;
        a.retain(|x| !has(&b, *x));
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

/// Sets up to this size are compared item by item, many elements at once.
const SHORT: usize = 16;

/// `(element, test_elements, assume_unique, invert) -> array(bool)`
pub(super) fn isin(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (x, set) = (args[0].like()?, args[1].like()?);
    let invert = args[3].flag()?;
    let found: Vec<Bool> = with_element!(common(x.view().kind, set.view().kind), T => {
        let all = run_of::<T>(x.view());
        let mut run = to_vec::<T>(set.view());
        if run.len() <= SHORT {
            let mut found = vec![Bool(invert.into()); all.len()];
            for item in run {
                for (found, x) in found.iter_mut().zip(all.iter()) {
                    found.0 = if *x == item { u8::from(!invert) } else { found.0 };
                }
            }
            found
        } else {
            sort(&mut run);
            all.iter().map(|&x| Bool((has(&run, x) != invert).into())).collect()
        }
    });
    ret.array(&x.view().shape, &found)
}

/// Where numbers go in a sorted run, NaN last, before or after equal ones. Numbers in no order are found without a branch on
/// them, which no processor foresees.
fn search<T: Element>(run: &[T], x: T, after: bool) -> i64 {
    let is_number = |y: &T| !y.is_nan();
    let place = match (x.is_nan(), after) {
        (true, false) => run.partition_point(is_number),
        (true, true) => run.len(),
        (false, false) => run.partition_point(|y| y.less(x)),
        (false, true) => run.partition_point(|y| is_number(y) & !x.less(*y)),
    };
    place as i64
}

/// In sorted runs of so many numbers, or fewer, all that come before another are counted.
const COUNTED: usize = 16;

/// As [`search`], of numbers in a sorted run of numbers.
fn count_before<T: Element>(run: &[T], x: T, after: bool) -> i64 {
    let before = |y: &T| if after { !x.less(*y) } else { y.less(x) };
    run.iter().fold(0, |count, y| count + i64::from(before(y)))
}

/// Positions of the numbers of `x` in the sorted `run`, in the result's shape.
fn places(run: &View, x: &View, after: bool, turn: bool, ret: Ret) -> Result<(), Failure> {
    let found: Vec<i64> = with_element!(common(run.kind, x.kind), T => {
        let run = run_of::<T>(run);
        let n = run.len() as i64;
        let is_small = run.len() <= COUNTED
            && run.iter().all(|y| !y.is_nan())
            && run.is_sorted_by(|a, b| !b.less(*a));
        let all = run_of::<T>(x);
        let place = |x: T| match is_small && !x.is_nan() {
            true => count_before(&run, x, after),
            false => search(&run, x, after),
        };
        all.iter()
            .map(|&x| place(x))
            .map(|at| if turn { n - at } else { at })
            .collect()
    });
    if !ret.is_array() {
        let first = found.first().copied().ok_or_else(bad_call)?;
        return ret.scalar(crate::elements::Wide::Int(first));
    }
    ret.array(&x.shape, &found)
}

/// `(array, number | array, side) -> int64 | array(int64)`
pub(super) fn searchsorted(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let after = match args[2].text()? {
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
pub(super) fn digitize(args: &[Arg], ret: Ret) -> Result<(), Failure> {
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
        assert!(has(&run, z(1.0, -1.0)));
        assert!(!has(&run, z(1.0, 0.0)));
        assert_eq!(search(&run, z(1.0, 0.0), false), 2);
        assert_eq!(
            (search(&run, run[0], false), search(&run, run[0], true)),
            (0, 1)
        );
    }
}
