"""bfloat16 in kernels: the type, and its functions. They are names for the compiler, without values on the host.

Conversions say in their last letters how they round: ``rn`` to nearest with ties to even, ``rz`` towards zero, ``rd``
down, ``ru`` up.
"""

from numbra._named import names_of
from numbra.core.types import bfloat16
from numbra.cuda.stubs import functions

_ROUNDED = {"rn": "to nearest, ties to even", "rz": "towards zero", "rd": "down", "ru": "up"}
#: numba-cuda's other name of a type in the names of conversions.
_IN_C = {
    "float32": "float",
    "float64": "double",
    "int8": "char",
    "uint8": "uchar",
    "int16": "short",
    "uint16": "ushort",
    "int32": "int",
    "uint32": "uint",
    "int64": "ll",
    "uint64": "ull",
}

#: Parameters and what they do, by name.
_FUNCTIONS = {
    "habs": ("(a)", "``abs(a)``"),
    "hadd": ("(a, b)", "``a + b``"),
    "hsub": ("(a, b)", "``a - b``"),
    "hmul": ("(a, b)", "``a * b``"),
    "hadd_rn": ("(a, b)", "``a + b``, which never becomes part of a fused operation"),
    "hsub_rn": ("(a, b)", "``a - b``, which never becomes part of a fused operation"),
    "hmul_rn": ("(a, b)", "``a * b``, which never becomes part of a fused operation"),
    "hdiv": ("(a, b)", "``a / b``"),
    "hadd_sat": ("(a, b)", "``a + b`` between 0 and 1; 0 for NaN"),
    "hsub_sat": ("(a, b)", "``a - b`` between 0 and 1; 0 for NaN"),
    "hmul_sat": ("(a, b)", "``a * b`` between 0 and 1; 0 for NaN"),
    "hfma": ("(a, b, c)", "``a * b + c`` with one rounding"),
    "hfma_sat": ("(a, b, c)", "``a * b + c`` with one rounding, between 0 and 1; 0 for NaN"),
    "hneg": ("(a)", "``-a``"),
    "hfma_relu": ("(a, b, c)", "``a * b + c`` with one rounding, 0 if that is less; NaN stays NaN"),
    "heq": ("(a, b)", "``a == b``; false if one is NaN"),
    "hne": ("(a, b)", "``a != b``; false if one is NaN"),
    "hge": ("(a, b)", "``a >= b``; false if one is NaN"),
    "hgt": ("(a, b)", "``a > b``; false if one is NaN"),
    "hle": ("(a, b)", "``a <= b``; false if one is NaN"),
    "hlt": ("(a, b)", "``a < b``; false if one is NaN"),
    "hmax": ("(a, b)", "the greater; the other one if one is NaN"),
    "hmin": ("(a, b)", "the smaller; the other one if one is NaN"),
    "hmax_nan": ("(a, b)", "the greater; NaN if one is NaN"),
    "hmin_nan": ("(a, b)", "the smaller; NaN if one is NaN"),
    "hisinf": ("(a)", "1 for infinity, -1 for minus infinity, else 0"),
    "hisnan": ("(a)", "whether it is NaN"),
    "hequ": ("(a, b)", "``a == b``; true if one is NaN"),
    "hneu": ("(a, b)", "``a != b``; true if one is NaN"),
    "hgeu": ("(a, b)", "``a >= b``; true if one is NaN"),
    "hgtu": ("(a, b)", "``a > b``; true if one is NaN"),
    "hleu": ("(a, b)", "``a <= b``; true if one is NaN"),
    "hltu": ("(a, b)", "``a < b``; true if one is NaN"),
    "htrunc": ("(a)", "rounded towards zero"),
    "hceil": ("(a)", "the least integer not below ``a``"),
    "hfloor": ("(a)", "the greatest integer not above ``a``"),
    "hrint": ("(a)", "rounded to the nearest integer, ties to even"),
    "hsqrt": ("(a)", "square root"),
    "hrsqrt": ("(a)", "``1 / sqrt(a)``"),
    "hrcp": ("(a)", "``1 / a``"),
    "hlog": ("(a)", "natural logarithm"),
    "hlog2": ("(a)", "logarithm to base 2"),
    "hlog10": ("(a)", "logarithm to base 10"),
    "hcos": ("(a)", "cosine"),
    "hsin": ("(a)", "sine"),
    "htanh": ("(a)", "hyperbolic tangent"),
    "htanh_approx": ("(a)", "hyperbolic tangent; may be less exact than ``htanh``"),
    "hexp": ("(a)", "``e ** a``"),
    "hexp2": ("(a)", "``2 ** a``"),
    "hexp10": ("(a)", "``10 ** a``"),
}
#: Other names of these.
_OTHERS = {}


def _conversion(name: str, doc: str, other: str):
    _FUNCTIONS[name] = "(a)", doc
    _OTHERS[other] = name


_conversion("float32_to_bfloat16", "a float32, rounded to nearest, ties to even", "float2bfloat16")
_conversion("float64_to_bfloat16", "a float64, rounded to nearest, ties to even", "double2bfloat16")
_conversion("bfloat16_to_float32", "the same number as float32", "bfloat162float")
for _type, _short in _IN_C.items():
    for _how, _rounded in _ROUNDED.items():
        if _type != "float64" and not _type.endswith("int8"):
            _doc = f"a number of type {_type}, rounded {_rounded}"
            _conversion(f"{_type}_to_bfloat16_{_how}", _doc, f"{_short}2bfloat16_{_how}")
        if "float" not in _type and (_how == "rz" or not _type.endswith("int8")):
            _doc = f"as {_type}, rounded {_rounded}"
            _conversion(f"bfloat16_to_{_type}_{_how}", _doc, f"bfloat162{_short}_{_how}")
for _type in ("int16", "uint16"):
    _conversion(f"bfloat16_as_{_type}", f"its bits as {_type}", f"bfloat16_as_{_IN_C[_type]}")
    _conversion(f"{_type}_as_bfloat16", "the bfloat16 of these bits", f"{_IN_C[_type]}_as_bfloat16")

__getattr__ = functions("bf16", _FUNCTIONS, _OTHERS, names_of(__name__))
__all__ = ["bfloat16", *_FUNCTIONS]
