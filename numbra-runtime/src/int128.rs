//! 128-bit arithmetic through memory.

/// Defines `symbol(result*, lhs*, rhs*)`.
macro_rules! binary {
    ($($symbol:ident: $int:ident, |$a:ident, $b:ident| $body:expr;)*) => {
        $(
            /// # Safety
            /// All three point to 16 bytes; the result may be one of the operands.
            pub(crate) unsafe extern "C" fn $symbol(
                result: *mut $int,
                lhs: *const $int,
                rhs: *const $int,
            ) {
                // SAFETY: the caller passes readable operands.
                let ($a, $b) = unsafe { (lhs.read_unaligned(), rhs.read_unaligned()) };
                let value: $int = $body;
                // SAFETY: the caller passes a writable result.
                unsafe { result.write_unaligned(value) };
            }
        )*
    };
}

binary! {
    numbra_rt_i128_sdiv: i128, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) };
    numbra_rt_i128_srem: i128, |a, b| if b == 0 { 0 } else { a.wrapping_rem(b) };
    numbra_rt_i128_udiv: u128, |a, b| a.checked_div(b).unwrap_or(0);
    numbra_rt_i128_urem: u128, |a, b| a.checked_rem(b).unwrap_or(0);
    numbra_rt_i128_umulhi: u128, |a, b| high_product(a, b);
    numbra_rt_i128_smulhi: i128, |a, b| signed_high_product(a, b);
}

fn high_product(a: u128, b: u128) -> u128 {
    let low = |x: u128| x & u128::from(u64::MAX);
    let (a1, a0, b1, b0) = (a >> 64, low(a), b >> 64, low(b));
    let middle = a1 * b0 + ((a0 * b0) >> 64);
    let other = a0 * b1 + low(middle);
    a1 * b1 + (middle >> 64) + (other >> 64)
}

fn signed_high_product(a: i128, b: i128) -> i128 {
    let unsigned = high_product(a as u128, b as u128);
    let correction =
        (if a < 0 { b as u128 } else { 0 }).wrapping_add(if b < 0 { a as u128 } else { 0 });
    unsigned.wrapping_sub(correction) as i128
}

/// Defines `symbol(result*, lhs*, rhs*) -> overflowed`.
macro_rules! overflowing {
    ($($symbol:ident: $int:ident;)*) => {
        $(
            /// # Safety
            /// All three point to 16 bytes; the result may be one of the operands.
            pub(crate) unsafe extern "C" fn $symbol(
                result: *mut $int,
                lhs: *const $int,
                rhs: *const $int,
            ) -> i32 {
                // SAFETY: the caller passes readable operands.
                let (a, b) = unsafe { (lhs.read_unaligned(), rhs.read_unaligned()) };
                let (product, overflowed) = a.overflowing_mul(b);
                // SAFETY: the caller passes a writable result.
                unsafe { result.write_unaligned(product) };
                overflowed.into()
            }
        )*
    };
}

overflowing! {
    numbra_rt_i128_smul_overflow: i128;
    numbra_rt_i128_umul_overflow: u128;
}

/// Defines `symbol(x*) -> float`, to nearest even.
macro_rules! to_float {
    ($($symbol:ident: $int:ident -> $float:ident;)*) => {
        $(
            /// # Safety
            /// `x` points to 16 bytes.
            pub(crate) unsafe extern "C" fn $symbol(x: *const $int) -> $float {
                // SAFETY: the caller passes a readable operand.
                let x = unsafe { x.read_unaligned() };
                x as $float
            }
        )*
    };
}

to_float! {
    numbra_rt_i128_to_f32: i128 -> f32;
    numbra_rt_i128_to_f64: i128 -> f64;
    numbra_rt_u128_to_f32: u128 -> f32;
    numbra_rt_u128_to_f64: u128 -> f64;
}

/// 2^127
const TOP: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;

/// Toward zero; MIN for NaN and out of range, as `cvttsd2si` does for its widths.
fn signed_of(x: f64) -> i128 {
    if x < TOP { x as i128 } else { i128::MIN }
}

/// # Safety
/// `result` points to 16 bytes.
pub(crate) unsafe extern "C" fn numbra_rt_f64_to_i128(result: *mut i128, x: f64) {
    // SAFETY: the caller passes a writable result.
    unsafe { result.write_unaligned(signed_of(x)) };
}

/// At and above 2^127 by offset, else as signed.
///
/// # Safety
/// `result` points to 16 bytes.
pub(crate) unsafe extern "C" fn numbra_rt_f64_to_u128(result: *mut u128, x: f64) {
    let value = if x >= TOP {
        signed_of(x - TOP) as u128 ^ 1 << 127
    } else {
        signed_of(x) as u128
    };
    // SAFETY: the caller passes a writable result.
    unsafe { result.write_unaligned(value) };
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDGES: [i128; 9] = [
        0,
        1,
        -1,
        2,
        i128::MIN,
        i128::MAX,
        1 << 64,
        -(1 << 64),
        0x1234_5678_9abc_def0_1111_2222_3333_4444,
    ];

    #[test]
    fn division_is_total() {
        for a in EDGES {
            for b in EDGES {
                let (mut q, mut r) = (0, 0);
                // SAFETY: all point to locals.
                unsafe { numbra_rt_i128_sdiv(&mut q, &a, &b) };
                // SAFETY: all point to locals.
                unsafe { numbra_rt_i128_srem(&mut r, &a, &b) };
                if b != 0 {
                    assert_eq!(q.wrapping_mul(b).wrapping_add(r), a);
                } else {
                    assert_eq!((q, r), (0, 0));
                }
            }
        }
    }

    #[test]
    fn high_products() {
        assert_eq!(high_product(u128::MAX, u128::MAX), u128::MAX - 1);
        for a in EDGES {
            assert_eq!(signed_high_product(a, 1), a >> 127);
            assert_eq!(
                signed_high_product(a, -1),
                if a == i128::MIN { 0 } else { -a >> 127 }
            );
            assert_eq!(signed_high_product(a, 1 << 64), a >> 64);
        }
    }

    #[test]
    fn conversions_from_floats_saturate_like_the_machine() {
        assert_eq!(signed_of(-1.9), -1);
        assert_eq!(signed_of(f64::NAN), i128::MIN);
        assert_eq!(signed_of(1e39), i128::MIN);
        assert_eq!(signed_of(-1e39), i128::MIN);
        assert_eq!(signed_of(TOP / 2.0), 1 << 126);
    }
}
