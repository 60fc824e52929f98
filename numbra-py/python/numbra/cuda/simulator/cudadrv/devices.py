"""The simulator's device and its context."""

from collections import namedtuple

import numpy as np

_MemoryInfo = namedtuple("_MemoryInfo", "free,total")
_COMPUTE_CAPABILITY = (5, 2)


class FakeCUDADevice:
    """The device."""

    id = 0
    name = "SIMULATOR"
    uuid = "GPU-00000000-0000-0000-0000-000000000000"
    compute_capability = _COMPUTE_CAPABILITY
    WARP_SIZE = 32
    MULTIPROCESSOR_COUNT = 1


class FakeCUDAContext:
    """The device's context; ``with`` makes it the current one, which it is."""

    compute_capability = _COMPUTE_CAPABILITY

    def __init__(self, device_id):
        self._device_id = device_id
        self._device = FakeCUDADevice()

    def __enter__(self):
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        return None

    def __str__(self):
        return f"<Managed Device {self.id}>"

    @property
    def id(self):
        return self._device_id

    @property
    def device(self):
        return self._device

    def reset(self):
        """Nothing to do: the arrays that are left free themselves."""

    def synchronize(self):
        """Nothing to do: a launch returns when it has run."""

    def get_memory_info(self):
        """No bounds."""
        return _MemoryInfo(float("inf"), float("inf"))

    def memalloc(self, sz):
        """An array of `sz` bytes."""
        return np.ndarray(sz, dtype="u1")

    def memhostalloc(self, sz, mapped=False, portable=False, wc=False):
        """An array of `sz` bytes."""
        return self.memalloc(sz)


class FakeDeviceList:
    """The one device, and whether it has been closed."""

    def __init__(self):
        self.lst = (FakeCUDAContext(0),)
        self.closed = False

    def __getitem__(self, devnum):
        self.closed = False
        return self.lst[devnum]

    def __str__(self):
        return ", ".join(map(str, self.lst))

    def __iter__(self):
        return iter(self.lst)

    def __len__(self):
        return len(self.lst)

    @property
    def current(self):
        return None if self.closed else self.lst[0]


gpus = FakeDeviceList()


def reset():
    """Closes the device; using it opens it again."""
    gpus.closed = True


def get_context(devnum=0):
    """The context of the device."""
    return gpus[devnum or 0]


def require_context(fn):
    """The function itself: there is always a context."""
    return fn
