"""`np.where` and ufuncs of the program inside of array expressions, small products, sums along any axis."""

import numbra as nb
import numpy as np
import pytest

RNG = np.random.default_rng(5)
SPECIAL = np.array([np.nan, -0.0, 0.0, np.inf, -np.inf, 1.5, -2.5])


def same(got, expected):
    assert type(got) is type(expected)
    assert got.dtype == expected.dtype and got.shape == expected.shape
    assert got.tobytes() == expected.tobytes()


@nb.njit
def choose(condition, x, y):
    return np.where(condition, x, y)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        (SPECIAL, SPECIAL[::-1]),
        (SPECIAL, 0.0),
        (2.5, SPECIAL),
        (SPECIAL, 3),
        (SPECIAL.astype(np.float32), SPECIAL.astype(np.float32)),
        (SPECIAL.astype(np.float32), SPECIAL),
        (SPECIAL.astype(np.float32), 1),
        (np.arange(7), -np.arange(7)),
        (np.arange(7, dtype=np.uint8), np.arange(7, dtype=np.int8)),
        (SPECIAL + 1j, SPECIAL),
        (np.arange(7) > 3, np.arange(7) > 5),
    ],
)
def test_where_is_numpys(x, y):
    condition = np.array([True, False, True, True, False, False, True])
    expected = np.where(condition, x, y)
    if np.ndim(y) == 0 and np.asarray(x).dtype == np.float32:
        # A number is no weak scalar in compiled code.
        expected = np.where(condition, x, np.asarray(y))
    got = choose(condition, x, y)
    if got.dtype != expected.dtype:
        # Numba promotes as arrays do.
        expected = expected.astype(np.promote_types(np.asarray(x).dtype, np.asarray(y).dtype))
    same(got, expected)


def test_where_broadcasts():
    a = RNG.random((3, 1, 4))
    b = RNG.random((5, 4))
    for condition in (a > 0.5, b > 0.5, np.bool_(True), np.ones((0, 5, 4), bool)):
        if condition.shape[:1] == (0,):
            with pytest.raises(ValueError, match="objects cannot be broadcast to a single shape"):
                choose(condition, a, b)
            continue
        same(choose(condition, a, b), np.where(condition, a, b))
    same(choose(a[:, 0] > 0.5, a[:, 0], a[::-1, 0]), np.where(a[:, 0] > 0.5, a[:, 0], a[::-1, 0]))
    same(choose(b[::2, ::-1] > 0.5, b[::2], 1.0), np.where(b[::2, ::-1] > 0.5, b[::2], 1.0))


def test_where_in_an_expression_reads_each_element_once():
    @nb.njit
    def f(a):
        return np.where(a > 0.5, a * 2, a - 1) + np.where(np.isnan(a), 0.0, a)

    for a in (RNG.random(100), SPECIAL, RNG.random(0), RNG.random((4, 6))[:, ::2]):
        with np.errstate(invalid="ignore"):
            same(f(a), f.py_func(a))


def test_ufuncs_of_the_program_in_one_loop():
    @nb.vectorize
    def half(x):
        if x < -5.0:
            raise ValueError("low")
        return x / 2

    @nb.njit
    def f(a):
        return half(half(a) + half(2 * a)) - 1

    a = RNG.random((3, 5))
    same(f(a), ((a / 2) + (2 * a) / 2) / 2 - 1)
    same(f(a[::2, ::-1]), ((a[::2, ::-1] / 2) + (2 * a[::2, ::-1]) / 2) / 2 - 1)
    with pytest.raises(ValueError, match="low"):
        f(np.array([0.0, -20.0]))


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(
    "shapes", [((2, 2), (2, 2)), ((3, 3), (3,)), ((4,), (4, 2)), ((1, 5), (5, 1)), ((0, 3), (3, 2)), ((2, 0), (0, 2))]
)
def test_small_products(dtype, shapes):
    @nb.njit
    def f(a, b):
        return a @ b

    a, b = (RNG.integers(-8, 8, shape).astype(dtype) for shape in shapes)
    same(f(a, b), a @ b)
    for x, y in ((a.T.copy().T, b), (a[::-1], b[..., ::-1])):
        assert np.array_equal(f(x, y), x @ y)
    with pytest.raises(ValueError, match="incompatible array sizes"):
        f(a, np.ones(7, dtype))


@pytest.mark.parametrize("axis", [0, 1, 2])
def test_sums_along_axes(axis):
    @nb.njit
    def f(a):
        return a.sum(axis=axis)

    a = RNG.integers(-50, 50, (6, 7, 5)).astype(np.float64)
    for view in (a, a[::-1], a[:, ::2], a[..., ::-1], a[:0], a[:, :0], a.transpose(2, 0, 1)):
        assert np.array_equal(f(view), view.sum(axis=axis))


def test_reductions_of_parts():
    @nb.njit
    def f(a):
        return a.sum(), a.mean(), a.max(), a.min(), np.nanmax(a), np.nanmin(a), np.nansum(a), np.nanmean(a)

    whole = RNG.random((40, 60, 20))
    for a in (whole[:, 1:], whole[..., ::2], whole[::-1], RNG.random(17), RNG.random(200)[::3]):
        got, expected = (
            f(a),
            (a.sum(), a.mean(), a.max(), a.min(), np.nanmax(a), np.nanmin(a), np.nansum(a), np.nanmean(a)),
        )
        np.testing.assert_allclose(got, expected, rtol=1e-13)
    for n in (1, 2, 15, 16, 17, 31, 32, 33, 40):
        a = RNG.random(n)
        a[RNG.integers(n)] = np.nan
        got = f(a)
        assert np.isnan(got[:4]).all()
        if n > 1:
            np.testing.assert_allclose(got[4:], (np.nanmax(a), np.nanmin(a), np.nansum(a), np.nanmean(a)), rtol=1e-13)
        ints = RNG.integers(-1000, 1000, n)
        extremes = nb.njit(lambda a: (a.max(), a.min(), a.argmax(), a.argmin()))
        assert extremes(ints) == (ints.max(), ints.min(), ints.argmax(), ints.argmin())


def test_tuples_are_sorted_by_all_their_parts():
    @nb.njit
    def f(keys, reverse):
        items = [(k, i % 3, i) for i, k in enumerate(keys)]
        return sorted(items, reverse=reverse)

    for keys in (RNG.random(50).round(1), np.array([0.0, -0.0, 1.0, -0.0, 0.0]), RNG.integers(-3, 3, 40)):
        for reverse in (False, True):
            assert f(keys, reverse) == f.py_func(keys, reverse)


def test_what_a_handler_drops():
    @nb.njit
    def look(a, i):
        if i >= a.size:
            raise IndexError("out")
        return a[i]

    @nb.njit
    def f(a, places):
        s, bad = 0.0, 0
        for i in places:
            try:
                if i < -3:
                    raise ValueError("low")
                s += look(a, i) / (i - 2)
            except Exception:
                bad += 1
        if bad > 3:
            raise KeyError("many")
        return s, bad

    a = RNG.random(5)
    for places in ([0, 1, 7], [-5, 0, 9], [1, 1], [9, 9, 9, 9], []):
        places = np.array(places, np.int64)
        for _ in range(2):
            try:
                expected = f.py_func(a, places)
            except KeyError:
                with pytest.raises(KeyError, match="many"):
                    f(a, places)
                continue
            assert f(a, places) == expected
