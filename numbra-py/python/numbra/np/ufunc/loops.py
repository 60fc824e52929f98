"""What ufuncs and generalised ufuncs share: compiled loops, and the NumPy ufunc made of them."""

import weakref

from numbra import _numbra
from numbra.core import types
from numbra.core.dispatcher import CPUDispatcher
from numbra.np.numpy_support import as_dtype

PyUFunc_Zero = 0
PyUFunc_One = 1
PyUFunc_None = -1
PyUFunc_ReorderableNone = -2

_IDENTITIES = {0: PyUFunc_Zero, 1: PyUFunc_One, None: PyUFunc_None, "reorderable": PyUFunc_ReorderableNone}


def parse_identity(identity):
    """NumPy's number for an identity: 0, 1, ``None`` or ``"reorderable"``."""
    try:
        return _IDENTITIES[identity]
    except KeyError:
        raise ValueError(f"Invalid identity value {identity!r}") from None


class LoopDispatcher(CPUDispatcher):
    """Compiles a function as inner loops of a ufunc, under NumPy's error model."""

    def __new__(cls, py_func, targetoptions=None, layout=None):
        options = dict(targetoptions or {})
        options.setdefault("error_model", "numpy")
        self = super().__new__(cls, py_func, options, loop=True if layout is None else layout)
        self.targetoptions = dict(targetoptions or {})
        return self

    @property
    def overloads(self):
        """Compiled signatures by signature."""
        return {cres.signature: cres for cres in super().overloads.values()}


def type_numbers(signature, outputs):
    """NumPy's type numbers of the operands of a compiled signature."""
    operands = [*signature.args, signature.return_type] if outputs else signature.args
    return [as_dtype(t.dtype if isinstance(t, types.Array) else t).num for t in operands]


def make_ufunc(dispatcher, loops, nin, nout, identity, signature=None, writable=(), in_order=False, parallel=False):
    """A NumPy ufunc. ``loops``: type numbers and compiled signature (by position) of each.

    ``in_order``: the first loop that the operands cast to is taken, even where a later one fits exactly.
    ``parallel``: elements are computed in several threads.
    """
    function = dispatcher.py_func
    return _numbra._make_ufunc(
        dispatcher,
        {
            "name": function.__name__,
            "doc": function.__doc__ or "",
            "nin": nin,
            "nout": nout,
            "identity": identity,
            "signature": signature,
            "types": [number for numbers, _ in loops for number in numbers],
            "entries": [entry for _, entry in loops],
            "writable": list(writable),
            "in_order": in_order,
            "parallel": parallel,
        },
    )


class UfuncBase:
    """What a ufunc object says of itself; ``ufunc`` is NumPy's."""

    def _for_compiled_code(self):
        """Makes the ufunc known to compiled code."""
        from numbra.np.ufunc import jitted  # noqa: F401 - its import registers methods and attributes

        self._dispatcher.ufunc_object = weakref.ref(self)

    nin = property(lambda self: self.ufunc.nin)
    nout = property(lambda self: self.ufunc.nout)
    nargs = property(lambda self: self.ufunc.nargs)
    ntypes = property(lambda self: self.ufunc.ntypes)
    types = property(lambda self: self.ufunc.types)
    identity = property(lambda self: self.ufunc.identity)
    signature = property(lambda self: self.ufunc.signature)
    accumulate = property(lambda self: self.ufunc.accumulate)
    outer = property(lambda self: self.ufunc.outer)
    reduce = property(lambda self: self.ufunc.reduce)
    reduceat = property(lambda self: self.ufunc.reduceat)
    at = property(lambda self: self.ufunc.at)

    _is_frozen = False

    @property
    def _frozen(self):
        return self._is_frozen

    @_frozen.setter
    def _frozen(self, value):
        if self._is_frozen and not value:
            raise ValueError("cannot clear the _frozen flag")
        self._is_frozen = bool(value)
        if self._is_frozen:
            _numbra._disable_compile(self._dispatcher, True)

    def disable_compile(self):
        """Freezes the compiled loops."""
        assert self._dispatcher.overloads
        self._frozen = True

    @property
    def targetoptions(self):
        """Options of the decorator."""
        return self._dispatcher.targetoptions

    def find_ewise_function(self, ewise_types):
        """The compiled signature for operands of these element types, with what was compiled; ``(None, None)`` else."""
        if self._frozen:
            from numbra.np.numpy_support import ufunc_find_matching_loop

            loop = ufunc_find_matching_loop(self, ewise_types)
            if loop is None:
                return None, None
            ewise_types = tuple(loop.inputs + loop.outputs)[: len(ewise_types)]
        for sig, cres in self._dispatcher.overloads.items():
            if self.match_signature(ewise_types, sig):
                return sig, cres
        return None, None


_numbra._set_ufunc_class(UfuncBase)
