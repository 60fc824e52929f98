"""Functions that the compiler recognises; outside compiled code they do what their names say."""

from numbra._named import names_of


class prange:  # Numba's name
    """A ``range`` whose iterations may run in parallel, in functions compiled with ``parallel=True``.

    Parameters
    ----------
    start, stop, step : int
        As of ``range``.

    Examples
    --------
    >>> import numbra as nb
    >>> import numpy as np
    >>> @nb.njit(parallel=True)
    ... def norm(x):
    ...     total = 0.0
    ...     for i in nb.prange(x.size):
    ...         total += x[i] * x[i]
    ...     return total**0.5
    >>> norm(np.array([3.0, 4.0]))
    5.0
    """

    def __new__(cls, *args):
        return range(*args)


class pndindex:
    """An ``ndindex`` whose iterations may run in parallel."""

    def __new__(cls, *args):
        import numpy

        return numpy.ndindex(*args)


def literally(obj):
    """Asks the compiler to treat the argument as a literal: the function is compiled for each value.

    Parameters
    ----------
    obj
        An argument of the compiled function.
    """
    return obj


def literal_unroll(container):
    """Asks the compiler to unroll the loop over a tuple, whose items may then be of several types.

    Parameters
    ----------
    container : tuple
        ``for item in literal_unroll(container):``
    """
    return container


def carray(ptr, shape, dtype=None):
    """The memory at a pointer as an array in C order; it is not copied.

    Parameters
    ----------
    ptr
        A pointer of ``ctypes``; in compiled code a ``CPointer`` or ``voidptr``.
    shape : int or tuple of int
        Numbers of elements.
    dtype
        Needed where the pointer is a ``void *``.
    """
    import ctypes

    import numpy

    ptr = getattr(ptr, "_as_parameter_", ptr)
    if dtype is not None:
        dtype = numpy.dtype(dtype)
    if isinstance(ptr, ctypes._Pointer):
        from numbra.core.typing.ctypes_utils import from_ctypes
        from numbra.np.numpy_support import as_dtype

        pointed = as_dtype(from_ctypes(type(ptr)).dtype)
        if dtype is not None and dtype != pointed:
            raise TypeError(f"mismatching dtype '{dtype}' for pointer {ptr}")
        dtype = pointed
    elif not isinstance(ptr, ctypes.c_void_p):
        raise TypeError(f"expected a ctypes pointer, got {ptr!r}")
    elif dtype is None:
        raise TypeError("explicit dtype required for void* argument")
    size = dtype.itemsize * int(numpy.prod(shape, dtype=numpy.intp))
    memory = (ctypes.c_uint8 * size).from_address(ctypes.cast(ptr, ctypes.c_void_p).value or 0)
    return numpy.frombuffer(memory, dtype=numpy.uint8).view(dtype).reshape(shape)


def farray(ptr, shape, dtype=None):
    """As :func:`carray`, in Fortran order.

    Parameters
    ----------
    ptr, shape, dtype
        As of :func:`carray`.
    """
    shape = shape if isinstance(shape, int) else shape[::-1]
    return carray(ptr, shape, dtype).T


__getattr__ = names_of(__name__)
