"""Arrays made by formula."""

import math

import numpy as np
from rows import body, function


@function(np.arange, when="Int, Int | None, Int | None, None", effects="alloc, raise")
def arange_int(start, stop=None, step=None, dtype=None):
    """Numbers from ``start`` to ``stop`` by ``step``: int64 for integers, else float64, unless a dtype is given.
    ValueError for a zero step.
    """
    return np.arange(start, stop, step, np.int64)


@function(np.arange, when="Int, Int | None, Int | None, DTypeLike")
def arange_int_dtype(start, stop, step, dtype):
    """Integers from ``start`` to ``stop`` by ``step``; ValueError for a zero step."""
    if stop is None:
        low = 0
        high = start
    else:
        low = start
        high = stop
    if step is None:
        by = 1
    else:
        by = step
    if by == 0:
        raise ValueError("Maximum allowed size exceeded")
    n = len(range(low, high, by))
    out = np.empty(n, dtype)
    for i in range(n):
        out[i] = low + i * by
    return out


@function(np.arange, when="Real, Real | None, Real | None, None")
def arange_float(start, stop, step, dtype):
    """Floats from ``start`` to ``stop`` by ``step``, float64; ValueError for a zero step."""
    return np.arange(start, stop, step, np.float64)


@function(np.arange, when="Real, Real | None, Real | None, DTypeLike")
def arange_float_dtype(start, stop, step, dtype):
    """Numbers from ``start`` to ``stop`` by ``step``, as NumPy fills: by the rounded first difference."""
    if stop is None:
        low = 0.0
        high = float(start)
    else:
        low = float(start)
        high = float(stop)
    if step is None:
        by = 1.0
    else:
        by = float(step)
    if by == 0.0:
        raise ValueError("Maximum allowed size exceeded")
    count = (high - low) / by
    if math.isnan(count):
        raise ValueError("arange: cannot compute length")
    if abs(count) >= 2.0**63:
        raise ValueError("Maximum allowed size exceeded")
    n = max(math.ceil(count), 0)
    delta = (low + by) - low
    out = np.empty(n, dtype)
    for i in range(n):
        out[i] = low + i * delta
    return out


@function(np.eye, when="Int, Int | None, Count, DTypeLike", effects="alloc, raise")
def eye(N, M=None, k=0, dtype=None):
    """Ones on the ``k``-th diagonal of an ``N`` by ``M`` array, zeros elsewhere."""
    if M is None:
        columns = N
    else:
        columns = M
    out = np.zeros((N, columns), dtype)
    if k >= 0:
        for i in range(min(N, columns - k)):
            out[i, i + k] = 1
    elif k > -N:
        for i in range(-k, min(N, columns - k)):
            out[i, i + k] = 1
    return out


@function(np.identity, when="Int, DTypeLike", effects="alloc, raise")
def identity(n, dtype=None):
    """The identity matrix of order ``n``, float64 unless a dtype is given."""
    return np.eye(n, n, 0, dtype)


@body(np.asarray_chkfinite, when="Any, DTypeLike")
def asarray_chkfinite(a, dtype):
    """The argument as an array; ValueError if an element is NaN or infinite."""
    out = np.asarray(a, dtype)
    for x in out.flat:
        if not np.isfinite(x):
            raise ValueError("array must not contain infs or NaNs")
    return out


@body(np.shape, when="Any")
def shape_of_like(a):
    """The shape of a number, tuple or list as an array."""
    return np.asarray(a).shape


@body(np.size, when="Any")
def size_of_like(a):
    """The number of elements of a number, tuple or list as an array."""
    return np.asarray(a).size
