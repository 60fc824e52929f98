"""Arrays made by formula."""

import numpy as np

from numbra.extending import overload


@overload(np.identity, when="Int")
def identity(n):
    """The identity matrix of order ``n``."""
    out = np.zeros((n, n))
    for i in range(n):
        out[i, i] = 1.0
    return out


@overload(np.linspace, when="Real, Real, Int")
def linspace(start, stop, num):
    """``num`` floats from ``start`` to ``stop``, both included; ValueError for a negative ``num``."""
    if num < 0:
        raise ValueError("Number of samples must be non-negative.")
    out = np.empty(num)
    if num > 0:
        out[0] = start
    if num > 1:
        step = (stop - start) / (num - 1)
        for i in range(1, num):
            out[i] = start + i * step
        out[num - 1] = stop
    return out
