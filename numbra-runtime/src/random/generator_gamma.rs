//! Gamma numbers of NumPy's `Generator` and what is made of them: Marsaglia and Tsang 2000 above 1, Ahrens and Dieter below.

use super::bits::Bits;
use super::poisson::poisson;
use super::ziggurat::{exponential, exponential_single, normal, normal_single};
use crate::value::{Failure, value_error};

/// `standard_gamma` in one precision.
macro_rules! standard_gamma {
    ($name:ident, $float:ident, $uniform:ident, $exponential:ident, $normal:ident) => {
        /// `standard_gamma`
        pub(super) fn $name(bits: &mut impl Bits, shape: $float) -> $float {
            if shape == 1.0 {
                return $exponential(bits);
            }
            if shape == 0.0 {
                return 0.0;
            }
            if shape < 1.0 {
                loop {
                    let u = bits.$uniform();
                    let v = $exponential(bits);
                    if u <= 1.0 - shape {
                        let x = u.powf(1.0 / shape);
                        if x <= v {
                            return x;
                        }
                    } else {
                        let y = -((1.0 - u) / shape).ln();
                        let x = (1.0 - shape + shape * y).powf(1.0 / shape);
                        if x <= v + y {
                            return x;
                        }
                    }
                }
            }
            let b = shape - 1.0 / 3.0;
            let c = 1.0 / (9.0 * b).sqrt();
            loop {
                let (x, v) = loop {
                    let x = $normal(bits);
                    let v = 1.0 + c * x;
                    // A shape that is no number ends below.
                    if v > 0.0 || v.is_nan() {
                        break (x, v);
                    }
                };
                let v = v * v * v;
                let u = bits.$uniform();
                if u < 1.0 - 0.0331 * (x * x) * (x * x) {
                    return b * v;
                }
                if u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln()) {
                    return b * v;
                }
            }
        }
    };
}

standard_gamma!(gamma, f64, f64, exponential, normal);
standard_gamma!(gamma_single, f32, f32, exponential_single, normal_single);

/// `beta`: Jöhnk 1964 for small parameters.
pub(super) fn beta(bits: &mut impl Bits, a: f64, b: f64) -> f64 {
    /// Below it every number is 0 or 1.
    const TINY: f64 = 3e-103;
    if a < TINY && b < TINY {
        return f64::from((a + b) * bits.f64() < a);
    }
    if a <= 1.0 && b <= 1.0 {
        loop {
            let u = bits.f64();
            let v = bits.f64();
            let x = u.powf(1.0 / a);
            let y = v.powf(1.0 / b);
            let sum = x + y;
            if sum <= 1.0 && u + v > 0.0 {
                if x > 0.0 && y > 0.0 {
                    return x / sum;
                }
                let log_x = u.ln() / a;
                let log_y = v.ln() / b;
                let most = log_x.max(log_y);
                let (log_x, log_y) = (log_x - most, log_y - most);
                return (log_x - (log_x.exp() + log_y.exp()).ln()).exp();
            }
        }
    }
    let x = gamma(bits, a);
    x / (x + gamma(bits, b))
}

/// `chisquare`
pub(super) fn chisquare(bits: &mut impl Bits, freedom: f64) -> f64 {
    2.0 * gamma(bits, freedom / 2.0)
}

/// `f`
pub(super) fn f(bits: &mut impl Bits, above: f64, below: f64) -> f64 {
    let x = chisquare(bits, above) * below;
    x / (chisquare(bits, below) * above)
}

/// `noncentral_chisquare`
pub(super) fn noncentral_chisquare(
    bits: &mut impl Bits,
    freedom: f64,
    noncentrality: f64,
) -> Result<f64, Failure> {
    check(&[("df", freedom)], noncentrality)?;
    Ok(noncentral(bits, freedom, noncentrality))
}

/// `noncentral_f`
pub(super) fn noncentral_f(
    bits: &mut impl Bits,
    above: f64,
    below: f64,
    noncentrality: f64,
) -> Result<f64, Failure> {
    check(&[("dfnum", above), ("dfden", below)], noncentrality)?;
    let x = noncentral(bits, above, noncentrality) * below;
    Ok(x / (chisquare(bits, below) * above))
}

fn check(freedoms: &[(&str, f64)], noncentrality: f64) -> Result<(), Failure> {
    for (name, freedom) in freedoms {
        if *freedom <= 0.0 {
            return Err(value_error(format!("{name} <= 0")));
        }
    }
    if noncentrality < 0.0 {
        return Err(value_error("nonc < 0"));
    }
    Ok(())
}

fn noncentral(bits: &mut impl Bits, freedom: f64, noncentrality: f64) -> f64 {
    if noncentrality.is_nan() {
        return f64::NAN;
    }
    if noncentrality == 0.0 {
        return chisquare(bits, freedom);
    }
    if freedom > 1.0 {
        let square = chisquare(bits, freedom - 1.0);
        let n = normal(bits) + noncentrality.sqrt();
        return square + n * n;
    }
    let i = poisson(bits, noncentrality / 2.0);
    chisquare(bits, freedom + 2.0 * i as f64)
}

/// `standard_t`
pub(super) fn student_t(bits: &mut impl Bits, freedom: f64) -> f64 {
    let n = normal(bits);
    let g = gamma(bits, freedom / 2.0);
    (freedom / 2.0).sqrt() * n / g.sqrt()
}
