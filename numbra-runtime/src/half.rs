//! IEEE 754 half precision, by its bits.

/// The f32 with the value of a half.
pub(crate) fn to_f32(bits: u16) -> f32 {
    let sign = u32::from(bits & 0x8000) << 16;
    let exponent = u32::from(bits >> 10 & 0x1f);
    let fraction = u32::from(bits & 0x3ff);
    let magnitude = match (exponent, fraction) {
        (0, 0) => 0,
        // Subnormal: fraction * 2^-24, exact in f32.
        (0, _) => (fraction as f32 * f32::from_bits(0x3380_0000)).to_bits(),
        (31, _) => 0x7f80_0000 | fraction << 13 | if fraction != 0 { 0x0040_0000 } else { 0 },
        _ => (exponent + 112) << 23 | fraction << 13,
    };
    f32::from_bits(sign | magnitude)
}

/// The half nearest to an f64, ties to even.
pub(crate) fn from_f64(x: f64) -> u16 {
    let bits = x.to_bits();
    let sign = (bits >> 48) as u16 & 0x8000;
    let magnitude = bits & !(1 << 63);
    if magnitude > 0x7ff0_0000_0000_0000 {
        return sign | 0x7e00;
    }
    let exponent = (magnitude >> 52) as i64 - 1023;
    // 65520 and above round to infinity.
    if magnitude >= 0x40ef_fe00_0000_0000 {
        return sign | 0x7c00;
    }
    if exponent < -25 {
        return sign;
    }
    let significand = (magnitude & 0x000f_ffff_ffff_ffff) | 0x0010_0000_0000_0000;
    // Bits below the last of the half: 42 for normal ones, more for subnormal ones.
    let (shift, base) = if exponent >= -14 {
        (42, ((exponent + 14) as u64) << 10)
    } else {
        (42 - 14 - exponent, 0)
    };
    let kept = significand >> shift;
    let rest = significand & ((1 << shift) - 1);
    let middle = 1_u64 << (shift - 1);
    let up = u64::from(rest > middle || (rest == middle && kept & 1 == 1));
    // The hidden bit of `kept` carries into the exponent field; so does rounding up.
    sign | (base + kept + up) as u16
}

/// The half nearest to an f32, ties to even.
pub(crate) fn from_f32(x: f32) -> u16 {
    from_f64(f64::from(x))
}

pub(crate) extern "C" fn numbra_rt_f16_to_f32(bits: i32) -> f32 {
    to_f32(bits as u16)
}

pub(crate) extern "C" fn numbra_rt_f32_to_f16(x: f32) -> i32 {
    from_f32(x).into()
}

pub(crate) extern "C" fn numbra_rt_f64_to_f16(x: f64) -> i32 {
    from_f64(x).into()
}

/// `a * b + c` of halves with one rounding.
pub(crate) extern "C" fn numbra_rt_f16_fma(a: i32, b: i32, c: i32) -> i32 {
    let [a, b, c] = [a, b, c].map(|x| f64::from(to_f32(x as u16)));
    // The product of halves is exact in f64. The sum may not be: it is rounded to odd, so that the second rounding sees
    // what the first one dropped (Boldo and Melquiond 2008).
    let product = a * b;
    let sum = product + c;
    let back = sum - product;
    let error = (product - (sum - back)) + (c - back);
    let odd = if error != 0.0 && sum.is_finite() && sum.to_bits() & 1 == 0 {
        let toward_zero = (error > 0.0) != (sum > 0.0);
        f64::from_bits(if toward_zero {
            sum.to_bits() - 1
        } else {
            sum.to_bits() + 1
        })
    } else {
        sum
    };
    from_f64(odd).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_survive_the_round_trip() {
        for bits in 0..=u16::MAX {
            let wide = to_f32(bits);
            if wide.is_nan() {
                assert_eq!(from_f32(wide) & 0x7c00, 0x7c00);
                assert_ne!(from_f32(wide) & 0x3ff, 0);
            } else {
                assert_eq!(from_f32(wide), bits, "{bits:#x}");
            }
        }
    }

    #[test]
    fn rounding_is_to_nearest_even() {
        for bits in 0..0x7bff_u16 {
            let (low, high) = (f64::from(to_f32(bits)), f64::from(to_f32(bits + 1)));
            let middle = (low + high) / 2.0;
            let even = if bits & 1 == 0 { bits } else { bits + 1 };
            assert_eq!(from_f64(middle), even, "{bits:#x}");
            assert_eq!(from_f64(f64::from_bits(middle.to_bits() - 1)), bits);
            assert_eq!(from_f64(f64::from_bits(middle.to_bits() + 1)), bits + 1);
            assert_eq!(from_f64(-middle), even | 0x8000);
        }
        assert_eq!(from_f64(65519.9), 0x7bff);
        assert_eq!(from_f64(65520.0), 0x7c00);
        assert_eq!(from_f64(1e-300), 0);
    }

    #[test]
    fn fma_rounds_once() {
        let one = i32::from(from_f64(1.0));
        let tiny = 1;
        // 1 * 1 + smallest subnormal: just above 1, nearest is 1.
        assert_eq!(numbra_rt_f16_fma(one, one, tiny), one);
        let big = i32::from(from_f64(1024.0));
        let x = i32::from(from_f64(1.0 + 1.0 / 1024.0));
        // 1.0009765625^2 * ... exact product then addition.
        let exact = (1.0 + 1.0 / 1024.0_f64).powi(2) + 1024.0;
        assert_eq!(numbra_rt_f16_fma(x, x, big), i32::from(from_f64(exact)));
    }
}
