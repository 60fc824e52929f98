"""Loaded device code: modules, and the kernels and globals in them."""

import functools
from collections import namedtuple

from numbra.cuda.cudadrv import enums
from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.error import CudaAPIError
from numbra.cuda.cudadrv.memory import MemoryPointer
from numbra.cuda.cudadrv.streams import Handle

FuncAttr = namedtuple("FuncAttr", ["regs", "shared", "local", "const", "maxthreads"])
FuncAttr.__doc__ = "What a kernel needs: registers, bytes of shared, local and constant memory; and its largest block."


class ModuleHandle:
    """A ``CUmodule``, whose address is its ``value``.

    It is no integer: bindings would take it for a ``CUlibrary``, as which numba-cuda loads code, and the driver would
    crash.
    """

    def __init__(self, value: int):
        self.value = value

    def __eq__(self, other):
        return isinstance(other, ModuleHandle) and self.value == other.value

    def __hash__(self):
        return hash(self.value)

    def __repr__(self):
        return f"<CUmodule {self.value:#x}>"


class Module:
    """A module of a context. It is unloaded when it goes, through the context's queue."""

    def __init__(self, context, handle, info_log="", setup_callbacks=None, teardown_callbacks=None):
        self.context = context
        self._pointer = handle
        self._epoch = _cuda.epoch(context.device.id, True)
        self._deallocations = context.deallocations
        self.info_log = info_log
        self.initialized = False
        self.setup_functions = setup_callbacks
        self.teardown_functions = teardown_callbacks

    @property
    def handle(self):
        """The driver's handle. Raises ``CudaAPIError`` if the context was reset."""
        return ModuleHandle(self.address)

    @property
    def address(self) -> int:
        """Where the driver has the module. Raises ``CudaAPIError`` if the context was reset."""
        return _alive(self._epoch, self._pointer)

    def __del__(self):
        if getattr(self, "_deallocations", None) is not None:
            self._end()

    def _end(self):
        """Calls the teardown functions and queues the unloading, once."""
        deallocations, self._deallocations = self._deallocations, None
        if deallocations is None or not _cuda.is_running(self._epoch):
            return
        if self.initialized:
            for teardown in self.teardown_functions or ():
                teardown(self)
        deallocations.add_item(_cuda.cuModuleUnload, self._pointer, epoch=_cuda.epoch(self.context.device.id))

    def unload(self):
        """Lets the context forget the module."""
        self.context.unload_module(self)

    def setup(self):
        """Calls the setup functions, once."""
        if self.initialized:
            raise RuntimeError("The module has already been initialized.")
        for setup in self.setup_functions or ():
            setup(self)
        self.initialized = True

    def get_function(self, name):
        """The kernel of a name."""
        return Function(self, _cuda.cuModuleGetFunction(self.address, name), name)

    def get_global_symbol(self, name):
        """Memory of the global variable of a name, and its size."""
        pointer, size = _cuda.cuModuleGetGlobal(self.address, name)
        memory = MemoryPointer(self.context, pointer, size, owner=self)
        memory._epoch = self._epoch
        return memory, size


class HostModule:
    """A kernel for the CPU, in the place of a module."""

    def __init__(self, context, code):
        self.context = context
        self._code = code
        self._epoch = _cuda.epoch(context.device.id, True)

    @property
    def address(self) -> int:
        """Where the kernel is. Raises ``CudaAPIError`` if the context was reset."""
        return _alive(self._epoch, self._code.handle)

    def get_function(self, name):
        """The kernel."""
        return Function(self, self._code.handle, name)


def _alive(epoch, address):
    if not _cuda.is_running(epoch):
        code = enums.CUDA_ERROR_CONTEXT_IS_DESTROYED
        raise CudaAPIError(code, "Call to cuModuleGetFunction results in CUDA_ERROR_CONTEXT_IS_DESTROYED")
    return address


class Function:
    """A kernel of a module."""

    def __init__(self, module, handle, name):
        self.module = module
        self._pointer = handle
        self.name = name

    def __repr__(self):
        return f"<CUDA function {self.name}>"

    @property
    def handle(self):
        """The driver's handle. Raises ``CudaAPIError`` if the module's context was reset."""
        return Handle(self._pointer) if self.module.address else Handle(0)

    @property
    def device(self):
        """The device that the kernel runs on."""
        return self.module.context.device

    def attribute(self, name: str) -> int:
        """A ``CU_FUNC_ATTRIBUTE_*``, by its name after that."""
        return _cuda.cuFuncGetAttribute(enums.FUNCTION_ATTRIBUTES[name], self.handle)

    @functools.cached_property
    def attrs(self):
        """What the kernel needs."""
        return FuncAttr(
            regs=self.attribute("NUM_REGS"),
            shared=self.attribute("SHARED_SIZE_BYTES"),
            local=self.attribute("LOCAL_SIZE_BYTES"),
            const=self.attribute("CONST_SIZE_BYTES"),
            maxthreads=self.attribute("MAX_THREADS_PER_BLOCK"),
        )

    def cache_config(self, prefer_equal=False, prefer_cache=False, prefer_shared=False):
        """Says what the memory that the L1 cache and shared memory divide shall rather be."""
        if prefer_equal or (prefer_cache and prefer_shared):
            preference = enums.CU_FUNC_CACHE_PREFER_EQUAL
        elif prefer_cache:
            preference = enums.CU_FUNC_CACHE_PREFER_L1
        elif prefer_shared:
            preference = enums.CU_FUNC_CACHE_PREFER_SHARED
        else:
            preference = enums.CU_FUNC_CACHE_PREFER_NONE
        _cuda.cuFuncSetCacheConfig(self.handle, preference)

    def set_shared_memory_carveout(self, carveout):
        """Says how much of the L1 cache shall be shared memory: percent, or -1 for the driver's choice."""
        carveout = int(carveout)
        if not -1 <= carveout <= 100:
            raise ValueError("Carveout must be between -1 and 100")
        number = enums.FUNCTION_ATTRIBUTES["PREFERRED_SHARED_MEMORY_CARVEOUT"]
        _cuda.cuFuncSetAttribute(self.handle, number, carveout)

    def set_max_dynamic_shared_memory(self, size: int):
        """Allows launches with so many bytes of dynamic shared memory, beyond 48 KiB."""
        number = enums.FUNCTION_ATTRIBUTES["MAX_DYNAMIC_SHARED_SIZE_BYTES"]
        _cuda.cuFuncSetAttribute(self.handle, number, size)
