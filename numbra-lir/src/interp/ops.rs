//! The value of every operation, on bits. A scalar is held in the low bits of a `u128`, the others are zero.
//!
//! Arithmetic that gives NaN gives the positive quiet NaN without payload.

use crate::{BinaryOp, ConvertOp, FloatCc, IntCc, MathFnName, OverflowOp, Ty, UnaryOp};
use numbra_abi::small_floats::{f16_from_f64, f16_to_f64};

/// Width of a scalar in bits.
pub fn bits(ty: Ty) -> u32 {
    ty.int_bits().unwrap_or(ty.size() * 8)
}

/// The low bits that a scalar has.
pub fn mask(ty: Ty, value: u128) -> u128 {
    match bits(ty) {
        n if n >= 128 => value,
        n => value & ((1 << n) - 1),
    }
}

/// Sign-extended.
pub fn signed(ty: Ty, value: u128) -> i128 {
    let shift = 128 - bits(ty).min(128);
    (value as i128) << shift >> shift
}

fn float(ty: Ty, value: u128) -> f64 {
    match ty {
        Ty::F32 => f64::from(f32::from_bits(value as u32)),
        Ty::F16 => f16_to_f64(value as u16),
        _ => f64::from_bits(value as u64),
    }
}

/// Rounds to the type; NaN becomes the one quiet NaN.
fn from_float(ty: Ty, x: f64) -> u128 {
    match ty {
        Ty::F32 if x.is_nan() => 0x7fc0_0000,
        Ty::F16 if x.is_nan() => 0x7e00,
        Ty::F32 => (x as f32).to_bits().into(),
        Ty::F16 => f16_from_f64(x).into(),
        _ if x.is_nan() => 0x7ff8_0000_0000_0000,
        _ => x.to_bits().into(),
    }
}

/// True if these are the bits of a NaN of a float type.
pub fn is_nan(ty: Ty, value: u128) -> bool {
    ty.is_float() && float(ty, value).is_nan()
}

/// [`BinaryOp`] on scalars of type `ty`.
pub fn binary(op: BinaryOp, ty: Ty, a: u128, b: u128) -> u128 {
    let n = bits(ty);
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let shift = (b % u128::from(n)) as u32;
    let value = match op {
        BinaryOp::IAdd => a.wrapping_add(b),
        BinaryOp::ISub => a.wrapping_sub(b),
        BinaryOp::IMul => a.wrapping_mul(b),
        BinaryOp::SDiv if b == 0 => 0,
        BinaryOp::SDiv => sa.wrapping_div(sb) as u128,
        BinaryOp::UDiv => a.checked_div(b).unwrap_or(0),
        BinaryOp::SRem if b == 0 => 0,
        BinaryOp::SRem => sa.wrapping_rem(sb) as u128,
        BinaryOp::URem => a.checked_rem(b).unwrap_or(0),
        BinaryOp::SMulHi => (sa.wrapping_mul(sb) >> n.min(64)) as u128,
        BinaryOp::UMulHi => a.wrapping_mul(b) >> n.min(64),
        BinaryOp::And => a & b,
        BinaryOp::Or => a | b,
        BinaryOp::Xor => a ^ b,
        BinaryOp::Shl => a << shift,
        BinaryOp::LShr => a >> shift,
        BinaryOp::AShr => (sa >> shift) as u128,
        BinaryOp::SMin => sa.min(sb) as u128,
        BinaryOp::SMax => sa.max(sb) as u128,
        BinaryOp::UMin => a.min(b),
        BinaryOp::UMax => a.max(b),
        BinaryOp::FCopysign => {
            let sign = 1 << (n - 1);
            a & !sign | b & sign
        }
        BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FMin
        | BinaryOp::FMax => return float_binary(op, ty, a, b),
    };
    mask(ty, value)
}

fn float_binary(op: BinaryOp, ty: Ty, a: u128, b: u128) -> u128 {
    // Doubles carry enough digits that rounding their result of one operation to single or half is exact rounding.
    let (x, y) = (float(ty, a), float(ty, b));
    let nan = x.is_nan() || y.is_nan();
    let x_first = |less: bool| {
        if x == y {
            x.is_sign_negative() == less
        } else {
            (x < y) == less
        }
    };
    from_float(
        ty,
        match op {
            BinaryOp::FAdd => x + y,
            BinaryOp::FSub => x - y,
            BinaryOp::FMul => x * y,
            BinaryOp::FDiv => x / y,
            BinaryOp::FMin | BinaryOp::FMax if nan => f64::NAN,
            _ => {
                if x_first(op == BinaryOp::FMin) {
                    x
                } else {
                    y
                }
            }
        },
    )
}

/// [`UnaryOp`] on a scalar of type `ty`.
pub fn unary(op: UnaryOp, ty: Ty, a: u128) -> u128 {
    let n = bits(ty);
    let value = match op {
        UnaryOp::INeg => a.wrapping_neg(),
        UnaryOp::INot => !a,
        UnaryOp::IAbs => signed(ty, a).unsigned_abs(),
        UnaryOp::Clz => u128::from(a.leading_zeros() - (128 - n)),
        UnaryOp::Ctz => u128::from(a.trailing_zeros().min(n)),
        UnaryOp::Popcnt => a.count_ones().into(),
        UnaryOp::Bswap => a.swap_bytes() >> (128 - n),
        UnaryOp::FNeg => a ^ 1 << (n - 1),
        UnaryOp::FAbs => a & !(1 << (n - 1)),
        UnaryOp::Sqrt => from_float(ty, float(ty, a).sqrt()),
        UnaryOp::Floor => from_float(ty, float(ty, a).floor()),
        UnaryOp::Ceil => from_float(ty, float(ty, a).ceil()),
        UnaryOp::Trunc => from_float(ty, float(ty, a).trunc()),
        UnaryOp::Nearest => from_float(ty, float(ty, a).round_ties_even()),
    };
    mask(ty, value)
}

/// [`ConvertOp`] on a scalar.
pub fn convert(op: ConvertOp, from: Ty, to: Ty, a: u128) -> u128 {
    let value = match op {
        ConvertOp::SExt => signed(from, a) as u128,
        ConvertOp::SiToFp => return int_to_float(to, signed(from, a)),
        ConvertOp::UiToFp => return uint_to_float(to, a),
        ConvertOp::FpToSi => float_to_int(to, float(from, a)),
        ConvertOp::FpToUi => float_to_uint(to, float(from, a)),
        ConvertOp::FpExt | ConvertOp::FpTrunc => return from_float(to, float(from, a)),
        ConvertOp::ZExt
        | ConvertOp::Trunc
        | ConvertOp::Bitcast
        | ConvertOp::PtrToInt
        | ConvertOp::IntToPtr
        | ConvertOp::RefToPtr
        | ConvertOp::AddrSpaceCast => a,
    };
    mask(to, value)
}

fn int_to_float(to: Ty, value: i128) -> u128 {
    match to {
        Ty::F32 => (value as f32).to_bits().into(),
        // Exact below 2^53; what is above is infinite in half precision.
        _ => from_float(to, value as f64),
    }
}

fn uint_to_float(to: Ty, value: u128) -> u128 {
    match to {
        Ty::F32 => (value as f32).to_bits().into(),
        _ => from_float(to, value as f64),
    }
}

fn float_to_int(to: Ty, x: f64) -> u128 {
    let t = x.trunc();
    let fits = |n: i32| t >= -2f64.powi(n) && t < 2f64.powi(n);
    match bits(to) {
        128 if fits(127) => t as i128 as u128,
        128 => i128::MIN as u128,
        64 if fits(63) => t as i64 as u128,
        64 => i64::MIN as u128,
        _ if fits(31) => t as i32 as u128,
        _ => i32::MIN as u128,
    }
}

fn float_to_uint(to: Ty, x: f64) -> u128 {
    match bits(to) {
        128 if x >= 2f64.powi(127) => float_to_int(Ty::I128, x - 2f64.powi(127)) ^ 1 << 127,
        128 => float_to_int(Ty::I128, x),
        64 if x >= 2f64.powi(63) => float_to_int(Ty::I64, x - 2f64.powi(63)) ^ 1 << 63,
        _ => float_to_int(Ty::I64, x),
    }
}

/// [`IntCc`] on scalars of type `ty`, addresses included.
pub fn icmp(cc: IntCc, ty: Ty, a: u128, b: u128) -> bool {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    match cc {
        IntCc::Eq => a == b,
        IntCc::Ne => a != b,
        IntCc::Slt => sa < sb,
        IntCc::Sle => sa <= sb,
        IntCc::Sgt => sa > sb,
        IntCc::Sge => sa >= sb,
        IntCc::Ult => a < b,
        IntCc::Ule => a <= b,
        IntCc::Ugt => a > b,
        IntCc::Uge => a >= b,
    }
}

/// [`FloatCc`] on scalars of type `ty`.
pub fn fcmp(cc: FloatCc, ty: Ty, a: u128, b: u128) -> bool {
    let (x, y) = (float(ty, a), float(ty, b));
    match cc {
        FloatCc::Eq => x == y,
        FloatCc::Ne => x != y,
        FloatCc::Lt => x < y,
        FloatCc::Le => x <= y,
        FloatCc::Gt => x > y,
        FloatCc::Ge => x >= y,
        FloatCc::Ord => !x.is_nan() && !y.is_nan(),
        FloatCc::Uno => x.is_nan() || y.is_nan(),
    }
}

/// [`OverflowOp`] on integers of up to 64 bits: the wrapped value, and whether it wrapped.
pub fn overflow(op: OverflowOp, ty: Ty, a: u128, b: u128) -> (u128, bool) {
    let (sa, sb) = (signed(ty, a), signed(ty, b));
    let (exact, signed_op) = match op {
        OverflowOp::SAdd => (sa + sb, true),
        OverflowOp::SSub => (sa - sb, true),
        OverflowOp::SMul => (sa * sb, true),
        OverflowOp::UAdd => ((a + b) as i128, false),
        OverflowOp::USub => ((a as i128) - (b as i128), false),
        OverflowOp::UMul => (a.wrapping_mul(b) as i128, false),
    };
    let value = mask(ty, exact as u128);
    let wrapped = if signed_op {
        signed(ty, value) != exact
    } else {
        value as i128 != exact
    };
    (value, wrapped)
}

/// `a * b + c` with one rounding.
pub fn fma(ty: Ty, a: u128, b: u128, c: u128) -> u128 {
    let (x, y, z) = (float(ty, a), float(ty, b), float(ty, c));
    match ty {
        Ty::F32 => {
            let r = f32::from_bits(a as u32)
                .mul_add(f32::from_bits(b as u32), f32::from_bits(c as u32));
            if r.is_nan() {
                0x7fc0_0000
            } else {
                r.to_bits().into()
            }
        }
        Ty::F16 => {
            // The product is exact; the sum is rounded to odd, so that rounding again is rounding once.
            let product = x * y;
            let sum = product + z;
            let rest = sum - product;
            let error = (product - (sum - rest)) + (z - rest);
            let odd = sum.to_bits() & 1 == 1;
            let sum = if error == 0.0 || odd || !sum.is_finite() {
                sum
            } else if (error > 0.0) == (sum > 0.0) {
                f64::from_bits(sum.to_bits() + 1)
            } else {
                f64::from_bits(sum.to_bits() - 1)
            };
            from_float(ty, sum)
        }
        _ => from_float(ty, x.mul_add(y, z)),
    }
}

/// A function of its library; `b` is ignored by functions of one operand.
pub fn math(call: MathFnName, ty: Ty, a: u128, b: u128) -> u128 {
    match ty {
        Ty::F32 => {
            let MathFnName { func, lib } = call;
            let r = numbra_math::single(
                lib,
                func,
                f32::from_bits(a as u32),
                f32::from_bits(b as u32),
            );
            if r.is_nan() {
                0x7fc0_0000
            } else {
                r.to_bits().into()
            }
        }
        _ => from_float(
            ty,
            numbra_math::double(call.lib, call.func, float(ty, a), float(ty, b)),
        ),
    }
}
