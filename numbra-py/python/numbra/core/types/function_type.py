"""First-class functions."""

from numbra._named import names_of
from numbra.core.types.abstract import Type


class FunctionType(Type):
    """A function value of one signature."""

    mutable = True
    cconv = None

    def __init__(self, signature):
        from numbra.core.sigutils import normalize_signature
        from numbra.core.typing.templates import Signature

        if isinstance(signature, str):
            args, ret = normalize_signature(signature)
            signature = Signature(ret, args)
        self.signature = signature
        self.nargs = len(signature.args)
        self.ftype = FunctionPrototype(signature.return_type, signature.args)
        super().__init__(f"{type(self).__name__}[{self.ftype.name}]")

    @staticmethod
    def attributes_of(return_type, args) -> dict:
        """What an instance of the lattice's type has."""
        from numbra.core.typing.templates import Signature

        prototype = FunctionPrototype(return_type, args)
        return {"signature": Signature(return_type, tuple(args)), "nargs": len(args), "ftype": prototype}

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

        super().__init__(Signature(undefined, (undefined,) * nargs))
        self.dispatchers = dispatchers


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
