//! Poisson numbers: by multiplication for small means (Knuth), else by transformed rejection with squeeze (Hörmann 1993, PTRS).

use super::bits::Bits;

/// A Poisson number; 0 for a mean below 0.
pub(super) fn poisson(bits: &mut impl Bits, mean: f64) -> i64 {
    if mean >= 10.0 {
        by_rejection(bits, mean)
    } else if mean == 0.0 {
        0
    } else {
        by_multiplication(bits, mean)
    }
}

fn by_multiplication(bits: &mut impl Bits, mean: f64) -> i64 {
    let limit = (-mean).exp();
    let (mut x, mut product) = (0, 1.0);
    loop {
        product *= bits.f64();
        if product > limit {
            x += 1;
        } else {
            return x;
        }
    }
}

fn by_rejection(bits: &mut impl Bits, mean: f64) -> i64 {
    if !mean.is_finite() {
        return i64::MAX;
    }
    let root = mean.sqrt();
    let log_mean = mean.ln();
    let b = 0.931 + 2.53 * root;
    let a = -0.059 + 0.02483 * b;
    let inverse = 1.1239 + 1.1328 / (b - 3.4);
    let limit = 0.9277 - 3.6224 / (b - 2.0);
    loop {
        let u = bits.f64() - 0.5;
        let v = bits.f64();
        let us = 0.5 - u.abs();
        let k = ((2.0 * a / us + b) * u + mean + 0.43).floor() as i64;
        if us >= 0.07 && v <= limit {
            return k;
        }
        if k < 0 || (us < 0.013 && v > us) {
            continue;
        }
        let left = v.ln() + inverse.ln() - (a / (us * us) + b).ln();
        if left <= -mean + k as f64 * log_mean - log_gamma(k as f64 + 1.0) {
            return k;
        }
    }
}

/// The logarithm of gamma by Stirling's series, with the recurrence below 7 (Zhang and Jin 1996).
fn log_gamma(x: f64) -> f64 {
    const TERMS: [f64; 10] = [
        8.333_333_333_333_333e-02,
        -2.777_777_777_777_778e-03,
        7.936_507_936_507_937e-04,
        -5.952_380_952_380_952e-04,
        8.417_508_417_508_418e-04,
        -1.917_526_917_526_918e-03,
        6.410_256_410_256_41e-03,
        -2.955_065_359_477_124e-02,
        1.796_443_723_688_307e-01,
        -1.392_432_216_905_9e+00,
    ];
    /// The logarithm of 2 pi.
    const LOG_TURN: f64 = 1.837_877_066_409_345_3;
    if x == 1.0 || x == 2.0 {
        return 0.0;
    }
    let steps = if x < 7.0 { (7.0 - x) as i64 } else { 0 };
    let mut at = x + steps as f64;
    let square = (1.0 / at) * (1.0 / at);
    let mut series = TERMS[9];
    for term in TERMS[..9].iter().rev() {
        series *= square;
        series += term;
    }
    let mut sum = series / at + 0.5 * LOG_TURN + (at - 0.5) * at.ln() - at;
    for _ in 0..steps {
        sum -= (at - 1.0).ln();
        at -= 1.0;
    }
    sum
}
