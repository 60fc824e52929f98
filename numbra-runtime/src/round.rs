//! `round(x, n)` as CPython: of the exact decimal value, ties to even.

/// `x` rounded to `digits` decimal places; tens and hundreds when negative.
pub(crate) extern "C" fn numbra_rt_round_digits(x: f64, digits: i64) -> f64 {
    // CPython's NDIGITS_MAX and NDIGITS_MIN: beyond them nothing or everything is rounded away.
    if !x.is_finite() || digits > 323 {
        return x;
    }
    if digits < -308 {
        return 0.0 * x;
    }
    if let Some(y) = round_scaled(x, digits) {
        return y;
    }
    let rounded = if digits >= 0 {
        format!("{x:.*}", digits as usize).parse()
    } else {
        round_left(x.abs(), digits.unsigned_abs() as usize)
            .parse()
            .map(|y: f64| y.copysign(x))
    };
    rounded.unwrap_or(x)
}

/// `x` rounded by way of `x * 10**digits`, where that is certain to give the nearest float to the nearest decimal number.
///
/// The power of ten is exact, the product differs from the true one by half an ULP at most, so that it is rounded as that
/// would be unless a tie is as near; and the quotient of two exact numbers is the nearest float.
fn round_scaled(x: f64, digits: i64) -> Option<f64> {
    const EXACT: [f64; 16] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ];
    let scale = *EXACT.get(usize::try_from(digits).ok()?)?;
    let scaled = x * scale;
    // Below 2**50 a tie can be told from its neighbours.
    if scaled.abs() >= 1_125_899_906_842_624.0 {
        return None;
    }
    let nearest = scaled.round_ties_even();
    let from_tie = 0.5 - (scaled - nearest).abs();
    (from_tie > scaled.abs() * f64::EPSILON).then(|| nearest / scale)
}

/// Decimal digits of `x >= 0` with the last `places` before the point rounded to zero.
fn round_left(x: f64, places: usize) -> String {
    let exact = format!("{x:.1074}");
    let (whole, fraction) = exact.split_once('.').unwrap_or((&exact, ""));
    let Some(kept_len) = whole.len().checked_sub(places) else {
        return "0".to_owned();
    };
    let (kept, dropped) = whole.split_at(kept_len);
    let mut kept: Vec<u8> = kept.bytes().map(|b| b - b'0').collect();
    let rest = dropped.bytes().chain(fraction.bytes()).skip(1);
    let above_half = rest.clone().any(|b| b != b'0');
    let odd = kept.last().is_some_and(|d| d % 2 == 1);
    let up = match dropped.bytes().next() {
        Some(b'0'..=b'4') | None => false,
        Some(b'5') => above_half || odd,
        Some(_) => true,
    };
    if up {
        let mut at = kept.len();
        loop {
            if at == 0 {
                kept.insert(0, 1);
                break;
            }
            at -= 1;
            if kept[at] < 9 {
                kept[at] += 1;
                break;
            }
            kept[at] = 0;
        }
    }
    let mut text: String = kept.iter().map(|d| char::from(b'0' + d)).collect();
    text.push_str(&"0".repeat(places));
    text
}

#[cfg(test)]
mod tests {
    use super::numbra_rt_round_digits as round;

    /// Values of CPython 3.11.
    #[test]
    fn like_cpython() {
        for (x, n, y) in [
            (2.675, 2, 2.67),
            (0.125, 2, 0.12),
            (0.375, 2, 0.38),
            (1234.5678, -2, 1200.0),
            (1250.0, -2, 1200.0),
            (1350.0, -2, 1400.0),
            (1250.1, -2, 1300.0),
            (99.0, -2, 100.0),
            (50.0, -2, 0.0),
            (-51.0, -2, -100.0),
            (5.0, -1, 0.0),
            (15.0, -1, 20.0),
            (1e22, 3, 1e22),
            (-0.4, 0, -0.0),
            (1.5e300, -300, 2e300),
            (2.5, 400, 2.5),
        ] {
            assert_eq!(round(x, n).to_bits(), f64::to_bits(y), "round({x}, {n})");
        }
        assert!(round(f64::NAN, 1).is_nan());
    }
}
