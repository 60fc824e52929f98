"""`math` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

# The first that fits is taken, as by the compiler; to checkers some of NumPy's scalars and `bfloat16` are one class.
# mypy: disable-error-code="overload-cannot-match, overload-overlap"

from typing import Any, overload

from numpy import float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

bfloat16 = Any

@overload
def acos(x: int64) -> float64:
    r"""Inverse cosine."""

@overload
def acos(x: uint64) -> float64:
    r"""Inverse cosine."""

@overload
def acos(x: float32) -> float32:
    r"""Inverse cosine."""

@overload
def acos(x: float64) -> float64:
    r"""Inverse cosine."""

@overload
def acosh(x: int64) -> float64:
    r"""Inverse hyperbolic cosine."""

@overload
def acosh(x: uint64) -> float64:
    r"""Inverse hyperbolic cosine."""

@overload
def acosh(x: float32) -> float32:
    r"""Inverse hyperbolic cosine."""

@overload
def acosh(x: float64) -> float64:
    r"""Inverse hyperbolic cosine."""

@overload
def asin(x: int64) -> float64:
    r"""Inverse sine."""

@overload
def asin(x: uint64) -> float64:
    r"""Inverse sine."""

@overload
def asin(x: float32) -> float32:
    r"""Inverse sine."""

@overload
def asin(x: float64) -> float64:
    r"""Inverse sine."""

@overload
def asinh(x: int64) -> float64:
    r"""Inverse hyperbolic sine."""

@overload
def asinh(x: uint64) -> float64:
    r"""Inverse hyperbolic sine."""

@overload
def asinh(x: float32) -> float32:
    r"""Inverse hyperbolic sine."""

@overload
def asinh(x: float64) -> float64:
    r"""Inverse hyperbolic sine."""

@overload
def atan(x: int64) -> float64:
    r"""Inverse tangent."""

@overload
def atan(x: uint64) -> float64:
    r"""Inverse tangent."""

@overload
def atan(x: float32) -> float32:
    r"""Inverse tangent."""

@overload
def atan(x: float64) -> float64:
    r"""Inverse tangent."""

@overload
def atan2(y: int64, x: int64) -> float64:
    r"""Angle of the point (`x`, `y`)."""

@overload
def atan2(y: uint64, x: uint64) -> float64:
    r"""Angle of the point (`x`, `y`)."""

@overload
def atan2(y: float32, x: float32) -> float32:
    r"""Angle of the point (`x`, `y`)."""

@overload
def atan2(y: float64, x: float64) -> float64:
    r"""Angle of the point (`x`, `y`)."""

@overload
def atanh(x: int64) -> float64:
    r"""Inverse hyperbolic tangent."""

@overload
def atanh(x: uint64) -> float64:
    r"""Inverse hyperbolic tangent."""

@overload
def atanh(x: float32) -> float32:
    r"""Inverse hyperbolic tangent."""

@overload
def atanh(x: float64) -> float64:
    r"""Inverse hyperbolic tangent."""

@overload
def cbrt(x: int64) -> float64:
    r"""Cube root."""

@overload
def cbrt(x: uint64) -> float64:
    r"""Cube root."""

@overload
def cbrt(x: float32) -> float32:
    r"""Cube root."""

@overload
def cbrt(x: float64) -> float64:
    r"""Cube root."""

@overload
def ceil(x: bfloat16) -> bfloat16:
    r"""The least integer not below `x`."""

@overload
def ceil(x: int64) -> int64:
    r"""The least integer not below `x`."""

@overload
def ceil(x: uint64) -> uint64:
    r"""The least integer not below `x`."""

@overload
def ceil(x: float32) -> int64:
    r"""The least integer not below `x`."""

@overload
def ceil(x: float64) -> int64:
    r"""The least integer not below `x`."""

@overload
def copysign(x: float32, y: float32) -> float32:
    r"""`x` with the sign of `y`."""

@overload
def copysign(x: float64, y: float64) -> float64:
    r"""`x` with the sign of `y`."""

@overload
def cos(x: bfloat16) -> bfloat16:
    r"""Cosine."""

@overload
def cos(x: int64) -> float64:
    r"""Cosine."""

@overload
def cos(x: uint64) -> float64:
    r"""Cosine."""

@overload
def cos(x: float32) -> float32:
    r"""Cosine."""

@overload
def cos(x: float64) -> float64:
    r"""Cosine."""

@overload
def cosh(x: int64) -> float64:
    r"""Hyperbolic cosine."""

@overload
def cosh(x: uint64) -> float64:
    r"""Hyperbolic cosine."""

@overload
def cosh(x: float32) -> float32:
    r"""Hyperbolic cosine."""

@overload
def cosh(x: float64) -> float64:
    r"""Hyperbolic cosine."""

@overload
def degrees(x: int64) -> float64:
    r"""Degrees of radians."""

@overload
def degrees(x: uint64) -> float64:
    r"""Degrees of radians."""

@overload
def degrees(x: float32) -> float32:
    r"""Degrees of radians."""

@overload
def degrees(x: float64) -> float64:
    r"""Degrees of radians."""

@overload
def erf(x: int64) -> float64:
    r"""Error function."""

@overload
def erf(x: uint64) -> float64:
    r"""Error function."""

@overload
def erf(x: float32) -> float32:
    r"""Error function."""

@overload
def erf(x: float64) -> float64:
    r"""Error function."""

@overload
def erfc(x: int64) -> float64:
    r"""Complementary error function."""

@overload
def erfc(x: uint64) -> float64:
    r"""Complementary error function."""

@overload
def erfc(x: float32) -> float32:
    r"""Complementary error function."""

@overload
def erfc(x: float64) -> float64:
    r"""Complementary error function."""

@overload
def exp(x: bfloat16) -> bfloat16:
    r"""`e ** x`"""

@overload
def exp(x: int64) -> float64:
    r"""`e ** x`"""

@overload
def exp(x: uint64) -> float64:
    r"""`e ** x`"""

@overload
def exp(x: float32) -> float32:
    r"""`e ** x`"""

@overload
def exp(x: float64) -> float64:
    r"""`e ** x`"""

@overload
def exp2(x: bfloat16) -> bfloat16:
    r"""`2 ** x`"""

@overload
def exp2(x: int64) -> float64:
    r"""`2 ** x`"""

@overload
def exp2(x: uint64) -> float64:
    r"""`2 ** x`"""

@overload
def exp2(x: float32) -> float32:
    r"""`2 ** x`"""

@overload
def exp2(x: float64) -> float64:
    r"""`2 ** x`"""

@overload
def expm1(x: int64) -> float64:
    r"""`e ** x - 1`, accurate near 0."""

@overload
def expm1(x: uint64) -> float64:
    r"""`e ** x - 1`, accurate near 0."""

@overload
def expm1(x: float32) -> float32:
    r"""`e ** x - 1`, accurate near 0."""

@overload
def expm1(x: float64) -> float64:
    r"""`e ** x - 1`, accurate near 0."""

@overload
def fabs(x: int64) -> float64:
    r"""`|x|` as a float."""

@overload
def fabs(x: uint64) -> float64:
    r"""`|x|` as a float."""

@overload
def fabs(x: float32) -> float32:
    r"""`|x|` as a float."""

@overload
def fabs(x: float64) -> float64:
    r"""`|x|` as a float."""

@overload
def floor(x: bfloat16) -> bfloat16:
    r"""The greatest integer not above `x`."""

@overload
def floor(x: int64) -> int64:
    r"""The greatest integer not above `x`."""

@overload
def floor(x: uint64) -> uint64:
    r"""The greatest integer not above `x`."""

@overload
def floor(x: float32) -> int64:
    r"""The greatest integer not above `x`."""

@overload
def floor(x: float64) -> int64:
    r"""The greatest integer not above `x`."""

@overload
def fmod(x: float32, y: float32) -> float32:
    r"""Remainder with the sign of `x`, exact."""

@overload
def fmod(x: float64, y: float64) -> float64:
    r"""Remainder with the sign of `x`, exact."""

def frexp(x: Any) -> Any:
    r"""Mantissa and exponent: `x == m * 2**e`, `0.5 <= abs(m) < 1`."""

@overload
def gamma(x: int64) -> float64:
    r"""Gamma function."""

@overload
def gamma(x: uint64) -> float64:
    r"""Gamma function."""

@overload
def gamma(x: float32) -> float32:
    r"""Gamma function."""

@overload
def gamma(x: float64) -> float64:
    r"""Gamma function."""

@overload
def gcd(a: int64, b: int64) -> int64:
    r"""Greatest common divisor."""

@overload
def gcd(a: int32, b: int32) -> int32:
    r"""Greatest common divisor."""

@overload
def gcd(a: int16, b: int16) -> int16:
    r"""Greatest common divisor."""

@overload
def gcd(a: int8, b: int8) -> int8:
    r"""Greatest common divisor."""

@overload
def gcd(a: uint64, b: uint64) -> uint64:
    r"""Greatest common divisor."""

@overload
def gcd(a: uint32, b: uint32) -> uint32:
    r"""Greatest common divisor."""

@overload
def gcd(a: uint16, b: uint16) -> uint16:
    r"""Greatest common divisor."""

@overload
def gcd(a: uint8, b: uint8) -> uint8:
    r"""Greatest common divisor."""

@overload
def hypot(x: int64, y: int64) -> float64:
    r"""`sqrt(x**2 + y**2)` without overflow."""

@overload
def hypot(x: uint64, y: uint64) -> float64:
    r"""`sqrt(x**2 + y**2)` without overflow."""

@overload
def hypot(x: float32, y: float32) -> float32:
    r"""`sqrt(x**2 + y**2)` without overflow."""

@overload
def hypot(x: float64, y: float64) -> float64:
    r"""`sqrt(x**2 + y**2)` without overflow."""

@overload
def isfinite(x: int64) -> bool:
    r"""True for neither NaN nor infinity."""

@overload
def isfinite(x: uint64) -> bool:
    r"""True for neither NaN nor infinity."""

@overload
def isfinite(x: float32) -> bool:
    r"""True for neither NaN nor infinity."""

@overload
def isfinite(x: float64) -> bool:
    r"""True for neither NaN nor infinity."""

@overload
def isinf(x: int64) -> bool:
    r"""True for infinities."""

@overload
def isinf(x: uint64) -> bool:
    r"""True for infinities."""

@overload
def isinf(x: float32) -> bool:
    r"""True for infinities."""

@overload
def isinf(x: float64) -> bool:
    r"""True for infinities."""

@overload
def isnan(x: int64) -> bool:
    r"""True for NaN."""

@overload
def isnan(x: uint64) -> bool:
    r"""True for NaN."""

@overload
def isnan(x: float32) -> bool:
    r"""True for NaN."""

@overload
def isnan(x: float64) -> bool:
    r"""True for NaN."""

@overload
def ldexp(x: float64, i: int64) -> float64:
    r"""`x * 2**i`"""

@overload
def ldexp(x: float32, i: int64) -> float32:
    r"""`x * 2**i`"""

@overload
def ldexp(x: float64, i: int32) -> float64:
    r"""`x * 2**i`"""

@overload
def ldexp(x: float32, i: int32) -> float32:
    r"""`x * 2**i`"""

@overload
def lgamma(x: int64) -> float64:
    r"""Logarithm of the absolute value of the gamma function."""

@overload
def lgamma(x: uint64) -> float64:
    r"""Logarithm of the absolute value of the gamma function."""

@overload
def lgamma(x: float32) -> float32:
    r"""Logarithm of the absolute value of the gamma function."""

@overload
def lgamma(x: float64) -> float64:
    r"""Logarithm of the absolute value of the gamma function."""

@overload
def log(x: bfloat16) -> bfloat16:
    r"""Natural logarithm; NaN for negative numbers, -inf for 0."""

@overload
def log(x: int64) -> float64:
    r"""Natural logarithm; NaN for negative numbers, -inf for 0."""

@overload
def log(x: uint64) -> float64:
    r"""Natural logarithm; NaN for negative numbers, -inf for 0."""

@overload
def log(x: float32) -> float32:
    r"""Natural logarithm; NaN for negative numbers, -inf for 0."""

@overload
def log(x: float64) -> float64:
    r"""Natural logarithm; NaN for negative numbers, -inf for 0."""

@overload
def log10(x: bfloat16) -> bfloat16:
    r"""Logarithm to base 10."""

@overload
def log10(x: int64) -> float64:
    r"""Logarithm to base 10."""

@overload
def log10(x: uint64) -> float64:
    r"""Logarithm to base 10."""

@overload
def log10(x: float32) -> float32:
    r"""Logarithm to base 10."""

@overload
def log10(x: float64) -> float64:
    r"""Logarithm to base 10."""

@overload
def log1p(x: int64) -> float64:
    r"""`log(1 + x)`, accurate near 0."""

@overload
def log1p(x: uint64) -> float64:
    r"""`log(1 + x)`, accurate near 0."""

@overload
def log1p(x: float32) -> float32:
    r"""`log(1 + x)`, accurate near 0."""

@overload
def log1p(x: float64) -> float64:
    r"""`log(1 + x)`, accurate near 0."""

@overload
def log2(x: int64) -> float64:
    r"""Logarithm to base 2."""

@overload
def log2(x: uint64) -> float64:
    r"""Logarithm to base 2."""

@overload
def log2(x: float32) -> float32:
    r"""Logarithm to base 2."""

@overload
def log2(x: float64) -> float64:
    r"""Logarithm to base 2."""

def modf(x: Any) -> Any:
    r"""Fraction and integer part of a number, both with its sign."""

@overload
def nextafter(x: float64, y: float64) -> float64:
    r"""The next float after `x` towards `y`."""

@overload
def nextafter(x: float32, y: float32) -> float32:
    r"""The next float after `x` towards `y`."""

@overload
def pow(x: float64, y: int64) -> float64:
    r"""`x ** y` as a float."""

@overload
def pow(x: float64, y: uint64) -> float64:
    r"""`x ** y` as a float."""

@overload
def pow(x: float32, y: float32) -> float32:
    r"""`x ** y` as a float."""

@overload
def pow(x: float64, y: float64) -> float64:
    r"""`x ** y` as a float."""

@overload
def radians(x: int64) -> float64:
    r"""Radians of degrees."""

@overload
def radians(x: uint64) -> float64:
    r"""Radians of degrees."""

@overload
def radians(x: float32) -> float32:
    r"""Radians of degrees."""

@overload
def radians(x: float64) -> float64:
    r"""Radians of degrees."""

@overload
def remainder(x: float32, y: float32) -> float32:
    r"""`x` less the nearest multiple of `y`, ties to even multiples, exact."""

@overload
def remainder(x: float64, y: float64) -> float64:
    r"""`x` less the nearest multiple of `y`, ties to even multiples, exact."""

@overload
def remainder(x: float32, y: float32) -> float32:
    r"""`x` less the nearest multiple of `y`, ties to even multiples, exact."""

@overload
def remainder(x: float64, y: float64) -> float64:
    r"""`x` less the nearest multiple of `y`, ties to even multiples, exact."""

@overload
def sin(x: bfloat16) -> bfloat16:
    r"""Sine."""

@overload
def sin(x: int64) -> float64:
    r"""Sine."""

@overload
def sin(x: uint64) -> float64:
    r"""Sine."""

@overload
def sin(x: float32) -> float32:
    r"""Sine."""

@overload
def sin(x: float64) -> float64:
    r"""Sine."""

@overload
def sinh(x: int64) -> float64:
    r"""Hyperbolic sine."""

@overload
def sinh(x: uint64) -> float64:
    r"""Hyperbolic sine."""

@overload
def sinh(x: float32) -> float32:
    r"""Hyperbolic sine."""

@overload
def sinh(x: float64) -> float64:
    r"""Hyperbolic sine."""

@overload
def sqrt(x: bfloat16) -> bfloat16:
    r"""Square root; NaN for negative numbers."""

@overload
def sqrt(x: int64) -> float64:
    r"""Square root; NaN for negative numbers."""

@overload
def sqrt(x: uint64) -> float64:
    r"""Square root; NaN for negative numbers."""

@overload
def sqrt(x: float32) -> float32:
    r"""Square root; NaN for negative numbers."""

@overload
def sqrt(x: float64) -> float64:
    r"""Square root; NaN for negative numbers."""

@overload
def tan(x: int64) -> float64:
    r"""Tangent."""

@overload
def tan(x: uint64) -> float64:
    r"""Tangent."""

@overload
def tan(x: float32) -> float32:
    r"""Tangent."""

@overload
def tan(x: float64) -> float64:
    r"""Tangent."""

@overload
def tanh(x: bfloat16) -> bfloat16:
    r"""Hyperbolic tangent."""

@overload
def tanh(x: int64) -> float64:
    r"""Hyperbolic tangent."""

@overload
def tanh(x: uint64) -> float64:
    r"""Hyperbolic tangent."""

@overload
def tanh(x: float32) -> float32:
    r"""Hyperbolic tangent."""

@overload
def tanh(x: float64) -> float64:
    r"""Hyperbolic tangent."""

@overload
def trunc(x: bfloat16) -> bfloat16:
    r"""Rounded towards zero."""

@overload
def trunc(x: int64) -> int64:
    r"""Rounded towards zero."""

@overload
def trunc(x: uint64) -> uint64:
    r"""Rounded towards zero."""

@overload
def trunc(x: float32) -> int64:
    r"""Rounded towards zero."""

@overload
def trunc(x: float64) -> int64:
    r"""Rounded towards zero."""

