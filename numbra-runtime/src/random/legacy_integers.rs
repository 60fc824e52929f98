//! Integers of `numpy.random` as NumPy's legacy generator draws them.

use super::binomial::binomial as any_binomial;
use super::bits::Bits;
use super::cpython::{divide, gamma};
use super::poisson::poisson as any_poisson;
use super::twister::Twister;
use crate::value::{Failure, value_error};

/// `binomial`
pub(super) fn binomial(t: &mut Twister, trials: i64, p: f64) -> Result<i64, Failure> {
    if trials < 0 {
        return Err(value_error("binomial(): n <= 0"));
    }
    if !(0.0..=1.0).contains(&p) {
        return Err(value_error("binomial(): p outside of [0, 1]"));
    }
    if p == 1.0 {
        return Ok(trials);
    }
    Ok(any_binomial(t, trials, p))
}

/// `geometric`: by search for large `p`, else by inversion.
pub(super) fn geometric(t: &mut Twister, p: f64) -> Result<i64, Failure> {
    if !(0.0 < p && p <= 1.0) {
        return Err(value_error("geometric(): p outside of (0, 1]"));
    }
    let q = 1.0 - p;
    if p >= 1.0 / 3.0 {
        return Ok(search(t.f64(), p, q));
    }
    let x = divide((1.0 - t.f64()).ln(), q.ln())?;
    Ok(x.ceil() as i64)
}

/// How many terms `p q**i` sum to `u`.
pub(super) fn search(u: f64, p: f64, q: f64) -> i64 {
    let (mut x, mut sum, mut term) = (1, p, p);
    while u > sum && term > 0.0 {
        term *= q;
        sum += term;
        x += 1;
    }
    x
}

/// `hypergeometric`: NumPy's algorithm for samples of up to 10, for any as in Numba.
pub(super) fn hypergeometric(t: &mut Twister, good: i64, bad: i64, sample: i64) -> i64 {
    let most = bad.wrapping_add(good).wrapping_sub(sample);
    let fewer = bad.min(good) as f64;
    let (mut left, mut draws) = (fewer, sample);
    while left > 0.0 && draws > 0 {
        left -= (t.f64() + left / most.wrapping_add(draws) as f64).floor();
        draws -= 1;
    }
    let taken = (fewer - left) as i64;
    if good > bad {
        sample.wrapping_sub(taken)
    } else {
        taken
    }
}

/// `logseries`: Kemp 1981.
pub(super) fn logseries(t: &mut Twister, p: f64) -> Result<i64, Failure> {
    if !(0.0 < p && p <= 1.0) {
        return Err(value_error("logseries(): p outside of (0, 1]"));
    }
    let r = (1.0 - p).ln();
    loop {
        let v = t.f64();
        if v >= p {
            return Ok(1);
        }
        let u = t.f64();
        let q = 1.0 - (r * u).exp();
        if v <= q * q {
            let x = 1.0 + v.ln() / q.ln();
            if v == 0.0 || x < 1.0 {
                continue;
            }
            return Ok(x as i64);
        }
        return Ok(if v >= q { 1 } else { 2 });
    }
}

/// `negative_binomial`
pub(super) fn negative_binomial(t: &mut Twister, successes: f64, p: f64) -> Result<i64, Failure> {
    if successes <= 0.0 {
        return Err(value_error("negative_binomial(): n <= 0"));
    }
    if !(0.0..=1.0).contains(&p) {
        return Err(value_error("negative_binomial(): p outside of [0, 1]"));
    }
    let mean = gamma(t, successes, divide(1.0 - p, p)?)?;
    poisson(t, mean)
}

/// `poisson`
pub(super) fn poisson(t: &mut Twister, mean: f64) -> Result<i64, Failure> {
    if mean < 0.0 || mean.is_nan() {
        return Err(value_error("poisson(): lambda < 0"));
    }
    Ok(any_poisson(t, mean))
}

/// `randint`
#[inline]
pub(super) fn range(t: &mut Twister, low: i64, high: i64) -> Result<i64, Failure> {
    if high <= low {
        return Err(value_error("empty range for randrange()"));
    }
    Ok(within(t, low, high))
}

/// An integer from `low` to below `high`, which is more.
#[inline]
pub(super) fn within(t: &mut Twister, low: i64, high: i64) -> i64 {
    let most = high.wrapping_sub(low).wrapping_sub(1) as u64;
    low.wrapping_add(t.up_to(most) as i64)
}

/// `zipf`: Devroye 1986.
pub(super) fn zipf(t: &mut Twister, exponent: f64) -> Result<i64, Failure> {
    if exponent <= 1.0 || exponent.is_nan() {
        return Err(value_error("zipf(): a <= 1"));
    }
    let less = exponent - 1.0;
    let b = 2.0_f64.powf(less);
    loop {
        let u = 1.0 - t.f64();
        let v = t.f64();
        let x = u.powf(-1.0 / less).floor();
        if !(1.0..i64::MAX as f64).contains(&x) {
            continue;
        }
        let top = (1.0 + 1.0 / x).powf(less);
        if v * x * (top - 1.0) / (b - 1.0) <= top / b {
            return Ok(x as i64);
        }
    }
}
