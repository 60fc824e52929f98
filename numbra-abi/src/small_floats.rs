//! float16 and bfloat16 as bits: the conversions and the fused operation that compiler and runtime share.
//!
//! Rounding is to nearest, ties to even, and happens once. The crate `half` converts from and to float32; from float64 it
//! rounds twice or drops bits, so numbers take the way by [`rounded_to_odd`].

use half::{bf16, f16};

/// The bits of a bfloat16 NaN, as GPUs give it.
const BF16_NAN: u16 = 0x7fff;

/// The same number.
pub fn f16_to_f32(bits: u16) -> f32 {
    f16::from_bits(bits).to_f32()
}

/// The same number.
pub fn f16_to_f64(bits: u16) -> f64 {
    f16_to_f32(bits).into()
}

/// The nearest float16. NaN stays one.
pub fn f16_from_f32(x: f32) -> u16 {
    f16::from_f32(x).to_bits()
}

/// The nearest float16. NaN stays one.
pub fn f16_from_f64(x: f64) -> u16 {
    f16_from_f32(rounded_to_odd(x))
}

/// `a * b + c` with one rounding.
pub fn f16_fma(a: u16, b: u16, c: u16) -> u16 {
    f16_from_f64(sum_rounded_to_odd(
        f16_to_f64(a) * f16_to_f64(b),
        f16_to_f64(c),
    ))
}

/// The same number.
pub fn bf16_to_f32(bits: u16) -> f32 {
    bf16::from_bits(bits).to_f32()
}

/// The nearest bfloat16; 0x7fff for NaN.
pub fn bf16_from_f32(x: f32) -> u16 {
    if x.is_nan() {
        return BF16_NAN;
    }
    bf16::from_f32(x).to_bits()
}

/// The nearest bfloat16; 0x7fff for NaN.
pub fn bf16_from_f64(x: f64) -> u16 {
    bf16_from_f32(rounded_to_odd(x))
}

/// The nearest bfloat16.
pub fn bf16_from_int(x: i128) -> u16 {
    let size = x.unsigned_abs();
    // Of a great number the 40 highest bits remain, and the last of them says whether one below is set.
    let below = (128 - size.leading_zeros()).saturating_sub(40);
    let lost = size & ((1 << below) - 1) != 0;
    let kept = size >> below | u128::from(lost);
    let size = kept as f64 * 2f64.powi(below as i32);
    bf16_from_f64(if x < 0 { -size } else { size })
}

/// `a * b + c` with one rounding; 0x7fff for NaN.
pub fn bf16_fma(a: u16, b: u16, c: u16) -> u16 {
    let [a, b, c] = [a, b, c].map(|bits| f64::from(bf16_to_f32(bits)));
    bf16_from_f64(sum_rounded_to_odd(a * b, c))
}

/// A number as float32, and where that is inexact, as the neighbour whose last bit is set: it is on the same side of
/// every number of at most 22 bits, and of every tie between two of them, so that the next rounding is the only one
/// (Boldo and Melquiond 2008).
fn rounded_to_odd(x: f64) -> f32 {
    let near = x as f32;
    let back = f64::from(near);
    if back == x || x.is_nan() {
        return near;
    }
    let towards_zero = near.to_bits() - u32::from(back.abs() > x.abs());
    f32::from_bits(towards_zero | 1)
}

/// A sum as float64, rounded to odd as in [`rounded_to_odd`].
fn sum_rounded_to_odd(a: f64, b: f64) -> f64 {
    let sum = a + b;
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    // Of infinity and NaN the error is NaN.
    let lost = error.abs() > 0.0;
    if !lost || sum.to_bits() & 1 == 1 {
        return sum;
    }
    let is_away = (error > 0.0) == (sum > 0.0);
    let bits = sum.to_bits();
    f64::from_bits(if is_away { bits + 1 } else { bits - 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers of a format, and what reads and writes them.
    struct Format {
        to_f64: fn(u16) -> f64,
        from_f32: fn(f32) -> u16,
        from_f64: fn(f64) -> u16,
        /// The greatest number.
        greatest: u16,
    }

    const FORMATS: [Format; 2] = [
        Format {
            to_f64: f16_to_f64,
            from_f32: f16_from_f32,
            from_f64: f16_from_f64,
            greatest: 0x7bff,
        },
        Format {
            to_f64: |bits| bf16_to_f32(bits).into(),
            from_f32: bf16_from_f32,
            from_f64: bf16_from_f64,
            greatest: 0x7f7f,
        },
    ];

    #[test]
    fn every_number_reads_back() {
        for format in &FORMATS {
            for bits in 0..=u16::MAX {
                let x = (format.to_f64)(bits);
                let got = [(format.from_f64)(x), (format.from_f32)(x as f32)];
                if x.is_nan() {
                    assert!(got.iter().all(|&bits| (format.to_f64)(bits).is_nan()));
                } else {
                    assert_eq!(got, [bits; 2], "{x}");
                }
            }
        }
        assert_eq!(bf16_from_f64(f64::NAN), BF16_NAN);
        assert_eq!(f16_from_f64(f64::NAN) & 0x7e00, 0x7e00);
    }

    #[test]
    fn ties_go_to_the_even_one_and_what_is_beside_a_tie_does_not() {
        for format in &FORMATS {
            for bits in 0..format.greatest {
                let [low, high] = [bits, bits + 1].map(format.to_f64);
                let middle = (low + high) / 2.0;
                let even = bits + (bits & 1);
                assert_eq!((format.from_f64)(middle), even, "{bits:#x}");
                assert_eq!((format.from_f64)(-middle), even | 0x8000);
                assert_eq!((format.from_f64)(middle.next_down()), bits);
                assert_eq!((format.from_f64)(middle.next_up()), bits + 1);
            }
            assert_eq!((format.from_f64)(1e300), format.greatest + 1);
            assert_eq!((format.from_f64)(-1e-300), 0x8000);
        }
        assert_eq!(f16_from_f64(65519.9), 0x7bff);
        assert_eq!(f16_from_f64(65520.0), 0x7c00);
        assert_eq!(bf16_from_f64(f32::MAX.into()), 0x7f80);
    }

    #[test]
    fn integers_round_once() {
        assert_eq!(bf16_from_int(257), 0x4380);
        assert_eq!(bf16_from_int(-257), 0xc380);
        // Half between two, and 1 more, which float32 cannot tell.
        assert_eq!(bf16_from_int(0x101 << 40), bf16_from_int(0x100 << 40));
        assert_eq!(bf16_from_int((0x101 << 40) + 1), bf16_from_int(0x102 << 40));
        assert_eq!(
            bf16_from_int(-(0x101 << 40) - 1),
            bf16_from_int(-(0x102 << 40))
        );
        assert_eq!(
            bf16_from_int((0x101 << 100) + 1),
            bf16_from_int(0x102 << 100)
        );
        assert_eq!(bf16_from_int(u64::MAX.into()), 0x5f80);
    }

    #[test]
    fn a_fused_sum_rounds_once() {
        let one = 0x3f80;
        // Of products that lie in the middle between two numbers, ..
        for (a, below) in [(0x3f81, 0x3fc1), (0x3f83, 0x3fc4)] {
            let (b, tiny) = (0x3fc0, 0x0001);
            let even = below + (below & 1);
            assert_eq!(bf16_fma(a, b, 0), even);
            // .. the smallest number says which one is nearer, and float64 does not hold the sum.
            assert_eq!(bf16_fma(a, b, tiny), below + 1);
            assert_eq!(bf16_fma(a, b, tiny | 0x8000), below);
            assert_eq!(bf16_fma(a | 0x8000, b, tiny | 0x8000), (below + 1) | 0x8000);
        }
        assert_eq!(bf16_fma(0x7f80, 0x0000, one), BF16_NAN);
        assert_eq!(bf16_fma(0x7f80, one, 0xff80), BF16_NAN);
        assert_eq!(bf16_fma(0x7f80, one, one), 0x7f80);
        assert_eq!(bf16_fma(0x7f7f, 0x7f7f, 0xff7f), 0x7f80);

        let [one, big, more] = [1.0, 1024.0, 1.0 + 1.0 / 1024.0].map(f16_from_f64);
        assert_eq!(f16_fma(one, one, 1), one);
        let exact = (1.0 + 1.0 / 1024.0_f64).powi(2) + 1024.0;
        assert_eq!(f16_fma(more, more, big), f16_from_f64(exact));
        assert!(f16_to_f64(f16_fma(0x7c00, one, 0xfc00)).is_nan());
    }
}
