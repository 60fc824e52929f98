"""``guvectorize``: kernels over core axes as generalised ufuncs."""

import functools

from numbra._named import names_of
from numbra.core import types
from numbra.core.typing.typeof import typeof
from numbra.np.numpy_support import ufunc_find_matching_loop
from numbra.np.ufunc.loops import UfuncBase
from numbra.np.ufunc.sigparse import parse_signature
from numbra.np.ufunc.ufuncbuilder import GUFuncBuilder


class GUFunc(UfuncBase):
    """A generalised ufunc. Made without signatures it compiles a loop for each combination of types."""

    def __init__(
        self,
        py_func,
        signature,
        identity=None,
        cache=None,
        is_dynamic=False,
        targetoptions=None,
        writable_args=(),
    ):
        self._is_dynamic = is_dynamic
        self._identity_name = identity
        self.gufunc_builder = GUFuncBuilder(py_func, signature, identity, cache, targetoptions, writable_args)
        self._dispatcher = self.gufunc_builder.nb_func
        self.build_ufunc()
        self._for_compiled_code()
        functools.update_wrapper(self, self.gufunc_builder.py_func)

    def __repr__(self):
        return f"<numba._GUFunc '{self.__name__}'>"

    def __reduce__(self):
        from numbra.core.serialize import reduce_function

        builder = self.gufunc_builder
        state = {
            "signature": builder.signature,
            "identity": self._identity_name,
            "cache": builder.cache,
            "is_dynamic": self._is_dynamic,
            "targetoptions": builder.targetoptions,
            "writable_args": builder.writable_args,
        }
        signatures = [(sig.return_type, sig.args) for sig in builder._sigs]
        return _rebuild, (type(self), reduce_function(builder.py_func), state, signatures, self._frozen)

    @property
    def is_dynamic(self):
        """True if it was made without signatures."""
        return self._is_dynamic

    def add(self, fty):
        """Compiles the loop for a signature."""
        self.gufunc_builder.add(fty)

    def build_ufunc(self):
        """Makes the ufunc of the loops compiled so far."""
        self.ufunc = self.gufunc_builder.build_ufunc()
        return self

    def expected_ndims(self):
        """Numbers of core axes of the inputs and of the outputs."""
        inputs, outputs = parse_signature(self.gufunc_builder.signature)
        return tuple(map(len, inputs)), tuple(map(len, outputs))

    def match_signature(self, ewise_types, sig):
        """True if a compiled signature is for exactly these element types."""
        return tuple(self._get_ewise_dtypes(sig.args)) == tuple(ewise_types)

    def _get_ewise_dtypes(self, args):
        argtys = (arg if isinstance(arg, types.Type) else typeof(arg) for arg in args)
        return [t.dtype if isinstance(t, types.Array) else t for t in argtys]

    def _get_function_type(self, *args):
        """The kernel's type for arguments: arrays of any strides, numbers for inputs without core axes."""
        inputs, outputs = self.expected_ndims()
        elements = self._get_ewise_dtypes(args)
        params = [
            types.Array(element, ndim, "A") if ndim else element
            for element, ndim in zip(elements, inputs, strict=False)
        ]
        params += [
            types.Array(element, ndim or 1, "A")
            for element, ndim in zip(elements[len(inputs) :], outputs, strict=False)
        ]
        return types.none(*params)

    def _compile_for_argtys(self, argtys, return_type=None):
        self.gufunc_builder.add(self._get_function_type(*argtys))

    def __call__(self, *args, **kwargs):
        if self._frozen or not self.is_dynamic:
            if args and _is_array_wrapper(args[0]):
                return args[0].__array_ufunc__(self, "__call__", *args, **kwargs)
            return self.ufunc(*args, **kwargs)
        if "out" in kwargs:
            args += (kwargs.pop("out"),)
        inputs, outputs = self.expected_ndims()
        if len(args) != len(inputs) + len(outputs):
            raise TypeError(
                f"Too few arguments for function '{self.__name__}'. Note that the pattern "
                "`out = gufunc(Arg1, Arg2, ..., ArgN)` is not allowed. Use `gufunc(Arg1, Arg2, ..., ArgN, out) instead."
            )
        elements = self._get_ewise_dtypes(args)
        if not ufunc_find_matching_loop(self.ufunc, elements):
            if self.find_ewise_function(elements) == (None, None):
                self.add(self._get_function_type(*args))
            self.build_ufunc()
        return self.ufunc(*args, **kwargs)


def _rebuild(cls, function, state, signatures, frozen):
    from numbra.core.serialize import rebuild_function

    self = cls(rebuild_function(function), **state)
    for return_type, args in signatures:
        self.add(return_type(*args))
    self.build_ufunc()
    self._frozen = frozen
    return self


def _is_array_wrapper(obj):
    """True for collections of Dask and what wraps them: they send the ufunc elsewhere, and need the whole object."""
    return not isinstance(obj, type) and hasattr(obj, "__dask_graph__") and hasattr(obj, "__array_ufunc__")


__getattr__ = names_of(__name__)
