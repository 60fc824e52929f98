"""Products of vectors, and sums of matrices."""

import numpy as np
from rows import body, function


@function(np.vecdot, when="ArrayNd(1), ArrayNd(1)", effects="read, alloc, raise", shape="Unknown")
def vecdot(x1, x2):
    """Sum of the products of ``x1``, conjugated, and ``x2`` along the last axis."""
    if x1.shape[0] != x2.shape[0]:
        raise ValueError("vecdot: vectors of different lengths")
    return np.sum(np.conj(x1) * x2)


@function(np.vecdot, when="Array, Array")
def vecdot_rows(x1, x2):
    """Sum of the products of ``x1``, conjugated, and ``x2`` along the last axis."""
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError("vecdot: vectors of different lengths")
    return np.sum(np.conj(x1) * x2, axis=-1)


@body(np.trace, when="ArrayNd(2), Int")
def trace(a, offset):
    """Sum of a diagonal."""
    total = 0.0 * a.dtype.type(0)
    for i in range(a.shape[0]):
        j = i + offset
        if 0 <= j < a.shape[1]:
            total += a[i, j]
    return total
