"""``vectorize`` and ``guvectorize`` with ``target="cuda"``: ufuncs that run on the device.

Arrays may lie on the host or on the device. With one on the device, or such an output, the result stays there.
"""

import math
import numbers
import warnings
from collections import OrderedDict

import numpy as np
from numbra import cuda
from numbra.core import config, types
from numbra.core.itanium_mangler import escape_string
from numbra.core.sigutils import normalize_signature
from numbra.cuda import deviceufunc
from numbra.cuda.cudadrv import devicearray


def _is_device(obj) -> bool:
    return cuda.is_cuda_array(obj)


def _as_device(obj):
    """The device array. Numbra's own are not imported anew, which would wait for their stream."""
    return obj if devicearray.is_cuda_ndarray(obj) else cuda.as_cuda_array(obj)


def _restrided(array, shape, strides):
    """A device array over the same memory."""
    if config.ENABLE_CUDASIM:
        view = np.lib.stride_tricks.as_strided(array._ary, shape, strides)
        return devicearray.FakeCUDAArray(view, array.stream)
    offset = getattr(array, "_offset", 0)
    return devicearray.DeviceNDArray(
        shape, strides, array.dtype, stream=array.stream, gpu_data=array.gpu_data, _offset=offset
    )


def _broadcast(array, shape):
    """The array, on the host or on the device, in this shape; repeated along axes by strides of zero."""
    if tuple(array.shape) == shape:
        return array
    if not _is_device(array):
        return np.broadcast_to(array, shape)
    missing = len(shape) - len(array.shape)
    sizes = (0,) * missing + tuple(array.shape)
    strides = (0,) * missing + tuple(array.strides)
    same = zip(sizes, shape, strides, strict=True)
    return _restrided(array, shape, tuple(stride if size == wanted else 0 for size, wanted, stride in same))


def _ravelled(array, stream):
    """The array with one axis; one on the device whose elements are scattered makes a trip to the host."""
    try:
        return array.ravel()
    except NotImplementedError:
        if not _is_device(array):
            raise
    return cuda.to_device(array.copy_to_host(stream=stream).ravel(), stream=stream)


class CUDAUFuncDispatcher:
    """A ufunc for devices. Arrays are not cast: their dtypes are those of a signature."""

    def __init__(self, types_to_retty_kernels, pyfunc):
        #: ``{dtypes of the arguments: (dtype of the result, kernel)}``
        self.functions = types_to_retty_kernels
        self.__name__ = pyfunc.__name__
        self.__doc__ = pyfunc.__doc__

    def __call__(self, *args, stream=0, out=None, **kws):
        """Applies the function; ``out`` is an array on the host or on the device, of the result's shape and dtype."""
        if kws:
            warnings.warn(f"unrecognized keywords: {', '.join(kws)}", stacklevel=2)
        numbers_at = [isinstance(arg, numbers.Number) for arg in args]
        arrays = [
            None if number else _as_device(arg) if _is_device(arg) else np.asarray(arg)
            for arg, number in zip(args, numbers_at, strict=True)
        ]
        dtypes = tuple(None if array is None else array.dtype for array in arrays)
        signature = deviceufunc.select_signature(self.functions, dtypes, args)
        result_dtype, kernel = self.functions[signature]
        for at, number in enumerate(numbers_at):
            if number:
                arrays[at] = np.array([args[at]], dtype=signature[at])
        shape = deviceufunc.broadcast_shapes(*(tuple(array.shape) for array in arrays))
        on_device = any(map(_is_device, arrays))
        inputs = []
        for array in arrays:
            flat = _broadcast(array, shape)
            if len(shape) != 1:
                flat = _ravelled(flat, stream)
            inputs.append(flat if _is_device(flat) else cuda.to_device(flat, stream=stream))
        if out is not None and _is_device(out):
            out = _as_device(out)
            result = _ravelled(out, stream) if len(out.shape) > 1 else out
        else:
            if out is not None and (out.shape != shape or out.dtype != result_dtype):
                raise ValueError(f"out is {out.dtype}{out.shape}, and the result is {result_dtype}{shape}")
            result = cuda.device_array(math.prod(shape), result_dtype, stream=stream)
        kernel.forall(math.prod(shape), stream=stream)(*inputs, result)
        if out is None:
            return (result if on_device else result.copy_to_host(stream=stream)).reshape(shape)
        if _is_device(out):
            return result.reshape(shape)
        out[...] = result.copy_to_host(stream=stream).reshape(shape)
        return out

    def reduce(self, arg, stream=0):
        """Combines the elements of an array with one axis by a ufunc of two arguments."""
        if len(next(iter(self.functions))) != 2:
            raise TypeError("must be a binary ufunc")
        if arg.ndim != 1:
            raise TypeError("must use 1d array")
        count = arg.shape[0]
        if count == 0:
            raise TypeError("Reduction on an empty array.")
        if count == 1:
            return arg[0]
        stream = stream or cuda.stream()
        with stream.auto_synchronize():
            # The first step writes to memory of its own, so that the argument keeps its values.
            array = _as_device(arg) if _is_device(arg) else cuda.to_device(np.asarray(arg), stream)
            half = count // 2
            parts = array.split(half)
            total = self(parts[0], parts[1], stream=stream)
            odd = [parts[2]] if count % 2 else []
            while half > 1:
                count, half = half, half // 2
                parts = total.split(half)
                odd += parts[2:]
                total = parts[0]
                self(total, parts[1], out=total, stream=stream)
            for element in odd:
                self(total, element, out=total, stream=stream)
            host = np.empty(1, dtype=total.dtype)
            total.copy_to_host(host, stream=stream)
        return host[0]


class CUDAVectorize:
    """Builds a ufunc for devices, a kernel for each signature."""

    def __init__(self, func, identity=None, cache=False, targetoptions=None):
        if cache:
            raise TypeError("caching is not supported")
        for option in targetoptions or {}:
            if option != "nopython":
                raise KeyError(f"Unrecognized options. cuda vectorize target does not support option: '{option}'")
            warnings.warn("nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=4)
        self.py_func = self.pyfunc = func
        self.identity = identity
        self.kernelmap = OrderedDict()

    def add(self, sig=None):
        """Compiles for a signature."""
        args, return_type = normalize_signature(sig)
        core = cuda.jit(device=True, inline="always")(self.py_func)
        if return_type is None:
            return_type = self._return_type(core, args)
        scope = {**self.py_func.__globals__, "__cuda__": cuda, "__core__": core}
        name = escape_string(self.py_func.__name__)
        exec(deviceufunc.ufunc_source(name, len(args)), scope)
        kernel = cuda.jit(scope[f"__vectorized_{name}"])
        dtypes = tuple(map(deviceufunc.to_dtype, args))
        self.kernelmap[dtypes] = deviceufunc.to_dtype(return_type), kernel

    def _return_type(self, core, args):
        if config.ENABLE_CUDASIM:
            from numbra import njit

            compiled = njit(self.py_func)
            compiled.compile(args)
            return compiled.nopython_signatures[0].return_type
        return core.compile_device(args).signature.return_type

    def disable_compile(self):
        """Nothing to do: a call never compiles for new types."""

    def build_ufunc(self):
        """The ufunc."""
        return CUDAUFuncDispatcher(self.kernelmap, self.py_func)


class CUDAGeneralizedUFunc:
    """A gufunc for devices. Arrays on the host are cast where no signature has their dtypes."""

    def __init__(self, kernelmap, engine, pyfunc):
        #: ``{dtypes of the inputs: (dtypes of the outputs, kernel)}``
        self.kernelmap, self.engine = kernelmap, engine
        self.__name__ = pyfunc.__name__
        self.__doc__ = pyfunc.__doc__
        self.max_blocksize = 2**30

    def _arguments(self, args, out):
        """Inputs and outputs, each an array; None for an output that is to be made."""
        nin, nout = self.engine.nin, self.engine.nout
        if out is None and len(args) not in (nin, nin + nout):

            def counted(n):
                return f"{n} positional argument{'s' * (n != 1)}"

            raise TypeError(
                f"This gufunc accepts {counted(nin)} (when providing input only) or {counted(nin + nout)} "
                f"(when providing input and output). Got {counted(len(args))}."
            )
        if out is not None and len(args) > nin:
            raise ValueError("cannot specify argument 'out' as both positional and keyword")
        given = [_as_device(arg) if _is_device(arg) else np.asarray(arg) for arg in args]
        if len(given) > nin:
            return given[:nin], given[nin:]
        outs = list(out) if isinstance(out, (tuple, list)) else [out] * nout
        return given, [_as_device(each) if _is_device(each) else each for each in outs]

    def __call__(self, *args, out=None, stream=0):
        """Applies the function; outputs follow the inputs or are given as ``out``."""
        inputs, outs = self._arguments(args, out)
        plan = self.engine.schedule([array.shape for array in inputs])
        dtypes = deviceufunc.select_gufunc_signature(self.kernelmap, tuple(array.dtype for array in inputs))
        out_dtypes, kernel = self.kernelmap[dtypes]
        for shape, array in zip(plan.output_shapes, outs, strict=True):
            if array is not None and tuple(array.shape) != shape:
                raise ValueError("output shape mismatch")
        to_host = not any(map(_is_device, [*inputs, *outs]))
        count = plan.loopn
        parameters = [
            self._input(array, dtype, count, core, stream)
            for array, dtype, core in zip(inputs, dtypes, plan.ishapes, strict=True)
        ]
        results = [
            array if array is not None and _is_device(array) else cuda.device_array(shape, dtype, stream=stream)
            for array, shape, dtype in zip(outs, plan.output_shapes, out_dtypes, strict=True)
        ]
        parameters += [array.reshape(count, *core) for array, core in zip(results, plan.oshapes, strict=True)]
        kernel.forall(count, stream=stream)(*parameters)
        if to_host:
            results = [array.copy_to_host(host, stream=stream) for array, host in zip(results, outs, strict=True)]
        return results[0] if len(results) == 1 else tuple(results)

    def _input(self, array, dtype, count, core, stream):
        """An input on the device, with one axis before those of its core."""
        if array.dtype != dtype:
            if not hasattr(array, "astype"):
                raise TypeError(
                    f"compatible signature is possible by casting but {type(array)} does not support .astype()"
                )
            array = array.astype(dtype)
        if not _is_device(array):
            array = cuda.to_device(array, stream=stream)
        shape = (count, *core)
        if tuple(array.shape) == shape:
            return array
        if math.prod(array.shape) == math.prod(core):  # the same at every place
            inner = tuple(array.strides)[len(array.strides) - len(core) :]
            return _restrided(array, shape, (0, *inner))
        return array.reshape(*shape)


class CUDAGUFuncVectorize:
    """Builds a gufunc for devices, a kernel for each signature."""

    def __init__(self, func, sig, identity=None, cache=False, targetoptions=None, writable_args=()):
        if cache:
            raise TypeError("caching is not supported")
        if writable_args:
            raise TypeError("writable_args are not supported")
        options = dict(targetoptions or {})
        options.pop("is_dynamic", None)
        if not options.pop("nopython", True):
            raise TypeError("nopython flag must be True")
        if options:
            raise TypeError(f"The following target options are not supported: {', '.join(map(repr, options))}")
        self.py_func = self.pyfunc = func
        self.identity, self.signature = identity, sig
        self.engine = deviceufunc.GUFuncEngine.from_signature(sig)
        self.kernelmap = OrderedDict()

    def add(self, sig=None):
        """Compiles for a signature."""
        args, return_type = normalize_signature(sig)
        if return_type not in (types.none, None):
            raise TypeError(
                f"guvectorized functions cannot return values: signature {sig} specifies {return_type} return type"
            )
        dims = [len(names) for names in (*self.engine.sin, *self.engine.sout)]
        core = cuda.jit(device=True)(self.py_func)
        scope = {**self.py_func.__globals__, "__cuda__": cuda, "__core__": core}
        name = escape_string(self.py_func.__name__)
        exec(deviceufunc.gufunc_source(name, dims, args), scope)
        outer = tuple(deviceufunc.gufunc_outer_types(args, dims))
        kernel = cuda.jit(outer)(scope[f"__gufunc_{name}"])
        dtypes = tuple(deviceufunc.to_dtype(each.dtype) for each in outer)
        inputs = self.engine.nin
        self.kernelmap[dtypes[:inputs]] = dtypes[inputs:], kernel

    def disable_compile(self):
        """Nothing to do: a call never compiles for new types."""

    def build_ufunc(self):
        """The gufunc."""
        return CUDAGeneralizedUFunc(self.kernelmap, self.engine, self.py_func)


def vectorize(ftylist_or_function=(), target="cuda", **kws):
    """A ufunc for devices: :func:`numbra.vectorize` with ``target="cuda"``."""
    from numbra.np.ufunc.decorators import vectorize

    return vectorize(ftylist_or_function, target=target, **kws)


def guvectorize(*args, **kwargs):
    """A gufunc for devices: :func:`numbra.guvectorize` with ``target="cuda"``."""
    from numbra.np.ufunc.decorators import guvectorize

    kwargs.setdefault("target", "cuda")
    return guvectorize(*args, **kwargs)
