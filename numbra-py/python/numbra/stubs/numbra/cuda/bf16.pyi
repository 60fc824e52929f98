"""`numbra.cuda.bf16` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

from numpy import float32, float64, int8, int16, int32, int64, uint8, uint16, uint32, uint64

bfloat16 = Any

def bfloat16(x: Any) -> Any:
    r"""Converts a number to bfloat16, to nearest, ties to even."""

def bfloat16_as_int16(a: bfloat16) -> int16:
    r"""Its bits as int16."""

def bfloat16_as_uint16(a: bfloat16) -> uint16:
    r"""Its bits as uint16."""

def bfloat16_to_float32(a: bfloat16) -> float32:
    r"""The same number as float32."""

def bfloat16_to_int16_rd(a: bfloat16) -> int16:
    r"""As int16, rounded down."""

def bfloat16_to_int16_rn(a: bfloat16) -> int16:
    r"""As int16, rounded to nearest, ties to even."""

def bfloat16_to_int16_ru(a: bfloat16) -> int16:
    r"""As int16, rounded up."""

def bfloat16_to_int16_rz(a: bfloat16) -> int16:
    r"""As int16, rounded towards zero."""

def bfloat16_to_int32_rd(a: bfloat16) -> int32:
    r"""As int32, rounded down."""

def bfloat16_to_int32_rn(a: bfloat16) -> int32:
    r"""As int32, rounded to nearest, ties to even."""

def bfloat16_to_int32_ru(a: bfloat16) -> int32:
    r"""As int32, rounded up."""

def bfloat16_to_int32_rz(a: bfloat16) -> int32:
    r"""As int32, rounded towards zero."""

def bfloat16_to_int64_rd(a: bfloat16) -> int64:
    r"""As int64, rounded down."""

def bfloat16_to_int64_rn(a: bfloat16) -> int64:
    r"""As int64, rounded to nearest, ties to even."""

def bfloat16_to_int64_ru(a: bfloat16) -> int64:
    r"""As int64, rounded up."""

def bfloat16_to_int64_rz(a: bfloat16) -> int64:
    r"""As int64, rounded towards zero."""

def bfloat16_to_int8_rz(a: bfloat16) -> int8:
    r"""As int8, rounded towards zero."""

def bfloat16_to_uint16_rd(a: bfloat16) -> uint16:
    r"""As uint16, rounded down."""

def bfloat16_to_uint16_rn(a: bfloat16) -> uint16:
    r"""As uint16, rounded to nearest, ties to even."""

def bfloat16_to_uint16_ru(a: bfloat16) -> uint16:
    r"""As uint16, rounded up."""

def bfloat16_to_uint16_rz(a: bfloat16) -> uint16:
    r"""As uint16, rounded towards zero."""

def bfloat16_to_uint32_rd(a: bfloat16) -> uint32:
    r"""As uint32, rounded down."""

def bfloat16_to_uint32_rn(a: bfloat16) -> uint32:
    r"""As uint32, rounded to nearest, ties to even."""

def bfloat16_to_uint32_ru(a: bfloat16) -> uint32:
    r"""As uint32, rounded up."""

def bfloat16_to_uint32_rz(a: bfloat16) -> uint32:
    r"""As uint32, rounded towards zero."""

def bfloat16_to_uint64_rd(a: bfloat16) -> uint64:
    r"""As uint64, rounded down."""

def bfloat16_to_uint64_rn(a: bfloat16) -> uint64:
    r"""As uint64, rounded to nearest, ties to even."""

def bfloat16_to_uint64_ru(a: bfloat16) -> uint64:
    r"""As uint64, rounded up."""

def bfloat16_to_uint64_rz(a: bfloat16) -> uint64:
    r"""As uint64, rounded towards zero."""

def bfloat16_to_uint8_rz(a: bfloat16) -> uint8:
    r"""As uint8, rounded towards zero."""

def float32_to_bfloat16(a: float32) -> bfloat16:
    r"""A float32 as bfloat16, to nearest, ties to even."""

def float32_to_bfloat16_rd(a: float32) -> bfloat16:
    r"""A float32 as bfloat16, rounded down."""

def float32_to_bfloat16_rn(a: float32) -> bfloat16:
    r"""A float32 as bfloat16, rounded to nearest, ties to even."""

def float32_to_bfloat16_ru(a: float32) -> bfloat16:
    r"""A float32 as bfloat16, rounded up."""

def float32_to_bfloat16_rz(a: float32) -> bfloat16:
    r"""A float32 as bfloat16, rounded towards zero."""

def float64_to_bfloat16(a: float64) -> bfloat16:
    r"""A float64 as bfloat16, to nearest, ties to even."""

def habs(a: bfloat16) -> bfloat16:
    r"""`|a|`"""

def hadd(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a + b`"""

def hadd_rn(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a + b`, never part of a fused operation."""

def hadd_sat(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a + b` between 0 and 1; 0 for NaN."""

def hceil(a: bfloat16) -> bfloat16:
    r"""The least integer not below `a`."""

def hcos(a: bfloat16) -> bfloat16:
    r"""Cosine."""

def hdiv(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a / b`"""

def heq(a: bfloat16, b: bfloat16) -> bool:
    r"""`a == b`; false if one is NaN."""

def hequ(a: bfloat16, b: bfloat16) -> bool:
    r"""`a == b`; true if one is NaN."""

def hexp(a: bfloat16) -> bfloat16:
    r"""`e ** a`"""

def hexp10(a: bfloat16) -> bfloat16:
    r"""`10 ** a`"""

def hexp2(a: bfloat16) -> bfloat16:
    r"""`2 ** a`"""

def hfloor(a: bfloat16) -> bfloat16:
    r"""The greatest integer not above `a`."""

def hfma(a: bfloat16, b: bfloat16, c: bfloat16) -> bfloat16:
    r"""`a * b + c` with one rounding."""

def hfma_relu(a: bfloat16, b: bfloat16, c: bfloat16) -> bfloat16:
    r"""`a * b + c` with one rounding, 0 if that is less; NaN stays NaN."""

def hfma_sat(a: bfloat16, b: bfloat16, c: bfloat16) -> bfloat16:
    r"""`a * b + c` with one rounding, between 0 and 1; 0 for NaN."""

def hge(a: bfloat16, b: bfloat16) -> bool:
    r"""`a >= b`; false if one is NaN."""

def hgeu(a: bfloat16, b: bfloat16) -> bool:
    r"""`a >= b`; true if one is NaN."""

def hgt(a: bfloat16, b: bfloat16) -> bool:
    r"""`a > b`; false if one is NaN."""

def hgtu(a: bfloat16, b: bfloat16) -> bool:
    r"""`a > b`; true if one is NaN."""

def hisinf(a: bfloat16) -> int32:
    r"""1 for infinity, -1 for minus infinity, else 0."""

def hisnan(a: bfloat16) -> bool:
    r"""Whether it is NaN."""

def hle(a: bfloat16, b: bfloat16) -> bool:
    r"""`a <= b`; false if one is NaN."""

def hleu(a: bfloat16, b: bfloat16) -> bool:
    r"""`a <= b`; true if one is NaN."""

def hlog(a: bfloat16) -> bfloat16:
    r"""Natural logarithm."""

def hlog10(a: bfloat16) -> bfloat16:
    r"""Logarithm to base 10."""

def hlog2(a: bfloat16) -> bfloat16:
    r"""Logarithm to base 2."""

def hlt(a: bfloat16, b: bfloat16) -> bool:
    r"""`a < b`; false if one is NaN."""

def hltu(a: bfloat16, b: bfloat16) -> bool:
    r"""`a < b`; true if one is NaN."""

def hmax(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""The greater; the other one if one is NaN."""

def hmax_nan(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""The greater; NaN if one is NaN."""

def hmin(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""The smaller; the other one if one is NaN."""

def hmin_nan(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""The smaller; NaN if one is NaN."""

def hmul(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a * b`"""

def hmul_rn(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a * b`, never part of a fused operation."""

def hmul_sat(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a * b` between 0 and 1; 0 for NaN."""

def hne(a: bfloat16, b: bfloat16) -> bool:
    r"""`a != b`; false if one is NaN."""

def hneg(a: bfloat16) -> bfloat16:
    r"""`-a`"""

def hneu(a: bfloat16, b: bfloat16) -> bool:
    r"""`a != b`; true if one is NaN."""

def hrcp(a: bfloat16) -> bfloat16:
    r"""`1 / a`"""

def hrint(a: bfloat16) -> bfloat16:
    r"""Rounded to the nearest integer, ties to even."""

def hrsqrt(a: bfloat16) -> bfloat16:
    r"""`1 / sqrt(a)`"""

def hsin(a: bfloat16) -> bfloat16:
    r"""Sine."""

def hsqrt(a: bfloat16) -> bfloat16:
    r"""Square root."""

def hsub(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a - b`"""

def hsub_rn(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a - b`, never part of a fused operation."""

def hsub_sat(a: bfloat16, b: bfloat16) -> bfloat16:
    r"""`a - b` between 0 and 1; 0 for NaN."""

def htanh(a: bfloat16) -> bfloat16:
    r"""Hyperbolic tangent."""

def htanh_approx(a: bfloat16) -> bfloat16:
    r"""Hyperbolic tangent; may be less exact than `htanh`."""

def htrunc(a: bfloat16) -> bfloat16:
    r"""Rounded towards zero."""

def int16_as_bfloat16(a: int16) -> bfloat16:
    r"""The bfloat16 of these bits."""

def int16_to_bfloat16_rd(a: int16) -> bfloat16:
    r"""A number of type int16, rounded down."""

def int16_to_bfloat16_rn(a: int16) -> bfloat16:
    r"""A number of type int16, rounded to nearest, ties to even."""

def int16_to_bfloat16_ru(a: int16) -> bfloat16:
    r"""A number of type int16, rounded up."""

def int16_to_bfloat16_rz(a: int16) -> bfloat16:
    r"""A number of type int16, rounded towards zero."""

def int32_to_bfloat16_rd(a: int32) -> bfloat16:
    r"""A number of type int32, rounded down."""

def int32_to_bfloat16_rn(a: int32) -> bfloat16:
    r"""A number of type int32, rounded to nearest, ties to even."""

def int32_to_bfloat16_ru(a: int32) -> bfloat16:
    r"""A number of type int32, rounded up."""

def int32_to_bfloat16_rz(a: int32) -> bfloat16:
    r"""A number of type int32, rounded towards zero."""

def int64_to_bfloat16_rd(a: int64) -> bfloat16:
    r"""A number of type int64, rounded down."""

def int64_to_bfloat16_rn(a: int64) -> bfloat16:
    r"""A number of type int64, rounded to nearest, ties to even."""

def int64_to_bfloat16_ru(a: int64) -> bfloat16:
    r"""A number of type int64, rounded up."""

def int64_to_bfloat16_rz(a: int64) -> bfloat16:
    r"""A number of type int64, rounded towards zero."""

def uint16_as_bfloat16(a: uint16) -> bfloat16:
    r"""The bfloat16 of these bits."""

def uint16_to_bfloat16_rd(a: uint16) -> bfloat16:
    r"""A number of type uint16, rounded down."""

def uint16_to_bfloat16_rn(a: uint16) -> bfloat16:
    r"""A number of type uint16, rounded to nearest, ties to even."""

def uint16_to_bfloat16_ru(a: uint16) -> bfloat16:
    r"""A number of type uint16, rounded up."""

def uint16_to_bfloat16_rz(a: uint16) -> bfloat16:
    r"""A number of type uint16, rounded towards zero."""

def uint32_to_bfloat16_rd(a: uint32) -> bfloat16:
    r"""A number of type uint32, rounded down."""

def uint32_to_bfloat16_rn(a: uint32) -> bfloat16:
    r"""A number of type uint32, rounded to nearest, ties to even."""

def uint32_to_bfloat16_ru(a: uint32) -> bfloat16:
    r"""A number of type uint32, rounded up."""

def uint32_to_bfloat16_rz(a: uint32) -> bfloat16:
    r"""A number of type uint32, rounded towards zero."""

def uint64_to_bfloat16_rd(a: uint64) -> bfloat16:
    r"""A number of type uint64, rounded down."""

def uint64_to_bfloat16_rn(a: uint64) -> bfloat16:
    r"""A number of type uint64, rounded to nearest, ties to even."""

def uint64_to_bfloat16_ru(a: uint64) -> bfloat16:
    r"""A number of type uint64, rounded up."""

def uint64_to_bfloat16_rz(a: uint64) -> bfloat16:
    r"""A number of type uint64, rounded towards zero."""

