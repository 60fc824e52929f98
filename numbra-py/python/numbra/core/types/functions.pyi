"""Functions and other callables as values."""

from typing import Any

from numbra.core.types.abstract import Callable, DTypeSpec, Dummy, Literal, Type
from numbra.core.types.common import Opaque

class BaseFunction(Callable):
    """A function that typing templates describe."""

    templates: Any
    typing_key: Any
    def __init__(self, template: Any) -> None: ...

class Function(BaseFunction, Opaque):
    """A library function."""
    @property
    def typing_key(self) -> Any: ...

class BoundFunction(Callable, Opaque):
    """A method bound to a receiver."""

    template: Any
    typing_key: Any
    this: Any
    def __init__(self, template: Any, this: Any) -> None: ...

class MakeFunctionLiteral(Literal, Opaque):
    """A local function."""

class WeakType(Type):
    """Stands for an object that it does not keep alive."""

class Dispatcher(WeakType, Callable, Dummy):
    """A jitted function."""
    def __init__(self, dispatcher: Any) -> None: ...
    @property
    def dispatcher(self) -> Any: ...

class ObjModeDispatcher(Dispatcher):
    """A function that runs in the interpreter."""

class ExternalFunctionPointer(BaseFunction):
    """A function at an address that is known at run time."""

    sig: Any
    get_pointer: Any
    cconv: Any
    requires_gil: Any
    templates: Any
    typing_key: Any
    def __init__(self, sig: Any, get_pointer: Any, cconv: Any = None) -> None: ...

class ExternalFunction(Function):
    """A function known by its symbol."""

    symbol: Any
    sig: Any
    templates: Any
    def __init__(self, symbol: Any, sig: Any) -> None: ...
    @property
    def typing_key(self) -> Any: ...

class NamedTupleClass(Callable, Opaque):
    """A named tuple's class."""

    instance_class: Any
    def __init__(self, instance_class: Any) -> None: ...

class NumberClass(Callable, DTypeSpec, Opaque):
    """A scalar class as a value."""
    def __init__(self, instance_type: Type) -> None: ...
    @property
    def dtype(self) -> Type: ...

class RecursiveCall(Opaque):
    """A call of the function that is being compiled."""

    dispatcher_type: Any
    def __init__(self, dispatcher_type: Any) -> None: ...
