//! Normal and exponential numbers by the ziggurat of Marsaglia and Tsang (2000), as NumPy's `Generator` draws them.

use super::bits::Bits;
use super::ziggurat_tables::{
    EXP_HEIGHT, EXP_HEIGHT_SINGLE, EXP_LIMIT, EXP_LIMIT_SINGLE, EXP_WIDTH, EXP_WIDTH_SINGLE,
    NORMAL_HEIGHT, NORMAL_HEIGHT_SINGLE, NORMAL_LIMIT, NORMAL_LIMIT_SINGLE, NORMAL_WIDTH,
    NORMAL_WIDTH_SINGLE,
};

/// Where the tail of the normal curve starts.
const NORMAL_END: f64 = 3.654_152_885_361_009;
/// Its inverse.
const NORMAL_SCALE: f64 = 0.273_661_237_329_758_3;
/// Where the tail of the exponential curve starts.
const EXP_END: f64 = 7.697_117_470_131_05;

/// A normal number of mean 0 and deviation 1.
#[inline]
pub(super) fn normal(bits: &mut impl Bits) -> f64 {
    loop {
        let r = bits.u64();
        let strip = (r & 0xff) as usize;
        let size = r >> 9 & 0x000f_ffff_ffff_ffff;
        let x = signed(r >> 8, size as f64 * NORMAL_WIDTH[strip]);
        if size < NORMAL_LIMIT[strip] {
            return x;
        }
        if let Some(x) = normal_edge(bits, strip, size, x) {
            return x;
        }
    }
}

/// A number that is not negative, negated if the lowest bit is set: without a branch, which nobody could foresee.
#[inline]
fn signed(bit: u64, x: f64) -> f64 {
    f64::from_bits(x.to_bits() ^ bit << 63)
}

/// The tail and the edges of the strips; none: draw again.
#[cold]
fn normal_edge(bits: &mut impl Bits, strip: usize, size: u64, x: f64) -> Option<f64> {
    if strip == 0 {
        loop {
            let x = -NORMAL_SCALE * (-bits.f64()).ln_1p();
            let y = -(-bits.f64()).ln_1p();
            if y + y > x * x {
                let x = NORMAL_END + x;
                return Some(signed(size >> 8, x));
            }
        }
    }
    let (high, low) = (NORMAL_HEIGHT[strip - 1], NORMAL_HEIGHT[strip]);
    ((high - low) * bits.f64() + low < (-0.5 * x * x).exp()).then_some(x)
}

/// As [`normal`], in single precision.
pub(super) fn normal_single(bits: &mut impl Bits) -> f32 {
    loop {
        let r = bits.u32();
        let strip = (r & 0xff) as usize;
        let size = r >> 9;
        let x = size as f32 * NORMAL_WIDTH_SINGLE[strip];
        // As `signed`.
        let x = f32::from_bits(x.to_bits() ^ r >> 8 << 31);
        if size < NORMAL_LIMIT_SINGLE[strip] {
            return x;
        }
        if strip == 0 {
            loop {
                let x = -(NORMAL_SCALE as f32) * (-bits.f32()).ln_1p();
                let y = -(-bits.f32()).ln_1p();
                if y + y > x * x {
                    let x = NORMAL_END as f32 + x;
                    return if size >> 8 & 1 != 0 { -x } else { x };
                }
            }
        }
        let (high, low) = (NORMAL_HEIGHT_SINGLE[strip - 1], NORMAL_HEIGHT_SINGLE[strip]);
        let wide = f64::from(x);
        if f64::from((high - low) * bits.f32() + low) < (-0.5 * wide * wide).exp() {
            return x;
        }
    }
}

/// An exponential number of mean 1.
#[inline]
pub(super) fn exponential(bits: &mut impl Bits) -> f64 {
    loop {
        let r = bits.u64() >> 3;
        let strip = (r & 0xff) as usize;
        let size = r >> 8;
        let x = size as f64 * EXP_WIDTH[strip];
        if size < EXP_LIMIT[strip] {
            return x;
        }
        if strip == 0 {
            return EXP_END - (-bits.f64()).ln_1p();
        }
        let (high, low) = (EXP_HEIGHT[strip - 1], EXP_HEIGHT[strip]);
        if (high - low) * bits.f64() + low < (-x).exp() {
            return x;
        }
    }
}

/// As [`exponential`], in single precision.
pub(super) fn exponential_single(bits: &mut impl Bits) -> f32 {
    loop {
        let r = bits.u32() >> 1;
        let strip = (r & 0xff) as usize;
        let size = r >> 8;
        let x = size as f32 * EXP_WIDTH_SINGLE[strip];
        if size < EXP_LIMIT_SINGLE[strip] {
            return x;
        }
        if strip == 0 {
            return EXP_END as f32 - (-bits.f32()).ln_1p();
        }
        let (high, low) = (EXP_HEIGHT_SINGLE[strip - 1], EXP_HEIGHT_SINGLE[strip]);
        if (high - low) * bits.f32() + low < (-x).exp() {
            return x;
        }
    }
}
