"""Branches that only types exclude: typed as in Numba where that gives types, left out where it does not."""

import numbra as nb
import numpy as np
import pytest


def appended(x):
    places = []
    if x.dtype.kind != "i":
        for i in range(len(x)):
            places.append(i)
    else:
        pass
    return places


def added(x):
    kinds = set()
    if x.dtype.kind == "i":
        kinds.add(1)
    return kinds


def stored(x):
    found = {}
    if x.dtype.kind == "i":
        found[1] = 2.0
    return found


def both(x):
    items = []
    if x.dtype.kind == "i":
        items.append(1)
    else:
        items.append(1.5)
    return items


def negated(x):
    items = []
    if not x.dtype.kind == "f" and x.size > 0:  # noqa: SIM201
        items.append(1)
    return items


def asked(x):
    """`isinstance` has Numba drop what types exclude."""
    items = []
    if isinstance(x, np.ndarray) and x.dtype.kind == "i":
        items.append(1)
    else:
        items.append(1.5)
    return items


def unlike(x):
    if x.dtype.kind == "i":
        found = 1
    else:
        found = "text"
    return found


def recursive(x, n):
    items = [1]
    if n > 0:
        items = recursive(x, n - 1)
    if x.dtype.kind == "i":
        items.append(n)
    else:
        return "text"
    return items


INTS, FLOATS = np.arange(3), np.arange(3.0)

# The last is Numba's type where Numba has one.
CASES = [
    (appended, (INTS,), [], "list(int64)"),
    (appended, (FLOATS,), [0, 1, 2], "list(int64)"),
    (added, (INTS,), {1}, "set(int64)"),
    (added, (FLOATS,), set(), "set(int64)"),
    (stored, (INTS,), {1: 2.0}, "DictType[int64,float64]"),
    (stored, (FLOATS,), {}, "DictType[int64,float64]"),
    (both, (INTS,), [1.0], "list(float64)"),
    (both, (FLOATS,), [1.5], "list(float64)"),
    (negated, (INTS,), [1], "list(int64)"),
    (negated, (FLOATS,), [], "list(int64)"),
    (asked, (INTS,), [1], "list(int64)"),
    (asked, (FLOATS,), [1.5], "list(float64)"),
    (unlike, (INTS,), 1, "int64"),
    (unlike, (FLOATS,), "text", "unicode_type"),
]


@pytest.mark.parametrize(("function", "args", "expected", "ty"), CASES)
def test_branches(function, args, expected, ty):
    jitted = nb.njit(function)
    got = jitted(*args)
    assert got == expected
    assert str(jitted.nopython_signatures[0].return_type).removesuffix("<iv=None>") == ty


def test_recursion():
    jitted = nb.njit(recursive)
    recursive.__globals__["recursive"] = jitted
    try:
        assert jitted(INTS, 2) == [1, 0, 1, 2]
    finally:
        recursive.__globals__["recursive"] = jitted.py_func
