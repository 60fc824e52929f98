//! Numbers of NumPy's `Generator` in single precision.

use super::bits::Bits;
use super::ziggurat::{exponential_single, normal_single};

/// `standard_exponential(method='inv')`
pub(super) fn inverse_exponential(bits: &mut impl Bits) -> f32 {
    // NumPy takes the logarithm in double precision.
    -f64::from(1.0 - bits.f32()).ln() as f32
}

/// `standard_gamma`
pub(super) fn gamma(bits: &mut impl Bits, shape: f32) -> f32 {
    if shape == 1.0 {
        return exponential_single(bits);
    }
    if shape == 0.0 {
        return 0.0;
    }
    if shape < 1.0 {
        loop {
            let u = bits.f32();
            let v = exponential_single(bits);
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
            let x = normal_single(bits);
            let v = 1.0 + c * x;
            // A shape that is no number ends below.
            if v > 0.0 || v.is_nan() {
                break (x, v);
            }
        };
        let v = v * v * v;
        let u = bits.f32();
        if u < 1.0 - 0.0331 * (x * x) * (x * x) {
            return b * v;
        }
        if u.ln() < 0.5 * x * x + b * (1.0 - v + v.ln()) {
            return b * v;
        }
    }
}
