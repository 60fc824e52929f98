//! NumPy's universal functions. Each takes scalars and arrays of any layout, broadcasts them, and takes `out` by position.

use super::ufuncs;
use crate::Effects;
use crate::row_macro::elementwise;

/// Writes `out`, allocates a result for arrays, and raises where shapes do not broadcast.
pub(super) const UFUNC: Effects = Effects::READ
    .and(Effects::WRITE)
    .and(Effects::ALLOC)
    .and(Effects::RAISE);

library! {
    /// `x1 + x2`; logical or of booleans.
    fn numpy.add(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ADD)],
    }
    /// `x1 - x2`
    fn numpy.subtract(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::SUBTRACT)],
    }
    /// `x1 * x2`
    fn numpy.multiply(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::MULTIPLY)],
    }
    /// `x1 / x2`, a float.
    fn numpy.divide(x1, x2, out = Unset) alias [numpy.true_divide] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::DIVIDE)],
    }
    /// `x1 // x2`; an integer by 0 gives 0.
    fn numpy.floor_divide(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::FLOOR_DIVIDE)],
    }
    /// `x1 % x2`, with the sign of `x2`; an integer by 0 gives 0.
    fn numpy.remainder(x1, x2, out = Unset) alias [numpy.mod] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::REMAINDER)],
    }
    /// Remainder with the sign of `x1`; an integer by 0 gives 0.
    fn numpy.fmod(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::FMOD)],
    }
    /// `x1 ** x2`
    fn numpy.power(x1, x2, out = Unset) alias [numpy.pow] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::POWER)],
    }
    /// `x1 ** x2` in float64 or complex128.
    fn numpy.float_power(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::FLOAT_POWER)],
    }
    /// Greatest common divisor.
    fn numpy.gcd(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::GCD)],
    }
    /// Least common multiple.
    fn numpy.lcm(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LCM)],
    }
    /// `x1 & x2`
    fn numpy.bitwise_and(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::BITWISE_AND)],
    }
    /// `x1 | x2`
    fn numpy.bitwise_or(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::BITWISE_OR)],
    }
    /// `x1 ^ x2`
    fn numpy.bitwise_xor(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::BITWISE_XOR)],
    }
    /// `~x`
    fn numpy.invert(x, out = Unset) alias [numpy.bitwise_not, numpy.bitwise_invert] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::INVERT)],
    }
    /// `x1 << x2`, 0 for counts out of range.
    fn numpy.left_shift(x1, x2, out = Unset) alias [numpy.bitwise_left_shift] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LEFT_SHIFT)],
    }
    /// `x1 >> x2`, sign fill for counts out of range.
    fn numpy.right_shift(x1, x2, out = Unset) alias [numpy.bitwise_right_shift] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::RIGHT_SHIFT)],
    }
    /// `x1 == x2`
    fn numpy.equal(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::EQUAL)],
    }
    /// `x1 != x2`
    fn numpy.not_equal(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::NOT_EQUAL)],
    }
    /// `x1 < x2`
    fn numpy.less(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LESS)],
    }
    /// `x1 <= x2`
    fn numpy.less_equal(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LESS_EQUAL)],
    }
    /// `x1 > x2`
    fn numpy.greater(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::GREATER)],
    }
    /// `x1 >= x2`
    fn numpy.greater_equal(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::GREATER_EQUAL)],
    }
    /// `bool(x1) and bool(x2)`
    fn numpy.logical_and(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOGICAL_AND)],
    }
    /// `bool(x1) or bool(x2)`
    fn numpy.logical_or(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOGICAL_OR)],
    }
    /// `bool(x1) != bool(x2)`
    fn numpy.logical_xor(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOGICAL_XOR)],
    }
    /// `not x`
    fn numpy.logical_not(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOGICAL_NOT)],
    }
    /// The greater; NaN if either is.
    fn numpy.maximum(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::MAXIMUM)],
    }
    /// The smaller; NaN if either is.
    fn numpy.minimum(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::MINIMUM)],
    }
    /// The greater; a NaN loses.
    fn numpy.fmax(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::FMAX)],
    }
    /// The smaller; a NaN loses.
    fn numpy.fmin(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::FMIN)],
    }
    /// `-x`
    fn numpy.negative(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::NEGATIVE)],
    }
    /// `+x`
    fn numpy.positive(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::POSITIVE)],
    }
    /// `|x|`
    fn numpy.absolute(x, out = Unset) alias [numpy.abs] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ABSOLUTE)],
    }
    /// `|x|` of floats.
    fn numpy.fabs(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::FABS)],
    }
    /// -1, 0 or 1; `x / |x|` for complex.
    fn numpy.sign(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::SIGN)],
    }
    /// `x * x`
    fn numpy.square(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::SQUARE)],
    }
    /// `1 / x`, truncated for integers.
    fn numpy.reciprocal(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::RECIPROCAL)],
    }
    /// Complex conjugate.
    fn numpy.conjugate(x, out = Unset) alias [numpy.conj] method [array.conj, array.conjugate] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::CONJUGATE)],
    }
    /// Square root.
    fn numpy.sqrt(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::SQRT)],
    }
    /// Cube root.
    fn numpy.cbrt(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::CBRT)],
    }
    /// `e ** x`
    fn numpy.exp(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::EXP)],
    }
    /// `2 ** x`
    fn numpy.exp2(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::EXP2)],
    }
    /// `e ** x - 1`, accurate near 0.
    fn numpy.expm1(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::EXPM1)],
    }
    /// Natural logarithm.
    fn numpy.log(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOG)],
    }
    /// Logarithm to base 2.
    fn numpy.log2(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOG2)],
    }
    /// Logarithm to base 10.
    fn numpy.log10(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOG10)],
    }
    /// `log(1 + x)`, accurate near 0.
    fn numpy.log1p(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOG1P)],
    }
    /// Sine.
    fn numpy.sin(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::SIN)],
    }
    /// Cosine.
    fn numpy.cos(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::COS)],
    }
    /// Tangent.
    fn numpy.tan(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::TAN)],
    }
    /// Inverse sine.
    fn numpy.arcsin(x, out = Unset) alias [numpy.asin] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ARCSIN)],
    }
    /// Inverse cosine.
    fn numpy.arccos(x, out = Unset) alias [numpy.acos] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ARCCOS)],
    }
    /// Inverse tangent.
    fn numpy.arctan(x, out = Unset) alias [numpy.atan] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ARCTAN)],
    }
    /// Angle of the point (`x2`, `x1`).
    fn numpy.arctan2(x1, x2, out = Unset) alias [numpy.atan2] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ARCTAN2)],
    }
    /// Hyperbolic sine.
    fn numpy.sinh(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::SINH)],
    }
    /// Hyperbolic cosine.
    fn numpy.cosh(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::COSH)],
    }
    /// Hyperbolic tangent.
    fn numpy.tanh(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::TANH)],
    }
    /// Inverse hyperbolic sine.
    fn numpy.arcsinh(x, out = Unset) alias [numpy.asinh] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ARCSINH)],
    }
    /// Inverse hyperbolic cosine.
    fn numpy.arccosh(x, out = Unset) alias [numpy.acosh] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ARCCOSH)],
    }
    /// Inverse hyperbolic tangent.
    fn numpy.arctanh(x, out = Unset) alias [numpy.atanh] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ARCTANH)],
    }
    /// `sqrt(x1**2 + x2**2)` without overflow.
    fn numpy.hypot(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::HYPOT)],
    }
    /// The next float after `x1` towards `x2`.
    fn numpy.nextafter(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::NEXTAFTER)],
    }
    /// `x1` with the sign of `x2`.
    fn numpy.copysign(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::COPYSIGN)],
    }
    /// `log(exp(x1) + exp(x2))`
    fn numpy.logaddexp(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOGADDEXP)],
    }
    /// `log2(2**x1 + 2**x2)`
    fn numpy.logaddexp2(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LOGADDEXP2)],
    }
    /// `x1 * 2**x2`
    fn numpy.ldexp(x1, x2, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::LDEXP)],
    }
    /// The greatest integer not above `x`.
    fn numpy.floor(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::FLOOR)],
    }
    /// The least integer not below `x`.
    fn numpy.ceil(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::CEIL)],
    }
    /// Rounded towards zero.
    fn numpy.trunc(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::TRUNC)],
    }
    /// Rounded to the nearest integer, ties to even.
    fn numpy.rint(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::RINT)],
    }
    /// True for NaN.
    fn numpy.isnan(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ISNAN)],
    }
    /// True for NaT.
    fn numpy.isnat(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ISNAT)],
    }
    /// True for infinities.
    fn numpy.isinf(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ISINF)],
    }
    /// True for neither NaN nor infinity.
    fn numpy.isfinite(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::ISFINITE)],
    }
    /// True if the sign bit is set.
    fn numpy.signbit(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::SIGNBIT)],
    }
    /// Distance to the next float away from zero.
    fn numpy.spacing(x, out = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::SPACING)],
    }
    /// Degrees of radians.
    fn numpy.degrees(x, out = Unset) alias [numpy.rad2deg] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::DEGREES)],
    }
    /// Radians of degrees.
    fn numpy.radians(x, out = Unset) alias [numpy.deg2rad] {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::RADIANS)],
    }
    /// `(x1 // x2, x1 % x2)`
    fn numpy.divmod(x1, x2, out1 = Unset, out2 = Unset) {
        effects: UFUNC, bodies: &[elementwise(&ufuncs::DIVMOD)],
    }
}
