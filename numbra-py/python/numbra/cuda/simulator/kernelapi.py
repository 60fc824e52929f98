"""What kernels call: ``cuda.grid``, ``cuda.shared``, ``cuda.atomic`` and the rest.

A `FakeCUDAModule` holds the kernel API of one launch. The names in ``numbra.cuda`` are `KernelName`: they stand for the
same name in the module of the launch that the calling thread belongs to. So they work however a kernel has got hold of
them, and several launches can run at once.
"""

import sys
import threading

import numpy as np
from numbra.cuda.simulator.atomics import FakeCUDAAtomic
from numbra.cuda.simulator.fp16 import FakeCUDAFp16
from numbra.cuda.simulator.vector_types import vector_types

_state = threading.local()


def running_thread():
    """The `BlockThread` that the caller runs in; None on the host."""
    return getattr(_state, "thread", None)


def set_running_thread(thread) -> None:
    """Makes `thread` the one that the caller runs in."""
    _state.thread = thread


def _thread(name: str):
    thread = running_thread()
    if thread is None:
        raise NotImplementedError(f"cuda.{name} cannot be used in host code")
    return thread


class Dim3:
    """Three numbers: an index or a size in a grid."""

    __slots__ = ("x", "y", "z")

    def __init__(self, x, y, z):
        self.x, self.y, self.z = x, y, z

    def __str__(self):
        return f"({self.x}, {self.y}, {self.z})"

    def __repr__(self):
        return f"Dim3{self}"

    def __iter__(self):
        yield self.x
        yield self.y
        yield self.z


class GridGroup:
    """All threads of a grid; a cooperative grid has one block here."""

    def sync(self):
        """Waits for every thread of the grid."""
        _thread("cg").syncthreads()


class FakeCUDACg:
    """Cooperative groups."""

    def this_grid(self):
        """The group of all threads of the grid."""
        return GridGroup()


def _dtype(dtype, alignment) -> np.dtype:
    if alignment is not None:
        raise RuntimeError("Array alignment is not supported in cudasim")
    from numbra.core.types import Type

    if isinstance(dtype, Type):
        from numbra.np.numpy_support import as_dtype

        dtype = as_dtype(dtype)
    return np.dtype(dtype)


def _in_kernel(array):
    """Records have attributes in kernels."""
    from numbra.cuda.simulator.cudadrv.devicearray import FakeCUDAArray, FakeWithinKernelCUDAArray

    return array if array.dtype.names is None else FakeWithinKernelCUDAArray(FakeCUDAArray(array))


class FakeCUDALocal:
    """Arrays of a thread."""

    def array(self, shape, dtype, alignment=None):
        """A new array, with any values in it."""
        return _in_kernel(np.empty(shape, _dtype(dtype, alignment)))


class FakeCUDAConst:
    """Constant memory."""

    def array_like(self, ary):
        """The array itself."""
        return _in_kernel(ary)


class FakeCUDAShared:
    """Arrays of a block.

    An allocation is known by the place in the code that makes it, with its shape and type: every thread that comes by
    gets the same array, and so does a loop.
    """

    def __init__(self, dynshared_size):
        self._dynamic = np.zeros(dynshared_size, dtype=np.byte)
        self._allocations = {}
        self._lock = threading.Lock()

    def array(self, shape, dtype, alignment=None):
        """The array of this place; of size 0, the dynamic shared memory seen as `dtype`."""
        dtype = _dtype(dtype, alignment)
        if shape in (0, (0,)):
            count = self._dynamic.nbytes // dtype.itemsize
            return self._dynamic[: count * dtype.itemsize].view(dtype)
        caller = sys._getframe(1)
        place = caller.f_code, caller.f_lasti, shape, dtype
        with self._lock:
            array = self._allocations.get(place)
            if array is None:
                array = self._allocations[place] = _in_kernel(np.empty(shape, dtype))
        return array


def _bits(value) -> tuple[int, int]:
    """The value as an unsigned integer, and its width: a register has 32 bits or 64."""
    wide = value.dtype.itemsize == 8 if isinstance(value, np.generic) else not -(2**31) <= value < 2**32
    width = 64 if wide else 32
    return int(value) & (2**width - 1), width


class FakeCUDAModule:
    """The kernel API of one launch."""

    def __init__(self, grid_dim, block_dim, dynshared_size):
        self.gridDim, self.blockDim = Dim3(*grid_dim), Dim3(*block_dim)
        self.cg = FakeCUDACg()
        self.local = FakeCUDALocal()
        self.const = FakeCUDAConst()
        self.atomic = FakeCUDAAtomic()
        self.fp16 = FakeCUDAFp16()
        self._dynshared_size = dynshared_size
        for name, vector_type in vector_types.items():
            for each in (name, *vector_type.aliases):
                setattr(self, each, vector_type)

    @property
    def shared(self):
        return _thread("shared").shared

    @property
    def threadIdx(self):
        return _thread("threadIdx").threadIdx

    @property
    def blockIdx(self):
        return _thread("blockIdx").blockIdx

    @property
    def warpsize(self):
        return 32

    @property
    def laneid(self):
        return _thread("laneid").thread_id % 32

    def syncthreads(self):
        _thread("syncthreads").syncthreads()

    def syncthreads_count(self, val):
        return _thread("syncthreads_count").syncthreads_count(val)

    def syncthreads_and(self, val):
        return _thread("syncthreads_and").syncthreads_and(val)

    def syncthreads_or(self, val):
        return _thread("syncthreads_or").syncthreads_or(val)

    def threadfence(self):
        """Nothing to do: memory is coherent."""

    threadfence_block = threadfence_system = threadfence

    def nanosleep(self, ns):
        """Lets other threads run."""
        import time

        time.sleep(ns * 1e-9)

    def popc(self, val):
        return _bits(val)[0].bit_count()

    def brev(self, val):
        bits, width = _bits(val)
        return int(f"{bits:0{width}b}"[::-1], 2)

    def clz(self, val):
        bits, width = _bits(val)
        return width - bits.bit_length()

    def ffs(self, val):
        bits, _ = _bits(val)
        return (bits & -bits).bit_length()

    def fma(self, a, b, c):
        return a * b + c

    def cbrt(self, a):
        return np.cbrt(a)

    def selp(self, a, b, c):
        return b if a else c

    def _places(self, name, n, values):
        if n == 1:
            return values[0]
        if n in (2, 3):
            return values[:n]
        raise RuntimeError(f"{name} has 1-3 dimensions. {n} requested")

    def grid(self, n):
        thread = _thread("grid")
        places = zip(thread.blockIdx, self.blockDim, thread.threadIdx, strict=True)
        return self._places("Global ID", n, tuple(block * size + index for block, size, index in places))

    def gridsize(self, n):
        sizes = zip(self.blockDim, self.gridDim, strict=True)
        return self._places("Global grid", n, tuple(block * grid for block, grid in sizes))


class KernelName:
    """A name of the kernel API, such as ``cuda.threadIdx``: that of the running launch."""

    def __init__(self, name):
        self._name = name

    def _found(self):
        return getattr(_thread(self._name).module, self._name)

    def __call__(self, *args, **kwargs):
        return self._found()(*args, **kwargs)

    def __getattr__(self, attribute):
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        return getattr(self._found(), attribute)

    def __iter__(self):
        return iter(self._found())

    def __repr__(self):
        return f"<cuda.{self._name}>" if running_thread() is None else str(self._found())


#: The names that `KernelName` serves; ``laneid`` and ``warpsize`` are numbers, and looked up at each use.
KERNEL_NAMES = [
    "threadIdx",
    "blockIdx",
    "blockDim",
    "gridDim",
    "cg",
    "local",
    "const",
    "shared",
    "atomic",
    "fp16",
    "syncthreads",
    "syncthreads_count",
    "syncthreads_and",
    "syncthreads_or",
    "threadfence",
    "threadfence_block",
    "threadfence_system",
    "nanosleep",
    "popc",
    "brev",
    "clz",
    "ffs",
    "fma",
    "cbrt",
    "selp",
    "grid",
    "gridsize",
]


def kernel_number(name):
    """``laneid`` or ``warpsize`` of the calling thread."""
    return getattr(_thread(name).module, name)
