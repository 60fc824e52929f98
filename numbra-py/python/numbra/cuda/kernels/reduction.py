"""``cuda.reduce``: combines the elements of an array by a function of two values."""

import numpy as np
from numbra import cuda

_THREADS = 128  # of a block; a power of two
_BLOCKS = 256  # at most, in the first of two launches


def _kernel(functor, element):
    """The kernel that combines an array into as many values as it has blocks."""
    combine = cuda.jit(device=True)(functor)

    @cuda.jit
    def reduce_blocks(array, partials, init, use_init):
        shared = cuda.shared.array(_THREADS, element)
        thread = cuda.threadIdx.x
        first = cuda.grid(1)
        if first < array.size:
            value = array[first]
            for i in range(first + cuda.gridsize(1), array.size, cuda.gridsize(1)):
                value = combine(value, array[i])
            shared[thread] = value
        cuda.syncthreads()
        # Threads that have a value: those past the end of the array do not.
        filled = min(_THREADS, array.size - cuda.blockIdx.x * _THREADS)
        width = _THREADS // 2
        while width > 0:
            if thread < width and thread + width < filled:
                shared[thread] = combine(shared[thread], shared[thread + width])
            cuda.syncthreads()
            width //= 2
        if thread == 0:
            if use_init and cuda.blockIdx.x == 0:
                partials[0] = combine(shared[0], init)
            else:
                partials[cuda.blockIdx.x] = shared[0]

    return reduce_blocks


class Reduce:
    """A reduction by `functor`, which should be associative; its kernel is compiled once for each dtype."""

    def __init__(self, functor):
        self._functor = functor
        self._kernels = {}

    def _kernel_of(self, dtype):
        if dtype not in self._kernels:
            from numbra.np.numpy_support import from_dtype

            self._kernels[dtype] = _kernel(self._functor, from_dtype(dtype))
        return self._kernels[dtype]

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        """Combines the first `size` elements (all, where it is not given) of an array with one axis, and `init`.

        The array may lie on the host or on the device. The result is given back, or written to the first element of
        the device array `res`, which waits for nothing.
        """
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        if size is not None:
            arr = arr[:size]
        init = arr.dtype.type(init)
        if arr.size == 0:
            if res is None:
                return init
            res[:1].copy_to_device(np.array([init]), stream=stream)
            return None
        if not cuda.is_cuda_array(arr):
            arr = cuda.to_device(np.ascontiguousarray(arr), stream=stream)
        kernel = self._kernel_of(arr.dtype)
        blocks = min(-(-arr.size // _THREADS), _BLOCKS)
        partials = cuda.device_array(blocks, dtype=arr.dtype, stream=stream)
        kernel[blocks, _THREADS, stream](arr, partials, init, True)
        if blocks > 1:
            result = cuda.device_array(1, dtype=arr.dtype, stream=stream)
            kernel[1, _THREADS, stream](partials, result, init, False)
        else:
            result = partials
        if res is not None:
            res[:1].copy_to_device(result, stream=stream)
            return None
        host = result.copy_to_host(stream=stream)
        if stream:
            stream.synchronize()
        return host[0]


reduce = Reduce
