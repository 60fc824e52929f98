"""Helpers that write common pieces of code with an ``IRBuilder``, under Numba's names."""

import collections
import contextlib
import functools

from numbra.core.errors import LoweringError, UnsupportedError
from numbra.core.recorder import module as recorded
from numbra.core.recorder.llvmir import (
    Aggregate,
    ArrayType,
    Constant,
    DoubleType,
    FloatType,
    FunctionType,
    HalfType,
    IntType,
    LiteralStructType,
    PointerType,
    Undefined,
)

bool_t, int8_t, int32_t, intp_t = IntType(1), IntType(8), IntType(32), IntType(64)
voidptr_t = int8_t.as_pointer()
true_bit, false_bit = bool_t(1), bool_t(0)
true_byte, false_byte = int8_t(1), int8_t(0)

Loop = collections.namedtuple("Loop", ("index", "do_break"))

# Structs.


class _StructProxy:
    """A struct in memory whose fields are attributes; ``_fe_type`` says which."""

    _fe_type = None

    def __init__(self, context, builder, value=None, ref=None):
        from numbra.core.datamodel import models

        self._context, self._builder = context, builder
        self._datamodel = context.data_model_manager.lookup(self._fe_type)
        if not isinstance(self._datamodel, models.StructModel):
            raise LoweringError(
                f"type {self._fe_type} is no struct: its data model is {type(self._datamodel).__name__}"
            )
        self._be_type = self._get_be_type(self._datamodel)
        if ref is None:
            ref = alloca_once(builder, self._be_type, zfill=value is None)
        elif ref.type != self._be_type.as_pointer():
            raise LoweringError(
                f"a struct of type {self._fe_type} is at a {self._be_type.as_pointer()}, not at {ref!r}"
            )
        self._value = self._outer_ref = ref
        if value is not None:
            self._setvalue(value)

    def _get_be_type(self, datamodel):
        return datamodel.get_value_type()

    def _to_field(self, position, value):
        return value

    _from_field = _to_field

    def _get_ptr_by_index(self, index):
        return gep_inbounds(self._builder, self._value, 0, index)

    def _get_ptr_by_name(self, attrname):
        return self._get_ptr_by_index(self._datamodel.get_field_position(attrname))

    def __getattr__(self, field):
        if field.startswith("_"):
            raise AttributeError(field)
        return self[self._datamodel.get_field_position(field)]

    def __setattr__(self, field, value):
        if field.startswith("_"):
            super().__setattr__(field, value)
        else:
            self[self._datamodel.get_field_position(field)] = value

    def __getitem__(self, index):
        return self._to_field(index, self._builder.load(self._get_ptr_by_index(index)))

    def __setitem__(self, index, value):
        field = self._datamodel._fields[index]
        pointer = self._get_ptr_by_index(index)
        value = self._from_field(index, value)
        if getattr(value, "type", None) != pointer.type.pointee:
            raise LoweringError(f"field {field!r} of type {self._fe_type} is a {pointer.type.pointee}, not {value!r}")
        self._builder.store(value, pointer)

    def __len__(self):
        return self._datamodel.field_count

    def _getpointer(self):
        return self._outer_ref

    def _getvalue(self):
        return self._builder.load(self._outer_ref)

    def _setvalue(self, value):
        if getattr(value, "type", None) != self._be_type:
            raise LoweringError(f"a value of type {self._fe_type} is a {self._be_type}, not {value!r}")
        self._builder.store(value, self._value)


class ValueStructProxy(_StructProxy):
    """A struct of values."""


class DataStructProxy(_StructProxy):
    """A struct in memory of others."""

    def _get_be_type(self, datamodel):
        return datamodel.get_data_type()

    def _to_field(self, position, value):
        return self._datamodel.get_model(position).from_data(self._builder, value)

    def _from_field(self, position, value):
        return self._datamodel.get_model(position).as_data(self._builder, value)


@functools.cache
def create_struct_proxy(fe_type, kind="value"):
    """The class of structs in memory of a type."""
    base = {"value": ValueStructProxy, "data": DataStructProxy}[kind]
    return type(f"{base.__name__}_{fe_type}", (base,), {"_fe_type": fe_type})


make_struct_proxy = create_struct_proxy


def copy_struct(dst, src, repl=None):
    """Copies the fields of a struct, some of them replaced."""
    repl = dict(repl or {})
    for field in src._datamodel._fields:
        setattr(dst, field, repl.pop(field) if field in repl else getattr(src, field))
    for field, value in repl.items():
        setattr(dst, field, value)
    return dst


def make_anonymous_struct(builder, values, struct_type=None):
    """A struct of values."""
    return _pack(builder, values, struct_type or LiteralStructType([value.type for value in values]))


def pack_struct(builder, values):
    """A struct of values."""
    return make_anonymous_struct(builder, values)


def pack_array(builder, values, ty=None):
    """An array of values, of a type if there are none."""
    return _pack(builder, values, ArrayType(values[0].type if ty is None else ty, len(values)))


def _pack(builder, values, ty):
    packed = Constant(ty, Undefined)
    for n, value in enumerate(values):
        packed = builder.insert_value(packed, value, n)
    return packed


def unpack_tuple(builder, tup, count=None):
    """The parts of an aggregate."""
    if count is None:
        if not isinstance(tup.type, Aggregate):
            raise LoweringError(f"{tup!r} has no parts")
        count = len(tup.type)
    return [builder.extract_value(tup, n) for n in range(count)]


# Memory.


def alloca_once(builder, ty, size=None, name="", zfill=False):
    """Memory of the function for values of a type, zero at first; ``zfill``: and whenever control comes here."""
    pointer = builder.alloca(ty, size, name)
    if zfill:
        builder.store(Constant(ty, None), pointer)
    return pointer


def alloca_once_value(builder, value, name="", zfill=False):
    """Memory of the function that begins as a value."""
    pointer = alloca_once(builder, value.type)
    builder.store(value, pointer)
    return pointer


def sizeof(builder, ptr_type):
    """Bytes of what pointers of a type point to."""
    return intp_t(ptr_type.pointee.size)


def gep(builder, ptr, *inds, **kws):
    """The address of a part; indices are values or numbers."""
    inds = [int32_t(each) if isinstance(each, int) else each for each in inds]
    return builder.gep(ptr, inds, **kws)


def gep_inbounds(builder, ptr, *inds, **kws):
    """:func:`gep` inside of memory that is there."""
    return gep(builder, ptr, *inds, inbounds=True, **kws)


def pointer_add(builder, ptr, offset, return_type=None):
    """The address some bytes behind another one."""
    offset = intp_t(offset) if isinstance(offset, int) else offset
    moved = builder.gep(builder.bitcast(ptr, voidptr_t), [offset])
    return builder.bitcast(moved, return_type or ptr.type)


def memset(builder, ptr, size, value):
    """Fills bytes."""
    value = int8_t(value) if isinstance(value, int) else value
    builder.memory_set(builder.bitcast(ptr, voidptr_t), value, size)


def memset_padding(builder, ptr):
    """Makes the bytes between fields zero."""
    value = builder.load(ptr)
    memset(builder, ptr, sizeof(builder, ptr.type), 0)
    builder.store(value, ptr)


def memcpy(builder, dst, src, count):
    """Copies elements of any type."""
    if dst.type != src.type:
        raise LoweringError(f"memcpy from {src!r} to {dst!r}")
    with for_range(builder, count, intp=count.type) as loop:
        builder.store(builder.load(builder.gep(src, [loop.index])), builder.gep(dst, [loop.index]))


def raw_memcpy(builder, dst, src, count, itemsize, align=1, overlap=False):
    """Copies bytes: so many items of a size."""
    itemsize = Constant(count.type, itemsize) if isinstance(itemsize, int) else itemsize
    size = builder.mul(count, itemsize)
    builder.memory_copy(builder.bitcast(dst, voidptr_t), builder.bitcast(src, voidptr_t), size, overlap)


raw_memmove = functools.partial(raw_memcpy, overlap=True)


def get_record_member(builder, record, offset, typ):
    """The address of a field of a record."""
    return builder.bitcast(gep_inbounds(builder, record, 0, offset), typ.as_pointer())


# Numbers.


def get_null_value(ltype):
    """Zero."""
    return ltype(None)


def is_null(builder, val):
    """``val == 0``"""
    return builder.icmp_unsigned("==", val, get_null_value(val.type))


def is_not_null(builder, val):
    """``val != 0``"""
    return builder.icmp_unsigned("!=", val, get_null_value(val.type))


def as_bool_bit(builder, value):
    """``value != 0`` of an integer."""
    return builder.icmp_unsigned("!=", value, value.type(0))


def is_neg_int(builder, val):
    """``val < 0`` of an integer."""
    return builder.icmp_signed("<", val, val.type(0))


def increment_index(builder, val):
    """``val + 1``"""
    return builder.add(val, val.type(1), flags=["nsw"])


def _against_zero(cmpop, floats):
    def compare(builder, value):
        if isinstance(value.type, (HalfType, FloatType, DoubleType)):
            return getattr(builder, floats)(cmpop, value, value.type(0))
        return builder.icmp_signed(cmpop, value, value.type(0))

    compare.__doc__ = f"``value {cmpop} 0`` of a number; NaN: {floats.removeprefix('fcmp_')}."
    return compare


is_scalar_zero = is_false = _against_zero("==", "fcmp_ordered")
is_not_scalar_zero = is_true = _against_zero("!=", "fcmp_unordered")
is_scalar_zero_or_nan = _against_zero("==", "fcmp_unordered")
is_scalar_neg = _against_zero("<", "fcmp_ordered")


def divmod_by_constant(builder, val, divisor):
    """Python's ``divmod`` by a positive number."""
    number = val.type(divisor)
    rest = builder.srem(val, number)
    below = is_neg_int(builder, rest)
    quotient = builder.sub(builder.sdiv(val, number), builder.zext(below, val.type))
    return quotient, builder.select(below, builder.add(rest, number), rest)


def muladd_with_overflow(builder, a, b, c):
    """``a * b + c`` of signed integers, and whether it overflowed."""
    product = builder.smul_with_overflow(a, b)
    total = builder.sadd_with_overflow(builder.extract_value(product, 0), c)
    overflowed = builder.or_(builder.extract_value(product, 1), builder.extract_value(total, 1))
    return builder.extract_value(total, 0), overflowed


# Control.


def terminate(builder, bbend):
    """Goes to a block, unless this one has an end."""
    if not builder.basic_block.is_terminated:
        builder.branch(bbend)


def if_unlikely(builder, pred):
    """What is done where a condition holds, which is rare."""
    return builder.if_then(pred, likely=False)


def if_likely(builder, pred):
    """What is done where a condition holds, as it mostly does."""
    return builder.if_then(pred, likely=True)


def ifnot(builder, pred):
    """What is done where a condition does not hold."""
    return builder.if_then(builder.not_(pred))


def if_zero(builder, value, likely=False):
    """What is done where a number is zero."""
    return builder.if_then(is_scalar_zero(builder, value), likely=likely)


def cbranch_or_continue(builder, cond, bbtrue):
    """Goes to a block where a condition holds; goes on in a new one, which is returned."""
    rest = builder.append_basic_block(".continue")
    builder.cbranch(cond, bbtrue, rest)
    builder.position_at_end(rest)
    return rest


@contextlib.contextmanager
def _counted(builder, starts, steps, goes_on):
    """A loop over several numbers at once; gives the numbers and what breaks it."""
    head, body, end = (builder.append_basic_block(f"for.{part}") for part in ("cond", "body", "end"))
    before = builder.basic_block
    builder.branch(head)
    builder.position_at_end(head)
    numbers = [builder.phi(start.type) for start in starts]
    builder.cbranch(goes_on(numbers[0]), body, end)
    builder.position_at_end(body)
    yield numbers, lambda: builder.branch(end)
    if not builder.basic_block.is_terminated:
        for number, step in zip(numbers, steps, strict=True):
            number.add_incoming(builder.add(number, step), builder.basic_block)
        builder.branch(head)
    for number, start in zip(numbers, starts, strict=True):
        number.add_incoming(start, before)
    builder.position_at_end(end)


@contextlib.contextmanager
def for_range(builder, count, start=None, intp=None):
    """A loop from ``start`` (0) to before ``count``; gives the index and what breaks it."""
    ty = intp or count.type
    start = ty(0) if start is None else start
    with _counted(builder, [start], [ty(1)], lambda i: builder.icmp_signed("<", i, count)) as (numbers, do_break):
        yield Loop(numbers[0], do_break)


@contextlib.contextmanager
def for_range_slice(builder, start, stop, step, intp=None, inc=True):
    """A loop over a slice, upwards or downwards; gives the index and the number of the iteration."""
    ty = intp or start.type
    cmpop = "<" if inc else ">"
    with _counted(builder, [start, ty(0)], [step, ty(1)], lambda i: builder.icmp_signed(cmpop, i, stop)) as (
        numbers,
        _,
    ):
        yield tuple(numbers)


@contextlib.contextmanager
def for_range_slice_generic(builder, start, stop, step):
    """Two loops over a slice, of which the sign of ``step`` chooses one."""

    @contextlib.contextmanager
    def loop(side, inc):
        with side, for_range_slice(builder, start, stop, step, start.type, inc) as numbers:
            yield numbers

    upwards = builder.icmp_signed(">=", step, step.type(0))
    with builder.if_else(upwards, likely=True) as (then, otherwise):
        yield loop(then, True), loop(otherwise, False)


@contextlib.contextmanager
def loop_nest(builder, shape, intp, order="C"):
    """Loops over all indices of a shape, the last axis innermost (order F: the first)."""
    axes = range(len(shape)) if order == "C" else reversed(range(len(shape)))
    with contextlib.ExitStack() as stack:
        found = {axis: stack.enter_context(for_range(builder, shape[axis], intp=intp)).index for axis in axes}
        yield tuple(found[axis] for axis in range(len(shape)))


@contextlib.contextmanager
def early_exit_if(builder, stack, cond):
    """What is done where a condition holds; all that follows until ``stack`` closes is done where it does not."""
    then, otherwise = stack.enter_context(builder.if_else(cond, likely=False))
    with then:
        yield
    stack.enter_context(otherwise)


def early_exit_if_null(builder, stack, obj):
    """:func:`early_exit_if` a pointer is null."""
    return early_exit_if(builder, stack, is_null(builder, obj))


def guard_null(context, builder, value, exc_tuple):
    """Raises where a value is zero."""
    with builder.if_then(is_null(builder, value) if value.type.is_pointer else is_scalar_zero(builder, value), False):
        context.call_conv.return_user_exc(builder, exc_tuple[0], exc_tuple[1:] or None)


guard_zero = guard_null


def guard_memory_error(context, builder, pointer, msg=None):
    """Raises MemoryError where a pointer is null."""
    guard_null(context, builder, pointer, (MemoryError, *([msg] if msg else [])))


def do_boundscheck(context, builder, ind, dimlen, axis=None):
    """Raises where an index is not inside of an axis."""
    for outside in (builder.icmp_signed(">=", ind, dimlen), is_neg_int(builder, ind)):
        with if_unlikely(builder, outside):
            context.call_conv.return_user_exc(builder, IndexError, ("index is out of bounds",))


# Arrays.


def get_item_pointer(context, builder, aryty, ary, inds, wraparound=False, boundscheck=False):
    """The address of an element of an array."""
    shape, strides = (unpack_tuple(builder, part, aryty.ndim) for part in (ary.shape, ary.strides))
    return get_item_pointer2(
        context, builder, ary.data, shape, strides, aryty.layout, inds, wraparound=wraparound, boundscheck=boundscheck
    )


def get_item_pointer2(context, builder, data, shape, strides, layout, inds, wraparound=False, boundscheck=False):
    """The address of an element, of the parts of an array."""
    if wraparound:
        pairs = zip(inds, shape, strict=False)
        inds = [builder.select(is_neg_int(builder, i), builder.add(n, i), i) for i, n in pairs]
    if boundscheck:
        for axis, (position, extent) in enumerate(zip(inds, shape, strict=False)):
            do_boundscheck(context, builder, position, extent, axis)
    if not inds:
        return builder.gep(data, [int32_t(0)])
    if layout not in "CF":
        steps = [builder.mul(step, position) for step, position in zip(strides, inds, strict=False)]
        return pointer_add(builder, data, functools.reduce(builder.add, steps))
    pairs = list(zip(inds, shape, strict=False))
    where = None
    for position, extent in pairs if layout == "C" else reversed(pairs):
        where = position if where is None else builder.add(builder.mul(where, extent), position)
    return builder.gep(data, [where])


# Modules.


def _module(builder_or_module):
    return builder_or_module if isinstance(builder_or_module, recorded.Module) else builder_or_module.module


def get_or_insert_function(module, fnty, name):
    """The function of a name, declared if there is none."""
    found = module.globals.get(name)
    return recorded.Function(module, fnty, name) if found is None else found


insert_pure_function = get_or_insert_function


def add_global_variable(module, ty, name, addrspace=0):
    """Data of a module, under this name or one like it."""
    return recorded.GlobalVariable(module, ty, module.get_unique_name(name), addrspace)


def global_constant(builder_or_module, name, value, linkage="internal"):
    """Constant data of a module."""
    data = add_global_variable(_module(builder_or_module), value.type, name)
    data.linkage, data.global_constant, data.initializer = linkage, True, value
    return data


def make_bytearray(buf):
    """A constant array of bytes."""
    buf = bytes(buf)
    return Constant(ArrayType(int8_t, len(buf)), buf)


def create_constant_array(ty, val):
    """A constant array of numbers."""
    return Constant(ArrayType(ty, len(val)), [Constant(ty, each) for each in val])


def printf(builder, format, *args):
    """C's ``printf``, of integers and pointers."""
    text = global_constant(builder, "printf_format", make_bytearray(format.encode() + b"\0"))
    function = get_or_insert_function(builder.module, FunctionType(int32_t, [voidptr_t], var_arg=True), "printf")
    return builder.call(function, [builder.bitcast(text, voidptr_t), *args])


def normalize_ir_text(text):
    """Text as LLVM IR may hold it."""
    return text.encode("utf8").decode("latin1")


def is_pointer(ltyp):
    """True for types of pointers."""
    return isinstance(ltyp, PointerType)


def is_nonelike(ty):
    """True for what stands for None."""
    from numbra.core import types

    return ty is None or isinstance(ty, (types.NoneType, types.Omitted))


def is_empty_tuple(ty):
    """True for the type of the empty tuple."""
    from numbra.core import types

    return isinstance(ty, types.Tuple) and not ty.types


def __getattr__(name):
    if name in ("Structure", "snprintf", "snprintf_stackbuffer", "hexdump", "get_or_insert_named_metadata"):
        raise UnsupportedError(f"cgutils.{name} is not supported")
    raise AttributeError(name)
