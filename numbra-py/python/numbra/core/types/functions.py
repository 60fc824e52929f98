"""Functions and other callables as values."""

import weakref

from numbra._named import names_of
from numbra._numbra import _type_intern
from numbra.core.types.abstract import Callable, DTypeSpec, Dummy, Literal, Type
from numbra.core.types.common import Opaque


class BaseFunction(Callable):
    """A function that typing templates describe."""

    def __init__(self, template):
        templates = list(template) if isinstance(template, (list, tuple)) else [template]
        keys = {t.key for t in templates}
        if len(keys) != 1:
            raise ValueError(f"incompatible templates: keys = {keys}")
        self.templates = tuple(templates)
        (self._typing_key,) = keys
        super().__init__(f"{type(self).__name__}({self.typing_key})")

    @property
    def typing_key(self):
        """The function itself."""
        return self._typing_key

    @property
    def key(self):
        return self.typing_key, self.templates


class Function(BaseFunction, Opaque, kind="function", fields=("function_name", "function_repr")):
    """A library function."""

    @property
    def key(self):
        return self.name if self._kind is not None else super().key


class BoundFunction(Callable, Opaque, kind="bound_method", fields=("this", "method_name")):
    """A method bound to a receiver."""

    def __init__(self, template, this):
        self.template, self.typing_key, self.this = template, template.key, this
        super().__init__(f"{type(self).__name__}({self.typing_key} for {this})")

    @property
    def key(self):
        return self.name if self._kind is not None else (self.typing_key, self.this)


class MakeFunctionLiteral(Literal, Opaque, kind="closure", fields=("function_name", "index")):
    """A local function."""


class WeakType(Type):
    """Stands for an object that it does not keep alive."""

    def _store_object(self, obj):
        self._wr = weakref.ref(obj)

    def _get_object(self):
        obj = self._wr()
        if obj is None:
            raise ReferenceError("underlying object has vanished")
        return obj

    @property
    def key(self):
        return self._wr

    def __eq__(self, other):
        if type(self) is type(other):
            obj = self._wr()
            return obj is not None and obj is other._wr()
        return NotImplemented

    def __hash__(self):
        return Type.__hash__(self)


class Dispatcher(WeakType, Callable, Dummy, kind="dispatcher", fields=("dispatcher_id", "function_name")):
    """A jitted function."""

    def __init__(self, dispatcher):
        self._store_object(dispatcher)
        super().__init__(f"type({dispatcher})")

    @classmethod
    def _intern(cls, dispatcher):
        from numbra._numbra import Dispatcher as Compiled
        from numbra._numbra import _dispatcher_type
        from numbra.core.types.abstract import _unique

        if isinstance(dispatcher, Compiled):
            return _dispatcher_type(dispatcher)
        instance = object.__new__(cls)
        instance.__init__(dispatcher)
        return _unique(instance)

    def __getattr__(self, name):
        if name == "_wr" and self._kind is not None:
            from numbra._numbra import _dispatcher_object

            self._store_object(_dispatcher_object(self.dispatcher_id))
            return self._wr
        return super().__getattr__(name)

    @property
    def dispatcher(self):
        """The jitted function."""
        return self._get_object()

    def __reduce__(self):
        return Dispatcher, (self.dispatcher,)


class ObjModeDispatcher(Dispatcher, kind="object_block", fields=("outputs",)):
    """A function that runs in the interpreter."""


class ExternalFunctionPointer(BaseFunction):
    """A function at an address that is known at run time."""

    def __init__(self, sig, get_pointer, cconv=None):
        self.sig, self.get_pointer, self.cconv = sig, get_pointer, cconv
        self.requires_gil = any(t.name == "pyobject" for t in (sig.return_type, *sig.args))
        self.templates, self._typing_key = (), None
        Type.__init__(self, f"ExternalFunctionPointer({sig})")

    @property
    def key(self):
        return self.sig, self.cconv, self.get_pointer


class ExternalFunction(Function):
    """A function known by its symbol."""

    def __init__(self, symbol, sig):
        self.symbol, self.sig = symbol, sig
        self.templates = ()
        Type.__init__(self, f"ExternalFunction({symbol})")

    @property
    def key(self):
        return self.symbol, self.sig

    @property
    def typing_key(self):
        return self.symbol


class NamedTupleClass(Callable, Opaque):
    """A named tuple's class."""

    def __init__(self, instance_class):
        self.instance_class = instance_class
        super().__init__(f"class({instance_class})")

    @property
    def key(self):
        return self.instance_class


class NumberClass(Callable, DTypeSpec, Opaque, kind="number_class", fields=("instance_type",)):
    """A scalar class as a value."""

    @classmethod
    def _intern(cls, instance_type):
        return _type_intern(("number_class", instance_type))

    @property
    def key(self):
        return self.instance_type

    @property
    def dtype(self) -> Type:
        """The scalar type."""
        return self.instance_type


class RecursiveCall(Opaque):
    """A call of the function that is being compiled."""

    def __init__(self, dispatcher_type):
        assert isinstance(dispatcher_type, Dispatcher)
        self.dispatcher_type = dispatcher_type
        super().__init__(f"recursive({dispatcher_type})")

    @property
    def key(self):
        return self.dispatcher_type


#: First words of Numba's report of failed candidates.
_header_lead = "No implementation of function"

__getattr__ = names_of(__name__)
