"""Threads of parallel loops: how many there are, which one runs, how iterations are cut into chunks.

All settings are those of the calling thread. Compiled code may call the functions too.
"""

import os
from contextlib import contextmanager

from numbra import _numbra
from numbra._named import names_of

_NAMED = ("tbb", "omp", "workqueue")
_LAYERS = ("default", "safe", "forksafe", "threadsafe", *_NAMED)


def _launch_threads():
    """Checks the settings, and has the pool count as started: it makes threads when it needs them."""
    from numbra.core import config

    if config.NUMBA_NUM_THREADS < 1:
        raise ValueError("Number of threads specified must be > 0.")
    priority = config.THREADING_LAYER_PRIORITY
    if sorted(priority) != sorted(_NAMED):
        raise ValueError(f"THREADING_LAYER_PRIORITY invalid: {priority}. It must be a permutation of {set(_NAMED)}")
    layer = str(config.THREADING_LAYER).lower()
    if layer not in _LAYERS:
        raise ValueError(f"The threading layer requested '{layer}' is unknown to Numba.")
    _numbra._start_threads()


def get_num_threads():
    """Threads that the parallel loops of this thread have."""
    _launch_threads()
    return _numbra._num_threads()


def set_num_threads(n):
    """Sets the number of threads that the parallel loops of this thread have.

    Parameters
    ----------
    n : int
        From 1 to ``config.NUMBA_NUM_THREADS``, which the environment sets.
    """
    import operator

    _launch_threads()
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError("The number of threads specified must be an integer") from None
    if not _numbra._set_num_threads(n):
        raise ValueError(f"The number of threads must be between 1 and {_numbra._max_threads()}")


def get_thread_id():
    """Which of its parallel loop's threads this one is, from 0; 0 outside of compiled code."""
    _launch_threads()
    return _numbra._thread_id()


def get_parallel_chunksize():
    """Iterations of a chunk; 0 leaves it to the runtime."""
    _launch_threads()
    return _numbra._chunksize()


def set_parallel_chunksize(n):
    """Sets the iterations of a chunk, and gives the old number.

    Parameters
    ----------
    n : int
        0 leaves it to the runtime.
    """
    import operator

    _launch_threads()
    try:
        n = operator.index(n)
    except TypeError:
        raise TypeError("The parallel chunksize must be an integer") from None
    if n < 0:
        raise ValueError("chunksize must be greater than or equal to zero")
    return _numbra._set_chunksize(n)


@contextmanager
def parallel_chunksize(n):
    """Sets the iterations of a chunk for a ``with`` block.

    Parameters
    ----------
    n : int
        0 leaves it to the runtime.
    """
    old = set_parallel_chunksize(n)
    try:
        yield
    finally:
        _numbra._set_chunksize(old)


def threading_layer():
    """Name of what runs parallel loops: the layer that the environment asks for, else ``numbra``.

    ``NUMBA_THREADING_LAYER`` names one, or ``NUMBA_THREADING_LAYER_PRIORITY`` several, of which the
    first counts. All names stand for the one built-in pool, which is safe for threads and forks.
    """
    from numbra.core import config

    if not _numbra._threads_started():
        raise ValueError("Threading layer is not initialized.")
    _launch_threads()
    layer = str(config.THREADING_LAYER).lower()
    if layer in _NAMED:
        return layer
    if "NUMBA_THREADING_LAYER_PRIORITY" in os.environ:
        return config.THREADING_LAYER_PRIORITY[0]
    return "numbra"


def _check_tbb_version_compatible():
    """Numba's check of the TBB library, which numbra never loads."""
    raise ImportError("numbra does not use TBB: its own pool runs parallel loops")


__getattr__ = names_of(__name__)
