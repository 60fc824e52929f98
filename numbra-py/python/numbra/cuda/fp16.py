"""Functions of half floats in kernels. These are names for the compiler: they have no values outside of kernels."""

from numbra._named import names_of
from numbra.cuda.stubs import functions

#: Parameters and what they do, by name.
_FUNCTIONS = {
    "hadd": ("(a, b)", "``a + b``"),
    "hsub": ("(a, b)", "``a - b``"),
    "hmul": ("(a, b)", "``a * b``"),
    "hdiv": ("(a, b)", "``a / b``"),
    "hfma": ("(a, b, c)", "``a * b + c`` with one rounding"),
    "hneg": ("(a)", "``-a``"),
    "habs": ("(a)", "``abs(a)``"),
    "hmax": ("(a, b)", "the greater; the other one if one is NaN"),
    "hmin": ("(a, b)", "the smaller; the other one if one is NaN"),
    "heq": ("(a, b)", "``a == b``"),
    "hne": ("(a, b)", "``a != b``"),
    "hgt": ("(a, b)", "``a > b``"),
    "hge": ("(a, b)", "``a >= b``"),
    "hlt": ("(a, b)", "``a < b``"),
    "hle": ("(a, b)", "``a <= b``"),
    "hsin": ("(a)", "sine"),
    "hcos": ("(a)", "cosine"),
    "htanh": ("(a)", "hyperbolic tangent"),
    "hlog": ("(a)", "natural logarithm"),
    "hlog2": ("(a)", "logarithm to base 2"),
    "hlog10": ("(a)", "logarithm to base 10"),
    "hexp": ("(a)", "``e ** a``"),
    "hexp2": ("(a)", "``2 ** a``"),
    "hexp10": ("(a)", "``10 ** a``"),
    "hsqrt": ("(a)", "square root"),
    "hrsqrt": ("(a)", "``1 / sqrt(a)``"),
    "hrcp": ("(a)", "``1 / a``"),
    "hceil": ("(a)", "the least integer not below ``a``"),
    "hfloor": ("(a)", "the greatest integer not above ``a``"),
    "htrunc": ("(a)", "rounded towards zero"),
    "hrint": ("(a)", "rounded to the nearest integer, ties to even"),
}

__getattr__ = functions("fp16", _FUNCTIONS, {}, names_of(__name__))
__all__ = list(_FUNCTIONS)
