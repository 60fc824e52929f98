"""Builtins over any iterable."""

import operator

from numbra.extending import overload


@overload(min, when="Iterable")
def min_of_iterable(iterable):
    """The first smallest item; ValueError when empty."""
    found = False
    for x in iterable:
        if not found:
            found = True
            best = x
        elif x < best:
            best = x
    if not found:
        raise ValueError("min() iterable argument is empty")
    return best


@overload(max, when="Iterable")
def max_of_iterable(iterable):
    """The first greatest item; ValueError when empty."""
    found = False
    for x in iterable:
        if not found:
            found = True
            best = x
        elif x > best:
            best = x
    if not found:
        raise ValueError("max() iterable argument is empty")
    return best


@overload(sum, when="Iterable, Scalar")
def sum_of_iterable(iterable, start):
    """``start`` plus the items, from left to right."""
    total = start
    for x in iterable:
        total = total + x
    return total


@overload(operator.contains, when="Array, Scalar")
def array_contains(array, value):
    """Whether an element equals ``value``."""
    for x in array.flat:
        if x == value:
            return True
    return False
