"""``vectorize`` and ``guvectorize`` for devices: compiling functions as ufuncs that kernels compute."""

import inspect
import warnings
from collections import OrderedDict

from numbra._named import names_of
from numbra.cuda.deviceufunc import GUFuncEngine, gufunc_outer_types, to_dtype
from numbra.cuda.gufunc_call import CUDAGeneralizedUFunc
from numbra.cuda.ufunc_call import CUDAUFuncDispatcher, UFuncKernel
from numbra.np.ufunc.loops import parse_identity

__getattr__ = names_of(__name__)


class _Builder:
    """Collects the kernels of a function, for each signature one."""

    def __init__(self, func, identity, cache):
        if cache:
            raise TypeError("caching is not supported")
        self.py_func = getattr(func, "py_func", func)
        self.identity = parse_identity(identity)
        #: For the dtypes of inputs, what :meth:`add` has compiled.
        self.kernelmap = OrderedDict()
        self._signatures = []

    @property
    def pyfunc(self):
        """The Python function."""
        return self.py_func

    def disable_compile(self):
        """Without effect: nothing is compiled for new types at calls."""

    def _core(self, args, return_type):
        """The function compiled for types, as device code."""
        from numbra import cuda
        from numbra.core.typing.templates import Signature

        self._signatures.append((tuple(args), return_type))
        signature = tuple(args) if return_type is None else Signature(return_type, tuple(args))
        return cuda.jit(signature, device=True)(self.py_func)

    def _check_signatures(self, decorator):
        if not self._signatures:
            raise TypeError(
                f"{decorator} of {self.py_func.__name__!r} with target='cuda' needs signatures: nothing is compiled "
                "for the types of a call"
            )


class CUDAVectorize(_Builder):
    """Collects the kernels of a function of numbers; :meth:`build_ufunc` gives the ufunc."""

    def __init__(self, func, identity=None, cache=False, targetoptions=None):
        super().__init__(func, identity, cache)
        for option in targetoptions or {}:
            if option != "nopython":
                raise KeyError(f"Unrecognized options. cuda vectorize target does not support option: '{option}'")
            warnings.warn("nopython kwarg for cuda target is redundant", RuntimeWarning, stacklevel=4)

    def add(self, sig=None):
        """Compiles the function for a signature."""
        from numbra.core.sigutils import normalize_signature

        args, return_type = normalize_signature(sig)
        core = self._core(args, return_type)
        result = self._return_type(core, tuple(args)) if return_type is None else return_type
        dtypes = tuple(map(to_dtype, args))
        self.kernelmap[dtypes] = to_dtype(result), UFuncKernel(core, self.py_func, dtypes)

    def _return_type(self, core, args):
        """The type of results where the signature does not say it."""
        from numbra import njit
        from numbra.core import config

        if config.ENABLE_CUDASIM:  # where nothing is compiled for devices
            core = njit(self.py_func)
            core.compile(args)
            return core.nopython_signatures[0].return_type
        return core.overloads[args].signature.return_type

    def build_ufunc(self):
        """The ufunc."""
        self._check_signatures("vectorize")
        return CUDAUFuncDispatcher(self.kernelmap, self.py_func, self._signatures)


class CUDAGUFuncVectorize(_Builder):
    """Collects the kernels of a function over core axes; :meth:`build_ufunc` gives the generalised ufunc."""

    def __init__(self, func, sig, identity=None, cache=False, targetoptions=None, writable_args=()):
        super().__init__(func, identity, cache)
        if writable_args:
            raise TypeError("writable_args are not supported")
        options = dict(targetoptions or {})
        if not options.pop("nopython", True):
            raise TypeError("nopython flag must be True")
        if options:
            raise TypeError(f"The following target options are not supported: {', '.join(map(repr, options))}")
        self.signature = sig
        self.engine = GUFuncEngine.from_signature(sig)
        self.inputsig, self.outputsig = self.engine.sin, self.engine.sout

    def add(self, sig=None):
        """Compiles the function, and the kernel that calls it at each place of the loop, for a signature."""
        from numbra import cuda
        from numbra.core import types
        from numbra.core.sigutils import normalize_signature
        from numbra.cuda.ufunc_kernels import gufunc_kernel

        args, return_type = normalize_signature(sig)
        if return_type not in (types.none, None):
            raise TypeError(
                f"guvectorized functions cannot return values: signature {sig} specifies {return_type} return type"
            )
        dims = [len(axes) for axes in self.inputsig + self.outputsig]
        if len(args) != len(dims):
            raise TypeError(f"signature {sig} has {len(args)} arguments, where layout {self.signature} has {len(dims)}")
        outer = tuple(gufunc_outer_types(args, dims))
        function = gufunc_kernel(self._core(args, return_type), self.py_func, dims, args)
        # A kernel for arrays of any layout is compiled for each that it meets.
        anywhere = all(ty.layout == "A" for ty in outer)
        kernel = (cuda.jit if anywhere else cuda.jit(outer))(function)
        dtypes = [to_dtype(ty.dtype) for ty in outer]
        self.kernelmap[tuple(dtypes[: self.engine.nin])] = tuple(dtypes[self.engine.nin :]), kernel

    def build_ufunc(self):
        """The generalised ufunc."""
        self._check_signatures("guvectorize")
        return CUDAGeneralizedUFunc(self.kernelmap, self.engine, self.py_func, self.signature, self._signatures)


def rebuild(reduced, layout, signatures):
    """A ufunc, or with a layout a generalised one, from what pickling keeps."""
    from numbra.core.serialize import rebuild_function
    from numbra.core.typing.templates import Signature

    function = rebuild_function(reduced)
    builder = CUDAVectorize(function) if layout is None else CUDAGUFuncVectorize(function, layout)
    for args, return_type in signatures:
        builder.add(args if return_type is None else Signature(return_type, args))
    return builder.build_ufunc()


def vectorize(ftylist_or_function=(), target="cuda", **kws):
    """A ufunc on devices of a function of numbers: as ``numba.vectorize``, with ``target="cuda"`` and signatures."""
    from numbra.np.ufunc import decorators

    if inspect.isfunction(ftylist_or_function):
        return decorators.vectorize(target=target, **kws)(ftylist_or_function)
    return decorators.vectorize(ftylist_or_function, target=target, **kws)


def guvectorize(*args, **kwargs):
    """A generalised ufunc on devices: as ``numba.guvectorize``, with ``target="cuda"`` and signatures."""
    from numbra.np.ufunc import decorators

    return decorators.guvectorize(*args, **{"target": "cuda", **kwargs})


__all__ = [
    "CUDAGUFuncVectorize",
    "CUDAGeneralizedUFunc",
    "CUDAUFuncDispatcher",
    "CUDAVectorize",
    "guvectorize",
    "vectorize",
]
