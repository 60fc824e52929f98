"""``vectorize`` and ``guvectorize``: compiled functions as NumPy ufuncs."""

from numbra._named import names_of
from numbra.np.ufunc.decorators import GUVectorize, Vectorize, guvectorize, vectorize
from numbra.np.ufunc.loops import PyUFunc_None, PyUFunc_One, PyUFunc_ReorderableNone, PyUFunc_Zero
from numbra.np.ufunc.parallel import (
    get_num_threads,
    get_parallel_chunksize,
    get_thread_id,
    set_num_threads,
    set_parallel_chunksize,
    threading_layer,
)

__all__ = [
    "GUVectorize",
    "PyUFunc_None",
    "PyUFunc_One",
    "PyUFunc_ReorderableNone",
    "PyUFunc_Zero",
    "Vectorize",
    "get_num_threads",
    "get_parallel_chunksize",
    "get_thread_id",
    "guvectorize",
    "set_num_threads",
    "set_parallel_chunksize",
    "threading_layer",
    "vectorize",
]

__getattr__ = names_of(__name__)
