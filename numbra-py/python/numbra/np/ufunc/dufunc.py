"""``vectorize``: functions of numbers as ufuncs that compile a loop for each combination of types."""

import functools
import warnings

import numpy
from numbra._named import names_of
from numbra.core import errors, types
from numbra.core.sigutils import normalize_signature
from numbra.core.typing.typeof import typeof
from numbra.np import numpy_support
from numbra.np.ufunc.loops import (
    LoopDispatcher,
    PyUFunc_None,
    UfuncBase,
    make_ufunc,
    parse_identity,
    type_numbers,
)

_DEFAULT_OVERRIDE = numpy.ndarray.__array_ufunc__
_PLAIN = frozenset([numpy.ndarray, int, float, complex, bool, numpy.float64, numpy.int64])


def overriding(args):
    """The arguments that take ufunc calls into their own hands."""
    for arg in args:
        cls = type(arg)
        if cls not in _PLAIN and getattr(cls, "__array_ufunc__", _DEFAULT_OVERRIDE) is not _DEFAULT_OVERRIDE:
            yield arg


class DUFunc(UfuncBase):
    """A ufunc that compiles a loop when it is called with new types, until it is frozen."""

    def __init__(self, py_func, identity=None, cache=False, targetoptions=None, **options):
        py_func = getattr(py_func, "py_func", py_func)
        self._identity = parse_identity(identity)
        self._dispatcher = LoopDispatcher(py_func, {**(targetoptions or {}), **options})
        if cache:
            self._dispatcher.enable_caching()
        self.reorderable = self._identity != PyUFunc_None
        self._nin = py_func.__code__.co_argcount
        self._loops = []
        self._build()
        self._for_compiled_code()
        functools.update_wrapper(self, py_func)

    def _build(self):
        self.ufunc = make_ufunc(self._dispatcher, self._loops, self._nin, 1, self._identity, in_order=True)

    def __repr__(self):
        return f"<numba._DUFunc '{self.__name__}'>"

    def __reduce__(self):
        from numbra.core.serialize import reduce_function

        signatures = [cres.signature for cres in self._dispatcher.overloads.values()]
        state = (
            type(self),
            reduce_function(self._dispatcher.py_func),
            self._identity,
            self.targetoptions,
            [(sig.return_type, sig.args) for sig in signatures],
            self._frozen,
        )
        return _rebuild, state

    @property
    def py_func(self):
        """The Python function."""
        return self._dispatcher.py_func

    def build_ufunc(self):
        """The ufunc: itself."""
        return self

    def add(self, sig):
        """Compiles the loop for a signature."""
        args, return_type = normalize_signature(sig)
        return self._compile_for_argtys(tuple(args), return_type)

    def __call__(self, *args, **kws):
        if kws or not _PLAIN.issuperset(map(type, args)):
            for arg in overriding(args + tuple(kws.values())):
                output = arg.__array_ufunc__(self, "__call__", *args, **kws)
                if output is not NotImplemented:
                    return output
        try:
            return self.ufunc(*args, **kws)
        except TypeError:
            if self._frozen:
                raise
            self._compile_for_args(*args, **kws)
        return self.ufunc(*args, **kws)

    def _compile_for_args(self, *args, **kws):
        out = kws.pop("out", None)
        if kws:
            names = ", ".join(repr(name) for name in sorted(kws))
            raise TypeError(f"unexpected keyword arguments to ufunc: {names}")
        given = len(args) + (out is not None)
        if given not in (self.nin, self.nargs):
            raise TypeError(
                f"{self.__name__}() takes from {self.nin} to {self.nargs} positional arguments but {given} were given"
            )
        return self._compile_for_argtys(tuple(element_type(arg) for arg in args[: self.nin]))

    def _compile_for_argtys(self, argtys, return_type=None):
        if self._frozen:
            raise RuntimeError(f"compilation disabled for {self}")
        for known in self._dispatcher.overloads.values():
            if known.signature.args == argtys:
                text = (
                    f"Compilation requested for previously compiled argument types ({argtys}). This has no effect "
                    "and perhaps indicates a bug in the calling code (compiling a ufunc more than once for the same "
                    "signature"
                )
                warnings.warn(text, errors.NumbaWarning, stacklevel=3)
                return known
        cres = self._dispatcher.compile(argtys if return_type is None else return_type(*argtys))
        self._loops.append((type_numbers(cres.signature, True), cres._index))
        self._build()
        return cres

    def match_signature(self, ewise_types, sig):
        """True if a compiled signature is for exactly these element types."""
        return sig.args == tuple(ewise_types)

    def at(self, a, indices, b=None):
        """NumPy's ``ufunc.at``; compiles the loop that it needs."""
        args = (a,) if b is None else (a, b)
        argtys = (typeof(arg) for arg in args)
        ewise = tuple(t.dtype if isinstance(t, types.Array) else t for t in argtys)
        if self.find_ewise_function(ewise) == (None, None):
            if self._frozen:
                raise RuntimeError(f"compilation disabled for {self}.at(...)")
            self._compile_for_args(*args)
        return self.ufunc.at(a, indices) if b is None else self.ufunc.at(a, indices, b)


def element_type(value):
    """The type of a value, or of its elements, as NumPy sees it: an ``int`` is an int64."""
    if isinstance(value, numpy.generic) or not isinstance(value, (int, float, complex)):
        return numpy_support.from_dtype(numpy.asanyarray(value).dtype)
    return numpy_support.map_arrayscalar_type(value)


def _rebuild(cls, function, identity, options, signatures, frozen):
    from numbra.core.serialize import rebuild_function
    from numbra.np.ufunc.loops import _IDENTITIES

    by_number = {number: name for name, number in _IDENTITIES.items()}
    self = cls(rebuild_function(function), identity=by_number[identity], targetoptions=options)
    for return_type, args in signatures:
        self.add(return_type(*args))
    if frozen:
        self.disable_compile()
    return self


__getattr__ = names_of(__name__)
