"""Types as Python objects: uniqueness, names, classes, and `typeof`."""

import copy
import enum
import pickle
from collections import namedtuple

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.typeconv import Conversion
from numbra.np import numpy_support

I8, F8 = types.int64, types.float64
Point = namedtuple("Point", "x y")


class Color(enum.Enum):
    red = 1
    blue = 2


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: I8, "int64"),
        (lambda: types.Array(F8, 2, "C"), "array(float64, 2d, C)"),
        (lambda: types.Array(F8, 1, "A", readonly=True), "readonly array(float64, 1d, A)"),
        (lambda: types.UniTuple(I8, 3), "UniTuple(int64 x 3)"),
        (lambda: types.Tuple((I8, F8)), "Tuple(int64, float64)"),
        (lambda: types.Optional(I8), "OptionalType(int64)"),
        (lambda: types.literal(3), "Literal[int](3)"),
        (lambda: types.literal("a"), "Literal[str](a)"),
        (lambda: types.Omitted(2), "omitted(default=2)"),
        (lambda: types.CPointer(F8), "float64*"),
        (lambda: types.ListType(I8), "ListType[int64]"),
        (lambda: types.DictType(I8, F8), "DictType[int64,float64]<iv=None>"),
        (lambda: types.Set(I8), "set(int64)"),
        (lambda: types.NPDatetime("D"), "datetime64[D]"),
        (lambda: types.EnumMember(Color, I8), "Enum<int64>(Color)"),
        (lambda: types.FunctionType(F8(I8)), "FunctionType[float64(int64)]"),
        (lambda: types.voidptr, "void*"),
        (lambda: types.none, "none"),
        (lambda: types.CharSeq(3), "[char x 3]"),
        (lambda: types.NestedArray(F8, (2, 3)), "nestedarray(float64, (2, 3))"),
    ],
)
def test_a_type_is_one_object_with_numbas_name(make, text):
    ty = make()
    assert str(ty) == text
    assert make() is ty
    assert ty == make()
    assert copy.deepcopy(ty) is ty
    assert pickle.loads(pickle.dumps(ty)) is ty
    assert {ty: 1}[make()] == 1


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (3, "int64"),
        (2**63, "uint64"),
        (2.5, "float64"),
        (True, "bool"),
        (1j, "complex128"),
        (None, "none"),
        ("a", "unicode_type"),
        (..., "..."),
        (slice(1), "slice<a:b>"),
        (slice(1, 2, 3), "slice<a:b:c>"),
        ((1, 2), "UniTuple(int64 x 2)"),
        ((1, 2.5), "Tuple(int64, float64)"),
        (np.float32(1), "float32"),
        (np.zeros((2, 2)), "array(float64, 2d, C)"),
        (np.zeros((2, 2), order="F"), "array(float64, 2d, F)"),
        (np.zeros(4)[::2], "array(float64, 1d, A)"),
        (np.zeros(2, "u1"), "array(uint8, 1d, C)"),
        (np.dtype("i4"), "dtype(int32)"),
        (np.int16, "class(int16)"),
        (Color.red, "Enum<int64>(Color)"),
        (ValueError, "ValueError"),
    ],
)
def test_typeof(value, text):
    assert str(nb.typeof(value)) == text


def test_typeof_refuses():
    with pytest.raises(ValueError, match="Cannot determine Numba type of <class 'object'>"):
        nb.typeof(object())


def test_typeof_of_a_jitted_function_is_its_dispatcher():
    f = nb.njit(lambda x: x)
    ty = nb.typeof(f)
    assert isinstance(ty, types.Dispatcher)
    assert ty.dispatcher is f
    assert types.Dispatcher(f) == ty


def test_typeof_can_be_taught():
    from numbra.extending import typeof_impl

    class Celsius:
        pass

    class CelsiusType(types.Type):
        def __init__(self):
            super().__init__(name="Celsius")

    @typeof_impl.register(Celsius)
    def of_celsius(value, context):
        return CelsiusType()

    assert nb.typeof(Celsius()) is CelsiusType()
    assert str(nb.typeof((1, Celsius()))) == "Tuple(int64, Celsius)"


def test_array_syntax():
    assert F8[:] is types.Array(F8, 1, "A")
    assert F8[::1] is types.Array(F8, 1, "C")
    assert F8[:, ::1] is types.Array(F8, 2, "C")
    assert F8[::1, :] is types.Array(F8, 2, "F")
    with pytest.raises(KeyError, match="no start or stop"):
        F8[1:2]


def test_calling_a_type():
    signature = F8(I8, types.int32)
    assert signature.return_type is F8
    assert signature.args == (I8, types.int32)
    assert str(signature) == "(int64, int32) -> float64"
    assert types.int32(2.75) == 2
    assert types.float64(F8).args == (F8,)


def test_classes():
    assert isinstance(I8, types.Integer)
    assert isinstance(types.literal(3), types.Integer)
    assert isinstance(types.literal(3), types.IntegerLiteral)
    assert isinstance(types.Array(F8, 1, "C"), types.Buffer)
    assert isinstance(types.UniTuple(I8, 2), types.BaseTuple)
    assert isinstance(types.boolean, types.Boolean)
    assert not isinstance(types.boolean, types.Number)
    assert types.int32 < types.int64
    assert (I8.maxval, I8.minval, types.uint8.maxval) == (2**63 - 1, -(2**63), 255)


def test_tuples_behave_as_sequences():
    ty = types.Tuple((I8, F8))
    assert (len(ty), ty[1], list(ty), ty.count) == (2, F8, [I8, F8], 2)
    named = types.NamedTuple((I8, F8), Point)
    assert named.instance_class is Point
    assert named.fields == ("x", "y")


def test_conversion_and_unification():
    assert I8.can_convert_to(None, F8) == Conversion.safe
    assert types.int32.can_convert_to(None, I8) == Conversion.promote
    assert types.unicode_type.can_convert_to(None, I8) is None
    assert types.int32.unify(None, types.float32) is F8
    assert types.unliteral(types.literal(3)) is I8


def test_a_class_of_ones_own():
    class Pair(types.Type):
        def __init__(self, first, second):
            self.first, self.second = first, second
            super().__init__(name=f"Pair({first}, {second})")

        @property
        def key(self):
            return self.first, self.second

    assert Pair(I8, F8) is Pair(I8, F8)
    assert Pair(I8, F8) != Pair(F8, I8)
    assert str(types.Optional(Pair(I8, F8))) == "OptionalType(Pair(int64, float64))"


@pytest.mark.parametrize(
    "name",
    ["?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16", "S3", "U4", "M8[D]", "m8[s]"],
)
def test_dtypes_go_both_ways(name):
    dtype = np.dtype(name)
    assert numpy_support.as_dtype(nb.from_dtype(dtype)) == dtype


def test_structured_dtypes_go_both_ways():
    dtype = np.dtype([("a", "i4"), ("b", "f8"), ("c", "f4", (2,))], align=True)
    record = nb.from_dtype(dtype)
    assert isinstance(record, types.Record)
    assert record.offset("b") == 8
    assert numpy_support.as_dtype(record) == dtype


def test_from_dtype_refuses():
    with pytest.raises(nb.NumbaNotImplementedError):
        nb.from_dtype(np.dtype(">i4"))


def test_annotations_as_types():
    from numbra.extending import as_numba_type

    assert as_numba_type(int) is I8
    assert as_numba_type(tuple[int, float]) is types.Tuple((I8, F8))
    with pytest.raises(nb.TypingError, match="Cannot infer Numba type of Python type"):
        as_numba_type(object)


def test_deferred_types_are_defined_once():
    deferred = nb.deferred_type()
    with pytest.raises(RuntimeError, match="not defined"):
        deferred.get()
    deferred.define(I8)
    assert deferred.get() is I8
    with pytest.raises(TypeError, match="already defined"):
        deferred.define(F8)


def test_typeof_impl_knows_all_types():
    """Rules of programs call it for the parts of a value."""
    from numbra.core.typing.typeof import Purpose, _TypeofContext
    from numbra.extending import typeof_impl

    context = _TypeofContext(Purpose.argument)

    class Box:
        def __init__(self, value):
            self.value = value

    assert typeof_impl(Box(1), context) is None
    for value in (1, 1.5, True, "a", None, (1, 2.0), np.arange(3.0), [1, 2], np.float32(1), {1}, np.dtype("f4")):
        assert typeof_impl(value, context) == nb.typeof(value)

    @typeof_impl.register(Box)
    def rule(box, c):
        return typeof_impl(box.value, c)

    assert nb.typeof(Box(np.arange(3))) == nb.int64[::1]
    assert typeof_impl(Box((1, 2)), context) == nb.typeof((1, 2))


def test_every_kind_of_the_lattice_has_a_class():
    from numbra._numbra import _type_kinds
    from numbra.core.types.abstract import _kinds

    assert sorted(_type_kinds()) == sorted(_kinds)


@pytest.mark.parametrize(
    ("made", "value"),
    [
        (types.Set(I8, reflected=True), {1}),
        (types.List(F8, reflected=True), [1.0]),
        (types.FunctionType(F8(F8)), nb.cfunc("float64(float64)")(lambda x: x + 1)),
        (types.FunctionType("float64(float64)"), nb.cfunc("float64(float64)")(lambda x: x + 1)),
    ],
)
def test_declared_types_are_those_of_values(made, value):
    assert made is nb.typeof(value)


def test_iterators_yield_what_their_containers_hold():
    made = [types.ListIter(types.List(F8)), types.SetIter(types.Set(F8)), types.UniTupleIter(types.UniTuple(F8, 2))]
    assert [ty.yield_type for ty in made] == [F8] * 3
    assert types.UnicodeIteratorType(types.unicode_type).yield_type is types.unicode_type
    assert types.LiteralList((I8, F8)).types == (I8, F8)


def test_function_types_in_declared_signatures():
    @nb.cfunc("float64(float64)")
    def one_more(x):
        return x + 1

    @nb.njit(F8(types.FunctionType(F8(F8)), F8))
    def apply(function, x):
        return function(x)

    assert apply(one_more, 2.0) == 3.0
    assert apply(nb.njit(lambda x: x), 2.0) == 2.0
    with pytest.raises(TypeError, match="No matching definition"):
        apply(nb.njit(lambda x, y: x), 2.0)
