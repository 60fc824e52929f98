"""Functions of arrays of few and of many elements, of any layout and with special numbers, against NumPy."""

from concurrent.futures import ThreadPoolExecutor

import numbra as nb
import numpy as np
import pytest
from numbra.core.runtime import rtsys

RANDOM = np.random.default_rng(11)
SIZES = (0, 1, 2, 15, 16, 63, 64, 65, 130, 1000)
KINDS = [np.bool_, np.int8, np.uint16, np.int64, np.uint64, np.float32, np.float64, np.complex128]
LAYOUTS = {
    "contiguous": lambda a: a,
    "reversed": lambda a: a[::-1],
    "strided": lambda a: np.repeat(a, 3)[::3],
}
SPECIAL = [0.0, -0.0, 0.5, -0.5, 1.5, 2.5, np.nan, np.inf, -np.inf, 1e300, -1e-320]


def same(f, *args):
    """Compiled code gives NumPy's values, bit for bit but for NaN, of its type."""
    got, want = nb.njit(f)(*args), f(*args)
    np.testing.assert_array_equal(got, want, strict=True)
    if np.asarray(want).dtype.kind == "f":
        np.testing.assert_array_equal(np.signbit(got), np.signbit(want))


def floats(n):
    """Numbers of which a few are special."""
    a = RANDOM.normal(size=n)
    return np.where(RANDOM.random(n) < 0.1, RANDOM.choice(SPECIAL, n), a)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", KINDS)
def test_members_of_sets_of_any_size(kind, layout):
    isin = nb.njit(lambda a, b, invert: np.isin(a, b, False, invert))
    rest = nb.njit(lambda a, b: np.setdiff1d(a, b))
    for n in SIZES:
        for items in (0, 1, 5, 32, 33, 400):
            a, b = ((RANDOM.integers(0, 500, size) - 100).astype(kind) for size in (n, items))
            a, b = LAYOUTS[layout](a), LAYOUTS[layout](b)
            for invert in (False, True):
                np.testing.assert_array_equal(isin(a, b, invert), np.isin(a, b, invert=invert), strict=True)
            np.testing.assert_array_equal(rest(a, b), np.setdiff1d(a, b), strict=True)


@pytest.mark.parametrize("items", [3, 40, 300])
def test_zero_has_no_sign_and_nan_is_in_no_set(items):
    isin = nb.njit(lambda a, b: np.isin(a, b))
    b = np.resize(np.array([-0.0, 1.0, np.nan, np.inf]), items)
    a = np.resize(np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 1.0, 2.0]), 200)
    np.testing.assert_array_equal(isin(a, b), np.isin(a, b))
    z = a + 1j * a[::-1]
    w = np.resize(np.array([complex(-0.0, 0.0), complex(1.0, np.inf), complex(np.nan, 0.0)]), items)
    np.testing.assert_array_equal(isin(z, w), [any(x == y for y in w) for x in z])
    # Sets of nothing that equals itself.
    assert not isin(a, np.full(items, np.nan)).any()


def test_sets_whose_items_are_multiples():
    """Of Fibonacci numbers too, which golden ratios bring close together."""
    isin = nb.njit(lambda a, b: np.isin(a, b))
    for step in (1, 121393, 2**32, 2**44 + 1):
        b = np.arange(20_000) * step
        a = np.concatenate((b, b + 1))
        np.testing.assert_array_equal(isin(a, b), np.isin(a, b))
        np.testing.assert_array_equal(isin(a * 1.0, b * 1.0), np.isin(a * 1.0, b * 1.0))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_rounding(layout):
    for n in SIZES:
        a = LAYOUTS[layout](floats(n) * 10)
        for decimals in (0, 2, -1):
            with np.errstate(all="ignore"):
                same(lambda a, d=decimals: np.round(a, d), a)
                same(lambda a, d=decimals: np.round(a, d), a.astype(np.float32))
        same(lambda a: np.nan_to_num(a), a)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("kind", KINDS)
def test_choices_among_arrays(kind, layout):
    select = nb.njit(lambda a, b, x, y: np.select([a, b], [x, y], x[0] if x.size else y.sum()))
    for n in SIZES[1:]:
        a, b = (LAYOUTS[layout](RANDOM.random(n) < 0.4) for _ in range(2))
        x, y = (LAYOUTS[layout](RANDOM.integers(0, 100, n).astype(kind)) for _ in range(2))
        got = select(a, b, x, y)
        np.testing.assert_array_equal(got, np.where(a, x, np.where(b, y, x[0])))
        equal = nb.njit(lambda x, y: np.array_equal(x, y))
        other = x.copy()
        assert equal(x, other)
        other[n // 2] = 101 if kind is not np.bool_ else not x[n // 2]
        assert not equal(x, other)


def test_no_number_equals_nan():
    equal = nb.njit(lambda x, y: np.array_equal(x, y))
    for n in (1, 127, 128, 129, 500):
        x, y = np.zeros(n), np.zeros(n)
        y[-1] = -0.0
        assert equal(x, y)
        x[-1] = y[-1] = np.nan
        assert not equal(x, y)


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.float64, np.complex128])
def test_powers_in_rows(kind):
    for n in (0, 1, 5, 40):
        x = RANDOM.integers(-3, 4, n).astype(kind)
        for columns in (0, 1, 2, 5):
            for increasing in (False, True):
                same(lambda x, c=columns, i=increasing: np.vander(x, c, i), x)
                same(lambda x, c=columns, i=increasing: np.vander(x, c, i), x[::-1])


def test_indices():
    for shape in ((), (3,), (2, 3), (4, 1, 3), (2, 0, 3)):
        same(lambda s=shape: np.indices(s))
    for rows, columns in ((0, 0), (1, 1), (4, 4), (3, 5), (5, 3), (0, 3)):
        for k in (-9, -1, 0, 1, 9):
            for i in (0, 1):
                same(lambda n=rows, k=k, m=columns, i=i: np.tril_indices(n, k, m)[i])
                same(lambda n=rows, k=k, m=columns, i=i: np.triu_indices(n, k, m)[i])


@pytest.mark.parametrize("points", [1, 2, 3, 7, 20, 300])
def test_values_between_points(points):
    """Of fewer places than points, and of more, for which slopes are computed before."""
    xp = np.sort(RANDOM.normal(size=points))
    for fp in (RANDOM.normal(size=points), floats(points)):
        for n in (0, 1, points - 1, points, 1000):
            x = np.concatenate((RANDOM.normal(size=n) * 2, xp, SPECIAL))
            with np.errstate(all="ignore"):
                same(lambda x, xp, fp: np.interp(x, xp, fp), x[: max(n, 1)], xp, fp)
                same(lambda x, xp, fp: np.interp(x, xp, fp), x[::-1], xp, fp)


def test_windows_are_scaled_by_their_highest_value():
    kaiser = nb.njit(lambda n, beta: np.kaiser(n, beta))
    for n in (0, 1, 2, 50, 51):
        for beta in (0.0, 5.0, -14.0, 200.0):
            np.testing.assert_allclose(kaiser(n, beta), np.kaiser(n, beta), rtol=1e-14)


@pytest.mark.parametrize("kind", [np.float32, np.float64, np.complex64, np.complex128])
def test_matrices_times_vectors(kind):
    product = nb.njit(lambda a, x: a @ x)
    for rows in (1, 2, 3, 7, 64):
        for columns in (1, 7, 8, 9, 31, 64, 130):
            a, x = RANDOM.normal(size=(rows, columns)).astype(kind), RANDOM.normal(size=columns).astype(kind)
            if a.dtype.kind == "c":
                a, x = a + 1j * a[::-1], x - 2j * x[::-1]
            want = a.astype(complex) @ x.astype(complex)
            limit = 4 * columns * np.finfo(kind).eps * (abs(a) @ abs(x))
            for left in (a, np.asfortranarray(a), np.repeat(a, 2, axis=0)[::2]):
                got = product(left, x)
                assert got.dtype == kind and got.shape == (rows,)
                assert (abs(got - want) <= limit).all()
            assert (abs(product(x, np.ascontiguousarray(a.T)) - want) <= limit).all()


def test_small_objects_are_made_anew():
    """Memory of an array that is gone serves the next one: its length, zeros and counts are its own."""

    @nb.njit
    def sums(rounds):
        out = np.empty(rounds)
        for i in range(rounds):
            size = i * 7 % 80
            a = np.zeros(size)
            out[i] = a.sum()
            a[:] = i + 1
            b = np.zeros(size, np.int8)
            b[:] = 1
            out[i] += b.sum() - size + a.size - size
            held = [np.full(size, 2.0), np.ones(5), np.zeros(size)]
            out[i] += held[0].sum() - 2 * size + held[2].sum()
        return out

    assert not sums(500).any()
    before = rtsys.get_allocation_stats()
    assert not sums(500).any()
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free > 500 * 5


def test_small_objects_of_other_threads():
    """An object that another thread frees is that thread's to use again."""

    @nb.njit(nogil=True)
    def squares(n):
        return [np.full(5, i * i) for i in range(n)]

    @nb.njit(nogil=True)
    def total(n, rounds):
        s = 0
        for _ in range(rounds):
            for a in squares(n):
                s += a.sum()
        return s

    want = 100 * 5 * sum(i * i for i in range(200))
    total(2, 1)
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: total(200, 100), range(8))) == {want}
        arrays = [pool.submit(nb.njit(nogil=True)(lambda i: np.full(7, i)), i) for i in range(200)]
        assert [a.result().sum() for a in arrays] == [7 * i for i in range(200)]
