"""Builtins over any iterable."""

import operator
from functools import reduce

from rows import body


@body(min, when="Iterable")
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


@body(max, when="Iterable")
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


@body(min, when="Iterable, None")
def min_without_key(iterable, key):
    """The first smallest item."""
    return min(iterable)


@body(min, when="Iterable, None, Any")
def min_or(iterable, key, default):
    """The first smallest item; the default when empty."""
    found = False
    for x in iterable:
        if not found:
            found = True
            best = x
        elif x < best:
            best = x
    if not found:
        return default
    return best


@body(min, when="Iterable, Any")
def min_by(iterable, key):
    """The first item with the smallest key; ValueError when empty."""
    found = False
    for x in iterable:
        k = key(x)
        if not found:
            found = True
            best = x
            best_key = k
        elif k < best_key:
            best = x
            best_key = k
    if not found:
        raise ValueError("min() iterable argument is empty")
    return best


@body(min, when="Iterable, Any, Any")
def min_by_or(iterable, key, default):
    """The first item with the smallest key; the default when empty."""
    found = False
    for x in iterable:
        k = key(x)
        if not found:
            found = True
            best = x
            best_key = k
        elif k < best_key:
            best = x
            best_key = k
    if not found:
        return default
    return best


@body(max, when="Iterable, None")
def max_without_key(iterable, key):
    """The first greatest item."""
    return max(iterable)


@body(max, when="Iterable, None, Any")
def max_or(iterable, key, default):
    """The first greatest item; the default when empty."""
    found = False
    for x in iterable:
        if not found:
            found = True
            best = x
        elif x > best:
            best = x
    if not found:
        return default
    return best


@body(max, when="Iterable, Any")
def max_by(iterable, key):
    """The first item with the greatest key; ValueError when empty."""
    found = False
    for x in iterable:
        k = key(x)
        if not found:
            found = True
            best = x
            best_key = k
        elif k > best_key:
            best = x
            best_key = k
    if not found:
        raise ValueError("max() iterable argument is empty")
    return best


@body(max, when="Iterable, Any, Any")
def max_by_or(iterable, key, default):
    """The first item with the greatest key; the default when empty."""
    found = False
    for x in iterable:
        k = key(x)
        if not found:
            found = True
            best = x
            best_key = k
        elif k > best_key:
            best = x
            best_key = k
    if not found:
        return default
    return best


@body(sum, when="Iterable, Scalar")
def sum_of_iterable(iterable, start):
    """``start`` plus the items, from left to right."""
    total = start
    for x in iterable:
        total = total + x
    return total


@body(operator.contains, when="Array, Scalar")
def array_contains(array, value):
    """Whether an element equals ``value``."""
    for x in array.flat:
        if x == value:
            return True
    return False


@body(any, when="Iterable")
def any_of_iterable(iterable):
    """Whether an item is true."""
    for x in iterable:
        if x:
            return True
    return False


@body(all, when="Iterable")
def all_of_iterable(iterable):
    """Whether no item is false."""
    for x in iterable:
        if not x:
            return False
    return True


@body(map, when="Any, Iterable")
def map_of_one(function, a):
    """The function's results, one at a time."""
    for x in a:
        yield function(x)


@body(map, when="Any, Iterable, Iterable")
def map_of_two(function, a, b):
    """As above, for two iterables."""
    for x, y in zip(a, b):
        yield function(x, y)


@body(map, when="Any, Iterable, Iterable, Iterable")
def map_of_three(function, a, b, c):
    """As above, for three iterables."""
    for x, y, z in zip(a, b, c):
        yield function(x, y, z)


@body(filter, when="None, Iterable")
def filter_true(function, iterable):
    """The items that are true."""
    for x in iterable:
        if x:
            yield x


@body(filter, when="Any, Iterable")
def filter_items(function, iterable):
    """The items for which the function's result is true."""
    for x in iterable:
        if function(x):
            yield x


@body(reduce, when="Any, Iterable")
def reduce_items(function, iterable):
    """Joins the items from left to right; TypeError when there is none."""
    found = False
    for x in iterable:
        if not found:
            found = True
            value = x
        else:
            value = function(value, x)
    if not found:
        raise TypeError("reduce() of empty iterable with no initial value")
    return value


@body(reduce, when="Any, Iterable, Any")
def reduce_from(function, iterable, initial):
    """Joins the items from left to right, beginning with ``initial``."""
    value = initial
    for x in iterable:
        value = function(value, x)
    return value


@body(reversed, when="List")
def reversed_items(sequence):
    """The items from the last to the first."""
    n = len(sequence)
    for i in range(n):
        yield sequence[n - 1 - i]


@body(operator.contains, when="Unicode, Unicode")
def text_contains(a, b):
    """True if ``b`` is a part of the text ``a``: a character is looked for here in a short text."""
    if len(b) == 1 and len(a) <= 16:
        for i in range(len(a)):
            if a[i] == b:
                return True
        return False
    return a.find(b) >= 0
