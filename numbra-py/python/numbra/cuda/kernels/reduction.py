"""Reducing device arrays with a function of two values: ``cuda.reduce``."""

import functools
import threading

import numpy as np
from numbra._named import names_of
from numbra.core import config
from numbra.cuda.views import is_number, is_on_device, on_device, seen_by_kernels

__getattr__ = names_of(__name__)

#: Threads of a block, and the elements that each of them reads at once. In the simulator each thread is one of the
#: operating system.
THREADS, UNROLL = 32 if config.ENABLE_CUDASIM else 512, 8
#: The elements that a block reads at once.
TILE = THREADS * UNROLL
#: Blocks for each multiprocessor: as many as it holds.
_BLOCKS_PER_MULTIPROCESSOR = 2
#: Kernels that are kept; and for each, launch configurations, and in each thread, memory for partial results.
_KERNELS, _CONFIGURATIONS, _SCRATCH = 256, 128, 16


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


def _itself(value):
    return value


def _kernel(functor, ty):
    """The kernel for a function and element type: each block combines its part of the first ``count`` elements of
    ``values`` to one of ``results``.

    Blocks read tile after tile. Each thread combines elements of the same place in tiles, and then its places. What
    does not fill a tile falls to the block whose turn it is; only a block with nothing else may have threads without a
    value, all after those with one.
    """
    from numbra import cuda
    from numbra.core import types
    from numbra.np.numpy_support import as_dtype

    op = _core(functor, ty)
    shuffled = ty in (types.int32, types.int64, types.float32, types.float64) and not config.ENABLE_CUDASIM
    of_block = (_warp_combiner if shuffled else _shared_combiner)(op, ty)
    threads, tile_size = THREADS, TILE

    dtype = np.dtype(as_dtype(ty))
    element = dtype.type if is_number(dtype) else cuda.jit(device=True)(_itself)

    @cuda.jit(launch_bounds=(THREADS, _BLOCKS_PER_MULTIPROCESSOR))
    def reduce(values, count, results, init, use_init):
        thread = cuda.threadIdx.x
        tile = cuda.blockIdx.x
        tiles = count // tile_size
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
            live = min(threads, count - tile * tile_size)
            a = values[min(at, count - 1)]
            at += threads
        if tile == tiles:
            while at < count:
                a = op(a, values[at])
                at += threads
        a = of_block(a, live)
        if thread == 0:
            if use_init:
                a = op(a, element(init))
            results[cuda.blockIdx.x] = a

    return reduce


@functools.lru_cache(maxsize=_KERNELS)
def _reduction(functor, dtype):
    """The reduction with a function of elements of a dtype."""
    from numbra.np.numpy_support import from_dtype

    return _Reduction(_kernel(functor, from_dtype(dtype)), dtype)


class _Reduction:
    """A kernel and how it is launched: on many blocks, whose results one block combines. Nothing waits for the device.

    Partial results are in memory that is kept for each thread and stream, whose launches are done in their order.
    """

    def __init__(self, kernel, dtype):
        self._kernel, self._dtype = kernel, dtype
        self._configured = {}
        self._scratch = threading.local()

    def launch(self, values, count, target, init, stream):
        """Reduces the first elements of a device array, at least one, to the first of ``target``, or where that is
        None of an array that holds it until the next launch in the thread and stream. Returns it."""
        most, scratch = self._memory(stream)
        blocks = min(-(-count // TILE), most)
        use_init = init is not None
        init = self._dtype.type() if init is None else init
        if is_number(self._dtype):
            init = init.item()
        if blocks > 1:
            self._on(blocks, stream)(values, count, scratch, init, False)
            values, count = scratch, blocks
        target = scratch if target is None else target
        self._on(1, stream)(values, count, target, init, use_init)
        return target

    def _memory(self, stream):
        """How many blocks there are at most, and memory for a result of each."""
        from numbra import cuda

        context = cuda.current_context()
        key = stream, None if config.ENABLE_CUDASIM else context.handle
        kept = self._scratch.__dict__
        found = kept.get(key)
        if found is None or not _is_alive(found[1]):
            # The simulator runs one block after the other.
            multiprocessors = 1 if config.ENABLE_CUDASIM else context.device.MULTIPROCESSOR_COUNT
            most = multiprocessors * _BLOCKS_PER_MULTIPROCESSOR
            if len(kept) >= _SCRATCH:
                kept.clear()
            found = kept[key] = most, cuda.device_array(most, self._dtype, stream=stream)
        return found

    def _on(self, blocks, stream):
        """The kernel configured for so many blocks; it is no matter that they are few."""
        key = blocks, stream
        found = self._configured.get(key)
        if found is None:
            if len(self._configured) >= _CONFIGURATIONS:
                self._configured.clear()
            found = self._configured[key] = self._configure(blocks, stream)
        return found

    def _configure(self, blocks, stream):
        if config.ENABLE_CUDASIM:
            return self._kernel[blocks, THREADS, stream]
        from numbra.cuda.launch import LaunchConfiguration

        class Unwarned(LaunchConfiguration):
            def _warn_few_blocks(self):
                pass

        return Unwarned(self._kernel, blocks, THREADS, stream)


def _is_alive(ary) -> bool:
    """Whether the memory of a device array is still there: its context was not reset."""
    if config.ENABLE_CUDASIM:
        return True
    from numbra.cuda.cudadrv.calls import driver_calls as _cuda

    epoch = ary.gpu_data._epoch
    return epoch is None or _cuda.is_running(epoch)


def reduce_on_device(functor, values, count, target=None, init=None, stream=0):
    """Reduces the first ``count`` elements, at least one, of a one-dimensional device array: to the first element of
    ``target``, or to a number that is returned."""
    result = _reduction(functor, values.dtype).launch(values, count, target, init, stream)
    if target is not None:
        return None
    if config.ENABLE_CUDASIM:
        return result[0]
    from numbra.cuda.cudadrv import driver

    element = np.empty(1, values.dtype)
    driver.device_to_host(element, result, element.nbytes, stream=stream)
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
            arr = seen_by_kernels(on_device(arr))
        if arr.ndim != 1:
            raise TypeError("only support 1D array")
        count = arr.size if size is None else len(range(arr.size)[:size])
        init = arr.dtype.type(init)
        if res is not None:
            res = _target(res, arr.dtype)
        if count == 0:
            if res is None:
                return init
            res.setitem(0, init, stream=stream)
            return None
        if not is_on_device(arr):
            arr = on_device(arr[:count], stream)
        return reduce_on_device(self._functor, arr, count, res, init, stream)


def _target(res, dtype):
    """The array for the result."""
    if not is_on_device(res):
        raise TypeError(f"res must be a device array, not {type(res).__name__}")
    res = seen_by_kernels(on_device(res))
    if res.dtype != dtype:
        raise TypeError(f"incompatible dtype: {res.dtype} vs. {dtype}")
    if res.ndim != 1 or res.size == 0:
        raise ValueError(f"res must have one axis, and a place for the result, and has shape {res.shape}")
    return res


reduce = Reduce

__all__ = ["Reduce", "reduce"]
