"""Types, conversions and code that programs define with Numba's low-level extension API, on both generators."""

import ctypes
import operator
import subprocess
import sys
import textwrap

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core import cgutils
from numbra.core.errors import LoweringError
from numbra.core.imputils import impl_ret_borrowed
from numbra.core.typing.templates import AbstractTemplate, signature
from numbra.extending import (
    NativeValue,
    box,
    infer_global,
    intrinsic,
    lower_builtin,
    make_attribute_wrapper,
    models,
    overload,
    overload_attribute,
    register_model,
    type_callable,
    typeof_impl,
    unbox,
)
from numbra.llvmlite import binding, ir

TIERS = pytest.mark.parametrize("tier", ["cranelift", "llvm"])


class Interval:
    """A value: two floats."""

    def __init__(self, low, high):
        self.low, self.high = low, high

    def __eq__(self, other):
        return (self.low, self.high) == (other.low, other.high)

    __hash__ = None


class IntervalType(types.Type):
    def __init__(self):
        super().__init__(name="Interval")


interval_type = IntervalType()


@typeof_impl.register(Interval)
def _typeof_interval(value, c):
    return interval_type


@type_callable(Interval)
def _type_interval(context):
    def typer(low, high):
        if isinstance(low, types.Float) and isinstance(high, types.Float):
            return interval_type
        return None

    return typer


@register_model(IntervalType)
class IntervalModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        models.StructModel.__init__(self, dmm, fe_type, [("low", types.float64), ("high", types.float64)])


make_attribute_wrapper(IntervalType, "low", "low")
make_attribute_wrapper(IntervalType, "high", "high")


@overload_attribute(IntervalType, "width")
def _width(interval):
    return lambda interval: interval.high - interval.low


@overload(operator.matmul)
def _joined(a, b):
    if a == interval_type and b == interval_type:
        return lambda a, b: Interval(a.low + b.low, a.high + b.high)
    return None


@lower_builtin(Interval, types.Float, types.Float)
def _make_interval(context, builder, sig, args):
    made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    made.low, made.high = args
    return made._getvalue()


@unbox(IntervalType)
def _unbox_interval(typ, obj, c):
    made = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    low, high = c.pyapi.object_getattr_string(obj, "low"), c.pyapi.object_getattr_string(obj, "high")
    with c.builder.if_then(c.builder.and_(*(cgutils.is_not_null(c.builder, part) for part in (low, high)))):
        made.low, made.high = c.pyapi.float_as_double(low), c.pyapi.float_as_double(high)
        c.pyapi.decref(low)
        c.pyapi.decref(high)
    return NativeValue(made._getvalue(), is_error=cgutils.is_not_null(c.builder, c.pyapi.err_occurred()))


@box(IntervalType)
def _box_interval(typ, val, c):
    value = cgutils.create_struct_proxy(typ)(c.context, c.builder, value=val)
    low, high = c.pyapi.float_from_double(value.low), c.pyapi.float_from_double(value.high)
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(Interval))
    made = c.pyapi.call_function_objargs(cls, (low, high))
    for one in (low, high, cls):
        c.pyapi.decref(one)
    return made


@TIERS
def test_values_of_two_numbers(tier):
    one, other = Interval(1.0, 3.5), Interval(0.5, 1.0)
    jit = nb.njit(tier=tier)
    assert jit(lambda i, x: i.low <= x < i.high)(one, 2.0) is True
    assert jit(lambda i: i.width)(one) == 2.5
    assert jit(lambda i, j: i @ j)(one, other) == Interval(1.5, 4.5)
    made = jit(lambda n: [Interval(float(k), k + 1.0) for k in range(n)])(3)
    assert made == [Interval(0.0, 1.0), Interval(1.0, 2.0), Interval(2.0, 3.0)]
    assert jit(lambda i, n: (i, n, i if n else None))(one, 1) == (one, 1, one)


def test_references_of_conversions_balance():
    one = Interval(1234.5, 5678.5)
    jitted = nb.njit(lambda i: i)
    jitted(one)
    counts = [sys.getrefcount(one.low), sys.getrefcount(one), sys.getrefcount(Interval)]
    for _ in range(1000):
        jitted(one)
    assert [sys.getrefcount(one.low), sys.getrefcount(one), sys.getrefcount(Interval)] == counts


def test_errors_of_conversions():
    with pytest.raises(TypeError, match="must be real number, not str"):
        nb.njit(lambda i: i.width)(Interval("a", 1.0))
    with pytest.raises(AttributeError):
        nb.njit(lambda i: i.width)(Interval.__new__(Interval))
    with pytest.raises(nb.TypingError):
        nb.njit(lambda i: i.width)(3)
    with pytest.raises(nb.TypingError, match="No implementation of function"):
        nb.njit(lambda: Interval(1, 2))()


class Labelled:
    """A value that owns an array and a text."""

    def __init__(self, values, label):
        self.values, self.label = values, label


class LabelledType(types.Type):
    def __init__(self, values):
        self.values = values
        super().__init__(name=f"Labelled({values})")


@typeof_impl.register(Labelled)
def _typeof_labelled(value, c):
    return LabelledType(nb.typeof(value.values))


@register_model(LabelledType)
class LabelledModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        models.StructModel.__init__(self, dmm, fe_type, [("values", fe_type.values), ("label", types.unicode_type)])


make_attribute_wrapper(LabelledType, "values", "values")
make_attribute_wrapper(LabelledType, "label", "label")


@unbox(LabelledType)
def _unbox_labelled(typ, obj, c):
    made = cgutils.create_struct_proxy(typ)(c.context, c.builder)
    errors = []
    for name, ty in (("values", typ.values), ("label", types.unicode_type)):
        part = c.pyapi.object_getattr_string(obj, name)
        native = c.unbox(ty, part)
        setattr(made, name, native.value)
        errors.append(native.is_error)
        c.pyapi.decref(part)
    return NativeValue(made._getvalue(), is_error=c.builder.or_(*errors))


@box(LabelledType)
def _box_labelled(typ, val, c):
    value = cgutils.create_struct_proxy(typ)(c.context, c.builder, value=val)
    values, label = c.box(typ.values, value.values), c.box(types.unicode_type, value.label)
    cls = c.pyapi.unserialize(c.pyapi.serialize_object(Labelled))
    made = c.pyapi.call_function_objargs(cls, (values, label))
    for one in (values, label, cls):
        c.pyapi.decref(one)
    return made


@type_callable(Labelled)
def _type_labelled(context):
    def typer(values, label):
        return LabelledType(values) if isinstance(values, types.Array) else None

    return typer


@lower_builtin(Labelled, types.Array, types.UnicodeType)
def _make_labelled(context, builder, sig, args):
    made = cgutils.create_struct_proxy(sig.return_type)(context, builder)
    made.values, made.label = args
    return impl_ret_borrowed(context, builder, sig.return_type, made._getvalue())


@TIERS
def test_values_that_own_references(tier):
    one = Labelled(np.arange(3.0), "first")
    jit = nb.njit(tier=tier)
    same = jit(lambda x: x)(one)
    assert same.values is one.values
    assert same.label == "first"
    made = jit(lambda x, n: Labelled(x.values * n, x.label + "!"))(one, 2)
    np.testing.assert_array_equal(made.values, [0, 2, 4])
    assert made.label == "first!"
    kept = jit(lambda x: [x, Labelled(np.ones(2), "new")])(one)
    assert [k.label for k in kept] == ["first", "new"]
    with pytest.raises(TypeError):
        jit(lambda x: x.values)(Labelled(np.arange(3.0), 5))
    count = sys.getrefcount(one.values)
    for _ in range(100):
        jit(lambda x: x.values.size)
        same = jit(lambda x: x)
    again = jit(lambda x: x)
    for _ in range(1000):
        again(one)
    assert sys.getrefcount(one.values) == count


@intrinsic
def ones(typingctx, x):
    """Number of bits that are 1."""
    if not isinstance(x, types.Integer):
        return None

    def codegen(context, builder, sig, args):
        return context.cast(builder, builder.ctpop(args[0]), sig.args[0], types.int64)

    return types.int64(x), codegen


@intrinsic
def c_sine(typingctx, x):
    def codegen(context, builder, sig, args):
        kind = ir.FunctionType(ir.DoubleType(), [ir.DoubleType()])
        return builder.call(cgutils.get_or_insert_function(builder.module, kind, "sin"), args)

    return types.float64(types.float64), codegen


@intrinsic
def summed(typingctx, values):
    def codegen(context, builder, sig, args):
        array = context.make_array(sig.args[0])(context, builder, args[0])
        total = cgutils.alloca_once_value(builder, context.get_constant(types.float64, 0.0))
        with cgutils.for_range(builder, builder.extract_value(array.shape, 0)) as loop:
            item = builder.load(builder.gep(array.data, [loop.index]))
            builder.store(builder.fadd(builder.load(total), item), total)
        return builder.load(total)

    return types.float64(values), codegen


@intrinsic
def doubled(typingctx, x):
    def codegen(context, builder, sig, args):
        def double(x):
            if x < 0:
                raise ValueError("negative")
            return x * 2

        return context.compile_internal(builder, double, sig, args)

    return types.int64(types.int64), codegen


@intrinsic
def refused(typingctx, x):
    def codegen(context, builder, sig, args):
        with builder.if_then(builder.icmp_signed("<", args[0], context.get_constant(types.int64, 0))):
            context.call_conv.return_user_exc(builder, KeyError, ("negative",))
        return args[0]

    return types.int64(types.int64), codegen


@TIERS
def test_intrinsics(tier):
    jit = nb.njit(tier=tier)
    assert jit(lambda x: ones(x))(255) == 8
    assert jit(lambda x: ones(x))(np.uint8(7)) == 3
    assert jit(lambda x: c_sine(x))(1.0) == pytest.approx(np.sin(1.0))
    assert jit(lambda x: c_sine(x))(1) == pytest.approx(np.sin(1.0))
    assert jit(lambda a: summed(a))(np.arange(5.0)) == 10.0
    assert jit(lambda x: doubled(x) + 1)(4) == 9
    with pytest.raises(ValueError, match="negative"):
        jit(lambda x: doubled(x))(-1)
    assert jit(lambda x: refused(x))(3) == 3
    with pytest.raises(KeyError, match="negative"):
        jit(lambda x: refused(x))(-3)
    with pytest.raises(nb.TypingError):
        jit(lambda x: ones(x))(1.5)
    assert ones.__doc__ == "Number of bits that are 1."


def test_symbols_that_programs_give():
    triple = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(lambda x: 3 * x)
    binding.add_symbol("extension_tests_triple", ctypes.cast(triple, ctypes.c_void_p).value)

    @intrinsic
    def tripled(typingctx, x):
        def codegen(context, builder, sig, args):
            kind = ir.FunctionType(ir.IntType(64), [ir.IntType(64)])
            return builder.call(cgutils.get_or_insert_function(builder.module, kind, "extension_tests_triple"), args)

        return types.int64(types.int64), codegen

    assert nb.njit(lambda x: tripled(x))(14) == 42
    assert binding.address_of_symbol("extension_tests_no_such_symbol") is None


def between(x, low, high):
    raise NotImplementedError


@infer_global(between)
class Between(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.boolean, *[types.float64] * 3) if len(args) == 3 and not kws else None


@lower_builtin(between, types.float64, types.float64, types.float64)
def _between(context, builder, sig, args):
    x, low, high = args
    return builder.and_(builder.fcmp_ordered("<=", low, x), builder.fcmp_ordered("<", x, high))


def test_templates():
    jitted = nb.njit(lambda x: between(x, 1, 2.5))
    assert [jitted(x) for x in (0.5, 1.0, 2.5, float("nan"))] == [False, True, False, False]


def _returns_nothing(context, builder, sig, args):
    return None


def _returns_another_type(context, builder, sig, args):
    return ir.Constant(ir.IntType(32), 1)


def _adds_other_widths(context, builder, sig, args):
    return builder.add(args[0], ir.Constant(ir.IntType(8), 1))


def _leaves_a_block_open(context, builder, sig, args):
    builder.position_at_end(builder.append_basic_block("open"))
    return args[0]


def _goes_on_behind_the_end(context, builder, sig, args):
    builder.ret(args[0])
    builder.add(args[0], args[0])
    return args[0]


def _asks_for_no_method(context, builder, sig, args):
    return builder.no_such_method(args[0])


@pytest.mark.parametrize(
    "codegen",
    [
        _returns_nothing,
        _returns_another_type,
        _adds_other_widths,
        _leaves_a_block_open,
        _goes_on_behind_the_end,
        _asks_for_no_method,
    ],
)
def test_mistakes_of_extensions(codegen):
    @intrinsic
    def wrong(typingctx, x):
        return types.int64(types.int64), codegen

    with pytest.raises((LoweringError, nb.TypingError)) as raised:
        nb.njit(lambda x: wrong(x))(1)
    assert len(str(raised.value)) > 20


def test_intrinsics_and_the_cache(tmp_path):
    (tmp_path / "cached_extension.py").write_text(
        textwrap.dedent("""
        import numbra as nb
        from numbra import types
        FACTOR = 3
        @nb.extending.intrinsic
        def scaled(typingctx, x):
            def codegen(context, builder, sig, args):
                return builder.mul(args[0], context.get_constant(types.int64, FACTOR))
            return types.int64(types.int64), codegen
        @nb.njit(cache=True)
        def f(x):
            return scaled(x)
        """)
    )

    def run(body):
        program = f"import cached_extension as m\n{body}\nprint(m.f(5), sum(m.f.stats.cache_hits.values()))"
        done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
        assert not done.stderr, done.stderr
        return done.stdout.split()

    assert run("") == ["15", "0"]
    assert run("") == ["15", "1"]
    # Other code is written: what is kept does not hold.
    assert run("m.FACTOR = 4") == ["20", "0"]
