"""``vectorize`` and ``guvectorize``: compiled functions as NumPy ufuncs."""

from numbra.np.ufunc.decorators import GUVectorize, Vectorize, guvectorize, vectorize
from numbra.np.ufunc.loops import PyUFunc_None, PyUFunc_One, PyUFunc_ReorderableNone, PyUFunc_Zero

__all__ = [
    "GUVectorize",
    "PyUFunc_None",
    "PyUFunc_One",
    "PyUFunc_ReorderableNone",
    "PyUFunc_Zero",
    "Vectorize",
    "guvectorize",
    "vectorize",
]
