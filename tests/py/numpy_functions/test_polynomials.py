"""`numpy.polynomial.Polynomial` objects and the functions of `numpy.polynomial.polyutils`."""

import gc
import sys

import numpy as np
import pytest
from numbra import njit
from numbra.core import types
from numbra.core.errors import TypingError
from numpy.polynomial import Polynomial
from numpy.polynomial import polyutils as pu


def same(got, want):
    assert type(got) is type(want) is Polynomial
    for name in ("coef", "domain", "window"):
        a, b = getattr(got, name), getattr(want, name)
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


@njit
def of_coefficients(c):
    return Polynomial(c)


@njit
def of_three(c, domain, window):
    return Polynomial(c, domain, window)


@pytest.mark.parametrize("dtype", [np.int64, np.float64])
def test_constructor(dtype):
    c = np.array([0, 1, 2]).astype(dtype)
    same(of_coefficients(c), Polynomial(c))
    ends = np.array([0, 2]).astype(dtype)
    same(of_three(c, ends, ends[::-1]), Polynomial(c, ends, ends[::-1]))


def test_coefficients_are_float64():
    assert of_coefficients(np.ones(2, np.float32)).coef.dtype == np.float64


def test_keywords():
    @njit
    def f(c, d, w):
        return np.polynomial.Polynomial(window=w, domain=d, coef=c)

    c, d, w = np.arange(3.0), np.array([0.0, 1.0]), np.array([2.0, 3.0])
    same(f(c, d, w), Polynomial(c, d, w))


def test_the_coefficients_are_a_copy():
    c = np.arange(3.0)
    p = of_coefficients(c)
    p.coef[0] = 7
    assert c[0] == 0


def test_attributes():
    @njit
    def f(p):
        return p.coef, p.domain, p.window, p.coef.sum() + p.domain[0]

    p = Polynomial([1, 2, 3], [0, 4], [-2, 2])
    coef, domain, window, number = f(p)
    np.testing.assert_array_equal(coef, p.coef)
    np.testing.assert_array_equal(domain, p.domain)
    np.testing.assert_array_equal(window, p.window)
    assert number == 6


def test_the_arrays_are_shared():
    @njit
    def write(p):
        p.coef[1] = 9

    p = Polynomial([1, 2, 3])
    write(p)
    assert p.coef[1] == 9


@pytest.mark.parametrize("domain", [None, [0, 4]])
def test_round_trip(domain):
    p = Polynomial([1j, 2, 3], domain)
    same(njit(lambda p: p)(p), p)


def test_through_functions_and_tuples():
    @njit
    def inner(p, k):
        return Polynomial(p.coef * k, p.domain, p.window)

    @njit
    def outer(p):
        q = inner(p, 2)
        return q, len(q.coef)

    q, n = outer(Polynomial([1, 2, 3], [0, 4]))
    same(q, Polynomial([2, 4, 6], [0, 4]))
    assert n == 3


def test_references_go():
    p = Polynomial([1, 2, 3])
    f = njit(lambda p: p.coef[0] + len(p.domain))
    f(p)
    before = sys.getrefcount(p.coef)
    for _ in range(10):
        f(p)
    gc.collect()
    after = sys.getrefcount(p.coef)
    assert after == before


def test_the_type():
    array = types.Array(types.float64, 1, "C")
    ty = types.PolynomialType(array, array, array)
    assert ty.coef is array
    assert str(ty) == f"PolynomialType({array}, {array}, {array}, 1)"
    of_coefficients(np.arange(3.0))
    f = njit(lambda p: p.coef[0])
    f(Polynomial([1, 2]))
    assert isinstance(f.signatures[0][0], types.PolynomialType)


@pytest.mark.parametrize("name, bad", [("Domain", 0), ("Window", 1)])
def test_wrong_number_of_ends(name, bad):
    ends = [np.array([0.0, 1.0])] * 2
    ends[bad] = np.arange(3.0)
    with pytest.raises(ValueError, match=f"{name} has wrong number of elements."):
        of_three(np.arange(2.0), *ends)


def test_what_makes_no_polynomial():
    with pytest.raises(TypingError, match="Coefficient array is not 1-d"):
        of_coefficients(np.zeros((2, 2)))
    with pytest.raises(TypingError):
        njit(lambda c, d: Polynomial(c, d))(np.zeros(2), np.zeros(2))
    with pytest.raises(TypingError):
        of_coefficients(3)
    with pytest.raises(TypingError):
        njit(lambda p: p.roots())(Polynomial([1, 2]))


def series(x, trim):
    return pu.as_series(x, trim)


@pytest.mark.parametrize("trim", [False, True])
@pytest.mark.parametrize(
    "x",
    [
        np.arange(4),
        np.arange(6.0).reshape(2, 3),
        np.array([[1.0, 0], [0, 0]]).T,
        (1, np.arange(3), np.arange(2, dtype=np.float32)),
        ([1, 2, 3, 0], [1, 2]),
        ((0, 1e-3, 0), (1j, 2, 0)),
        [np.array([1, 0]), np.array([1, 0, 3])],
    ],
)
def test_as_series(x, trim):
    got, want = njit(series)(x, trim), series(x, trim)
    assert len(got) == len(want)
    for a, b in zip(got, want, strict=True):
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)


def test_as_series_of_a_local_list():
    @njit
    def f(n):
        return pu.as_series([[1, 2, 0], [n, 0]])

    got = [list(x) for x in f(3)]
    assert got == [[1, 2], [3]]


def test_as_series_refuses():
    f = njit(lambda x: pu.as_series(x))
    for bad in (np.zeros((2, 2, 2)), ([1, 2], np.zeros((2, 2)))):
        with pytest.raises(TypingError, match="Coefficient array is not 1-d"):
            f(bad)
    with pytest.raises(TypingError, match='The argument "alist" must be array-like'):
        f("abc")
    with pytest.raises(TypingError, match='The argument "trim" must be boolean'):
        njit(series)(np.arange(4), 1)
    for empty in (np.zeros((1, 0)), (np.zeros(2), np.zeros(0))):
        with pytest.raises(ValueError, match="Coefficient array is empty"):
            f(empty)
    with pytest.raises(ValueError, match="empty sequence"):
        f(np.zeros((0, 2)))
