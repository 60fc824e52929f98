"""``typeof`` and ``from_dtype``."""

from numbra._numbra import _typeof


def typeof(val, purpose=None):
    """The type of a Python value as an argument."""
    ty = _typeof(val)
    if ty is None:
        raise ValueError(f"Cannot determine Numba type of {type(val)}")
    return ty


def from_dtype(dtype):
    """The type of elements of a NumPy dtype."""
    import numpy

    return typeof(numpy.empty(0, dtype)).dtype
