"""Types as Python objects: one instance for each type, of a class that says its kind.

``int64 is types.int64`` and ``isinstance(t, types.Array)`` hold as in Numba. The lattice itself is in Rust.
"""

# The names are the module's surface.
# ruff: noqa: F401
from numbra._named import names_of
from numbra._numbra import _type_intern
from numbra.core.types import (
    abstract,
    common,
    containers,
    function_type,
    functions,
    iterators,
    misc,
    npytypes,
    scalars,
)
from numbra.core.types.abstract import (
    ArrayCompatible,
    Callable,
    ConstSized,
    Container,
    DTypeSpec,
    Dummy,
    Hashable,
    InitialValue,
    IterableType,
    IteratorType,
    Literal,
    MutableSequence,
    Number,
    Poison,
    Sequence,
    Sized,
    Type,
    TypeRef,
    from_kind,
    literal,
    maybe_literal,
    unliteral,
)
from numbra.core.types.common import Buffer, Opaque, SimpleIterableType, SimpleIteratorType
from numbra.core.types.containers import (
    BaseAnonymousTuple,
    BaseContainerIterator,
    BaseContainerPayload,
    BaseNamedTuple,
    BaseTuple,
    ByteArray,
    Bytes,
    DictItemsIterableType,
    DictIteratorType,
    DictKeysIterableType,
    DictType,
    DictValuesIterableType,
    List,
    ListIter,
    ListPayload,
    ListType,
    ListTypeIterableType,
    ListTypeIteratorType,
    LiteralList,
    LiteralStrKeyDict,
    MemoryView,
    NamedTuple,
    NamedUniTuple,
    Pair,
    PyArray,
    Set,
    SetEntry,
    SetIter,
    SetIterableType,
    SetIteratorType,
    SetPayload,
    SetType,
    StarArgTuple,
    StarArgUniTuple,
    StructRef,
    StructRefPayload,
    Tuple,
    UnionType,
    UniTuple,
    UniTupleIter,
    is_homogeneous,
)
from numbra.core.types.function_type import (
    CompileResultWAP,
    FunctionPrototype,
    FunctionType,
    UndefinedFunctionType,
    WrapperAddressProtocol,
)
from numbra.core.types.functions import (
    BaseFunction,
    BoundFunction,
    Dispatcher,
    ExternalFunction,
    ExternalFunctionPointer,
    Function,
    MakeFunctionLiteral,
    NamedTupleClass,
    NumberClass,
    ObjModeDispatcher,
    RecursiveCall,
    WeakType,
)
from numbra.core.types.iterators import (
    ArrayIterator,
    EnumerateType,
    Generator,
    RangeIteratorType,
    RangeType,
    ZipType,
)
from numbra.core.types.misc import (
    ClassDataType,
    ClassInstanceType,
    ClassType,
    ContextManager,
    CPointer,
    DeferredType,
    EllipsisType,
    EphemeralArray,
    EphemeralPointer,
    ExceptionClass,
    ExceptionInstance,
    MemInfoPointer,
    Module,
    NoneType,
    Object,
    Omitted,
    Optional,
    Phantom,
    PyObject,
    RawPointer,
    SliceLiteral,
    SliceType,
    StringLiteral,
    Undefined,
    UndefVar,
    UnicodeIteratorType,
    UnicodeType,
    VarArg,
)
from numbra.core.types.npytypes import (
    Array,
    ArrayCTypes,
    ArrayFlags,
    CharSeq,
    DType,
    NestedArray,
    NumpyFlatType,
    NumpyNdEnumerateType,
    NumpyNdIndexType,
    NumpyNdIterType,
    NumPyRandomBitGeneratorType,
    NumPyRandomGeneratorType,
    PolynomialType,
    Record,
    RecordField,
    UnicodeCharSeq,
)
from numbra.core.types.scalars import (
    Bfloat16,
    Boolean,
    BooleanLiteral,
    Complex,
    EnumClass,
    EnumMember,
    Float,
    Integer,
    IntegerLiteral,
    IntEnumClass,
    IntEnumMember,
    NPDatetime,
    NPTimedelta,
    parse_integer_bitwidth,
    parse_integer_signed,
)


def _scalar(name: str) -> Type:
    return _type_intern(("scalar", name))


none = void = _type_intern(("none",))
boolean = bool_ = b1 = bool = _scalar("bool")
int8, int16, int32, int64 = (_scalar(f"int{n}") for n in (8, 16, 32, 64))
uint8, uint16, uint32, uint64 = (_scalar(f"uint{n}") for n in (8, 16, 32, 64))
float16, float32, float64 = (_scalar(f"float{n}") for n in (16, 32, 64))
complex64, complex128 = _scalar("complex64"), _scalar("complex128")
#: A type of kernels, which NumPy does not have.
bfloat16 = _scalar("__nv_bfloat16")
unicode_type = string = _type_intern(("unicode",))
pyobject = _type_intern(("pyobject",))
undefined = _type_intern(("undefined",))
ellipsis = _type_intern(("ellipsis",))
voidptr = RawPointer("void*")
slice2_type = _type_intern(("slice2",))
slice3_type = _type_intern(("slice3",))

i1, i2, i4, i8 = int8, int16, int32, int64
u1, u2, u4, u8 = uint8, uint16, uint32, uint64
f2, f4, f8 = float16, float32, float64
c8, c16 = complex64, complex128
byte = uchar = uint8
char = int8
short, ushort = int16, uint16
int_ = intp = long_ = longlong = ssize_t = ptrdiff_t = int64
uint = uintp = ulong = ulonglong = size_t = uint64
intc, uintc = int32, uint32
float_, double = float32, float64
optional = Optional
deferred_type = DeferredType

py_bool, py_int, py_float, py_complex = bool_, int64, float64, complex128
c_bool = bool_
c_int8 = int8
c_int16 = int16
c_int32 = int32
c_int64 = int64
c_intp = intp
c_uint8 = uint8
c_uint16 = uint16
c_uint32 = uint32
c_uint64 = uint64
c_uintp = uintp
c_float16 = float16
c_float32 = float32
c_float64 = float64
np_bool_ = bool_
np_int8 = int8
np_int16 = int16
np_int32 = int32
np_int64 = int64
np_intp = intp
np_intc = intc
np_uint8 = uint8
np_uint16 = uint16
np_uint32 = uint32
np_uint64 = uint64
np_uintp = uintp
np_uintc = uintc
np_float16 = float16
np_float32 = float32
np_float64 = float64
np_float_ = float_
np_double = double
np_complex64 = complex64
np_complex128 = complex128
np_char = char
np_uchar = uchar
np_short = short
np_ushort = ushort
np_int_ = int_
np_uint = uint
np_longlong = longlong
np_ulonglong = ulonglong
np_long, np_ulong = int64, uint64

signed_domain = np_signed_domain = frozenset([int8, int16, int32, int64])
unsigned_domain = np_unsigned_domain = frozenset([uint8, uint16, uint32, uint64])
integer_domain = np_integer_domain = signed_domain | unsigned_domain
real_domain = np_real_domain = frozenset([float32, float64])
complex_domain = np_complex_domain = frozenset([complex64, complex128])
number_domain = np_number_domain = real_domain | integer_domain | complex_domain
py_signed_domain = py_integer_domain = frozenset([py_int])
py_real_domain = frozenset([py_float])
py_complex_domain = frozenset([py_complex])
py_number_domain = py_real_domain | py_integer_domain | py_complex_domain

range_state32_type, range_state64_type = RangeType(int32), RangeType(int64)
unsigned_range_state64_type = RangeType(uint64)
range_iter32_type, range_iter64_type = RangeIteratorType(int32), RangeIteratorType(int64)
unsigned_range_iter64_type = RangeIteratorType(uint64)

# Types of values that only Python code handles; made when somebody asks.
_OPAQUE = {
    "Any": (Phantom, "any"),
    "unknown": (Dummy, "unknown"),
    "ffi": (Opaque, "ffi"),
    "ffi_forced_object": (Opaque, "ffi_forced_object"),
    "pyfunc_type": (Opaque, "pyfunc"),
    "code_type": (Opaque, "code"),
    "py2_string_type": (Opaque, "str"),
    "_undef_var": (UndefVar, "_undef_var"),
    "npy_rng": (NumPyRandomGeneratorType, ""),
    "npy_bitgen": (NumPyRandomBitGeneratorType, ""),
}

_named_only = names_of(__name__)


def __getattr__(name: str):
    if name in _OPAQUE:
        cls, text = _OPAQUE[name]
        value = globals()[name] = cls(text)
        return value
    if name in ("Conversion", "TypingError", "LiteralTypingError"):
        import importlib

        where = "typeconv" if name == "Conversion" else "errors"
        return getattr(importlib.import_module(f"numbra.core.{where}"), name)
    return _named_only(name)


# What `from numba import *` and the package itself offer of this module.
__all__ = [
    "b1",
    "bool",
    "bool_",
    "boolean",
    "byte",
    "c8",
    "c16",
    "char",
    "complex64",
    "complex128",
    "deferred_type",
    "double",
    "f4",
    "f8",
    "ffi",
    "ffi_forced_object",
    "float32",
    "float64",
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
