"""Starred targets and starred arguments against CPython."""

import numbra as nb
import numpy as np
import pytest


def first_and_rest(items):
    a, *b = items
    return a, b


def rest_and_last(items):
    *a, b = items
    return a, b


def between(items):
    a, *b, c, d = items
    return a, b, c, d


def nested(t):
    (a, *b), *c = t
    return a, b, c


def of_iterables(n):
    a, *b = range(n)
    *c, d = zip(range(n), b)  # noqa: B905
    e, *f = enumerate(b)
    return a, b, c, d, e, f


def in_loops():
    total = 0
    for a, *b in [(1, 2, 3), (4, 5, 6)]:
        total += a * len(b) + b[-1]
    return total


def new_list(items):
    a, *b = items
    b.append(a)
    return a, b, items


def none_left(t):
    a, *b = t
    b.append(a)
    return b


def displays(t, items):
    return [*t, *items, 7], (*t, 1, *t), [*items], (*t,)


FUNCTIONS = [
    (first_and_rest, [((1, 2, 3),), ((1,),), ((1.5, 2, 3),), ([1, 2, 3],), ([1],), (((1, 2), (3, 4)),)]),
    (rest_and_last, [((1, 2, 3),), ((1,),), ([1.5, 2.5],)]),
    (between, [((1, 2, 3),), ((1, 2.5, 2.5, 3, 4j),), ([1, 2, 3],), ([1, 2, 3, 4, 5],), ([1, 2],), ([1],)]),
    (nested, [(((1, 2), 3),), (((1, 2, 3), 4, 5),)]),
    (of_iterables, [(4,)]),
    (in_loops, [()]),
    (new_list, [([1, 2, 3],)]),
    (none_left, [((1,),), ((2.5,),)]),
    (displays, [((1, 2), [3, 4])]),
]


@pytest.mark.parametrize(("function", "arguments"), [pytest.param(*row, id=row[0].__name__) for row in FUNCTIONS])
def test_unpacking(same, function, arguments):
    for args in arguments:
        copied = [list(arg) if isinstance(arg, list) else arg for arg in args]
        same(function, *copied)


def test_arrays():
    compiled = nb.njit(between)
    assert compiled(np.arange(5.0)) == (0.0, [1.0, 2.0], 3.0, 4.0)
    with pytest.raises(ValueError, match=r"not enough values to unpack \(expected at least 3, got 2\)"):
        compiled(np.arange(2.0))


def test_items_meet_at_one_type():
    assert nb.njit(first_and_rest)((1, 2, 2.5)) == (1, [2.0, 2.5])


def test_tuples_that_are_too_short():
    with pytest.raises(nb.errors.TypingError, match="not enough values to unpack"):
        nb.njit(between)((1, 2))


def test_calls(same):
    @nb.njit
    def callee(a, b, c=3, *rest):
        return a + b * c, len(rest)

    def calls(t, u):
        return callee(*t), callee(1, *t), callee(*t, c=4), callee(*t, *u), callee(*(1, *t, *u))

    same(calls, (1, 2), (5, 6.5))
