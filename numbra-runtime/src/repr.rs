//! Numbers as Python writes them.

/// `repr(x)`: the shortest digits that read back as `x`; an exponent below 1e-4 and from 1e16 on.
pub fn float_repr(x: f64) -> String {
    digits(x, true)
}

/// `str(complex(re, im))`
pub fn complex_str(re: f64, im: f64) -> String {
    let imaginary = digits(im, false);
    if re == 0.0 && re.is_sign_positive() {
        return format!("{imaginary}j");
    }
    let sign = if imaginary.starts_with('-') { "" } else { "+" };
    format!("({}{sign}{imaginary}j)", digits(re, false))
}

/// `point` writes whole numbers with `.0`.
fn digits(x: f64, point: bool) -> String {
    if x.is_nan() {
        return "nan".to_owned();
    }
    if x.is_infinite() {
        return if x > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    let shortest = format!("{x:e}");
    let (mantissa, exponent) = shortest.split_once('e').unwrap_or((&shortest, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if !(-4..16).contains(&exponent) {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{mantissa}e{sign}{:02}", exponent.unsigned_abs());
    }
    let mut text = format!("{x}");
    if point && !text.contains('.') {
        text.push_str(".0");
    }
    text
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
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ] {
            assert_eq!(float_repr(x), text);
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
