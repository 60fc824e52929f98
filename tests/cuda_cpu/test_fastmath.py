"""Kernels with `fastmath=True` keep the meaning of NaN and infinity where they ask about them."""

import math

import numpy as np
import pytest
from numbra import cuda


@cuda.jit(fastmath=True)
def kinds(a, out):
    i = cuda.grid(1)
    if i < a.size:
        x = a[i] + a[i]
        out[i] = 1 if math.isnan(x) else 2 if math.isinf(x) else 3 if x == -np.inf else 4


@cuda.jit(fastmath=True)
def bounded(a, out):
    i = cuda.grid(1)
    if i < a.size:
        high = np.inf
        for _ in range(3):
            if a[i] < high:
                high = high / 2.0 if high < np.inf else 8.0
        out[i] = high


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_special_values(kind):
    a = np.array([1.0, np.nan, np.inf, -np.inf, 5.0, 3.0], kind)
    out = np.zeros(a.size)
    kinds[1, 32](a, out)
    assert out.tolist() == [4, 1, 2, 2, 4, 4]
    bounded[1, 32](a, out)
    assert out.tolist() == [2, np.inf, np.inf, 2, 4, 2]
