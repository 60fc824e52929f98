"""Devices of the process, and which context is current on a thread.

numbra works in primary contexts, which it shares with all libraries of the process that use the CUDA runtime. A context
that another library made current is taken as it is.
"""

import functools
import threading

from numbra.cuda.cudadrv.calls import driver_calls as _cuda
from numbra.cuda.cudadrv.context import RESET_HANDLES
from numbra.cuda.cudadrv.driver import driver


class _DeviceList:
    """``cuda.gpus``: the devices, each a context manager that makes its context current."""

    def __init__(self):
        self._lock = threading.Lock()
        self._lst = None

    @property
    def lst(self):
        """The devices, found when they are first asked for."""
        if self._lst is None:
            with self._lock:
                if self._lst is None:
                    count = driver.get_device_count()
                    self._lst = [_DeviceContextManager(driver.get_device(number)) for number in range(count)]
        return self._lst

    def __getitem__(self, devnum):
        if isinstance(devnum, slice):
            return self.lst[devnum]
        try:
            return self.lst[int(devnum)]
        except IndexError:
            raise IndexError(f"there is no CUDA device {devnum}: this process has {len(self)}") from None

    def __str__(self):
        return ", ".join(str(device) for device in self.lst)

    def __iter__(self):
        return iter(self.lst)

    def __len__(self):
        return len(self.lst)

    @property
    def current(self):
        """The device whose context is current on this thread, or None."""
        if not driver.cuCtxGetCurrent():
            return None
        return self[driver.cuCtxGetDevice()]


class _DeviceContextManager:
    """A device that ``with`` makes current. Else like the device."""

    def __init__(self, device):
        self._device = device

    def __getattr__(self, name):
        return getattr(self._device, name)

    def __enter__(self):
        _runtime.enter(self._device.id)

    def __exit__(self, exc_type, exc_val, exc_tb):
        self._device.get_primary_context().pop()

    def __str__(self):
        return f"<Managed Device {self.id}>"


class _Runtime:
    """Contexts of the process: at most one for each device."""

    def __init__(self):
        self.gpus = _DeviceList()
        self._lock = threading.RLock()
        self._tls = threading.local()
        #: Only the main thread destroys contexts.
        self._main_thread = threading.main_thread()

    @property
    def attached(self):
        """The context of the call of numbra's that runs on this thread, or None."""
        return getattr(self._tls, "context", None)

    def get_or_create_context(self, devnum=None):
        """The context of a device, made current; without a number, the current context, or device 0's."""
        if devnum is None:
            return self.attached or self._current()
        with self._lock:
            context = self._primary(int(devnum))
            if _cuda.cuCtxGetCurrent() != context.handle:
                context.push()
            else:
                context.prepare_for_use()
            return context

    def enter(self, devnum):
        """Pushes a device's context, for a block that pops it."""
        with self._lock:
            self._primary(devnum).push()

    def _primary(self, devnum):
        context = self.gpus[devnum].get_primary_context()
        # The driver may give a new context the handle of one that was reset.
        RESET_HANDLES.discard(context.handle)
        attached = self.attached
        if attached is not None and attached is not context:
            raise RuntimeError("Cannot switch CUDA-context.")
        return context

    def _current(self):
        with self._lock:
            handle = driver.cuCtxGetCurrent()
            if handle in RESET_HANDLES:
                # Another thread reset what is current on this one.
                _cuda.cuCtxPopCurrent()
                return self._current()
            if not handle:
                return self.get_or_create_context(0)
            context = self.gpus[_cuda.cuCtxGetDevice()].get_primary_context()
            if context.handle != handle:
                raise RuntimeError(f"Numba cannot operate on non-primary CUDA context {handle:x}")
            context.prepare_for_use()
            return context

    def reset(self):
        """Takes all contexts off this thread; from the main thread, destroys them."""
        while _cuda.cuCtxGetCurrent():
            _cuda.cuCtxPopCurrent()
        if threading.current_thread() is self._main_thread:
            for gpu in self.gpus:
                gpu.reset()


_runtime = _Runtime()

gpus = _runtime.gpus


def get_context(devnum=None):
    """The current context, or that of a device, which becomes current."""
    return _runtime.get_or_create_context(devnum)


def require_context(fn):
    """Has ``fn`` run with a current context, made if there is none. It cannot switch contexts."""

    @functools.wraps(fn)
    def with_context(*args, **kws):
        runtime = _runtime
        if runtime.attached is not None:
            return fn(*args, **kws)
        runtime._tls.context = runtime.get_or_create_context()
        try:
            return fn(*args, **kws)
        finally:
            runtime._tls.context = None

    return with_context


def reset():
    """Takes all contexts off this thread; from the main thread, destroys them with everything in them."""
    _runtime.reset()
