"""What the tests of parallel loops share."""

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra


def parallel(function):
    return nb.njit(parallel=True)(function)


def check(function, *args, rtol=0.0):
    """The parallel function gives what the serial one does, on one thread and on all."""
    expected = nb.njit(function)(*args)
    compiled = parallel(function)
    for threads in (1, nb.config.NUMBA_NUM_THREADS):
        old = nb.get_num_threads()
        nb.set_num_threads(threads)
        try:
            got = compiled(*args)
        finally:
            nb.set_num_threads(old)
        np.testing.assert_allclose(np.asarray(got), np.asarray(expected), rtol=rtol)
    assert loops(compiled)
    return compiled


def loops(compiled, index=0):
    """(why it is serial or None, reductions) of each loop."""
    found = _numbra._parallel_loops(compiled, index)
    return [(serial, reductions) for _, _, what, serial, reductions, _ in found if what == "prange"]


def all_parallel(compiled):
    return all(serial is None for serial, _ in loops(compiled))


N = 100_003


@pytest.fixture(autouse=True, scope="module")
def four_threads():
    """Two threads at least, also on a machine with one processor."""
    old = _numbra._max_threads()
    _numbra._set_max_threads(4)
    nb.config.NUMBA_NUM_THREADS = 4
    nb.set_num_threads(4)
    yield
    _numbra._set_max_threads(old)
    nb.config.NUMBA_NUM_THREADS = old
    nb.set_num_threads(old)


def of_reductions(compiled):
    return sum(what == "reduction" for _, _, what, *_ in _numbra._parallel_loops(compiled, 0))


def of_elements(compiled):
    return sum(what == "array expression" for _, _, what, *_ in _numbra._parallel_loops(compiled, 0))
