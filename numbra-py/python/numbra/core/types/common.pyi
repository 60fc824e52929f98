"""Bases of several concrete types."""

from typing import Any

from numbra.core.types.abstract import ArrayCompatible, Dummy, IterableType, IteratorType, Type

class Opaque(Dummy):
    """A type whose values are opaque."""

class SimpleIterableType(IterableType):
    """An iterable whose iterator type is given."""
    def __init__(self, name: str, iterator_type: Type) -> None: ...
    @property
    def iterator_type(self) -> Type: ...

class SimpleIteratorType(IteratorType):
    """An iterator whose element type is given."""

    yield_type: Type
    def __init__(self, name: str, yield_type: Type) -> None: ...

class Buffer(IterableType, ArrayCompatible):
    """Memory with a layout."""

    slice_is_copy: bool
    aligned: bool
    LAYOUTS: Any
    ndim: int
    layout: str
    dtype: Type
    def __init__(
        self, dtype: Type, ndim: int, layout: str, readonly: bool = False, name: str | None = None
    ) -> None: ...
    @property
    def iterator_type(self) -> Type: ...
    @property
    def as_array(self) -> Any: ...
    def copy(self, dtype: Type | None = None, ndim: int | None = None, layout: str | None = None) -> Any: ...
    @property
    def is_c_contig(self) -> bool: ...
    @property
    def is_f_contig(self) -> bool: ...
    @property
    def is_contig(self) -> bool: ...
