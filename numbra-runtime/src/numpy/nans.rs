//! Reductions that leave NaN out.

use crate::array::View;
use crate::elements::{Element, Kind, Pair, Wide, with_element};
use crate::pairwise::pairwise;
use crate::reduce::{elements, line};
use crate::simd::widest;
use crate::strided::{run_of, to_vec};
use crate::value::{Arg, Failure, Ret, value_error};
use numbra_memory::room;

bodies! {
    nanargmax = nanargmax, 2;
    nanargmin = nanargmin, 2;
    nancumprod = nancumprod, 1;
    nancumsum = nancumsum, 1;
    nanmax = nanmax, 1;
    nanmean = nanmean, 1;
    nanmin = nanmin, 1;
    nanprod = nanprod, 1;
    nanstd = nanstd, 5;
    nansum = nansum, 1;
    nanvar = nanvar, 5;
}

/// The smallest or greatest element; the first if there are only NaN.
fn extreme(arg: &Arg, ret: Ret, least: bool, empty: &'static str) -> Result<(), Failure> {
    let source = arg.like()?;
    let view = source.view();
    with_element!(view.kind, T => {
        let first = elements::<T>(view).next().ok_or_else(|| value_error(empty))?;
        let run = run_of::<T>(view);
        ret.scalar(best_of(&run, first, least).wide())
    })
}

widest! {
    /// The smallest or greatest number of a run, `first` if there are none.
    fn best_of[T: Element](run: &[T], first: T, least: bool) -> T {
        match least {
            true => best_in_lanes(run, first, |x, best| x.less(best)),
            false => best_in_lanes(run, first, |x, best| best.less(x)),
        }
    }

    /// How many items are numbers.
    fn count_numbers(run: &[f64]) -> usize {
        run.iter().filter(|x| !x.is_nan()).count()
    }
}

#[inline(always)]
fn best_in_lanes<T: Element>(run: &[T], first: T, better: impl Fn(T, T) -> bool) -> T {
    /// So many numbers side by side, as registers hold them.
    const LANES: usize = 16;
    let best_of_two = |best: T, x: T| {
        let takes = better(x, best) | (best.is_nan() & !x.is_nan());
        if takes { x } else { best }
    };
    let (blocks, rest) = run.as_chunks::<LANES>();
    let mut lanes = [first; LANES];
    for block in blocks {
        for lane in 0..LANES {
            lanes[lane] = best_of_two(lanes[lane], block[lane]);
        }
    }
    lanes.iter().chain(rest).copied().fold(first, best_of_two)
}

/// `(array) -> scalar`
fn nanmin(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    extreme(&args[0], ret, true, "nanmin(): empty array")
}

/// `(array) -> scalar`
fn nanmax(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    extreme(&args[0], ret, false, "nanmax(): empty array")
}

/// `(array) -> scalar`
fn nansum(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    folded(args, ret, Wide::Int(0), Fold::Sum)
}

/// `(array) -> scalar`
fn nanprod(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    folded(args, ret, Wide::Int(1), Fold::Product)
}

/// How elements are joined.
#[derive(Clone, Copy)]
enum Fold {
    Sum,
    Product,
}

impl Fold {
    fn join<T: Element>(self, a: T, b: T) -> T {
        match self {
            Fold::Sum => a.add(b),
            Fold::Product => a.mul(b),
        }
    }
}

/// Sums leave NaN out; not NaT, as NumPy's.
fn is_left_out<T: Element>(x: T) -> bool {
    x.is_nan() && T::KIND != Kind::Time
}

fn folded(args: &[Arg], ret: Ret, start: Wide, fold: Fold) -> Result<(), Failure> {
    let source = args[0].like()?;
    if let (Fold::Sum, Kind::Float64) = (fold, ret.kind()?) {
        // The bits of NumPy, which adds zeros in the place of NaN.
        let run = run_of::<f64>(source.view());
        return ret.scalar(Wide::Float(
            0.0 + pairwise(&run, |x| if x.is_nan() { 0.0 } else { x }),
        ));
    }
    with_element!(ret.kind()?, T => {
        let all = to_vec::<T>(source.view());
        let all = all.into_iter().filter(|x| !is_left_out(*x));
        ret.scalar(all.fold(T::from_wide(start), |a, b| fold.join(a, b)).wide())
    })
}

/// `(array) -> array`: running sums in C order.
fn nancumsum(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    running(args, ret, Wide::Int(0), Fold::Sum)
}

/// `(array) -> array`: running products in C order.
fn nancumprod(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    running(args, ret, Wide::Int(1), Fold::Product)
}

fn running(args: &[Arg], ret: Ret, start: Wide, fold: Fold) -> Result<(), Failure> {
    let source = args[0].like()?;
    with_element!(ret.kind()?, T => {
        let mut last = T::from_wide(start);
        let mut out = to_vec::<T>(source.view());
        for x in &mut out {
            if !is_left_out(*x) {
                last = fold.join(last, *x);
            }
            *x = last;
        }
        ret.vector(&out)
    })
}

/// Sum and number of the valid elements, as complex numbers.
fn mean_of(all: &[Pair<f64>]) -> Pair<f64> {
    let n = all.len() as f64;
    let sum = all
        .iter()
        .fold(Pair::default(), |a: Pair<f64>, &b| a.add(b));
    Pair {
        re: sum.re / n,
        im: sum.im / n,
    }
}

fn complexes(arg: &Arg) -> Result<Vec<Pair<f64>>, Failure> {
    let source = arg.like()?;
    let mut all = to_vec::<Pair<f64>>(source.view());
    all.retain(|z| !z.is_nan());
    Ok(all)
}

/// `(array) -> scalar`
fn nanmean(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    if source.view().kind == Kind::Float64 {
        let run = run_of::<f64>(source.view());
        let sum = pairwise(&run, |x| if x.is_nan() { 0.0 } else { x });
        let count = count_numbers(&run);
        return ret.scalar(Wide::Float(sum / count as f64));
    }
    let mean = mean_of(&complexes(&args[0])?);
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => ret.scalar(mean.wide()),
        _ => ret.scalar(Wide::Float(mean.re)),
    }
}

fn variance(args: &[Arg]) -> Result<f64, Failure> {
    let all = complexes(&args[0])?;
    let ddof = args.get(4).map_or(Ok(0.0), Arg::float)?;
    let mean = mean_of(&all);
    let squares = all
        .iter()
        .map(|z| (z.re - mean.re).powi(2) + (z.im - mean.im).powi(2));
    let divisor = all.len() as f64 - ddof;
    if divisor <= 0.0 {
        return Ok(f64::NAN);
    }
    Ok(squares.sum::<f64>() / divisor)
}

/// `(array, none, none, none, ddof) -> float64`
fn nanvar(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Float(variance(args)?))
}

/// `(array, none, none, none, ddof) -> float64`
fn nanstd(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    ret.scalar(Wide::Float(variance(args)?.sqrt()))
}

/// `(array, none | axis) -> int64 | array(int64)`
fn nanargmin(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    positions(args, ret, true)
}

/// `(array, none | axis) -> int64 | array(int64)`
fn nanargmax(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    positions(args, ret, false)
}

fn positions(args: &[Arg], ret: Ret, least: bool) -> Result<(), Failure> {
    let source = args[0].like()?;
    let view = source.view();
    let Some(axis) = args[1].axis(view.ndim())? else {
        return ret.scalar(Wide::Int(position(view, least)?));
    };
    let rest = view.without(axis);
    let mut found = room(rest.len());
    for start in rest.offsets() {
        found.push(position(&line(view, axis, start), least)?);
    }
    if ret.is_array() {
        return ret.array(&rest.shape, &found);
    }
    ret.scalar(Wide::Int(found.first().copied().unwrap_or(0)))
}

/// Position in C order of the first extreme element. As in NumPy a NaN counts as the infinity at the other end, but NaT as the
/// extreme that it is to `np.argmin` and `np.argmax`: NumPy passes it over in no position.
fn position(view: &View, least: bool) -> Result<i64, Failure> {
    if view.len() == 0 {
        return Err(value_error(if least {
            "attempt to get argmin of an empty sequence"
        } else {
            "attempt to get argmax of an empty sequence"
        }));
    }
    let found = with_element!(view.kind, T => {
        let other = Wide::Float(if least { f64::INFINITY } else { f64::NEG_INFINITY });
        let mut best: Option<(usize, T)> = None;
        let mut valid = false;
        for (at, x) in elements::<T>(view).enumerate() {
            if T::KIND == Kind::Time && x.is_nan() {
                return Ok(at as i64);
            }
            valid |= !x.is_nan();
            let x = if x.is_nan() { T::from_wide(other) } else { x };
            let better = best.is_none_or(|(_, y)| if least { x.less(y) } else { y.less(x) });
            if better {
                best = Some((at, x));
            }
        }
        best.filter(|_| valid).map(|(at, _)| at as i64)
    });
    found.ok_or_else(|| value_error("All-NaN slice encountered"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_elements_count() {
        let x = [1.0, f64::NAN, 2.0];
        let view = View::of(&x, &[3]);
        let arg = Arg::Array(view, std::ptr::null_mut());
        assert_eq!(complexes(&arg).map(|all| mean_of(&all).re), Ok(1.5));
        assert_eq!(variance(&[arg]), Ok(0.25));
    }
}
