"""Function signatures."""

from numbra._named import names_of


class Signature:
    """Argument and return types of one overload: ``return_type(args)``."""

    __slots__ = ("_args", "_pysig", "_recvr", "_return_type")

    def __init__(self, return_type, args, recvr=None, pysig=None):
        args = tuple(args[0]) if len(args) == 1 and isinstance(args[0], list) else tuple(args)
        self._return_type, self._args, self._recvr, self._pysig = return_type, args, recvr, pysig

    @property
    def return_type(self):
        """Type of the result; None when it is to be inferred."""
        return self._return_type

    @property
    def args(self):
        """Types of the arguments."""
        return self._args

    @property
    def recvr(self):
        """Type of the receiver of a method."""
        return self._recvr

    @property
    def pysig(self):
        """The Python signature, where known."""
        return self._pysig

    def as_type(self):
        """The type of functions of this signature."""
        from numbra.core.types import FunctionType

        return FunctionType(self)

    def replace(self, **kwargs):
        """A copy with some parts changed."""
        fields = {"return_type": self._return_type, "args": self._args, "recvr": self._recvr, "pysig": self._pysig}
        return Signature(**{**fields, **kwargs})

    def __hash__(self):
        return hash((self._args, self._return_type))

    def __eq__(self, other):
        return isinstance(other, Signature) and (
            (self._args, self._return_type, self._recvr, self._pysig)
            == (other._args, other._return_type, other._recvr, other._pysig)
        )

    def __repr__(self):
        return f"{self._args} -> {self._return_type}"

    def __reduce__(self):
        return Signature, (self._return_type, self._args, self._recvr, self._pysig)

    @property
    def is_method(self):
        """True with a receiver."""
        return self._recvr is not None

    def as_method(self):
        """The first argument as receiver."""
        if self._recvr is not None:
            return self
        return Signature(self._return_type, self._args[1:], self._args[0])

    def as_function(self):
        """The receiver as first argument."""
        if self._recvr is None:
            return self
        return Signature(self._return_type, (self._recvr, *self._args))


def signature(return_type, *args, **kws):
    """A signature; ``recvr=`` is its only keyword."""
    return Signature(return_type, args, kws.get("recvr"))


def fold_arguments(pysig, args, kws, normal_handler, default_handler, stararg_handler):
    """Positional and keyword arguments as one value for each parameter of ``pysig``."""
    bound = pysig.bind(*args, **dict(kws))
    out = []
    for index, param in enumerate(pysig.parameters.values()):
        if param.kind == param.VAR_POSITIONAL:
            out.append(stararg_handler(index, param, bound.arguments.get(param.name, ())))
        elif param.name in bound.arguments:
            out.append(normal_handler(index, param, bound.arguments[param.name]))
        else:
            assert param.default is not param.empty
            out.append(default_handler(index, param, param.default))
    return tuple(out)


class _Template:
    """How the types of calls of a function are found; ``context`` is the typing context, ``key`` the function."""

    key = None

    def __init__(self, context):
        self.context = context


class AbstractTemplate(_Template):
    """Subclasses have ``generic(self, args, kws)``, which gives a signature, or None."""


class ConcreteTemplate(_Template):
    """Subclasses have ``cases``, signatures of which the best is taken."""


class CallableTemplate(_Template):
    """Subclasses have ``generic(self)``, which gives a typer."""

    def _typer(self, args, kws):
        return self.generic()(*args, **kws)


__getattr__ = names_of(__name__)
