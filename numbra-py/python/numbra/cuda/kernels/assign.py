"""Assigning to parts of device arrays."""

import functools

#: Dimensions that the kernel knows; arrays of fewer get dimensions of length 1, of more are assigned part by part.
NDIM = 3


@functools.cache
def _kernel():
    """One element a thread, by its number in row-major order."""
    from numbra import cuda

    @cuda.jit
    def assign(left, right):
        number = cuda.grid(1)
        if number < left.size:
            k = number % left.shape[2]
            rest = number // left.shape[2]
            j = rest % left.shape[1]
            i = rest // left.shape[1]
            of_i = i if right.shape[0] > 1 else 0
            of_j = j if right.shape[1] > 1 else 0
            of_k = k if right.shape[2] > 1 else 0
            left[i, j, k] = right[of_i, of_j, of_k]

    return assign


def _padded(ary, ndim):
    """The array with dimensions of length 1 in front."""
    missing = ndim - ary.ndim
    if not missing:
        return ary
    return type(ary)(
        (1,) * missing + ary.shape,
        (ary.dtype.itemsize,) * missing + ary.strides,
        ary.dtype,
        stream=ary.stream,
        gpu_data=ary.gpu_data,
        _offset=ary._offset,
    )


def assign(left, right, stream):
    """``left[...] = right`` for device arrays, of which ``right`` is spread where it has length 1.

    Without a stream, it is done on return.
    """
    from numbra.cuda.cudadrv import devices

    on = stream or devices.get_context().get_default_stream()
    _assign(_padded(left, max(left.ndim, NDIM)), _padded(right, max(left.ndim, NDIM)), on)
    if not stream:
        on.synchronize()


def _assign(left, right, stream):
    if left.ndim > NDIM:
        for i in range(left.shape[0]):
            _assign(left[i], right[i if right.shape[0] > 1 else 0], stream)
        return
    _kernel().forall(left.size, stream=stream)(left, right)
