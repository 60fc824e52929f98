//! float16 for compiled code, where the processor has no instructions for it.

use numbra_abi::small_floats::{f16_fma, f16_from_f32, f16_from_f64, f16_to_f32};

pub(crate) extern "C" fn numbra_rt_f16_to_f32(bits: i32) -> f32 {
    f16_to_f32(bits as u16)
}

pub(crate) extern "C" fn numbra_rt_f32_to_f16(x: f32) -> i32 {
    f16_from_f32(x).into()
}

pub(crate) extern "C" fn numbra_rt_f64_to_f16(x: f64) -> i32 {
    f16_from_f64(x).into()
}

/// `a * b + c` with one rounding.
pub(crate) extern "C" fn numbra_rt_f16_fma(a: i32, b: i32, c: i32) -> i32 {
    f16_fma(a as u16, b as u16, c as u16).into()
}
