"""Devices and their primary contexts."""

import contextlib
import threading
import uuid
import weakref

from numbra.core import config
from numbra.cuda.cudadrv import enums
from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.deallocations import PendingDeallocs
from numbra.cuda.cudadrv.error import CudaDriverError, CudaSupportError
from numbra.cuda.cudadrv.managers import memory_manager
from numbra.cuda.cudadrv.memory import MemoryPointer
from numbra.cuda.cudadrv.modules import Module
from numbra.cuda.cudadrv.streams import Event, Stream

MIN_REQUIRED_CC = (3, 5)

#: Handles of contexts that were reset, which threads may still have as current.
RESET_HANDLES = set()


class Device:
    """A device: name, compute capability, and every ``CU_DEVICE_ATTRIBUTE_X`` as attribute ``X``."""

    @classmethod
    def from_identity(cls, identity):
        """The device that :meth:`get_device_identity` described, perhaps in another process."""
        from numbra.cuda.cudadrv.driver import driver

        for number in range(driver.get_device_count()):
            device = driver.get_device(number)
            if device.get_device_identity() == identity:
                return device
        raise RuntimeError(f"No device of {identity} is found. Target device may not be visible in this process.")

    def __init__(self, devnum: int):
        self.id = _cuda.cuDeviceGet(devnum)
        self.name = _cuda.cuDeviceGetName(self.id)
        self.compute_capability = (self.COMPUTE_CAPABILITY_MAJOR, self.COMPUTE_CAPABILITY_MINOR)
        self.uuid = f"GPU-{uuid.UUID(bytes=_cuda.cuDeviceGetUuid(self.id))}"
        self.primary_context = None
        self._lock = threading.RLock()

    def __getattr__(self, name):
        number = enums.DEVICE_ATTRIBUTES.get(name)
        if number is None:
            raise AttributeError(name)
        value = _cuda.cuDeviceGetAttribute(number, self.id)
        setattr(self, name, value)
        return value

    def __repr__(self):
        return f"<CUDA device {self.id} '{self.name}'>"

    def __hash__(self):
        return hash(self.id)

    def __eq__(self, other):
        return isinstance(other, Device) and self.id == other.id

    def get_device_identity(self):
        """Where the device is on the bus, which all processes of the machine agree on."""
        return {
            "pci_domain_id": self.PCI_DOMAIN_ID,
            "pci_bus_id": self.PCI_BUS_ID,
            "pci_device_id": self.PCI_DEVICE_ID,
        }

    def get_primary_context(self):
        """The device's context, which is not made current."""
        context = self.primary_context
        if context is None:
            if self.compute_capability < MIN_REQUIRED_CC:
                raise CudaSupportError(f"{self} has compute capability < {MIN_REQUIRED_CC}")
            with self._lock:
                context = self.primary_context
                if context is None:
                    context = self.primary_context = Context(self, _cuda.cuDevicePrimaryCtxRetain(self.id))
        return context

    def release_primary_context(self):
        """Gives the context back, if it was asked for."""
        if self.primary_context is not None:
            _cuda.cuDevicePrimaryCtxRelease(self.id)
            self.primary_context = None

    def reset(self):
        """Destroys everything on the device that this process has."""
        if self.primary_context is not None:
            RESET_HANDLES.add(self.primary_context.handle)
        try:
            if self.primary_context is not None:
                with self.primary_context.active():
                    self.primary_context.reset()
            self.release_primary_context()
        finally:
            _cuda.cuDevicePrimaryCtxReset(self.id)

    @property
    def supports_float16(self) -> bool:
        """Whether it computes with 16-bit floats."""
        return self.compute_capability >= (5, 3)

    @property
    def supports_bfloat16(self) -> bool:
        """Whether it computes with bfloat16."""
        return self.compute_capability >= (8, 0)

    @property
    def supports_fp8(self) -> bool:
        """Whether it computes with 8-bit floats."""
        return self.compute_capability >= (8, 9)


class Context:
    """What a device holds for this process."""

    def __init__(self, device, handle):
        self.device = device
        self.handle = handle
        reference = weakref.ref(self)
        self.deallocations = PendingDeallocs(context=lambda: getattr(reference(), "handle", None))
        self.memory_manager = memory_manager()(context=self)
        self.modules = {}
        #: For whoever wants to keep something with the context.
        self.extras = {}

    @property
    def allocations(self):
        """What the memory manager holds."""
        return getattr(self.memory_manager, "allocations", {})

    def __repr__(self):
        return f"<CUDA context {self.handle:#x} of device {self.device.id}>"

    def __eq__(self, other):
        return self.handle == other.handle if isinstance(other, Context) else NotImplemented

    def __hash__(self):
        return hash(self.handle)

    def prepare_for_use(self):
        """Has the memory manager be ready. May be called more than once."""
        self.memory_manager.initialize()

    def push(self):
        """Makes the context current on this thread."""
        _cuda.cuCtxPushCurrent(self.handle)
        self.prepare_for_use()

    def pop(self):
        """Ends what :meth:`push` began; the context must be the current one."""
        popped = _cuda.cuCtxPopCurrent()
        if popped != self.handle:
            _cuda.cuCtxPushCurrent(popped)
            raise RuntimeError(f"{self} is not the current context, {popped:#x} is")

    @contextlib.contextmanager
    def active(self):
        """Makes the context current in the block."""
        if _cuda.cuCtxGetCurrent() == self.handle:
            yield self
            return
        _cuda.cuCtxPushCurrent(self.handle)
        try:
            yield self
        finally:
            _cuda.cuCtxPopCurrent()

    def reset(self):
        """Frees all memory and unloads all modules that numbra has in the context."""
        self.memory_manager.reset()
        for module in self.modules.values():
            module._end()
        self.modules.clear()
        self.deallocations.clear()
        _cuda.end_allocations(self.device.id)

    def get_memory_info(self):
        """Free and total bytes of the device."""
        with self.active():
            return self.memory_manager.get_memory_info()

    def memalloc(self, bytesize):
        """Device memory."""
        with self.active():
            return self.memory_manager.memalloc(bytesize)

    def memallocmanaged(self, bytesize, attach_global=True):
        """Memory that moves between host and device."""
        with self.active():
            return self.memory_manager.memallocmanaged(bytesize, attach_global)

    def memhostalloc(self, bytesize, mapped=False, portable=False, wc=False):
        """Page-locked memory of the host."""
        with self.active():
            return self.memory_manager.memhostalloc(bytesize, mapped, portable, wc)

    def mempin(self, owner, pointer, size, mapped=False):
        """Page-locks memory of the host."""
        if mapped and not self.device.CAN_MAP_HOST_MEMORY:
            raise CudaDriverError(f"{self.device} cannot map host memory")
        with self.active():
            return self.memory_manager.mempin(owner, pointer, size, mapped)

    def get_ipc_handle(self, memory):
        """A handle of device memory, for other processes."""
        with self.active():
            return self.memory_manager.get_ipc_handle(memory)

    def open_ipc_handle(self, handle, size):
        """Memory of another process's handle."""
        with self.active():
            pointer = _cuda.cuIpcOpenMemHandle(bytes(handle), enums.CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
        memory = MemoryPointer(context=weakref.proxy(self), pointer=pointer, size=size)
        memory._epoch = _cuda.epoch(self.device.id)
        return memory

    def enable_peer_access(self, peer_context, flags=0):
        """Lets kernels of this context read memory of another device's."""
        if flags != 0:
            raise ValueError("*flags* is reserved and MUST be zero")
        with self.active():
            _cuda.cuCtxEnablePeerAccess(getattr(peer_context, "handle", peer_context), flags)

    def can_access_peer(self, peer_device) -> bool:
        """Whether that device's memory can be read from here."""
        return _cuda.cuDeviceCanAccessPeer(self.device.id, getattr(peer_device, "id", peer_device))

    def create_module_ptx(self, ptx, **options):
        """Loads PTX; options are those of :meth:`create_module_image`."""
        return self.create_module_image(ptx.encode() if isinstance(ptx, str) else ptx, **options)

    def create_module_image(self, image, setup_callbacks=None, teardown_callbacks=None, **options):
        """Loads PTX, a cubin or a fat binary.

        Options for the driver's compiler are ``max_registers``, ``opt_level``, ``debug``, ``lineinfo`` and ``verbose``.
        Raises ``LinkerError`` with its log if the code is wrong.
        """
        options.setdefault("log_size", config.CUDA_LOG_SIZE)
        with self.active():
            handle, log = _cuda.cuModuleLoadDataEx(bytes(image), **options)
        module = Module(self, handle, log, setup_callbacks, teardown_callbacks)
        self.modules[handle] = module
        return module

    def unload_module(self, module):
        """Forgets a module, which is unloaded when nothing else refers to it."""
        self.modules.pop(module._pointer, None)

    def get_default_stream(self):
        """The default stream: the legacy one, or each thread's own if the settings say so."""
        return Stream(enums.CU_STREAM_DEFAULT)

    def get_legacy_default_stream(self):
        """The default stream that all threads share and that other streams wait for."""
        return Stream(enums.CU_STREAM_LEGACY)

    def get_per_thread_default_stream(self):
        """The default stream of this thread."""
        return Stream(enums.CU_STREAM_PER_THREAD)

    def create_stream(self):
        """A new stream, which waits for the legacy default stream and the other way round."""
        epoch, deallocations = _cuda.epoch(self.device.id), self.deallocations
        with self.active():
            handle = _cuda.cuStreamCreate(enums.CU_STREAM_DEFAULT)

        def finalizer():
            deallocations.add_item(_cuda.cuStreamDestroy, handle, epoch=epoch)

        return Stream(handle, finalizer, epoch=epoch)

    def create_external_stream(self, ptr):
        """A stream that another library made and keeps."""
        if not isinstance(ptr, int):
            raise TypeError("ptr for external stream must be an int")
        return Stream(ptr, external=True)

    def create_event(self, timing=True):
        """A new event; without ``timing`` it is cheaper and takes no times."""
        epoch, deallocations = _cuda.epoch(self.device.id), self.deallocations
        with self.active():
            handle = _cuda.cuEventCreate(enums.CU_EVENT_DEFAULT if timing else enums.CU_EVENT_DISABLE_TIMING)

        def finalizer():
            deallocations.add_item(_cuda.cuEventDestroy, handle, epoch=epoch)

        return Event(handle, finalizer, epoch)

    def synchronize(self):
        """Waits for all work of the context."""
        with self.active():
            _cuda.cuCtxSynchronize()

    def get_active_blocks_per_multiprocessor(self, func, blocksize, memsize, flags=None):
        """How many blocks of ``blocksize`` threads and ``memsize`` bytes one multiprocessor holds."""
        with self.active():
            return _cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(func.handle, blocksize, memsize, flags or 0)

    def get_max_potential_block_size(self, func, b2d_func, memsize, blocksizelimit, flags=None):
        """Sizes of grid and block that fill the device.

        ``b2d_func`` must be 0 or None: the bytes of dynamic shared memory are one number, ``memsize``.
        """
        if b2d_func:
            raise NotImplementedError("dynamic shared memory as a function of the block's size")
        with self.active():
            return _cuda.cuOccupancyMaxPotentialBlockSize(func.handle, memsize, blocksizelimit, flags or 0)

    @contextlib.contextmanager
    def defer_cleanup(self):
        """Nothing is freed in the block."""
        with self.memory_manager.defer_cleanup(), self.deallocations.disable():
            yield
