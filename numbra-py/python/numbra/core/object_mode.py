"""``jit(forceobj=True)``: functions that the interpreter runs because the program asks for it."""

import inspect
from collections import OrderedDict

from numbra.core.dispatcher import CPUDispatcher


class ObjectModeDispatcher(CPUDispatcher):
    """A function in object mode: Numba's surface over the Python function.

    What object mode computes is what CPython computes, so CPython's interpreter is what runs it. Signatures are the
    argument types that were seen or asked for; all results are ``pyobject``.
    """

    def __new__(cls, py_func, targetoptions=None):
        if targetoptions and targetoptions.get("nogil"):
            import warnings

            from numbra.core.errors import NumbaWarning

            warnings.warn(
                NumbaWarning("Code running in object mode won't allow parallel execution despite nogil=True."),
                stacklevel=4,
            )
        self = super().__new__(cls, py_func, targetoptions)
        self._seen, self._frozen = OrderedDict(), False
        self._classes = set()
        return self

    def __call__(self, *args, **kws):
        if not self._frozen:
            # What types are made of; the types themselves are asked for once for each combination.
            classes = tuple([(type(a), getattr(a, "dtype", None), getattr(a, "ndim", None)) for a in args]) + tuple(kws)
            try:
                if classes not in self._classes:
                    self._classes.add(classes)
                    self._see(args, kws)
            except TypeError:  # a dtype of the caller's own that has no hash
                self._see(args, kws)
        return self.__wrapped__(*args, **kws)

    def _see(self, args, kws):
        from inspect import signature

        from numbra.core import types

        try:
            bound = signature(self.__wrapped__).bind(*args, **kws)
        except TypeError:
            return  # the call will say so
        given = []
        for name, parameter in bound.signature.parameters.items():
            if name in bound.arguments:
                given.append(self.typeof_pyval(bound.arguments[name]))
            elif parameter.default is not parameter.empty:
                given.append(types.Omitted(parameter.default))
        self._seen.setdefault(tuple(given), None)

    @property
    def signatures(self):
        """Argument types that were seen or asked for."""
        return list(self._seen)

    @property
    def nopython_signatures(self):
        """None: nothing is compiled."""
        return []

    @property
    def overloads(self):
        """Signatures by argument types."""
        return OrderedDict((args, ObjectModeOverload(self, args)) for args in self._seen)

    def compile(self, sig):
        """Takes a signature to those that were asked for."""
        from numbra.core.sigutils import normalize_signature

        args, _ = normalize_signature(sig)
        takes = self.py_func.__code__.co_argcount
        # None at all stands for any.
        if args and len(args) != takes and not self.py_func.__code__.co_flags & inspect.CO_VARARGS:
            message = f"Signature mismatch: {len(args)} argument types given, but function takes {takes} arguments"
            raise TypeError(message)
        if not self._frozen:
            self._seen.setdefault(args, None)
        return ObjectModeOverload(self, args)

    def disable_compile(self, val=True):
        """Freezes the signatures; calls with other types run all the same."""
        self._frozen = bool(val)

    @property
    def _can_compile(self):
        return not self._frozen

    def recompile(self):
        """Does nothing: the interpreter always reads the present values of globals."""

    def inspect(self, stage, signature=None):
        """The source for ``annotation``; other stages have no text."""
        if stage != "annotation":
            return ""
        import inspect as python_inspect

        code = self.__wrapped__.__code__
        lines, first = python_inspect.getsourcelines(self.__wrapped__)
        numbered = (f"# --- LINE {number} ---\n{line.rstrip()}" for number, line in enumerate(lines, first))
        return "\n".join((f"# File: {code.co_filename}", *numbered))

    def get_metadata(self, signature=None):
        """No stage has run."""
        empty = {"pipeline_times": {"object": {}}, "parfors": {}, "timers": {}}
        return empty if signature is not None else {sig: dict(empty) for sig in self._seen}


class ObjectModeOverload:
    """One signature of a function in object mode."""

    def __init__(self, dispatcher, args):
        from numbra.core import types
        from numbra.core.typing.templates import Signature

        self._dispatcher = dispatcher
        self.signature = Signature(types.pyobject, args)
        self.objectmode = True
        #: Loops that were lifted: none, the interpreter runs all.
        self.lifted = ()
        self.entry_point = dispatcher
        self.typing_error = None

    @property
    def metadata(self):
        """No stage has run."""
        return self._dispatcher.get_metadata(self.signature.args)

    @property
    def type_annotation(self):
        """The source."""
        return self._dispatcher.inspect("annotation")
