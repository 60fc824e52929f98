"""Loops that keep the least or greatest so far, branches in LLVM's code: as CPython, with NaN, zeros and ties."""

import numbra as nb
import numpy as np
import pytest


def least(a):
    best, at = np.inf, -1
    for i in range(len(a)):
        if a[i] < best:
            best, at = a[i], i
    return best, at


def both(a):
    low = high = a[0]
    for x in a:
        if x < low:
            low = x
        if high <= x:
            high = x
    return low, high


def first_or_other(a):
    low = high = a[0]
    for x in a:
        if x < low:
            low = x
        elif not x <= high:
            high = x
    return low, high


def so_far(a):
    out, best = np.empty_like(a), a[0]
    for i in range(len(a)):
        best = max(best, a[i])
        out[i] = best
    return out


def neighbours(a):
    out, before = np.empty_like(a), a[0]
    for i in range(len(a)):
        out[i] = before if before < a[i] else a[i]
        before = a[i]
    return out


def over_rows(a):
    best, of_rows = -np.inf, 0.0
    for row in a.reshape(-1, 4):
        mine = row[0]
        for x in row:
            if x > mine:
                mine = x
            if x > best:
                best = x
        of_rows += float(mine)
    return best, of_rows


NUMBERS = np.random.default_rng(5).standard_normal(64)
ARRAYS = [
    NUMBERS,
    np.sort(NUMBERS),
    np.sort(NUMBERS)[::-1],
    np.array([0.0, -0.0, 0.0, -0.0]),
    np.array([-0.0, 0.0, 1.0, 1.0]),
    np.array([np.nan, 1.0, 2.0, np.nan]),
    np.array([1.0, np.nan, -np.inf, np.inf]),
    np.repeat(NUMBERS[:4], 3)[::-1],
]


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("function", [least, both, first_or_other, so_far, neighbours, over_rows])
def test_as_in_python(function, dtype, tier):
    compiled = nb.njit(tier=tier)(function)
    for a in ARRAYS:
        a = a.astype(dtype)
        got, wanted = np.array(compiled(a)), np.array(function(a))
        assert got.astype(np.float64).tobytes() == wanted.astype(np.float64).tobytes()
    if function is least:
        assert compiled(np.empty(0, dtype)) == (np.inf, -1)


def most(a):
    best, at, others = a[0], 0, 0
    for i in range(len(a)):
        if a[i] > best:
            best, at = a[i], i
        else:
            others += 1
    return best, at, others


def two_most(a):
    first = second = a[0]
    for x in a:
        if x > first:
            second = first
            first = x
        elif x > second:
            second = x
    return first, second


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("dtype", [np.int64, np.int8, np.uint32])
@pytest.mark.parametrize("function", [most, two_most, first_or_other])
def test_integers_as_in_python(function, dtype, tier):
    compiled = nb.njit(tier=tier)(function)
    for a in [*(np.arange(65) * step % 67 for step in (1, 66, 5)), np.repeat([3, 9, 9, 1], 20)]:
        a = a.astype(dtype)
        assert compiled(a) == tuple(int(x) for x in function(a))
