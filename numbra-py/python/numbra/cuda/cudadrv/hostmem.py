"""Where objects of the host lie in memory."""

import numpy as np


def _as_array(obj):
    return obj if isinstance(obj, (np.ndarray, np.generic)) else np.asarray(obj)


def host_pointer(obj, readonly: bool = False) -> int:
    """Address of the first byte of an array, NumPy scalar or buffer; a whole number is an address already.

    Without ``readonly`` the memory must be writable.
    """
    if isinstance(obj, int):
        return obj
    ary = _as_array(obj)
    address, is_readonly = ary.__array_interface__["data"]
    # Records are scalars whose memory is their own.
    if is_readonly and not readonly and not isinstance(ary, np.generic):
        raise ValueError("the array is read-only")
    return address


def extents_of(shape, strides, itemsize: int) -> tuple:
    """First byte and end of what an array spans, from its first element on."""
    begin, end = 0, itemsize
    for length, stride in zip(shape, strides, strict=True):
        if length == 0:
            return 0, 0
        if stride < 0:
            begin += (length - 1) * stride
        else:
            end += (length - 1) * stride
    return begin, end


def memory_size_from_info(shape, strides, itemsize: int) -> int:
    """Bytes that an array spans."""
    begin, end = extents_of(shape, strides, itemsize)
    return end - begin


def host_memory_extents(obj) -> tuple:
    """Addresses of the first byte and of the end of an array."""
    ary = _as_array(obj)
    address = ary.__array_interface__["data"][0]
    begin, end = extents_of(ary.shape, ary.strides, ary.dtype.itemsize)
    return address + begin, address + end


def host_memory_size(obj) -> int:
    """Bytes that an array spans."""
    ary = _as_array(obj)
    return memory_size_from_info(ary.shape, ary.strides, ary.dtype.itemsize)
