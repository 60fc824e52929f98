//! `numbra.cuda.fp16`: functions of half floats. Those that round once have the bits of the machine's instructions.

use super::sigs::{B1, F16, sigs};
use crate::row_macro::cases;
use crate::{Case, CmpOp, DeviceFn, DivModel, MathFn, Op, Rounding, Targets};
use numbra_abi::libdevice::known;

const ONE: &[Case] = sigs![F16 => F16];
const TWO: &[Case] = sigs![F16, F16 => F16];
const TRUTH: &[Case] = sigs![F16, F16 => B1];

library! {
    /// `a + b`
    fn numbra.cuda.fp16.hadd(a, b) { targets: Targets::Gpu, bodies: &[cases(TWO, Op::Add)] }
    /// `a - b`
    fn numbra.cuda.fp16.hsub(a, b) { targets: Targets::Gpu, bodies: &[cases(TWO, Op::Sub)] }
    /// `a * b`
    fn numbra.cuda.fp16.hmul(a, b) { targets: Targets::Gpu, bodies: &[cases(TWO, Op::Mul)] }
    /// `a / b`
    fn numbra.cuda.fp16.hdiv(a, b) { targets: Targets::Gpu, bodies: &[cases(TWO, Op::TrueDiv(DivModel::Numpy))] }
    /// `a * b + c` with one rounding.
    fn numbra.cuda.fp16.hfma(a, b, c) { targets: Targets::Gpu, bodies: &[cases(sigs![F16, F16, F16 => F16], Op::Fma)] }
    /// `-a`
    fn numbra.cuda.fp16.hneg(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Neg)] }
    /// `|a|`
    fn numbra.cuda.fp16.habs(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Abs)] }
    /// The greater; the other one if one is NaN.
    fn numbra.cuda.fp16.hmax(a, b) { targets: Targets::Gpu, bodies: &[cases(TWO, Op::FMax)] }
    /// The smaller; the other one if one is NaN.
    fn numbra.cuda.fp16.hmin(a, b) { targets: Targets::Gpu, bodies: &[cases(TWO, Op::FMin)] }
    /// `a == b`
    fn numbra.cuda.fp16.heq(a, b) { targets: Targets::Gpu, bodies: &[cases(TRUTH, Op::Cmp(CmpOp::Eq))] }
    /// `a != b`
    fn numbra.cuda.fp16.hne(a, b) { targets: Targets::Gpu, bodies: &[cases(TRUTH, Op::Cmp(CmpOp::Ne))] }
    /// `a > b`
    fn numbra.cuda.fp16.hgt(a, b) { targets: Targets::Gpu, bodies: &[cases(TRUTH, Op::Cmp(CmpOp::Gt))] }
    /// `a >= b`
    fn numbra.cuda.fp16.hge(a, b) { targets: Targets::Gpu, bodies: &[cases(TRUTH, Op::Cmp(CmpOp::Ge))] }
    /// `a < b`
    fn numbra.cuda.fp16.hlt(a, b) { targets: Targets::Gpu, bodies: &[cases(TRUTH, Op::Cmp(CmpOp::Lt))] }
    /// `a <= b`
    fn numbra.cuda.fp16.hle(a, b) { targets: Targets::Gpu, bodies: &[cases(TRUTH, Op::Cmp(CmpOp::Le))] }
    /// Sine.
    fn numbra.cuda.fp16.hsin(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Math(MathFn::Sin))] }
    /// Cosine.
    fn numbra.cuda.fp16.hcos(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Math(MathFn::Cos))] }
    /// Hyperbolic tangent.
    fn numbra.cuda.fp16.htanh(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Math(MathFn::Tanh))] }
    /// Natural logarithm.
    fn numbra.cuda.fp16.hlog(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Math(MathFn::Log))] }
    /// Logarithm to base 2.
    fn numbra.cuda.fp16.hlog2(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Math(MathFn::Log2))] }
    /// Logarithm to base 10.
    fn numbra.cuda.fp16.hlog10(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Math(MathFn::Log10))] }
    /// `e ** a`
    fn numbra.cuda.fp16.hexp(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Math(MathFn::Exp))] }
    /// `2 ** a`
    fn numbra.cuda.fp16.hexp2(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Math(MathFn::Exp2))] }
    /// `10 ** a`
    fn numbra.cuda.fp16.hexp10(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Device(DeviceFn::Libdevice(const { known("exp10f") })))] }
    /// Square root.
    fn numbra.cuda.fp16.hsqrt(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Sqrt)] }
    /// `1 / sqrt(a)`
    fn numbra.cuda.fp16.hrsqrt(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Device(DeviceFn::Libdevice(const { known("rsqrtf") })))] }
    /// `1 / a`
    fn numbra.cuda.fp16.hrcp(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Reciprocal)] }
    /// The least integer not below `a`.
    fn numbra.cuda.fp16.hceil(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Round(Rounding::Ceil))] }
    /// The greatest integer not above `a`.
    fn numbra.cuda.fp16.hfloor(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Round(Rounding::Floor))] }
    /// Rounded towards zero.
    fn numbra.cuda.fp16.htrunc(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Round(Rounding::Trunc))] }
    /// Rounded to the nearest integer, ties to even.
    fn numbra.cuda.fp16.hrint(a) { targets: Targets::Gpu, bodies: &[cases(ONE, Op::Round(Rounding::Nearest))] }
}
