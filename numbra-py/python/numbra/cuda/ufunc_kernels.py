"""The kernels of ufuncs on devices, for any number of arguments and axes.

They are closures put together as :mod:`numbra.np.ufunc.composed` says: ``core`` is the user's function as device code.
"""

import functools

import numpy as np
from numbra import cuda
from numbra.core import types
from numbra.core.itanium_mangler import escape_string
from numbra.np.ufunc.composed import concatenated


@functools.cache
def _on_device(function):
    return cuda.jit(device=True)(function)


def _named(kernel, prefix, pyfunc):
    """The kernel under a name that says whose it is."""
    kernel.__name__ = kernel.__qualname__ = f"{prefix}_{escape_string(pyfunc.__name__)}"
    kernel.__module__ = pyfunc.__module__
    return kernel


def ufunc_kernel(core, pyfunc, dtypes, ndim, scalars, is_narrow):
    """The kernel that applies ``core`` to each element of arrays of ``ndim`` axes, and writes to the last argument.

    ``scalars``: which arguments are numbers, which become ``dtypes``. Places along axes are computed in 32 bits if
    ``is_narrow``.
    """
    place = _place(ndim - 1, np.uint32 if is_narrow else np.uint64)
    takers = [_number(dtype.type) if is_number else _element for dtype, is_number in zip(dtypes, scalars, strict=True)]
    items = concatenated(((taker, i) for i, taker in enumerate(takers)), _on_device)

    def kernel(*arguments):
        out = arguments[-1]
        thread = cuda.grid(1)
        if thread < out.size:
            at = place(out.shape, thread)
            out[at] = core(*items(arguments, at))

    return _named(kernel, "__vectorized", pyfunc)


@functools.cache
def _place(axis, index):
    """``function(shape, rest)``: the index along the axes up to ``axis`` of an element, by its place in order."""
    if axis == 0:

        def place(shape, rest):
            return (rest,)
    else:
        outer = _place(axis - 1, index)

        def place(shape, rest):
            length, whole = index(shape[axis]), index(rest)
            before = index(whole // length)
            return (*outer(shape, before), index(whole - before * length))

    return _on_device(place)


@_on_device
def _element(array, at):
    return (array[at],)


@functools.cache
def _number(scalar_type):
    def number(value, at):
        return (scalar_type(value),)

    return _on_device(number)


def gufunc_kernel(core, pyfunc, dims, argtypes):
    """The kernel that calls ``core`` for each place of the loop, along the first axis of each argument.

    ``dims``: how many axes the layout gives each argument, whose types to the core are ``argtypes``.
    """
    lengths = concatenated(((_length, i) for i in range(len(dims))), _on_device)
    # A scalar of the layout may be an array of one axis to the core.
    takers = [
        _one if ndim == 0 and isinstance(ty, types.Array) and ty.ndim == 1 else _element
        for ndim, ty in zip(dims, argtypes, strict=True)
    ]
    items = concatenated(((taker, i) for i, taker in enumerate(takers)), _on_device)

    def kernel(*arguments):
        thread = cuda.grid(1)
        if thread < min(lengths(arguments, thread)):
            core(*items(arguments, thread))

    return _named(kernel, "__gufunc", pyfunc)


@_on_device
def _length(array, at):
    return (array.shape[0],)


@_on_device
def _one(array, at):
    return (array[at : at + 1],)
