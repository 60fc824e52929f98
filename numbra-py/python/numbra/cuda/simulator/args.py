"""How kernel arguments are copied before and after a launch: ``cuda.In``, ``cuda.Out``, ``cuda.InOut``."""

import numpy as np


class ArgHint:
    """An argument with a say in its copies."""

    copies_in = True
    copies_out = True

    def __init__(self, value):
        self.value = value

    def to_device(self, retr, stream=0):
        """The array for the kernel; `retr` takes what is to be called when it has run."""
        from numbra.cuda.simulator.cudadrv.devicearray import auto_device

        value = self.value
        # Kernels take any array of the host; what has gaps is packed first.
        gaps = isinstance(value, np.ndarray) and not (value.flags.c_contiguous or value.flags.f_contiguous)
        array, converted = auto_device(
            np.ascontiguousarray(value) if gaps else value, stream=stream, copy=self.copies_in
        )
        if converted and self.copies_out:
            retr.append(lambda: self._copy_back(array, stream, gaps))
        return array

    def _copy_back(self, array, stream, gaps):
        if gaps:
            self.value[...] = array.copy_to_host(stream=stream)
        else:
            array.copy_to_host(self.value, stream=stream)


class In(ArgHint):
    """Copied to the device and not back."""

    copies_out = False


class Out(ArgHint):
    """Copied back only: the kernel finds any values in it."""

    copies_in = False


class InOut(ArgHint):
    """Copied both ways, which is what an argument without a hint is."""


def wrap_arg(value, default=InOut):
    """The value with a hint."""
    return value if isinstance(value, ArgHint) else default(value)


__all__ = ["ArgHint", "In", "InOut", "Out", "wrap_arg"]
