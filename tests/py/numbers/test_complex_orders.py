"""Complex numbers with a NaN in one part or both, in NumPy's order: numbers, `x + nanj`, `nan + yj`, `nan + nanj`."""

import itertools

import numbra as nb
import numpy as np
import pytest

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

KINDS = [np.complex64, np.complex128]
PARTS = [0, 1, -1, 2, np.inf, np.nan]
ALL = np.array([complex(re, im) for re, im in itertools.product(PARTS, PARTS)])
MIXED = np.random.default_rng(1).permutation(ALL)
REALS = np.array([-1.0, 0, 1, 2, np.nan])
LIMITS = [1 + 0j, 2 + 0j, complex(1, np.nan), complex(np.nan, 1)]

ONE = """
np.sort(z)
sorted_in_place(z)
np.argsort(z)
np.unique(z)
np.min(z)
np.max(z)
np.nanmin(z)
np.nanmax(z)
np.nanmin(z[np.isnan(z)])
np.nanmax(z[np.isnan(z)])
np.sort(z[:6].reshape(2, 3))
""".strip().splitlines()

TWO = """
np.union1d(z, w)
np.intersect1d(z, w)
np.setdiff1d(z, w)
np.setxor1d(z, w)
np.searchsorted(np.sort(z), w)
np.searchsorted(np.sort(z), w, 'right')
np.searchsorted(np.sort(z), x)
np.searchsorted(np.sort(z), x, 'right')
np.searchsorted(x, z)
np.searchsorted(x, z, 'right')
np.searchsorted(x[1:4], z)
np.searchsorted(x[1:4], z, 'right')
np.clip(z, None, w)
np.clip(z, w, None)
np.maximum(z, w)
np.minimum(z, w)
np.fmax(z, w)
np.fmin(z, w)
np.less(z, w)
np.greater_equal(z, w)
""".strip().splitlines()


def sorted_in_place(z):
    z = z.copy()
    z.sort()
    return z


def compiled(text, names):
    sort = nb.njit(sorted_in_place)
    scope = {"np": np, "sorted_in_place": sort}
    return eval(f"lambda {names}: {text}", {"np": np, "sorted_in_place": sorted_in_place}), nb.njit(
        eval(f"lambda {names}: {text}", scope)
    )


@pytest.mark.parametrize("text", ONE)
def test_orders_and_extremes(text):
    python, function = compiled(text, "z")
    for kind in KINDS:
        z = MIXED.astype(kind)
        want = python(z) if "argsort" not in text else np.argsort(z, kind="stable")
        np.testing.assert_array_equal(function(z), want)


@pytest.mark.parametrize("text", TWO)
def test_sets_places_and_pairs(text):
    python, function = compiled(text, "z, w, x")
    for kind in KINDS:
        z, w = MIXED.astype(kind), MIXED[::-1].astype(kind)
        np.testing.assert_array_equal(function(z, w, REALS), python(z, w, REALS))


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("kind", KINDS)
def test_arrays_in_no_order_are_searched_as_numpy_does(kind, side):
    z, w = MIXED.astype(kind), MIXED[::-1].astype(kind)
    np.testing.assert_array_equal(nb.njit(lambda z, w: np.searchsorted(z, w, side))(z, w), np.searchsorted(z, w, side))


@pytest.mark.parametrize("kind", KINDS)
def test_what_takes_one_more_number(kind):
    z = MIXED.astype(kind)
    split = nb.njit(lambda z, k: np.partition(z, k))
    places = nb.njit(lambda z, k: np.argpartition(z, k))
    inside = nb.njit(lambda z, low, high: np.clip(z, low, high))
    search = nb.njit(lambda z, x: np.searchsorted(z, x))
    in_order = np.sort(z)
    for k in range(len(z)):
        np.testing.assert_array_equal(split(z, k)[k], in_order[k])
        np.testing.assert_array_equal(z[places(z, k)[k]], in_order[k])
        assert search(in_order, z[k]) == np.searchsorted(in_order, z[k])
    # With a NaN in the imaginary part of the lower of two limits NumPy's result is none of its own order.
    for low, high in itertools.product(map(kind, LIMITS[:2]), map(kind, LIMITS)):
        np.testing.assert_array_equal(inside(z, low, high), np.clip(z, low, high))


def test_long_runs():
    z = np.tile(MIXED, 60)
    np.testing.assert_array_equal(nb.njit(lambda z: np.sort(z))(z), np.sort(z))
    np.testing.assert_array_equal(nb.njit(lambda z: np.argsort(z))(z), np.argsort(z, kind="stable"))
    np.testing.assert_array_equal(nb.njit(lambda z: np.unique(z))(z), np.unique(z))
