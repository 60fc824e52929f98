"""Limits of types as the numbers that they are; quotients of unlike signs; truths, averages and parts of numbers."""

import itertools
import math

import numbra as nb
import numpy as np
import pytest
from numbra import types

TIERS = ["cranelift", "llvm"]
INTEGERS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
FIELDS = ["bits", "eps", "epsneg", "iexp", "machep", "max", "maxexp", "min", "minexp", "negep", "nexp", "nmant"]
FIELDS += ["precision", "resolution", "tiny", "smallest_normal", "smallest_subnormal"]


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.complex64, np.complex128])
@pytest.mark.parametrize("field", FIELDS)
def test_limits_of_floats(kind, field):
    name = f"np.finfo(np.{kind.__name__}).{field}"
    want = getattr(np.finfo(kind), field)
    compiled = nb.njit(eval(f"lambda: {name}", {"np": np}))
    assert compiled() == want
    own = types.float32 if np.dtype(kind).name in ("float32", "complex64") else types.float64
    assert compiled.nopython_signatures[0].return_type == (own if isinstance(want, np.floating) else types.int64)


@pytest.mark.parametrize("kind", INTEGERS)
def test_limits_of_integers(kind):
    scope = {"np": np}
    for field in ("min", "max", "bits"):
        compiled = nb.njit(eval(f"lambda: np.iinfo(np.{kind.__name__}).{field}", scope))
        assert compiled() == getattr(np.iinfo(kind), field)
    of_value = nb.njit(lambda x: (np.iinfo(x).max, np.iinfo(x).min))
    assert of_value(kind(3)) == (np.iinfo(kind).max, np.iinfo(kind).min)


@pytest.mark.parametrize("tier", TIERS)
def test_limits_are_numbers(tier):
    def jit(function):
        return nb.njit(function, tier=tier)

    eps, tiny = np.finfo(np.float64).eps, np.finfo(np.float32).tiny
    assert jit(lambda x: x * np.finfo(np.float64).eps)(2.0) == 2 * eps
    assert jit(lambda x: x + np.finfo(np.float64).eps > x)(1.0)
    assert jit(lambda x: (-np.finfo(x).max, abs(np.finfo(x).min), x / np.finfo(x).eps))(1.0) == (
        -np.finfo(np.float64).max,
        np.finfo(np.float64).max,
        1 / eps,
    )
    assert jit(lambda n: np.full(n, np.finfo(np.float32).tiny))(2).tolist() == [tiny] * 2
    assert jit(lambda a: np.maximum(a, np.finfo(np.float64).eps))(np.zeros(2)).tolist() == [eps] * 2

    @jit
    def stored(a):
        a[0] = np.finfo(np.float64).max
        a[1:] = np.finfo(np.float64).eps
        return [np.finfo(np.float64).tiny, a[1]]

    a = np.zeros(3)
    assert stored(a) == [np.finfo(np.float64).tiny, eps]
    assert a.tolist() == [np.finfo(np.float64).max, eps, eps]

    @jit
    def least(a):
        best = np.finfo(np.float64).max
        for v in a:
            if v < best:
                best = v
        return best

    assert least(np.array([3.0, -1.0, 2.0])) == -1.0

    @jit
    def with_default(x, tol=None):
        scale = np.finfo(np.float64).eps if tol is None else tol

        def inner(y):
            return y * scale

        return inner(x)

    assert with_default(3.0) == 3 * eps and with_default(3.0, 0.5) == 1.5

    @jit
    def chosen(flag):
        return np.iinfo(np.int64).max if flag else np.iinfo(np.int8).min

    assert chosen(True) == 2**63 - 1 and chosen(False) == -128
    assert jit(lambda x: x < np.iinfo(np.uint64).max // 2)(np.uint64(5))
    assert jit(lambda: np.iinfo(np.uint64).max // 2)() == 2**63 - 1
    assert jit(lambda x: x & np.iinfo(np.uint64).max)(np.uint64(7)) == 7


@pytest.mark.parametrize("tier", TIERS)
def test_divisions_of_unlike_signs_are_exact(tier):
    both = nb.njit(lambda a, b: (a // b, a % b), tier=tier)
    wrapped = lambda x: (x + 2**63) % 2**64 - 2**63  # noqa: E731
    unsigned = [0, 1, 2, 7, 2**32, 2**63 - 1, 2**63, 2**63 + 5, 2**64 - 1]
    signed = [1, -1, 2, -2, 3, -7, 2**31, -(2**63), 2**63 - 1]
    for u, s in itertools.product(unsigned, signed):
        assert both(np.uint64(u), s) == tuple(map(wrapped, divmod(u, s))), (u, s)
        if u:
            assert both(s, np.uint64(u)) == tuple(map(wrapped, divmod(s, u))), (s, u)
    assert both(np.uint64(7), np.int8(-2)) == divmod(7, -2)
    assert nb.njit(lambda a: (a // 10, a % 10), tier=tier)(np.uint64(2**64 - 1)) == (1844674407370955161, 5)
    with pytest.raises(ZeroDivisionError):
        both(np.uint64(7), 0)
    plain = nb.njit(lambda a, b: (a // b, a % b), tier=tier, error_model="numpy")
    assert plain(np.uint64(7), 0) == (0, 0)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("value", [True, False, 1, 0, -3, 2.5, 0.0, -0.0, np.nan, 1j, 0j, np.uint8(0), np.float32(2)])
def test_any_and_all_of_a_number(value, tier):
    assert nb.njit(lambda x: (np.any(x), np.all(x)), tier=tier)(value) == (bool(value), bool(value))


A = np.array([3, 1, 4, 1, 5])
AVERAGES = [np.bool_, np.int8, np.int32, np.int64, np.uint64, np.float32, np.float64, np.complex64, np.complex128]


@pytest.mark.parametrize("kind", AVERAGES)
@pytest.mark.parametrize("layout", ["C", "strided", "matrix"])
def test_averages_keep_their_type(kind, layout):
    a = {"C": A, "strided": np.repeat(A, 2)[::2], "matrix": np.arange(6).reshape(2, 3).T}[layout].astype(kind)
    got = nb.njit(lambda a: np.full(1, np.average(a)))(a)
    want = np.average(a)
    assert got.dtype == want.dtype and np.allclose(got, want, rtol=1e-6)
    for weight in (np.float32, np.float64, np.complex64, np.complex128, np.int64):
        w = (a.real.astype(np.int64) % 3 + 1).astype(weight)
        got = nb.njit(lambda a, w: np.full(1, np.average(a, weights=w)))(a, w)
        want = np.average(a, weights=w)
        assert np.allclose(got, want, rtol=1e-6)
        if weight != np.int64:
            # Numba divides by the sum of integers, in float64.
            wide = np.dtype(kind).kind in "biu" and weight in (np.float32, np.complex64)
            assert got.dtype == (np.result_type(kind, weight) if wide else want.dtype)


REALS = [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e-320, 1e300, 0.5, 7.0, np.inf, -np.inf, np.nan]


def alike(got, want):
    return (math.isnan(got) and math.isnan(want)) or (got == want and math.copysign(1, got) == math.copysign(1, want))


@pytest.mark.parametrize("tier", TIERS)
def test_parts_of_a_float(tier):
    parts = nb.njit(lambda x: math.modf(x), tier=tier)
    for x in REALS:
        assert all(map(alike, parts(x), math.modf(x))), (x, parts(x))
        narrow = parts(np.float32(x))
        assert all(map(alike, narrow, math.modf(np.float32(x)))), (x, narrow)
    assert parts(3) == (0.0, 3.0) and parts(True) == (0.0, 1.0)


@pytest.mark.parametrize("tier", TIERS)
def test_remainders_to_the_nearest_multiple(tier):
    remainder = nb.njit(lambda x, y: math.remainder(x, y), tier=tier)
    values = [*REALS, 3.0, 6.0, -6.0, 1.5, 4.5, 1e-300, 2.0**60 + 2.0**8, 5.0]
    for x, y in itertools.product(values, repeat=2):
        try:
            want = math.remainder(x, y)
        except ValueError:  # Numba's functions give NaN where CPython's raise.
            want = math.nan
        assert alike(remainder(x, y), want), (x, y, remainder(x, y), want)
    assert remainder(7, 4) == -1.0
