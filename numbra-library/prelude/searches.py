"""Searches for one number, and its rounding."""

import numpy as np
from rows import body


# The middle is halved as an unsigned number, so that the compiler sees that it does not count from the end.


# In sorted arrays both ways of halving find the same place; elsewhere each finds what its NumPy finds.


@body(np.searchsorted, when="ArrayNd(1), Real, Any")
def halve_before(a, v, side):
    """``place_before`` as NumPy 2.5 looks for it: halves the number of places that are left."""
    left = len(a)
    if left == 0:
        return 0
    low = 0
    if v != v:
        while left > 1:
            half = np.int64(np.uint64(left) >> np.uint64(1))
            left -= half
            if a[low + half] == a[low + half]:
                low += half
        if a[low] == a[low]:
            low += 1
        return low
    while left > 1:
        half = np.int64(np.uint64(left) >> np.uint64(1))
        left -= half
        if a[low + half] < v:
            low += half
    if a[low] < v:
        low += 1
    return low


@body(np.searchsorted, when="ArrayNd(1), Real, Any")
def halve_behind(a, v, side):
    """``place_behind`` as NumPy 2.5 looks for it: halves the number of places that are left."""
    left = len(a)
    if v != v or left == 0:
        return left
    low = 0
    while left > 1:
        half = np.int64(np.uint64(left) >> np.uint64(1))
        left -= half
        if a[low + half] <= v:
            low += half
    if a[low] <= v:
        low += 1
    return low


@body(np.searchsorted, when="ArrayNd(1), Real, Any")
def place_before(a, v, side):
    """Where ``v`` goes in the sorted ``a``, before equal numbers; NaN stands behind all others."""
    low = 0
    high = len(a)
    if v != v:
        while low < high:
            middle = np.int64(np.uint64(low + high) >> np.uint64(1))
            if a[middle] == a[middle]:
                low = middle + 1
            else:
                high = middle
        return low
    while low < high:
        middle = np.int64(np.uint64(low + high) >> np.uint64(1))
        if a[middle] < v:
            low = middle + 1
        else:
            high = middle
    return low


@body(np.searchsorted, when="ArrayNd(1), Real, Any")
def place_behind(a, v, side):
    """Where ``v`` goes in the sorted ``a``, behind equal numbers; NaN stands behind all others."""
    low = 0
    high = len(a)
    if v != v:
        return high
    while low < high:
        middle = np.int64(np.uint64(low + high) >> np.uint64(1))
        if a[middle] <= v:
            low = middle + 1
        else:
            high = middle
    return low


@body(np.round, when="Is(Float64), Int, None")
def round_number(a, decimals, out):
    """``a`` rounded to ``decimals`` digits, ties to even."""
    if decimals == 0:
        return np.rint(a)
    scale = 10.0 ** abs(decimals)
    if decimals > 0:
        return np.rint(a * scale) / scale
    return np.rint(a / scale) * scale
