"""Builders of ufuncs from explicit signatures."""

import inspect

from numbra._named import names_of
from numbra.core import types
from numbra.core.sigutils import normalize_signature
from numbra.np.ufunc.loops import LoopDispatcher, make_ufunc, parse_identity, type_numbers
from numbra.np.ufunc.sigparse import parse_signature


class UFuncBuilder:
    """Collects the loops of a function of numbers; :meth:`build_ufunc` gives NumPy's ufunc."""

    _parallel = False

    def __init__(self, py_func, identity=None, cache=False, targetoptions=None):
        self.py_func = getattr(py_func, "py_func", py_func)
        self.identity = parse_identity(identity)
        self.nb_func = LoopDispatcher(self.py_func, targetoptions)
        if cache:
            self.nb_func.enable_caching()
        self._sigs, self._cres = [], {}

    def add(self, sig=None):
        """Compiles the loop for a signature."""
        cres = self.nb_func.compile(sig)
        self._sigs.append(cres.signature)
        self._cres[cres.signature] = cres
        return cres

    def disable_compile(self):
        """Without effect: nothing is compiled at calls."""

    def build_ufunc(self):
        """NumPy's ufunc."""
        loops = [(type_numbers(sig, True), self._cres[sig]._index) for sig in self._sigs]
        nin = self.py_func.__code__.co_argcount
        return make_ufunc(self.nb_func, loops, nin, 1, self.identity, parallel=self._parallel)


class ParallelUFuncBuilder(UFuncBuilder):
    """As :class:`UFuncBuilder`; the ufunc computes elements in several threads."""

    _parallel = True


class GUFuncBuilder:
    """Collects the loops of a kernel over core axes; :meth:`build_ufunc` gives NumPy's ufunc."""

    _parallel = False

    def __init__(self, py_func, signature, identity=None, cache=False, targetoptions=None, writable_args=()):
        self.py_func = getattr(py_func, "py_func", py_func)
        self.identity = parse_identity(identity)
        self.signature = signature
        self.sin, self.sout = parse_signature(signature)
        self.targetoptions = targetoptions or {}
        self.cache = cache
        names = list(dict.fromkeys(name for operand in self.sin + self.sout for name in operand))
        layout = [tuple(names.index(name) for name in operand) for operand in self.sin + self.sout]
        self.nb_func = LoopDispatcher(self.py_func, self.targetoptions, layout)
        if cache:
            self.nb_func.enable_caching()
        self._sigs, self._cres = [], {}
        self.writable_args = tuple(self._position(arg) for arg in writable_args)
        if any(not 0 <= position < len(self.sin) for position in self.writable_args):
            raise ValueError(f"writable_args names no input of the layout: {tuple(writable_args)}")

    def _position(self, arg):
        if isinstance(arg, int):
            return arg
        names = inspect.getfullargspec(self.py_func).args
        if arg not in names:
            raise RuntimeError(
                f"Specified writable arg {arg} not found in arg list {names} for function {self.py_func.__qualname__}"
            )
        return names.index(arg)

    def add(self, sig=None):
        """Compiles the loop for a signature."""
        args, return_type = normalize_signature(sig)
        self._check(args, return_type)
        # NumPy passes what strides the caller's arrays have, whatever the signature says.
        args = [t.copy(layout="A") if isinstance(t, types.Array) else t for t in args]
        cres = self.nb_func.compile(tuple(args) if return_type is None else return_type(*args))
        if cres.signature.return_type != types.void:
            raise TypeError("gufunc kernel must have void return type")
        self._sigs.append(cres.signature)
        self._cres[cres.signature] = cres
        return cres

    def _check(self, args, return_type):
        """A ``TypeError`` unless the types of a signature fit the layout."""
        if return_type not in (None, types.void):
            raise TypeError("gufunc kernel must have void return type")
        for number, (ty, axes) in enumerate(zip(args, self.sin + self.sout, strict=False), 1):
            if not isinstance(ty, types.Array):
                if axes:
                    raise TypeError(f"scalar type {ty} given for non scalar argument #{number}")
            elif ty.ndim != len(axes) and (axes or ty.ndim != 1):
                raise TypeError(f"type and shape signature mismatch for arg #{number}")

    def disable_compile(self):
        """Without effect: nothing is compiled at calls."""

    def build_ufunc(self):
        """NumPy's ufunc."""
        loops = [(type_numbers(sig, False), self._cres[sig]._index) for sig in self._sigs]
        return make_ufunc(
            self.nb_func,
            loops,
            len(self.sin),
            len(self.sout),
            self.identity,
            self.signature,
            self.writable_args,
            parallel=self._parallel,
        )


class ParallelGUFuncBuilder(GUFuncBuilder):
    """As :class:`GUFuncBuilder`; the ufunc runs its kernel in several threads."""

    _parallel = True


__getattr__ = names_of(__name__)
