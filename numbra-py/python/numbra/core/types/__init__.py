"""Types as Python objects: one instance for each type, of a class that says its kind.

``int64 is types.int64`` and ``isinstance(t, types.Array)`` hold as in Numba. The lattice itself is in Rust.
"""

from numbra._numbra import _can_convert, _type_intern, _type_name, _unify, _unliteral


class Type:
    """A type. Instances are unique: compare with ``is`` or ``==``."""

    _numbra_id: int
    mutable = False
    reflected = False

    @property
    def name(self) -> str:
        """The text that messages and dumps print."""
        return _type_name(self._numbra_id)

    @property
    def key(self) -> object:
        """What makes the type unique in its class."""
        return self.name

    @property
    def mangling_args(self) -> tuple[str, tuple[object, ...]]:
        """Name and parameters for symbol names."""
        return self.name, ()

    @property
    def is_internal(self) -> bool:
        """True for types that never leave compiled code."""
        return False

    def __repr__(self) -> str:
        return self.name

    def __hash__(self) -> int:
        return hash((Type, self._numbra_id))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Type) and self._numbra_id == other._numbra_id

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __reduce__(self):
        return _type_intern, (self._kind,)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __call__(self, *args):
        if len(args) == 1 and not isinstance(args[0], Type):
            return self.cast_python_value(args[0])
        from numbra.core.typing.templates import Signature

        return Signature(self, args, None)

    def __getitem__(self, index):
        """``T[:, ::1]``: an array type."""
        if not isinstance(index, tuple):
            index = (index,)
        for part in index:
            if not isinstance(part, slice) or part.start is not None or part.stop is not None:
                raise KeyError(f"Can only index numba types with slices with no start or stop, got {part!r}.")
        layout = "A"
        if index[-1].step == 1:
            layout = "C"
        elif index[0].step == 1:
            layout = "F"
        return Array(self, len(index), layout)

    __iter__ = None

    def cast_python_value(self, value):
        """The Python value as a value of this type."""
        raise NotImplementedError

    def is_precise(self) -> bool:
        """False while some part is not known."""
        return "undefined" not in self.name

    def can_convert_to(self, typingctx, other):
        """Numba's ``Conversion`` for ``self`` as ``other``, or None."""
        from numbra.core.typeconv import Conversion

        found = _can_convert(self, other)
        return None if found is None else Conversion[found]

    def can_convert_from(self, typingctx, other):
        """As :meth:`can_convert_to`, from the other side."""
        return other.can_convert_to(typingctx, self)

    def unify(self, typingctx, other):
        """The least type that both convert to, or None."""
        return _unify(self, other)

    def dump(self, tab: str = "") -> None:
        """Prints a short description."""
        print(f"{tab}DUMP {type(self).__name__}[code={self._numbra_id}, name={self.name}]")


class Dummy(Type):
    """A type without values of its own."""


class Opaque(Dummy):
    """A type whose values are opaque."""


class Hashable(Type):
    """Values can be hashed."""


class Number(Hashable):
    """A number."""

    def cast_python_value(self, value):
        return getattr(_numpy(), "bool_" if self.name == "bool" else self.name)(value).item()


class Boolean(Hashable):
    """``bool``"""

    bitwidth = 8

    def cast_python_value(self, value):
        return bool(value)


class Integer(Number):
    """A signed or unsigned integer of fixed width."""

    signed: bool
    bitwidth: int

    def cast_python_value(self, value):
        return int(_numpy().int64(value).astype(self.name)) if self.signed else int(getattr(_numpy(), self.name)(value))

    @property
    def maxval(self) -> int:
        """Largest value."""
        return (1 << (self.bitwidth - self.signed)) - 1

    @property
    def minval(self) -> int:
        """Smallest value."""
        return -(1 << (self.bitwidth - 1)) if self.signed else 0

    @classmethod
    def from_bitwidth(cls, bitwidth: int, signed: bool = True) -> "Integer":
        """The integer of this width."""
        return _scalar(f"{'int' if signed else 'uint'}{bitwidth}")


class Float(Number):
    """A float of fixed width."""

    bitwidth: int

    def cast_python_value(self, value):
        return float(getattr(_numpy(), self.name)(value))


class Complex(Number):
    """A pair of floats."""

    bitwidth: int

    @property
    def underlying_float(self) -> Float:
        """Type of each part."""
        return float32 if self.bitwidth == 64 else float64

    def cast_python_value(self, value):
        return complex(getattr(_numpy(), self.name)(value))


class Literal(Type):
    """A type of one value."""

    literal_value: object

    def __new__(cls, value):
        return _type_intern(("literal", value))

    @property
    def literal_type(self) -> Type:
        """The type without the value."""
        return _unliteral(self)


class IntegerLiteral(Literal, Integer):
    """``Literal[int](n)``"""


class BooleanLiteral(Literal, Boolean):
    """``Literal[bool](b)``"""


class StringLiteral(Literal, Dummy):
    """``Literal[str](s)``"""


class SliceLiteral(Literal):
    """``Literal[slice](..)``"""


class NoneType(Opaque):
    """The type of None."""


class Omitted(Opaque):
    """A parameter left to its default."""

    value: object

    def __new__(cls, default):
        return _type_intern(("omitted", default))


class Optional(Type):
    """``T`` or None."""

    type: Type

    def __new__(cls, typ):
        return _type_intern(("optional", typ))


class Sized(Type):
    """Has a length."""


class Iterable(Type):
    """Can be iterated."""


class Sequence(Sized, Iterable):
    """Ordered and indexable."""


class Buffer(Iterable):
    """Memory with a layout."""

    mutable = True
    dtype: Type
    ndim: int
    layout: str
    aligned = True

    @property
    def is_c_contig(self) -> bool:
        """Row-major contiguous."""
        return self.layout == "C" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_f_contig(self) -> bool:
        """Column-major contiguous."""
        return self.layout == "F" or (self.ndim <= 1 and self.layout in "CF")

    @property
    def is_contig(self) -> bool:
        """Contiguous either way."""
        return self.layout in "CF"


class Array(Buffer):
    """``array(dtype, ndim, layout)``"""

    def __new__(cls, dtype, ndim, layout, readonly=False, name=None, aligned=True):
        return _type_intern(("array", dtype, ndim, layout, not readonly, aligned))

    @property
    def readonly(self) -> bool:
        """True when elements cannot be set."""
        return not self.mutable

    def copy(self, dtype=None, ndim=None, layout=None, readonly=None) -> "Array":
        """The same with some parts changed."""
        return Array(
            self.dtype if dtype is None else dtype,
            self.ndim if ndim is None else ndim,
            self.layout if layout is None else layout,
            not self.mutable if readonly is None else readonly,
            aligned=self.aligned,
        )


class BaseTuple(Hashable, Sized):
    """Any tuple."""

    types: tuple[Type, ...]

    @classmethod
    def from_types(cls, tys, pyclass=None) -> "BaseTuple":
        """The tuple type of these element types."""
        return _type_intern(("tuple", list(tys)))

    def __len__(self) -> int:
        return len(self.types)

    def __iter__(self):
        return iter(self.types)

    @property
    def count(self) -> int:
        """Number of elements."""
        return len(self.types)

    def __bool__(self) -> bool:
        return True


class BaseAnonymousTuple(BaseTuple):
    """A tuple without field names."""


class _HomogeneousTuple(Sequence, BaseTuple):
    @property
    def iterator_type(self):
        """What ``iter`` gives."""
        return None


class UniTuple(BaseAnonymousTuple, _HomogeneousTuple):
    """A tuple of equal element types."""

    dtype: Type

    def __new__(cls, dtype, count):
        return _type_intern(("unituple", dtype, count))

    def __getitem__(self, i):
        return self.dtype


class _HeterogeneousTuple(BaseTuple):
    def __getitem__(self, i):
        return self.types[i]


class Tuple(BaseAnonymousTuple, _HeterogeneousTuple):
    """A tuple of element types that differ."""

    def __new__(cls, types):
        return _type_intern(("tuple", list(types)))


class StarArgTuple(_HeterogeneousTuple):
    """``*args`` inside a function."""

    def __new__(cls, types):
        return _type_intern(("starargtuple", list(types)))


class NamedTuple(_HeterogeneousTuple):
    """A named tuple."""

    fields: tuple[str, ...]


class RangeType(Type):
    """A ``range``."""

    dtype: Integer


class RangeIteratorType(Type):
    """An iterator over a ``range``."""


class Pair(Type):
    """What advancing an iterator gives."""

    first_type: Type
    second_type: Type


class EnumerateType(Type):
    """An ``enumerate``."""


class ZipType(Type):
    """A ``zip``."""


class ArrayIterator(Type):
    """An iterator over an array."""


class UniTupleIter(Type):
    """An iterator over a tuple."""


class SliceType(Type):
    """A slice."""

    members: int

    @property
    def has_step(self) -> bool:
        """True with an explicit step."""
        return self.members == 3


class UnicodeType(Hashable):
    """``str``"""


class Bytes(Buffer):
    """``bytes``"""


class Undefined(Dummy):
    """Not known."""


class PyObject(Dummy):
    """A Python object without a native type."""


class EllipsisType(Opaque):
    """The type of ``...``."""


class Callable(Type):
    """Can be called."""


class Function(Callable, Opaque):
    """A library function."""


class BoundFunction(Callable, Opaque):
    """A method bound to a receiver."""


class Module(Dummy):
    """A module."""


class NumberClass(Callable, Opaque):
    """A scalar class as a value."""

    instance_type: Type

    @property
    def dtype(self) -> Type:
        """The scalar type."""
        return self.instance_type


class DType(Opaque):
    """A NumPy dtype as a value."""

    dtype: Type


class TypeRef(Dummy):
    """A type as a value."""

    instance_type: Type


class ClassType(Callable, Opaque):
    """A Python class."""


class ExceptionClass(Callable, Opaque):
    """An exception class."""


class ExceptionInstance(Opaque):
    """An exception."""


class Dispatcher(Callable, Opaque):
    """A jitted function."""


class MakeFunctionLiteral(Opaque):
    """A local function."""


class List(Sequence):
    """``list(T)``"""

    mutable = True
    dtype: Type

    def __new__(cls, dtype, reflected=False, initial_value=None):
        return _type_intern(("list", dtype, reflected))


def _numpy():
    import numpy

    return numpy


def _scalar(name: str) -> Type:
    return _type_intern(("scalar", name))


def _make(cls: type[Type], number: int, kind: tuple, **attributes: object) -> Type:
    instance = object.__new__(cls)
    instance._numbra_id = number
    instance._kind = kind
    for name, value in attributes.items():
        setattr(instance, name, value)
    return instance


def _scalar_attributes(name: str, bits: int) -> tuple[type[Type], dict[str, object]]:
    if name == "bool":
        return Boolean, {}
    if name.startswith("complex"):
        return Complex, {"bitwidth": bits}
    if name.startswith("float"):
        return Float, {"bitwidth": bits}
    return Integer, {"bitwidth": bits, "signed": not name.startswith("u")}


def _literal(kind: tuple) -> tuple[type[Type], dict[str, object]]:
    value = kind[1]
    attributes: dict[str, object] = {"literal_value": value}
    if isinstance(value, bool):
        return BooleanLiteral, attributes
    if isinstance(value, int):
        return IntegerLiteral, {**attributes, "bitwidth": 64, "signed": True}
    if isinstance(value, slice):
        return SliceLiteral, attributes
    return StringLiteral, attributes


_CLASSES: dict[str, tuple[type[Type], tuple[str, ...]]] = {
    "undefined": (Undefined, ()),
    "pyobject": (PyObject, ()),
    "none": (NoneType, ()),
    "ellipsis": (EllipsisType, ()),
    "omitted": (Omitted, ("value",)),
    "optional": (Optional, ("type",)),
    "unicode": (UnicodeType, ()),
    "bytes": (Bytes, ()),
    "starargtuple": (StarArgTuple, ("types",)),
    "range": (RangeType, ("dtype",)),
    "range_iter": (RangeIteratorType, ("yield_type",)),
    "pair": (Pair, ("first_type", "second_type")),
    "enumerate": (EnumerateType, ("source_type",)),
    "zip": (ZipType, ("source_types",)),
    "array_iter": (ArrayIterator, ("array_type",)),
    "unituple_iter": (UniTupleIter, ("container",)),
    "function": (Function, ("function_name", "function_repr")),
    "bound_method": (BoundFunction, ("this", "method_name")),
    "module": (Module, ("module_name",)),
    "number_class": (NumberClass, ("instance_type",)),
    "dtype": (DType, ("dtype",)),
    "typeref": (TypeRef, ("instance_type",)),
    "class": (ClassType, ("class_name",)),
    "exception_class": (ExceptionClass, ("class_name",)),
    "exception_instance": (ExceptionInstance, ("class_name",)),
    "dispatcher": (Dispatcher, ("dispatcher_id", "function_name")),
    "closure": (MakeFunctionLiteral, ("function_name", "index")),
    "list": (List, ("dtype", "reflected")),
}


def _from_kind(number: int, kind: tuple) -> Type:
    """The instance for a type; called once a type by the extension module."""
    name = kind[0]
    if name == "scalar":
        cls, attributes = _scalar_attributes(kind[1], kind[3])
    elif name in ("literal", "slice_literal"):
        cls, attributes = _literal(kind)
        kind = ("literal", kind[1])
    elif name == "array":
        cls = Array
        attributes = dict(zip(("dtype", "ndim", "layout", "mutable", "aligned"), kind[1:], strict=True))
    elif name == "unituple":
        cls, attributes = UniTuple, {"dtype": kind[1], "types": (kind[1],) * kind[2]}
    elif name == "tuple":
        cls, attributes = Tuple, {"types": tuple(kind[1])}
    elif name == "namedtuple":
        cls, attributes = NamedTuple, {"fields": tuple(kind[2]), "types": tuple(kind[3])}
    elif name in ("slice2", "slice3"):
        cls, attributes = SliceType, {"members": int(name[-1])}
    elif name == "ext":
        return _extension(number, kind)
    else:
        cls, fields = _CLASSES[name]
        attributes = dict(zip(fields, kind[1:], strict=True))
    return _make(cls, number, kind, **attributes)


def _extension(number: int, kind: tuple) -> Type:
    return _make(Opaque, number, kind)


def literal(value) -> Literal:
    """The type of exactly this value."""
    from numbra.core.errors import LiteralTypingError

    try:
        return _type_intern(("literal", value))
    except TypeError:
        raise LiteralTypingError(f"{value} cannot be used as a literal") from None


def maybe_literal(value) -> Literal | None:
    """The type of exactly this value, or None if it has none."""
    from numbra.core.errors import LiteralTypingError

    try:
        return literal(value)
    except LiteralTypingError:
        return None


def unliteral(ty: Type) -> Type:
    """The type without its literal value."""
    return _unliteral(ty)


none = _type_intern(("none",))
boolean = bool_ = b1 = _scalar("bool")
int8, int16, int32, int64 = (_scalar(f"int{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_scalar(f"uint{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (_scalar(f"float{n}") for n in (16, 32, 64))
complex64, complex128 = _scalar("complex64"), _scalar("complex128")
unicode_type = string = _type_intern(("unicode",))
pyobject = _type_intern(("pyobject",))
undefined = _type_intern(("undefined",))
ellipsis = _type_intern(("ellipsis",))
slice2_type = _type_intern(("slice2",))
slice3_type = _type_intern(("slice3",))

i1, i2, i4, i8 = int8, int16, int32, int64
u1, u2, u4, u8 = uint8, uint16, uint32, uint64
f2, f4, f8 = float16, float32, float64
c8, c16 = complex64, complex128
byte = char = int8
byte = uchar = uint8
char = int8
short, ushort = int16, uint16
int_ = intp = intc_ = int64
intp, uintp = int64, uint64
intc, uintc = int32, uint32
uint = uint64
long_, ulong = int64, uint64
longlong, ulonglong = int64, uint64
size_t, ssize_t, ptrdiff_t = uint64, int64, int64
float_, double = float32, float64
void = none
optional = Optional
range_state_int32_type = _type_intern(("range", int32))
range_state64_type = _type_intern(("range", int64))

signed_domain = frozenset([int8, int16, int32, int64])
unsigned_domain = frozenset([uint8, uint16, uint32, uint64])
integer_domain = signed_domain | unsigned_domain
real_domain = frozenset([float32, float64])
complex_domain = frozenset([complex64, complex128])
number_domain = real_domain | integer_domain | complex_domain

np_types = ()

__all__ = [
    "b1",
    "bool_",
    "boolean",
    "byte",
    "c8",
    "c16",
    "char",
    "complex64",
    "complex128",
    "double",
    "f4",
    "f8",
    "float32",
    "float64",
    "float_",
    "i1",
    "i2",
    "i4",
    "i8",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "intc",
    "intp",
    "long_",
    "longlong",
    "none",
    "optional",
    "ptrdiff_t",
    "short",
    "size_t",
    "ssize_t",
    "u1",
    "u2",
    "u4",
    "u8",
    "uchar",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "uintc",
    "uintp",
    "ulong",
    "ulonglong",
    "ushort",
    "void",
]
