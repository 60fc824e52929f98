//! Medians, percentiles, quantiles.

use super::order::compare;
use crate::elements::{Element, Kind, Time, Wide};
use crate::strided::to_vec;
use crate::value::{Arg, Failure, Ret, index_error, value_error};
use numbra_memory::Grow;

bodies! {
    median = median, 1;
    nanmedian = nanmedian, 1;
    nanpercentile = nanpercentile, 2;
    nanquantile = nanquantile, 2;
    percentile = percentile, 2;
    quantile = quantile, 2;
}

/// The number at position `at` of the sorted run and the next one.
fn neighbours(run: &mut [f64], at: usize) -> (f64, f64) {
    let (_, &mut low, rest) = run.select_nth_unstable_by(at, compare);
    let high = rest.iter().copied().min_by(compare);
    (low, high.unwrap_or(low))
}

/// The middle, or the mean of the two in the middle; NaN if there is one or none.
fn middle(run: &mut [f64]) -> f64 {
    if run.is_empty() || run.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let n = run.len();
    if n % 2 == 1 {
        return neighbours(run, n / 2).0;
    }
    let (low, high) = neighbours(run, n / 2 - 1);
    (low + high) / 2.0
}

/// The number at the fraction `q` of the sorted run, between two numbers in proportion (NumPy's `_lerp`): NaN beside infinity,
/// also exactly on a number, as nothing times infinity is.
fn quantile_of(run: &mut [f64], q: f64) -> f64 {
    if run.is_empty() || run.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    let at = (run.len() - 1) as f64 * q;
    let below = at.floor();
    let t = at - below;
    let (low, high) = neighbours(run, below as usize);
    let distance = high - low;
    if t >= 0.5 {
        high - distance * (1.0 - t)
    } else {
        low + distance * t
    }
}

fn numbers(arg: &Arg, skip_nan: bool) -> Result<Vec<f64>, Failure> {
    let mut run = to_vec::<f64>(arg.like()?.view());
    if skip_nan {
        run.retain(|x| !x.is_nan());
    }
    Ok(run)
}

fn times(arg: &Arg, skip_nat: bool) -> Result<Vec<Time>, Failure> {
    let mut run = to_vec::<Time>(arg.like()?.view());
    if skip_nat {
        run.retain(|x| !x.is_nan());
    }
    Ok(run)
}

/// The duration in the middle, or the truncated mean of the two in the middle; NaT if there is one or none.
fn middle_of_times(arg: &Arg, skip_nat: bool) -> Result<Time, Failure> {
    let mut run = times(arg, skip_nat)?;
    if run.is_empty() || run.iter().any(|x| x.is_nan()) {
        return Ok(Time::NAT);
    }
    let middle = run.len() / 2;
    let is_odd = run.len() % 2 == 1;
    let (below, &mut high, _) = run.select_nth_unstable_by(middle, compare);
    let low = below.iter().copied().max_by(compare).unwrap_or(high);
    Ok(if is_odd {
        high
    } else {
        Time(low.add(high).0 / 2)
    })
}

/// As [`quantile_of`], of times: what a distance is multiplied to is truncated.
fn quantile_of_times(run: &mut [Time], q: f64) -> Time {
    let at = (run.len() - 1) as f64 * q;
    let below = at.floor();
    let t = at - below;
    let (_, &mut low, rest) = run.select_nth_unstable_by(below as usize, compare);
    let high = rest.iter().copied().min_by(compare).unwrap_or(low);
    let distance = high.sub(low);
    let part = |t: f64| match distance.is_nan() {
        true => Time::NAT,
        false => Time((distance.0 as f64 * t) as i64),
    };
    if t >= 0.5 {
        high.sub(part(1.0 - t))
    } else {
        low.add(part(t))
    }
}

fn is_of_times(arg: &Arg) -> bool {
    matches!(arg, Arg::Array(view, _) if view.kind == Kind::Time)
}

/// `(array) -> float64 | duration`
fn median(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    if is_of_times(&args[0]) {
        return ret.scalar(middle_of_times(&args[0], false)?.wide());
    }
    ret.scalar(Wide::Float(middle(&mut numbers(&args[0], false)?)))
}

/// `(array) -> float64 | duration`
fn nanmedian(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    if is_of_times(&args[0]) {
        return ret.scalar(middle_of_times(&args[0], true)?.wide());
    }
    ret.scalar(Wide::Float(middle(&mut numbers(&args[0], true)?)))
}

/// `(array, number | array) -> float64 | time`, or an array of these
fn percentile(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    fractions(args, ret, 100.0, false)
}

/// `(array, number | array) -> float64 | time`, or an array of these
fn nanpercentile(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    fractions(args, ret, 100.0, true)
}

/// `(array, number | array) -> float64 | time`, or an array of these
fn quantile(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    fractions(args, ret, 1.0, false)
}

/// `(array, number | array) -> float64 | time`, or an array of these
fn nanquantile(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    fractions(args, ret, 1.0, true)
}

fn fractions(args: &[Arg], ret: Ret, whole: f64, skip_nan: bool) -> Result<(), Failure> {
    if ret.kind()? == Kind::Time {
        let mut run = times(&args[0], skip_nan)?;
        if run.is_empty() && !skip_nan {
            let message = "index -1 is out of bounds for axis 0 with size 0";
            return Err(index_error(message));
        }
        if run.is_empty() || run.iter().any(|x| x.is_nan()) {
            return each_fraction(&args[1], ret, whole, |_| Time::NAT);
        }
        return each_fraction(&args[1], ret, whole, |q| quantile_of_times(&mut run, q));
    }
    let mut run = numbers(&args[0], skip_nan)?;
    each_fraction(&args[1], ret, whole, |q| quantile_of(&mut run, q))
}

fn each_fraction<T: Element>(
    fractions: &Arg,
    ret: Ret,
    whole: f64,
    mut at: impl FnMut(f64) -> T,
) -> Result<(), Failure> {
    let mut out = Vec::new();
    for q in to_vec::<f64>(fractions.like()?.view()) {
        if !(0.0..=whole).contains(&q) {
            return Err(value_error(if whole == 1.0 {
                "Quantiles must be in the range [0, 1]"
            } else {
                "Percentiles must be in the range [0, 100]"
            }));
        }
        out.put(at(q / whole));
    }
    if ret.is_array() {
        return ret.vector(&out);
    }
    ret.scalar(out.first().map_or(Wide::Float(f64::NAN), |x| x.wide()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_two_numbers() {
        let mut run = [4.0, 1.0, 3.0, 2.0];
        assert_eq!(middle(&mut run), 2.5);
        assert_eq!(quantile_of(&mut run, 0.25), 1.75);
        assert_eq!(quantile_of(&mut run, 1.0), 4.0);
        assert!(quantile_of(&mut [f64::INFINITY, 5.0, 4.0], 0.5).is_nan());
        assert!(quantile_of(&mut [f64::INFINITY; 2], 0.5).is_nan());
        assert_eq!(quantile_of(&mut [f64::INFINITY, 5.0, 4.0], 0.0), 4.0);
        assert!(middle(&mut [1.0, f64::NAN]).is_nan());
        assert!(middle(&mut []).is_nan());
    }
}
