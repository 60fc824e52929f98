//! The `cmath` module. Real arguments compute in complex.

use super::sigs::{COMPLEX, COMPLEX_CLASSIFY, COMPLEX_PART, COMPLEX_WIDE, RECT};
use crate::row_macro::{cases, prelude, rule};
use crate::rules::scalar_at;
use crate::{ComplexFn, FloatClass, Mismatch, Op, ResultCx, TypePattern as P};
use numbra_ir::{Scalar, Signature, Type};

library! {
    /// Inverse cosine.
    fn cmath.acos(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Acos))] }
    /// Inverse hyperbolic cosine.
    fn cmath.acosh(z) { bodies: &[cases(COMPLEX_WIDE, Op::Complex(ComplexFn::Acosh))] }
    /// Inverse sine.
    fn cmath.asin(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Asin))] }
    /// Inverse hyperbolic sine.
    fn cmath.asinh(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Asinh))] }
    /// Inverse tangent.
    fn cmath.atan(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Atan))] }
    /// Inverse hyperbolic tangent.
    fn cmath.atanh(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Atanh))] }
    /// Cosine.
    fn cmath.cos(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Cos))] }
    /// Hyperbolic cosine.
    fn cmath.cosh(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Cosh))] }
    /// `e ** z`
    fn cmath.exp(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Exp))] }
    /// Logarithm to base 10.
    fn cmath.log10(z) { bodies: &[cases(COMPLEX_WIDE, Op::Complex(ComplexFn::Log10))] }
    /// Sine.
    fn cmath.sin(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Sin))] }
    /// Hyperbolic sine.
    fn cmath.sinh(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Sinh))] }
    /// Tangent.
    fn cmath.tan(z) { bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Tan))] }
    /// Hyperbolic tangent.
    fn cmath.tanh(z) { bodies: &[cases(COMPLEX_WIDE, Op::Complex(ComplexFn::Tanh))] }
    /// Square root, principal branch.
    fn cmath.sqrt(z) { bodies: &[cases(COMPLEX, Op::Sqrt)] }
    /// Logarithm, to `base` if it is given.
    fn cmath.log(z, base = Unset) {
        bodies: &[cases(COMPLEX, Op::Complex(ComplexFn::Log)), prelude(&[P::Scalar, P::Scalar], "cmath_log_base")],
    }
    /// True if both parts are finite.
    fn cmath.isfinite(z) { bodies: &[cases(COMPLEX_CLASSIFY, Op::Class(FloatClass::IsFinite))] }
    /// True if either part is infinite.
    fn cmath.isinf(z) { bodies: &[cases(COMPLEX_CLASSIFY, Op::Class(FloatClass::IsInf))] }
    /// True if either part is NaN.
    fn cmath.isnan(z) { bodies: &[cases(COMPLEX_CLASSIFY, Op::Class(FloatClass::IsNan))] }
    /// Angle, `atan2(z.imag, z.real)`.
    fn cmath.phase(z) { bodies: &[cases(COMPLEX_PART, Op::Phase)] }
    /// `(abs(z), phase(z))`
    fn cmath.polar(z) { bodies: &[rule(&[P::Scalar], polar, Op::Polar)] }
    /// `complex(r * cos(phi), r * sin(phi))`
    fn cmath.rect(r, phi) { bodies: &[cases(RECT, Op::Rect)] }
}

/// `cmath.polar`
fn polar(cx: &ResultCx<'_>) -> Result<Signature, Mismatch> {
    let (param, part) = match scalar_at(cx, 0)? {
        Scalar::Complex64 => (Type::COMPLEX64, Type::FLOAT32),
        _ => (Type::COMPLEX128, Type::FLOAT64),
    };
    Ok(Signature {
        params: vec![param],
        ret: cx.types.tuple(&[part, part]),
    })
}
