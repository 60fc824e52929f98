"""Searches for one number, and its rounding."""

import numpy as np
from rows import body


@body(np.searchsorted, when="ArrayNd(1), Real, Any")
def place_before(a, v, side):
    """Where ``v`` goes in the sorted ``a``, before equal numbers; NaN stands behind all others."""
    low = 0
    high = len(a)
    while low < high:
        middle = (low + high) >> 1
        x = a[middle]
        if x < v or (v != v and x == x):
            low = middle + 1
        else:
            high = middle
    return low


@body(np.searchsorted, when="ArrayNd(1), Real, Any")
def place_behind(a, v, side):
    """Where ``v`` goes in the sorted ``a``, behind equal numbers; NaN stands behind all others."""
    low = 0
    high = len(a)
    while low < high:
        middle = (low + high) >> 1
        x = a[middle]
        if v < x or (x != x and v == v):
            high = middle
        else:
            low = middle + 1
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
