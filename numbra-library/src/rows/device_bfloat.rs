//! `numbra.cuda.bf16`: functions of bfloat16, which has the range of float32 and 8 bits of precision.

use super::numbers;
use super::sigs::{B1, BF16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64, sigs};
use crate::row_macro::{cases, rule};
use crate::{
    Arith, BfloatFn, Body, Case, CmpOp, DeviceFn, DivModel, FloatClass, MathFn, Op, Rounding,
    Targets, TypePattern as P,
};
use numbra_abi::libdevice::known;
use numbra_ir::Type;

const ONE: &[Case] = sigs![BF16 => BF16];
const TWO: &[Case] = sigs![BF16, BF16 => BF16];
const THREE: &[Case] = sigs![BF16, BF16, BF16 => BF16];
const TRUTH: &[Case] = sigs![BF16, BF16 => B1];

/// Operators where one operand is a bfloat16: the others are floats, which integers become.
const ARITH: &[Case] = sigs![F32, F32 => F32; F64, F64 => F64; BF16, BF16 => BF16];

const COMPARE: &[Case] = sigs![F32, F32 => B1; F64, F64 => B1; BF16, BF16 => B1];

const fn bfloat(function: BfloatFn) -> Op {
    Op::Device(DeviceFn::Bfloat(function))
}

/// A function of single precision that the assembler leaves as it is.
const fn unfused(function: u16) -> Op {
    Op::Device(DeviceFn::Libdevice(function))
}

const fn on_gpu(signatures: &'static [Case], op: Op) -> Body {
    Body {
        on: Targets::Gpu,
        ..cases(signatures, op)
    }
}

/// A body for bfloat16, before those for NumPy's types.
const fn first(signatures: &'static [Case], op: Op) -> Body {
    Body {
        guard: Some(|types, args| {
            let is_bfloat = |ty: &Type| types.as_scalar(*ty) == Some(BF16);
            args.iter().any(is_bfloat)
        }),
        ..on_gpu(signatures, op)
    }
}

/// An arithmetic operator.
pub(crate) const fn arithmetic(op: Op) -> Body {
    first(ARITH, op)
}

/// A comparison.
pub(crate) const fn comparison(op: CmpOp) -> Body {
    first(COMPARE, Op::Cmp(op))
}

/// A function of one number whose result is a bfloat16 too.
pub(crate) const fn unary(op: Op) -> Body {
    first(ONE, op)
}

library! {
    /// `a + b`
    fn numbra.cuda.bf16.hadd(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, Op::Add)] }
    /// `a - b`
    fn numbra.cuda.bf16.hsub(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, Op::Sub)] }
    /// `a * b`
    fn numbra.cuda.bf16.hmul(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, Op::Mul)] }
    /// `a + b`, never part of a fused operation.
    fn numbra.cuda.bf16.hadd_rn(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, unfused(const { known("fadd_rn") }))] }
    /// `a - b`, never part of a fused operation.
    fn numbra.cuda.bf16.hsub_rn(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, unfused(const { known("fsub_rn") }))] }
    /// `a * b`, never part of a fused operation.
    fn numbra.cuda.bf16.hmul_rn(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, unfused(const { known("fmul_rn") }))] }
    /// `a / b`
    fn numbra.cuda.bf16.hdiv(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, Op::TrueDiv(DivModel::Numpy))] }
    /// `a + b` between 0 and 1; 0 for NaN.
    fn numbra.cuda.bf16.hadd_sat(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, bfloat(BfloatFn::Saturated(Arith::Add)))] }
    /// `a - b` between 0 and 1; 0 for NaN.
    fn numbra.cuda.bf16.hsub_sat(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, bfloat(BfloatFn::Saturated(Arith::Sub)))] }
    /// `a * b` between 0 and 1; 0 for NaN.
    fn numbra.cuda.bf16.hmul_sat(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, bfloat(BfloatFn::Saturated(Arith::Mul)))] }
    /// `a * b + c` with one rounding.
    fn numbra.cuda.bf16.hfma(a, b, c) { targets: Targets::Gpu, bodies: &[on_gpu(THREE, Op::Fma)] }
    /// `a * b + c` with one rounding, between 0 and 1; 0 for NaN.
    fn numbra.cuda.bf16.hfma_sat(a, b, c) { targets: Targets::Gpu, bodies: &[on_gpu(THREE, bfloat(BfloatFn::Saturated(Arith::Fma)))] }
    /// `a * b + c` with one rounding, 0 if that is less; NaN stays NaN.
    fn numbra.cuda.bf16.hfma_relu(a, b, c) { targets: Targets::Gpu, bodies: &[on_gpu(THREE, bfloat(BfloatFn::FmaRelu))] }
    /// `-a`
    fn numbra.cuda.bf16.hneg(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Neg)] }
    /// `|a|`
    fn numbra.cuda.bf16.habs(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Abs)] }
    /// The greater; the other one if one is NaN.
    fn numbra.cuda.bf16.hmax(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, Op::FMax)] }
    /// The smaller; the other one if one is NaN.
    fn numbra.cuda.bf16.hmin(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, Op::FMin)] }
    /// The greater; NaN if one is NaN.
    fn numbra.cuda.bf16.hmax_nan(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, bfloat(BfloatFn::Extreme { greatest: true }))] }
    /// The smaller; NaN if one is NaN.
    fn numbra.cuda.bf16.hmin_nan(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TWO, bfloat(BfloatFn::Extreme { greatest: false }))] }
    /// Whether it is NaN.
    fn numbra.cuda.bf16.hisnan(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => B1], Op::Class(FloatClass::IsNan))] }
    /// 1 for infinity, -1 for minus infinity, else 0.
    fn numbra.cuda.bf16.hisinf(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I32], bfloat(BfloatFn::IsInf))] }
    /// `a == b`; false if one is NaN.
    fn numbra.cuda.bf16.heq(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, Op::Cmp(CmpOp::Eq))] }
    /// `a > b`; false if one is NaN.
    fn numbra.cuda.bf16.hgt(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, Op::Cmp(CmpOp::Gt))] }
    /// `a >= b`; false if one is NaN.
    fn numbra.cuda.bf16.hge(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, Op::Cmp(CmpOp::Ge))] }
    /// `a < b`; false if one is NaN.
    fn numbra.cuda.bf16.hlt(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, Op::Cmp(CmpOp::Lt))] }
    /// `a <= b`; false if one is NaN.
    fn numbra.cuda.bf16.hle(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, Op::Cmp(CmpOp::Le))] }
    /// `a != b`; false if one is NaN.
    fn numbra.cuda.bf16.hne(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, bfloat(BfloatFn::LessOrGreater))] }
    /// `a == b`; true if one is NaN.
    fn numbra.cuda.bf16.hequ(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, bfloat(BfloatFn::Unordered(CmpOp::Eq)))] }
    /// `a > b`; true if one is NaN.
    fn numbra.cuda.bf16.hgtu(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, bfloat(BfloatFn::Unordered(CmpOp::Gt)))] }
    /// `a >= b`; true if one is NaN.
    fn numbra.cuda.bf16.hgeu(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, bfloat(BfloatFn::Unordered(CmpOp::Ge)))] }
    /// `a < b`; true if one is NaN.
    fn numbra.cuda.bf16.hltu(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, bfloat(BfloatFn::Unordered(CmpOp::Lt)))] }
    /// `a <= b`; true if one is NaN.
    fn numbra.cuda.bf16.hleu(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, bfloat(BfloatFn::Unordered(CmpOp::Le)))] }
    /// `a != b`; true if one is NaN.
    fn numbra.cuda.bf16.hneu(a, b) { targets: Targets::Gpu, bodies: &[on_gpu(TRUTH, Op::Cmp(CmpOp::Ne))] }
    /// Sine.
    fn numbra.cuda.bf16.hsin(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Sin))] }
    /// Cosine.
    fn numbra.cuda.bf16.hcos(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Cos))] }
    /// Hyperbolic tangent.
    fn numbra.cuda.bf16.htanh(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Tanh))] }
    /// Hyperbolic tangent; may be less exact than `htanh`.
    fn numbra.cuda.bf16.htanh_approx(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Tanh))] }
    /// Natural logarithm.
    fn numbra.cuda.bf16.hlog(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Log))] }
    /// Logarithm to base 2.
    fn numbra.cuda.bf16.hlog2(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Log2))] }
    /// Logarithm to base 10.
    fn numbra.cuda.bf16.hlog10(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Log10))] }
    /// `e ** a`
    fn numbra.cuda.bf16.hexp(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Exp))] }
    /// `2 ** a`
    fn numbra.cuda.bf16.hexp2(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Math(MathFn::Exp2))] }
    /// `10 ** a`
    fn numbra.cuda.bf16.hexp10(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Device(DeviceFn::Libdevice(const { known("exp10f") })))] }
    /// Square root.
    fn numbra.cuda.bf16.hsqrt(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Sqrt)] }
    /// `1 / sqrt(a)`
    fn numbra.cuda.bf16.hrsqrt(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Device(DeviceFn::Libdevice(const { known("rsqrtf") })))] }
    /// `1 / a`
    fn numbra.cuda.bf16.hrcp(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Reciprocal)] }
    /// The least integer not below `a`.
    fn numbra.cuda.bf16.hceil(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Round(Rounding::Ceil))] }
    /// The greatest integer not above `a`.
    fn numbra.cuda.bf16.hfloor(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Round(Rounding::Floor))] }
    /// Rounded towards zero.
    fn numbra.cuda.bf16.htrunc(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Round(Rounding::Trunc))] }
    /// Rounded to the nearest integer, ties to even.
    fn numbra.cuda.bf16.hrint(a) { targets: Targets::Gpu, bodies: &[on_gpu(ONE, Op::Round(Rounding::Nearest))] }
    /// Converts a number to bfloat16, to nearest, ties to even.
    fn numbra.cuda.bf16.bfloat16(x) {
        targets: Targets::Gpu, bodies: &[Body { on: Targets::Gpu, ..rule(&[P::Scalar], numbers::bfloat16, Op::Convert) }],
    }
    /// The same number as float32.
    fn numbra.cuda.bf16.bfloat16_to_float32(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => F32], Op::Convert)] }
    /// A float32 as bfloat16, to nearest, ties to even.
    fn numbra.cuda.bf16.float32_to_bfloat16(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![F32 => BF16], Op::Convert)] }
    /// A float64 as bfloat16, to nearest, ties to even.
    fn numbra.cuda.bf16.float64_to_bfloat16(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![F64 => BF16], Op::Convert)] }
    /// A float32 as bfloat16, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.float32_to_bfloat16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![F32 => BF16], bfloat(BfloatFn::Of(Rounding::Nearest)))] }
    /// A float32 as bfloat16, rounded towards zero.
    fn numbra.cuda.bf16.float32_to_bfloat16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![F32 => BF16], bfloat(BfloatFn::Of(Rounding::Trunc)))] }
    /// A float32 as bfloat16, rounded down.
    fn numbra.cuda.bf16.float32_to_bfloat16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![F32 => BF16], bfloat(BfloatFn::Of(Rounding::Floor)))] }
    /// A float32 as bfloat16, rounded up.
    fn numbra.cuda.bf16.float32_to_bfloat16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![F32 => BF16], bfloat(BfloatFn::Of(Rounding::Ceil)))] }
    /// As int8, rounded towards zero.
    fn numbra.cuda.bf16.bfloat16_to_int8_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I8], bfloat(BfloatFn::ToInt(Rounding::Trunc)))] }
    /// As uint8, rounded towards zero.
    fn numbra.cuda.bf16.bfloat16_to_uint8_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U8], bfloat(BfloatFn::ToInt(Rounding::Trunc)))] }
    /// A number of type int16, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.int16_to_bfloat16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I16 => BF16], bfloat(BfloatFn::Of(Rounding::Nearest)))] }
    /// A number of type int16, rounded towards zero.
    fn numbra.cuda.bf16.int16_to_bfloat16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I16 => BF16], bfloat(BfloatFn::Of(Rounding::Trunc)))] }
    /// A number of type int16, rounded down.
    fn numbra.cuda.bf16.int16_to_bfloat16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I16 => BF16], bfloat(BfloatFn::Of(Rounding::Floor)))] }
    /// A number of type int16, rounded up.
    fn numbra.cuda.bf16.int16_to_bfloat16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I16 => BF16], bfloat(BfloatFn::Of(Rounding::Ceil)))] }
    /// As int16, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.bfloat16_to_int16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I16], bfloat(BfloatFn::ToInt(Rounding::Nearest)))] }
    /// As int16, rounded towards zero.
    fn numbra.cuda.bf16.bfloat16_to_int16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I16], bfloat(BfloatFn::ToInt(Rounding::Trunc)))] }
    /// As int16, rounded down.
    fn numbra.cuda.bf16.bfloat16_to_int16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I16], bfloat(BfloatFn::ToInt(Rounding::Floor)))] }
    /// As int16, rounded up.
    fn numbra.cuda.bf16.bfloat16_to_int16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I16], bfloat(BfloatFn::ToInt(Rounding::Ceil)))] }
    /// A number of type uint16, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.uint16_to_bfloat16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U16 => BF16], bfloat(BfloatFn::Of(Rounding::Nearest)))] }
    /// A number of type uint16, rounded towards zero.
    fn numbra.cuda.bf16.uint16_to_bfloat16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U16 => BF16], bfloat(BfloatFn::Of(Rounding::Trunc)))] }
    /// A number of type uint16, rounded down.
    fn numbra.cuda.bf16.uint16_to_bfloat16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U16 => BF16], bfloat(BfloatFn::Of(Rounding::Floor)))] }
    /// A number of type uint16, rounded up.
    fn numbra.cuda.bf16.uint16_to_bfloat16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U16 => BF16], bfloat(BfloatFn::Of(Rounding::Ceil)))] }
    /// As uint16, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.bfloat16_to_uint16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U16], bfloat(BfloatFn::ToInt(Rounding::Nearest)))] }
    /// As uint16, rounded towards zero.
    fn numbra.cuda.bf16.bfloat16_to_uint16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U16], bfloat(BfloatFn::ToInt(Rounding::Trunc)))] }
    /// As uint16, rounded down.
    fn numbra.cuda.bf16.bfloat16_to_uint16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U16], bfloat(BfloatFn::ToInt(Rounding::Floor)))] }
    /// As uint16, rounded up.
    fn numbra.cuda.bf16.bfloat16_to_uint16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U16], bfloat(BfloatFn::ToInt(Rounding::Ceil)))] }
    /// A number of type int32, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.int32_to_bfloat16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I32 => BF16], bfloat(BfloatFn::Of(Rounding::Nearest)))] }
    /// A number of type int32, rounded towards zero.
    fn numbra.cuda.bf16.int32_to_bfloat16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I32 => BF16], bfloat(BfloatFn::Of(Rounding::Trunc)))] }
    /// A number of type int32, rounded down.
    fn numbra.cuda.bf16.int32_to_bfloat16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I32 => BF16], bfloat(BfloatFn::Of(Rounding::Floor)))] }
    /// A number of type int32, rounded up.
    fn numbra.cuda.bf16.int32_to_bfloat16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I32 => BF16], bfloat(BfloatFn::Of(Rounding::Ceil)))] }
    /// As int32, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.bfloat16_to_int32_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I32], bfloat(BfloatFn::ToInt(Rounding::Nearest)))] }
    /// As int32, rounded towards zero.
    fn numbra.cuda.bf16.bfloat16_to_int32_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I32], bfloat(BfloatFn::ToInt(Rounding::Trunc)))] }
    /// As int32, rounded down.
    fn numbra.cuda.bf16.bfloat16_to_int32_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I32], bfloat(BfloatFn::ToInt(Rounding::Floor)))] }
    /// As int32, rounded up.
    fn numbra.cuda.bf16.bfloat16_to_int32_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I32], bfloat(BfloatFn::ToInt(Rounding::Ceil)))] }
    /// A number of type uint32, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.uint32_to_bfloat16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U32 => BF16], bfloat(BfloatFn::Of(Rounding::Nearest)))] }
    /// A number of type uint32, rounded towards zero.
    fn numbra.cuda.bf16.uint32_to_bfloat16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U32 => BF16], bfloat(BfloatFn::Of(Rounding::Trunc)))] }
    /// A number of type uint32, rounded down.
    fn numbra.cuda.bf16.uint32_to_bfloat16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U32 => BF16], bfloat(BfloatFn::Of(Rounding::Floor)))] }
    /// A number of type uint32, rounded up.
    fn numbra.cuda.bf16.uint32_to_bfloat16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U32 => BF16], bfloat(BfloatFn::Of(Rounding::Ceil)))] }
    /// As uint32, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.bfloat16_to_uint32_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U32], bfloat(BfloatFn::ToInt(Rounding::Nearest)))] }
    /// As uint32, rounded towards zero.
    fn numbra.cuda.bf16.bfloat16_to_uint32_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U32], bfloat(BfloatFn::ToInt(Rounding::Trunc)))] }
    /// As uint32, rounded down.
    fn numbra.cuda.bf16.bfloat16_to_uint32_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U32], bfloat(BfloatFn::ToInt(Rounding::Floor)))] }
    /// As uint32, rounded up.
    fn numbra.cuda.bf16.bfloat16_to_uint32_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U32], bfloat(BfloatFn::ToInt(Rounding::Ceil)))] }
    /// A number of type int64, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.int64_to_bfloat16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I64 => BF16], bfloat(BfloatFn::Of(Rounding::Nearest)))] }
    /// A number of type int64, rounded towards zero.
    fn numbra.cuda.bf16.int64_to_bfloat16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I64 => BF16], bfloat(BfloatFn::Of(Rounding::Trunc)))] }
    /// A number of type int64, rounded down.
    fn numbra.cuda.bf16.int64_to_bfloat16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I64 => BF16], bfloat(BfloatFn::Of(Rounding::Floor)))] }
    /// A number of type int64, rounded up.
    fn numbra.cuda.bf16.int64_to_bfloat16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I64 => BF16], bfloat(BfloatFn::Of(Rounding::Ceil)))] }
    /// As int64, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.bfloat16_to_int64_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I64], bfloat(BfloatFn::ToInt(Rounding::Nearest)))] }
    /// As int64, rounded towards zero.
    fn numbra.cuda.bf16.bfloat16_to_int64_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I64], bfloat(BfloatFn::ToInt(Rounding::Trunc)))] }
    /// As int64, rounded down.
    fn numbra.cuda.bf16.bfloat16_to_int64_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I64], bfloat(BfloatFn::ToInt(Rounding::Floor)))] }
    /// As int64, rounded up.
    fn numbra.cuda.bf16.bfloat16_to_int64_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I64], bfloat(BfloatFn::ToInt(Rounding::Ceil)))] }
    /// A number of type uint64, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.uint64_to_bfloat16_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U64 => BF16], bfloat(BfloatFn::Of(Rounding::Nearest)))] }
    /// A number of type uint64, rounded towards zero.
    fn numbra.cuda.bf16.uint64_to_bfloat16_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U64 => BF16], bfloat(BfloatFn::Of(Rounding::Trunc)))] }
    /// A number of type uint64, rounded down.
    fn numbra.cuda.bf16.uint64_to_bfloat16_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U64 => BF16], bfloat(BfloatFn::Of(Rounding::Floor)))] }
    /// A number of type uint64, rounded up.
    fn numbra.cuda.bf16.uint64_to_bfloat16_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U64 => BF16], bfloat(BfloatFn::Of(Rounding::Ceil)))] }
    /// As uint64, rounded to nearest, ties to even.
    fn numbra.cuda.bf16.bfloat16_to_uint64_rn(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U64], bfloat(BfloatFn::ToInt(Rounding::Nearest)))] }
    /// As uint64, rounded towards zero.
    fn numbra.cuda.bf16.bfloat16_to_uint64_rz(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U64], bfloat(BfloatFn::ToInt(Rounding::Trunc)))] }
    /// As uint64, rounded down.
    fn numbra.cuda.bf16.bfloat16_to_uint64_rd(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U64], bfloat(BfloatFn::ToInt(Rounding::Floor)))] }
    /// As uint64, rounded up.
    fn numbra.cuda.bf16.bfloat16_to_uint64_ru(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U64], bfloat(BfloatFn::ToInt(Rounding::Ceil)))] }
    /// Its bits as int16.
    fn numbra.cuda.bf16.bfloat16_as_int16(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => I16], bfloat(BfloatFn::Bits))] }
    /// The bfloat16 of these bits.
    fn numbra.cuda.bf16.int16_as_bfloat16(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![I16 => BF16], bfloat(BfloatFn::Bits))] }
    /// Its bits as uint16.
    fn numbra.cuda.bf16.bfloat16_as_uint16(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![BF16 => U16], bfloat(BfloatFn::Bits))] }
    /// The bfloat16 of these bits.
    fn numbra.cuda.bf16.uint16_as_bfloat16(a) { targets: Targets::Gpu, bodies: &[on_gpu(sigs![U16 => BF16], bfloat(BfloatFn::Bits))] }
}
