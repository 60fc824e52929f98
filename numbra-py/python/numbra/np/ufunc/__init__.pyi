"""Ufuncs."""

from typing import Any

from numbra.np.ufunc.decorators import guvectorize as guvectorize
from numbra.np.ufunc.decorators import vectorize as vectorize
from numbra.np.ufunc.parallel import get_num_threads as get_num_threads
from numbra.np.ufunc.parallel import get_parallel_chunksize as get_parallel_chunksize
from numbra.np.ufunc.parallel import get_thread_id as get_thread_id
from numbra.np.ufunc.parallel import set_num_threads as set_num_threads
from numbra.np.ufunc.parallel import set_parallel_chunksize as set_parallel_chunksize
from numbra.np.ufunc.parallel import threading_layer as threading_layer

def __getattr__(name: str) -> Any: ...
