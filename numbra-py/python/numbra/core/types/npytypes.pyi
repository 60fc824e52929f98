"""Types of NumPy's objects."""

from typing import Any

from numbra.core.types.abstract import DTypeSpec, IteratorType, MutableSequence, Type
from numbra.core.types.common import Buffer, Opaque, SimpleIteratorType

class CharSeq(Type):
    """Bytes of fixed length in an array."""
    def __init__(self, count: int) -> None: ...

class UnicodeCharSeq(Type):
    """Characters of fixed length in an array."""
    def __init__(self, count: int) -> None: ...

class RecordField:
    """A field of a :class:`Record`."""

    type: Type
    offset: Any
    alignment: Any
    title: Any
    def __init__(self, type: Type, offset: Any, alignment: Any = None, title: Any = None) -> None: ...

class Record(Type):
    """A structured dtype."""
    def __init__(self, fields: Any, size: int, aligned: bool) -> None: ...
    @classmethod
    def make_c_struct(cls, name_types: Any) -> Record: ...
    def offset(self, key: Any) -> Any: ...
    def typeof(self, key: Any) -> Any: ...
    def alignof(self, key: Any) -> Any: ...
    def has_titles(self) -> Any: ...
    def is_title(self, key: Any) -> Any: ...
    @property
    def members(self) -> Any: ...
    @property
    def dtype(self) -> Type: ...

class DType(DTypeSpec, Opaque):
    """A NumPy dtype as a value."""
    def __init__(self, dtype: Type) -> None: ...
    @property
    def dtype(self) -> Type: ...

class NumpyFlatType(SimpleIteratorType, MutableSequence):
    """``a.flat``"""

    array_type: Any
    dtype: Type
    def __init__(self, arrty: Any) -> None: ...

class NumpyNdEnumerateType(SimpleIteratorType):
    """``np.ndenumerate(a)``"""

    array_type: Any
    def __init__(self, arrty: Any) -> None: ...

class NumpyNdIterType(IteratorType):
    """``np.nditer(arrays)``"""

    arrays: Any
    ndim: int
    layout: str
    dtypes: Any
    def __init__(self, arrays: Any) -> None: ...
    @property
    def yield_type(self) -> Type: ...
    @property
    def views(self) -> Any: ...

class NumpyNdIndexType(SimpleIteratorType):
    """``np.ndindex(shape)``"""

    ndim: int
    def __init__(self, ndim: int) -> None: ...

class Array(Buffer):
    """``array(dtype, ndim, layout)``"""

    aligned: bool
    def __init__(
        self, dtype: Type, ndim: int, layout: str, readonly: bool = False, name: str | None = None, aligned: bool = True
    ) -> None: ...
    @property
    def readonly(self) -> bool: ...
    def copy(
        self,
        dtype: Type | None = None,
        ndim: int | None = None,
        layout: str | None = None,
        readonly: bool | None = None,
    ) -> Array: ...
    @property
    def box_type(self) -> Any: ...

class ArrayCTypes(Type):
    """``a.ctypes``"""

    dtype: Type
    ndim: int
    def __init__(self, arytype: Any) -> None: ...

class ArrayFlags(Type):
    """``a.flags``"""

    array_type: Any
    def __init__(self, arytype: Any) -> None: ...

class NestedArray(Array):
    """An array inside a record."""
    def __init__(self, dtype: Type, shape: tuple[int, ...]) -> None: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def nitems(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def strides(self) -> Any: ...

class NumPyRandomBitGeneratorType(Type):
    """A bit generator of ``np.random``."""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class NumPyRandomGeneratorType(Type):
    """``np.random.Generator``"""
    def __init__(self, *args: Any, **kwargs: Any) -> None: ...

class PolynomialType(Type):
    """``np.polynomial.Polynomial``"""

    n_args: Any
    def __init__(self, coef: Any, domain: Any, window: Any, n_args: Any = 1) -> None: ...
