//! Arrays made by formula.

use super::statistics::spaced;
use super::views::extents;
use crate::elements::{Element, Kind, Pair, with_element};
use crate::strided::to_vec;
use crate::value::{Arg, Failure, Ret, value_error};

fn count(arg: &Arg) -> Result<usize, Failure> {
    let message = "Number of samples must be non-negative.";
    usize::try_from(arg.int()?).map_err(|_| value_error(message))
}

fn complex(arg: &Arg) -> Result<Pair<f64>, Failure> {
    Ok(Pair::from_wide(arg.number()?))
}

/// `(start, stop, num) -> array`: real and imaginary parts each in equal steps.
fn line(args: &[Arg]) -> Result<Vec<Pair<f64>>, Failure> {
    let (start, stop, n) = (complex(&args[0])?, complex(&args[1])?, count(&args[2])?);
    let parts = spaced(start.re, stop.re, n)
        .into_iter()
        .zip(spaced(start.im, stop.im, n));
    Ok(parts.map(|(re, im)| Pair { re, im }).collect())
}

fn give(ret: Ret, all: &[Pair<f64>]) -> Result<(), Failure> {
    match ret.kind()? {
        Kind::Complex64 | Kind::Complex128 => ret.vector(all),
        _ => ret.vector(&all.iter().map(|z| z.re).collect::<Vec<_>>()),
    }
}

/// `(start, stop, num) -> array`
pub(super) fn linspace(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    give(ret, &line(args)?)
}

/// `e**z`
fn exp(z: Pair<f64>) -> Pair<f64> {
    let size = z.re.exp();
    if z.im == 0.0 {
        return Pair { re: size, im: z.im };
    }
    Pair {
        re: size * z.im.cos(),
        im: size * z.im.sin(),
    }
}

/// Natural logarithm.
fn log(z: Pair<f64>) -> Pair<f64> {
    Pair {
        re: z.re.hypot(z.im).ln(),
        im: z.im.atan2(z.re),
    }
}

/// `10**z`
fn power_of_ten(z: Pair<f64>) -> Pair<f64> {
    if z.im == 0.0 {
        return Pair {
            re: 10_f64.powf(z.re),
            im: 0.0,
        };
    }
    let ten = std::f64::consts::LN_10;
    exp(Pair {
        re: z.re * ten,
        im: z.im * ten,
    })
}

/// `(start, stop, num) -> array`: powers of ten.
pub(super) fn logspace(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    give(
        ret,
        &line(args)?
            .into_iter()
            .map(power_of_ten)
            .collect::<Vec<_>>(),
    )
}

/// `(start, stop, num) -> array`: each number a fixed multiple of the one before.
pub(super) fn geomspace(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let (start, stop, n) = (complex(&args[0])?, complex(&args[1])?, count(&args[2])?);
    if start.is_zero() || stop.is_zero() {
        return Err(value_error("Geometric sequence cannot include zero"));
    }
    let is_complex = matches!(ret.kind()?, Kind::Complex64 | Kind::Complex128);
    let mut all: Vec<Pair<f64>> = if is_complex {
        // As NumPy: the direction of the first number is taken out, and the exponents lie on a line.
        let size = start.re.hypot(start.im);
        let sign = Pair {
            re: start.re / size,
            im: start.im / size,
        };
        let (first, end) = (size.log10(), log(super::statistics::quotient(stop, sign)));
        let end = Pair {
            re: end.re / std::f64::consts::LN_10,
            im: end.im / std::f64::consts::LN_10,
        };
        let parts = spaced(first, end.re, n)
            .into_iter()
            .zip(spaced(0.0, end.im, n));
        let exponents: Vec<Pair<f64>> = parts.map(|(re, im)| Pair { re, im }).collect();
        let at = |i: usize| sign.mul(power_of_ten(exponents[i]));
        (0..n).map(at).collect()
    } else {
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
            logs.into_iter().map(value).collect()
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

/// `(x, N | none, increasing) -> array`: powers of each number in a row.
pub(super) fn vander(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let source = args[0].like()?;
    let rows = source.view().len();
    let columns = match args[1].optional_int()? {
        None => rows,
        Some(n) => {
            usize::try_from(n).map_err(|_| value_error("Negative dimensions are not allowed"))?
        }
    };
    let increasing = args[2].flag()?;
    with_element!(ret.kind()?, T => {
        let mut out = Vec::with_capacity(rows * columns);
        for x in to_vec::<T>(source.view()) {
            let start = out.len();
            let mut power = T::one();
            for _ in 0..columns {
                out.push(power);
                power = power.mul(x);
            }
            if !increasing {
                out[start..].reverse();
            }
        }
        ret.array(&[rows, columns], &out)
    })
}

/// `(shape) -> array`: the index along each axis, axis by axis.
pub(super) fn indices(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let shape = extents(&args[0])?;
    let total: usize = shape.iter().product();
    let mut out: Vec<i64> = Vec::with_capacity(shape.len() * total);
    for axis in 0..shape.len() {
        let inner: usize = shape[axis + 1..].iter().product();
        out.extend((0..total).map(|i| (i / inner.max(1) % shape[axis].max(1)) as i64));
    }
    ret.array(&[&[shape.len()], &shape[..]].concat(), &out)
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
        .collect();
    ret.vector(&out)
}

/// `(M) -> array`
pub(super) fn bartlett(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    window(
        args,
        ret,
        |n, m| if n <= 0.0 { 1.0 + n / m } else { 1.0 - n / m },
    )
}

/// `(M) -> array`
pub(super) fn blackman(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let pi = std::f64::consts::PI;
    window(args, ret, move |n, m| {
        0.42 + 0.5 * (pi * n / m).cos() + 0.08 * (2.0 * pi * n / m).cos()
    })
}

/// `(M) -> array`
pub(super) fn hamming(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    window(args, ret, |n, m| {
        0.54 + 0.46 * (std::f64::consts::PI * n / m).cos()
    })
}

/// `(M) -> array`
pub(super) fn hanning(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    window(args, ret, |n, m| {
        0.5 + 0.5 * (std::f64::consts::PI * n / m).cos()
    })
}

/// `(M, beta) -> array`
pub(super) fn kaiser(args: &[Arg], ret: Ret) -> Result<(), Failure> {
    let m = args[0].int()?;
    let beta = args[1].float()?;
    if m < 1 {
        return ret.vector::<f64>(&[]);
    }
    if m == 1 {
        return ret.vector(&[1.0]);
    }
    let half = (m - 1) as f64 / 2.0;
    let at = |i: i64| {
        let x = (i as f64 - half) / half;
        bessel_i0(beta * (1.0 - x * x).max(0.0).sqrt()) / bessel_i0(beta)
    };
    ret.vector(&(0..m).map(at).collect::<Vec<f64>>())
}

/// Modified Bessel function of the first kind and order 0, by its power series.
fn bessel_i0(x: f64) -> f64 {
    let quarter = x * x / 4.0;
    let (mut term, mut sum) = (1.0, 1.0);
    for k in 1..2000 {
        term *= quarter / f64::from(k * k);
        sum += term;
        if term < sum * 1e-17 {
            break;
        }
    }
    sum
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
