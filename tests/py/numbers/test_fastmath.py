"""`fastmath=True` keeps the meaning of NaN and infinity where a program asks about them."""

import math
import re

import numbra as nb
import numpy as np
import pytest
from numbra import cuda

VALUES = np.array([1.0, np.nan, np.inf, -np.inf, 0.0, -2.5, 3e38, -3e38])


def told_apart(a):
    nan = inf = finite = odd = 0
    for v in a:
        nan += np.isnan(v)
        inf += np.isinf(v)
        finite += np.isfinite(v)
        odd += v != v
    return nan, inf, finite, odd


def either(a):
    n = 0
    for v in a:
        n += np.isnan(v) or np.isinf(v)
    return n


def of_results(a):
    nan = inf = 0
    for v in a:
        nan += math.isnan(v - v)
        inf += math.isinf(v * v)
    return nan, inf


def through_a_call(a):
    return np.isnan(helper(a, 0.0)), math.isinf(helper(a, 1.0))


@nb.njit(fastmath=True)
def helper(a, by):
    total = 0.0
    for v in a:
        total += v * by
    return total


def least(a):
    best = np.inf
    for v in a:
        if v < best:
            best = v
    return best


def bounds(target):
    lo, hi, mid = 0.0, np.inf, 1.0
    for _ in range(64):
        if 1.0 - np.exp(-mid) > target:
            hi = mid
            mid = (lo + hi) / 2.0
        else:
            lo = mid
            mid = mid * 2.0 if hi == np.inf else (lo + hi) / 2.0
    return mid


CASES = [
    (told_apart, VALUES),
    (either, VALUES),
    (of_results, VALUES),
    (through_a_call, np.array([1.0, np.inf])),
    (least, VALUES[4:]),
    (least, VALUES[:0]),
    (least, VALUES[2:3]),
]


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("kind", [np.float32, np.float64])
@pytest.mark.parametrize(("function", "values"), CASES)
def test_special_values(function, values, kind, tier):
    values = values.astype(kind)
    with np.errstate(all="ignore"):
        want = function(values)
    assert nb.njit(function, fastmath=True, tier=tier)(values) == want


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_an_infinite_bound(tier):
    assert abs(nb.njit(bounds, fastmath=True, tier=tier)(0.9) - math.log(10)) < 1e-6


def test_programs_that_do_not_ask_have_all_flags():
    double = nb.njit("f8(f8)", fastmath=True, tier="llvm")(lambda x: x + x * 2.5)
    text = double.inspect("llvm", double.signatures[0])
    assert "nnan" in text and "ninf" in text


def kinds(a, out):
    i = cuda.grid(1)
    if i < a.size:
        x = a[i] + a[i]
        out[i] = 1 if math.isnan(x) else 2 if math.isinf(x) else 4 if math.isfinite(x) else 5


def bounded(a, out):
    i = cuda.grid(1)
    if i < a.size:
        high = np.inf
        for _ in range(3):
            if a[i] < high:
                high = high / 2.0 if high < np.inf else 8.0
        out[i] = high


@pytest.mark.parametrize("scalar", [nb.float32, nb.float64])
def test_ptx_keeps_the_tests(scalar):
    infinity = {nb.float32: "0f7F800000", nb.float64: "0d7FF0000000000000"}[scalar]
    for kernel, wanted in ((kinds, (infinity, r"\.(num|nan)\.|notanumber")), (bounded, ("0d7FF0000000000000",))):
        ptx, _ = cuda.compile_ptx(kernel, (scalar[::1], nb.float64[::1]), fastmath=True)
        tests = "\n".join(line for line in ptx.splitlines() if "setp." in line or "testp." in line)
        for one in wanted:
            assert re.search(one, tests), ptx
