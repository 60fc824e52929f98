"""Sizes of the chunks of parallel loops, set by functions and by a context manager, in compiled code too."""

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra, parallel_chunksize
from numbra.core.errors import CompilerError, TypingError, UnsupportedBytecodeError


@pytest.fixture(autouse=True)
def threads():
    """Two threads at least, also on a machine with one processor; chunks are the runtime's choice before and after."""
    old = _numbra._max_threads()
    _numbra._set_max_threads(4)
    nb.config.NUMBA_NUM_THREADS = 4
    nb.set_num_threads(4)
    assert nb.get_parallel_chunksize() == 0
    yield
    left = nb.set_parallel_chunksize(0)
    _numbra._set_max_threads(old)
    nb.config.NUMBA_NUM_THREADS = old
    nb.set_num_threads(old)
    assert left == 0


def serial_loops(function):
    return [what for _, _, _, what, *_ in _numbra._parallel_loops(function, 0) if what is not None]


@nb.njit
def size():
    return nb.get_parallel_chunksize()


@nb.njit
def exchange(n):
    return nb.set_parallel_chunksize(n)


@nb.njit(parallel=True)
def threads_of(n):
    """Which thread ran each iteration."""
    ids = np.zeros(n, np.int64)
    for i in nb.prange(n):
        ids[i] = nb.get_thread_id()
    return ids


def chunks(ids):
    """Iterations before another thread takes over, at least."""
    return np.diff(np.flatnonzero(np.diff(ids, prepend=-1, append=-1)))


def test_in_python():
    assert nb.set_parallel_chunksize(7) == 0
    assert size() == 7
    assert nb.set_parallel_chunksize(0) == 7
    with parallel_chunksize(5):
        assert (nb.get_parallel_chunksize(), size()) == (5, 5)
    assert nb.get_parallel_chunksize() == 0
    with pytest.raises(ValueError, match="chunksize must be greater than or equal to zero"):
        nb.set_parallel_chunksize(-1)
    with pytest.raises(TypeError, match="The parallel chunksize must be an integer"):
        nb.set_parallel_chunksize(1.5)


def test_in_compiled_code():
    assert (exchange(3), size(), nb.get_parallel_chunksize(), exchange(0)) == (0, 3, 3, 3)
    assert exchange.nopython_signatures[0].return_type is nb.uint32
    assert size.nopython_signatures[0].return_type is nb.uint32
    with pytest.raises(ValueError, match="chunksize must be greater than or equal to zero"):
        exchange(-1)
    with pytest.raises(TypingError, match="The parallel chunksize must be an integer"):
        exchange(1.5)


def test_chunks_have_the_size():
    with parallel_chunksize(100):
        ids = threads_of(10_000)
    assert (chunks(ids) % 100 == 0).all()
    assert len(chunks(ids)) > 1 or len(set(ids)) == 1


def test_loops_inside_of_loops_are_cut_by_the_runtime():
    @nb.njit(parallel=True)
    def f(n):
        sizes = np.zeros(n, np.int64)
        for i in nb.prange(n):
            sizes[i] = nb.get_parallel_chunksize()
        return sizes

    with parallel_chunksize(4):
        assert set(f(100)) == {0}
        assert nb.get_parallel_chunksize() == 4


def test_a_block_sets_it_and_sets_it_back():
    @nb.njit(parallel=True)
    def f(n):
        with nb.parallel_chunksize(n):
            outer = nb.get_parallel_chunksize()
            with parallel_chunksize(3):
                inner = nb.get_parallel_chunksize()
            again = nb.get_parallel_chunksize()
        return outer, inner, again, nb.get_parallel_chunksize()

    assert f(8) == f.py_func(8) == (8, 3, 8, 0)


def test_loops_in_a_block_run_in_parallel():
    @nb.njit(parallel=True)
    def f(n):
        ids = np.zeros(n, np.int64)
        with parallel_chunksize(n // 10):
            total = 0
            for i in nb.prange(n):
                total += i
                ids[i] = nb.get_thread_id()
        return ids, total

    ids, total = f(1000)
    assert (chunks(ids) % 100 == 0).all()
    assert total == 499_500
    assert serial_loops(f) == []


def test_ways_out_of_a_block():
    @nb.njit
    def returned(n):
        with parallel_chunksize(n):
            return nb.get_parallel_chunksize()

    @nb.njit
    def left_early(n):
        for i in range(n):
            with parallel_chunksize(i):
                if i == 2:
                    continue
                if nb.get_parallel_chunksize() == 4:
                    break
        return i

    assert returned(8) == returned.py_func(8) == 8
    assert left_early(9) == left_early.py_func(9) == 4


@pytest.mark.parametrize("options", [{}, {"parallel": True}])
def test_exceptions_leave_a_block(options):
    @nb.njit(**options)
    def f(a):
        with parallel_chunksize(10):
            for i in nb.prange(a.size):
                if a[i] > 50:
                    raise ValueError("large")
        return nb.get_parallel_chunksize()

    assert f(np.zeros(1000)) == 0
    with pytest.raises(ValueError, match="large"):
        f(np.arange(1000.0))
    if options:
        assert serial_loops(f) == []


def test_exceptions_of_loops_in_blocks_are_caught_around_them():
    @nb.njit(parallel=True)
    def f(a):
        found = 0
        try:
            with parallel_chunksize(10):
                for i in nb.prange(a.size):
                    if a[i] > 50:
                        raise ValueError("large")
            found = 1
        except Exception:
            found = 2
        return found, nb.get_parallel_chunksize()

    assert f(np.zeros(1000)) == (1, 0)
    assert f(np.arange(1000.0)) == (2, 0)


def test_wrong_sizes():
    @nb.njit
    def f(n):
        with parallel_chunksize(n):
            pass

    with pytest.raises(ValueError, match="chunksize must be greater than or equal to zero"):
        f(-1)
    with pytest.raises(TypingError, match="The parallel chunksize must be an integer"):
        f(1.5)


def two_sizes(n):
    with parallel_chunksize(n, 2):
        pass


def a_keyword(n):
    with parallel_chunksize(n=n):
        pass


def a_name(n):
    with parallel_chunksize(n) as m:
        return m


def no_size(n):
    with parallel_chunksize:
        pass


def no_block(n):
    return parallel_chunksize(n)


def other_manager(n):
    def parallel_chunksize(n):
        return n

    with parallel_chunksize(n):
        pass


@pytest.mark.parametrize(
    ("function", "error", "message"),
    [
        (two_sizes, TypingError, "parallel_chunksize takes only a single integer argument"),
        (a_keyword, TypingError, "parallel_chunksize takes only a single integer argument"),
        (
            a_name,
            UnsupportedBytecodeError,
            r"The 'with .* as .*' construct is not supported",
        ),
        (no_size, CompilerError, "Unsupported context manager in use"),
        (no_block, TypingError, "can only be used in a `with` statement"),
        (other_manager, CompilerError, "Unsupported context manager in use"),
    ],
)
def test_what_is_refused(function, error, message):
    with pytest.raises(error, match=message):
        nb.njit(function)(1)


def test_other_functions_of_the_name_are_no_managers():
    namespace = {"parallel_chunksize": nb.njit(lambda n: n)}
    exec("def f(n):\n    with parallel_chunksize(n):\n        pass", namespace)
    with pytest.raises(TypingError, match="Unsupported context manager in use"):
        nb.njit(namespace["f"])(1)
