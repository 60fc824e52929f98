"""`match` against CPython: sequence, class, literal, or-patterns, captures, guards."""

from collections import namedtuple

import numbra as nb
import numpy as np
import pytest

Point = namedtuple("Point", "x y")
Pair = namedtuple("Pair", "x y")


def by_length(t):
    match t:
        case (1, x):
            return x
        case (x, y):
            return x + y
        case (x, *rest):
            return x + len(rest)
        case _:
            return -1


def nested(t):
    match t:
        case (1 | 2, y) if y > 3:
            return y
        case ((a, b), c):
            return a * b + c
        case int():
            return 100
        case float(z):
            return z
        case None:
            return 5
        case _:
            return -1


def nested_rest(t):
    match t:
        case (a, (b, *c)):
            return a + b + sum(c)
    return 0


def from_the_end(t):
    match t:
        case (1, *_, y, z):
            return y, z
        case (*_, 7):
            return 0, 0
        case (*first, last):
            return last, len(first)
    return -1, -1


def of_lists(items):
    match items:
        case []:
            return 0
        case [x]:
            return x
        case [1, *_]:
            return -1
        case [x, *middle, y]:
            return x + y + sum(middle)
    return -2


def of_classes(x):
    match x:
        case np.ndarray():
            return x.sum()
        case complex(real=r, imag=i):
            return r - i
        case float() | int():
            return 1.0
        case str():
            return 2.0
        case (float(), int() as k):
            return k * 2.0
    return -1.0


def of_named_tuples(p):
    match p:
        case Point(0, y):
            return y
        case Point(x=a, y=b) if a > b:
            return a
        case Point():
            return -1
        case Pair(x, y):
            return x * y
    return -2


def of_literals(x):
    match x:
        case True:
            return 6
        case None:
            return 4
        case 1.5 | 2.5:
            return 1
        case -1:
            return 2
        case 1 + 2j:
            return 3
        case "a":
            return 5
    return 0


def of_displays(a, b):
    match a, b:
        case 0, 0:
            return 0
        case (0, n) | (n, 0):
            return n
        case m, n:
            return m * n


def in_a_loop(n):
    out = []
    for i in range(n):
        match divmod(i, 3):
            case (0, m):
                out.append(m)
            case (q, 0):
                out.append(-q)
            case (q, m) if q == m:
                out.append(100)
            case _:
                out.append(7)
    return out


def of_ranges():
    match range(4):
        case (a, b, *rest):
            return a + b + len(rest)
    return -1


SUBJECTS = [
    (by_length, [((1, 2),), ((3, 4),), ((5, 6, 7),), ((8,),), ((),), ((1.5, 2),)]),
    (nested, [((1, 2),), ((1, 5),), (((1, 2), 3),), (3,), (2.5,), (None,), ((1,),), ("a",)]),
    (nested_rest, [((5, (2, 3, 4)),), ((5, (2,)),), ((5, 2),)]),
    (from_the_end, [((1, 2, 3),), ((1, 7),), ((2, 9),), ((),), ((1, 2.5, 3, 4),)]),
    (of_lists, [([4],), ([1, 2],), ([2, 3],), ([2, 3, 4, 5],), ((2, 3),), (np.arange(3),)]),
    (of_classes, [(np.arange(3.0),), (1 + 2j,), (2.5,), (3,), ("a",), ((2.5, 4),), ((1, 2),), (None,)]),
    (of_named_tuples, [(Point(0, 5),), (Point(7, 5),), (Point(3, 5),), (Pair(3, 4),), ((0, 5),), (1,)]),
    (of_literals, [(v,) for v in (1.5, 2.5, -1, 1 + 2j, 0.0, True, False, None, "a", "b", (1, 2))]),
    (of_displays, [(0, 0), (0, 3), (4, 0), (4, 5), (0.0, 2.5)]),
    (in_a_loop, [(12,)]),
    (of_ranges, [()]),
]


@pytest.mark.parametrize(("function", "arguments"), [pytest.param(*row, id=row[0].__name__) for row in SUBJECTS])
def test_patterns(same, function, arguments):
    for args in arguments:
        same(function, *args)


def test_arrays_are_sequences_where_numpy_says_so(same):
    """They are from NumPy 2.5 on."""

    def first_row(x):
        match x:
            case [row, *_]:
                return row.size
        return -1

    def ends(x):
        match x:
            case [a, *middle, b] if a < b:
                return a + b + len(middle)
            case [a]:
                return a
        return -1.0

    for x in (np.arange(4.0), np.ones(1), np.ones(3), np.ones(0), np.arange(6.0)[::-2]):
        same(ends, x)
    same(first_row, np.ones((2, 3)))


def test_cases_that_cannot_match_are_not_compiled():
    """The type of the subject decides: what only other types have may stand in other cases."""

    @nb.njit
    def size(x):
        match x:
            case np.ndarray():
                return x.size
            case (a, b):
                return a + b
            case int():
                return x.bit_length
        return 0

    assert size((1, 2)) == 3
    assert size(np.ones((2, 3))) == 6
    assert size(2.5) == 0


def test_optional_subjects_are_refused():
    @nb.njit
    def f(flag):
        x = (1, 2) if flag else None
        match x:
            case (a, b):
                return a + b
        return 0

    with pytest.raises(nb.errors.UnsupportedError, match="a value that may be None"):
        f(True)


def entries(d, key):
    match d:
        case {"none": x}:
            return x
        case {"a": 1, "b": x}:
            return x
        case {"a": x, "c": (1 | 2) as y}:
            return x * 10 + y
        case {}:
            return -len(d)
    return 0


def test_mapping_patterns():
    compiled = nb.njit(entries)
    for items in ({"a": 1, "b": 5}, {"a": 1}, {"a": 7, "c": 2}, {"a": 7, "c": 3}, {"none": 4}):
        assert compiled(nb.typed.Dict(items), 0) == entries(items, 0)
    assert compiled((1, 2), 0) == compiled(1, 0) == 0

    @nb.njit
    def of_several_types(x):
        match {"a": x, "b": "text"}:
            case {"z": _}:
                return 0, ""
            case {"a": 1 | 2 as y, "b": z}:
                return y, z
        return -1, "none"

    assert [of_several_types(x) for x in (1, 3)] == [(1, "text"), (-1, "none")]


def test_positional_patterns_of_classes_without_positions():
    @nb.njit
    def f(x):
        match x:
            case complex(r):
                return r
        return 0j

    with pytest.raises(nb.errors.UnsupportedError, match="positional pattern 1"):
        f(1j)
