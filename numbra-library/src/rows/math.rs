//! The `math` module. Integers compute in float64; domain errors give NaN or infinity instead of raising.

use super::device_bfloat;
use super::sigs::{CLASSIFY, FLOAT2, GCD, LDEXP, MATH_POW, NEXTAFTER, REAL, REAL2, TO_INT};
use crate::row_macro::{cases, cases_of, rule};
use crate::rules::scalar_at;
use crate::{DivModel, FloatClass, MathFn, Mismatch, Op, ResultCx, Rounding, TypePattern as P};
use numbra_ir::{Scalar, Signature, Type};

library! {
    /// Inverse cosine.
    fn math.acos(x) { bodies: &[cases(REAL, Op::Math(MathFn::Acos))] }
    /// Inverse hyperbolic cosine.
    fn math.acosh(x) { bodies: &[cases(REAL, Op::Math(MathFn::Acosh))] }
    /// Inverse sine.
    fn math.asin(x) { bodies: &[cases(REAL, Op::Math(MathFn::Asin))] }
    /// Inverse hyperbolic sine.
    fn math.asinh(x) { bodies: &[cases(REAL, Op::Math(MathFn::Asinh))] }
    /// Inverse tangent.
    fn math.atan(x) { bodies: &[cases(REAL, Op::Math(MathFn::Atan))] }
    /// Inverse hyperbolic tangent.
    fn math.atanh(x) { bodies: &[cases(REAL, Op::Math(MathFn::Atanh))] }
    /// Cube root.
    fn math.cbrt(x) { bodies: &[cases(REAL, Op::Math(MathFn::Cbrt))] }
    /// Cosine.
    fn math.cos(x) { bodies: &[device_bfloat::unary(Op::Math(MathFn::Cos)), cases(REAL, Op::Math(MathFn::Cos))] }
    /// Hyperbolic cosine.
    fn math.cosh(x) { bodies: &[cases(REAL, Op::Math(MathFn::Cosh))] }
    /// Error function.
    fn math.erf(x) { bodies: &[cases(REAL, Op::Math(MathFn::Erf))] }
    /// Complementary error function.
    fn math.erfc(x) { bodies: &[cases(REAL, Op::Math(MathFn::Erfc))] }
    /// `e ** x`
    fn math.exp(x) { bodies: &[device_bfloat::unary(Op::Math(MathFn::Exp)), cases(REAL, Op::Math(MathFn::Exp))] }
    /// `2 ** x`
    fn math.exp2(x) { bodies: &[device_bfloat::unary(Op::Math(MathFn::Exp2)), cases(REAL, Op::Math(MathFn::Exp2))] }
    /// `e ** x - 1`, accurate near 0.
    fn math.expm1(x) { bodies: &[cases(REAL, Op::Math(MathFn::Expm1))] }
    /// Gamma function.
    fn math.gamma(x) { bodies: &[cases(REAL, Op::Math(MathFn::Gamma))] }
    /// Logarithm of the absolute value of the gamma function.
    fn math.lgamma(x) { bodies: &[cases(REAL, Op::Math(MathFn::Lgamma))] }
    /// Natural logarithm; NaN for negative numbers, -inf for 0.
    fn math.log(x) { bodies: &[device_bfloat::unary(Op::Math(MathFn::Log)), cases(REAL, Op::Math(MathFn::Log))] }
    /// Logarithm to base 10.
    fn math.log10(x) { bodies: &[device_bfloat::unary(Op::Math(MathFn::Log10)), cases(REAL, Op::Math(MathFn::Log10))] }
    /// `log(1 + x)`, accurate near 0.
    fn math.log1p(x) { bodies: &[cases(REAL, Op::Math(MathFn::Log1p))] }
    /// Logarithm to base 2.
    fn math.log2(x) { bodies: &[cases(REAL, Op::Math(MathFn::Log2))] }
    /// Sine.
    fn math.sin(x) { bodies: &[device_bfloat::unary(Op::Math(MathFn::Sin)), cases(REAL, Op::Math(MathFn::Sin))] }
    /// Hyperbolic sine.
    fn math.sinh(x) { bodies: &[cases(REAL, Op::Math(MathFn::Sinh))] }
    /// Tangent.
    fn math.tan(x) { bodies: &[cases(REAL, Op::Math(MathFn::Tan))] }
    /// Hyperbolic tangent.
    fn math.tanh(x) { bodies: &[device_bfloat::unary(Op::Math(MathFn::Tanh)), cases(REAL, Op::Math(MathFn::Tanh))] }
    /// Square root; NaN for negative numbers.
    fn math.sqrt(x) { bodies: &[device_bfloat::unary(Op::Sqrt), cases(REAL, Op::Sqrt)] }
    /// `|x|` as a float.
    fn math.fabs(x) { bodies: &[cases(REAL, Op::Abs)] }
    /// Degrees of radians.
    fn math.degrees(x) { bodies: &[cases(REAL, Op::Degrees)] }
    /// Radians of degrees.
    fn math.radians(x) { bodies: &[cases(REAL, Op::Radians)] }
    /// The least integer not below `x`.
    fn math.ceil(x) { bodies: &[device_bfloat::unary(Op::Round(Rounding::Ceil)), cases(TO_INT, Op::RoundToInt(Rounding::Ceil))] }
    /// The greatest integer not above `x`.
    fn math.floor(x) { bodies: &[device_bfloat::unary(Op::Round(Rounding::Floor)), cases(TO_INT, Op::RoundToInt(Rounding::Floor))] }
    /// Rounded towards zero.
    fn math.trunc(x) { bodies: &[device_bfloat::unary(Op::Round(Rounding::Trunc)), cases(TO_INT, Op::RoundToInt(Rounding::Trunc))] }
    /// True for neither NaN nor infinity.
    fn math.isfinite(x) { bodies: &[cases(CLASSIFY, Op::Class(FloatClass::IsFinite))] }
    /// True for infinities.
    fn math.isinf(x) { bodies: &[cases(CLASSIFY, Op::Class(FloatClass::IsInf))] }
    /// True for NaN.
    fn math.isnan(x) { bodies: &[cases(CLASSIFY, Op::Class(FloatClass::IsNan))] }
    /// Angle of the point (`x`, `y`).
    fn math.atan2(y, x) { bodies: &[cases(REAL2, Op::Math(MathFn::Atan2))] }
    /// `sqrt(x**2 + y**2)` without overflow.
    fn math.hypot(x, y) { bodies: &[cases(REAL2, Op::Math(MathFn::Hypot))] }
    /// `x` with the sign of `y`.
    fn math.copysign(x, y) { bodies: &[cases(FLOAT2, Op::CopySign)] }
    /// The next float after `x` towards `y`.
    fn math.nextafter(x, y) { bodies: &[cases(NEXTAFTER, Op::Math(MathFn::NextAfter))] }
    /// Remainder with the sign of `x`, exact.
    fn math.fmod(x, y) { bodies: &[cases(FLOAT2, Op::Math(MathFn::Fmod))] }
    /// `x ** y` as a float.
    fn math.pow(x, y) { bodies: &[cases(MATH_POW, Op::Pow(DivModel::Python))] }
    /// `x * 2**i`
    fn math.ldexp(x, i) { bodies: &[cases(LDEXP, Op::Ldexp)] }
    /// Greatest common divisor.
    fn math.gcd(a, b) { bodies: &[cases_of(&[P::Integral, P::Integral], GCD, Op::Gcd)] }
    /// Mantissa and exponent: `x == m * 2**e`, `0.5 <= abs(m) < 1`.
    fn math.frexp(x) { bodies: &[rule(&[P::Real], frexp, Op::Frexp)] }
}

/// `math.frexp`
fn frexp(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let item = match scalar_at(cx, 0)? {
        Scalar::Float32 => Type::FLOAT32,
        s if s.is_complex() => return Err(Mismatch::rejected("no real number")),
        _ => Type::FLOAT64,
    };
    Ok(Signature {
        params: vec![item],
        ret: cx.types.tuple(&[item, Type::INT32]),
    })
}
