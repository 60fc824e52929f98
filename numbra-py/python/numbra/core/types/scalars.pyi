"""Numbers, booleans and members of enumerations."""

from typing import Any

from numbra.core.types.abstract import Dummy, Hashable, Literal, Number, Type

def parse_integer_bitwidth(name: str) -> int: ...
def parse_integer_signed(name: str) -> bool: ...

class _Scalar(Number): ...

class Boolean(Hashable):
    """``bool``"""
    def __init__(self, name: str = "bool") -> None: ...

class Integer(_Scalar):
    """A signed or unsigned integer of fixed width."""

    signed: bool
    bitwidth: int
    def __init__(self, name: str, bitwidth: int | None = None, signed: bool | None = None) -> None: ...
    @classmethod
    def from_bitwidth(cls, bitwidth: int, signed: bool = True) -> Integer: ...
    @property
    def maxval(self) -> int: ...
    @property
    def minval(self) -> int: ...

class Float(_Scalar):
    """A float of fixed width."""

    bitwidth: int
    def __init__(self, name: str) -> None: ...

class Bfloat16(_Scalar):
    """The upper half of a ``float32``: its range, with 8 bits of precision."""

    bitwidth: int
    alignof_: int
    def __init__(self) -> None: ...

class Complex(_Scalar):
    """A pair of floats."""

    bitwidth: int
    def __init__(self, name: str, underlying_float: Type | None = None, **kwargs: Any) -> None: ...
    @property
    def underlying_float(self) -> Float: ...

class IntegerLiteral(Literal, Integer):
    """``Literal[int](n)``"""

    bitwidth: int
    signed: bool
    def __init__(self, value: Any) -> None: ...

class BooleanLiteral(Literal, Boolean):
    """``Literal[bool](b)``"""
    def __init__(self, value: Any) -> None: ...

class _NPDatetimeBase(Type):
    """A date or a duration of NumPy, with its unit."""

    type_name: str
    unit: str
    def __init__(self, unit: str) -> None: ...
    @property
    def unit_code(self) -> Any: ...

class NPTimedelta(_NPDatetimeBase):
    """``timedelta64[unit]``"""

    type_name: Any
    def __init__(self, unit: str, *args: Any, **kws: Any) -> None: ...

class NPDatetime(_NPDatetimeBase):
    """``datetime64[unit]``"""

    type_name: Any
    def __init__(self, unit: str, *args: Any, **kws: Any) -> None: ...

class EnumClass(Dummy):
    """A subclass of ``Enum``."""

    basename: Any
    instance_class: Any
    dtype: Type
    def __init__(self, cls: Any, dtype: Type) -> None: ...
    @property
    def member_type(self) -> Any: ...

class IntEnumClass(EnumClass):
    """A subclass of ``IntEnum``."""

    basename: Any
    @property
    def member_type(self) -> Any: ...

class EnumMember(Type):
    """A member of an ``Enum``."""

    basename: Any
    class_type_class: Any
    instance_class: Any
    dtype: Type
    def __init__(self, cls: Any, dtype: Type) -> None: ...
    @property
    def class_type(self) -> Any: ...

class IntEnumMember(EnumMember):
    """A member of an ``IntEnum``."""

    basename: Any
    class_type_class: Any
