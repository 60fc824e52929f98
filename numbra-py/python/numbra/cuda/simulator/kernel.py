"""Kernels in the simulator, and the threads that run them.

Each thread of a block is a thread of the operating system that runs the kernel's Python function; blocks run one after
the other. A barrier opens when all threads of the block that have not returned wait at it.
"""

import copy
import functools
import sys
import threading
import types
from contextlib import nullcontext

import numpy as np
from numbra.cuda.errors import normalize_kernel_dimensions
from numbra.cuda.simulator.args import ArgHint, InOut
from numbra.cuda.simulator.cudadrv.devicearray import FakeCUDAArray, FakeWithinKernelCUDAArray
from numbra.cuda.simulator.kernelapi import Dim3, FakeCUDAModule, FakeCUDAShared, running_thread, set_running_thread
from numbra.cuda.simulator.output import end_of_thread, whole_lines

#: How long a launch that fails waits for its other threads, which are told to stop at their next barrier.
_STOP_SECONDS = 0.5


class FakeOverload:
    """What a kernel has for each signature."""

    def max_cooperative_grid_blocks(self, blockdim, dynsmemsize=0):
        """One: blocks do not run at the same time."""
        return 1


class FakeOverloadDict(dict):
    """Has every signature: no kernel is compiled."""

    def __getitem__(self, key):
        return FakeOverload()


class FakeCUDAKernel:
    """A function under ``@cuda.jit``."""

    def __init__(self, fn, device, fastmath=False, extensions=(), debug=False):
        self.fn = fn
        self._device = device
        self._fastmath = fastmath
        self._debug = debug
        self.extensions = list(extensions)
        self.grid_dim = self.block_dim = None
        self.stream = 0
        self.dynshared_size = 0
        functools.update_wrapper(self, fn)

    def __get__(self, obj, objtype=None):
        return self if obj is None else types.MethodType(self, obj)

    def __call__(self, *args, **keywords):
        if self._device or running_thread() is not None:
            return self.fn(*args, **keywords)
        if keywords:
            raise TypeError(f"kernels take no keyword arguments: {', '.join(keywords)}")
        grid_dim, block_dim = normalize_kernel_dimensions(self.grid_dim, self.block_dim)
        after = []
        values = [self._argument(arg, after) for arg in args]
        module = FakeCUDAModule(grid_dim, block_dim, self.dynshared_size)
        with whole_lines():
            for place in np.ndindex(*grid_dim[::-1]):
                BlockManager(self.fn, grid_dim, block_dim, self._debug, module).run(place[::-1], *values)
        for action in after:
            action()
        return None

    def _argument(self, arg, after):
        """What the kernel gets for an argument; `after` takes what has to be done when it has run."""
        for extension in self.extensions:
            _, arg = extension.prepare_args(None, arg, stream=0, retr=after)
        return _as_argument(arg, after)

    def __getitem__(self, configuration):
        if not isinstance(configuration, tuple) or not 2 <= len(configuration) <= 4:
            raise ValueError("must specify at least the griddim and blockdim")
        configured = copy.copy(self)
        configured.grid_dim, configured.block_dim = normalize_kernel_dimensions(*configuration[:2])
        if len(configuration) > 2:
            configured.stream = configuration[2]
        if len(configuration) > 3:
            configured.dynshared_size = configuration[3]
        return configured

    def configure(self, griddim, blockdim, stream=0, sharedmem=0):
        """The kernel with a launch configuration."""
        return self[griddim, blockdim, stream, sharedmem]

    def bind(self):
        """Nothing to do: no code is loaded."""

    def specialize(self, *args):
        """The kernel itself: no code is compiled."""
        return self

    def forall(self, ntasks, tpb=0, stream=0, sharedmem=0):
        """The kernel over `ntasks` threads, one in a block."""
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        return self[ntasks, 1, stream, sharedmem]

    @property
    def overloads(self):
        return FakeOverloadDict()

    @property
    def py_func(self):
        return self.fn


def _as_argument(arg, after):
    if isinstance(arg, tuple):
        values = [_as_argument(value, after) for value in arg]
        return type(arg)(*values) if hasattr(arg, "_fields") else tuple(values)
    if isinstance(arg, np.ndarray) and arg.ndim > 0:
        arg = InOut(arg)
    if isinstance(arg, ArgHint):
        arg = arg.to_device(after)
    elif isinstance(arg, np.void):
        arg = FakeCUDAArray(arg)
    return FakeWithinKernelCUDAArray(arg) if isinstance(arg, FakeCUDAArray) else arg


class BlockThread(threading.Thread):
    """A thread of a block."""

    def __init__(self, f, manager, blockIdx, threadIdx, debug):
        super().__init__(target=f, daemon=True)
        self._manager = manager
        self.module, self.shared = manager.module, manager.shared
        self.blockIdx, self.threadIdx = Dim3(*blockIdx), Dim3(*threadIdx)
        self.debug = debug
        self.exception = None
        width, height, _ = manager._block_dim
        self.thread_id = self.threadIdx.x + width * (self.threadIdx.y + height * self.threadIdx.z)

    def run(self):
        outside = running_thread()
        set_running_thread(self)
        try:
            # Integers wrap round without a warning; in debug mode division by zero is an error.
            with np.errstate(over="ignore"), np.errstate(divide="raise") if self.debug else nullcontext():
                super().run()
        except BaseException as error:
            self.exception = self._placed(error), sys.exc_info()[2]
        finally:
            end_of_thread()
            set_running_thread(outside)
            self._manager.returned(self)

    def _placed(self, error):
        """The error, with the thread and the block it happened in."""
        if not isinstance(error, Exception):
            return error
        place = f"tid={list(self.threadIdx)} ctaid={list(self.blockIdx)}"
        message = f"{place}: {error}" if str(error) else place
        try:
            return type(error)(message)
        except Exception:
            return RuntimeError(f"{place}: {type(error).__name__}: {error}")

    def syncthreads(self):
        """Waits for the other threads of the block."""
        self._manager.wait()

    def _vote(self, value, decide):
        votes = self._manager.block_state
        votes[tuple(self.threadIdx)] = value != 0
        self.syncthreads()
        result = int(decide(votes))
        self.syncthreads()
        return result

    def syncthreads_count(self, value):
        """A barrier; in how many threads the value is not zero."""
        return self._vote(value, np.count_nonzero)

    def syncthreads_and(self, value):
        """A barrier; 1 where no thread has zero."""
        return self._vote(value, np.all)

    def syncthreads_or(self, value):
        """A barrier; 1 where not all threads have zero."""
        return self._vote(value, np.any)

    def __str__(self):
        return f"Thread <<<{self.blockIdx}, {self.threadIdx}>>>"


class BlockManager:
    """Runs one block."""

    def __init__(self, f, grid_dim, block_dim, debug, module):
        self._f, self._debug = f, debug
        self._grid_dim, self._block_dim = grid_dim, block_dim
        self.module = module
        self.shared = FakeCUDAShared(module._dynshared_size)
        self.block_state = np.zeros(block_dim, dtype=np.bool_)
        self._changed = threading.Condition()  # what follows, and a barrier opens
        self._ended = threading.Event()  # all threads have returned, or one has raised
        self._live = 0
        self._waiting = 0
        self._opened = 0  # barriers so far
        self._failed = None  # the first thread that raised
        self._stopping = False

    def run(self, grid_point, *args):
        """Runs the block at `grid_point` of the grid; raises what the first failing thread has raised."""

        def target():
            self._f(*args)

        threads = [
            BlockThread(target, self, grid_point, place[::-1], self._debug)
            for place in np.ndindex(*self._block_dim[::-1])
        ]
        self._live = len(threads)
        if len(threads) == 1:
            threads[0].run()
        else:
            self._run_all(threads)
        if self._failed is not None:
            error, traceback = self._failed.exception
            raise error.with_traceback(traceback)

    def _run_all(self, threads):
        try:
            for thread in threads:
                thread.start()
            self._ended.wait()
        finally:
            with self._changed:
                left = self._live
                self._stopping = True
                self._ended.clear()
                self._changed.notify_all()
            if left:
                self._ended.wait(_STOP_SECONDS)

    def wait(self):
        """The calling thread waits at a barrier."""
        with self._changed:
            self._check_stop("call")
            self._waiting += 1
            barrier = self._opened
            if not self._open():
                self._changed.wait_for(lambda: self._opened != barrier or self._stopping)
                if self._opened == barrier:
                    self._check_stop("clear")

    def _check_stop(self, moment):
        if self._stopping:
            raise RuntimeError(f"abort flag set on syncthreads {moment}")

    def _open(self) -> bool:
        """Opens the barrier where all live threads wait."""
        if self._waiting == 0 or self._waiting < self._live:
            return False
        self._waiting = 0
        self._opened += 1
        self._changed.notify_all()
        return True

    def returned(self, thread):
        """A thread has ended."""
        with self._changed:
            self._live -= 1
            if thread.exception is not None and not self._stopping:
                self._failed = thread
                self._stopping = True
                self._ended.set()
            if self._stopping:
                self._changed.notify_all()
            else:
                self._open()
            if self._live == 0:
                self._ended.set()
