"""How arrays of the host get to a kernel and back: ``cuda.In``, ``cuda.Out`` and ``cuda.InOut``."""

import abc
import functools

from numbra._named import names_of

__getattr__ = names_of(__name__)


class ArgHint(abc.ABC):
    """A kernel argument and what shall be copied."""

    def __init__(self, value):
        self.value = value

    @abc.abstractmethod
    def to_device(self, retr, stream=0):
        """The argument on the device; appends to ``retr`` what is to be called after the launch."""

    @functools.cached_property
    def _numba_type_(self):
        from numbra.core.typing.typeof import Purpose, typeof

        return typeof(self.value, Purpose.argument)

    def _on_device(self, stream, copy):
        """The argument on the device, and whether that is a copy."""
        import numpy as np
        from numbra.cuda.cudadrv import devicearray

        value = self.value
        if isinstance(value, np.ndarray) and not devicearray.is_cuda_ndarray(value):
            # Kernels take any array of the host; what has gaps is packed first.
            flags = devicearray.array_core(value).flags
            if not flags.c_contiguous and not flags.f_contiguous:
                value = np.ascontiguousarray(value) if copy else np.empty(value.shape, value.dtype)
                if copy:
                    devicearray.warn_on_implicit_copy()
                return devicearray.auto_device(value, stream=stream, copy=copy, user_explicit=True)
        return devicearray.auto_device(value, stream=stream, copy=copy)


class In(ArgHint):
    """The kernel reads the array: it is copied to the device."""

    def to_device(self, retr, stream=0):
        ary, _ = self._on_device(stream, copy=True)
        # Keeps the copy until the kernel is in its stream.
        retr.append(lambda: ary)
        return ary


class Out(ArgHint):
    """The kernel writes the array: it is copied from the device."""

    _copy_input = False

    def to_device(self, retr, stream=0):
        import numpy as np

        if isinstance(self.value, np.ndarray) and not self.value.flags.writeable:
            raise ValueError("the array is read-only, and kernels copy arrays back: pass cuda.In(array), or a copy")
        ary, is_copy = self._on_device(stream, copy=self._copy_input)
        if is_copy:
            retr.append(lambda: _copy_back(ary, self.value, stream))
        return ary


class InOut(Out):
    """The kernel reads and writes the array: it is copied both ways."""

    _copy_input = True


def _copy_back(ary, value, stream):
    """Copies a device array to the array or record of the host that it was made of."""
    import numpy as np

    if isinstance(value, np.ndarray) and ary.strides == value.strides:
        ary.copy_to_host(value, stream=stream)
    elif isinstance(value, np.ndarray):
        packed = ary.copy_to_host(stream=stream)
        if stream:
            stream.synchronize()
        value[...] = packed
    elif isinstance(value, np.void):
        from numbra.cuda.cudadrv import driver

        driver.device_to_host(value, ary, ary.dtype.itemsize, stream=stream)


def wrap_arg(value, default=InOut):
    """The argument with a hint."""
    return value if isinstance(value, ArgHint) else default(value)


__all__ = ["ArgHint", "In", "InOut", "Out", "wrap_arg"]
