"""Device arrays for kernels that compute element by element: copies of the host's, and views with other axes."""

import numpy as np
from numbra.core import config


def is_on_device(obj) -> bool:
    """Whether an object is an array of a device, of numbra's or of other code's."""
    # Not by `__cuda_array_interface__` where that need not be made.
    return hasattr(obj, "__cuda_ndarray__") or (
        type(obj) is not np.ndarray and hasattr(obj, "__cuda_array_interface__")
    )


def as_device_array(obj):
    """The device array of an object that :func:`is_on_device`. One of numbra's is itself: that waits for no stream."""
    if hasattr(obj, "__cuda_ndarray__"):
        return obj
    from numbra import cuda

    return cuda.as_cuda_array(obj)


def seen_by_kernels(ary):
    """The device array of one that the host shares; any other as it is."""
    of_device = getattr(ary, "as_device_array", None)
    return ary if of_device is None else of_device()


def on_device(obj, stream=0):
    """A device array of an array of a device or of the host, which is copied in row-major order."""
    from numbra import cuda

    return as_device_array(obj) if is_on_device(obj) else cuda.to_device(np.asarray(obj, order="C"), stream=stream)


def view(ary, shape, strides):
    """An array of other axes over the memory of a device array, from the same first element."""
    if config.ENABLE_CUDASIM:
        from numbra.cuda.cudadrv.devicearray import FakeCUDAArray

        return FakeCUDAArray(np.lib.stride_tricks.as_strided(ary._ary, shape, strides), ary.stream)
    if shape == ary.shape and (strides == ary.strides or ary.size == 1):
        return ary
    if all(length == 1 for length in shape):
        strides = (ary.dtype.itemsize,) * len(shape)
    return seen_by_kernels(ary)._restrided(shape, strides)


def is_number(dtype) -> bool:
    """Whether kernels take numbers of a dtype as Python's, which launches pass fastest, and convert them."""
    return dtype.kind in "biufc" and dtype != np.float16


def broadcast_strides(ary, shape) -> tuple:
    """The strides that spread an array over a shape."""
    missing = len(shape) - ary.ndim
    spread = (
        0 if length == 1 and to != 1 else stride
        for length, stride, to in zip(ary.shape, ary.strides, shape[missing:], strict=True)
    )
    return (0,) * missing + tuple(spread)


def coalesced(shape, strides, ordered=True) -> tuple[tuple, list[tuple]]:
    """Fewer axes that arrays of one shape can be walked along: the shape, and the strides of each.

    Axes of length 1 go, and an axis joins the next where all arrays step over it as over a longer one. If ``ordered``,
    axes are brought into the order of the first array's memory.
    """
    lengths: list[int] = []
    steps: list[tuple] = []
    axes = list(zip(shape, zip(*strides, strict=True), strict=True))
    if ordered:
        axes.sort(key=lambda axis: -abs(axis[1][0]))
    for length, of_each in axes:
        if length == 1:
            continue
        if steps and all(outer == inner * length for outer, inner in zip(steps[-1], of_each, strict=True)):
            lengths[-1] *= length
            steps[-1] = of_each
        else:
            lengths.append(length)
            steps.append(of_each)
    if not lengths:
        lengths, steps = [1], [tuple(1 for _ in strides)]
    return tuple(lengths), list(zip(*steps, strict=True))


def packed(ary, stream=0):
    """A copy of a device array in row-major order."""
    from numbra import cuda

    copy = cuda.device_array(ary.shape, ary.dtype, stream=stream)
    copy.setitem(..., ary, stream=stream)
    return copy


def to_host(ary, target, stream=0):
    """Copies a contiguous device array to ``target``, an array of the host, or to a new one if that is None."""
    if target is None or target.strides == ary.strides:
        return ary.copy_to_host(target, stream=stream)
    target[...] = ary.copy_to_host(stream=stream)
    return target
