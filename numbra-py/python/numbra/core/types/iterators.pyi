"""Ranges, iterators and generators."""

from typing import Any

from numbra.core.types.abstract import Type
from numbra.core.types.common import SimpleIterableType, SimpleIteratorType

class RangeType(SimpleIterableType):
    """A ``range``."""
    def __init__(self, dtype: Type) -> None: ...
    @property
    def iterator_type(self) -> Type: ...

class RangeIteratorType(SimpleIteratorType):
    """An iterator over a ``range``."""
    def __init__(self, dtype: Type) -> None: ...

class EnumerateType(SimpleIteratorType):
    """An ``enumerate``."""
    def __init__(self, iterable_type: Any) -> None: ...

class ZipType(SimpleIteratorType):
    """A ``zip``."""
    def __init__(self, iterable_types: Any) -> None: ...

class ArrayIterator(SimpleIteratorType):
    """An iterator over an array."""

    array_type: Any
    def __init__(self, array_type: Any) -> None: ...

class Generator(SimpleIteratorType):
    """A generator object."""

    gen_func: Any
    has_finalizer: Any
    arg_types: Any
    state_types: Any
    def __init__(
        self, gen_func: Any, yield_type: Type, arg_types: Any, state_types: Any, has_finalizer: Any
    ) -> None: ...
