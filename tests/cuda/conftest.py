"""Tests of the CUDA host side on a driver without a GPU. `tests/py/cuda/test_host.py` builds it and runs them."""

import ctypes
import gc
import os

import pytest

# The driver is loaded once in a process, so these tests have one of their own.
if "NUMBRA_FAKE_DRIVER" not in os.environ:
    collect_ignore_glob = ["test_*.py"]


class Launch(ctypes.Structure):
    """What was launched last."""

    _fields_ = (
        ("grid", ctypes.c_uint * 3),
        ("block", ctypes.c_uint * 3),
        ("shared", ctypes.c_uint),
        ("stream", ctypes.c_size_t),
        ("cooperative", ctypes.c_int),
        ("name", ctypes.c_char * 64),
    )


class FakeDriver:
    """Asks the driver what was called, and makes calls fail."""

    OUT_OF_MEMORY, UNKNOWN = 2, 999
    ALLOCATION, HOST, REGISTERED, STREAM, EVENT, MODULE, FUNCTION, IPC, LINKER = range(9)

    def __init__(self, path):
        self._library = ctypes.CDLL(path)
        self._library.fake_count.restype = ctypes.c_long
        self._library.fake_alive.restype = ctypes.c_long
        self._library.fake_last_launch.restype = ctypes.POINTER(Launch)
        self._library.fake_watched.restype = ctypes.POINTER(ctypes.c_uint64)
        self._library.fake_fail.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_long]

    def count(self, name):
        """How often a function was called."""
        return self._library.fake_count(name.encode())

    def fail(self, name, code, times=1):
        """Has a function return an error code the next times."""
        self._library.fake_fail(name.encode(), code, times)

    def alive(self, kind):
        """How many allocations, streams and so on there are."""
        return self._library.fake_alive(kind)

    def last_launch(self):
        """What was launched last."""
        return self._library.fake_last_launch().contents

    def watch(self, count):
        """Has the next launch keep its first `count` parameters, at most 32."""
        self._watching = count
        self._library.fake_watch(count)

    def watched(self):
        """The parameters that were kept, as words."""
        return self._library.fake_watched()[: self._watching]

    def carveout(self):
        """The carveout that was set last."""
        return self._library.fake_carveout()


@pytest.fixture
def fake():
    """The driver, with nothing waiting to be freed and nothing that fails."""
    from numbra import cuda

    gc.collect()
    context = cuda.current_context()
    context.deallocations.clear()
    context.memory_manager.deallocations.clear()
    return FakeDriver(os.environ["NUMBRA_FAKE_DRIVER"])
