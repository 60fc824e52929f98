"""`numbra` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def carray(ptr: Any, shape: Any, dtype: Any = None) -> Any:
    r"""The memory at a pointer as an array in C order; `dtype` must be given for a `void*`. The memory stays its owner's."""

def farray(ptr: Any, shape: Any, dtype: Any = None) -> Any:
    r"""As `carray`, in Fortran order."""

def get_num_threads() -> Any:
    r"""Threads that this thread's parallel loops have."""

def get_parallel_chunksize() -> Any:
    r"""Iterations of a chunk of this thread's parallel loops; 0 leaves it to the runtime."""

def get_thread_id() -> Any:
    r"""Which of its parallel loop's threads this one is, from 0; 0 outside."""

def parallel_chunksize(n: Any) -> Any:
    r"""`with parallel_chunksize(n):` sets the iterations of a chunk for a block."""

def pndindex(*shape: Any) -> Any:
    r"""`ndindex(..)` whose iterations may run in parallel, in functions compiled with `parallel=True`."""

def prange(start: Any, stop: Any = ..., step: Any = ...) -> Any:
    r"""`range(..)` whose iterations may run in parallel, in functions compiled with `parallel=True`."""

def set_num_threads(n: Any) -> Any:
    r"""Sets the number of threads of this thread's parallel loops; ValueError unless it is from 1 to `NUMBA_NUM_THREADS`."""

def set_parallel_chunksize(n: Any) -> Any:
    r"""Sets the iterations of a chunk of this thread's parallel loops, and gives the old number."""

