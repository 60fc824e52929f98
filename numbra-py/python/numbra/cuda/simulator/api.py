"""Functions of ``numbra.cuda`` on the host, in the simulator."""

from contextlib import contextmanager

from numbra.core import config
from numbra.core.sigutils import is_signature
from numbra.cuda.simulator.args import In, InOut, Out
from numbra.cuda.simulator.cudadrv.devicearray import is_cuda_ndarray
from numbra.cuda.simulator.cudadrv.devices import gpus, require_context, reset
from numbra.cuda.simulator.cudadrv.linkable_code import LTOIR, Archive, Cubin, CUSource, Fatbin, Object, PTXSource
from numbra.cuda.simulator.kernel import FakeCUDAKernel


def select_device(device_id=0):
    """The device, which is number 0."""
    if device_id != 0:
        raise ValueError("the simulator has one device, number 0")
    return gpus[device_id]


def is_float16_supported() -> bool:
    """True."""
    return True


def is_bfloat16_supported() -> bool:
    """False."""
    return False


def is_fp8_supported() -> bool:
    """False."""
    return False


class stream:
    """A stream. Whatever is put on it has run when the call returns."""

    handle = 0

    @contextmanager
    def auto_synchronize(self):
        """Nothing to wait for."""
        yield self

    def synchronize(self):
        """Nothing to wait for."""


default_stream = legacy_default_stream = per_thread_default_stream = stream


def external_stream(ptr):
    """Raises a RuntimeError: there is no GPU whose stream it could be."""
    raise RuntimeError("External streams are unsupported in the simulator")


def synchronize():
    """Nothing to wait for."""


def close():
    """Closes the device; using it opens it again."""
    gpus.closed = True


def declare_device(*args, **kwargs):
    """Nothing: there is no code that could define the function."""


def detect() -> bool:
    """Prints what devices there are."""
    print("Found 1 CUDA devices")
    print(f"id 0    {'SIMULATOR':>20} {'[SUPPORTED]':>40}")
    print(f"{'compute capability':>40}: {'.'.join(map(str, gpus.lst[0].compute_capability))}")
    print(f"{'FP8 Hardware Acceleration':>40}: No")
    return True


def is_cuda_array(obj) -> bool:
    """Whether it is a device array; the simulator knows its own."""
    return is_cuda_ndarray(obj)


def as_cuda_array(obj, sync=True):
    """The device array itself."""
    if not is_cuda_ndarray(obj):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return obj


def list_devices():
    """The one device, in a sequence."""
    return gpus


def get_current_device():
    """The device."""
    return gpus[0].device


class Event:
    """An event; it keeps no time."""

    def __init__(self, timing=True):
        self.timing = timing

    def record(self, stream=0):
        """Nothing to do."""

    def wait(self, stream=0):
        """Nothing to wait for."""

    def synchronize(self):
        """Nothing to wait for."""

    def query(self) -> bool:
        """True: what came before it has run."""
        return True

    def elapsed_time(self, event) -> float:
        """No time is measured: -1."""
        return -1.0


event = Event


def event_elapsed_time(evtstart, evtend) -> float:
    """No time is measured: -1."""
    return evtstart.elapsed_time(evtend)


def jit(
    func_or_sig=None,
    device=False,
    inline="never",
    forceinline=False,
    link=None,
    debug=None,
    opt=None,
    lineinfo=False,
    cache=False,
    launch_bounds=None,
    lto=None,
    shared_memory_carveout=None,
    fastmath=False,
    boundscheck=None,
    extensions=(),
    max_registers=None,
    argtypes=None,
    restype=None,
    **kws,
):
    """``@cuda.jit``: the function becomes a kernel, or a device function, that runs as Python.

    Signatures and what tells a compiler what to do are taken and have no effect.
    """
    if boundscheck:
        raise NotImplementedError("bounds checking is not supported for CUDA")
    if link:
        raise NotImplementedError("Cannot link PTX in the simulator")
    debug = config.CUDA_DEBUGINFO_DEFAULT if debug is None else debug

    def decorate(function):
        return FakeCUDAKernel(function, device=device, fastmath=fastmath, extensions=extensions, debug=debug)

    if func_or_sig is None or isinstance(func_or_sig, list) or is_signature(func_or_sig):
        return decorate
    return decorate(func_or_sig)


@contextmanager
def defer_cleanup():
    """Nothing to do: nothing is freed late."""
    yield


def is_supported_version() -> bool:
    """True: there is no CUDA to be of a version."""
    return True


def profile_start():
    """Nothing to do: there is no profiler."""


def profile_stop():
    """Nothing to do: there is no profiler."""


@contextmanager
def profiling():
    """Nothing to do: there is no profiler."""
    yield


# Loads and stores with a hint for the cache.
ldca = ldcg = ldcs = ldlu = ldcv = stcg = stcs = stwb = stwt = None

__all__ = [
    "LTOIR",
    "Archive",
    "CUSource",
    "Cubin",
    "Event",
    "Fatbin",
    "In",
    "InOut",
    "Object",
    "Out",
    "PTXSource",
    "as_cuda_array",
    "close",
    "declare_device",
    "default_stream",
    "defer_cleanup",
    "detect",
    "event",
    "event_elapsed_time",
    "external_stream",
    "get_current_device",
    "gpus",
    "is_bfloat16_supported",
    "is_cuda_array",
    "is_float16_supported",
    "is_fp8_supported",
    "is_supported_version",
    "jit",
    "ldca",
    "ldcg",
    "ldcs",
    "ldcv",
    "ldlu",
    "legacy_default_stream",
    "list_devices",
    "per_thread_default_stream",
    "profile_start",
    "profile_stop",
    "profiling",
    "require_context",
    "reset",
    "select_device",
    "stcg",
    "stcs",
    "stream",
    "stwb",
    "stwt",
    "synchronize",
]
