"""DLPack: device arrays passed between libraries without copies."""

import numpy as np
from numbra.core.errors import NumbaNotImplementedError
from numbra.cuda.cudadrv import enums
from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.np.numpy_support import bfloat16_dtype, is_bfloat16

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13

#: Devices whose memory kernels reach.
_REACHED = (CUDA, CUDA_HOST, CUDA_MANAGED)

#: DLPack's codes of NumPy's kinds.
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5, "b": 6}
_KINDS = {code: kind for kind, code in _CODES.items()}
#: Of bfloat16, which is no type of NumPy.
_BFLOAT = 4


def is_on_device(obj) -> bool:
    """Whether an object gives DLPack tensors of memory that kernels reach."""
    device = getattr(obj, "__dlpack_device__", None)
    return device is not None and hasattr(obj, "__dlpack__") and device()[0] in _REACHED


def export(ary, stream, max_version, dl_device, copy):
    """What ``ary.__dlpack__`` returns."""
    kind = _BFLOAT if is_bfloat16(ary.dtype) else _CODES.get(ary.dtype.kind)
    if kind is None or not ary.dtype.isnative:
        raise BufferError(f"DLPack has no type like {ary.dtype}")
    device = ary.__dlpack_device__()
    if dl_device is not None and tuple(dl_device) != device:
        raise BufferError(f"the array is on device {device}, not on {tuple(dl_device)}")
    if copy:
        raise BufferError("copies are not made; use copy_to_device")
    itemsize = ary.dtype.itemsize
    if any(stride % itemsize for stride in ary.strides):
        raise BufferError(f"strides {ary.strides} are not multiples of {itemsize} bytes")
    _order_after(ary, stream)
    return _cuda.dlpack_export(
        ary,
        ary._pointer,
        ary.shape,
        [stride // itemsize for stride in ary.strides],
        (kind, itemsize * 8, 1),
        device,
        versioned=max_version is not None and max_version[0] >= 1,
    )


def _order_after(ary, stream):
    """Has the consumer's stream wait for the array's; -1 asks for no waiting, None is the default stream."""
    producer = ary.stream
    if stream == -1 or not producer:
        return
    from numbra.cuda.cudadrv.streams import named_stream

    pointer, consumer = named_stream(producer), 1 if stream is None else int(stream)
    if pointer == consumer:
        return
    event = _cuda.cuEventCreate(enums.CU_EVENT_DISABLE_TIMING)
    try:
        _cuda.cuEventRecord(event, pointer)
        _cuda.cuStreamWaitEvent(consumer, event, 0)
    finally:
        _cuda.cuEventDestroy(event)


def from_dlpack(obj, stream=0):
    """A device array over the memory of an object with ``__dlpack__``, or of a capsule, which stays as long.

    The producer orders its work before what comes later in ``stream``.
    """
    from numbra.cuda.cudadrv import devices, driver
    from numbra.cuda.cudadrv.devicearray import DeviceNDArray

    context = devices.get_context()
    capsule = _capsule(obj, stream) if hasattr(obj, "__dlpack__") else obj
    pointer, shape, strides, (code, bits, lanes), device, read_only, owner = _cuda.dlpack_import(capsule)
    if device[0] not in _REACHED:
        raise BufferError(f"the tensor is on a device of kind {device[0]}, which kernels do not reach")
    if device[0] == CUDA and device[1] != context.device.id:
        raise BufferError(f"the tensor is on device {device[1]}; the current one is {context.device.id}")
    dtype = _dtype(code, bits, lanes)
    if strides is None:
        strides, step = [], 1
        for length in reversed(shape):
            strides.insert(0, step)
            step *= length
    strides = tuple(stride * dtype.itemsize for stride in strides)
    size = driver.memory_size_from_info(shape, strides, dtype.itemsize)
    memory = driver.MemoryPointer(context, pointer, size, owner=owner)
    ary = DeviceNDArray(shape, strides, dtype, stream=stream, gpu_data=memory)
    ary.read_only = read_only
    return ary


def _capsule(obj, stream):
    from numbra.cuda.cudadrv.streams import named_stream

    consumer = named_stream(stream)
    try:
        return obj.__dlpack__(stream=consumer, max_version=(1, 0))
    except TypeError:
        # Producers from before DLPack 1 know no versions.
        return obj.__dlpack__(stream=consumer)


def _dtype(code, bits, lanes):
    if (code, bits, lanes) == (_BFLOAT, 16, 1):
        try:
            return bfloat16_dtype()
        except NumbaNotImplementedError as error:
            raise BufferError(str(error)) from None
    kind = _KINDS.get(code)
    if kind is None or lanes != 1 or bits % 8:
        raise BufferError(f"no NumPy dtype is like DLPack's type (code {code}, {bits} bits, {lanes} lanes)")
    try:
        return np.dtype(f"{kind}{bits // 8}")
    except TypeError:
        raise BufferError(f"no NumPy dtype is like DLPack's type (code {code}, {bits} bits)") from None
