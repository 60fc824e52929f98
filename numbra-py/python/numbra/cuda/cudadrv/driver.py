"""The CUDA driver, under the names that programs import from ``numba.cuda.cudadrv.driver``."""

import contextlib
import sys
import threading

from numbra._named import names_of
from numbra.cuda.cudadrv import enums
from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.context import MIN_REQUIRED_CC, Context, Device
from numbra.cuda.cudadrv.deallocations import SIZE_NOT_SET as _SizeNotSet
from numbra.cuda.cudadrv.deallocations import PendingDeallocs as _PendingDeallocs
from numbra.cuda.cudadrv.error import (
    CudaAPIError,
    CudaDriverError,
    CudaSupportError,
    DeadMemoryError,
    LinkerError,
)
from numbra.cuda.cudadrv.hostmem import (
    host_memory_extents,
    host_memory_size,
    host_pointer,
    memory_size_from_info,
)
from numbra.cuda.cudadrv.ipc import IpcHandle
from numbra.cuda.cudadrv.managers import (
    BaseCUDAMemoryManager,
    GetIpcHandleMixin,
    HostOnlyCUDAMemoryManager,
    MemoryInfo,
    NumbaCUDAMemoryManager,
    set_memory_manager,
)
from numbra.cuda.cudadrv.memory import (
    AutoFreePointer,
    ManagedMemory,
    ManagedOwnedPointer,
    MappedMemory,
    MappedOwnedPointer,
    MemoryPointer,
    OwnedPointer,
    PinnedMemory,
)
from numbra.cuda.cudadrv.modules import FuncAttr, Function, Module
from numbra.cuda.cudadrv.streams import Event, Stream, event_elapsed_time
from numbra.cuda.cudadrv.streams import stream_handle as _stream_handle

__getattr__ = names_of(__name__)

CU_STREAM_DEFAULT = enums.CU_STREAM_DEFAULT
SUPPORTS_IPC = sys.platform.startswith("linux")

#: Names of error codes.
ERROR_MAP = {code: name for name, code in enums.ERRORS.items()}


def _have_nvjitlink() -> bool:
    """Whether NVIDIA's link-time optimiser is used: numbra optimises whole kernels itself."""
    return False


class Driver:
    """The driver: its functions as methods that take and return numbers, and raise ``CudaAPIError``.

    It is loaded when the first is asked for.
    """

    def __init__(self):
        self.devices = {}
        self._lock = threading.RLock()
        #: Whether loading the driver was tried, and why there is none.
        self.is_initialized = False
        self._initialization_error = None

    def __getattr__(self, name):
        if not name.startswith("cu") or not hasattr(_cuda, name):
            if name.startswith("cu") and name[2:3].isupper():
                raise CudaDriverError(f"Driver missing function: {name}")
            raise AttributeError(name)
        self.ensure_initialized()
        function = getattr(_cuda, name)
        setattr(self, name, function)
        return function

    def ensure_initialized(self):
        """Loads the driver, or raises ``CudaSupportError``."""
        if not self.is_initialized:
            with self._lock:
                self._initialize()
        if self._initialization_error is not None:
            raise CudaSupportError(f"Error at driver init: {self._initialization_error}")

    def _initialize(self):
        if self.is_initialized:
            return
        try:
            self.cuInit(0)
        except CudaAPIError as error:
            self._initialization_error = f"{error.msg} ({error.code})"
        except CudaSupportError as error:
            self._initialization_error = error.msg.removeprefix("Error at driver init: ")
        # Last: other threads that see it go on.
        self.is_initialized = True

    def cuInit(self, flags):
        """Loads the driver and initialises it."""
        _cuda.init()

    @property
    def initialization_error(self):
        """Why there is no driver, or None."""
        with contextlib.suppress(CudaSupportError):
            self.ensure_initialized()
        return self._initialization_error

    @property
    def is_available(self) -> bool:
        """Whether there is a driver that works."""
        return self.initialization_error is None

    def get_device(self, devnum=0):
        """The device of a number."""
        device = self.devices.get(devnum)
        if device is None:
            with self._lock:
                device = self.devices.get(devnum)
                if device is None:
                    device = self.devices[devnum] = Device(devnum)
        return device

    def get_device_count(self) -> int:
        """How many devices this process may use."""
        return self.cuDeviceGetCount()

    def list_devices(self):
        """The devices asked for so far."""
        return list(self.devices.values())

    def reset(self):
        """Resets the devices asked for so far."""
        for device in self.devices.values():
            device.reset()

    def pop_active_context(self):
        """Removes the current context from this thread and returns its handle; None if there is none."""
        return self.cuCtxPopCurrent() if self.cuCtxGetCurrent() else None

    def get_active_context(self):
        """A context manager that gives the current context's handle and device, see :class:`_ActiveContext`."""
        return _ActiveContext()

    def get_version(self) -> tuple:
        """Major and minor version of CUDA that the driver supports."""
        version = self.cuDriverGetVersion()
        return version // 1000, version % 1000 // 10


class _ActiveContext:
    """The current context in a block: ``context_handle`` and ``devnum``, both None if there is none."""

    def __enter__(self):
        self.context_handle = driver.cuCtxGetCurrent() or None
        self.devnum = None if self.context_handle is None else driver.cuCtxGetDevice()
        return self

    def __exit__(self, exc_type, exc_val, exc_tb):
        pass

    def __bool__(self):
        return self.context_handle is not None


driver = Driver()


def get_version() -> tuple:
    """Major and minor version of CUDA that the driver supports."""
    return driver.get_version()


def is_device_memory(obj) -> bool:
    """Whether an object is device memory or a device array: it says so by ``__cuda_memory__``."""
    return bool(getattr(obj, "__cuda_memory__", False))


def require_device_memory(obj):
    """An error unless the object is device memory."""
    if not is_device_memory(obj):
        raise Exception("Not a CUDA memory object.")


def device_ctypes_pointer(obj):
    """The address of device memory as a ``ctypes.c_size_t``."""
    if obj is None:
        from ctypes import c_size_t

        return c_size_t(0)
    require_device_memory(obj)
    return obj.device_ctypes_pointer


def device_pointer(obj) -> int:
    """The address of device memory, 0 for none."""
    return device_ctypes_pointer(obj).value


def device_extents(devmem) -> tuple:
    """Addresses of the begin and end of the allocation that device memory is in."""
    start, size = driver.cuMemGetAddressRange(device_pointer(devmem))
    return start, start + size


def device_memory_size(devmem) -> int:
    """Bytes of device memory."""
    size = getattr(devmem, "_cuda_memsize_", None)
    if size is None and hasattr(devmem, "alloc_size"):
        return devmem.alloc_size
    if size is None:
        start, end = device_extents(devmem)
        size = devmem._cuda_memsize_ = end - start
    return size


def get_devptr_for_active_ctx(ptr) -> int:
    """The address by which the current context reaches what any address is of."""
    return driver.cuPointerGetAttribute(enums.CU_POINTER_ATTRIBUTE_DEVICE_POINTER, ptr) if ptr else 0


def host_to_device(dst, src, size, stream=0):
    """Copies from the host; with a stream, in its order, and ``src`` must stay until that is done."""
    args = device_pointer(dst), host_pointer(src, readonly=True), size
    if stream:
        driver.cuMemcpyHtoDAsync(*args, _stream_handle(stream))
    else:
        driver.cuMemcpyHtoD(*args)


def device_to_host(dst, src, size, stream=0):
    """Copies to the host; with a stream, in its order, and ``dst`` must stay until that is done."""
    args = host_pointer(dst), device_pointer(src), size
    if stream:
        driver.cuMemcpyDtoHAsync(*args, _stream_handle(stream))
    else:
        driver.cuMemcpyDtoH(*args)


def device_to_device(dst, src, size, stream=0):
    """Copies on the device; with a stream, in its order."""
    args = device_pointer(dst), device_pointer(src), size
    if stream:
        driver.cuMemcpyDtoDAsync(*args, _stream_handle(stream))
    else:
        driver.cuMemcpyDtoD(*args)


def device_memset(dst, val, size, stream=0):
    """Sets bytes; with a stream, in its order."""
    args = device_pointer(dst), val & 0xFF, size
    if stream:
        driver.cuMemsetD8Async(*args, _stream_handle(stream))
    else:
        driver.cuMemsetD8(*args)


def profile_start():
    """Has profilers collect from now on."""
    driver.cuProfilerStart()


def profile_stop():
    """Has profilers collect no more."""
    driver.cuProfilerStop()


@contextlib.contextmanager
def profiling():
    """Has profilers collect in the block."""
    profile_start()
    try:
        yield
    finally:
        profile_stop()


def _have_nvjitlink() -> bool:
    """Whether code is linked at run time by NVIDIA's library for that. numbra's code is whole when it is made."""
    return False


__all__ = [
    "CU_STREAM_DEFAULT",
    "ERROR_MAP",
    "MIN_REQUIRED_CC",
    "SUPPORTS_IPC",
    "AutoFreePointer",
    "BaseCUDAMemoryManager",
    "Context",
    "CudaAPIError",
    "CudaDriverError",
    "CudaSupportError",
    "DeadMemoryError",
    "Device",
    "Driver",
    "Event",
    "FuncAttr",
    "Function",
    "GetIpcHandleMixin",
    "HostOnlyCUDAMemoryManager",
    "IpcHandle",
    "LinkerError",
    "ManagedMemory",
    "ManagedOwnedPointer",
    "MappedMemory",
    "MappedOwnedPointer",
    "MemoryInfo",
    "MemoryPointer",
    "Module",
    "NumbaCUDAMemoryManager",
    "OwnedPointer",
    "PinnedMemory",
    "Stream",
    "_PendingDeallocs",
    "_SizeNotSet",
    "_stream_handle",
    "device_ctypes_pointer",
    "device_extents",
    "device_memory_size",
    "device_memset",
    "device_pointer",
    "device_to_device",
    "device_to_host",
    "driver",
    "event_elapsed_time",
    "get_devptr_for_active_ctx",
    "get_version",
    "host_memory_extents",
    "host_memory_size",
    "host_pointer",
    "host_to_device",
    "is_device_memory",
    "memory_size_from_info",
    "profile_start",
    "profile_stop",
    "profiling",
    "require_device_memory",
    "set_memory_manager",
]
