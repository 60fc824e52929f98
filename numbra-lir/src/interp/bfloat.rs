//! bfloat16 as bits: the upper half of a float32.

/// The bits of NaN, as GPUs give it.
const NAN: u16 = 0x7fff;

/// The same number.
pub fn to_f32(bits: u16) -> f32 {
    f32::from_bits(u32::from(bits) << 16)
}

/// To nearest, ties to even.
pub fn from_f32(x: f32) -> u16 {
    if x.is_nan() {
        return NAN;
    }
    let bits = x.to_bits();
    let last = bits >> 16 & 1;
    ((bits + 0x7fff + last) >> 16) as u16
}

/// To nearest, ties to even, with one rounding.
pub fn from_f64(x: f64) -> u16 {
    let near = x as f32;
    let back = f64::from(near);
    if back == x || x.is_nan() {
        return from_f32(near);
    }
    // Between two floats the odd one tells on which side of every bfloat16 and of every tie `x` is.
    let towards_zero = near.to_bits() - u32::from(back.abs() > x.abs());
    from_f32(f32::from_bits(towards_zero | 1))
}

/// To nearest, ties to even, with one rounding.
pub fn from_int(x: i128) -> u16 {
    let size = x.unsigned_abs();
    // Of a great number the 40 highest bits remain, and the last of them says whether one below is set.
    let below = (128 - size.leading_zeros()).saturating_sub(40);
    let lost = size & ((1 << below) - 1) != 0;
    let kept = size >> below | u128::from(lost);
    let size = kept as f64 * 2f64.powi(below as i32);
    from_f64(if x < 0 { -size } else { size })
}

/// `a * b + c` with one rounding.
pub fn fma(a: u16, b: u16, c: u16) -> u16 {
    // Exact.
    let product = f64::from(to_f32(a)) * f64::from(to_f32(b));
    let c = f64::from(to_f32(c));
    let sum = product + c;
    let part = sum - product;
    let error = (product - (sum - part)) + (c - part);
    let lost = error.abs() > 0.0;
    if !lost || sum.to_bits() & 1 == 1 {
        return from_f64(sum);
    }
    let away = (error > 0.0) == (sum > 0.0);
    let bits = sum.to_bits();
    from_f64(f64::from_bits(if away { bits + 1 } else { bits - 1 }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_reads_back() {
        for bits in 0..=u16::MAX {
            let x = to_f32(bits);
            let want = if x.is_nan() { NAN } else { bits };
            assert_eq!(from_f32(x), want);
            assert_eq!(from_f64(x.into()), want);
        }
    }

    #[test]
    fn ties_go_to_the_even_one_and_less_than_ties_do_not() {
        let half = 2f64.powi(-8);
        let tiny = 2f64.powi(-40);
        for (x, want) in [
            (1.0 + half, 0x3f80),
            (1.0 + half + tiny, 0x3f81),
            (1.0 + 3.0 * half, 0x3f82),
            (1.0 + 3.0 * half - tiny, 0x3f81),
            (f64::from(f32::MAX), 0x7f80),
            (1e300, 0x7f80),
            (-1e-300, 0x8000),
            (2f64.powi(-134) + 2f64.powi(-180), 0x0001),
            (2f64.powi(-134), 0x0000),
        ] {
            assert_eq!(from_f64(x), want, "{x}");
        }
        assert_eq!(from_f32(1.0 + half as f32), 0x3f80);
    }

    #[test]
    fn integers_round_once() {
        assert_eq!(from_int(257), 0x4380);
        assert_eq!(from_int(-257), 0xc380);
        // Half between two, and 1 more, which float32 cannot tell.
        assert_eq!(from_int(0x101 << 40), from_int(0x100 << 40));
        assert_eq!(from_int((0x101 << 40) + 1), from_int(0x102 << 40));
        assert_eq!(from_int(-(0x101 << 40) - 1), from_int(-(0x102 << 40)));
        assert_eq!(from_int((0x101 << 100) + 1), from_int(0x102 << 100));
        assert_eq!(from_int(u64::MAX.into()), 0x5f80);
    }

    #[test]
    fn a_fused_sum_rounds_once() {
        let one = 0x3f80;
        // Of products that lie in the middle between two numbers, ..
        for (a, below) in [(0x3f81, 0x3fc1), (0x3f83, 0x3fc4)] {
            let (b, tiny) = (0x3fc0, 0x0001);
            let even = below + (below & 1);
            assert_eq!(fma(a, b, 0), even);
            // .. the smallest number says which one is nearer, and float64 does not hold the sum.
            assert_eq!(fma(a, b, tiny), below + 1);
            assert_eq!(fma(a, b, tiny | 0x8000), below);
            assert_eq!(fma(a | 0x8000, b, tiny | 0x8000), (below + 1) | 0x8000);
        }
        assert_eq!(fma(0x7f80, 0x0000, one), NAN);
        assert_eq!(fma(0x7f80, one, 0xff80), NAN);
        assert_eq!(fma(0x7f80, one, one), 0x7f80);
        assert_eq!(fma(0x7f7f, 0x7f7f, 0xff7f), 0x7f80);
    }
}
