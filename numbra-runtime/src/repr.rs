//! Numbers as Python writes them.

use std::fmt::{Display, LowerExp};
use std::str::FromStr;

/// `repr(x)`: the shortest digits that read back as `x`; an exponent below 1e-4 and from 1e16 on.
pub fn float_repr(x: f64) -> String {
    digits(x, true)
}

/// As [`float_repr`], of NumPy's `float32`: the digits read back as the same number of this width.
pub(crate) fn narrow_float_repr(x: f32) -> String {
    digits(x, true)
}

/// `str(complex(re, im))`
pub fn complex_str(re: f64, im: f64) -> String {
    complex(re, im)
}

/// As [`complex_str`], of NumPy's `complex64`.
pub(crate) fn narrow_complex_str(re: f32, im: f32) -> String {
    complex(re, im)
}

fn complex<F: Float>(re: F, im: F) -> String {
    let imaginary = digits(im, false);
    if re.into().to_bits() == 0 {
        return format!("{imaginary}j");
    }
    let sign = if imaginary.starts_with('-') { "" } else { "+" };
    format!("({}{sign}{imaginary}j)", digits(re, false))
}

/// `point` writes whole numbers with `.0`.
fn digits<F: Float>(x: F, point: bool) -> String {
    let wide: f64 = x.into();
    if wide.is_nan() {
        return "nan".to_owned();
    }
    if wide.is_infinite() {
        return if wide > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let shortest = shortest(x);
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let is_small = wide != 0.0 && wide.abs() < 1e-4;
    if is_small || exponent >= F::EXPONENT {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
    let behind = mantissa
        .split_once('.')
        .map_or(0, |(_, digits)| digits.len()) as i32;
    let mut text = format!("{x:.*}", (behind - exponent).max(0) as usize);
    if point && !text.contains('.') {
        text.push_str(".0");
    }
    text
}

/// A number with a width of its own.
trait Float: Display + LowerExp + FromStr + PartialEq + Copy + Into<f64> {
    /// Powers of ten from which on a number is written with an exponent.
    const EXPONENT: i32;
}

/// As NumPy 2.4.
impl Float for f32 {
    const EXPONENT: i32 = 6;
}

impl Float for f64 {
    const EXPONENT: i32 = 16;
}

/// The fewest digits that read back as `x`. Where two numbers of so many digits are equally near, Rust writes the larger one,
/// Python the one whose last digit is even.
fn shortest<F: Float>(x: F) -> String {
    let text = format!("{x:e}");
    let digits = text
        .bytes()
        .take_while(|c| *c != b'e')
        .filter(u8::is_ascii_digit)
        .count();
    let rounded = format!("{x:.*e}", digits.saturating_sub(1));
    match rounded.parse().is_ok_and(|back: F| back == x) {
        true => rounded,
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `repr` of CPython 3.11.
    #[test]
    fn floats() {
        for (x, text) in [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (0.1, "0.1"),
            (1e16, "1e+16"),
            (9999999999999998.0, "9999999999999998.0"),
            (0.0001, "0.0001"),
            (0.00001, "1e-05"),
            (1.5e-7, "1.5e-07"),
            (5e-324, "5e-324"),
            (1.7976931348623157e308, "1.7976931348623157e+308"),
            (123456.789, "123456.789"),
            // Two of 16 digits are equally near.
            (-2904172229586637.0 / 4.0, "-726043057396659.2"),
            (2098758922848825.0 / 8.0, "262344865356103.12"),
            (9007199254740993.0, "9007199254740992.0"),
            (5e15, "5000000000000000.0"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(float_repr(x), text);
        }
    }

    /// `str` of NumPy 2.4's `float32`.
    #[test]
    fn narrow_floats() {
        for (x, text) in [
            (0.1, "0.1"),
            (-0.0, "-0.0"),
            (999_999.0, "999999.0"),
            (1e6, "1e+06"),
            (16_777_217.0, "1.6777216e+07"),
            (3e-4, "0.0003"),
            (1e-4, "1e-04"),
            (1.234_567_9e38, "1.2345679e+38"),
        ] {
            assert_eq!(narrow_float_repr(x), text);
        }
    }

    #[test]
    fn complex() {
        for (re, im, text) in [
            (0.0, 2.0, "2j"),
            (-0.0, 2.0, "(-0+2j)"),
            (1.0, -2.5, "(1-2.5j)"),
            (1.0, 0.0, "(1+0j)"),
            (f64::NAN, f64::INFINITY, "(nan+infj)"),
            (1e20, -0.0, "(1e+20-0j)"),
        ] {
            assert_eq!(complex_str(re, im), text);
        }
    }
}
