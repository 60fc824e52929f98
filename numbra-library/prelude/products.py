"""Products of vectors, and sums of matrices."""

import numpy as np
from rows import body, function


@function(np.vecdot, when="ArrayNd(1), ArrayNd(1)", effects="read, alloc, raise")
def vecdot(x1, x2):
    """Sum of the products of ``x1``, conjugated, and ``x2`` along the last axis."""
    if x1.shape[0] != x2.shape[0]:
        raise ValueError(
            "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n)->() "
            f"(size {x2.shape[0]} is different from {x1.shape[0]})"
        )
    return np.sum(np.conj(x1) * x2)


@function(np.vecdot, when="Array, Array")
def vecdot_rows(x1, x2):
    """Sum of the products of ``x1``, conjugated, and ``x2`` along the last axis."""
    if x1.shape[-1] != x2.shape[-1]:
        raise ValueError(
            "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n)->() "
            f"(size {x2.shape[-1]} is different from {x1.shape[-1]})"
        )
    return np.sum(np.conj(x1) * x2, axis=-1)


@body(np.trace, when="ArrayNd(2), Int")
def trace(a, offset):
    """Sum of a diagonal."""
    k = np.int64(offset)
    row = 0
    column = 0
    if k < 0:
        row = -k
    else:
        column = k
    total = 0.0 * a.dtype.type(0)
    for i in range(min(a.shape[0] - row, a.shape[1] - column)):
        total += a[row + i, column + i]
    return total


@body(np.diag, when="ArrayNd(2), Int")
def diagonal_copy(v, k):
    """The elements of a diagonal."""
    k = np.int64(k)
    row = 0
    column = 0
    if k < 0:
        row = -k
    else:
        column = k
    out = np.empty(max(min(v.shape[0] - row, v.shape[1] - column), 0), v.dtype)
    for i in range(out.size):
        out[i] = v[row + i, column + i]
    return out
