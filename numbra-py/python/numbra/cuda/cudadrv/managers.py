"""Memory managers: numbra's own, and the interface that plugins implement (EMM, Numba's NBEP 7)."""

import contextlib
import importlib
import weakref
from abc import ABCMeta, abstractmethod
from collections import namedtuple

from numbra.core import config
from numbra.cuda.cudadrv import enums
from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.deallocations import SIZE_NOT_SET, PendingDeallocs
from numbra.cuda.cudadrv.error import CudaAPIError
from numbra.cuda.cudadrv.memory import AutoFreePointer, ManagedMemory, MappedMemory, PinnedMemory

SUPPORTED_EMM_INTERFACE_VERSION = 1

MemoryInfo = namedtuple("MemoryInfo", "free,total")
MemoryInfo.__doc__ = "Free and total bytes of a device."


class BaseCUDAMemoryManager(metaclass=ABCMeta):
    """What a context asks for memory. One object for each context, made with ``context=``."""

    def __init__(self, *args, **kwargs):
        if "context" not in kwargs:
            raise RuntimeError("Memory manager requires a context")
        self.context = kwargs.pop("context")

    @abstractmethod
    def memalloc(self, size):
        """Device memory of ``size`` bytes: a ``MemoryPointer``."""

    @abstractmethod
    def memhostalloc(self, size, mapped, portable, wc):
        """Page-locked memory of the host: a ``MappedMemory`` if ``mapped``, else a ``PinnedMemory``."""

    @abstractmethod
    def mempin(self, owner, pointer, size, mapped):
        """Page-locks the bytes at ``pointer``, which ``owner`` keeps: as ``memhostalloc``."""

    @abstractmethod
    def initialize(self):
        """Called before each use; may be called more than once."""

    @abstractmethod
    def get_ipc_handle(self, memory):
        """An ``IpcHandle`` of device memory."""

    @abstractmethod
    def get_memory_info(self):
        """``MemoryInfo``, or ``NotImplementedError`` where these numbers mean nothing."""

    @abstractmethod
    def reset(self):
        """Frees everything of the context."""

    @abstractmethod
    def defer_cleanup(self):
        """A context manager in which nothing is freed."""

    @property
    @abstractmethod
    def interface_version(self):
        """The version of this interface that a plugin implements: 1."""


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """Base of plugins that give device memory only: page-locked and managed memory is the driver's."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.allocations = {}
        context = self.context
        self.deallocations = PendingDeallocs(context=_handle_of(context))

    def _attempt_allocation(self, allocator):
        """Calls ``allocator()``; when there is no memory, frees what waits and calls it again."""
        try:
            return allocator()
        except CudaAPIError as error:
            if error.code != enums.CUDA_ERROR_OUT_OF_MEMORY:
                raise
            self.deallocations.clear()
            return allocator()

    def _epoch(self, allocations=False):
        return _cuda.epoch(self.context.device.id, allocations)

    def _finalizer(self, key, dtor, handle, size=SIZE_NOT_SET):
        """Frees one allocation: through the queue, unless it went with a reset."""
        allocations, deallocations, epoch = self.allocations, self.deallocations, self._epoch()

        def finalize():
            allocations.pop(key, None)
            deallocations.add_item(dtor, handle, size, epoch)

        return finalize

    def memhostalloc(self, size, mapped=False, portable=False, wc=False):
        flags = 0
        if mapped:
            flags |= enums.CU_MEMHOSTALLOC_DEVICEMAP
        if portable:
            flags |= enums.CU_MEMHOSTALLOC_PORTABLE
        if wc:
            flags |= enums.CU_MEMHOSTALLOC_WRITECOMBINED
        pointer = self._attempt_allocation(lambda: _cuda.cuMemHostAlloc(size, flags))
        queued = size if mapped else SIZE_NOT_SET
        finalizer = self._finalizer(("host", pointer), _cuda.cuMemFreeHost, pointer, queued)
        if not mapped:
            return PinnedMemory(weakref.proxy(self.context), pointer, size, finalizer=finalizer)
        return self._keep(MappedMemory, ("host", pointer), pointer, size, finalizer)

    def mempin(self, owner, pointer, size, mapped=False):
        flags = enums.CU_MEMHOSTREGISTER_DEVICEMAP if mapped else 0
        self._attempt_allocation(lambda: _cuda.cuMemHostRegister(pointer, size, flags))
        allocations, epoch, key = self.allocations, self._epoch(), ("pin", pointer)

        # At once, not through the queue: the same memory may be locked again next.
        def finalizer():
            allocations.pop(key, None)
            if _cuda.is_running(epoch):
                _cuda.cuMemHostUnregister(pointer)

        if not mapped:
            return PinnedMemory(weakref.proxy(self.context), pointer, size, owner=owner, finalizer=finalizer)
        return self._keep(MappedMemory, key, pointer, size, finalizer, owner)

    def memallocmanaged(self, size, attach_global):
        """Managed memory, for any stream if ``attach_global``, else for the host first."""
        flags = enums.CU_MEM_ATTACH_GLOBAL if attach_global else enums.CU_MEM_ATTACH_HOST
        pointer = self._attempt_allocation(lambda: _cuda.cuMemAllocManaged(size, flags))
        return self._keep(
            ManagedMemory, pointer, pointer, size, self._finalizer(pointer, _cuda.cuMemFree, pointer, size)
        )

    def _keep(self, cls, key, pointer, size, finalizer, owner=None):
        memory = cls(weakref.proxy(self.context), pointer, size, owner=owner, finalizer=finalizer)
        memory._epoch = self._epoch(allocations=True)
        self.allocations[key] = memory
        return memory.own()

    def reset(self):
        for memory in list(self.allocations.values()):
            if isinstance(memory, AutoFreePointer) and not memory._freed:
                memory.free()
        self.allocations.clear()
        self.deallocations.clear()

    @contextlib.contextmanager
    def defer_cleanup(self):
        with self.deallocations.disable():
            yield


class GetIpcHandleMixin:
    """``get_ipc_handle`` for memory that came from ``cuMemAlloc``."""

    def get_ipc_handle(self, memory):
        from numbra.cuda.cudadrv.ipc import IpcHandle, IpcMemHandle

        pointer = memory.device_pointer_value
        base, _ = _cuda.cuMemGetAddressRange(pointer)
        handle = IpcMemHandle(_cuda.cuIpcGetMemHandle(base))
        source = self.context.device.get_device_identity()
        return IpcHandle(memory, handle, memory.size, source, offset=pointer - base)


class NumbaCUDAMemoryManager(GetIpcHandleMixin, HostOnlyCUDAMemoryManager):
    """numbra's own manager, under Numba's name."""

    def initialize(self):
        if self.deallocations.memory_capacity is SIZE_NOT_SET:
            self.deallocations.memory_capacity = self.get_memory_info().total

    def memalloc(self, size):
        pointer = self._attempt_allocation(lambda: _cuda.cuMemAlloc(size))
        finalizer = self._finalizer(pointer, _cuda.cuMemFree, pointer, size)
        return self._keep(AutoFreePointer, pointer, pointer, size, finalizer)

    def get_memory_info(self):
        free, total = _cuda.cuMemGetInfo()
        return MemoryInfo(free=free, total=total)

    @property
    def interface_version(self):
        return SUPPORTED_EMM_INTERFACE_VERSION


def _handle_of(context):
    """Gives the context's handle as long as there is a context."""
    if context is None:
        return None
    reference = weakref.ref(context)

    def handle():
        context = reference()
        return context.handle if context is not None else None

    return handle


_manager = None


def memory_manager():
    """The class of managers that new contexts get."""
    global _manager
    if _manager is None:
        if config.CUDA_MEMORY_MANAGER == "default":
            _manager = NumbaCUDAMemoryManager
        else:
            try:
                set_memory_manager(importlib.import_module(config.CUDA_MEMORY_MANAGER)._numba_memory_manager)
            except Exception as error:
                raise RuntimeError(f"Failed to use memory manager from {config.CUDA_MEMORY_MANAGER}") from error
    return _manager


def set_memory_manager(mm_plugin):
    """Has contexts made from now on take their memory from objects of this class.

    A plugin of another interface version is a ``RuntimeError``.
    """
    global _manager
    version = mm_plugin(context=None).interface_version
    if version != SUPPORTED_EMM_INTERFACE_VERSION:
        raise RuntimeError(
            f"EMM Plugin interface has version {version} - version {SUPPORTED_EMM_INTERFACE_VERSION} required"
        )
    _manager = mm_plugin
