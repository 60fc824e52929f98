"""The driver: copies between arrays, and names that others import."""


class FakeDriver:
    """One device."""

    def get_device_count(self):
        """1."""
        return 1


driver = FakeDriver()


def device_memset(dst, val, size, stream=0):
    """Sets the first `size` bytes."""
    dst.view("u1")[:size].fill(val & 0xFF)


def host_to_device(dst, src, size, stream=0):
    """Copies the first `size` bytes."""
    dst.view("u1")[:size] = src.view("u1")[:size]


device_to_host = device_to_device = host_to_device


def device_memory_size(obj):
    """The bytes of an array."""
    return obj.itemsize * obj.size


class LinkerError(RuntimeError):
    """An error of linking."""


class NvrtcError(RuntimeError):
    """An error of NVRTC."""


class CudaAPIError(RuntimeError):
    """An error of a call to the driver."""


class _Linker:
    lto = False

    @classmethod
    def new(cls, max_registers=0, lineinfo=False, cc=None):
        return cls()


def launch_kernel(*args, **kwargs):
    """Raises a RuntimeError."""
    raise RuntimeError("Launching kernels directly is not supported in the simulator")


def _have_nvjitlink() -> bool:
    return False
