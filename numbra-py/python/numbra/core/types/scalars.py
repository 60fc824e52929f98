"""Numbers, booleans and members of enumerations."""

from numbra._named import names_of
from numbra._numbra import _type_intern
from numbra.core.types.abstract import Dummy, Hashable, Literal, Number, Type, _unique


def parse_integer_bitwidth(name: str) -> int:
    """32 of ``uint32``."""
    return int(name.split("int")[-1])


def parse_integer_signed(name: str) -> bool:
    """True of ``int32``."""
    return name.startswith("int")


def _numpy():
    import numpy

    return numpy


class _Scalar(Number):
    def __lt__(self, other):
        return NotImplemented if not self._ordered(other) else self.bitwidth < other.bitwidth

    def __le__(self, other):
        return NotImplemented if not self._ordered(other) else self.bitwidth <= other.bitwidth

    def __gt__(self, other):
        return NotImplemented if not self._ordered(other) else self.bitwidth > other.bitwidth

    def __ge__(self, other):
        return NotImplemented if not self._ordered(other) else self.bitwidth >= other.bitwidth

    def _ordered(self, other) -> bool:
        return type(self) is type(other) and getattr(self, "signed", 0) == getattr(other, "signed", 0)

    def cast_python_value(self, value):
        return getattr(_numpy(), self.name)(value)


class Boolean(Hashable):
    """``bool``"""

    @classmethod
    def _intern(cls, name="bool"):
        return _type_intern(("scalar", "bool"))

    def cast_python_value(self, value):
        return bool(value)


class Integer(_Scalar):
    """A signed or unsigned integer of fixed width."""

    signed: bool
    bitwidth: int

    def __init__(self, name, bitwidth=None, signed=None):
        super().__init__(name)
        self.bitwidth = parse_integer_bitwidth(name) if bitwidth is None else bitwidth
        self.signed = parse_integer_signed(name) if signed is None else signed

    @classmethod
    def _intern(cls, name, bitwidth=None, signed=None):
        if bitwidth is not None:
            name = f"{'int' if signed or signed is None else 'uint'}{bitwidth}"
        return _type_intern(("scalar", name))

    @classmethod
    def from_bitwidth(cls, bitwidth: int, signed: bool = True) -> "Integer":
        """The integer of this width."""
        return _type_intern(("scalar", f"{'int' if signed else 'uint'}{bitwidth}"))

    @property
    def maxval(self) -> int:
        """Largest value."""
        return (1 << (self.bitwidth - self.signed)) - 1

    @property
    def minval(self) -> int:
        """Smallest value."""
        return -(1 << (self.bitwidth - 1)) if self.signed else 0


class Float(_Scalar):
    """A float of fixed width."""

    bitwidth: int

    @classmethod
    def _intern(cls, name):
        return _type_intern(("scalar", name))


class Bfloat16(_Scalar):
    """The upper half of a ``float32``: its range, with 8 bits of precision."""

    bitwidth: int
    alignof_: int

    @classmethod
    def _intern(cls):
        return _type_intern(("scalar", "__nv_bfloat16"))


class Complex(_Scalar):
    """A pair of floats."""

    bitwidth: int

    @classmethod
    def _intern(cls, name, underlying_float=None, **kwargs):
        return _type_intern(("scalar", name))

    @property
    def underlying_float(self) -> Float:
        """Type of each part."""
        return _type_intern(("scalar", f"float{self.bitwidth // 2}"))


class IntegerLiteral(Literal, Integer):
    """``Literal[int](n)``"""

    @classmethod
    def _intern(cls, value):
        return _type_intern(("literal", value))

    bitwidth = 64
    signed = True


class BooleanLiteral(Literal, Boolean):
    """``Literal[bool](b)``"""

    @classmethod
    def _intern(cls, value):
        return _type_intern(("literal", value))


Number._scalars = {
    "bool": (Boolean, {}),
    "int": (Integer, {"signed": True}),
    "uint": (Integer, {"signed": False}),
    "float": (Float, {}),
    "complex": (Complex, {}),
    "__nv_bfloat": (Bfloat16, {"alignof_": 2}),
}
Literal.ctor_map[int] = IntegerLiteral
Literal.ctor_map[bool] = BooleanLiteral


# ORDER: matches NumPy's NPY_DATETIMEUNIT; number 3 is not used any more.
_UNITS = ("Y", "M", "W", None, "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", "")


class _NPDatetimeBase(Type):
    """A date or a duration of NumPy, with its unit."""

    type_name: str
    unit: str

    def __init__(self, unit):
        self.unit = unit
        super().__init__(f"{self.type_name}[{unit}]")

    @classmethod
    def _of_unit(cls, kind, unit):
        """The type; one of several of a unit, ``10Y``, is a type that compiled code does not have."""
        if unit in _UNITS:
            return _type_intern((kind, unit))
        instance = object.__new__(cls)
        instance.__init__(unit)
        return _unique(instance)

    @property
    def unit_code(self):
        """NumPy's number of the unit."""
        return _UNITS.index(self.unit if self.unit in _UNITS else self.unit.lstrip("0123456789"))

    def cast_python_value(self, value):
        cls = getattr(_numpy(), self.type_name)
        return cls(value, self.unit) if self.unit else cls(value)

    def __lt__(self, other):
        if type(self) is not type(other):
            return NotImplemented
        return self.unit_code < other.unit_code


class NPTimedelta(_NPDatetimeBase, kind="timedelta", fields=("unit",)):
    """``timedelta64[unit]``"""

    type_name = "timedelta64"

    @classmethod
    def _intern(cls, unit, *args, **kws):
        return cls._of_unit("timedelta", unit)


class NPDatetime(_NPDatetimeBase, kind="datetime", fields=("unit",)):
    """``datetime64[unit]``"""

    type_name = "datetime64"

    @classmethod
    def _intern(cls, unit, *args, **kws):
        return cls._of_unit("datetime", unit)


class EnumClass(Dummy):
    """A subclass of ``Enum``."""

    basename = "Enum class"

    def __init__(self, cls, dtype):
        self.instance_class, self.dtype = cls, dtype
        super().__init__(f"{self.basename}<{dtype}>({cls.__name__})")

    @property
    def key(self):
        return self.instance_class, self.dtype

    @property
    def member_type(self):
        """The type of its members."""
        return EnumMember(self.instance_class, self.dtype)


class IntEnumClass(EnumClass):
    """A subclass of ``IntEnum``."""

    basename = "IntEnum class"

    @property
    def member_type(self):
        return IntEnumMember(self.instance_class, self.dtype)


class EnumMember(Type, kind="enum_member", fields=("instance_class", "dtype")):
    """A member of an ``Enum``."""

    basename = "Enum"
    class_type_class = EnumClass

    def __init__(self, cls, dtype):
        self.instance_class, self.dtype = cls, dtype
        super().__init__(f"{self.basename}<{dtype}>({cls.__name__})")

    @property
    def key(self):
        return self.instance_class, self.dtype

    @property
    def class_type(self):
        """The type of its class."""
        return self.class_type_class(self.instance_class, self.dtype)


class IntEnumMember(EnumMember, kind="int_enum_member", fields=("instance_class", "dtype")):
    """A member of an ``IntEnum``."""

    basename = "IntEnum"
    class_type_class = IntEnumClass

    def can_convert_to(self, typingctx, other):
        from numbra.core.typeconv import Conversion

        if isinstance(other, Integer):
            return Conversion.exact if other is self.dtype else Conversion.safe
        return None


__getattr__ = names_of(__name__)
