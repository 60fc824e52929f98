"""Records extension code: implementations of calls, unboxing, boxing."""

import contextlib
import os
import traceback

from numbra.core import types
from numbra.core.errors import LoweringError, UnsupportedError
from numbra.core.recorder import cgutils, leaves
from numbra.core.recorder.builder import IRBuilder
from numbra.core.recorder.context import cpu_context
from numbra.core.recorder.llvmir import FunctionType, LiteralStructType, Value
from numbra.core.recorder.module import Function, Module
from numbra.core.recorder.pyapi import BoxContext, NativeValue, PythonAPI, UnboxContext

#: Names of modules, and the folder, of what code is recorded with.
_OURS = ("numbra.core.recorder", "numbra.core.datamodel", "numbra.core.types")
_HERE = os.path.dirname(os.path.dirname(__file__))


def _begin(name, ftype, params, results, give):
    """A builder at the start of a new function."""
    function = Function(Module(name), ftype, name, params, results, give)
    return IRBuilder(function.append_basic_block("entry"))


@contextlib.contextmanager
def _mistakes():
    """An error that Python finds in what was given to the builder and its helpers is a mistake of the code."""
    try:
        yield
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        place, lines = "?", traceback.extract_tb(error.__traceback__)
        inner = error.__traceback__
        while inner.tb_next is not None:
            inner = inner.tb_next
        if not inner.tb_frame.f_globals.get("__name__", "").startswith(_OURS):
            raise
        for line in lines:
            if not line.filename.startswith(_HERE):
                place = f"{line.filename}:{line.lineno}"
        raise LoweringError(f"{type(error).__name__}: {error}, at {place}") from error


def _end(builder, value, what):
    """Returns a value, unless the code has done it; the module, which is checked."""
    module, name = builder.module, builder.function.name
    if not builder.block.is_terminated:
        if not isinstance(value, Value):
            raise LoweringError(f"{what} returned {value!r}, which is no value")
        builder.ret(value)
    module.text(name)
    return module


def record_call(implementation, sig, name):
    """Records ``implementation(context, builder, sig, args)`` as a function of a module.

    Parameters
    ----------
    implementation : callable
        Writes the code; returns a value of the LLVM type of ``sig.return_type``.
    sig : Signature
        Numba types of the arguments and the result.
    name : str
        What the function is called.

    Returns
    -------
    Module
        Its function takes the leaves of the arguments and gives those of the result.
    """
    params = [kind for typ in sig.args for kind in leaves.leaf_types(typ)]
    results = leaves.leaf_types(sig.return_type)
    ftype = FunctionType(leaves.value_type(sig.return_type), [leaves.value_type(typ) for typ in sig.args])
    give = lambda builder, value: leaves.give(builder, sig.return_type, value)  # noqa: E731
    builder = _begin(name, ftype, params, results, give)
    args = _arguments(builder, sig.args)
    with _mistakes():
        value = implementation(cpu_context, builder, sig, tuple(args))
    if value is None and not results:
        value = cpu_context.get_constant_null(sig.return_type)
    return _end(builder, value, f"the implementation of `{name}`")


def _arguments(builder, typs):
    """The values of the parameters."""
    function, rest = builder.function, list(builder.function.leaves_in)
    for typ in typs:
        count = len(leaves.leaf_types(typ))
        function.args.append(leaves.receive(builder, typ, rest[:count]))
        del rest[:count]
    return function.args


def record_unbox(typ, function, name="unbox"):
    """Records ``function(typ, obj, c)``: of a Python object (`ptr`) the leaves of ``typ``, and whether it failed."""
    ftype = FunctionType(LiteralStructType([leaves.value_type(typ), cgutils.bool_t]), [cgutils.voidptr_t])

    def give(builder, value):
        found, failed = cgutils.unpack_tuple(builder, value)
        return [*leaves.give(builder, typ, found), builder.leaf(failed)]

    builder = _begin(name, ftype, ["ptr"], [*leaves.leaf_types(typ), "i1"], give)
    (obj,) = _arguments(builder, [types.voidptr])
    with _mistakes():
        native = function(typ, obj, UnboxContext(cpu_context, builder, PythonAPI(cpu_context, builder)))
    if not isinstance(native, NativeValue):
        raise LoweringError(f"unboxing {typ} gives a NativeValue, not {native!r}")
    if native.cleanup is not None:
        raise UnsupportedError(f"unboxing {typ} with something to clean up")
    if getattr(native.is_error, "type", None) != cgutils.bool_t:
        raise LoweringError(f"unboxing {typ}: is_error is a bit, not {native.is_error!r}")
    value = cgutils.pack_struct(builder, [_of_type(typ, native.value), native.is_error])
    return _end(builder, value, f"unboxing {typ}")


def _of_type(typ, value):
    if not isinstance(value, Value) or value.type != leaves.value_type(typ):
        raise LoweringError(f"a value of type {typ} is a {leaves.value_type(typ)}, not {value!r}")
    return value


def record_box(typ, function, name="box"):
    """Records ``function(typ, val, c)``: of the leaves of ``typ`` a Python object (`ptr`), null where it failed."""
    ftype = FunctionType(cgutils.voidptr_t, [leaves.value_type(typ)])
    builder = _begin(name, ftype, leaves.leaf_types(typ), ["ptr"], None)
    (value,) = _arguments(builder, [typ])
    context = BoxContext(cpu_context, builder, PythonAPI(cpu_context, builder), None)
    with _mistakes():
        made = function(typ, value, context)
    return _end(builder, made, f"boxing {typ}")
