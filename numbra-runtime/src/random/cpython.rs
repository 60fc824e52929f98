//! Distributions of Python's `random` as CPython draws them. Some of `numpy.random` are Numba's names for the same: gamma and
//! what is made of it, von Mises, Pareto, Weibull, triangular.

use super::bits::{Bits, either};
use super::twister::Twister;
use crate::value::{Failure, value_error};
use std::f64::consts::{E, PI};

/// A quotient; ZeroDivisionError.
#[inline]
pub(super) fn divide(x: f64, y: f64) -> Result<f64, Failure> {
    if y == 0.0 {
        return Err(Failure::new(
            "builtins.ZeroDivisionError",
            "division by zero",
        ));
    }
    Ok(x / y)
}

/// `random.uniform`
#[inline]
pub(super) fn uniform(t: &mut Twister, low: f64, high: f64) -> f64 {
    low + (high - low) * t.f64()
}

/// `random.triangular`, with the mode at the fraction `c` of the way.
fn triangle(t: &mut Twister, low: f64, high: f64, c: f64) -> f64 {
    let u = t.f64();
    let is_high = u > c;
    let end = either(is_high, high, low);
    let width = either(is_high, low - high, high - low);
    let product = either(is_high, (1.0 - u) * (1.0 - c), u * c);
    end + width * product.sqrt()
}

/// `random.triangular(low, high)`
pub(super) fn triangular(t: &mut Twister, low: f64, high: f64) -> f64 {
    triangle(t, low, high, 0.5)
}

/// `random.triangular(low, high, mode)`
pub(super) fn triangular_at(t: &mut Twister, low: f64, high: f64, mode: f64) -> f64 {
    if high == low {
        return low;
    }
    triangle(t, low, high, (mode - low) / (high - low))
}

/// `random.expovariate`
pub(super) fn expo(t: &mut Twister, rate: f64) -> Result<f64, Failure> {
    divide(-(1.0 - t.f64()).ln(), rate)
}

/// `random.paretovariate`
#[inline]
pub(super) fn pareto(t: &mut Twister, shape: f64) -> Result<f64, Failure> {
    let u = 1.0 - t.f64();
    Ok(u.powf(divide(-1.0, shape)?))
}

/// `random.weibullvariate`
#[inline]
pub(super) fn weibull(t: &mut Twister, scale: f64, shape: f64) -> Result<f64, Failure> {
    let u = 1.0 - t.f64();
    Ok(scale * (-u.ln()).powf(divide(1.0, shape)?))
}

/// `random.gammavariate`: Cheng 1977 above 1, algorithm GS of Ahrens and Dieter below.
pub(super) fn gamma(t: &mut Twister, shape: f64, scale: f64) -> Result<f64, Failure> {
    if shape <= 0.0 || scale <= 0.0 {
        return Err(value_error("gammavariate: alpha and beta must be > 0.0"));
    }
    if !shape.is_finite() {
        return Ok(shape * scale);
    }
    if shape == 1.0 {
        return Ok(-(1.0 - t.f64()).ln() * scale);
    }
    if shape > 1.0 {
        let magic = 1.0 + 4.5_f64.ln();
        let inverse = (2.0 * shape - 1.0).sqrt();
        let b = shape - 4.0_f64.ln();
        let c = shape + inverse;
        loop {
            let u = t.f64();
            if !(1e-7 < u && u < 0.9999999) {
                continue;
            }
            let w = 1.0 - t.f64();
            let v = (u / (1.0 - u)).ln() / inverse;
            let x = shape * v.exp();
            let z = u * u * w;
            let r = b + c * v - x;
            if r + magic - 4.5 * z >= 0.0 || r >= z.ln() {
                return Ok(x * scale);
            }
        }
    }
    let b = (E + shape) / E;
    loop {
        let p = b * t.f64();
        let x = if p <= 1.0 {
            p.powf(1.0 / shape)
        } else {
            -((b - p) / shape).ln()
        };
        let u = t.f64();
        let limit = if p > 1.0 {
            x.powf(shape - 1.0)
        } else {
            (-x).exp()
        };
        if u <= limit {
            return Ok(x * scale);
        }
    }
}

/// `random.betavariate`
pub(super) fn beta(t: &mut Twister, a: f64, b: f64) -> Result<f64, Failure> {
    let y = gamma(t, a, 1.0)?;
    if y == 0.0 {
        return Ok(0.0);
    }
    Ok(y / (y + gamma(t, b, 1.0)?))
}

/// `random.vonmisesvariate`: Fisher 1993.
pub(super) fn von_mises(t: &mut Twister, mean: f64, concentration: f64) -> f64 {
    const TURN: f64 = 2.0 * PI;
    if concentration <= 1e-6 {
        return TURN * t.f64();
    }
    if !concentration.is_finite() {
        return turned(mean, TURN);
    }
    let s = 0.5 / concentration;
    let r = s + (1.0 + s * s).sqrt();
    let z = loop {
        let z = (PI * t.f64()).cos();
        let d = z / (r + z);
        let u = t.f64();
        if u < 1.0 - d * d || u <= (1.0 - d) * d.exp() {
            break z;
        }
    };
    let q = 1.0 / r;
    let f = (q + z) / (1.0 + q * z);
    if t.f64() > 0.5 {
        turned(mean + f.acos(), TURN)
    } else {
        turned(mean - f.acos(), TURN)
    }
}

/// Python's `x % y` for a positive `y`.
fn turned(x: f64, y: f64) -> f64 {
    let rest = x % y;
    if rest < 0.0 { rest + y } else { rest }
}

/// `random.getrandbits`
pub(super) fn random_bits(t: &mut Twister, bits: i64) -> Result<u64, Failure> {
    if !(1..=64).contains(&bits) {
        return Err(Failure::new(
            "builtins.OverflowError",
            "getrandbits() limited to 64 bits",
        ));
    }
    Ok(high_bits(t, bits as u32))
}

/// The highest bits of the next words, the lower word first.
#[inline]
fn high_bits(t: &mut Twister, bits: u32) -> u64 {
    if bits <= 32 {
        return u64::from(t.u32() >> (32 - bits));
    }
    let low = u64::from(t.u32());
    let high = u64::from(t.u32() >> (64 - bits));
    high << 32 | low
}

/// An integer below `n`, which is not 0: bits drawn again while they are too large.
#[inline]
pub(super) fn below(t: &mut Twister, n: u64) -> u64 {
    let bits = u64::BITS - n.leading_zeros();
    loop {
        let drawn = high_bits(t, bits);
        if drawn < n {
            return drawn;
        }
    }
}

/// `random.randint`, for `low` up to `high`.
#[inline]
pub(super) fn among(t: &mut Twister, low: i64, high: i64) -> i64 {
    let drawn = match (high.wrapping_sub(low) as u64).checked_add(1) {
        Some(count) => below(t, count),
        None => t.u64(),
    };
    low.wrapping_add(drawn as i64)
}

/// `random.randrange`
#[inline]
pub(super) fn range(t: &mut Twister, start: i64, stop: i64, step: i64) -> Result<i64, Failure> {
    if step == 1 && start < stop {
        return Ok(among(t, start, stop - 1));
    }
    let width = i128::from(stop) - i128::from(start);
    let by = i128::from(step);
    let count = match by {
        0 => return Err(value_error("zero step for randrange()")),
        1.. => (width + by - 1).div_euclid(by),
        _ => (width + by + 1) / by,
    };
    if count <= 0 {
        return Err(value_error("empty range for randrange()"));
    }
    // At most 2**64 - 1: start and stop differ by less.
    let drawn = below(t, count as u64);
    Ok(start.wrapping_add((drawn as i64).wrapping_mul(step)))
}
