"""Values where Numba is wrong or stops, and numbra does what CPython does: rows of docs/deviations.md."""

import math

import numbra as nb
import pytest

LEAST = -(2**63)


def test_the_least_integer_divided_by_minus_one_wraps():
    @nb.njit
    def floor(a, b):
        return a // b

    assert floor(LEAST, -1) == LEAST
    assert floor(LEAST, 1) == LEAST


def test_zero_to_a_negative_power_is_infinite_under_numpys_error_model():
    def power(a, b):
        return a**b

    assert nb.njit(error_model="numpy")(power)(0.0, -1) == math.inf
    with pytest.raises(ZeroDivisionError):
        nb.njit(power)(0.0, -1)


def test_tuples_are_repeated_by_constants():
    @nb.njit
    def repeated(t):
        return t * 2

    assert repeated((1, 2.5)) == (1, 2.5, 1, 2.5)


def test_floats_are_made_of_booleans():
    @nb.njit
    def number(flag):
        return float(flag)

    assert [number(True), number(False)] == [1.0, 0.0]


def test_large_powers_wrap():
    @nb.njit
    def power(n):
        return 2**n

    assert [power(62), power(63), power(64), power(2**40)] == [2**62, LEAST, 0, 0]
