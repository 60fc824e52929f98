//! Floats of `numpy.random` as NumPy's legacy generator draws them, where Numba does too. Numba draws gamma numbers, and what
//! is made of them, as CPython does ([`super::cpython`]).

use super::bits::Bits;
use super::cpython::{divide, gamma, pareto as cpython_pareto};
use super::poisson::poisson;
use super::twister::Twister;
use crate::value::{Failure, value_error};

/// `normal`
#[inline]
pub(super) fn normal(t: &mut Twister, mean: f64, deviation: f64) -> f64 {
    mean + deviation * t.gauss()
}

/// `exponential`
#[inline]
pub(super) fn exponential(t: &mut Twister, scale: f64) -> f64 {
    -(1.0 - t.f64()).ln() * scale
}

/// `chisquare`
pub(super) fn chisquare(t: &mut Twister, freedom: f64) -> Result<f64, Failure> {
    Ok(2.0 * gamma(t, freedom / 2.0, 1.0)?)
}

/// `noncentral_chisquare`
pub(super) fn noncentral_chisquare(
    t: &mut Twister,
    freedom: f64,
    noncentrality: f64,
) -> Result<f64, Failure> {
    if freedom <= 0.0 {
        return Err(value_error("df <= 0"));
    }
    if noncentrality < 0.0 {
        return Err(value_error("nonc < 0"));
    }
    if noncentrality.is_nan() {
        return Ok(f64::NAN);
    }
    if freedom > 1.0 {
        let square = chisquare(t, freedom - 1.0)?;
        let n = t.gauss() + noncentrality.sqrt();
        return Ok(square + n * n);
    }
    let i = poisson(t, noncentrality / 2.0);
    chisquare(t, freedom + 2.0 * i as f64)
}

/// `f`
pub(super) fn f(t: &mut Twister, above: f64, below: f64) -> Result<f64, Failure> {
    let x = chisquare(t, above)? * below;
    divide(x, chisquare(t, below)? * above)
}

/// `gumbel`
pub(super) fn gumbel(t: &mut Twister, place: f64, scale: f64) -> f64 {
    let u = 1.0 - t.f64();
    place - scale * (-u.ln()).ln()
}

/// `laplace`
pub(super) fn laplace(t: &mut Twister, place: f64, scale: f64) -> f64 {
    let u = t.f64();
    if u < 0.5 {
        place + scale * (u + u).ln()
    } else {
        place - scale * (2.0 - u - u).ln()
    }
}

/// `logistic`
pub(super) fn logistic(t: &mut Twister, place: f64, scale: f64) -> f64 {
    let u = t.f64();
    place + scale * (u / (1.0 - u)).ln()
}

/// `pareto`
pub(super) fn pareto(t: &mut Twister, shape: f64) -> Result<f64, Failure> {
    Ok(cpython_pareto(t, shape)? - 1.0)
}

/// `power`
pub(super) fn power(t: &mut Twister, shape: f64) -> Result<f64, Failure> {
    if shape <= 0.0 {
        return Err(value_error("power(): a <= 0"));
    }
    Ok((1.0 - (-exponential(t, 1.0)).exp()).powf(1.0 / shape))
}

/// `rayleigh`
pub(super) fn rayleigh(t: &mut Twister, scale: f64) -> Result<f64, Failure> {
    if scale <= 0.0 {
        return Err(value_error("rayleigh(): scale <= 0"));
    }
    Ok(scale * (-2.0 * (1.0 - t.f64()).ln()).sqrt())
}

/// `standard_cauchy`
pub(super) fn cauchy(t: &mut Twister) -> f64 {
    let x = t.gauss();
    x / t.gauss()
}

/// `standard_t`
pub(super) fn student_t(t: &mut Twister, freedom: f64) -> Result<f64, Failure> {
    let n = t.gauss();
    let g = gamma(t, freedom / 2.0, 1.0)?;
    divide((freedom / 2.0).sqrt() * n, g.sqrt())
}

/// `wald`
pub(super) fn wald(t: &mut Twister, mean: f64, scale: f64) -> Result<f64, Failure> {
    if mean <= 0.0 {
        return Err(value_error("wald(): mean <= 0"));
    }
    if scale <= 0.0 {
        return Err(value_error("wald(): scale <= 0"));
    }
    let half = mean / (2.0 * scale);
    let n = t.gauss();
    let y = mean * n * n;
    let x = mean + half * (y - (4.0 * scale * y + y * y).sqrt());
    if t.f64() <= mean / (mean + x) {
        Ok(x)
    } else {
        divide(mean * mean, x)
    }
}
