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


class UndefinedFunctionType(FunctionType):
    """A function value whose signature is not known yet."""

    def __init__(self, nargs, dispatchers):
        from numbra.core.types import undefined
        from numbra.core.typing.templates import Signature

        self.nargs, self.dispatchers = nargs, dispatchers
        self.signature = Signature(undefined, (undefined,) * nargs)
        self.ftype = FunctionPrototype(undefined, self.signature.args)
        Type.__init__(self, f"{type(self).__name__}[{self.ftype.name}]")


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

    def signature(self):
        return self.cres.signature


__getattr__ = names_of(__name__)
