"""Searches for one number, and its rounding."""

import numpy as np
from rows import body


# The middle is halved as an unsigned number, so that the compiler sees that it does not count from the end.


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
