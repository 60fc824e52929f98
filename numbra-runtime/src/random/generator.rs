//! Numbers of NumPy's `Generator` but those made of gamma numbers.

use super::bits::{Bits, either};
use super::generator_gamma::gamma;
use super::legacy_integers::search;
use super::poisson::poisson;
use super::ziggurat::{exponential, normal};
use crate::value::{Failure, value_error};

/// `standard_exponential(method='inv')`
pub(super) fn inverse_exponential(bits: &mut impl Bits) -> f64 {
    -(-bits.f64()).ln_1p()
}

/// `standard_cauchy`
pub(super) fn cauchy(bits: &mut impl Bits) -> f64 {
    let x = normal(bits);
    x / normal(bits)
}

/// Uniform in `(0, 1)`.
fn positive(bits: &mut impl Bits) -> f64 {
    loop {
        let u = bits.f64();
        if u > 0.0 {
            return u;
        }
    }
}

/// `laplace`
pub(super) fn laplace(bits: &mut impl Bits, place: f64, scale: f64) -> f64 {
    let u = positive(bits);
    if u >= 0.5 {
        place - scale * (2.0 - u - u).ln()
    } else {
        place + scale * (u + u).ln()
    }
}

/// `logistic`
pub(super) fn logistic(bits: &mut impl Bits, place: f64, scale: f64) -> f64 {
    let u = positive(bits);
    place + scale * (u / (1.0 - u)).ln()
}

/// `pareto`
pub(super) fn pareto(bits: &mut impl Bits, shape: f64) -> f64 {
    (exponential(bits) / shape).exp_m1()
}

/// `power`
pub(super) fn power(bits: &mut impl Bits, shape: f64) -> f64 {
    (-(-exponential(bits)).exp_m1()).powf(1.0 / shape)
}

/// `rayleigh`
pub(super) fn rayleigh(bits: &mut impl Bits, scale: f64) -> f64 {
    scale * (2.0 * exponential(bits)).sqrt()
}

/// `triangular`
pub(super) fn triangular(bits: &mut impl Bits, left: f64, mode: f64, right: f64) -> f64 {
    let base = right - left;
    let before = mode - left;
    let u = bits.f64();
    let is_low = u <= before / base;
    let low = u * (before * base);
    let high = (1.0 - u) * ((right - mode) * base);
    let root = either(is_low, low, high).sqrt();
    either(is_low, left + root, right - root)
}

/// `wald`
pub(super) fn wald(bits: &mut impl Bits, mean: f64, scale: f64) -> f64 {
    let n = normal(bits);
    let y = mean * n * n;
    let x = mean * (1.0 - 2.0 / (1.0 + (1.0 + 4.0 * scale / y).sqrt()));
    if bits.f64() <= mean / (mean + x) {
        x
    } else {
        mean * mean / x
    }
}

/// `weibull`
pub(super) fn weibull(bits: &mut impl Bits, shape: f64) -> f64 {
    if shape == 0.0 {
        return 0.0;
    }
    exponential(bits).powf(1.0 / shape)
}

/// `geometric`
pub(super) fn geometric(bits: &mut impl Bits, p: f64) -> i64 {
    if p >= 1.0 / 3.0 {
        return search(bits.f64(), p, 1.0 - p);
    }
    (-exponential(bits) / (-p).ln_1p()).ceil() as i64
}

/// `logseries`: Kemp 1981.
pub(super) fn logseries(bits: &mut impl Bits, p: f64) -> Result<i64, Failure> {
    if !(0.0..1.0).contains(&p) {
        return Err(value_error("p < 0, p >= 1 or p is NaN"));
    }
    let r = (-p).ln_1p();
    loop {
        let v = bits.f64();
        if v >= p {
            return Ok(1);
        }
        let u = bits.f64();
        let q = -(r * u).exp_m1();
        if v <= q * q {
            let x = (1.0 + v.ln() / q.ln()).floor();
            if x < 1.0 || v == 0.0 {
                continue;
            }
            return Ok(x as i64);
        }
        return Ok(if v >= q { 1 } else { 2 });
    }
}

/// `negative_binomial`
pub(super) fn negative_binomial(bits: &mut impl Bits, successes: f64, p: f64) -> i64 {
    let mean = (1.0 - p) / p * gamma(bits, successes);
    poisson(bits, mean)
}

/// `zipf`: Devroye 1986, never more than an `int64` holds.
pub(super) fn zipf(bits: &mut impl Bits, exponent: f64) -> Result<i64, Failure> {
    if exponent <= 1.0 || exponent.is_nan() {
        return Err(value_error("a <= 1 or a is NaN"));
    }
    if exponent >= 1025.0 {
        // Every other number is less likely than floats tell.
        return Ok(1);
    }
    let less = exponent - 1.0;
    let b = 2.0_f64.powf(less);
    let least = (i64::MAX as f64).powf(-less);
    loop {
        let u = bits.f64();
        let u = u * least + (1.0 - u);
        let v = bits.f64();
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

/// `standard_exponential(method='inv')` in single precision.
pub(super) fn inverse_exponential_single(bits: &mut impl Bits) -> f32 {
    // NumPy takes the logarithm in double precision.
    -f64::from(1.0 - bits.f32()).ln() as f32
}
