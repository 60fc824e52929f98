"""Memory of devices and memory of the host that devices reach, as objects that own it.

Memory of numbra's own manager goes when nothing refers to it: :class:`OwnedPointer` objects are the references, counted
in ``refct``. Memory that a plugin gives as a plain :class:`MemoryPointer` goes with that object.
"""

import ctypes
import weakref

from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.error import DeadMemoryError


def address(pointer) -> int:
    """A device address, given as a number, a ctypes object or one of the CUDA bindings' pointers."""
    if isinstance(pointer, int):
        return pointer
    if hasattr(pointer, "value"):
        return pointer.value or 0
    return int(pointer)


class MemoryPointer:
    """Device memory of ``size`` bytes at ``pointer``.

    ``finalizer`` is called when the object goes, or at :meth:`free`. ``owner`` is what has to stay for the memory to
    stay.
    """

    __cuda_memory__ = True

    #: The epoch in which the memory is good; None for memory of others.
    _epoch = None

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.context = context
        self.device_pointer = address(pointer)
        self.handle = self.device_pointer
        self.size = size
        self._cuda_memsize_ = size
        self.is_managed = finalizer is not None
        self.refct = 1
        self._owner = owner
        self._freed = False
        #: What arrays in the memory ask; None for memory of others.
        self._alive = owner._alive if isinstance(owner, (MemoryPointer, OwnedPointer)) else None
        if finalizer is not None:
            self._alive = _cuda.Alive()
            self._finalizer = weakref.finalize(self, finalizer)
            # When the process ends, the driver takes everything back.
            self._finalizer.atexit = False

    @property
    def owner(self):
        """What has to stay for the memory to stay."""
        return self if self._owner is None else self._owner

    def own(self):
        """A reference that shares the memory."""
        return OwnedPointer(self)

    def free(self):
        """Gives the memory back now."""
        if self.is_managed:
            if self._freed or not self._finalizer.alive:
                raise RuntimeError("Freeing dead memory")
            self._freed = True
            self._alive.end()
            self._finalizer()

    def _check_alive(self):
        if isinstance(self._owner, MemoryPointer):
            self._owner._check_alive()
        if self._freed or (self._epoch is not None and not _cuda.is_running(self._epoch)):
            raise DeadMemoryError(
                f"the memory at {self.device_pointer:#x} was freed, or went when its context was reset"
            )

    @property
    def device_pointer_value(self):
        """The address as a number, None for no memory. Raises ``DeadMemoryError`` if it was freed."""
        self._check_alive()
        return self.device_pointer or None

    @property
    def device_ctypes_pointer(self):
        """The address as a ``ctypes.c_size_t``. Raises ``DeadMemoryError`` if it was freed."""
        self._check_alive()
        return ctypes.c_size_t(self.device_pointer)

    def memset(self, byte, count=None, stream=0):
        """Sets the first ``count`` bytes, all by default."""
        from numbra.cuda.cudadrv.driver import device_memset

        device_memset(self, byte, self.size if count is None else count, stream=stream)

    def view(self, start, stop=None):
        """The bytes from ``start`` to ``stop``, sharing the memory."""
        size = (self.size if stop is None else stop) - start
        if not self.device_pointer_value:
            if size != 0:
                raise RuntimeError("non-empty slice into empty slice")
            view = self
        else:
            if size < 0:
                raise RuntimeError("size cannot be negative")
            view = MemoryPointer(self.context, self.device_pointer + start, size, owner=self.owner)
            view._epoch = self._epoch
        if isinstance(self.owner, MemoryPointer):
            return OwnedPointer(self.owner, view)
        # Memory of others stays as long as its owner, which the view keeps.
        return view


class AutoFreePointer(MemoryPointer):
    """Memory that is freed when the last :class:`OwnedPointer` goes."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.refct -= 1


class MappedMemory(AutoFreePointer):
    """Page-locked memory of the host at ``pointer`` that the device sees as well."""

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.owned = owner
        self.host_pointer = self._bufptr_ = address(pointer)
        self._buflen_ = size
        super().__init__(
            context, _cuda.cuMemHostGetDevicePointer(self.host_pointer), size, owner=None, finalizer=finalizer
        )
        self.handle = self.host_pointer

    def own(self):
        return MappedOwnedPointer(self)


class ManagedMemory(AutoFreePointer):
    """Memory that moves between host and device as it is used."""

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.owned = owner
        super().__init__(context, pointer, size, owner=None, finalizer=finalizer)
        self._bufptr_ = self.device_pointer
        self._buflen_ = size

    def own(self):
        return ManagedOwnedPointer(self)


class PinnedMemory(_cuda.HostBuffer):
    """Page-locked memory of the host at ``pointer``; a buffer that NumPy takes."""

    def __init__(self, context, pointer, size, owner=None, finalizer=None):
        self.context = context
        self.owned = owner
        self.size = self._buflen_ = size
        self.handle = self.host_pointer = self._bufptr_ = address(pointer)
        self.is_managed = finalizer is not None
        self._set_buffer(self.host_pointer, size)
        if finalizer is not None:
            self._finalizer = weakref.finalize(self, finalizer)
            self._finalizer.atexit = False

    def own(self):
        """The object itself: it goes when nothing refers to it."""
        return self

    def free(self):
        """Gives the memory back, or unlocks it, now."""
        if self.is_managed:
            self._finalizer()


class OwnedPointer:
    """A counted reference to the memory ``mem``, or to a part of it; else like it."""

    __cuda_memory__ = True

    def __init__(self, mem, view=None):
        self._mem = mem
        self._view = mem if view is None else view
        self._epoch = self._view._epoch
        mem.refct += 1

    def __del__(self):
        mem = getattr(self, "_mem", None)
        if mem is None:
            return
        mem.refct -= 1
        if mem.refct == 0 and not mem._freed:
            mem.free()

    def __getattr__(self, name):
        if name.startswith("__") or name in ("_mem", "_view"):
            raise AttributeError(name)
        return getattr(self._view, name)


class _BufferOwnedPointer(OwnedPointer, _cuda.HostBuffer):
    def __init__(self, mem, view=None):
        super().__init__(mem, view)
        self._set_buffer(self._view._bufptr_, self._view._buflen_)


class MappedOwnedPointer(_BufferOwnedPointer):
    """A counted reference to mapped memory; a buffer that NumPy takes."""


class ManagedOwnedPointer(_BufferOwnedPointer):
    """A counted reference to managed memory; a buffer that NumPy takes."""
