"""Types of variables whose assignments give other types while inference goes on: the common type of all, as in Numba.

`-x` of a `uint8` is `uint64`, that of an `int64` is `int64`: of both, `float64`. What is expected was recorded from
Numba 0.68.1.
"""

import numbra as nb
import numpy as np
import pytest
from numbra import boolean, float64, int64, uint8, uint16, uint64


def product(s, n):
    for i in range(n):
        s *= i - (-s)
    return s


def in_turn(s, n):
    t = 0
    for i in range(n):
        t = -s
        s = t - i
    return s, t


def later(s, n):
    t = s
    for i in range(n):
        t = -s
        s = i
    return s, t


def in_tuples(s, n):
    t = (s, s)
    for i in range(n):
        t = (-s, s)
        s = i
    return s, t


def in_a_branch(s, n):
    t = s
    for i in range(n):
        if i > 1:
            t = -s
        s = i
    return s, t


def narrow(x, n):
    y = x
    for i in range(n):
        y = max(x, 1) - x
        x = y * i
    return x, y


def twice(s, n):
    t = u = 0
    for i in range(n):
        u = t
        t = -s
        s = i
    return s, t, u


def of_a_flag(flag, n):
    t = 0
    for i in range(n):
        t = -flag
        flag = i > 1
    return flag, t


EXPECTED = [
    (product, uint8, "float64"),
    (product, uint64, "float64"),
    (in_turn, uint8, "UniTuple(float64 x 2)"),
    (later, uint8, "Tuple(int64, float64)"),
    (later, int64, "UniTuple(int64 x 2)"),
    (in_tuples, uint8, "Tuple(int64, Tuple(float64, int64))"),
    (in_a_branch, uint8, "Tuple(int64, float64)"),
    (narrow, uint16, "UniTuple(int64 x 2)"),
    (twice, uint8, "Tuple(int64, float64, float64)"),
    (of_a_flag, boolean, "Tuple(bool, int64)"),
]


@pytest.mark.parametrize(("program", "argument", "expected"), EXPECTED)
def test_types(program, argument, expected):
    compiled = nb.njit(program)
    compiled.compile((argument, int64))
    assert str(compiled.nopython_signatures[0].return_type) == expected


def test_what_has_outgrown_an_operator_is_refused():
    @nb.njit
    def masked(s, n):
        t = s
        for i in range(n):
            t = (-s) & 7
            s = i
        return s, t

    with pytest.raises(nb.errors.TypingError, match=r"and_\(float64"):
        masked(np.uint8(3), 4)


def test_values():
    compiled = nb.njit(later)
    assert compiled(np.uint8(3), 4) == (3, -2.0)
    assert [type(value) for value in compiled(np.uint8(3), 4)] == [int, float]
    assert nb.njit(in_tuples)(np.uint8(3), 4) == (3, (-2.0, 2))


def test_ranges_may_change_their_types():
    @nb.njit
    def total(n, m):
        s = 0
        for _ in range(m):
            for i in range(n):
                s += i
            n = m
        return s

    assert total(np.uint32(4), 3) == 6 + 3 + 3
    assert total.nopython_signatures[0].return_type is int64


def test_a_loop_whose_first_test_is_known():
    @nb.njit
    def f(x):
        y = x
        k = 0
        while k < 3:
            k += 1
            y = x + 1
        return y

    f.compile((uint64,))
    assert f.nopython_signatures[0].return_type is float64


def test_both_branches_of_a_constant_comparison():
    @nb.njit
    def f(a, b):
        x = 1
        for _ in range(a):
            x = x
        if x != 1:
            return a
        return b

    f.compile((int64, uint16))
    assert f.nopython_signatures[0].return_type is int64


def test_a_product_of_arrays_may_change_its_type():
    @nb.njit
    def doubled(a, n):
        s = 1
        for _ in range(n):
            b = a * s
            s = s + 0.5
        return b

    a = np.arange(3)
    np.testing.assert_array_equal(doubled(a, 2), a * 1.5)
    assert doubled.nopython_signatures[0].return_type.dtype is float64


@nb.njit
def wrapped(x, n):
    return 0 if n == 0 else wrapped((x, 1), n - 1)


@nb.njit
def appended(x, n):
    return 0 if n == 0 else appended((*x, 1), n - 1)


@nb.njit
def twice(x, n):
    return 0 if n == 0 else twice((x, 1), n - 1) + twice((1, x), n - 1)


@nb.njit
def listed(x, n):
    return 0 if n == 0 else listed([x], n - 1)


@nb.njit
def with_axes(x, n):
    return 0 if n == 0 else with_axes(x[None], n - 1)


@nb.njit
def in_turns(x, n):
    return 0 if n == 0 else other_turn((x, 1.0), n - 1)


@nb.njit
def other_turn(x, n):
    return 1 if n == 0 else in_turns((2, x), n - 1)


@pytest.mark.parametrize(
    ("function", "first"),
    [(wrapped, 1), (appended, (1,)), (twice, 1), (listed, 1), (with_axes, np.ones(2)), (in_turns, 1)],
)
def test_recursion_at_ever_larger_types_is_refused(function, first):
    """Without a limit of its own this took half a minute, and `twice` had no end."""
    with pytest.raises(nb.core.errors.TypingError, match="cannot type infer runaway recursion"):
        function(first, 3)


@nb.njit
def filled(t):
    return t if len(t) >= 40 else filled((*t, len(t)))


@nb.njit
def emptied(t):
    return 0 if len(t) == 0 else t[0] + emptied(t[1:])


def test_recursion_over_types_that_ends():
    assert filled((0,)) == tuple(range(40))
    assert emptied(tuple(range(60))) == sum(range(60))


def test_long_chains_of_calls_are_no_recursion():
    def calling(callee):
        return nb.njit(lambda x: callee(x) + 1)

    last = nb.njit(lambda x: x + 1)
    for _ in range(700):
        last = calling(last)
    assert last(2) == 703
