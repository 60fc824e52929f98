"""Errors of kernels, and the check of a launch configuration."""

import numbers

from numbra.core.errors import LoweringError


class KernelRuntimeError(RuntimeError):
    """An error in a running kernel, with the thread and the block it happened in."""

    def __init__(self, msg, tid=None, ctaid=None):
        self.tid, self.ctaid, self.msg = tid, ctaid, msg
        super().__init__(f"An exception was raised in thread={tid} block={ctaid}\n\t{msg}")


class KernelDeadlockError(RuntimeError):
    """Threads of a kernel on the CPU wait for others that do not come; the text says where."""


class UnsupportedBytecodeError(Exception):
    """Bytecode that kernels cannot have."""

    def __init__(self, msg, loc=None):
        super().__init__(f"{msg}. Raised from {loc}")


class CudaLoweringError(LoweringError):
    """A failure of generating code for the GPU."""


missing_launch_config_msg = """
Kernel launch configuration was not specified. Use the syntax:

kernel_function[blockspergrid, threadsperblock](arg0, arg1, ..., argn)

See https://numba.readthedocs.io/en/stable/cuda/kernels.html#kernel-invocation for help.

"""


def _dimensions(given, name: str) -> tuple[int, int, int]:
    sizes = list(given) if isinstance(given, (tuple, list)) else [given]
    if len(sizes) > 3:
        raise ValueError(f"{name} must be a sequence of 1, 2 or 3 integers, got {sizes!r}")
    if not all(isinstance(size, numbers.Integral) for size in sizes):
        raise TypeError(f"{name} must be a sequence of integers, got {sizes!r}")
    if not all(0 <= size < 1 << 32 for size in sizes):
        raise ValueError(f"{name} must be a sequence of integers from 1 up to a limit of the device, got {sizes!r}")
    return tuple(sizes + [1] * (3 - len(sizes)))


def normalize_kernel_dimensions(griddim, blockdim) -> tuple[tuple[int, int, int], tuple[int, int, int]]:
    """Both as three integers."""
    if griddim is None or blockdim is None:
        raise ValueError(missing_launch_config_msg)
    return _dimensions(griddim, "griddim"), _dimensions(blockdim, "blockdim")


def exception_of(raised, tid, ctaid) -> Exception:
    """What a thread has raised, as the exception for the host; its text names the thread and the place."""
    import ast

    cls, args, function, file, line = raised
    # What is computed on the device is not known here.
    values = [ast.literal_eval(text) for text in args if text is not None and not text.startswith("=")]
    return _placed(cls, values, function, file, line, tid, ctaid)


def placed(error, function, file, line, tid, ctaid) -> Exception:
    """As :func:`exception_of`, of an exception that is there already."""
    return _placed(type(error), error.args, function, file, line, tid, ctaid)


def _placed(cls, values, function, file, line, tid, ctaid) -> Exception:
    place = f"In function {function!r}, file {file}, line {line}, tid={tid[::-1]} ctaid={ctaid[::-1]}"
    if not values:
        return cls(place)
    return cls(f"{place}: {values[0]}", *values[1:])
