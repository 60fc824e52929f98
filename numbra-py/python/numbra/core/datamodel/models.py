"""Data models: how the values of a type are represented in code that is written with an ``IRBuilder``.

A model's value type is the LLVM type that extension code sees, Numba's. The *leaves* are what LIR has for the value
(docs/lir.md, "Values and leaves"); where they are not those of the value type one by one, a model says how to make one
from the other.
"""

from numbra._named import names_of
from numbra.core import types
from numbra.core.datamodel.registry import default_manager, register_default  # noqa: F401
from numbra.core.errors import LoweringError, UnsupportedError
from numbra.core.recorder import llvmir as ir


class DataModel:
    """What values of one type are."""

    def __init__(self, dmm, fe_type):
        self._dmm, self._fe_type = dmm, fe_type

    fe_type = property(lambda self: self._fe_type)

    def get_value_type(self):
        """The LLVM type of values."""
        raise NotImplementedError(self)

    def get_data_type(self):
        """The LLVM type of values in memory."""
        return self.get_value_type()

    def get_argument_type(self):
        """The LLVM type of arguments, or types in tuples."""
        return self.get_value_type()

    def get_return_type(self):
        """The LLVM type of results."""
        return self.get_value_type()

    def as_data(self, builder, value):
        """A value as it is in memory."""
        return value

    def from_data(self, builder, value):
        """A value of what is in memory."""
        return value

    def load_from_data_pointer(self, builder, ptr, align=None):
        """The value at an address."""
        return self.from_data(builder, builder.load(ptr, align=align))

    def as_argument(self, builder, value):
        """A value as arguments."""
        return self.as_data(builder, value)

    def from_argument(self, builder, value):
        """A value of arguments."""
        return self.from_data(builder, value)

    as_return, from_return = as_argument, from_argument

    def inner_models(self):
        """Models of the parts."""
        return []

    def traverse(self, builder):
        """The parts: types, and what gives them of a value."""
        return []

    def has_nrt_meminfo(self):
        """True for what is counted itself."""
        return False

    def contains_nrt_meminfo(self):
        """True if a part is counted."""
        return self.has_nrt_meminfo() or any(model.contains_nrt_meminfo() for model in self.inner_models())

    def get_nrt_meminfo(self, builder, value):
        """What counts a value, if it is counted itself."""
        return None

    def leaf_types(self):
        """Machine types of the leaves."""
        return list(self.get_value_type().kinds)

    def from_leaves(self, builder, leaves):
        """The value of leaves, by name."""
        return builder._value(self.get_value_type(), leaves)

    def as_leaves(self, builder, value):
        """Names of the leaves of a value."""
        return builder.leaves_as(value, self.get_value_type(), f"a value of type {self._fe_type}")

    def described(self, attribute):
        """Fields as the compiler wants them; ``attribute`` gives what each is called in Python."""
        raise UnsupportedError(f"types whose data model is {type(self).__name__}")


class PrimitiveModel(DataModel):
    """One value of the machine."""

    def __init__(self, dmm, fe_type, be_type):
        super().__init__(dmm, fe_type)
        self.be_type = be_type

    def get_value_type(self):
        return self.be_type

    def described(self, attribute):
        scalars = (types.int8, types.int16, types.int32, types.int64, types.float16, types.float32, types.float64)
        named = {default_manager.lookup(ty).get_value_type(): ty for ty in (*scalars, types.boolean)}
        if self.be_type.is_pointer:
            return [("pointer", types.voidptr, None, False)]
        if self.be_type not in named:
            raise UnsupportedError(f"types that are one value of type {self.be_type}")
        return [("value", named[self.be_type], None, False)]


class BooleanModel(DataModel):
    """A bit; a byte in memory."""

    def get_value_type(self):
        return ir.IntType(1)

    def get_data_type(self):
        return ir.IntType(8)

    get_argument_type = get_return_type = get_data_type

    def as_data(self, builder, value):
        return builder.zext(value, ir.IntType(8))

    def from_data(self, builder, value):
        return builder.icmp_unsigned("!=", value, value.type(0))


class IntegerModel(PrimitiveModel):
    """An integer."""

    def __init__(self, dmm, fe_type, be_type=None):
        super().__init__(dmm, fe_type, be_type or ir.IntType(fe_type.bitwidth))


class DateModel(PrimitiveModel):
    """A date or duration: a count of its unit."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.IntType(64))


class FloatModel(PrimitiveModel):
    """A float."""

    def __init__(self, dmm, fe_type, be_type=None):
        kinds = {16: ir.HalfType, 32: ir.FloatType, 64: ir.DoubleType}
        super().__init__(dmm, fe_type, be_type or kinds[fe_type.bitwidth]())


class OpaqueModel(PrimitiveModel):
    """A pointer to who knows what."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.IntType(8).as_pointer())


class DummyModel(OpaqueModel):
    """Nothing: the type says it all. Code sees a null pointer."""

    def leaf_types(self):
        return []

    def from_leaves(self, builder, leaves):
        return ir.Constant(self.be_type, None)

    def as_leaves(self, builder, value):
        builder.leaves_as(value, self.be_type, f"a value of type {self._fe_type}")
        return []


class LiteralModel(DataModel):
    """A number that the type says: its value is a constant, and has no leaves."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type)
        self._number = dmm.lookup(fe_type.literal_type)

    def get_value_type(self):
        return self._number.get_value_type()

    def get_data_type(self):
        return self._number.get_data_type()

    def as_data(self, builder, value):
        return self._number.as_data(builder, value)

    def from_data(self, builder, value):
        return self._number.from_data(builder, value)

    def leaf_types(self):
        return []

    def from_leaves(self, builder, leaves):
        return ir.Constant(self.get_value_type(), self._fe_type.literal_value)

    def as_leaves(self, builder, value):
        builder.leaves_as(value, self.get_value_type(), f"a value of type {self._fe_type}")
        return []


class PointerModel(PrimitiveModel):
    """A pointer to values of another type."""

    def __init__(self, dmm, fe_type, be_type=None):
        if be_type is None:
            be_type = dmm.lookup(fe_type.dtype).get_data_type().as_pointer()
        super().__init__(dmm, fe_type, be_type)


class ReferenceModel(PrimitiveModel):
    """A reference to a counted object."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.ReferenceType())

    def has_nrt_meminfo(self):
        return True

    def get_nrt_meminfo(self, builder, value):
        return value


MemInfoModel = ReferenceModel


class ProxyModel(DataModel):
    """As the model of another type, ``_proxied_model``."""

    def get_value_type(self):
        return self._proxied_model.get_value_type()

    def get_data_type(self):
        return self._proxied_model.get_data_type()

    def as_data(self, builder, value):
        return self._proxied_model.as_data(builder, value)

    def from_data(self, builder, value):
        return self._proxied_model.from_data(builder, value)

    def leaf_types(self):
        return self._proxied_model.leaf_types()

    def from_leaves(self, builder, leaves):
        return self._proxied_model.from_leaves(builder, leaves)

    def as_leaves(self, builder, value):
        return self._proxied_model.as_leaves(builder, value)

    def inner_models(self):
        return [self._proxied_model]


class EnumModel(ProxyModel):
    """A member of an enumeration is its value."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type)
        self._proxied_model = dmm.lookup(fe_type.dtype)


class CompositeModel(DataModel):
    """Parts, one behind the other."""

    _models = ()

    def _aggregate(self, parts):
        raise NotImplementedError(self)

    def get_value_type(self):
        return self._aggregate([model.get_value_type() for model in self._models])

    def get_data_type(self):
        return self._aggregate([model.get_data_type() for model in self._models])

    def get_argument_type(self):
        return tuple(model.get_argument_type() for model in self._models)

    def inner_models(self):
        return list(self._models)

    def _each(self, builder, value, convert, ty):
        """An aggregate whose parts are converted by the parts' models."""
        made = ir.Constant(ty, ir.Undefined)
        for n, model in enumerate(self._models):
            part = convert(model)(builder, builder.extract_value(value, n))
            made = builder.insert_value(made, part, n)
        return made

    def as_data(self, builder, value):
        return self._each(builder, value, lambda model: model.as_data, self.get_data_type())

    def from_data(self, builder, value):
        return self._each(builder, value, lambda model: model.from_data, self.get_value_type())

    def as_argument(self, builder, value):
        return tuple(m.as_argument(builder, builder.extract_value(value, n)) for n, m in enumerate(self._models))

    def from_argument(self, builder, value):
        parts = zip(self._models, value, strict=True)
        return self._pack(builder, [model.from_argument(builder, part) for model, part in parts])

    def _pack(self, builder, parts):
        made = ir.Constant(self.get_value_type(), ir.Undefined)
        for n, part in enumerate(parts):
            made = builder.insert_value(made, part, n)
        return made

    def traverse(self, builder):
        def getter(n):
            return lambda value: builder.extract_value(value, n)

        return [(model.fe_type, getter(n)) for n, model in enumerate(self._models)]

    def leaf_types(self):
        return [kind for model in self._models for kind in model.leaf_types()]

    def from_leaves(self, builder, leaves):
        rest, parts = list(leaves), []
        for model in self._models:
            count = len(model.leaf_types())
            parts.append(model.from_leaves(builder, rest[:count]))
            del rest[:count]
        return self._pack(builder, parts)

    def as_leaves(self, builder, value):
        if value.type != self.get_value_type():
            builder.leaves_as(value, self.get_value_type(), f"a value of type {self._fe_type}")
        parts = (model.as_leaves(builder, builder.extract_value(value, n)) for n, model in enumerate(self._models))
        return [leaf for part in parts for leaf in part]


class TupleModel(CompositeModel):
    """A tuple of several types."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type)
        self._models = [dmm.lookup(ty) for ty in fe_type.types]

    def _aggregate(self, parts):
        return ir.LiteralStructType(parts)


class UniTupleModel(TupleModel):
    """A tuple of one type."""

    def __init__(self, dmm, fe_type):
        CompositeModel.__init__(self, dmm, fe_type)
        self._element = dmm.lookup(fe_type.dtype)
        self._models = [self._element] * len(fe_type)

    def get_value_type(self):
        return ir.ArrayType(self._element.get_value_type(), len(self._models))

    def get_data_type(self):
        return ir.ArrayType(self._element.get_data_type(), len(self._models))


class StructModel(CompositeModel):
    """Named fields: ``members`` are names with their types."""

    def __init__(self, dmm, fe_type, members):
        super().__init__(dmm, fe_type)
        self._fields = tuple(name for name, _ in members)
        self._members = tuple(ty for _, ty in members)
        self._found = None

    @property
    def _models(self):
        # Not before it is wanted: types may hold each other.
        if self._found is None:
            self._found = tuple(self._dmm.lookup(ty) for ty in self._members)
        return self._found

    def _aggregate(self, parts):
        return ir.LiteralStructType(parts)

    field_count = property(lambda self: len(self._fields))

    def get_field_position(self, field):
        """Where a field is."""
        if field not in self._fields:
            raise LoweringError(f"values of type {self._fe_type} have no field {field!r}; fields: {self._fields}")
        return self._fields.index(field)

    def get_member_fe_type(self, name):
        """The type of a field."""
        return self._members[self.get_field_position(name)]

    def get_type(self, pos):
        """The type of a field, by position or name."""
        return self._members[self._position(pos)]

    def get_model(self, pos):
        """The model of a field, by position."""
        return self._models[pos]

    def _position(self, pos):
        return self.get_field_position(pos) if isinstance(pos, str) else pos

    def get(self, builder, val, pos):
        """A field of a value."""
        return builder.extract_value(val, self._position(pos))

    def set(self, builder, stval, val, pos):
        """A value with another field."""
        return builder.insert_value(stval, val, self._position(pos))

    def described(self, attribute):
        pairs = zip(self._fields, self._members, strict=True)
        return [(name, ty, attribute(name), False) for name, ty in pairs]


class ComplexModel(StructModel):
    """A complex number."""

    def __init__(self, dmm, fe_type):
        part = fe_type.underlying_float
        super().__init__(dmm, fe_type, [("real", part), ("imag", part)])


class SliceModel(StructModel):
    """A slice. LIR has no step where the type says that it is 1."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(name, types.intp) for name in ("start", "stop", "step")])

    def _has_step(self):
        return self._fe_type._kind[0] == "slice3"

    def leaf_types(self):
        return ["i64"] * (3 if self._has_step() else 2)

    def from_leaves(self, builder, leaves):
        step = [] if self._has_step() else [builder.leaf(ir.IntType(64)(1))]
        return builder._value(self.get_value_type(), [*leaves, *step])

    def as_leaves(self, builder, value):
        return super().as_leaves(builder, value)[: 3 if self._has_step() else 2]


class RangeModel(StructModel):
    """A range."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [(name, fe_type.dtype) for name in ("start", "stop", "step")])


class OptionalModel(StructModel):
    """A value, and whether there is one. LIR has the second first."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, [("data", fe_type.type), ("valid", types.boolean)])

    def leaf_types(self):
        return ["i1", *self._models[0].leaf_types()]

    def from_leaves(self, builder, leaves):
        return super().from_leaves(builder, [*leaves[1:], leaves[0]])

    def as_leaves(self, builder, value):
        leaves = super().as_leaves(builder, value)
        return [leaves[-1], *leaves[:-1]]


class _Pointee(DataModel):
    """A pointer to elements of an array: bytes, where those have no model."""

    def get_value_type(self):
        try:
            return self._dmm.lookup(self._fe_type.dtype).get_data_type().as_pointer()
        except LoweringError:
            return ir.IntType(8).as_pointer()


class ArrayModel(StructModel):
    """An array. LIR has data, owner, shape and strides; the rest follows from them and the type."""

    def __init__(self, dmm, fe_type):
        axes = types.UniTuple(types.intp, fe_type.ndim)
        numbers = [("nitems", types.intp), ("itemsize", types.intp)]
        members = [("meminfo", types.MemInfoPointer(fe_type.dtype)), ("parent", types.pyobject), *numbers]
        super().__init__(dmm, fe_type, [*members, ("data", fe_type), ("shape", axes), ("strides", axes)])

    @property
    def _models(self):
        if self._found is None:
            data = self._fields.index("data")
            found = [None if n == data else self._dmm.lookup(ty) for n, ty in enumerate(self._members)]
            found[data] = _Pointee(self._dmm, self._fe_type)
            self._found = tuple(found)
        return self._found

    def leaf_types(self):
        return ["ptr", "ref", *["i64"] * 2 * self._fe_type.ndim]

    def from_leaves(self, builder, leaves):
        data, owner, *axes = leaves
        word = ir.IntType(64)
        count = word(1)
        for extent in axes[: self._fe_type.ndim]:
            count = builder.mul(count, builder._value(word, [extent]))
        constants = [word(item_size(self._dmm, self._fe_type.dtype)), ir.IntType(8).as_pointer()(None)]
        size, parent = (builder.leaf(constant) for constant in constants)
        return builder._value(self.get_value_type(), [owner, parent, builder.leaf(count), size, data, *axes])

    def as_leaves(self, builder, value):
        owner, _, _, _, data, *axes = builder.leaves_as(value, self.get_value_type(), f"a value of {self._fe_type}")
        return [data, owner, *axes]


def item_size(dmm, dtype):
    """Bytes of an element of an array."""
    size = getattr(dtype, "size", None)
    return size if isinstance(size, int) else dmm.lookup(dtype).get_data_type().size


class UnicodeModel(StructModel):
    """A string. LIR has no parent."""

    def __init__(self, dmm, fe_type):
        fields = [("data", types.voidptr), ("length", types.intp), ("kind", types.int32), ("is_ascii", types.uint32)]
        owners = [("meminfo", types.MemInfoPointer(types.voidptr)), ("parent", types.pyobject)]
        super().__init__(dmm, fe_type, [*fields, ("hash", types.uint64), *owners])

    def leaf_types(self):
        return super().leaf_types()[:-1]

    def from_leaves(self, builder, leaves):
        return super().from_leaves(builder, [*leaves, builder.leaf(ir.IntType(8).as_pointer()(None))])

    def as_leaves(self, builder, value):
        return super().as_leaves(builder, value)[:-1]


#: Names of classes of numbra's own types that have each model.
_BUILT_IN = {
    BooleanModel: "Boolean",
    IntegerModel: "Integer",
    DateModel: "NPDatetime NPTimedelta",
    FloatModel: "Float",
    ComplexModel: "Complex",
    LiteralModel: "IntegerLiteral BooleanLiteral",
    OpaqueModel: "PyObject RawPointer",
    ReferenceModel: "MemInfoPointer List ListType LiteralList Set SetType DictType Generator",
    PointerModel: "CPointer",
    EnumModel: "EnumMember IntEnumMember",
    TupleModel: "Tuple NamedTuple StarArgTuple Pair",
    UniTupleModel: "UniTuple NamedUniTuple StarArgUniTuple",
    OptionalModel: "Optional",
    SliceModel: "SliceType",
    RangeModel: "RangeType",
    ArrayModel: "Array Buffer Bytes ByteArray MemoryView PyArray",
    UnicodeModel: "UnicodeType",
    DummyModel: "NoneType StringLiteral Omitted EllipsisType Function Module Dispatcher ExceptionClass ClassType DType "
    "TypeRef NumberClass NamedTupleClass EnumClass IntEnumClass Dummy Opaque Literal",
}

for _model, _names in _BUILT_IN.items():
    for _name in _names.split():
        _class = getattr(types, _name, None)
        if isinstance(_class, type) and issubclass(_class, types.Type):
            default_manager.register(_class, _model)

__getattr__ = names_of(__name__)
