"""Arrays kept between numbers: arithmetic of arrays, which an array expression around it takes in."""

import numpy as np
from rows import body


@body(np.clip, when="Array, Real | None, Real | None, None")
def clip_to_numbers(a, a_min, a_max, out):
    """Limits become numbers of the array's type, which keeps their order."""
    if a_max is None:
        return np.maximum(a, a.dtype.type(a_min))
    if a_min is None:
        return np.minimum(a, a.dtype.type(a_max))
    return np.minimum(np.maximum(a, a.dtype.type(a_min)), a.dtype.type(a_max))


@body(np.clip, when="Array, Real | None, Real | None, None")
def clip_to_wider_numbers(a, a_min, a_max, out):
    """Limits of a wider type decide in that type."""
    if a_max is None:
        return np.maximum(a, a_min).astype(a.dtype)
    if a_min is None:
        return np.minimum(a, a_max).astype(a.dtype)
    return np.minimum(np.maximum(a, a_min), a_max).astype(a.dtype)
