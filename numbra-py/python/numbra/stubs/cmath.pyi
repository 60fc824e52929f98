"""`cmath` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

# The first that fits is taken, as by the compiler; to checkers some of NumPy's scalars and `bfloat16` are one class.
# mypy: disable-error-code="overload-cannot-match, overload-overlap"

from typing import Any, overload

from numpy import complex64, complex128, float32, float64

@overload
def acos(z: complex64) -> complex64:
    r"""Inverse cosine."""

@overload
def acos(z: complex128) -> complex128:
    r"""Inverse cosine."""

def acosh(z: complex128) -> complex128:
    r"""Inverse hyperbolic cosine."""

@overload
def asin(z: complex64) -> complex64:
    r"""Inverse sine."""

@overload
def asin(z: complex128) -> complex128:
    r"""Inverse sine."""

@overload
def asinh(z: complex64) -> complex64:
    r"""Inverse hyperbolic sine."""

@overload
def asinh(z: complex128) -> complex128:
    r"""Inverse hyperbolic sine."""

@overload
def atan(z: complex64) -> complex64:
    r"""Inverse tangent."""

@overload
def atan(z: complex128) -> complex128:
    r"""Inverse tangent."""

@overload
def atanh(z: complex64) -> complex64:
    r"""Inverse hyperbolic tangent."""

@overload
def atanh(z: complex128) -> complex128:
    r"""Inverse hyperbolic tangent."""

@overload
def cos(z: complex64) -> complex64:
    r"""Cosine."""

@overload
def cos(z: complex128) -> complex128:
    r"""Cosine."""

@overload
def cosh(z: complex64) -> complex64:
    r"""Hyperbolic cosine."""

@overload
def cosh(z: complex128) -> complex128:
    r"""Hyperbolic cosine."""

@overload
def exp(z: complex64) -> complex64:
    r"""`e ** z`"""

@overload
def exp(z: complex128) -> complex128:
    r"""`e ** z`"""

@overload
def isfinite(z: complex64) -> bool:
    r"""True if both parts are finite."""

@overload
def isfinite(z: complex128) -> bool:
    r"""True if both parts are finite."""

@overload
def isinf(z: complex64) -> bool:
    r"""True if either part is infinite."""

@overload
def isinf(z: complex128) -> bool:
    r"""True if either part is infinite."""

@overload
def isnan(z: complex64) -> bool:
    r"""True if either part is NaN."""

@overload
def isnan(z: complex128) -> bool:
    r"""True if either part is NaN."""

@overload
def log(z: complex64, base: Any = ...) -> complex64:
    r"""Logarithm, to `base` if it is given."""

@overload
def log(z: complex128, base: Any = ...) -> complex128:
    r"""Logarithm, to `base` if it is given."""

@overload
def log(z: Any, base: Any = ...) -> Any:
    r"""Logarithm, to `base` if it is given."""

def log10(z: complex128) -> complex128:
    r"""Logarithm to base 10."""

@overload
def phase(z: complex64) -> float32:
    r"""Angle, `atan2(z.imag, z.real)`."""

@overload
def phase(z: complex128) -> float64:
    r"""Angle, `atan2(z.imag, z.real)`."""

def polar(z: Any) -> Any:
    r"""`(abs(z), phase(z))`"""

@overload
def rect(r: float32, phi: float32) -> complex64:
    r"""`complex(r * cos(phi), r * sin(phi))`"""

@overload
def rect(r: float32, phi: float64) -> complex128:
    r"""`complex(r * cos(phi), r * sin(phi))`"""

@overload
def rect(r: float64, phi: float32) -> complex128:
    r"""`complex(r * cos(phi), r * sin(phi))`"""

@overload
def rect(r: float64, phi: float64) -> complex128:
    r"""`complex(r * cos(phi), r * sin(phi))`"""

@overload
def sin(z: complex64) -> complex64:
    r"""Sine."""

@overload
def sin(z: complex128) -> complex128:
    r"""Sine."""

@overload
def sinh(z: complex64) -> complex64:
    r"""Hyperbolic sine."""

@overload
def sinh(z: complex128) -> complex128:
    r"""Hyperbolic sine."""

@overload
def sqrt(z: complex64) -> complex64:
    r"""Square root, principal branch."""

@overload
def sqrt(z: complex128) -> complex128:
    r"""Square root, principal branch."""

@overload
def tan(z: complex64) -> complex64:
    r"""Tangent."""

@overload
def tan(z: complex128) -> complex128:
    r"""Tangent."""

def tanh(z: complex128) -> complex128:
    r"""Hyperbolic tangent."""

