//! Half precision floats as bits.

/// The exact value.
pub fn to_f64(bits: u16) -> f64 {
    let sign = if bits >> 15 == 1 { -1.0 } else { 1.0 };
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff);
    match exponent {
        0 => sign * fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => sign * f64::INFINITY,
        31 => {
            // NaN: sign, quiet bit and payload kept.
            let bits = u64::from(bits);
            f64::from_bits(bits >> 15 << 63 | 0x7ff << 52 | (bits & 0x3ff) << 42)
        }
        _ => sign * (1.0 + fraction / 1024.0) * 2f64.powi(exponent - 15),
    }
}

/// To nearest, ties to even; overflow gives infinity.
pub fn from_f64(x: f64) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    if x.is_nan() {
        return sign | 0x7e00 | (bits >> 42) as u16 & 0x3ff;
    }
    let magnitude = x.abs();
    if magnitude >= 65520.0 {
        return sign | 0x7c00;
    }
    // Scale so that one unit is the last place of the result; rounding there is exact and ties to even.
    let exponent = if magnitude < 2f64.powi(-14) {
        -14
    } else {
        (magnitude.to_bits() >> 52) as i32 - 1023
    };
    let units = (magnitude * 2f64.powi(10 - exponent)).round_ties_even() as u32;
    // units is 1024..=2048 for normal numbers; 2048 carries into the exponent by itself.
    let encoded = if magnitude < 2f64.powi(-14) {
        units
    } else {
        ((exponent + 14) as u32 * 1024) + units
    };
    sign | encoded as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_half_round_trips() {
        for bits in 0..=u16::MAX {
            let x = to_f64(bits);
            if x.is_nan() {
                assert!(to_f64(from_f64(x)).is_nan());
            } else {
                assert_eq!(from_f64(x), bits, "{x}");
            }
        }
    }

    #[test]
    fn ties_go_to_even() {
        assert_eq!(from_f64(2049.0), from_f64(2048.0));
        assert_eq!(from_f64(2051.0), from_f64(2052.0));
        assert_eq!(from_f64(65519.9), 0x7bff);
        assert_eq!(from_f64(65520.0), 0x7c00);
        assert_eq!(from_f64(2f64.powi(-25)), 0);
        assert_eq!(from_f64(2f64.powi(-25) * 1.5), 1);
    }
}
