"""CPython's C API for extension code: ``pyapi``, boxing and unboxing.

A method that is one call of a C function is a row of the table. Functions and objects of CPython are C symbols.
"""

import collections
import contextlib

from numbra.core import types
from numbra.core.errors import LoweringError
from numbra.core.recorder import cgutils, leaves
from numbra.core.recorder.context import _Refusing, refuse
from numbra.core.recorder.llvmir import Address, Constant, DoubleType, FunctionType, IntType, Value, VoidType

_POINTER, _INT, _WORD, _DOUBLE = cgutils.voidptr_t, IntType(32), IntType(64), DoubleType()
#: Types in the table: an object, a C string (or a Python one), int, 8 bytes; addresses of a number and of an object.
_TYPES = {
    "o": _POINTER,
    "s": _POINTER,
    "i": _INT,
    "l": _WORD,
    "d": _DOUBLE,
    "v": VoidType(),
    "L": _WORD.as_pointer(),
    "O": _POINTER.as_pointer(),
}

#: Method, C function, result and parameters.
_CALLS = """
    incref Py_IncRef v o
    decref Py_DecRef v o
    bool_from_long PyBool_FromLong o l
    bytes_as_string PyBytes_AsString s o
    bytes_from_string_and_size PyBytes_FromStringAndSize o sl
    complex_from_doubles PyComplex_FromDoubles o dd
    complex_imag_as_double PyComplex_ImagAsDouble d o
    complex_real_as_double PyComplex_RealAsDouble d o
    dict_getitem PyDict_GetItem o oo
    dict_getitem_string PyDict_GetItemString o os
    dict_setitem PyDict_SetItem i ooo
    dict_setitem_string PyDict_SetItemString i oso
    err_clear PyErr_Clear v
    err_occurred PyErr_Occurred o
    err_set_none PyErr_SetNone v o
    err_set_object PyErr_SetObject v oo
    err_set_string PyErr_SetString v os
    err_write_unraisable PyErr_WriteUnraisable v o
    float_as_double PyFloat_AsDouble d o
    float_from_double PyFloat_FromDouble o d
    gil_ensure PyGILState_Ensure i
    gil_release PyGILState_Release v i
    import_module PyImport_ImportModule o s
    iter_next PyIter_Next o o
    list_append PyList_Append i oo
    list_getitem PyList_GetItem o ol
    list_new PyList_New o l
    list_setitem PyList_SetItem i olo
    list_size PyList_Size l o
    long_as_long PyLong_AsLong l o
    long_as_longlong PyLong_AsLongLong l o
    long_as_ulong PyLong_AsUnsignedLong l o
    long_as_ulonglong PyLong_AsUnsignedLongLong l o
    long_as_voidptr PyLong_AsVoidPtr s o
    number_float PyNumber_Float o o
    number_invert PyNumber_Invert o o
    number_long PyNumber_Long o o
    number_negative PyNumber_Negative o o
    number_positive PyNumber_Positive o o
    object_delitem PyObject_DelItem i oo
    object_getattr PyObject_GetAttr o oo
    object_getattr_string PyObject_GetAttrString o os
    object_getitem PyObject_GetItem o oo
    object_getiter PyObject_GetIter o o
    object_hasattr_string PyObject_HasAttrString i os
    object_hash PyObject_Hash l o
    object_istrue PyObject_IsTrue i o
    object_not PyObject_Not i o
    object_setattr PyObject_SetAttr i ooo
    object_setattr_string PyObject_SetAttrString i oso
    object_setitem PyObject_SetItem i ooo
    object_str PyObject_Str o o
    object_type PyObject_Type o o
    restore_thread PyEval_RestoreThread v s
    save_thread PyEval_SaveThread s
    sequence_concat PySequence_Concat o oo
    sequence_getslice PySequence_GetSlice o oll
    sequence_tuple PySequence_Tuple o o
    set_add PySet_Add i oo
    set_clear PySet_Clear i o
    set_size PySet_Size l o
    string_as_string PyUnicode_AsUTF8 s o
    string_from_kind_and_data PyUnicode_FromKindAndData o isl
    string_from_string PyUnicode_FromString o s
    string_from_string_and_size PyUnicode_FromStringAndSize o sl
    sys_write_stdout PySys_WriteStdout v s
    tuple_getitem PyTuple_GetItem o ol
    tuple_new PyTuple_New o l
    tuple_setitem PyTuple_SetItem i olo
    tuple_size PyTuple_Size l o
    _bytes_as_string_and_size PyBytes_AsStringAndSize i oOL
    _number_as_ssize_t PyNumber_AsSsize_t l oo
    _object_call PyObject_Call o ooo
    _set_new PySet_New o o
    _string_as_string_and_size PyUnicode_AsUTF8AndSize s oL
"""

#: Methods that make Python integers: C function, bits, and how other widths become those.
_LONGS = {
    "long_from_long": "PyLong_FromLong",
    "long_from_longlong": "PyLong_FromLongLong",
    "long_from_signed_int": "PyLong_FromLongLong",
    "long_from_ssize_t": "PyLong_FromSsize_t",
    "long_from_ulong": "PyLong_FromUnsignedLong",
    "long_from_ulonglong": "PyLong_FromUnsignedLongLong",
    "long_from_unsigned_int": "PyLong_FromUnsignedLongLong",
}

#: Binary operators: ``number_add`` and the like.
_OPERATORS = {
    "add": "Add",
    "and": "And",
    "floordivide": "FloorDivide",
    "lshift": "Lshift",
    "matrix_multiply": "MatrixMultiply",
    "multiply": "Multiply",
    "or": "Or",
    "remainder": "Remainder",
    "rshift": "Rshift",
    "subtract": "Subtract",
    "truedivide": "TrueDivide",
    "xor": "Xor",
}


class NativeValue:
    """A native value of a Python object: whether it failed, and what cleans up after its use."""

    def __init__(self, value, is_error=None, cleanup=None):
        self.value = value
        self.is_error = cgutils.false_bit if is_error is None else is_error
        self.cleanup = cleanup


class BoxContext(collections.namedtuple("BoxContext", "context builder pyapi env_manager")):
    """What code that makes Python objects gets."""

    __slots__ = ()

    def box(self, typ, val):
        """The Python object of a value."""
        return self.pyapi.from_native_value(typ, val, self.env_manager)


class UnboxContext(collections.namedtuple("UnboxContext", "context builder pyapi")):
    """What code that takes Python objects gets."""

    __slots__ = ()

    def unbox(self, typ, obj):
        """The native value of a Python object."""
        return self.pyapi.to_native_value(typ, obj)


class Registry:
    """Functions by class of types."""

    def __init__(self):
        self.functions = {}

    def register(self, typeclass):
        """Decorates the function for a class of types."""

        def decorate(function):
            self.functions[typeclass] = function
            return function

        return decorate

    def lookup(self, typeclass):
        """The function for a class or the nearest of its bases; None if there is none."""
        return next((self.functions[base] for base in typeclass.__mro__ if base in self.functions), None)


boxers, unboxers = Registry(), Registry()
box, unbox = boxers.register, unboxers.register


class PythonAPI(_Refusing):
    """See the module."""

    _called = "pyapi"

    def __init__(self, context, builder):
        self.context, self.builder, self.module = context, builder, builder.module
        self.pyobj = self.voidptr = self.cstring = _POINTER
        self.pyobjptr = _POINTER.as_pointer()
        self.long = self.ulong = self.longlong = self.ulonglong = self.py_ssize_t = self.py_hash_t = _WORD
        self.double, self.gil_state = _DOUBLE, _INT

    def _get_function(self, fnty, name):
        return cgutils.get_or_insert_function(self.module, fnty, name)

    def _call(self, method, symbol, result, parameters, args):
        if len(args) != len(parameters):
            raise LoweringError(f"pyapi.{method} takes {len(parameters)} arguments, {len(args)} given")
        fnty = FunctionType(_TYPES[result], [_TYPES[code] for code in parameters])
        args = [self._argument(method, code, arg) for code, arg in zip(parameters, args, strict=True)]
        return self.builder.call(self._get_function(fnty, symbol), args)

    def _argument(self, method, code, arg):
        if isinstance(arg, str) and code == "s":
            return self.context.insert_const_string(self.module, arg)
        if isinstance(arg, str) and code == "o":
            return self.get_c_object(arg)
        if isinstance(arg, (int, float)) and code in "ild":
            return Constant(_TYPES[code], arg)
        if not isinstance(arg, Value):
            raise LoweringError(f"pyapi.{method} of {arg!r}, which is no value")
        return arg

    # Objects that C knows by name.

    def _symbol(self, name):
        """The address of a C symbol. LIR has no imported data; a function's address does as well."""
        return self._get_function(FunctionType(VoidType(), []), name).bitcast(_POINTER)

    def get_c_object(self, name):
        """An object by its C name, borrowed: `PyExc_ValueError`, `_Py_NoneStruct`."""
        address = self._symbol(name)
        if name.startswith("PyExc_"):
            return self.builder.load(self.builder.bitcast(address, self.pyobjptr))
        return address

    def get_null_object(self):
        """No object."""
        return Constant(self.pyobj, None)

    def borrow_none(self):
        """None, borrowed."""
        return self.get_c_object("_Py_NoneStruct")

    def make_none(self):
        """None."""
        none = self.borrow_none()
        self.incref(none)
        return none

    def serialize_object(self, obj):
        """Keeps an object with the module; for :meth:`unserialize`."""
        return Address(_POINTER, None, self.module.keep(obj))

    def unserialize(self, structptr):
        """An object that the module keeps."""
        self.incref(structptr)
        return structptr

    # Errors.

    def c_api_error(self):
        """Whether an exception is set."""
        return cgutils.is_not_null(self.builder, self.err_occurred())

    def err_format(self, exctype, msg, *format_args):
        """Sets an exception with a text."""
        fnty = FunctionType(_POINTER, [_POINTER, _POINTER], var_arg=True)
        args = [self._argument("err_format", *pair) for pair in (("o", exctype), ("s", msg))]
        return self.builder.call(self._get_function(fnty, "PyErr_Format"), [*args, *format_args])

    @contextlib.contextmanager
    def if_object_ok(self, obj):
        """What is done where there is an object."""
        with cgutils.if_likely(self.builder, cgutils.is_not_null(self.builder, obj)):
            yield

    # Calls with any number of arguments.

    def _call_more(self, symbol, fixed, args):
        fnty = FunctionType(self.pyobj, [arg.type for arg in fixed], var_arg=True)
        return self.builder.call(self._get_function(fnty, symbol), [*fixed, *args])

    def call_function_objargs(self, callee, objargs):
        """``callee(*objargs)``"""
        return self._call_more("PyObject_CallFunctionObjArgs", [callee], [*objargs, self.get_null_object()])

    def call_method(self, callee, method, objargs=()):
        """``callee.method(*objargs)``"""
        texts = (self.context.insert_const_string(self.module, s) for s in (method, f"({'O' * len(objargs)})"))
        return self._call_more("PyObject_CallMethod", [callee, *texts], [*objargs, self.get_null_object()])

    def call(self, callee, args=None, kws=None):
        """``callee(*args, **kws)``"""
        given = self.tuple_new(0) if args is None else args
        result = self._object_call(callee, given, self.get_null_object() if kws is None else kws)
        if args is None:
            self.decref(given)
        return result

    def tuple_pack(self, items):
        """A tuple of objects."""
        return self._call_more("PyTuple_Pack", [_WORD(len(items))], items)

    def list_pack(self, items):
        """A list of objects."""
        made = self.list_new(len(items))
        with self.if_object_ok(made):
            for n, item in enumerate(items):
                self.incref(item)
                self.list_setitem(made, n, item)
        return made

    def dict_new(self, presize=0):
        """An empty dictionary."""
        return self._call("dict_new", "PyDict_New", "o", "", [])

    def dict_pack(self, keyvalues):
        """A dictionary of names and objects."""
        made = self.dict_new()
        with self.if_object_ok(made):
            for name, item in keyvalues:
                self.dict_setitem_string(made, name, item)
        return made

    def set_new(self, iterable=None):
        """A set."""
        return self._set_new(self.get_null_object() if iterable is None else iterable)

    # Numbers and texts.

    def bool_from_bool(self, bval):
        """True or False."""
        return self.bool_from_long(self.builder.zext(bval, self.long))

    def number_as_ssize_t(self, numobj):
        """An integer object as a number."""
        return self._number_as_ssize_t(numobj, "PyExc_OverflowError")

    def number_power(self, lhs, rhs, inplace=False):
        """``lhs ** rhs``"""
        symbol = "PyNumber_InPlacePower" if inplace else "PyNumber_Power"
        return self._call("number_power", symbol, "o", "ooo", [lhs, rhs, self.borrow_none()])

    def string_from_constant_string(self, string):
        """A Python string."""
        return self.string_from_string_and_size(string, len(string.encode()))

    def string_as_string_and_size(self, strobj):
        """Whether it worked, address and length of a string's text as UTF-8."""
        length = cgutils.alloca_once(self.builder, self.py_ssize_t)
        buffer = self._string_as_string_and_size(strobj, length)
        return cgutils.is_not_null(self.builder, buffer), buffer, self.builder.load(length)

    def bytes_as_string_and_size(self, obj, p_buffer, p_length):
        """Writes address and length of bytes; whether it worked."""
        result = self._bytes_as_string_and_size(obj, p_buffer, p_length)
        return self.builder.icmp_signed("!=", result, result.type(-1))

    # Comparisons and attributes.

    def object_richcompare(self, lhs, rhs, opstr):
        """``lhs opstr rhs``, an object."""
        order = ["<", "<=", "==", "!=", ">", ">="]
        if opstr in order:
            args = [lhs, rhs, order.index(opstr)]
            return self._call("object_richcompare", "PyObject_RichCompare", "o", "ooi", args)
        if opstr in ("is", "is not"):
            return self.bool_from_bool(self.builder.icmp_unsigned("==" if opstr == "is" else "!=", lhs, rhs))
        return refuse(f"pyapi.object_richcompare with {opstr!r}")

    def object_delattr_string(self, obj, attr):
        """``del obj.attr``"""
        return self.object_setattr_string(obj, attr, self.get_null_object())

    # Values.

    def to_native_value(self, typ, obj):
        """The native value of a Python object."""
        function = unboxers.lookup(type(typ)) or _unbox_other
        native = function(typ, obj, UnboxContext(self.context, self.builder, self))
        if not isinstance(native, NativeValue):
            raise LoweringError(f"unboxing {typ} gives a NativeValue, not {native!r}")
        return native

    def from_native_value(self, typ, val, env_manager=None):
        """The Python object of a native value."""
        function = boxers.lookup(type(typ)) or _box_other
        return function(typ, val, BoxContext(self.context, self.builder, self, env_manager))


def _add_methods():
    def called(method, symbol, result, parameters=""):
        def call(self, *args):
            return self._call(method, symbol, result, parameters, args)

        return call

    def long_from(method, symbol):
        def make(self, ival):
            widen = self.builder.zext if "Unsigned" in symbol else self.builder.sext
            return self._call(method, symbol, "o", "l", [widen(ival, _WORD)])

        return make

    def operator(method, name):
        def operate(self, lhs, rhs, inplace=False):
            return self._call(method, f"PyNumber_{'InPlace' * inplace}{name}", "o", "oo", [lhs, rhs])

        return operate

    made = {row.split()[0]: called(*row.split()) for row in _CALLS.strip().splitlines()}
    made |= {method: long_from(method, symbol) for method, symbol in _LONGS.items()}
    made |= {f"number_{method}": operator(f"number_{method}", name) for method, name in _OPERATORS.items()}
    for method, function in made.items():
        function.__name__ = method
        setattr(PythonAPI, method, function)


_add_methods()


def _unbox_other(typ, obj, c):
    """What the compiler itself makes of an object."""
    kinds = leaves.leaf_types(typ)
    block = c.builder.function.leaf_block(kinds)
    status = _convert(c, "numbra_py_recorded_unbox", _INT, [typ, obj, block])
    value = leaves.receive(c.builder, typ, c.builder.load_leaves(block, kinds))
    return NativeValue(value, c.builder.icmp_signed("!=", status, Constant(_INT, 0)))


def _convert(c, symbol, result, args):
    """Calls a conversion of the compiler's: of a type, and what it is given."""
    typ, *given = args
    builder = c.builder
    builder.module.keep(typ)
    given = [builder._value(_POINTER, [one]) if isinstance(one, str) else one for one in given]
    ftype = FunctionType(result, [_WORD, *(_POINTER for _ in given)])
    function = cgutils.get_or_insert_function(builder.module, ftype, symbol)
    return builder.call(function, [Constant(_WORD, typ._numbra_id), *given])


def _box_other(typ, val, c):
    """The object that the compiler itself makes of a value."""
    kinds = leaves.leaf_types(typ)
    block = c.builder.function.leaf_block(kinds)
    c.builder.store_leaves(block, kinds, leaves.give(c.builder, typ, val))
    return _convert(c, "numbra_py_recorded_box", _POINTER, [typ, block])


@unbox(types.Integer)
def _unbox_integer(typ, obj, c):
    convert = c.pyapi.long_as_longlong if typ.signed else c.pyapi.long_as_ulonglong
    found = cgutils.alloca_once(c.builder, _WORD, zfill=True)
    number = c.pyapi.number_long(obj)
    with c.pyapi.if_object_ok(number):
        c.builder.store(convert(number), found)
        c.pyapi.decref(number)
    value = c.builder.trunc(c.builder.load(found), c.context.get_value_type(typ))
    return NativeValue(value, c.pyapi.c_api_error())


@box(types.Integer)
def _box_integer(typ, val, c):
    return c.pyapi.long_from_signed_int(val) if typ.signed else c.pyapi.long_from_unsigned_int(val)


@unbox(types.Boolean)
def _unbox_boolean(typ, obj, c):
    truth = c.pyapi.object_istrue(obj)
    return NativeValue(
        c.builder.icmp_signed(">", truth, truth.type(0)), c.builder.icmp_signed("<", truth, truth.type(0))
    )


@box(types.Boolean)
def _box_boolean(typ, val, c):
    return c.pyapi.bool_from_bool(val)


@unbox(types.Float)
def _unbox_float(typ, obj, c):
    value = c.context.cast(c.builder, c.pyapi.float_as_double(obj), types.float64, typ)
    return NativeValue(value, c.pyapi.c_api_error())


@box(types.Float)
def _box_float(typ, val, c):
    return c.pyapi.float_from_double(c.context.cast(c.builder, val, typ, types.float64))


@unbox(types.Complex)
def _unbox_complex(typ, obj, c):
    parts = [c.pyapi.complex_real_as_double(obj), c.pyapi.complex_imag_as_double(obj)]
    value = c.context.cast(c.builder, cgutils.pack_struct(c.builder, parts), types.complex128, typ)
    return NativeValue(value, c.pyapi.c_api_error())


@box(types.Complex)
def _box_complex(typ, val, c):
    value = c.context.cast(c.builder, val, typ, types.complex128)
    return c.pyapi.complex_from_doubles(*cgutils.unpack_tuple(c.builder, value))


@unbox(types.NoneType)
def _unbox_none(typ, obj, c):
    return NativeValue(c.context.get_dummy_value())


@box(types.NoneType)
def _box_none(typ, val, c):
    return c.pyapi.make_none()


@unbox(types.PyObject)
def _unbox_object(typ, obj, c):
    return NativeValue(obj)


@box(types.PyObject)
def _box_object(typ, val, c):
    c.pyapi.incref(val)
    return val
