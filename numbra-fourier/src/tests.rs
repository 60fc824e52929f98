//! Transforms beside sums.

use crate::{Complex, Float, HalfSpectra, RealRows, Rows, Scaling};
use std::f64::consts::TAU;

/// Numbers between -1 and 1.
fn noise(n: usize) -> Vec<Complex<f64>> {
    let mut seed = n as u64 + 1;
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    };
    (0..n).map(|_| Complex::new(next(), next())).collect()
}

/// The transform by its definition.
fn spectrum(row: &[Complex<f64>], sign: f64) -> Vec<Complex<f64>> {
    let n = row.len();
    let turn = |k: usize, j: usize| Complex::cis(sign * TAU * ((k * j) % n) as f64 / n as f64);
    let point = |k: usize| row.iter().enumerate().map(|(j, z)| z * turn(k, j)).sum();
    (0..n).map(point).collect()
}

fn check(got: &[Complex<f64>], want: &[Complex<f64>], epsilon: f64) {
    let norm = want.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
    let off = got.iter().zip(want).map(|(a, b)| (a - b).norm());
    let off = off.fold(0.0, f64::max);
    assert!(
        off <= 20.0 * epsilon * norm,
        "{} points: {off:e}",
        got.len()
    );
}

/// Lengths of each algorithm: powers of two, other products, primes below and above those that have code of their own.
const LENGTHS: &[usize] = &[
    1, 2, 3, 4, 5, 7, 8, 12, 16, 17, 29, 30, 64, 97, 121, 125, 128, 211, 222, 243, 256, 1024, 1031,
    1260,
];

fn all<T: Float + Into<f64>>(narrow: fn(f64) -> T, epsilon: f64) {
    let wide = |z: &Complex<T>| Complex::new(z.re.into(), z.im.into());
    for &n in LENGTHS {
        let row: Vec<_> = noise(n);
        let row: Vec<_> = row
            .iter()
            .map(|z| Complex::new(narrow(z.re), narrow(z.im)))
            .collect();
        let exact: Vec<_> = row.iter().map(wide).collect();
        for (inverse, sign) in [(false, -1.0), (true, 1.0)] {
            let want = spectrum(&exact, sign);
            let mut twice = [row.clone(), row.clone()].concat();
            Rows::new(n, inverse, Scaling::One).transform(&mut twice);
            for got in twice.chunks(n) {
                check(&got.iter().map(wide).collect::<Vec<_>>(), &want, epsilon);
            }
        }
        let mut real: Vec<T> = row.iter().map(|z| z.re).collect();
        let exact: Vec<_> = real.iter().map(|&x| Complex::new(x.into(), 0.0)).collect();
        let want = spectrum(&exact, -1.0);
        let mut half = vec![Complex::new(T::zero(), T::zero()); n / 2 + 1];
        RealRows::new(n, Scaling::One).transform(&mut real, &mut half);
        check(
            &half.iter().map(wide).collect::<Vec<_>>(),
            &want[..n / 2 + 1],
            epsilon,
        );
        half[0].im = T::one();
        HalfSpectra::new(n, Scaling::Whole).transform(&mut half, &mut real);
        let back: Vec<_> = real.iter().map(|&x| Complex::new(x.into(), 0.0)).collect();
        check(&back, &exact, epsilon);
    }
}

#[test]
fn transforms_are_their_sums() {
    all::<f64>(|x| x, f64::EPSILON);
    all::<f32>(|x| x as f32, f32::EPSILON.into());
}

#[test]
fn there_and_back_is_where_it_was() {
    for scaling in [
        (Scaling::One, Scaling::Whole),
        (Scaling::Root, Scaling::Root),
    ] {
        let start = noise(360);
        let mut row = start.clone();
        Rows::new(360, false, scaling.0).transform(&mut row);
        Rows::new(360, true, scaling.1).transform(&mut row);
        check(&row, &start, f64::EPSILON);
    }
}
