"""Layouts of arrays: strides of new ones, and the types that kernels see."""

import functools

import numpy as np


def prepare_shape_strides_dtype(shape, strides, dtype, order):
    """Shape and strides as tuples, and the dtype, of an array to be made."""
    dtype = np.dtype(dtype)
    if isinstance(shape, (float, np.floating)):
        raise TypeError("shape must be an integer or tuple of integers")
    if isinstance(shape, np.ndarray) and np.issubdtype(shape.dtype, np.floating):
        raise TypeError("shape must be an integer or tuple of integers")
    if isinstance(shape, (int, np.integer)):
        shape = (int(shape),)
    else:
        for n in shape:
            if not isinstance(n, (int, np.integer)):
                raise TypeError(f"shape elements must be integers, got {type(n).__name__}")
        shape = tuple(map(int, shape))
    if min(shape, default=0) < 0:
        raise ValueError("negative dimensions are not allowed")
    if isinstance(strides, (int, np.integer)):
        strides = (int(strides),)
    elif strides:
        strides = tuple(map(int, strides))
    else:
        strides = contiguous_strides(shape, dtype.itemsize, order)
    return shape, strides, dtype


def contiguous_strides(shape, itemsize: int, order: str) -> tuple:
    """Strides of a contiguous array, in row-major ("C") or column-major ("F") order."""
    if order not in ("C", "F"):
        raise ValueError(f"must be either C/F order, not {order!r}")
    strides, step = [0] * len(shape), itemsize
    axes = range(len(shape))
    for axis in reversed(axes) if order == "C" else axes:
        strides[axis] = step
        step *= shape[axis]
    return tuple(strides)


def strides_like(ary):
    """Strides of a contiguous array with the axes of ``ary`` in the same order; None where a plain order does."""
    if ary.flags["C_CONTIGUOUS"] or ary.flags["F_CONTIGUOUS"] or ary.ndim <= 1:
        return None
    strides, step = [0] * ary.ndim, ary.dtype.itemsize
    for axis in sorted(range(ary.ndim), key=lambda axis: ary.strides[axis]):
        strides[axis] = step
        step *= ary.shape[axis]
    return tuple(strides)


def order_like(ary) -> str:
    """The order of a new array like ``ary``."""
    return "F" if ary.flags["F_CONTIGUOUS"] and not ary.flags["C_CONTIGUOUS"] else "C"


def array_layout(ary) -> str:
    """The layout that kernels are compiled for: "C", "F", or "A" where strides are read."""
    if 0 in ary.strides and ary.size != 0:
        return "A"
    if ary.flags["C_CONTIGUOUS"]:
        return "C"
    return "F" if ary.flags["F_CONTIGUOUS"] else "A"


def array_type(ary):
    """The type that kernels see an array as."""
    # Dtypes of records may be equal, and their types not.
    make = _array_type if ary.dtype.names is not None else _known_array_type
    return make(ary.dtype, ary.ndim, array_layout(ary))


def _array_type(dtype, ndim, layout):
    from numbra.core import types

    return types.Array(record_type(dtype), ndim, layout)


_known_array_type = functools.lru_cache(maxsize=256)(_array_type)


def record_type(dtype):
    """The type of elements of a NumPy dtype."""
    from numbra.np.numpy_support import from_dtype

    return from_dtype(dtype)
