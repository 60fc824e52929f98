"""Types as Python objects: one instance for each type, of a class that says its kind."""

from numbra.core.types.abstract import (
    ArrayCompatible as ArrayCompatible,
)
from numbra.core.types.abstract import (
    Callable as Callable,
)
from numbra.core.types.abstract import (
    ConstSized as ConstSized,
)
from numbra.core.types.abstract import (
    Container as Container,
)
from numbra.core.types.abstract import (
    DTypeSpec as DTypeSpec,
)
from numbra.core.types.abstract import (
    Dummy as Dummy,
)
from numbra.core.types.abstract import (
    Hashable as Hashable,
)
from numbra.core.types.abstract import (
    InitialValue as InitialValue,
)
from numbra.core.types.abstract import (
    IterableType as IterableType,
)
from numbra.core.types.abstract import (
    IteratorType as IteratorType,
)
from numbra.core.types.abstract import (
    Literal as Literal,
)
from numbra.core.types.abstract import (
    MutableSequence as MutableSequence,
)
from numbra.core.types.abstract import (
    Number as Number,
)
from numbra.core.types.abstract import (
    Poison as Poison,
)
from numbra.core.types.abstract import (
    Sequence as Sequence,
)
from numbra.core.types.abstract import (
    Sized as Sized,
)
from numbra.core.types.abstract import (
    Type as Type,
)
from numbra.core.types.abstract import (
    TypeRef as TypeRef,
)
from numbra.core.types.abstract import (
    from_kind as from_kind,
)
from numbra.core.types.abstract import (
    literal as literal,
)
from numbra.core.types.abstract import (
    maybe_literal as maybe_literal,
)
from numbra.core.types.abstract import (
    unliteral as unliteral,
)
from numbra.core.types.common import (
    Buffer as Buffer,
)
from numbra.core.types.common import (
    Opaque as Opaque,
)
from numbra.core.types.common import (
    SimpleIterableType as SimpleIterableType,
)
from numbra.core.types.common import (
    SimpleIteratorType as SimpleIteratorType,
)
from numbra.core.types.containers import (
    BaseAnonymousTuple as BaseAnonymousTuple,
)
from numbra.core.types.containers import (
    BaseContainerIterator as BaseContainerIterator,
)
from numbra.core.types.containers import (
    BaseContainerPayload as BaseContainerPayload,
)
from numbra.core.types.containers import (
    BaseNamedTuple as BaseNamedTuple,
)
from numbra.core.types.containers import (
    BaseTuple as BaseTuple,
)
from numbra.core.types.containers import (
    ByteArray as ByteArray,
)
from numbra.core.types.containers import (
    Bytes as Bytes,
)
from numbra.core.types.containers import (
    DictItemsIterableType as DictItemsIterableType,
)
from numbra.core.types.containers import (
    DictIteratorType as DictIteratorType,
)
from numbra.core.types.containers import (
    DictKeysIterableType as DictKeysIterableType,
)
from numbra.core.types.containers import (
    DictType as DictType,
)
from numbra.core.types.containers import (
    DictValuesIterableType as DictValuesIterableType,
)
from numbra.core.types.containers import (
    List as List,
)
from numbra.core.types.containers import (
    ListIter as ListIter,
)
from numbra.core.types.containers import (
    ListPayload as ListPayload,
)
from numbra.core.types.containers import (
    ListType as ListType,
)
from numbra.core.types.containers import (
    ListTypeIterableType as ListTypeIterableType,
)
from numbra.core.types.containers import (
    ListTypeIteratorType as ListTypeIteratorType,
)
from numbra.core.types.containers import (
    LiteralList as LiteralList,
)
from numbra.core.types.containers import (
    LiteralStrKeyDict as LiteralStrKeyDict,
)
from numbra.core.types.containers import (
    MemoryView as MemoryView,
)
from numbra.core.types.containers import (
    NamedTuple as NamedTuple,
)
from numbra.core.types.containers import (
    NamedUniTuple as NamedUniTuple,
)
from numbra.core.types.containers import (
    Pair as Pair,
)
from numbra.core.types.containers import (
    PyArray as PyArray,
)
from numbra.core.types.containers import (
    Set as Set,
)
from numbra.core.types.containers import (
    SetEntry as SetEntry,
)
from numbra.core.types.containers import (
    SetIter as SetIter,
)
from numbra.core.types.containers import (
    SetIterableType as SetIterableType,
)
from numbra.core.types.containers import (
    SetIteratorType as SetIteratorType,
)
from numbra.core.types.containers import (
    SetPayload as SetPayload,
)
from numbra.core.types.containers import (
    SetType as SetType,
)
from numbra.core.types.containers import (
    StarArgTuple as StarArgTuple,
)
from numbra.core.types.containers import (
    StarArgUniTuple as StarArgUniTuple,
)
from numbra.core.types.containers import (
    StructRef as StructRef,
)
from numbra.core.types.containers import (
    StructRefPayload as StructRefPayload,
)
from numbra.core.types.containers import (
    Tuple as Tuple,
)
from numbra.core.types.containers import (
    UnionType as UnionType,
)
from numbra.core.types.containers import (
    UniTuple as UniTuple,
)
from numbra.core.types.containers import (
    UniTupleIter as UniTupleIter,
)
from numbra.core.types.containers import (
    is_homogeneous as is_homogeneous,
)
from numbra.core.types.function_type import (
    CompileResultWAP as CompileResultWAP,
)
from numbra.core.types.function_type import (
    FunctionPrototype as FunctionPrototype,
)
from numbra.core.types.function_type import (
    FunctionType as FunctionType,
)
from numbra.core.types.function_type import (
    UndefinedFunctionType as UndefinedFunctionType,
)
from numbra.core.types.function_type import (
    WrapperAddressProtocol as WrapperAddressProtocol,
)
from numbra.core.types.functions import (
    BaseFunction as BaseFunction,
)
from numbra.core.types.functions import (
    BoundFunction as BoundFunction,
)
from numbra.core.types.functions import (
    Dispatcher as Dispatcher,
)
from numbra.core.types.functions import (
    ExternalFunction as ExternalFunction,
)
from numbra.core.types.functions import (
    ExternalFunctionPointer as ExternalFunctionPointer,
)
from numbra.core.types.functions import (
    Function as Function,
)
from numbra.core.types.functions import (
    MakeFunctionLiteral as MakeFunctionLiteral,
)
from numbra.core.types.functions import (
    NamedTupleClass as NamedTupleClass,
)
from numbra.core.types.functions import (
    NumberClass as NumberClass,
)
from numbra.core.types.functions import (
    ObjModeDispatcher as ObjModeDispatcher,
)
from numbra.core.types.functions import (
    RecursiveCall as RecursiveCall,
)
from numbra.core.types.functions import (
    WeakType as WeakType,
)
from numbra.core.types.iterators import (
    ArrayIterator as ArrayIterator,
)
from numbra.core.types.iterators import (
    EnumerateType as EnumerateType,
)
from numbra.core.types.iterators import (
    Generator as Generator,
)
from numbra.core.types.iterators import (
    RangeIteratorType as RangeIteratorType,
)
from numbra.core.types.iterators import (
    RangeType as RangeType,
)
from numbra.core.types.iterators import (
    ZipType as ZipType,
)
from numbra.core.types.misc import (
    ClassDataType as ClassDataType,
)
from numbra.core.types.misc import (
    ClassInstanceType as ClassInstanceType,
)
from numbra.core.types.misc import (
    ClassType as ClassType,
)
from numbra.core.types.misc import (
    ContextManager as ContextManager,
)
from numbra.core.types.misc import (
    CPointer as CPointer,
)
from numbra.core.types.misc import (
    DeferredType as DeferredType,
)
from numbra.core.types.misc import (
    EllipsisType as EllipsisType,
)
from numbra.core.types.misc import (
    EphemeralArray as EphemeralArray,
)
from numbra.core.types.misc import (
    EphemeralPointer as EphemeralPointer,
)
from numbra.core.types.misc import (
    ExceptionClass as ExceptionClass,
)
from numbra.core.types.misc import (
    ExceptionInstance as ExceptionInstance,
)
from numbra.core.types.misc import (
    MemInfoPointer as MemInfoPointer,
)
from numbra.core.types.misc import (
    Module as Module,
)
from numbra.core.types.misc import (
    NoneType as NoneType,
)
from numbra.core.types.misc import (
    Object as Object,
)
from numbra.core.types.misc import (
    Omitted as Omitted,
)
from numbra.core.types.misc import (
    Optional as Optional,
)
from numbra.core.types.misc import (
    Phantom as Phantom,
)
from numbra.core.types.misc import (
    PyObject as PyObject,
)
from numbra.core.types.misc import (
    RawPointer as RawPointer,
)
from numbra.core.types.misc import (
    SliceLiteral as SliceLiteral,
)
from numbra.core.types.misc import (
    SliceType as SliceType,
)
from numbra.core.types.misc import (
    StringLiteral as StringLiteral,
)
from numbra.core.types.misc import (
    Undefined as Undefined,
)
from numbra.core.types.misc import (
    UndefVar as UndefVar,
)
from numbra.core.types.misc import (
    UnicodeIteratorType as UnicodeIteratorType,
)
from numbra.core.types.misc import (
    UnicodeType as UnicodeType,
)
from numbra.core.types.misc import (
    VarArg as VarArg,
)
from numbra.core.types.npytypes import (
    Array as Array,
)
from numbra.core.types.npytypes import (
    ArrayCTypes as ArrayCTypes,
)
from numbra.core.types.npytypes import (
    ArrayFlags as ArrayFlags,
)
from numbra.core.types.npytypes import (
    CharSeq as CharSeq,
)
from numbra.core.types.npytypes import (
    DType as DType,
)
from numbra.core.types.npytypes import (
    NestedArray as NestedArray,
)
from numbra.core.types.npytypes import (
    NumpyFlatType as NumpyFlatType,
)
from numbra.core.types.npytypes import (
    NumpyNdEnumerateType as NumpyNdEnumerateType,
)
from numbra.core.types.npytypes import (
    NumpyNdIndexType as NumpyNdIndexType,
)
from numbra.core.types.npytypes import (
    NumpyNdIterType as NumpyNdIterType,
)
from numbra.core.types.npytypes import (
    NumPyRandomBitGeneratorType as NumPyRandomBitGeneratorType,
)
from numbra.core.types.npytypes import (
    NumPyRandomGeneratorType as NumPyRandomGeneratorType,
)
from numbra.core.types.npytypes import (
    PolynomialType as PolynomialType,
)
from numbra.core.types.npytypes import (
    Record as Record,
)
from numbra.core.types.npytypes import (
    RecordField as RecordField,
)
from numbra.core.types.npytypes import (
    UnicodeCharSeq as UnicodeCharSeq,
)
from numbra.core.types.scalars import (
    Bfloat16 as Bfloat16,
)
from numbra.core.types.scalars import (
    Boolean as Boolean,
)
from numbra.core.types.scalars import (
    BooleanLiteral as BooleanLiteral,
)
from numbra.core.types.scalars import (
    Complex as Complex,
)
from numbra.core.types.scalars import (
    EnumClass as EnumClass,
)
from numbra.core.types.scalars import (
    EnumMember as EnumMember,
)
from numbra.core.types.scalars import (
    Float as Float,
)
from numbra.core.types.scalars import (
    Integer as Integer,
)
from numbra.core.types.scalars import (
    IntegerLiteral as IntegerLiteral,
)
from numbra.core.types.scalars import (
    IntEnumClass as IntEnumClass,
)
from numbra.core.types.scalars import (
    IntEnumMember as IntEnumMember,
)
from numbra.core.types.scalars import (
    NPDatetime as NPDatetime,
)
from numbra.core.types.scalars import (
    NPTimedelta as NPTimedelta,
)
from numbra.core.types.scalars import (
    parse_integer_bitwidth as parse_integer_bitwidth,
)
from numbra.core.types.scalars import (
    parse_integer_signed as parse_integer_signed,
)

deferred_type = DeferredType
optional = Optional
b1: Boolean
bool: Boolean
bool_: Boolean
boolean: Boolean
c_bool: Boolean
np_bool_: Boolean
py_bool: Boolean
bfloat16: Bfloat16
byte: Integer
c_int16: Integer
c_int32: Integer
c_int64: Integer
c_int8: Integer
c_intp: Integer
c_uint16: Integer
c_uint32: Integer
c_uint64: Integer
c_uint8: Integer
c_uintp: Integer
char: Integer
i1: Integer
i2: Integer
i4: Integer
i8: Integer
int16: Integer
int32: Integer
int64: Integer
int8: Integer
int_: Integer
intc: Integer
intp: Integer
long_: Integer
longlong: Integer
np_char: Integer
np_int16: Integer
np_int32: Integer
np_int64: Integer
np_int8: Integer
np_int_: Integer
np_intc: Integer
np_intp: Integer
np_long: Integer
np_longlong: Integer
np_short: Integer
np_uchar: Integer
np_uint: Integer
np_uint16: Integer
np_uint32: Integer
np_uint64: Integer
np_uint8: Integer
np_uintc: Integer
np_uintp: Integer
np_ulong: Integer
np_ulonglong: Integer
np_ushort: Integer
ptrdiff_t: Integer
py_int: Integer
short: Integer
size_t: Integer
ssize_t: Integer
u1: Integer
u2: Integer
u4: Integer
u8: Integer
uchar: Integer
uint: Integer
uint16: Integer
uint32: Integer
uint64: Integer
uint8: Integer
uintc: Integer
uintp: Integer
ulong: Integer
ulonglong: Integer
ushort: Integer
c16: Complex
c8: Complex
complex128: Complex
complex64: Complex
np_complex128: Complex
np_complex64: Complex
py_complex: Complex
c_float16: Float
c_float32: Float
c_float64: Float
double: Float
f2: Float
f4: Float
f8: Float
float16: Float
float32: Float
float64: Float
float_: Float
np_double: Float
np_float16: Float
np_float32: Float
np_float64: Float
np_float_: Float
py_float: Float
ellipsis: EllipsisType
none: NoneType
void: NoneType
pyobject: PyObject
range_iter32_type: RangeIteratorType
range_iter64_type: RangeIteratorType
unsigned_range_iter64_type: RangeIteratorType
range_state32_type: RangeType
range_state64_type: RangeType
unsigned_range_state64_type: RangeType
slice2_type: SliceType
slice3_type: SliceType
string: UnicodeType
unicode_type: UnicodeType
undefined: Undefined
voidptr: RawPointer

# Types of values that only Python code handles.
code_type: Opaque
ffi: Opaque
ffi_forced_object: Opaque
npy_bitgen: Type
npy_rng: Type
pyfunc_type: Opaque
unknown: Dummy

complex_domain: frozenset[Number]
integer_domain: frozenset[Number]
np_complex_domain: frozenset[Number]
np_integer_domain: frozenset[Number]
np_number_domain: frozenset[Number]
np_real_domain: frozenset[Number]
np_signed_domain: frozenset[Number]
np_unsigned_domain: frozenset[Number]
number_domain: frozenset[Number]
py_complex_domain: frozenset[Number]
py_integer_domain: frozenset[Number]
py_number_domain: frozenset[Number]
py_real_domain: frozenset[Number]
py_signed_domain: frozenset[Number]
real_domain: frozenset[Number]
signed_domain: frozenset[Number]
unsigned_domain: frozenset[Number]

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
