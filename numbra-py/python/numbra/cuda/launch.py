"""Launching kernels: configurations, and the way from any arguments to those of a kernel."""

import numbers

from numbra import _numbra
from numbra.core import config
from numbra.cuda.errors import normalize_kernel_dimensions

#: Fewer blocks leave most of a device idle.
_FEW_BLOCKS = 128


def _stream_handle(stream) -> int:
    if isinstance(stream, int) and not isinstance(stream, bool):
        if stream:
            raise TypeError(f"Expected a Stream object, ExperimentalStream, GraphBuilder, or 0, got {stream}")
        return 0
    handle = getattr(stream, "handle", None)
    if handle is None and hasattr(stream, "__cuda_stream__"):
        handle = stream.__cuda_stream__()[1]
    if handle is None:
        raise TypeError(
            f"Expected a Stream object, ExperimentalStream, GraphBuilder, or 0, got {type(stream).__name__}"
        )
    return int(handle)


def launch_shape(griddim, blockdim, stream, sharedmem):
    """A launch's sizes and stream, in the form that plans take."""
    grid, block = normalize_kernel_dimensions(griddim, blockdim)
    if not isinstance(sharedmem, numbers.Integral):
        raise TypeError(f"sharedmem must be an integer, the bytes of dynamic shared memory, got {sharedmem!r}")
    if not 0 <= sharedmem < 1 << 31:
        raise ValueError(f"sharedmem must be at least 0 and less than 2 GiB, got {sharedmem}")
    return _numbra.LaunchShape(grid, block, sharedmem, _stream_handle(stream), stream)


class LaunchConfiguration:
    """A kernel with a launch configuration: calling it launches."""

    def __init__(self, dispatcher, griddim, blockdim, stream=0, sharedmem=0):
        self.dispatcher = dispatcher
        self.griddim, self.blockdim = normalize_kernel_dimensions(griddim, blockdim)
        self.stream = stream
        self.sharedmem = sharedmem
        #: Called with kernel and configuration before each launch.
        self.pre_launch_callbacks = []
        #: Arguments of a launch, and their types as the kernel has them.
        self.args = self.types = None
        self._shape = launch_shape(self.griddim, self.blockdim, stream, sharedmem)
        if config.CUDA_LOW_OCCUPANCY_WARNINGS and not config.DISABLE_PERFORMANCE_WARNINGS:
            self._warn_few_blocks()

    def _warn_few_blocks(self):
        x, y, z = self.griddim
        if x * y * z < _FEW_BLOCKS:
            import warnings

            from numbra.core.errors import NumbaPerformanceWarning

            text = f"Grid size {x * y * z} will likely result in GPU under-utilization due to low occupancy."
            warnings.warn(NumbaPerformanceWarning(text), stacklevel=5)

    @property
    def sizes(self):
        """Grid, block and dynamic shared memory."""
        return self.griddim, self.blockdim, self.sharedmem

    def __call__(self, *args):
        if self.dispatcher._launch_config_sensitive:
            dispatcher = self.dispatcher._for_launch(self.sizes)
            if dispatcher is not self.dispatcher:
                return self._of(dispatcher)(*args)
        if not self.pre_launch_callbacks:
            for plan in self.dispatcher._plans:
                try:
                    if plan.try_launch(self._shape, args):
                        return
                except _numbra_error() as error:
                    raise _explained(error, self) from None
        try:
            _launch(self, args)
        except _numbra_error() as error:
            raise _explained(error, self) from None

    def _of(self, dispatcher):
        """The same launch of another dispatcher."""
        made = object.__new__(LaunchConfiguration)
        made.__dict__.update(self.__dict__, dispatcher=dispatcher)
        return made

    def __getstate__(self):
        if self.pre_launch_callbacks:
            from pickle import PicklingError

            raise PicklingError("Cannot pickle configured launches with pre-launch callbacks")
        return self.dispatcher, self.griddim, self.blockdim, self.stream, self.sharedmem

    def __setstate__(self, state):
        self.__init__(*state)


def _numbra_error():
    from numbra.cuda.cudadrv.error import CudaAPIError

    return CudaAPIError


def _explained(error, launching):
    """A failed launch's error with the limit that it broke, if that is the reason."""
    from math import prod

    if "cuLaunch" not in str(error) and "cuFuncSetAttribute" not in str(error):
        return error
    from numbra.cuda.cudadrv import devices

    device = devices.get_context().device
    broken = []
    threads = prod(launching.blockdim)
    known = [one.bind().function.attrs for one in launching.dispatcher.overloads.values()]
    most = min((attrs.maxthreads for attrs in known), default=device.MAX_THREADS_PER_BLOCK)
    if threads > most:
        broken.append(f"a block of {threads} threads, where this kernel takes at most {most}")
    for what, sizes in (("block", launching.blockdim), ("grid", launching.griddim)):
        for axis, size in zip("XYZ", sizes, strict=True):
            limit = getattr(device, f"MAX_{what.upper()}_DIM_{axis}")
            if not 0 < size <= limit:
                broken.append(f"{what}dim {axis.lower()} = {size}, where it must be from 1 to {limit}")
    shared = launching.sharedmem + max((attrs.shared for attrs in known), default=0)
    if shared > device.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
        broken.append(f"{shared} bytes of shared memory, where a block has {device.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN}")
    if not broken:
        return error
    return type(error)(error.code, f"{error.msg}: {'; '.join(broken)}")


def _launch(launching, args):
    """Finds or compiles the kernel for the arguments, and launches it; then copies back what came from the host."""
    from numbra.core.typing.typeof import typeof
    from numbra.cuda import launchconfig
    from numbra.cuda.cudadrv import devices

    dispatcher = launching.dispatcher
    devices.get_context()
    # Threads share configurations: what is of this launch alone is in one of its own.
    launching = launching._of(dispatcher)
    launching.args = args
    after = []
    prepared, types = [], []
    for arg in args:
        given = ty = _type_of(arg, typeof) if dispatcher.extensions else None
        for extension in reversed(dispatcher.extensions):
            ty, arg = extension.prepare_args(ty, arg, stream=launching.stream, retr=after)
        arg = _on_device(arg, launching.stream, after)
        prepared.append(arg)
        types.append(_type_of(arg, typeof) if ty is given else ty)
    launching.types = tuple(types)
    kernel = dispatcher.overloads.get(launching.types)
    if kernel is None:
        with launchconfig.launching(launching):
            kernel = dispatcher._compile_for_args(*prepared)
    for callback in launching.pre_launch_callbacks:
        callback(kernel, launching)
    loaded = kernel.bind()
    loaded.plan.launch(launching._shape, tuple(prepared))
    if loaded.error is not None:
        loaded.raise_noted()
    elif not dispatcher.extensions:
        dispatcher._remember(loaded.plan)
    for copy_back in after:
        copy_back()


def _type_of(arg, typeof):
    known = getattr(arg, "_numba_type_", None)
    return typeof(arg) if known is None else known


def _on_device(arg, stream, after):
    """An argument as a kernel takes it: arrays and records of the host are copied, and copied back."""
    import numpy as np
    from numbra.cuda.args import ArgHint, InOut
    from numbra.cuda.cudadrv.devicearray import is_cuda_ndarray

    if isinstance(arg, ArgHint):
        return arg.to_device(after, stream=stream)
    if isinstance(arg, _numbra._cuda.DeviceArrayBase):
        return arg
    if is_cuda_ndarray(arg):
        # Of the host and the device.
        return arg.as_device_array()
    if isinstance(arg, (tuple, list)) and not isinstance(arg, str):
        items = [_on_device(item, stream, after) for item in arg]
        return type(arg)(*items) if hasattr(arg, "_fields") else type(arg)(items)
    if isinstance(arg, (np.ndarray, np.void)):
        return InOut(arg).to_device(after, stream=stream)
    if hasattr(arg, "__cuda_array_interface__") or hasattr(arg, "__dlpack__"):
        if hasattr(arg, "__dlpack__"):
            # From now on launches look at the tensor without making a device array of it.
            _numbra._tensor_class(type(arg))
        from numbra.cuda.cudadrv.devicearray import auto_device

        return auto_device(arg, stream=stream, user_explicit=True)[0]
    return arg


def captured(obj):
    """The device array behind an object of the device that a kernel's globals or closure name."""
    return _on_device(obj, 0, [])


class ForAll:
    """Launches at least so many threads along one axis."""

    def __init__(self, dispatcher, ntasks, tpb, stream, sharedmem):
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        self.dispatcher = dispatcher
        self.ntasks = ntasks
        self.thread_per_block = tpb
        self.stream = stream
        self.sharedmem = sharedmem

    def __call__(self, *args):
        if self.ntasks == 0:
            return
        dispatcher = self.dispatcher
        if not dispatcher.specialized:
            dispatcher = dispatcher.specialize(*args)
        block = self._threads(dispatcher)
        grid = (self.ntasks + block - 1) // block
        dispatcher[grid, block, self.stream, self.sharedmem](*args)

    def _threads(self, dispatcher):
        if self.thread_per_block:
            return self.thread_per_block
        loaded = next(iter(dispatcher.overloads.values())).bind()
        _, block = loaded.context.get_max_potential_block_size(loaded.function, 0, self.sharedmem, 1024)
        return block
