"""Floats as integers, also in vectors: what `cvttsd2si` gives, with either generator, on every level of processors."""

import itertools
import os
import subprocess
import sys

import numbra as nb
import numpy as np
import pytest

FLOATS = [np.float32, np.float64]
INTEGERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]


def numbers(dtype):
    """Limits of integers and what is next to them, and what no integer has."""
    limits = np.array([2.0**n for n in (7, 8, 15, 16, 31, 32, 63, 64)])
    near = np.concatenate([limits - 1, limits - 0.5, limits, limits + 0.5, [0.0, 0.5, 0.99, 1.0, 1e30, np.inf, np.nan]])
    near = np.concatenate([near, -near]).astype(dtype)
    return np.concatenate([near, np.nextafter(near, dtype(0))])


def expected(x, dtype):
    """By the definition of LIR: MIN of 32 or 64 bits where the value does not fit; then the low bits."""
    bits, signed = np.dtype(dtype).itemsize * 8, np.dtype(dtype).kind == "i"
    if bits == 64 and not signed and x >= 2.0**63:
        return int(x) if x < 2.0**64 else 0
    most = 2 ** ((32 if signed and bits <= 32 else 64) - 1)
    value = (int(x) if abs(x) < most else -most) & (2**bits - 1)
    return value - 2**bits if signed and value >> (bits - 1) else value


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("source, target", list(itertools.product(FLOATS, INTEGERS)))
def test_what_does_not_fit_is_the_least(source, target, tier):
    @nb.njit(tier=tier)
    def convert(x, out):
        for i in range(x.size):
            out[i] = target(x[i])

    @nb.njit(tier=tier)
    def one(x):
        return target(x)

    x = numbers(source)
    wanted = np.array([expected(float(v), target) for v in x], target)
    for values, answers in ((x, wanted), (x[::-1], wanted[::-1]), (x[:3], wanted[:3]), (x[:0], wanted[:0])):
        out = np.ones(values.size, target)
        convert(values, out)
        assert np.array_equal(out, answers)
    assert [one(v) for v in x] == wanted.tolist()


@pytest.mark.parametrize("level", ["x86-64", "x86-64-v2", "x86-64-v3"])
def test_on_lesser_processors(level):
    names = "test_what_does_not_fit_is_the_least"
    command = [sys.executable, "-m", "pytest", "-q", "-n0", __file__, "-k", names, "-p", "no:cacheprovider"]
    ran = subprocess.run(command, env={**os.environ, "NUMBA_CPU_NAME": level}, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
