"""Calls among jitted functions: every way to pass arguments, recursion, functions as arguments."""

import numbra as nb
import pytest


class Broken(Exception):
    pass


@nb.njit
def star(x, y=2, *rest):
    total = x + y
    for item in rest:
        total += item
    return total, len(rest)


@nb.njit
def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


@nb.njit
def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def test_calls(same):
    @nb.njit
    def all_ways(a):
        return star(a), star(a, 3), star(a, 3, 4, 5), star(y=1, x=a), star(*(a, 7))

    assert all_ways(1) == ((3, 0), (4, 0), (13, 2), (2, 0), (8, 0))
    assert all_ways(1.5) == ((3.5, 0), (4.5, 0), (13.5, 2), (2.5, 0), (8.5, 0))
    assert is_even(10)
    assert not is_even(7)

    @nb.njit
    def sums(n, total=0):
        if n == 0:
            return total
        return sums(n - 1, total + n)

    assert sums(10) == 55

    @nb.njit
    def fails(x):
        if x > 3:
            raise Broken("callee", x)
        return x

    @nb.njit
    def calls(x):
        return fails(x) + 1

    assert calls(1) == 2
    with pytest.raises(Broken) as caught:
        calls(5)
    assert caught.value.args == ("callee", 5)


def test_functions_as_arguments():
    @nb.njit
    def apply(function, x):
        return function(x)

    @nb.njit
    def increment(x):
        return x + 1

    @nb.njit
    def caller(x):
        return apply(increment, x)

    assert caller(1) == 2
