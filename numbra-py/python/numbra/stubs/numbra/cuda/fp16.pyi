"""`numbra.cuda.fp16` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

from numpy import float16

def habs(a: float16) -> float16:
    r"""`|a|`"""

def hadd(a: float16, b: float16) -> float16:
    r"""`a + b`"""

def hceil(a: float16) -> float16:
    r"""The least integer not below `a`."""

def hcos(a: float16) -> float16:
    r"""Cosine."""

def hdiv(a: float16, b: float16) -> float16:
    r"""`a / b`"""

def heq(a: float16, b: float16) -> bool:
    r"""`a == b`"""

def hexp(a: float16) -> float16:
    r"""`e ** a`"""

def hexp10(a: float16) -> float16:
    r"""`10 ** a`"""

def hexp2(a: float16) -> float16:
    r"""`2 ** a`"""

def hfloor(a: float16) -> float16:
    r"""The greatest integer not above `a`."""

def hfma(a: float16, b: float16, c: float16) -> float16:
    r"""`a * b + c` with one rounding."""

def hge(a: float16, b: float16) -> bool:
    r"""`a >= b`"""

def hgt(a: float16, b: float16) -> bool:
    r"""`a > b`"""

def hle(a: float16, b: float16) -> bool:
    r"""`a <= b`"""

def hlog(a: float16) -> float16:
    r"""Natural logarithm."""

def hlog10(a: float16) -> float16:
    r"""Logarithm to base 10."""

def hlog2(a: float16) -> float16:
    r"""Logarithm to base 2."""

def hlt(a: float16, b: float16) -> bool:
    r"""`a < b`"""

def hmax(a: float16, b: float16) -> float16:
    r"""The greater; the other one if one is NaN."""

def hmin(a: float16, b: float16) -> float16:
    r"""The smaller; the other one if one is NaN."""

def hmul(a: float16, b: float16) -> float16:
    r"""`a * b`"""

def hne(a: float16, b: float16) -> bool:
    r"""`a != b`"""

def hneg(a: float16) -> float16:
    r"""`-a`"""

def hrcp(a: float16) -> float16:
    r"""`1 / a`"""

def hrint(a: float16) -> float16:
    r"""Rounded to the nearest integer, ties to even."""

def hrsqrt(a: float16) -> float16:
    r"""`1 / sqrt(a)`"""

def hsin(a: float16) -> float16:
    r"""Sine."""

def hsqrt(a: float16) -> float16:
    r"""Square root."""

def hsub(a: float16, b: float16) -> float16:
    r"""`a - b`"""

def htanh(a: float16) -> float16:
    r"""Hyperbolic tangent."""

def htrunc(a: float16) -> float16:
    r"""Rounded towards zero."""

