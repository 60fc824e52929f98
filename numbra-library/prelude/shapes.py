"""Arrays of another shape."""

import numpy as np
from rows import function


@function(np.matrix_transpose, when="Array", effects="read, raise")
def matrix_transpose(x):
    """The last two axes exchanged, a view; ValueError if there are no two."""
    if x.ndim < 2:
        raise ValueError("Input array must be at least 2-dimensional")
    return np.swapaxes(x, -1, -2)
