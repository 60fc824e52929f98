//! Scalar signatures that many rows share, as measured on Numba 0.68.1.

use crate::Case;
use numbra_ir::Scalar;

pub(crate) const B1: Scalar = Scalar::Bool;
pub(crate) const I8: Scalar = Scalar::Int8;
pub(crate) const I16: Scalar = Scalar::Int16;
pub(crate) const I32: Scalar = Scalar::Int32;
pub(crate) const I64: Scalar = Scalar::Int64;
pub(crate) const U8: Scalar = Scalar::UInt8;
pub(crate) const U16: Scalar = Scalar::UInt16;
pub(crate) const U32: Scalar = Scalar::UInt32;
pub(crate) const U64: Scalar = Scalar::UInt64;
pub(crate) const F16: Scalar = Scalar::Float16;
pub(crate) const BF16: Scalar = Scalar::BFloat16;
pub(crate) const F32: Scalar = Scalar::Float32;
pub(crate) const F64: Scalar = Scalar::Float64;
pub(crate) const C64: Scalar = Scalar::Complex64;
pub(crate) const C128: Scalar = Scalar::Complex128;

/// `sigs![I64, U64 => I64; F64 => F64]`
macro_rules! sigs {
    ($($($param:expr),+ => $ret:expr);+ $(;)?) => {
        &[$($crate::Case { params: &[$($param),+], ret: $ret }),+]
    };
}

/// `+ - *`
pub(crate) const ARITH: &[Case] = sigs![
    I64, I64 => I64; I64, U64 => I64; U64, I64 => I64; U64, U64 => U64;
    F32, F32 => F32; F64, F64 => F64; C64, C64 => C64; C128, C128 => C128;
];

/// `/`
pub(crate) const TRUEDIV: &[Case] = sigs![
    I64, I64 => F64; I64, U64 => F64; U64, I64 => F64; U64, U64 => F64;
    F32, F32 => F32; F64, F64 => F64; C64, C64 => C64; C128, C128 => C128;
];

/// `// %`
pub(crate) const FLOORDIV: &[Case] = sigs![
    I64, I64 => I64; I64, U64 => I64; U64, I64 => I64; U64, U64 => U64;
    F32, F32 => F32; F64, F64 => F64;
];

/// `**`
pub(crate) const POW: &[Case] = sigs![
    I64, I64 => I64; I64, U64 => I64; U64, I64 => I64; U64, U64 => U64;
    F32, I32 => F32; F32, I64 => F32; F32, U64 => F32;
    F64, I32 => F64; F64, I64 => F64; F64, U64 => F64;
    F32, F32 => F32; F64, F64 => F64; C64, C64 => C64; C128, C128 => C128;
];

/// `<< >>`: the right operand's signedness does not matter, but a signed one is preferred for signed arguments.
pub(crate) const SHIFT: &[Case] = sigs![
    I8, I64 => I64; I8, U64 => I64; I16, I64 => I64; I16, U64 => I64;
    I32, I64 => I64; I32, U64 => I64; I64, I64 => I64; I64, U64 => I64;
    U8, I64 => U64; U8, U64 => U64; U16, I64 => U64; U16, U64 => U64;
    U32, I64 => U64; U32, U64 => U64; U64, I64 => U64; U64, U64 => U64;
];

/// `& | ^`
pub(crate) const BITWISE: &[Case] = sigs![
    B1, B1 => B1; I64, I64 => I64; I64, U64 => I64; U64, I64 => I64; U64, U64 => U64;
];

/// `== !=`
pub(crate) const EQUAL: &[Case] = sigs![
    B1, B1 => B1; I8, I8 => B1; I16, I16 => B1; I32, I32 => B1; I64, I64 => B1;
    U8, U8 => B1; U16, U16 => B1; U32, U32 => B1; U64, U64 => B1; I64, U64 => B1; U64, I64 => B1;
    F32, F32 => B1; F64, F64 => B1; C64, C64 => B1; C128, C128 => B1;
];

/// `< <= > >=`
pub(crate) const ORDER: &[Case] = sigs![
    B1, B1 => B1; I8, I8 => B1; I16, I16 => B1; I32, I32 => B1; I64, I64 => B1;
    U8, U8 => B1; U16, U16 => B1; U32, U32 => B1; U64, U64 => B1; I64, U64 => B1; U64, I64 => B1;
    F32, F32 => B1; F64, F64 => B1;
];

/// Unary `- +`
pub(crate) const SIGN: &[Case] = sigs![
    B1 => I64; I8 => I64; I16 => I64; I32 => I64; I64 => I64;
    U8 => U64; U16 => U64; U32 => U64; U64 => U64;
    F32 => F32; F64 => F64; C64 => C64; C128 => C128;
];

/// `~`
pub(crate) const INVERT: &[Case] = sigs![
    B1 => B1; I8 => I64; I16 => I64; I32 => I64; I64 => I64;
    U8 => U64; U16 => U64; U32 => U64; U64 => U64;
];

/// `abs`
pub(crate) const ABS: &[Case] = sigs![
    I8 => I8; I16 => I16; I32 => I32; I64 => I64; U8 => U8; U16 => U16; U32 => U32; U64 => U64;
    F32 => F32; F64 => F64; C64 => F32; C128 => F64;
];

/// Most functions of `math`: integers compute in float64.
pub(crate) const REAL: &[Case] = sigs![I64 => F64; U64 => F64; F32 => F32; F64 => F64];

/// `math.floor` and its kin.
pub(crate) const TO_INT: &[Case] = sigs![I64 => I64; U64 => U64; F32 => I64; F64 => I64];

/// `math.isnan` and its kin.
pub(crate) const CLASSIFY: &[Case] = sigs![I64 => B1; U64 => B1; F32 => B1; F64 => B1];

/// `math.hypot`, `math.atan2`
pub(crate) const REAL2: &[Case] =
    sigs![I64, I64 => F64; U64, U64 => F64; F32, F32 => F32; F64, F64 => F64];

/// Two floats.
pub(crate) const FLOAT2: &[Case] = sigs![F32, F32 => F32; F64, F64 => F64];

/// `math.nextafter`: integers compute in float64.
pub(crate) const NEXTAFTER: &[Case] = sigs![F64, F64 => F64; F32, F32 => F32];

/// `math.pow`
pub(crate) const MATH_POW: &[Case] =
    sigs![F64, I64 => F64; F64, U64 => F64; F32, F32 => F32; F64, F64 => F64];

/// `math.ldexp`
pub(crate) const LDEXP: &[Case] =
    sigs![F64, I64 => F64; F32, I64 => F32; F64, I32 => F64; F32, I32 => F32];

/// `math.gcd`
pub(crate) const GCD: &[Case] = sigs![
    I64, I64 => I64; I32, I32 => I32; I16, I16 => I16; I8, I8 => I8;
    U64, U64 => U64; U32, U32 => U32; U16, U16 => U16; U8, U8 => U8;
];

/// Most functions of `cmath`.
pub(crate) const COMPLEX: &[Case] = sigs![C64 => C64; C128 => C128];

/// `cmath.acosh`, `log10`, `tanh`: complex64 computes in complex128.
pub(crate) const COMPLEX_WIDE: &[Case] = sigs![C128 => C128];

/// `cmath.isnan` and its kin.
pub(crate) const COMPLEX_CLASSIFY: &[Case] = sigs![C64 => B1; C128 => B1];

/// `cmath.phase`
pub(crate) const COMPLEX_PART: &[Case] = sigs![C64 => F32; C128 => F64];

/// `cmath.rect`
pub(crate) const RECT: &[Case] =
    sigs![F32, F32 => C64; F32, F64 => C128; F64, F32 => C128; F64, F64 => C128];

pub(crate) use sigs;
