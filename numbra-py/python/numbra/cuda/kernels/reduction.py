"""Reducing device arrays with a function of two values: ``cuda.reduce``."""

import functools

from numbra.core import config
from numbra.cuda.views import is_on_device, on_device, seen_by_kernels

#: Threads of a block, and the elements that each of them reads at once. In the simulator each thread is one of the
#: operating system.
THREADS, UNROLL = 32 if config.ENABLE_CUDASIM else 512, 8
#: The elements that a block reads at once.
TILE = THREADS * UNROLL
#: Blocks for each multiprocessor: as many as it holds.
_BLOCKS_PER_MULTIPROCESSOR = 2
#: Kernels that are kept.
_KERNELS = 256


def _core(functor, ty):
    """The function as device code that takes and gives values of the type."""
    from numbra import cuda

    def call(a, b):
        return functor(a, b)

    functor = getattr(functor, "py_func", functor)
    python = hasattr(functor, "__code__")  # builtins are called from a function
    return cuda.jit(ty(ty, ty), device=True)(functor if python else call)


def _warp_combiner(op, ty):
    """Combines the values of the first ``live`` threads of a block, for the first thread: with shuffles."""
    from numbra import cuda

    full, warp, warps = 0xFFFFFFFF, 32, THREADS // 32

    @cuda.jit(device=True)
    def of_warp(value, live):
        lane = cuda.laneid
        distance = warp // 2
        while distance > 0:
            other = cuda.shfl_down_sync(full, value, distance)
            if lane + distance < live:
                value = op(value, other)
            distance //= 2
        return value

    @cuda.jit(device=True)
    def of_block(value, live):
        values = cuda.shared.array(warps, ty)
        thread = cuda.threadIdx.x
        number = thread // warp
        value = of_warp(value, live - number * warp)
        if thread % warp == 0:
            values[number] = value
        cuda.syncthreads()
        if number == 0:
            value = of_warp(values[min(thread, warps - 1)], (live + warp - 1) // warp)
        return value

    return of_block


def _shared_combiner(op, ty):
    """As :func:`_warp_combiner`, for values that cannot be shuffled."""
    from numbra import cuda

    threads = THREADS

    @cuda.jit(device=True)
    def of_block(value, live):
        values = cuda.shared.array(threads, ty)
        thread = cuda.threadIdx.x
        values[thread] = value
        cuda.syncthreads()
        distance = threads // 2
        while distance > 0:
            if thread < distance and thread + distance < live:
                values[thread] = op(values[thread], values[thread + distance])
            cuda.syncthreads()
            distance //= 2
        return values[thread]

    return of_block


@functools.lru_cache(maxsize=_KERNELS)
def _kernel(functor, ty):
    """The kernel for a function and element type: each block combines its part of ``values`` to one element of
    ``results``.

    Blocks read tile after tile. Each thread combines elements of the same place in tiles, and then its places. What
    does not fill a tile falls to the block whose turn it is; only a block with nothing else may have threads without a
    value, all after those with one.
    """
    from numbra import cuda
    from numbra.core import types

    op = _core(functor, ty)
    shuffled = ty in (types.int32, types.int64, types.float32, types.float64) and not config.ENABLE_CUDASIM
    of_block = (_warp_combiner if shuffled else _shared_combiner)(op, ty)
    threads, tile_size = THREADS, TILE

    @cuda.jit(launch_bounds=(THREADS, _BLOCKS_PER_MULTIPROCESSOR))
    def reduce(values, results, init, use_init):
        thread = cuda.threadIdx.x
        tile = cuda.blockIdx.x
        tiles = values.size // tile_size
        live = threads
        at = tile * tile_size + thread
        if tile < tiles:
            a = values[at]
            b = values[at + threads]
            c = values[at + 2 * threads]
            d = values[at + 3 * threads]
            e = values[at + 4 * threads]
            f = values[at + 5 * threads]
            g = values[at + 6 * threads]
            h = values[at + 7 * threads]
            tile += cuda.gridDim.x
            while tile < tiles:
                at = tile * tile_size + thread
                a = op(a, values[at])
                b = op(b, values[at + threads])
                c = op(c, values[at + 2 * threads])
                d = op(d, values[at + 3 * threads])
                e = op(e, values[at + 4 * threads])
                f = op(f, values[at + 5 * threads])
                g = op(g, values[at + 6 * threads])
                h = op(h, values[at + 7 * threads])
                tile += cuda.gridDim.x
            a = op(op(op(a, b), op(c, d)), op(op(e, f), op(g, h)))
            at = tile * tile_size + thread
        else:
            live = min(threads, values.size - tile * tile_size)
            a = values[min(at, values.size - 1)]
            at += threads
        if tile == tiles:
            while at < values.size:
                a = op(a, values[at])
                at += threads
        a = of_block(a, live)
        if thread == 0:
            if use_init:
                a = op(a, init)
            results[cuda.blockIdx.x] = a

    return reduce


def reduce_on_device(functor, values, target=None, init=None, stream=0):
    """Reduces a one-dimensional device array that is not empty to the first element of ``target``, or of a new array,
    which is returned; nothing waits for the device."""
    from numbra import cuda
    from numbra.np.numpy_support import from_dtype

    ty = from_dtype(values.dtype)
    kernel = _kernel(functor, ty)
    if target is None:
        target = cuda.device_array(1, values.dtype, stream=stream)
    blocks = min(-(-values.size // TILE), _multiprocessors() * _BLOCKS_PER_MULTIPROCESSOR)
    if blocks > 1:
        partial = cuda.device_array(blocks, values.dtype, stream=stream)
        _launch(kernel, ty, blocks, seen_by_kernels(values), partial, None, stream)
        values = partial
    _launch(kernel, ty, 1, seen_by_kernels(values), target, init, stream)
    return target


def _multiprocessors() -> int:
    """Multiprocessors of the device; the simulator runs one block after the other."""
    from numbra import cuda

    return 1 if config.ENABLE_CUDASIM else cuda.get_current_device().MULTIPROCESSOR_COUNT


def _launch(kernel, ty, blocks, values, results, init, stream):
    """Runs a kernel on so many blocks, without a warning where they are few."""
    from numbra.core import types

    use_init = init is not None
    args = values, results, init if use_init else values.dtype.type(), use_init
    if config.ENABLE_CUDASIM:  # where there is nothing to compile
        kernel[blocks, THREADS, stream](*args)
        return
    compiled = kernel.compile((values._numba_type_, results._numba_type_, ty, types.boolean))
    compiled.launch(args, blocks, THREADS, stream)


def read(result, stream=0):
    """The first element of a device array, when what was launched has made it."""
    element = result.copy_to_host(stream=stream)
    if stream:
        stream.synchronize()
    return element[0]


class Reduce:
    """A reduction with a function of two values: ``cuda.reduce(lambda a, b: a + b)(array)``.

    The function must be associative and commutative: the order in which elements are combined is not said. It is
    compiled once for each element type.
    """

    def __init__(self, functor):
        self._functor = functor

    def __call__(self, arr, size=None, res=None, init=0, stream=0):
        """The elements of a one-dimensional array of the host or a device, and ``init``, combined.

        ``size``: how many elements, from the first, instead of all. ``res``: a device array that gets the result as
        its first element; then nothing waits for the device, and None is returned. ``stream``: where kernels run.
        """
        if is_on_device(arr):
            arr = on_device(arr)
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        if size is not None:
            arr = arr[:size]
        init = arr.dtype.type(init)
        if res is not None:
            res = _target(res, arr.dtype)
        if arr.size < 1:
            if res is not None:
                res.setitem(0, init, stream=stream)
                return None
            return init
        result = reduce_on_device(self._functor, on_device(arr, stream), res, init, stream)
        return read(result, stream) if res is None else None


def _target(res, dtype):
    """The first element of the array for the result."""
    if not is_on_device(res):
        raise TypeError(f"res must be a device array, not {type(res).__name__}")
    res = on_device(res)
    if res.dtype != dtype:
        raise TypeError(f"incompatible dtype: {res.dtype} vs. {dtype}")
    return seen_by_kernels(res[:1])


reduce = Reduce

__all__ = ["Reduce", "reduce"]
