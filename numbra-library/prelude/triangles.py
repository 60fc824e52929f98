"""Triangles of matrices: the indices
of their elements."""

import numpy as np
from rows import body


@body(np.tril_indices_from, when="ArrayNd(2), Int")
def tril_indices_from(arr, k):
    """Indices of the elements at and below the ``k``-th diagonal."""
    return np.tril_indices(arr.shape[0], k, arr.shape[1])


@body(np.triu_indices_from, when="ArrayNd(2), Int")
def triu_indices_from(arr, k):
    """Indices of the elements at and above the ``k``-th diagonal."""
    return np.triu_indices(arr.shape[0], k, arr.shape[1])
