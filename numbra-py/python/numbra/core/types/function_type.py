"""First-class functions."""

from numbra._named import names_of
from numbra._numbra import _type_intern
from numbra.core.types.abstract import Type


class FunctionType(Type, kind="function_type", fields=("return_type", "args")):
    """A function value of one signature."""

    mutable = True
    cconv = None

    @classmethod
    def _intern(cls, signature):
        """``signature``: a `Signature`, or its text."""
        from numbra.core.sigutils import normalize_signature

        if isinstance(signature, str):
            args, ret = normalize_signature(signature)
        else:
            args, ret = signature.args, signature.return_type
        return _type_intern(("function_type", ret, list(args)))

    @classmethod
    def _of_kind(cls, kind, attributes):
        from numbra.core.typing.templates import Signature

        _, ret, args = kind
        prototype = FunctionPrototype(ret, args)
        return cls, {"signature": Signature(ret, tuple(args)), "nargs": len(args), "ftype": prototype}

    @property
    def key(self):
        return self.ftype.key

    def is_precise(self) -> bool:
        return self.signature.return_type.is_precise()

    def get_precise(self):
        """Itself."""
        return self

    def check_signature(self, other_sig) -> bool:
        """True if ``other_sig`` is its signature."""
        return self.signature == other_sig


class UndefinedFunctionType(FunctionType, kind="function_choice", fields=("members",)):
    """One of several jitted functions: a call says its signature."""

    def __init__(self, nargs, dispatchers):
        self._choose(nargs, dispatchers)
        Type.__init__(self, f"{type(self).__name__}[{self.ftype.name}]")

    @classmethod
    def _of_kind(cls, kind, attributes):
        return cls, {"members": tuple(kind[1])}

    def __getattr__(self, name):
        if name in ("nargs", "dispatchers", "signature", "ftype") and self._kind is not None:
            dispatchers = {member.dispatcher for member in self.members}
            self._choose(next(iter(dispatchers)).__code__.co_argcount, dispatchers)
            return self.__dict__[name]
        return super().__getattr__(name)

    def _choose(self, nargs, dispatchers):
        from numbra.core.types import undefined
        from numbra.core.typing.templates import Signature

        self.nargs, self.dispatchers = nargs, dispatchers
        self.signature = Signature(undefined, (undefined,) * nargs)
        self.ftype = FunctionPrototype(undefined, self.signature.args)

    def is_precise(self) -> bool:
        return False

    def get_precise(self):
        """The type of functions of the first signature that one of them has been compiled for, or itself."""
        for dispatcher in self.dispatchers:
            for signature in dispatcher.nopython_signatures:
                return FunctionType(signature)
        return self


class FunctionPrototype(Type):
    """Result and argument types of a function pointer."""

    mutable = True
    cconv = None

    def __init__(self, rtype, atypes):
        self.rtype, self.atypes = rtype, tuple(atypes)
        super().__init__(f"{rtype}({', '.join(str(t) for t in self.atypes)})")

    @property
    def key(self):
        return self.name


class WrapperAddressProtocol:
    """What an object implements to be a first-class function: its address and signature."""

    def __wrapper_address__(self):
        """The address of the function."""
        raise NotImplementedError("__wrapper_address__")

    def signature(self):
        """Its signature."""
        raise NotImplementedError("signature")


class CompileResultWAP(WrapperAddressProtocol):
    """A compiled signature as a first-class function."""

    def __init__(self, cres):
        self.cres = cres

    @property
    def _numba_function_(self):
        """The jitted function, whose code is called."""
        return self.cres.entry_point

    def __wrapper_address__(self):
        from numbra.core.ccallback import cfunc

        if "_callback" not in self.__dict__:
            self._callback = cfunc(self.cres.signature)(self.cres.entry_point.py_func)
        return self._callback.address

    def signature(self):
        return self.cres.signature

    def __call__(self, *args, **kwargs):
        return self.cres.entry_point(*args, **kwargs)


__getattr__ = names_of(__name__)
