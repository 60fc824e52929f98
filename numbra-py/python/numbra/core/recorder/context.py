"""The target context that extension code gets: types, constants, helpers, conversions, exceptions."""

from numbra.core import types
from numbra.core.datamodel import models
from numbra.core.datamodel.registry import default_manager
from numbra.core.errors import LoweringError, UnsupportedError
from numbra.core.recorder import cgutils, leaves
from numbra.core.recorder.llvmir import Address, Constant, ReferenceType, Undefined, VoidType

#: Where the address of the data stands in a counted object: HEADER in numbra-abi/src/layout.rs.
_HEADER_DATA = 24


def refuse(what):
    """Says that numbra does not have something of Numba's low-level API."""
    raise UnsupportedError(f"{what} is not supported in code that is written with an IRBuilder")


class _Refusing:
    """Refuses by name what a class does not have."""

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        refuse(f"{self._called}.{name}")


class TypingContext(_Refusing):
    """Types of what code calls are not asked here."""

    _called = "context.typing_context"


class CallConv(_Refusing):
    """How functions end."""

    _called = "context.call_conv"

    def return_user_exc(self, builder, exc, exc_args=None, loc=None, func_name=None):
        """Raises an exception of a class with constant arguments."""
        if exc is None:
            refuse("context.call_conv.return_user_exc without a class")
        if not isinstance(exc, type) or not issubclass(exc, BaseException):
            raise LoweringError(f"an exception class is raised, not {exc!r}")
        if exc_args is not None and not isinstance(exc_args, tuple):
            raise LoweringError(f"arguments of an exception are a tuple or None, not {exc_args!r}")
        for arg in exc_args or ():
            if not isinstance(arg, (str, bytes, int, float, complex, bool, tuple, type(None))):
                raise UnsupportedError(f"{arg!r} as argument of an exception; constants are supported")
        name = func_name or builder.function.name
        builder.fail(builder.module.exception(exc, exc_args or (), name))

    def return_value(self, builder, retval):
        """Returns a value."""
        builder.ret(retval)

    def return_native_none(self, builder):
        """Returns None."""
        builder.ret(Constant(builder.function.return_type, None))


class NRT(_Refusing):
    """The memory of counted objects. LIR counts references itself, so code need not."""

    _called = "context.nrt"

    def incref(self, builder, typ, value):
        """Nothing: see docs/lir.md, "Ownership"."""

    decref = incref

    def meminfo_data(self, builder, meminfo):
        """The address of an object's data."""
        header = builder._pointer(meminfo, "meminfo_data")
        data = builder._one("ptr", f"load {header}+{_HEADER_DATA} header align 8")
        return builder._value(cgutils.voidptr_t, [data])

    def meminfo_alloc_aligned_unchecked(self, builder, size, align):
        """A new object with so many bytes; null where there is no memory."""
        align = cgutils.intp_t(align) if isinstance(align, int) else builder.zext(align, cgutils.intp_t)
        args = [builder.leaf(size), builder.leaf(align)]
        return builder._value(ReferenceType(), [builder.native("numbra_rt_alloc", args, "ref")])

    def meminfo_alloc_unchecked(self, builder, size):
        """The same, aligned for everything."""
        return self.meminfo_alloc_aligned_unchecked(builder, size, 16)

    def meminfo_alloc_aligned(self, builder, size, align):
        """A new object with so many bytes; MemoryError where there is no memory."""
        meminfo = self.meminfo_alloc_aligned_unchecked(builder, size, align)
        cgutils.guard_memory_error(cpu_context, builder, meminfo)
        return meminfo

    def meminfo_alloc(self, builder, size):
        """The same, aligned for everything."""
        return self.meminfo_alloc_aligned(builder, size, 16)


class CPUContext(_Refusing):
    """See the module."""

    _called = "context"
    data_model_manager = default_manager
    enable_nrt = True
    enable_boundscheck = False
    strict_alignment = False
    target_data = None
    typing_context = TypingContext()
    call_conv = CallConv()
    nrt = NRT()

    # Types.

    def get_value_type(self, ty):
        """The LLVM type of values of a type."""
        return default_manager.lookup(ty).get_value_type()

    def get_data_type(self, ty):
        """The LLVM type of values of a type in memory."""
        return default_manager.lookup(ty).get_data_type()

    def get_argument_type(self, ty):
        """The LLVM type of arguments of a type."""
        return default_manager.lookup(ty).get_argument_type()

    get_function_pointer_type = get_data_type

    def get_dummy_type(self):
        """The LLVM type of what has no value."""
        return cgutils.voidptr_t

    def get_abi_sizeof(self, ty):
        """Bytes of an LLVM type."""
        return ty.size

    def get_abi_alignment(self, ty):
        """Alignment of an LLVM type."""
        return ty.align

    # Constants.

    def get_dummy_value(self):
        """The value of what has no value."""
        return Constant(cgutils.voidptr_t, None)

    def get_constant_null(self, ty):
        """Zero of a type."""
        return Constant(self.get_value_type(ty), None)

    def get_constant_undef(self, ty):
        """Anything of a type."""
        return Constant(self.get_value_type(ty), Undefined)

    def get_constant(self, ty, val):
        """A constant of a type."""
        return self.get_constant_generic(None, ty, val)

    def get_constant_generic(self, builder, ty, val):
        """A constant of a type."""
        lty = self.get_value_type(ty)
        if isinstance(ty, types.Boolean):
            return Constant(lty, bool(val))
        if isinstance(ty, (types.Integer, types.Float, types.Literal)) and not isinstance(ty, types.StringLiteral):
            return Constant(lty, val)
        if isinstance(ty, types.Complex):
            val = complex(val)
            return Constant(lty, [val.real, val.imag])
        if isinstance(ty, types.BaseTuple):
            return Constant(lty, [self.get_constant_generic(builder, t, v) for t, v in zip(ty.types, val, strict=True)])
        if isinstance(ty, (types.EnumMember, types.IntEnumMember)):
            return self.get_constant_generic(builder, ty.dtype, val.value)
        if isinstance(default_manager.lookup(ty), models.DummyModel):
            return self.get_dummy_value()
        return self._other_constant(ty)

    def _other_constant(self, ty):
        refuse(f"a constant of type {ty}")

    def insert_const_string(self, mod, string):
        """The address of a C string."""
        return self.insert_const_bytes(mod, string.encode() + b"\0", ".str")

    def insert_const_bytes(self, mod, bytes, name=None):
        """The address of bytes."""
        if bytes not in mod.strings:
            data = cgutils.global_constant(mod, name or ".bytes", cgutils.make_bytearray(bytes))
            mod.strings[bytes] = data.bitcast(cgutils.voidptr_t)
        return mod.strings[bytes]

    def insert_unique_const(self, mod, name, val):
        """Constant data of a name; one for all that ask."""
        return mod.globals.get(name) or cgutils.global_constant(mod, name, val)

    def add_dynamic_addr(self, builder, intaddr, info):
        """An address of this process."""
        return Address(cgutils.voidptr_t, None, int(intaddr))

    # Helpers.

    def get_helper_class(self, typ, kind="value"):
        """The class of structs in memory of a type."""
        return cgutils.create_struct_proxy(typ, kind)

    def make_helper(self, builder, typ, value=None, ref=None):
        """A struct in memory."""
        return cgutils.create_struct_proxy(typ)(self, builder, value, ref)

    def make_data_helper(self, builder, typ, ref=None):
        """A struct as it is in other memory."""
        return cgutils.create_struct_proxy(typ, "data")(self, builder, ref=ref)

    def make_array(self, typ):
        """The class of arrays in memory of a type."""
        return cgutils.create_struct_proxy(typ)

    def populate_array(self, array, data, shape, strides, itemsize, meminfo, parent=None):
        """Sets the fields of an array."""
        builder = array._builder
        word = cgutils.intp_t

        def axes(numbers):
            numbers = [word(n) if isinstance(n, int) else n for n in numbers]
            return cgutils.pack_array(builder, numbers, word)

        shape = axes(shape) if isinstance(shape, (list, tuple)) else shape
        strides = axes(strides) if isinstance(strides, (list, tuple)) else strides
        count = word(1)
        for extent in cgutils.unpack_tuple(builder, shape):
            count = builder.mul(count, extent)
        array.shape, array.strides, array.data = shape, strides, data
        array.itemsize = word(itemsize) if isinstance(itemsize, int) else itemsize
        array.meminfo = Constant(cgutils.voidptr_t, None) if meminfo is None else meminfo
        array.parent = Constant(cgutils.voidptr_t, None) if parent is None else parent
        array.nitems = count
        return array

    def make_complex(self, builder, typ, value=None):
        """A complex number in memory."""
        return self.make_helper(builder, typ, value)

    def make_tuple(self, builder, typ, values):
        """A tuple of values."""
        made = self.get_constant_undef(typ)
        for n, value in enumerate(values):
            made = builder.insert_value(made, value, n)
        return made

    def make_optional_none(self, builder, valtype):
        """An optional value that is not there."""
        return self.get_constant_null(types.Optional(valtype))

    def make_optional_value(self, builder, valtype, value):
        """An optional value that is there."""
        made = builder.insert_value(self.get_constant_null(types.Optional(valtype)), value, 0)
        return builder.insert_value(made, cgutils.true_bit, 1)

    def pack_value(self, builder, ty, value, ptr, align=None):
        """Puts a value into other memory."""
        builder.store(default_manager.lookup(ty).as_data(builder, value), ptr, align)

    def unpack_value(self, builder, ty, ptr, align=None):
        """A value from other memory."""
        return default_manager.lookup(ty).load_from_data_pointer(builder, ptr, align)

    def get_value_as_data(self, builder, ty, val):
        """A value as it is in other memory."""
        return default_manager.lookup(ty).as_data(builder, val)

    def get_data_as_value(self, builder, ty, val):
        """A value of what is in other memory."""
        return default_manager.lookup(ty).from_data(builder, val)

    def get_value_as_argument(self, builder, ty, val):
        """A value as arguments."""
        return default_manager.lookup(ty).as_argument(builder, val)

    def is_true(self, builder, typ, val):
        """Whether a number is not zero."""
        return self.cast(builder, val, typ, types.boolean)

    # Conversions.

    def cast(self, builder, val, fromty, toty):
        """A value as another type."""
        if fromty == toty:
            return val
        if isinstance(toty, types.Optional):
            return self._to_optional(builder, val, fromty, toty)
        if isinstance(fromty, types.Optional):
            absent = builder.not_(builder.extract_value(val, 1))
            with cgutils.if_unlikely(builder, absent):
                self.call_conv.return_user_exc(builder, TypeError, (f"expected {fromty.type}, got None",))
            return self.cast(builder, builder.extract_value(val, 0), fromty.type, toty)
        if isinstance(fromty, types.Literal):
            return self.cast(builder, val, types.unliteral(fromty), toty)
        if isinstance(fromty, types.BaseTuple) and isinstance(toty, types.BaseTuple) and len(fromty) == len(toty):
            parts = zip(cgutils.unpack_tuple(builder, val), fromty.types, toty.types, strict=True)
            return self.make_tuple(builder, toty, [self.cast(builder, *part) for part in parts])
        lty = self.get_value_type(toty)
        source, target = (_family(ty) for ty in (fromty, toty))
        if target == "complex" and source == "complex":
            parts = cgutils.unpack_tuple(builder, val)
            floats = fromty.underlying_float, toty.underlying_float
            return cgutils.pack_struct(builder, [self.cast(builder, part, *floats) for part in parts])
        if target == "complex" and source:
            part = self.cast(builder, val, fromty, toty.underlying_float)
            return cgutils.pack_struct(builder, [part, part.type(0)])
        if target == "bool" and source == "complex":
            return builder.or_(*(cgutils.is_true(builder, part) for part in cgutils.unpack_tuple(builder, val)))
        if target == "bool" and source:
            return cgutils.is_true(builder, val)
        signed = getattr(toty if source == "float" else fromty, "signed", False)
        if source in ("int", "bool") and target == "int":
            if lty.width < val.type.width:
                return builder.trunc(val, lty)
            return builder.sext(val, lty) if signed else builder.zext(val, lty)
        if source in ("int", "bool") and target == "float":
            return builder.sitofp(val, lty) if signed else builder.uitofp(val, lty)
        if source == "float" and target == "int":
            return builder.fptosi(val, lty) if signed else builder.fptoui(val, lty)
        if source == "float" and target == "float":
            return builder.fptrunc(val, lty) if lty.size < val.type.size else builder.fpext(val, lty)
        return self._other_cast(fromty, toty)

    def _other_cast(self, fromty, toty):
        refuse(f"a cast of {fromty} to {toty}")

    def _to_optional(self, builder, val, fromty, toty):
        if isinstance(fromty, types.NoneType):
            return self.make_optional_none(builder, toty.type)
        if not isinstance(fromty, types.Optional):
            return self.make_optional_value(builder, toty.type, self.cast(builder, val, fromty, toty.type))
        data = self.cast(builder, builder.extract_value(val, 0), fromty.type, toty.type)
        return cgutils.pack_struct(builder, [data, builder.extract_value(val, 1)])

    # Calls.

    def call_function_pointer(self, builder, funcptr, args, cconv=None):
        """Calls the C function at an address."""
        return builder.call(funcptr, args)

    def call_external_function(self, builder, callee, argtys, args):
        """Calls a C function."""
        args = [self.get_value_as_argument(builder, ty, arg) for ty, arg in zip(argtys, args, strict=True)]
        result = builder.call(callee, args)
        return self.get_dummy_value() if isinstance(result.type, VoidType) else result

    def _call_compiled(self, method):
        """What recorded code would call compiled Python code by."""
        refuse(f"context.{method}")

    def compile_internal(self, builder, impl, sig, args, locals=None):
        """Calls a Python function, compiled at a signature; what it raises is raised here."""
        from numbra._numbra import _function_address
        from numbra.core.decorators import njit

        jitted = impl if hasattr(impl, "py_func") else njit(locals=locals or {})(impl)
        builder.module.keep(jitted)
        address = _function_address(jitted, types.FunctionType(sig))
        given = [leaf for typ, arg in zip(sig.args, args, strict=True) for leaf in leaves.give(builder, typ, arg)]
        params = [kind for typ in sig.args for kind in leaves.leaf_types(typ)]
        results = leaves.leaf_types(sig.return_type)
        names = builder.call_compiled(address, params, given, results)
        return leaves.receive(builder, sig.return_type, names)

    def compile_subroutine(self, builder, impl, sig, locals=None, flags=None, caching=True):
        """Compiles a Python function."""
        self._call_compiled("compile_subroutine")

    def call_internal(self, builder, fndesc, sig, args):
        """Calls a compiled function."""
        self._call_compiled("call_internal")

    def get_function(self, fn, sig, _firstcall=True):
        """What calls the implementation of a function at a signature."""
        self._call_compiled("get_function")

    def get_python_api(self, builder):
        """CPython's API."""
        from numbra.core.recorder.pyapi import PythonAPI

        return PythonAPI(self, builder)


def _family(ty):
    """Which kind of number a type is."""
    families = {"bool": types.Boolean, "int": types.Integer, "float": types.Float, "complex": types.Complex}
    return next((name for name, family in families.items() if isinstance(ty, family)), None)


cpu_context = CPUContext()
