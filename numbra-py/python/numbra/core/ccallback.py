"""C callbacks: ``cfunc``."""

from functools import cached_property
from types import GenericAlias

from numbra import _numbra
from numbra._named import names_of
from numbra.core.dispatcher import CPUDispatcher


class CFunc:
    """A compiled C callback. Calling it from Python runs the Python function."""

    __class_getitem__ = classmethod(GenericAlias)

    def __init__(self, pyfunc, signature, options):
        from numbra.core.sigutils import normalize_signature
        from numbra.core.typing.templates import Signature

        args, return_type = normalize_signature(signature)
        if return_type is None:
            raise TypeError("C callback needs an explicit return type")
        if options.get("forceobj"):
            raise NotImplementedError("object mode not allowed in C callbacks")
        self.__name__ = pyfunc.__name__
        self.__qualname__ = getattr(pyfunc, "__qualname__", self.__name__)
        self.__doc__, self.__module__ = pyfunc.__doc__, pyfunc.__module__
        self.__annotations__ = pyfunc.__annotations__
        self.__wrapped__ = self._pyfunc = pyfunc
        self._sig = Signature(return_type, args)
        # Why C cannot call it. Compiled code calls it by its function value then.
        self._refusal = _numbra._callback_refusal(return_type, list(args))
        self._dispatcher = CPUDispatcher(pyfunc, options, loop=None if self._refusal else "callback")
        if options.get("cache"):
            self._dispatcher.enable_caching()
        overload = self._dispatcher.compile(self._sig)
        compiled = overload.signature.return_type
        if compiled != return_type:
            raise TypeError(f"the callback returns {compiled}, not {return_type}")
        self._entry = None if self._refusal else _numbra._entry_point(self._dispatcher, 0)

    @cached_property
    def _numba_type_(self):
        """The type of functions of its signature."""
        return self._sig.as_type()

    @property
    def _numba_function_(self):
        """The jitted function that compiled code calls, where there is no C function."""
        return self._dispatcher if self._refusal else None

    def _entry_point(self):
        if self._refusal:
            raise TypeError(self._refusal)
        return self._entry

    @property
    def native_name(self) -> str:
        """The symbol of the callback."""
        return self._entry_point()[1]

    @property
    def address(self) -> int:
        """The address of the callback; valid while this object lives."""
        return self._entry_point()[0]

    @property
    def _wrapper_address(self) -> int:
        return self.address

    @property
    def cache_hits(self) -> int:
        """How often the compiled code came from the cache."""
        return sum(self._dispatcher.stats.cache_hits.values())

    @cached_property
    def ctypes(self):
        """The callback as a function of ``ctypes``."""
        import ctypes

        from numbra.core.typing.ctypes_utils import to_ctypes

        result, *args = (to_ctypes(ty) for ty in (self._sig.return_type, *self._sig.args))
        function = ctypes.CFUNCTYPE(result, *args)(self.address)
        function._numbra_callback = self  # keeps the code
        return function

    @cached_property
    def cffi(self):
        """The callback as a function pointer of ``cffi``."""
        import cffi

        return cffi.FFI().cast("void *", self.address)

    def inspect_llvm(self) -> str:
        """LLVM IR of the callback."""
        return self._dispatcher.inspect_llvm(self._dispatcher.signatures[0])

    def __wrapper_address__(self):
        return self.address

    def signature(self):
        """Result and argument types."""
        return self._sig

    def __repr__(self):
        return f"<Numba C callback {self.__qualname__!r}>"

    def __call__(self, *args, **kwargs):
        return self._pyfunc(*args, **kwargs)


def cfunc(sig, locals=None, cache=False, pipeline_class=None, **options):
    """Compiles a function as a C callback of this signature, at once.

    Parameters
    ----------
    sig
        The signature with the result's type: ``"float64(float64, int32)"`` or ``float64(float64, int32)``.
    locals, cache, pipeline_class, **options
        As of :func:`numbra.njit`.

    Returns
    -------
    decorator
        Makes a ``CFunc``, whose ``address``, ``ctypes`` and ``cffi`` are what C libraries take.

    Examples
    --------
    >>> import numbra as nb
    >>> @nb.cfunc("float64(float64, float64)")
    ... def add(x, y):
    ...     return x + y
    >>> add.ctypes(1.5, 2.0)
    3.5
    """
    from numbra.core.sigutils import is_signature

    if not is_signature(sig):
        raise TypeError(f"cfunc needs a signature, got {sig!r}")
    options["locals"] = locals or {}
    if cache:
        options["cache"] = True
    if pipeline_class is not None:
        options["pipeline_class"] = pipeline_class

    def decorate(function):
        return CFunc(function, sig, options)

    return decorate


__getattr__ = names_of(__name__)
