"""The checklist of the tutorials that numbra follows, rows of the CPU: a test a row, named by its number.

The numbers are those of section 8 of `../shared/reference/cuda-features.md`; rows of GPUs are in
`tests/py/cuda/test_tutorials.py` and `tests/cuda/seed_rows.py`.
"""

import cProfile
import math
import operator
import pstats
import random
import time

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import TypingError
from numbra.types import float32, int64


def test_8_001_nan_compact():
    @nb.jit
    def nan_compact(x):
        out = np.empty_like(x)
        k = 0
        for i, value in enumerate(x):
            if not np.isnan(value):
                out[k] = x[i]
                k += 1
        return out[:k]

    a = np.random.default_rng(1).uniform(size=10_000)
    a[a < 0.2] = np.nan
    np.testing.assert_equal(nan_compact(a), a[~np.isnan(a)])


def test_8_005_modules_and_arrays():
    kind = np.dtype([("a", np.int32), ("b", np.float64)])

    @nb.njit
    def use(x, records, when, days):
        y = math.cos(x[0]) + operator.add(x[1], 1.0) + x[1:].sum() + np.linalg.norm(x)
        return y + records[0].a + records["b"][1], x.shape, np.sin(x), when + days

    x, records = np.arange(3.0), np.zeros(2, kind)
    records["b"] = 2
    got, shape, sines, when = use(x, records, np.datetime64("2020-02-28", "D"), np.timedelta64(1, "D"))
    assert got == pytest.approx(1 + 2 + 3 + math.sqrt(5) + 2) and shape == (3,)
    np.testing.assert_allclose(sines, np.sin(x), rtol=1e-15)
    assert when == np.datetime64("2020-02-29", "D")
    with pytest.raises(TypingError):
        nb.njit(lambda x: x[0])(np.array([None, 1], object))


def test_8_006_one_version_for_each_types():
    @nb.njit
    def add(a, b):
        return a + b

    assert add(1, 2) == 3 and add(3, 4) == 7 and len(add.signatures) == 1
    assert add(1.5, 2) == 3.5 and len(add.signatures) == 2


@nb.jit
def hypot(x, y):
    x = abs(x)
    y = abs(y)
    t = min(x, y)
    x = max(x, y)
    t = t / x
    return x * math.sqrt(1 + t * t)


def test_8_008_hypot():
    assert hypot(3.0, 4.0) == 5.0 and hypot.py_func(3.0, 4.0) == 5.0


def test_8_010_monte_carlo_pi():
    @nb.jit
    def monte_carlo_pi(nsamples):
        acc = 0
        for _ in range(nsamples):
            x = random.random()
            y = random.random()
            if (x**2 + y**2) < 1.0:
                acc += 1
        return 4.0 * acc / nsamples

    assert abs(monte_carlo_pi(1_000_000) - math.pi) < 0.01
    assert abs(monte_carlo_pi.py_func(100_000) - math.pi) < 0.03


def test_8_011_types_are_shown(capsys):
    hypot(3.0, 4.0)
    hypot.inspect_types()
    out = capsys.readouterr().out
    assert out.startswith("hypot (float64, float64)\n" + "-" * 80)
    assert "# --- LINE" in out and ":: float64" in out and "Function(<built-in function abs>)" in out
    assert "x = abs(x)" in out and "x.1" in out and "x.2" in out and out.rstrip().endswith("=" * 80)


def test_8_016_a_ufunc_without_signatures():
    @nb.vectorize
    def rel_diff(x, y):
        return 2 * (x - y) / (x + y)

    x = np.arange(1, 1001, dtype=np.float32)
    y = x[::-1].copy()
    np.testing.assert_allclose(rel_diff(x, y), 2 * (x - y) / (x + y), rtol=1e-6)
    assert rel_diff(x[:, None], y[:7]).shape == (1000, 7)
    add = nb.vectorize(lambda a, b: a + b)
    assert add(1, 2) == 3  # makes the loop that the others use
    assert add.reduce(np.arange(10)) == 45
    np.testing.assert_array_equal(add.accumulate(np.arange(5)), [0, 1, 3, 6, 10])


def test_8_017_a_vector_and_a_number():
    @nb.guvectorize([(int64[:], int64[:], int64[:])], "(n),()->(n)")
    def g(x, y, res):
        for i in range(x.shape[0]):
            res[i] = x[i] + y[0]

    np.testing.assert_array_equal(g(np.arange(5), 2), np.arange(5) + 2)
    np.testing.assert_array_equal(g(np.arange(6).reshape(2, 3), np.array([10, 20])), [[10, 11, 12], [23, 24, 25]])


def test_8_018_layouts():
    @nb.guvectorize(["void(float64[:,:], float64[:], float64[:])"], "(m,n),(n)->(m)")
    def matvec(a, x, out):
        for i in range(a.shape[0]):
            out[i] = 0.0
            for j in range(a.shape[1]):
                out[i] += a[i, j] * x[j]

    @nb.guvectorize(["void(float64[:], float64[:], float64[:])"], "(n)->(),()")
    def max_min(x, most, least):
        most[0], least[0] = x.max(), x.min()

    a, x = np.random.default_rng(1).random((4, 3, 5)), np.arange(5.0)
    np.testing.assert_allclose(matvec(a, x), a @ x)
    most, least = max_min(a)
    np.testing.assert_array_equal(most, a.max(axis=2))
    np.testing.assert_array_equal(least, a.min(axis=2))
    with pytest.raises((TypeError, ValueError, TypingError)):
        nb.guvectorize([(float32[:, :], float32[:])], "(n)->()")(lambda x, out: None)(np.ones(3, np.float32))


def test_8_035_the_second_call_does_not_compile():
    @nb.njit
    def go_fast(a):
        trace = 0.0
        for i in range(a.shape[0]):
            trace += np.tanh(a[i, i])
        return a + trace

    x = np.arange(100.0).reshape(10, 10)
    times = []
    for _ in range(4):
        began = time.perf_counter()
        go_fast(x)
        times.append(time.perf_counter() - began)
    assert times[0] > 50 * min(times[1:])


def test_8_100_broadcasting():
    add = nb.vectorize(["int64(int64, int64)"])(lambda x, y: x + y)
    a, b, c = np.array([1, 2, 3, 4]), np.array([10, 20, 30, 40]), np.arange(16).reshape(4, 4)
    np.testing.assert_array_equal(add(a, b), [11, 22, 33, 44])
    np.testing.assert_array_equal(add(a, 100), a + 100)
    np.testing.assert_array_equal(add(b, c), b + c)


def test_8_101_add_ten():
    np.testing.assert_array_equal(nb.vectorize(lambda x: x + 10)(np.arange(10)), np.arange(10, 20))


SQRT_2PI = np.float32((2 * math.pi) ** 0.5)


def test_8_105_a_density():
    @nb.vectorize
    def pdf(x, mean, sigma):
        return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)

    x = np.random.default_rng(1).uniform(-3, 3, 1000).astype(np.float32)
    want = np.exp(-(x.astype(np.float64) ** 2) / 2) / math.sqrt(2 * math.pi)
    np.testing.assert_allclose(pdf(x, np.float32(0), np.float32(1)), want, rtol=1e-5)


def test_8_163_profilers():
    def work():
        return sum(hypot(3.0, float(k + 1)) for k in range(100))

    profile = cProfile.Profile()
    assert profile.runcall(work) == work()
    assert any(name == "work" for _, _, name in pstats.Stats(profile).stats)
