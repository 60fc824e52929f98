"""Arrays, streams, events and devices: the part of ``numba.cuda`` that does not compile."""

import contextlib
import os

import numpy as np
from numbra._named import names_of
from numbra.core import config
from numbra.cuda.cudadrv import devicearray, devices, driver
from numbra.cuda.cudadrv.devices import gpus, require_context
from numbra.cuda.cudadrv.dlpack import from_dlpack as _from_dlpack
from numbra.cuda.cudadrv.driver import event_elapsed_time  # noqa: F401
from numbra.cuda.cudadrv.error import CudaSupportError
from numbra.cuda.cudadrv.layout import order_like, prepare_shape_strides_dtype, strides_like
from numbra.cuda.cudadrv.runtime import runtime
from numbra.np.numpy_support import is_bfloat16

__getattr__ = names_of(__name__)

current_context = devices.get_context


# --- what there is


def is_available() -> bool:
    """Whether kernels can be compiled and run here. Loads the driver; never raises."""
    from numbra.cuda.cudadrv import nvvm

    try:
        return driver.driver.is_available and nvvm.is_available()
    except CudaSupportError:
        return False


def cuda_error():
    """Why there is no driver, or None."""
    return driver.driver.initialization_error


def is_supported_version() -> bool:
    """Whether numbra is tested with the version of CUDA that the driver supports."""
    return runtime.is_supported_version()


def is_float16_supported() -> bool:
    """Whether kernels may use 16-bit floats: always."""
    return True


def is_bfloat16_supported() -> bool:
    """Whether the current device computes with bfloat16."""
    return current_context().device.supports_bfloat16


def is_fp8_supported() -> bool:
    """Whether the current device computes with 8-bit floats."""
    return current_context().device.supports_fp8


# --- arrays of others


@require_context
def from_cuda_array_interface(desc, owner=None, sync=True):
    """A device array of a ``__cuda_array_interface__``, which keeps ``owner``.

    With ``sync``, waits for the stream that the description names.
    """
    if desc.get("version", 0) >= 1 and desc.get("mask") is not None:
        raise NotImplementedError("Masked arrays are not supported")
    shape, strides, dtype = prepare_shape_strides_dtype(
        desc["shape"], desc.get("strides"), _dtype_of(desc, owner), order="C"
    )
    size = driver.memory_size_from_info(shape, strides, dtype.itemsize)
    data = driver.MemoryPointer(current_context(), int(desc["data"][0] or 0), size, owner=owner)
    stream = desc.get("stream")
    if stream is None:
        stream = 0
    else:
        stream = external_stream(stream)
        if sync and config.CUDA_ARRAY_INTERFACE_SYNC:
            stream.synchronize()
    return devicearray.DeviceNDArray(shape, strides, dtype, stream=stream, gpu_data=data)


def _dtype_of(desc, owner):
    """Records are described field by field; bfloat16 is bytes there, and the owner says what they are."""
    fields = desc.get("descr")
    typestr = np.dtype(desc["typestr"])
    own = getattr(owner, "dtype", None)
    if typestr.kind == "V" and isinstance(own, np.dtype) and is_bfloat16(own):
        return own
    if typestr.kind == "V" and fields and fields[0][0] != "":
        dtype = np.dtype(fields)
        if dtype.itemsize == typestr.itemsize:
            return dtype
    return typestr


def as_cuda_array(obj, sync=True):
    """A device array over the memory of an object with ``__cuda_array_interface__``, which it keeps."""
    interface = getattr(obj, "__cuda_array_interface__", None)
    if interface is None:
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    return from_cuda_array_interface(interface, owner=obj, sync=sync)


def is_cuda_array(obj) -> bool:
    """Whether an object has ``__cuda_array_interface__``."""
    return hasattr(obj, "__cuda_array_interface__")


@require_context
def from_dlpack(obj, stream=0):
    """A device array over the memory of an object with ``__dlpack__``, or of a DLPack capsule, which it keeps."""
    return _from_dlpack(obj, stream)


# --- arrays


@require_context
def to_device(obj, stream=0, copy=True, to=None):
    """A copy of an array, scalar or record on the device, or in the device array ``to``.

    With a stream, it is copied in its order. Without ``copy``, memory is allocated alone.
    """
    if to is None:
        return devicearray.auto_device(obj, stream=stream, copy=copy, user_explicit=True)[0]
    if copy:
        to.copy_to_device(obj, stream=stream)
    return to


@require_context
def device_array(shape, dtype=np.float64, strides=None, order="C", stream=0):
    """A device array with nothing particular in it."""
    shape, strides, dtype = prepare_shape_strides_dtype(shape, strides, dtype, order)
    return devicearray.DeviceNDArray(shape, strides, dtype, stream=stream)


def _host_array(buffer, shape, strides, dtype, cls=np.ndarray):
    if 0 in shape:
        return np.empty(shape, dtype).view(cls)
    return np.ndarray(shape, dtype=dtype, strides=strides, buffer=buffer).view(cls)


@require_context
def managed_array(shape, dtype=np.float64, strides=None, order="C", stream=0, attach_global=True):
    """An array in memory that moves between host and device as it is used.

    With ``attach_global`` any stream of any device reaches it at any time, else the host alone does at first.
    """
    shape, strides, dtype = prepare_shape_strides_dtype(shape, strides, dtype, order)
    size = driver.memory_size_from_info(shape, strides, dtype.itemsize)
    buffer = current_context().memallocmanaged(max(size, 1), attach_global=attach_global)
    ary = _host_array(buffer, shape, strides, dtype, devicearray.ManagedNDArray)
    ary.device_setup(buffer, stream=stream)
    return ary


@require_context
def pinned_array(shape, dtype=np.float64, strides=None, order="C"):
    """An array of the host in page-locked memory, which is copied faster and in the order of streams."""
    shape, strides, dtype = prepare_shape_strides_dtype(shape, strides, dtype, order)
    size = driver.memory_size_from_info(shape, strides, dtype.itemsize)
    buffer = current_context().memhostalloc(max(size, 1))
    return _host_array(buffer, shape, strides, dtype)


@require_context
def mapped_array(shape, dtype=np.float64, strides=None, order="C", stream=0, portable=False, wc=False):
    """An array of the host in page-locked memory that the device sees as well.

    ``portable``: all devices do. ``wc``: write-combined, faster to write for the host and to read for the device.
    """
    shape, strides, dtype = prepare_shape_strides_dtype(shape, strides, dtype, order)
    size = driver.memory_size_from_info(shape, strides, dtype.itemsize)
    buffer = current_context().memhostalloc(max(size, 1), mapped=True, portable=portable, wc=wc)
    ary = _host_array(buffer, shape, strides, dtype, devicearray.MappedNDArray)
    ary.device_setup(buffer, stream=stream)
    return ary


def device_array_like(ary, stream=0):
    """A device array with the shape, type and order of ``ary``."""
    return device_array(ary.shape, ary.dtype, strides_like(ary), order_like(ary), stream=stream)


def mapped_array_like(ary, stream=0, portable=False, wc=False):
    """A mapped array with the shape, type and order of ``ary``."""
    strides, order = strides_like(ary), order_like(ary)
    return mapped_array(ary.shape, ary.dtype, strides, order, stream=stream, portable=portable, wc=wc)


def pinned_array_like(ary):
    """A page-locked array with the shape, type and order of ``ary``."""
    return pinned_array(ary.shape, ary.dtype, strides_like(ary), order_like(ary))


@contextlib.contextmanager
def _locked(arrays, mapped):
    context = current_context()
    locked = []
    try:
        for ary in arrays:
            pointer, size = driver.host_pointer(ary), driver.host_memory_size(ary)
            locked.append(context.mempin(ary, pointer, size, mapped=mapped))
        yield locked
    finally:
        for memory in locked:
            memory.free()


@contextlib.contextmanager
def pinned(*arylist):
    """Page-locks arrays of the host in the block."""
    with _locked(arylist, mapped=False):
        yield


@contextlib.contextmanager
def mapped(*arylist, stream=0):
    """Has the device see arrays of the host in the block: a device array for one, a list of them for several."""
    with _locked(arylist, mapped=True) as locked:
        pairs = zip(arylist, locked, strict=True)
        arrays = [devicearray.from_array_like(ary, stream=stream, gpu_data=memory) for ary, memory in pairs]
        yield arrays[0] if len(arrays) == 1 else arrays


@contextlib.contextmanager
def open_ipc_array(handle, shape, dtype, strides=None, offset=0):
    """A device array over another process's memory, in the block. ``handle`` is the 64 bytes of its handle."""
    dtype = np.dtype(dtype)
    shape = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
    size = int(np.prod(shape)) * dtype.itemsize
    opened = driver.IpcHandle(None, bytes(bytearray(b & 0xFF for b in handle)), size, offset=offset)
    ary = require_context(lambda: opened.open_array(current_context(), shape=shape, strides=strides, dtype=dtype))()
    try:
        yield ary
    finally:
        opened.close()


# --- streams and events


@require_context
def stream():
    """A new stream."""
    return current_context().create_stream()


@require_context
def default_stream():
    """The default stream."""
    return current_context().get_default_stream()


@require_context
def legacy_default_stream():
    """The default stream that all threads share and that other streams wait for."""
    return current_context().get_legacy_default_stream()


@require_context
def per_thread_default_stream():
    """The default stream of this thread."""
    return current_context().get_per_thread_default_stream()


@require_context
def external_stream(ptr):
    """A stream that another library made, of its address. It must stay as long as it is used here."""
    return current_context().create_external_stream(ptr)


@require_context
def event(timing=True):
    """A new event; without ``timing`` it takes no times."""
    return current_context().create_event(timing=timing)


def synchronize():
    """Waits for all work of the current context."""
    return current_context().synchronize()


@contextlib.contextmanager
def defer_cleanup():
    """Frees nothing in the block, because that waits for the device. Blocks nest."""
    with current_context().defer_cleanup():
        yield


profile_start = require_context(driver.profile_start)
profile_stop = require_context(driver.profile_stop)
profiling = require_context(driver.profiling)


# --- devices


def select_device(device_id):
    """Makes a device's context current on this thread, and returns the device."""
    return devices.get_context(device_id).device


def get_current_device():
    """The device of the current context."""
    return current_context().device


def list_devices():
    """All devices."""
    return gpus


def close():
    """Takes all contexts off this thread; from the main thread, destroys them with everything in them."""
    devices.reset()


def detect() -> bool:
    """Prints what devices there are, and returns whether one is supported."""
    print(f"Found {len(gpus)} CUDA devices")
    supported = 0
    for device in gpus:
        cc = device.compute_capability
        if cc < driver.MIN_REQUIRED_CC:
            support = "[NOT SUPPORTED: CC < 3.5]"
        else:
            support = "[SUPPORTED (DEPRECATED)]" if cc < (5, 0) else "[SUPPORTED]"
            supported += 1
        facts = [
            ("Compute Capability", "{}.{}".format(*cc)),
            ("PCI Device ID", device.PCI_DEVICE_ID),
            ("PCI Bus ID", device.PCI_BUS_ID),
            ("UUID", device.uuid),
            ("Watchdog", "Enabled" if device.KERNEL_EXEC_TIMEOUT else "Disabled"),
        ]
        if os.name == "nt":
            facts.append(("Compute Mode", "TCC" if device.TCC_DRIVER else "WDDM"))
        facts += [
            ("FP32/FP64 Performance Ratio", device.SINGLE_TO_DOUBLE_PRECISION_PERF_RATIO),
            ("FP16 Support", "Yes" if device.supports_float16 else "No"),
            ("BF16 Support", "Yes" if device.supports_bfloat16 else "No"),
            ("FP8 Support", "Yes" if device.supports_fp8 else "No"),
        ]
        print(f"id {device.id}    {device.name:>20} {support:>40}")
        for name, value in facts:
            print(f"{name:>40}: {value}")
    print("Summary:")
    print(f"\t{supported}/{len(gpus)} devices are supported")
    return supported > 0


def _auto_device(ary, stream=0, copy=True):
    return devicearray.auto_device(ary, stream=stream, copy=copy)
