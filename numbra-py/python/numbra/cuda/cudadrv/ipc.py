"""Memory of other processes."""

from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.context import Device


class IpcMemHandle(bytes):
    """The driver's handle of an allocation: 64 bytes."""

    @property
    def reserved(self) -> bytes:
        """The bytes, as the driver's structure calls them."""
        return bytes(self)


class _Direct:
    """Maps the allocation into a context, which must be able to reach its device."""

    def __init__(self, parent):
        self._parent = parent
        self._opened = None

    def open(self, context):
        parent = self._parent
        if parent.base is not None:
            raise ValueError("opening IpcHandle from original process")
        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        memory = context.open_ipc_handle(parent.handle, parent.offset + parent.size)
        self._opened = memory
        return memory.own().view(parent.offset)

    def close(self):
        if self._opened is None:
            raise ValueError("IpcHandle not opened")
        self._opened._freed = True
        _cuda.cuIpcCloseMemHandle(self._opened.handle)
        self._opened = None


class _Staged:
    """Copies the allocation, from a device that the context cannot reach."""

    def __init__(self, parent):
        self._parent = parent

    def open(self, context):
        from numbra.cuda.cudadrv import devices, driver

        source = devices.gpus[Device.from_identity(self._parent.source_info).id]
        direct = _Direct(self._parent)
        with source:
            there = direct.open(source.get_primary_context())
        here = context.memalloc(self._parent.size)
        driver.device_to_device(here, there, self._parent.size)
        with source:
            direct.close()
        return here

    def close(self):
        """The copy goes when nothing refers to it."""


class IpcHandle:
    """A handle of device memory that may be pickled and opened in another process.

    ``base`` keeps the memory here; ``handle`` is 64 bytes of the driver's; ``offset`` is where in the allocation the
    memory begins.
    """

    def __init__(self, base, handle, size, source_info=None, offset=0):
        self.base = base
        self.handle = handle
        self.size = size
        self.source_info = source_info
        self.offset = offset
        self._impl = None

    def _source(self):
        if self.source_info is None:
            raise RuntimeError("IPC handle doesn't have source info")
        return self.source_info

    def can_access_peer(self, context) -> bool:
        """Whether the context can reach the memory's device."""
        source = self._source()
        if source == context.device.get_device_identity():
            return True
        return context.can_access_peer(Device.from_identity(source).id)

    def open_staged(self, context):
        """A copy of the memory."""
        self._source()
        return self._open(_Staged(self), context)

    def open_direct(self, context):
        """The memory itself."""
        return self._open(_Direct(self), context)

    def _open(self, impl, context):
        if self._impl is not None:
            raise ValueError("IpcHandle is already opened")
        self._impl = impl
        return impl.open(context)

    def open(self, context):
        """The memory itself where the context can reach it, else a copy."""
        if self.source_info is None or self.can_access_peer(context):
            return self.open_direct(context)
        return self.open_staged(context)

    def open_array(self, context, shape, dtype, strides=None):
        """The memory as a device array, one-dimensional and contiguous unless ``strides`` says otherwise."""
        from numbra.cuda.cudadrv.devicearray import DeviceNDArray

        return DeviceNDArray(
            shape=shape,
            strides=dtype.itemsize if strides is None else strides,
            dtype=dtype,
            gpu_data=self.open(context),
        )

    def close(self):
        """Unmaps the memory. Arrays over it can be used no more."""
        if self._impl is None:
            raise ValueError("IpcHandle not opened")
        self._impl.close()
        self._impl = None

    def __reduce__(self):
        return _rebuild, (bytes(self.handle), self.size, self.source_info, self.offset)


def _rebuild(handle, size, source_info, offset):
    return IpcHandle(None, IpcMemHandle(handle), size, source_info, offset)
