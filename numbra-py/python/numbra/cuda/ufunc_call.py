"""Ufuncs on devices: calls of functions that ``vectorize(target="cuda")`` has compiled."""

import warnings
from math import prod
from typing import NamedTuple

import numpy as np
from numbra.cuda.deviceufunc import broadcast_shapes, select_signature
from numbra.cuda.views import (
    as_device_array,
    broadcast_strides,
    coalesced,
    is_number,
    is_on_device,
    on_device,
    seen_by_kernels,
    to_host,
    view,
)

#: Threads of a block, at most.
_THREADS = 256
#: Kernels for more elements compute places in 64 bits.
_NARROW = 1 << 32


class UFuncKernel:
    """The kernels of one signature: for arrays of so many axes, and for arguments that are numbers."""

    def __init__(self, core, pyfunc, dtypes):
        self._core, self._pyfunc, self._dtypes = core, pyfunc, dtypes
        self._kernels = {}

    def kernel(self, ndim, scalars, narrow):
        """The kernel for arrays of ``ndim`` axes; ``scalars`` says which arguments are numbers."""
        narrow = narrow or ndim == 1
        key = ndim, scalars, narrow
        found = self._kernels.get(key)
        if found is None:
            found = self._kernels[key] = self._make(*key)
        return found

    def _make(self, ndim, scalars, narrow):
        from numbra import cuda
        from numbra.cuda.ufunc_kernels import ufunc_kernel

        return cuda.jit(ufunc_kernel(self._core, self._pyfunc, self._dtypes, ndim, scalars, narrow))

    def launch(self, arguments, out, stream):
        """Computes all elements of ``out``; arrays among the arguments are spread over its shape."""
        if not out.size:
            return
        arrays = [argument for argument in arguments if isinstance(argument, Spread)]
        shape, (to, *strides) = coalesced(out.shape, [out.strides, *(array.strides for array in arrays)])
        walked = iter([view(array.ary, shape, steps) for array, steps in zip(arrays, strides, strict=True)])
        given = [next(walked) if isinstance(argument, Spread) else argument for argument in arguments]
        scalars = tuple(not isinstance(argument, Spread) for argument in arguments)
        kernel = self.kernel(len(shape), scalars, out.size < _NARROW)
        threads = min(_THREADS, -(-out.size // 32) * 32)
        kernel[-(-out.size // threads), threads, stream](*given, view(out, shape, to))


class Spread(NamedTuple):
    """A device array and the strides with which it is spread over a shape."""

    ary: object
    strides: tuple


class CUDAUFuncDispatcher:
    """A ufunc on devices: call it with arrays of the host or of devices, and numbers.

    Arrays are not cast: one of the signatures must have exactly their types. A result is on the device where an
    argument is, or where ``out`` is. ``stream``: where the kernel runs, and in whose order arrays are copied.
    """

    def __init__(self, types_to_retty_kernels, pyfunc, signatures=()):
        #: For the dtypes of arguments, that of the result and a :class:`UFuncKernel`.
        self.functions = types_to_retty_kernels
        self.__name__ = pyfunc.__name__
        self.__doc__ = pyfunc.__doc__
        self._pyfunc, self._signatures = pyfunc, list(signatures)

    def __call__(self, *args, **kws):
        stream, out = kws.pop("stream", 0), kws.pop("out", None)
        if kws:
            warnings.warn(f"unrecognized keywords: {', '.join(kws)}", stacklevel=2)
        if isinstance(out, tuple) and len(out) == 1:
            out = out[0]
        args = [_argument(arg) for arg in args]
        dtypes = tuple(None if isinstance(arg, _Number) else arg.dtype for arg in args)
        values = tuple(arg.value if isinstance(arg, _Number) else None for arg in args)
        signature = select_signature(self.functions, dtypes, values)
        dtype, kernel = self.functions[signature]
        shape = broadcast_shapes(*((1,) if isinstance(arg, _Number) else arg.shape for arg in args))
        any_device = any(is_on_device(arg) for arg in args)
        target = _target(out, shape, dtype, stream)
        arguments = [_spread(arg, formal, shape, stream) for arg, formal in zip(args, signature, strict=True)]
        kernel.launch(arguments, target, stream)
        if (any_device and out is None) or is_on_device(out):
            return target
        return to_host(target, out, stream)

    def reduce(self, arg, stream=0):
        """The elements of a one-dimensional array combined with each other."""
        from numbra.cuda.kernels.reduction import reduce_on_device

        if len(next(iter(self.functions))) != 2:
            raise TypeError(f"{self.__name__}.reduce: must be a binary ufunc")
        if arg.ndim != 1:
            raise TypeError(f"{self.__name__}.reduce: must use 1d array")
        if arg.shape[0] == 0:
            raise TypeError("Reduction on an empty array.")
        if arg.shape[0] == 1:
            return arg[0]
        select_signature(self.functions, (arg.dtype, arg.dtype), (None, None))
        values = seen_by_kernels(on_device(arg, stream))
        return reduce_on_device(self._pyfunc, values, values.size, stream=stream)

    def __reduce__(self):
        from numbra.core.serialize import reduce_function
        from numbra.cuda.vectorizers import rebuild

        return rebuild, (reduce_function(self._pyfunc), None, self._signatures)

    def __repr__(self):
        return f"<CUDA ufunc {self.__name__!r}>"


class _Number(NamedTuple):
    """A number among the arguments of a ufunc."""

    value: object


def _argument(arg):
    """An argument as a number, a device array or an array of the host."""
    if is_on_device(arg):
        return as_device_array(arg)
    if isinstance(arg, (int, float, complex, np.number)):
        return _Number(arg)
    return np.asarray(arg)


def _spread(arg, dtype, shape, stream):
    """An argument as a kernel takes it."""
    if isinstance(arg, _Number):
        value = np.array([arg.value], dtype=dtype)
        if is_number(dtype):
            return value.item()
        arg = value
    ary = on_device(arg, stream)
    return Spread(ary, broadcast_strides(ary, shape))


def _target(out, shape, dtype, stream):
    """The device array that the kernel writes."""
    from numbra import cuda

    if out is None:
        return cuda.device_array(shape, dtype, stream=stream)
    if not isinstance(out, np.ndarray) and not is_on_device(out):
        raise TypeError(f"return arrays must be of ArrayType, not {type(out).__name__}")
    if is_on_device(out):
        out = as_device_array(out)
        if out.shape != shape and out.size == prod(shape):
            out = out.reshape(*shape)
        if out.shape == shape:
            return out
    elif out.shape == shape and out.dtype == dtype:
        return cuda.device_array(shape, dtype, stream=stream)
    raise ValueError(f"out is {out.dtype}{out.shape}, and the result is {dtype}{shape}")
