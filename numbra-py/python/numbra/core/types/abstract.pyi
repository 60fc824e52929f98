"""The base classes of types, and how instances stay unique."""

from typing import Any, ClassVar, SupportsComplex, SupportsFloat, SupportsIndex, overload

from numbra.core.types.npytypes import Array
from numbra.core.typing.templates import Signature

_Value = SupportsComplex | SupportsFloat | SupportsIndex | str

class Type:
    """A type. Instances are unique: compare with ``is`` or ``==``."""

    name: str
    mutable: bool
    reflected: bool
    def __init__(self, name: str) -> None: ...
    @property
    def key(self) -> Any: ...
    @property
    def mangling_args(self) -> tuple[str, Any]: ...
    @property
    def is_internal(self) -> bool: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    @overload
    def __call__(self, *args: Type) -> Signature:
        """The signature of functions that take these types and give this one."""
    @overload
    def __call__(self, value: _Value, /) -> Any:
        """The value as this type."""
    def __getitem__(self, index: slice | tuple[slice, ...]) -> Array:
        """The type of arrays: ``float64[:, ::1]``."""
    def can_convert_to(self, typingctx: Any, other: Type) -> Any: ...
    def can_convert_from(self, typingctx: Any, other: Type) -> Any: ...
    def is_precise(self) -> bool: ...
    def unify(self, typingctx: Any, other: Type) -> Type | None: ...
    def cast_python_value(self, args: Any) -> Any: ...
    def augment(self, other: Type) -> Type | None: ...
    def dump(self, tab: str = "") -> None: ...

def from_kind(number: int, kind: tuple[Any, ...]) -> Type: ...

class Dummy(Type):
    """A type without values of its own."""

class Hashable(Type):
    """Values can be hashed."""

class Number(Hashable):
    """A number."""

class Callable(Type):
    """Can be called."""

class DTypeSpec(Type):
    """Stands for a NumPy dtype."""

class IterableType(Type):
    """Can be iterated."""
    @property
    def iterator_type(self) -> Type: ...

class Sized(Type):
    """Has a length."""

class ConstSized(Sized):
    """Has a length that follows from the type."""

class IteratorType(IterableType):
    """An iterator."""
    @property
    def iterator_type(self) -> Type: ...

class Container(Sized, IterableType):
    """Holds values."""

class Sequence(Container):
    """Ordered and indexable."""

class MutableSequence(Sequence):
    """A sequence whose elements can be set."""

class ArrayCompatible(Type):
    """Behaves as an array; ``as_array`` says as which."""

    array_priority: float
    ndim: int
    layout: str
    dtype: Type
    @property
    def as_array(self) -> Any: ...

class Literal(Type):
    """A type of one value."""

    ctor_map: ClassVar[dict[type, type]]
    def __init__(self, value: Any) -> None: ...
    @property
    def literal_value(self) -> Any: ...
    @property
    def literal_type(self) -> Type: ...

class TypeRef(Dummy):
    """A type as a value."""
    def __init__(self, instance_type: Type) -> None: ...

class InitialValue:
    """Keeps the value that a container was made from."""
    def __init__(self, initial_value: Any) -> None: ...
    @property
    def initial_value(self) -> Any: ...

class Poison(Type):
    """Never unifies with anything."""

    ty: Any
    def __init__(self, ty: Any) -> None: ...

def unliteral(ty: Type) -> Type: ...
def literal(value: Any) -> Literal: ...
def maybe_literal(value: Any) -> Literal | None: ...
