//! Arrays made by formula.

use super::statistics::{quotient, spaced, spaced_at};
use super::views::extents;
use crate::complex::{self, Complex};
use crate::elements::{Element, Kind, Pair, with_element};
use crate::strided::run_of;
use crate::value::{Arg, Failure, Ret, value_error};
use numbra_memory::Gather;

bodies! {
    bartlett = bartlett, 1;
    blackman = blackman, 1;
    geomspace = geomspace, 3;
    hamming = hamming, 1;
    hanning = hanning, 1;
    indices = indices, 1;
    kaiser = kaiser, 2;
    linspace = linspace, 3;
    logspace = logspace, 3;
    vander = vander, 3;
}

fn count(arg: &Arg) -> Result<usize, Failure> {
    let message = "Number of samples must be non-negative.";
    usize::try_from(arg.int()?).map_err(|_| value_error(message))
}

fn complex_number(arg: &Arg) -> Result<Pair<f64>, Failure> {
    Ok(Pair::from_wide(arg.number()?))
}

/// `(start, stop, num) -> array`: real and imaginary parts each in equal steps.
fn line(args: &[Arg]) -> Result<Vec<Pair<f64>>, Failure> {
    let (start, stop, n) = (
        complex_number(&args[0])?,
        complex_number(&args[1])?,
        count(&args[2])?,
    );
    let parts = spaced(start.re, stop.re, n)
        .into_iter()
        .zip(spaced(start.im, stop.im, n));
    Ok(parts.map(|(re, im)| Pair { re, im }).gathered())
}

fn give(ret: Ret, all: &[Pair<f64>]) -> Result<(), Failure> {
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => ret.vector(all),
        _ => ret.vector(&all.iter().map(|z| z.re).gathered()),
    }
}

/// `(start, stop, num) -> array`
fn linspace(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    if ret.kind()? != Kind::Float64 {
        return give(ret, &line(args)?);
    }
    let (start, stop) = (complex_number(&args[0])?.re, complex_number(&args[1])?.re);
    let n = count(&args[2])?;
    let out = ret.new_room(&[n])?;
    let at = spaced_at(start, stop, n);
    ret.threads().parts(n, |part| {
        let own = out.part(0, part.start, part.len());
        let run = Run {
            to: own.data.cast::<f64>(),
            first: part.start,
            len: part.len(),
        };
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: memory of the part's numbers; the processor has AVX2.
            return unsafe { fill_wide(&run, &at) };
        }
        // SAFETY: as above.
        unsafe { fill(&run, &at) };
    });
    Ok(())
}

/// Memory of consecutive numbers, of which nobody reads any yet, and the position of the first.
struct Run {
    to: *mut f64,
    first: usize,
    len: usize,
}

/// Numbers counted at once, in 32 bits: vectors convert those.
const COUNTED: usize = 256;

/// Writes `at(first)`, `at(first + 1)`, ..
///
/// # Safety
/// There are `len` numbers.
#[inline(always)]
unsafe fn fill(run: &Run, at: &impl Fn(f64) -> f64) {
    let mut done = 0;
    while done < run.len {
        let start = (run.first + done) as f64;
        let count = COUNTED.min(run.len - done);
        for i in 0..count {
            // SAFETY: one of the numbers.
            unsafe { run.to.add(done + i).write(at(start + f64::from(i as i32))) };
        }
        done += count;
    }
}

/// As [`fill`].
///
/// # Safety
/// As there; the processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn fill_wide(run: &Run, at: &impl Fn(f64) -> f64) {
    // SAFETY: the caller's promise.
    unsafe { fill(run, at) };
}

/// `10**z`
fn power_of_ten(z: Pair<f64>) -> Pair<f64> {
    if z.im == 0.0 {
        return Pair {
            re: 10_f64.powf(z.re),
            im: 0.0,
        };
    }
    pair(complex::power_of_ten(parts(z)))
}

fn parts(z: Pair<f64>) -> Complex {
    Complex { re: z.re, im: z.im }
}

fn pair(z: Complex) -> Pair<f64> {
    Pair { re: z.re, im: z.im }
}

/// `(start, stop, num) -> array`: powers of ten.
fn logspace(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    give(ret, &line(args)?.into_iter().map(power_of_ten).gathered())
}

/// `(start, stop, num) -> array`: each number a fixed multiple of the one before.
fn geomspace(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (start, stop, n) = (
        complex_number(&args[0])?,
        complex_number(&args[1])?,
        count(&args[2])?,
    );
    if start.is_zero() || stop.is_zero() {
        return Err(value_error("Geometric sequence cannot include zero"));
    }
    let is_complex = matches!(ret.kind()?, Kind::Complex64 | Kind::Complex128);
    if is_complex {
        return give(ret, &spiral(start, stop, n));
    }
    let mut all: Vec<Pair<f64>> = {
        let both_negative = start.re < 0.0 && stop.re < 0.0;
        if !both_negative && (start.re < 0.0 || stop.re < 0.0) {
            vec![
                Pair {
                    re: f64::NAN,
                    im: 0.0
                };
                n
            ]
        } else {
            let sign = if both_negative { -1.0 } else { 1.0 };
            let logs = spaced((start.re * sign).log10(), (stop.re * sign).log10(), n);
            let value = |x: f64| Pair {
                re: sign * 10_f64.powf(x),
                im: 0.0,
            };
            logs.into_iter().map(value).gathered()
        }
    };
    if let [first, rest @ ..] = &mut all[..] {
        *first = start;
        if let [.., last] = rest {
            *last = stop;
        }
    }
    give(ret, &all)
}

/// Complex numbers, each a fixed multiple of the one before. As NumPy: the direction of the first is taken out, and the
/// exponents lie on a line.
fn spiral(start: Pair<f64>, stop: Pair<f64>, n: usize) -> Vec<Pair<f64>> {
    let size = start.re.hypot(start.im);
    let sign = Pair {
        re: start.re / size,
        im: start.im / size,
    };
    let (start, stop) = (quotient(start, sign), quotient(stop, sign));
    let (first, last) = (complex::log10(parts(start)), complex::log10(parts(stop)));
    let mut all: Vec<Pair<f64>> = spaced(first.re, last.re, n)
        .into_iter()
        .zip(spaced(first.im, last.im, n))
        .map(|(re, im)| pair(complex::power_of_ten(Complex { re, im })))
        .gathered();
    if let [first, rest @ ..] = &mut all[..] {
        *first = start;
        if let [.., last] = rest {
            *last = stop;
        }
    }
    for z in &mut all {
        *z = z.mul(sign);
    }
    all
}

/// `(x, N | none, increasing) -> array`: powers of each number in a row.
fn vander(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let rows = source.view().len();
    let columns = match args[1].optional_int()? {
        None => rows,
        Some(n) => {
            usize::try_from(n).map_err(|_| value_error("Negative dimensions are not allowed"))?
        }
    };
    let increasing = args[2].flag()?;
    let mut out = ret.new_array(&[rows, columns])?;
    with_element!(out.kind, T => {
        let rows = out.elements_mut::<T>().chunks_exact_mut(columns.max(1));
        for (row, x) in rows.zip(run_of::<T>(source.view()).iter()) {
            let mut power = T::one();
            let put = |place: &mut T| {
                *place = power;
                power = power.mul(*x);
            };
            match increasing {
                true => row.iter_mut().for_each(put),
                false => row.iter_mut().rev().for_each(put),
            }
        }
    });
    Ok(())
}

/// `(shape) -> array`: the index along each axis, axis by axis.
fn indices(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let shape = extents(&args[0])?;
    let total: usize = shape.iter().product();
    let mut out = ret.new_room(&[&[shape.len()], &shape[..]].concat())?;
    let axes = out.elements_mut::<i64>().chunks_exact_mut(total.max(1));
    for (axis, places) in axes.enumerate() {
        let inner: usize = shape[axis + 1..].iter().product();
        // Each index as often as there are elements behind it, over and over.
        let n = shape[axis];
        let (round, others) = places.split_at_mut((n * inner).min(places.len()));
        if inner == 1 {
            for (place, i) in round.iter_mut().zip(0..) {
                *place = i;
            }
        } else {
            for (places, i) in round.chunks_exact_mut(inner.max(1)).zip(0..) {
                places.fill(i);
            }
        }
        for other in others.chunks_exact_mut(round.len().max(1)) {
            other.copy_from_slice(round);
        }
    }
    Ok(())
}

/// A window of `m` points by its formula over `n = 1 - m, 3 - m .. m - 1`; one point is 1.
fn window(args: &[Arg], ret: Ret, f: impl Fn(f64, f64) -> f64) -> Result<(), Failure> {
    let m = args[0].int()?;
    if m < 1 {
        return ret.vector::<f64>(&[]);
    }
    if m == 1 {
        return ret.vector(&[1.0]);
    }
    let out: Vec<f64> = (0..m)
        .map(|i| f((2 * i + 1 - m) as f64, (m - 1) as f64))
        .gathered();
    ret.vector(&out)
}

/// `(M) -> array`
fn bartlett(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    window(
        args,
        ret,
        |n, m| if n <= 0.0 { 1.0 + n / m } else { 1.0 - n / m },
    )
}

/// `(M) -> array`
fn blackman(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let pi = std::f64::consts::PI;
    window(args, ret, move |n, m| {
        0.42 + 0.5 * (pi * n / m).cos() + 0.08 * (2.0 * pi * n / m).cos()
    })
}

/// `(M) -> array`
fn hamming(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    window(args, ret, |n, m| {
        0.54 + 0.46 * (std::f64::consts::PI * n / m).cos()
    })
}

/// `(M) -> array`
fn hanning(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    window(args, ret, |n, m| {
        0.5 + 0.5 * (std::f64::consts::PI * n / m).cos()
    })
}

/// `(M, beta) -> array`
fn kaiser(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let m = args[0].int()?;
    let beta = args[1].float()?;
    if m < 1 {
        return ret.vector::<f64>(&[]);
    }
    if m == 1 {
        return ret.vector(&[1.0]);
    }
    let half = (m - 1) as f64 / 2.0;
    let highest = bessel_i0(beta.abs());
    let at = |i: i64| {
        let x = (i as f64 - half) / half;
        bessel_i0((beta * (1.0 - x * x).sqrt()).abs()) / highest
    };
    ret.vector(&(0..m).map(at).gathered())
}

/// Coefficients of the Chebyshev series of `exp(-x) I0(x)` in `x / 2 - 2`, for `x` up to 8. Cephes i0.c.
const SMALL: [f64; 30] = [
    -4.4153416464793395e-18,
    3.3307945188222384e-17,
    -2.431279846547955e-16,
    1.715391285555133e-15,
    -1.1685332877993451e-14,
    7.676185498604936e-14,
    -4.856446783111929e-13,
    2.95505266312964e-12,
    -1.726826291441556e-11,
    9.675809035373237e-11,
    -5.189795601635263e-10,
    2.6598237246823866e-09,
    -1.300025009986248e-08,
    6.046995022541919e-08,
    -2.670793853940612e-07,
    1.1173875391201037e-06,
    -4.4167383584587505e-06,
    1.6448448070728896e-05,
    -5.754195010082104e-05,
    0.00018850288509584165,
    -0.0005763755745385824,
    0.0016394756169413357,
    -0.004324309995050576,
    0.010546460394594998,
    -0.02373741480589947,
    0.04930528423967071,
    -0.09490109704804764,
    0.17162090152220877,
    -0.3046826723431984,
    0.6767952744094761,
];

/// Likewise of `exp(-x) sqrt(x) I0(x)` in `32 / x - 2`, for greater `x`.
const GREAT: [f64; 25] = [
    -7.233180487874754e-18,
    -4.830504485944182e-18,
    4.46562142029676e-17,
    3.461222867697461e-17,
    -2.8276239805165836e-16,
    -3.425485619677219e-16,
    1.7725601330565263e-15,
    3.8116806693526224e-15,
    -9.554846698828307e-15,
    -4.150569347287222e-14,
    1.54008621752141e-14,
    3.8527783827421426e-13,
    7.180124451383666e-13,
    -1.7941785315068062e-12,
    -1.3215811840447713e-11,
    -3.1499165279632416e-11,
    1.1889147107846439e-11,
    4.94060238822497e-10,
    3.3962320257083865e-09,
    2.266668990498178e-08,
    2.0489185894690638e-07,
    2.8913705208347567e-06,
    6.889758346916825e-05,
    0.0033691164782556943,
    0.8044904110141088,
];

/// Modified Bessel function of the first kind and order 0 of a number that is not negative.
fn bessel_i0(x: f64) -> f64 {
    if x <= 8.0 {
        x.exp() * chebyshev(x / 2.0 - 2.0, &SMALL)
    } else {
        x.exp() * chebyshev(32.0 / x - 2.0, &GREAT) / x.sqrt()
    }
}

/// The Chebyshev series with these coefficients, the highest first, at `x / 2`.
fn chebyshev(x: f64, coefficients: &[f64]) -> f64 {
    let (mut now, mut before, mut two_before) = (0.0, 0.0, 0.0);
    for c in coefficients {
        two_before = before;
        before = now;
        now = x * before - two_before + c;
    }
    0.5 * (now - two_before)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `np.i0` at some points.
    #[test]
    fn bessel_function() {
        for (x, value) in [
            (0.0, 1.0),
            (1.0, 1.266_065_877_752_008_2),
            (8.0, 427.564_115_721_804_74),
        ] {
            assert!((bessel_i0(x) / value - 1.0_f64).abs() < 1e-14, "{x}");
        }
    }
}
