"""None, optional, slices, pointers, exceptions, modules and the rest."""

from typing import Any

from numbra.core.types.abstract import Callable, Dummy, Hashable, IterableType, Literal, Type
from numbra.core.types.common import Opaque, SimpleIteratorType

class PyObject(Dummy):
    """A Python object without a native type."""
    def __init__(self, name: str = "pyobject") -> None: ...

class Phantom(Dummy):
    """A type that is never represented."""

class Undefined(Dummy):
    """Not known."""
    def __init__(self, name: str = "undefined") -> None: ...

class UndefVar(Dummy):
    """The type of a variable that is not bound on some path."""

class RawPointer(Opaque):
    """A pointer of no type."""
    def __init__(self, name: str = "void*") -> None: ...

class StringLiteral(Literal, Dummy):
    """``Literal[str](s)``"""
    def __init__(self, value: Any) -> None: ...

class Module(Dummy):
    """A module."""

    pymod: Any
    def __init__(self, pymod: Any) -> None: ...

class MemInfoPointer(Type):
    """A pointer to counted memory."""

    dtype: Type
    def __init__(self, dtype: Type) -> None: ...

class CPointer(Type):
    """A pointer."""

    addrspace: Any
    dtype: Type
    def __init__(self, dtype: Type, addrspace: Any = None) -> None: ...

class EphemeralPointer(CPointer):
    """A pointer to a value on the stack."""

class EphemeralArray(Type):
    """An array of fixed length on the stack."""

    dtype: Type
    count: int
    def __init__(self, dtype: Type, count: int) -> None: ...

class Object(Type):
    """An instance of a class."""

    cls: Any
    def __init__(self, clsobj: Any) -> None: ...

class Optional(Type):
    """``T`` or None."""

    type: Type
    def __init__(self, typ: Type) -> None: ...

class NoneType(Opaque):
    """The type of None."""
    def __init__(self, name: str = "none") -> None: ...

class EllipsisType(Opaque):
    """The type of ``...``."""
    def __init__(self, name: str = "...") -> None: ...

class ExceptionClass(Callable, Phantom):
    """An exception class."""

    exc_class: type[BaseException]
    def __init__(self, exc_class: type[BaseException]) -> None: ...

class ExceptionInstance(Phantom):
    """An exception."""

    exc_class: type[BaseException]
    def __init__(self, exc_class: type[BaseException]) -> None: ...

class SliceType(Type):
    """A slice."""

    members: int
    def __init__(self, name: str, members: Any) -> None: ...
    @property
    def has_step(self) -> bool: ...

class SliceLiteral(Literal, SliceType):
    """``Literal[slice](..)``"""
    def __init__(self, value: Any) -> None: ...

class ClassInstanceType(Type):
    """An instance of a jitted class."""

    name_prefix: Any
    class_type: Any
    def __init__(self, class_type: Any) -> None: ...

class ClassType(Callable, Opaque):
    """A class as a value."""

    name_prefix: Any
    instance_type_class: Any
    @property
    def instance_type(self) -> Type: ...

class ClassDataType(Type):
    """The fields of a jitted class."""

    class_type: Any
    def __init__(self, classtyp: Any) -> None: ...

class DeferredType(Type):
    """A type that is defined later."""
    def __init__(self) -> None: ...
    def get(self) -> Any: ...
    def define(self, typ: Type) -> Any: ...

class ContextManager(Callable, Phantom):
    """A context manager that the compiler knows."""

    cm: Any
    def __init__(self, cm: Any) -> None: ...

class UnicodeType(IterableType, Hashable):
    """``str``"""
    def __init__(self, name: str = "unicode_type") -> None: ...
    @property
    def iterator_type(self) -> Type: ...

class UnicodeIteratorType(SimpleIteratorType):
    """An iterator over the characters of a ``str``."""

    data: Any
    def __init__(self, dtype: Type) -> None: ...

class Omitted(Opaque):
    """A parameter left to its default."""
    def __init__(self, value: Any) -> None: ...
    @property
    def value(self) -> Any: ...

class VarArg(Type):
    """Any number of arguments of one type."""

    dtype: Type
    def __init__(self, dtype: Type) -> None: ...
