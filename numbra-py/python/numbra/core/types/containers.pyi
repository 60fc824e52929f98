"""Tuples, lists, sets, dictionaries and what iterates over them."""

from typing import Any

from numbra.core.types.abstract import (
    ConstSized,
    Container,
    Hashable,
    InitialValue,
    IterableType,
    Literal,
    MutableSequence,
    Sequence,
    Type,
)
from numbra.core.types.common import Buffer, SimpleIterableType, SimpleIteratorType

class Pair(Type):
    """What advancing an iterator gives: a value and whether there is one."""
    def __init__(self, first_type: Any, second_type: Any) -> None: ...

class BaseContainerIterator(SimpleIteratorType):
    """An iterator over a container of one element type."""

    container_class: type
    container: Type
    def __init__(self, container: Type) -> None: ...

class BaseContainerPayload(Type):
    """The storage of a container."""

    container_class: type
    container: Type
    def __init__(self, container: Type) -> None: ...

class Bytes(Buffer):
    """``bytes``"""

    slice_is_copy: bool
    def __init__(self, dtype: Type, ndim: int, layout: str, readonly: bool = True, name: str | None = None) -> None: ...

class ByteArray(Buffer):
    """``bytearray``"""

    slice_is_copy: bool

class PyArray(Buffer):
    """``array.array``"""

    slice_is_copy: bool

class MemoryView(Buffer):
    """``memoryview``"""

def is_homogeneous(*tys: Any) -> bool: ...

class BaseTuple(ConstSized, Hashable):
    """Any tuple."""

    types: tuple[Type, ...]
    @classmethod
    def from_types(cls, tys: Any, pyclass: Any = None) -> BaseTuple: ...

class BaseAnonymousTuple(BaseTuple):
    """A tuple without field names."""

class _HomogeneousTuple(Sequence, BaseTuple):
    @property
    def iterator_type(self) -> Type: ...

class UniTuple(BaseAnonymousTuple, _HomogeneousTuple, Sequence):
    """A tuple of one element type."""

    dtype: Type
    count: int
    def __init__(self, dtype: Type, count: int) -> None: ...

class UniTupleIter(BaseContainerIterator):
    """An iterator over a tuple."""

    container_class: Any
    def __init__(self, container: Type) -> None: ...

class _HeterogeneousTuple(BaseTuple):
    count: int

class Tuple(BaseAnonymousTuple, _HeterogeneousTuple):
    """A tuple of element types that differ."""
    def __init__(self, types: tuple[Type, ...]) -> None: ...

class _StarArgTupleMixin:
    """A tuple that holds the rest of the arguments."""

class StarArgTuple(_StarArgTupleMixin, Tuple):
    """``*args`` inside a function."""
    def __init__(self, types: tuple[Type, ...]) -> None: ...

class StarArgUniTuple(_StarArgTupleMixin, UniTuple):
    """``*args`` of one type inside a function."""
    def __init__(self, dtype: Type, count: int) -> None: ...

class BaseNamedTuple(BaseTuple):
    """A tuple with field names."""

class NamedUniTuple(_HomogeneousTuple, BaseNamedTuple):
    """A named tuple of one element type."""
    def __init__(self, dtype: Type, count: int, pyclass: Any) -> None: ...

class NamedTuple(_HeterogeneousTuple, BaseNamedTuple):
    """A named tuple."""

    fields: tuple[str, ...]
    def __init__(self, types: tuple[Type, ...], pyclass: Any) -> None: ...

class List(MutableSequence, InitialValue):
    """``list(T)``"""

    dtype: Type
    initial_value: Any
    def __init__(self, dtype: Type, reflected: bool = False, initial_value: Any = None) -> None: ...
    def copy(self, dtype: Type | None = None, reflected: bool | None = None) -> List: ...
    @property
    def iterator_type(self) -> Type: ...

class ListIter(BaseContainerIterator):
    """An iterator over a list."""

    container_class: Any

class ListPayload(BaseContainerPayload):
    """The storage of a list."""

    container_class: Any

class LiteralList(Literal, ConstSized, Hashable):
    """A list of known length whose elements have types of their own."""

    types: tuple[Type, ...]
    initial_value: Any
    count: int
    def __init__(self, literal_value: Any) -> None: ...
    @classmethod
    def from_types(cls, tys: Any) -> Any: ...

class Set(Container):
    """``set(T)``"""

    dtype: Type
    def __init__(self, dtype: Type, reflected: bool = False) -> None: ...
    @property
    def iterator_type(self) -> Type: ...
    def copy(self, dtype: Type | None = None, reflected: bool | None = None) -> Set: ...

class SetIter(BaseContainerIterator):
    """An iterator over a set."""

    container_class: Any

class SetPayload(BaseContainerPayload):
    """The storage of a set."""

    container_class: Any

class SetEntry(Type):
    """A slot of a set."""

    set_type: Any
    def __init__(self, set_type: Any) -> None: ...

class ListType(IterableType):
    """``typed.List``"""

    dtype: Type
    item_type: Type
    def __init__(self, itemty: Type) -> None: ...
    @property
    def iterator_type(self) -> Type: ...

class ListTypeIterableType(SimpleIterableType):
    """Iterating over a typed list."""

    parent: Any
    yield_type: Type
    def __init__(self, parent: Any) -> None: ...

class ListTypeIteratorType(SimpleIteratorType):
    """An iterator over a typed list."""

    parent: Any
    iterable: Any
    def __init__(self, iterable: Any) -> None: ...

class SetType(IterableType, InitialValue):
    """``typed.Set``"""

    key_type: Type
    dtype: Type
    def __init__(self, keyty: Type, initial_value: Any = None) -> None: ...
    @property
    def iterator_type(self) -> Type: ...

class SetIterableType(SimpleIterableType):
    """Iterating over a typed set."""

    parent: Any
    yield_type: Type
    def __init__(self, parent: Any) -> None: ...

class SetIteratorType(SimpleIteratorType):
    """An iterator over a typed set."""

    parent: Any
    iterable: Any
    def __init__(self, iterable: Any) -> None: ...

class DictType(IterableType, InitialValue):
    """``typed.Dict``"""

    key_type: Type
    value_type: Type
    keyvalue_type: Any
    def __init__(self, keyty: Type, valty: Type, initial_value: Any = None) -> None: ...
    @property
    def iterator_type(self) -> Type: ...

class LiteralStrKeyDict(Literal, ConstSized, Hashable):
    """A dictionary of known string keys whose values have types of their own."""

    value_index: Any
    types: tuple[Type, ...]
    count: int
    def __init__(self, literal_value: Any, value_index: Any = None) -> None: ...

class _DictIterable(SimpleIterableType):
    word: str
    parent: Any
    yield_type: Type
    def __init__(self, parent: Any) -> None: ...

class DictItemsIterableType(_DictIterable):
    """``d.items()``"""

    word: Any

class DictKeysIterableType(_DictIterable):
    """``d.keys()``"""

    word: Any

class DictValuesIterableType(_DictIterable):
    """``d.values()``"""

    word: Any

class DictIteratorType(SimpleIteratorType):
    """An iterator over keys, values or items."""

    parent: Any
    iterable: Any
    def __init__(self, iterable: Any) -> None: ...

class StructRef(Type):
    """A mutable structure passed by reference."""
    def __init__(self, fields: Any) -> None: ...
    def preprocess_fields(self, fields: Any) -> Any: ...
    @property
    def field_dict(self) -> Any: ...
    def get_data_type(self) -> Any: ...

class StructRefPayload(Type):
    """The structure behind a :class:`StructRef`."""
    def __init__(self, typename: Any, fields: Any) -> None: ...
    @property
    def field_dict(self) -> Any: ...

class UnionType(Type):
    """One of several types."""

    types: tuple[Type, ...]
    def __init__(self, types: tuple[Type, ...]) -> None: ...
    def get_type_tag(self, typ: Type) -> int: ...
