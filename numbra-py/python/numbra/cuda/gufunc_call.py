"""Generalised ufuncs on devices: calls of kernels that ``guvectorize(target="cuda")`` has compiled."""

import math
import warnings

import numpy as np
from numbra.cuda.deviceufunc import select_gufunc_signature
from numbra.cuda.views import (
    as_device_array,
    coalesced,
    is_on_device,
    on_device,
    packed,
    seen_by_kernels,
    to_host,
    view,
)

#: Threads of a block: fewer where a loop is short, so that more multiprocessors have some.
_THREADS, _FEW_THREADS = 128, 32
_SHORT_LOOP = 1 << 13


class CUDAGeneralizedUFunc:
    """A generalised ufunc on devices: call it with arrays of the host or of devices, and numbers.

    Results are new arrays, or those given after the inputs or as ``out``. They are on the device where an argument is.
    ``stream``: where the kernel runs, and in whose order arrays are copied.
    """

    def __init__(self, kernelmap, engine, pyfunc, layout=None, signatures=()):
        #: For the dtypes of inputs, those of the outputs and the kernel.
        self.kernelmap = kernelmap
        self.engine = engine
        self.max_blocksize = 2**30
        self.__name__ = pyfunc.__name__
        self.__doc__ = pyfunc.__doc__
        self._pyfunc, self._layout, self._signatures = pyfunc, layout, list(signatures)

    def __call__(self, *args, **kws):
        stream, out = kws.pop("stream", 0), kws.pop("out", None)
        if kws:
            warnings.warn(f"unrecognized keywords: {', '.join(kws)}", stacklevel=2)
        inputs, outs = self._split(args, out)
        stay = any(is_on_device(arg) for arg in [*args, *outs])
        schedule = self.engine.schedule([ary.shape for ary in inputs])
        given = tuple(ary.dtype for ary in inputs)
        formal = given if given in self.kernelmap else select_gufunc_signature(self.kernelmap, given)
        dtypes, kernel = self.kernelmap[formal]
        inputs = [_cast(ary, dtype) for ary, dtype in zip(inputs, formal, strict=True)]
        for shape, ary in zip(schedule.output_shapes, outs, strict=True):
            if ary is not None and ary.shape != shape:
                raise ValueError("output shape mismatch")
        results = self._results(schedule.output_shapes, dtypes, outs, stream)
        if schedule.loopn:
            self._launch(kernel, schedule, [on_device(ary, stream) for ary in inputs], results, stream)
        done = tuple(
            result if is_on_device(ary) or (ary is None and stay) else to_host(result, ary, stream)
            for result, ary in zip(results, outs, strict=True)
        )
        return done[0] if len(done) == 1 else done

    def _split(self, args, out):
        """Inputs and outputs as arrays, None for outputs to be made."""
        nin, nout = self.engine.nin, self.engine.nout
        if out is None and len(args) not in (nin, nin + nout):
            raise TypeError(
                f"This gufunc accepts {_positional(nin)} (when providing input only) or {_positional(nin + nout)} "
                f"(when providing input and output). Got {_positional(len(args))}."
            )
        if out is not None and len(args) > nin:
            raise ValueError("cannot specify argument 'out' as both positional and keyword")
        arrays = [as_device_array(arg) if is_on_device(arg) else np.asarray(arg) for arg in args]
        if out is None:
            return arrays[:nin], arrays[nin:] or [None] * nout
        outs = list(out) if isinstance(out, tuple) else [out]
        if len(outs) != nout:
            raise ValueError(f"the 'out' tuple must have exactly {nout} entries, not {len(outs)}")
        for ary in outs:
            if ary is not None and not is_on_device(ary) and not isinstance(ary, np.ndarray):
                raise TypeError(f"return arrays must be of ArrayType, not {type(ary).__name__}")
        return arrays, [as_device_array(ary) if is_on_device(ary) else ary for ary in outs]

    def _results(self, shapes, dtypes, outs, stream):
        """The arrays on the device that the outputs are written to."""
        from numbra import cuda

        results = []
        for shape, dtype, ary in zip(shapes, dtypes, outs, strict=True):
            if ary is not None and ary.dtype != dtype:
                raise TypeError(f"incompatible dtype: an output has {ary.dtype}, where the result has {dtype}")
            results.append(ary if is_on_device(ary) else cuda.device_array(shape, dtype, stream=stream))
        return results

    def _launch(self, kernel, schedule, inputs, results, stream):
        """Runs the kernel for each place of the loop."""
        arguments = [
            _pinned(ary, core, schedule.loopn) if pinned else _looped(_joinable(ary, core, stream), core)
            for ary, core, pinned in zip(inputs, schedule.ishapes, schedule.pinned, strict=True)
        ]
        # A result without one axis for the loop is computed elsewhere, and then assigned.
        written = [_joinable(ary, core, stream) for ary, core in zip(results, schedule.oshapes, strict=True)]
        arguments += [_looped(ary, core) for ary, core in zip(written, schedule.oshapes, strict=True)]
        threads = _THREADS if schedule.loopn > _SHORT_LOOP else _FEW_THREADS
        kernel[-(-schedule.loopn // threads), threads, stream](*arguments)
        for result, ary in zip(results, written, strict=True):
            if ary is not result:
                seen_by_kernels(result).setitem(..., ary, stream=stream)

    def __reduce__(self):
        from numbra.core.serialize import reduce_function
        from numbra.cuda.vectorizers import rebuild

        return rebuild, (reduce_function(self._pyfunc), self._layout, self._signatures)

    def __repr__(self):
        return f"<CUDA generalized ufunc {self.__name__!r}>"


def _positional(n):
    return f"{n} positional argument{'s' * (n != 1)}"


def _cast(ary, dtype):
    """An input with the dtype that the kernel takes."""
    if ary.dtype == dtype:
        return ary
    if not hasattr(ary, "astype"):
        raise TypeError(
            f"compatible signature is possible by casting but {type(ary)} does not support .astype(): "
            f"it has dtype {ary.dtype}, and the kernel takes {dtype}"
        )
    return ary.astype(dtype)


def _pinned(ary, core, loopn):
    """An input that is the same at each place of the loop."""
    return view(ary, (loopn, *core), (0, *ary.strides[ary.ndim - len(core) :]))


def _loop(ary, core):
    """The axes of an array that are not the core's, as few as there can be: their lengths and strides."""
    outer = ary.ndim - len(core)
    lengths, (steps,) = coalesced(ary.shape[:outer], [ary.strides[:outer]], ordered=False)
    return lengths, steps


def _joinable(ary, core, stream):
    """The array, or a copy, so that one axis can stand for those that are not the core's."""
    return ary if len(_loop(ary, core)[0]) == 1 else packed(ary, stream)


def _looped(ary, core):
    """An array with one axis for the loop, and those of the core."""
    lengths, steps = _loop(ary, core)
    if lengths == (1,):
        steps = (ary.dtype.itemsize * max(math.prod(core), 1),)
    return view(ary, lengths + core, steps + ary.strides[ary.ndim - len(core) :])
