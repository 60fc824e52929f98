"""Code written with an ``IRBuilder`` is recorded as LIR that means the same: every operation, control flow, memory,
aggregates, CPython's API; and mistakes are errors.

What is recorded runs on the interpreter, as it is and behind LIR's passes.
"""

import contextlib
import math
import re
import struct

import pytest
from numbra import _numbra
from numbra.core import cgutils, types
from numbra.core.datamodel import models
from numbra.core.datamodel.registry import default_manager, make_attribute_wrapper, register_model
from numbra.core.errors import LoweringError, UnsupportedError
from numbra.core.recorder import NativeValue, record_box, record_call, record_unbox
from numbra.core.recorder import llvmir as ir
from numbra.core.typing import signature

I1, I8, I32, I64, F64 = ir.IntType(1), ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.DoubleType()
SIGNED = [types.int8, types.int16, types.int32, types.int64]
UNSIGNED = [types.uint8, types.uint16, types.uint32, types.uint64]
FLOATS = [types.float32, types.float64]


@pytest.fixture
def command(capfd, tmp_path):
    """Runs numbra's command on LIR; what it prints."""

    def run(text, *args):
        path = tmp_path / "recorded.lir"
        path.write_text(text)
        capfd.readouterr()
        status = _numbra._command([str(path), *map(str, args)])
        out, err = capfd.readouterr()
        assert status == 0, f"{err}\n{text}"
        return out

    return run


@pytest.fixture
def check(command):
    """Records code at argument types, reads and verifies it, and compares what it gives for lists of arguments."""

    def check(code, result, args, *cases):
        def implementation(context, builder, sig, args):
            return code(context, builder, *args)

        text = record_call(implementation, signature(result, *args), "f").text("f")
        for form in (text, command(text, "--to", "lir-opt")):
            for *values, want in cases:
                got = command(form, "--run", "f", *map(_text, values)).strip()
                if isinstance(want, str):
                    number = re.fullmatch(r"raised Exception\((exc\d+), \[\]\)", got)[1]
                    assert f'exception {number} = "builtins.{want}"' in form, (values, got, form)
                    continue
                want = want if isinstance(want, tuple) else (want,)
                parts = got.split(", ") if got else []
                assert len(parts) == len(want)
                assert all(_is(part, value) for part, value in zip(parts, want, strict=True)), (values, got, want, form)
        return text

    return check


def _text(value):
    return str(int(value)) if isinstance(value, bool) else repr(value)


def _is(text, value):
    if isinstance(value, float):
        got = float(text)
        return got == value or (math.isnan(got) and math.isnan(value)) or math.isclose(got, value, rel_tol=1e-6)
    return int(text) == value


def wrapped(value, typ):
    """An integer as a value of a type, as the command prints it."""
    value &= (1 << typ.bitwidth) - 1
    return value - (value >> (typ.bitwidth - 1) << typ.bitwidth)


def plain(value, typ):
    """The number that bits stand for in a type."""
    value &= (1 << typ.bitwidth) - 1
    return wrapped(value, typ) if typ.signed else value


def towards_zero(a, b):
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


# method, in Python, whether it is of signed numbers (None: both)
INTEGERS = [
    ("add", lambda a, b: a + b, None),
    ("sub", lambda a, b: a - b, None),
    ("mul", lambda a, b: a * b, None),
    ("and_", lambda a, b: a & b, None),
    ("or_", lambda a, b: a | b, None),
    ("xor", lambda a, b: a ^ b, None),
    ("sdiv", towards_zero, True),
    ("srem", lambda a, b: a - b * towards_zero(a, b), True),
    ("udiv", lambda a, b: a // b, False),
    ("urem", lambda a, b: a % b, False),
    ("shl", lambda a, b: a << b, None),
    ("lshr", lambda a, b: a >> b, False),
    ("ashr", lambda a, b: a >> b, True),
]


INTEGERS = [
    pytest.param(method, python, typ, id=f"{method} {typ}")
    for method, python, signed in INTEGERS
    for typ in [*SIGNED, *UNSIGNED]
    if signed is None or signed == typ.signed
]


@pytest.mark.parametrize(("method", "python", "typ"), INTEGERS)
def test_integers(check, method, python, typ):
    pairs = [(100, 7), (-100, 3), (-5, 2), (1, 1)]
    cases = [(wrapped(a, typ), b, wrapped(python(plain(a, typ), b), typ)) for a, b in pairs]
    check(lambda context, builder, a, b: getattr(builder, method)(a, b), typ, (typ, typ), *cases)


COMPARISONS = {
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}


@pytest.mark.parametrize("typ", [types.int8, types.uint8, types.int64, types.uint64], ids=str)
@pytest.mark.parametrize("cmpop", COMPARISONS)
def test_integer_comparisons(check, cmpop, typ):
    method = "icmp_signed" if typ.signed else "icmp_unsigned"
    pairs = [(3, 3), (-1, 1), (2, -7)]
    cases = [(a, b, COMPARISONS[cmpop](plain(a, typ), plain(b, typ))) for a, b in pairs]
    check(lambda context, builder, a, b: getattr(builder, method)(cmpop, a, b), types.boolean, (typ, typ), *cases)


@pytest.mark.parametrize("method", ["icmp_signed", "icmp_unsigned"])
@pytest.mark.parametrize("cmpop", COMPARISONS)
def test_comparisons_of_bits(check, cmpop, method):
    def number(bit):
        return -bit if method == "icmp_signed" else bit

    cases = [(a, b, COMPARISONS[cmpop](number(a), number(b))) for a in (0, 1) for b in (0, 1)]
    bits = (types.boolean, types.boolean)
    check(lambda context, builder, a, b: getattr(builder, method)(cmpop, a, b), types.boolean, bits, *cases)


@pytest.mark.parametrize("typ", FLOATS, ids=str)
@pytest.mark.parametrize("cmpop", [*COMPARISONS, "ord", "uno"])
def test_float_comparisons(check, cmpop, typ):
    for method, of_nan in (("fcmp_ordered", False), ("fcmp_unordered", True)):
        cases = []
        for a, b in [(1.5, 1.5), (-1.0, 2.0), (3.0, 2.0), (math.nan, 1.0), (1.0, math.nan)]:
            isnan = math.isnan(a) or math.isnan(b)
            if cmpop in ("ord", "uno"):
                want = isnan == (cmpop == "uno")
            else:
                want = of_nan if isnan else COMPARISONS[cmpop](a, b)
            cases.append((a, b, want))

        def code(context, builder, a, b, method=method):
            return getattr(builder, method)(cmpop, a, b)

        check(code, types.boolean, (typ, typ), *cases)


@pytest.mark.parametrize("typ", FLOATS, ids=str)
@pytest.mark.parametrize(
    ("method", "python"),
    [
        ("fadd", lambda a, b: a + b),
        ("fsub", lambda a, b: a - b),
        ("fmul", lambda a, b: a * b),
        ("fdiv", lambda a, b: a / b),
        ("frem", math.fmod),
    ],
)
def test_floats(check, method, python, typ):
    cases = [(a, b, python(a, b)) for a, b in [(7.5, 2.0), (-7.5, 2.0), (0.25, -4.0)]]
    check(lambda context, builder, a, b: getattr(builder, method)(a, b), typ, (typ, typ), *cases)


def test_halves(check):
    def code(context, builder, a, b):
        a, b = (builder.fptrunc(x, ir.HalfType()) for x in (a, b))
        total = builder.fadd(builder.frem(a, b), ir.HalfType()(0.5))
        return builder.fpext(total, F64)

    check(code, types.float64, (types.float64, types.float64), (7.5, 2.0, 2.0))


@pytest.mark.parametrize("typ", SIGNED, ids=str)
def test_operations_of_one_operand(check, typ):
    bits, value = typ.bitwidth, 20

    def code(context, builder, a):
        ops = [builder.neg(a), builder.not_(a), builder.ctpop(a), builder.ctlz(a, I1(0)), builder.cttz(a, I1(0))]
        return cgutils.pack_array(builder, ops)

    want = (-value, ~value, 2, bits - 5, 2)
    check(code, types.UniTuple(typ, 5), (typ,), (value, want), (0, (0, -1, 0, bits, bits)))
    if bits > 8:
        swapped = int.from_bytes(value.to_bytes(bits // 8, "little"), "big")
        check(lambda context, builder, a: builder.bswap(a), typ, (typ,), (value, wrapped(swapped, typ)))


def test_bits_are_numbers(check):
    def code(context, builder, a, b):
        ops = [
            builder.add(a, b),
            builder.sub(a, b),
            builder.mul(a, b),
            builder.or_(a, b),
            builder.not_(a),
            builder.neg(a),
        ]
        return cgutils.pack_array(builder, ops)

    cases = [(a, b, (a ^ b, a ^ b, a & b, a | b, 1 - a, a)) for a in (0, 1) for b in (0, 1)]
    check(code, types.UniTuple(types.boolean, 6), (types.boolean, types.boolean), *cases)


@pytest.mark.parametrize("typ", [*SIGNED, *UNSIGNED], ids=str)
@pytest.mark.parametrize("method", ["add", "sub", "mul"])
def test_overflow(check, method, typ):
    def code(context, builder, a, b):
        return getattr(builder, f"{'s' if typ.signed else 'u'}{method}_with_overflow")(a, b)

    least, most = (
        (-(1 << typ.bitwidth - 1), (1 << typ.bitwidth - 1) - 1) if typ.signed else (0, (1 << typ.bitwidth) - 1)
    )
    cases = []
    for a, b in [(most, 2), (least, 1), (5, 3)]:
        exact = {"add": a + b, "sub": a - b, "mul": a * b}[method]
        cases.append((wrapped(a, typ), b, (wrapped(exact, typ), not least <= exact <= most)))
    check(code, types.Tuple((typ, types.boolean)), (typ, typ), *cases)


def test_fused_multiplication(check):
    args = (types.float64,) * 3
    check(lambda context, builder, a, b, c: builder.fma(a, b, c), types.float64, args, (2.0, 3.0, 1.0, 7.0))
    check(lambda context, builder, a, b, c: builder.fneg(a), types.float64, args, (2.0, 3.0, 1.0, -2.0))


CONVERSIONS = [
    ("zext", types.uint8, types.uint64, -1, 255),
    ("sext", types.int8, types.int64, -1, -1),
    ("sext", types.boolean, types.int32, 1, -1),
    ("zext", types.boolean, types.int32, 1, 1),
    ("trunc", types.int64, types.int8, 511, -1),
    ("trunc", types.int64, types.boolean, 2, 0),
    ("sitofp", types.int32, types.float64, -3, -3.0),
    ("sitofp", types.boolean, types.float64, 1, -1.0),
    ("uitofp", types.uint8, types.float32, -1, 255.0),
    ("uitofp", types.boolean, types.float64, 1, 1.0),
    ("fptosi", types.float64, types.int16, -3.7, -3),
    ("fptosi", types.float64, types.boolean, 1.0, 1),
    ("fptoui", types.float32, types.uint64, 3.7, 3),
    ("fpext", types.float32, types.float64, 1.5, 1.5),
    ("fptrunc", types.float64, types.float32, 0.1, 0.1),
    ("bitcast", types.float64, types.int64, 1.0, struct.unpack("<q", struct.pack("<d", 1.0))[0]),
    ("bitcast", types.int32, types.float32, 0x3F800000, 1.0),
]


@pytest.mark.parametrize(("method", "source", "target", "value", "want"), CONVERSIONS)
def test_conversions(check, method, source, target, value, want):
    def code(context, builder, a):
        return getattr(builder, method)(a, context.get_value_type(target))

    check(code, target, (source,), (value, want))


@pytest.mark.parametrize(
    ("source", "target", "value", "want"),
    [
        (types.int32, types.int64, -1, -1),
        (types.uint32, types.int64, -1, 0xFFFFFFFF),
        (types.int64, types.uint8, 300, 44),
        (types.int64, types.float64, -2, -2.0),
        (types.float64, types.int64, -2.5, -2),
        (types.float64, types.uint8, 200.5, -56),
        (types.boolean, types.int64, 1, 1),
        (types.int64, types.boolean, 4, 1),
        (types.float64, types.boolean, math.nan, 1),
        (types.float32, types.complex128, 1.5, (1.5, 0.0)),
        (types.int64, types.complex64, 3, (3.0, 0.0)),
        (types.int32, types.Optional(types.int64), 7, (1, 7)),
    ],
)
def test_casts(check, source, target, value, want):
    check(lambda context, builder, a: context.cast(builder, a, source, target), target, (source,), (value, want))


def test_casts_of_optional_values(check):
    optional = types.Optional(types.int64)

    def code(context, builder, a):
        return context.cast(builder, a, optional, types.float64)

    check(code, types.float64, (optional,), (1, 3, 3.0), (0, 3, "TypeError"))


# Control.


def test_if_then(check):
    def code(context, builder, a):
        found = cgutils.alloca_once_value(builder, I64(1))
        with builder.if_then(builder.icmp_signed("<", a, I64(0)), likely=False) as end:
            builder.store(I64(2), found)
            with cgutils.if_likely(builder, builder.icmp_signed("<", a, I64(-10))):
                builder.store(I64(3), found)
                builder.branch(end)
        return builder.load(found)

    assert "cold" in check(code, types.int64, (types.int64,), (5, 1), (-5, 2), (-50, 3))


def test_if_else_and_phi(check):
    def code(context, builder, a, b):
        with builder.if_else(builder.icmp_signed(">", a, b)) as (then, otherwise):
            with then:
                high, one = builder.mul(a, I64(2)), builder.block
            with otherwise:
                low, two = builder.sub(b, a), builder.block
        phi = builder.phi(I64)
        phi.add_incoming(high, one)
        phi.add_incoming(low, two)
        return builder.add(phi, a)

    check(code, types.int64, (types.int64, types.int64), (5, 2, 15), (2, 5, 5))


def test_early_returns(check):
    def code(context, builder, a):
        with builder.if_then(builder.icmp_signed("<", a, I64(0))):
            builder.ret(I64(-1))
        return a

    check(code, types.int64, (types.int64,), (5, 5), (-5, -1))


def test_switch(check):
    def code(values):
        def switched(context, builder, a):
            end, default = builder.append_basic_block("end"), builder.append_basic_block("default")
            switch = builder.switch(a, default)
            with builder.goto_block(end):
                phi = builder.phi(I64)
            builder.position_at_end(default)
            builder.branch(end)
            phi.add_incoming(I64(-1), default)
            for n, value in enumerate(values):
                block = builder.append_basic_block()
                switch.add_case(value, block)
                builder.position_at_end(block)
                builder.branch(end)
                phi.add_incoming(builder.function.args[0], block) if n == 0 else phi.add_incoming(I64(n), block)
            builder.position_at_end(end)
            return phi

        return switched

    check(code([0, 2, 3]), types.int64, (types.int64,), (0, 0), (1, -1), (2, 1), (3, 2), (4, -1), (-1, -1))
    check(code([-5, 1000, 7]), types.int64, (types.int64,), (-5, -5), (1000, 1), (7, 2), (0, -1))
    check(code([]), types.int64, (types.int64,), (0, -1))


def test_for_range(check):
    def code(context, builder, n):
        total = cgutils.alloca_once(builder, I64)
        with cgutils.for_range(builder, n, start=I64(2)) as loop:
            with builder.if_then(builder.icmp_signed(">", loop.index, I64(100))):
                loop.do_break()
            builder.store(builder.add(builder.load(total), loop.index), total)
        return builder.load(total)

    check(code, types.int64, (types.int64,), (0, 0), (6, 14), (1000, sum(range(2, 101))))


def test_for_range_slice(check):
    def code(context, builder, start, stop, step):
        total = cgutils.alloca_once(builder, I64)
        with cgutils.for_range_slice_generic(builder, start, stop, step) as ranges:
            for one in ranges:
                with one as (index, count):
                    builder.store(
                        builder.add(builder.load(total), builder.mul(index, builder.add(count, I64(1)))), total
                    )
        return builder.load(total)

    def python(*args):
        return sum(i * (n + 1) for n, i in enumerate(range(*args)))

    cases = [(*args, python(*args)) for args in [(0, 10, 3), (10, 0, -2), (5, 5, 1)]]
    check(code, types.int64, (types.int64,) * 3, *cases)


@pytest.mark.parametrize("order", ["C", "F"])
def test_loop_nest(check, order):
    def code(context, builder, n, m):
        value = cgutils.alloca_once(builder, I64)
        with cgutils.loop_nest(builder, (n, m), I64, order) as (i, j):
            next_ = builder.add(builder.mul(builder.load(value), I64(3)), builder.add(builder.mul(i, I64(10)), j))
            builder.store(next_, value)
        return builder.load(value)

    def python(n, m):
        value = 0
        for i, j in (
            [(i, j) for i in range(n) for j in range(m)]
            if order == "C"
            else [(i, j) for j in range(m) for i in range(n)]
        ):
            value = value * 3 + i * 10 + j
        return value

    check(code, types.int64, (types.int64, types.int64), (2, 3, python(2, 3)), (0, 3, 0))


def test_early_exit(check):
    def code(context, builder, a):
        found = cgutils.alloca_once(builder, I64)
        with contextlib.ExitStack() as stack:
            with cgutils.early_exit_if(builder, stack, builder.icmp_signed("<", a, I64(0))):
                builder.store(I64(-1), found)
            with cgutils.early_exit_if(builder, stack, builder.icmp_signed(">", a, I64(10))):
                builder.store(I64(1), found)
            builder.store(a, found)
        return builder.load(found)

    check(code, types.int64, (types.int64,), (-3, -1), (30, 1), (4, 4))


def test_exceptions(check):
    def code(context, builder, a, b):
        cgutils.guard_null(context, builder, b, (ZeroDivisionError, 'by "zero"'))
        with builder.if_then(builder.icmp_signed("<", a, I64(0))):
            context.call_conv.return_user_exc(builder, ValueError, ("negative", 3))
        return builder.sdiv(a, b)

    text = check(code, types.int64, (types.int64,) * 2, (6, 3, 2), (6, 0, "ZeroDivisionError"), (-6, 3, "ValueError"))
    assert "raises {" in text


def test_unreachable_code_goes(check):
    def code(context, builder, a):
        end = builder.append_basic_block("end")
        with builder.if_else(builder.icmp_signed("<", a, I64(0))) as (then, otherwise):
            with then:
                builder.branch(end)
            with otherwise:
                builder.branch(end)
        builder.unreachable()
        builder.position_at_end(end)
        return a

    assert "endif" not in check(code, types.int64, (types.int64,), (3, 3))


def test_blocks_in_any_order(check):
    def code(context, builder, a):
        first, second = builder.append_basic_block("first"), builder.append_basic_block("second")
        with builder.goto_block(second):
            total = builder.add(a, I64(1))
            builder.ret(total)
        with builder.goto_block(first):
            builder.branch(second)
        with builder.goto_block(second):
            # Before the terminator.
            builder.comment("nothing")
        with builder.goto_entry_block():
            extra = builder.mul(a, I64(2))
        builder.position_before(total)
        builder.store(extra, cgutils.alloca_once(builder, I64))
        builder.position_at_end(builder.function.entry_basic_block)
        builder.branch(first)

    check(code, types.int64, (types.int64,), (3, 4))


# Memory and aggregates.


def test_layout():
    inner = ir.LiteralStructType([I8, I32])
    outer = ir.LiteralStructType([I1, F64, inner, ir.ArrayType(ir.IntType(16), 3), I64.as_pointer()])
    assert (inner.size, inner.align, inner.offsets) == (8, 4, [0, 4])
    assert (outer.size, outer.align, outer.offsets) == (40, 8, [0, 8, 16, 24, 32])
    assert outer.kinds == ("i1", "f64", "i8", "i32", "i16", "i16", "i16", "ptr")
    packed = ir.LiteralStructType([I8, I64], packed=True)
    assert (packed.size, packed.offsets) == (9, [0, 1])
    assert I64.as_pointer().pointee is I64
    assert ir.PointerType(I8) == I8.as_pointer() != I64.as_pointer()
    assert str(ir.FunctionType(ir.VoidType(), [I8.as_pointer()], var_arg=True)) == "void (i8*, ...)"


def test_structs_in_memory(check):
    struct_type = ir.LiteralStructType([I8, ir.ArrayType(I64, 3), I1])

    def code(context, builder, a, i):
        made = struct_type([1, [10, 20, 30], True])
        made = builder.insert_value(made, a, [1, 1])
        pointer = cgutils.alloca_once_value(builder, made)
        item = builder.gep(pointer, [I32(0), I32(1), i], inbounds=True)
        builder.store(builder.add(builder.load(item), I64(1)), item)
        loaded = builder.load(pointer)
        parts = [builder.extract_value(loaded, path) for path in ([1, 0], [1, 1], [1, 2])]
        bit = builder.zext(builder.extract_value(loaded, 2), I64)
        return cgutils.pack_array(builder, [*parts, bit, builder.sext(builder.extract_value(loaded, 0), I64)])

    result = types.UniTuple(types.int64, 5)
    cases = [(5, 0, (11, 5, 30, 1, 1)), (5, 1, (10, 6, 30, 1, 1)), (5, 2, (10, 5, 31, 1, 1))]
    check(code, result, (types.int64, types.int64), *cases)


def test_select_and_phi_of_aggregates(check):
    pair = types.Tuple((types.int64, types.float64))

    def code(context, builder, p, q, which):
        chosen = builder.select(which, p, q)
        start = builder.block
        with builder.if_then(builder.icmp_signed(">", builder.extract_value(chosen, 0), I64(10))):
            large = builder.insert_value(chosen, I64(10), 0)
            inside = builder.block
        phi = builder.phi(chosen.type)
        phi.add_incoming(chosen, start)
        phi.add_incoming(large, inside)
        return phi

    cases = [(1, 1.0, 50, 2.0, 1, (1, 1.0)), (1, 1.0, 50, 2.0, 0, (10, 2.0))]
    check(code, pair, (pair, pair, types.boolean), *cases)


def test_pointers(check):
    def code(context, builder, a):
        buffer = builder.alloca(I64, size=4)
        number = builder.ptrtoint(builder.gep(buffer, [I64(1)]), I64)
        builder.store(a, builder.inttoptr(number, I64.as_pointer()))
        bytes_ = builder.bitcast(buffer, cgutils.voidptr_t)
        low = builder.load(cgutils.pointer_add(builder, bytes_, 8))
        cgutils.raw_memcpy(builder, builder.gep(buffer, [I64(2)]), builder.gep(buffer, [I64(1)]), I64(1), 8)
        cgutils.memset(builder, builder.gep(buffer, [I64(3)]), I64(8), 1)
        cgutils.memcpy(builder, buffer, builder.gep(buffer, [I64(2)]), I64(1))
        null = cgutils.get_null_value(buffer.type)
        size = builder.ptrtoint(null.gep([I32(1)]), I64)
        values = [builder.load(builder.gep(buffer, [I64(n)])) for n in (0, 2, 3)]
        checks = [builder.zext(cgutils.is_not_null(builder, buffer), I64), builder.sext(low, I64), size]
        return cgutils.pack_array(builder, [*values, *checks])

    want = (513, 513, 0x0101010101010101, 1, 1, 8)
    check(code, types.UniTuple(types.int64, 6), (types.int64,), (513, want))


def test_atomic_operations(check):
    def code(context, builder, a):
        at = cgutils.alloca_once_value(builder, a)
        old = builder.atomic_rmw("add", at, I64(5), "seq_cst")
        swapped = builder.cmpxchg(at, builder.add(a, I64(5)), I64(1), "monotonic")
        return cgutils.pack_array(builder, [old, builder.extract_value(swapped, 0), builder.load(at)])

    check(code, types.UniTuple(types.int64, 3), (types.int64,), (7, (7, 12, 1)))


def test_constant_data(check):
    def code(context, builder, i):
        table = cgutils.global_constant(builder, "table", cgutils.create_constant_array(I32, [3, -4, 5]))
        text = context.insert_const_string(builder.module, "hé")
        assert context.insert_const_string(builder.module, "hé") is text
        letter = builder.load(builder.gep(text, [i]))
        return cgutils.pack_array(builder, [builder.load(cgutils.gep(builder, table, 0, i)), builder.sext(letter, I32)])

    check(
        code, types.UniTuple(types.int32, 2), (types.int64,), (0, (3, 104)), (1, (-4, 0xC3 - 256)), (2, (5, 0xA9 - 256))
    )


def test_constants():
    assert I8(255).literals() == (-1,)
    assert I1(True).literals() == (1,)
    assert F64(0.1).literals() == ("0.1",)
    assert ir.FloatType()(math.inf).literals() == ("bits 0x7f800000",)
    pair = ir.Constant.literal_struct([I8(1), F64(2.0)])
    assert str(pair.type) == "{i8, double}"
    assert pair.image()[0] == struct.pack("<b7xd", 1, 2.0)
    assert ir.Constant(ir.ArrayType(I32, 2), None).literals() == (0, 0)


def test_divmod_by_constant(check):
    def code(context, builder, a):
        return cgutils.pack_array(builder, cgutils.divmod_by_constant(builder, a, 7))

    check(code, types.UniTuple(types.int64, 2), (types.int64,), *[(a, divmod(a, 7)) for a in (20, -20, 21, -21, 0)])


# Numba's types.


def test_complex_numbers(check):
    def code(context, builder, a, b):
        left, right = (context.make_complex(builder, types.complex128, each) for each in (a, b))
        total = context.make_complex(builder, types.complex128)
        total.real, total.imag = builder.fadd(left.real, right.real), builder.fadd(left.imag, right.imag)
        return total._getvalue()

    check(code, types.complex128, (types.complex128,) * 2, (1.0, 2.0, 3.0, 4.0, (4.0, 6.0)))


def test_types_without_leaves(check):
    three = types.literal(3)
    assert "iconst 3" in check(lambda context, builder, a: builder.add(a, a), types.int64, (three,), (6,))
    check(lambda context, builder, a: None, types.none, (types.int64,), (1, ()))
    check(lambda context, builder, a: context.get_dummy_value(), types.none, (types.none,), ((),))


def test_arrays(command):
    array = types.Array(types.float64, 2, "C")

    def code(context, builder, sig, args):
        value = context.make_array(array)(context, builder, args[0])
        pointer = cgutils.get_item_pointer(context, builder, array, value, [args[1]] * 2, True, True)
        builder.store(F64(1.0), pointer)
        value.data = pointer
        context.nrt.incref(builder, array, value._getvalue())
        assert str(context.nrt.meminfo_data(builder, value.meminfo).type) == "i8*"
        return value._getvalue()

    text = record_call(code, signature(array, array, types.int64), "f").text("f")
    assert "function export @f(ptr, ref, i64, i64, i64, i64, i64) -> (ptr, ref, i64, i64, i64, i64) raises" in text
    assert "retain" in command(text, "--to", "lir-opt")


def test_new_memory(check):
    array = types.Array(types.int64, 1, "C")

    def made(context, builder, n):
        meminfo = context.nrt.meminfo_alloc(builder, builder.mul(n, I64(8)))
        data = builder.bitcast(context.nrt.meminfo_data(builder, meminfo), I64.as_pointer())
        with cgutils.for_range(builder, n) as loop:
            builder.store(builder.mul(loop.index, loop.index), builder.gep(data, [loop.index]))
        value = context.make_array(array)(context, builder)
        return context.populate_array(value, data, [n], [8], 8, meminfo)

    def total(context, builder, n):
        value = made(context, builder, n)
        found = cgutils.alloca_once(builder, I64)
        with cgutils.for_range(builder, value.nitems) as loop:
            item = builder.load(builder.gep(value.data, [loop.index]))
            builder.store(builder.add(builder.load(found), item), found)
        return builder.load(found)

    text = check(total, types.int64, (types.int64,), (0, 0), (5, 30))
    assert "call_native @numbra_rt_alloc" in text and "refs 0" in text

    def returned(context, builder, sig, args):
        return made(context, builder, *args)._getvalue()

    record_call(returned, signature(array, types.int64), "f")


def test_leaves():
    def leaves(typ):
        return " ".join(default_manager.lookup(typ).leaf_types())

    assert leaves(types.boolean) == "i1"
    assert leaves(types.complex64) == "f32 f32"
    assert leaves(types.none) == leaves(types.literal("a")) == ""
    assert leaves(types.Optional(types.int8)) == "i1 i8"
    assert leaves(types.Tuple((types.int64, types.UniTuple(types.float32, 2)))) == "i64 f32 f32"
    assert leaves(types.unicode_type) == "ptr i64 i32 i32 i64 ref"
    assert leaves(types.Array(types.int8, 1, "A")) == "ptr ref i64 i64"
    assert leaves(types.ListType(types.int64)) == "ref"
    assert leaves(types.CPointer(types.int32)) == leaves(types.voidptr) == "ptr"
    assert str(default_manager.lookup(types.CPointer(types.int32)).get_value_type()) == "i32*"


class Interval(types.Type):
    def __init__(self):
        super().__init__(name="Interval")


class Handle(types.Opaque):
    pass


class Unknown(types.Type):
    pass


@register_model(Interval)
class IntervalModel(models.StructModel):
    def __init__(self, dmm, fe_type):
        members = [("lo", types.float64), ("open", types.boolean), ("hi", types.Optional(types.float64))]
        models.StructModel.__init__(self, dmm, fe_type, members)


register_model(Handle)(models.OpaqueModel)
make_attribute_wrapper(Interval, "lo", "low")
interval, handle = Interval(), Handle("handle")


class Finer(Handle):
    pass


def test_data_models_of_other_people(check):
    assert default_manager.lookup(Finer("finer")).leaf_types() == ["ptr"]
    assert interval._numbra_model_() == (
        False,
        [
            ("lo", types.float64, "low", False),
            ("open", types.boolean, None, False),
            ("hi", types.Optional(types.float64), None, False),
        ],
    )
    assert handle._numbra_model_() == (False, [("pointer", types.voidptr, None, False)])
    assert default_manager.lookup(interval).leaf_types() == ["f64", "i1", "i1", "f64"]

    def code(context, builder, value):
        proxy = cgutils.create_struct_proxy(interval)(context, builder, value=value)
        proxy.lo = builder.fadd(proxy.lo, F64(1.0))
        proxy.open = builder.not_(proxy.open)
        proxy.hi = context.make_optional_value(builder, types.float64, proxy.lo)
        return proxy._getvalue()

    check(code, interval, (interval,), (1.0, 1, 0, 5.0, (2.0, 0, 1, 2.0)))


# CPython's API, and calls.


def test_unboxing_and_boxing(command):
    def unbox(typ, obj, c):
        lo = c.pyapi.object_getattr_string(obj, "lo")
        proxy = cgutils.create_struct_proxy(typ)(c.context, c.builder)
        failed = cgutils.alloca_once_value(c.builder, cgutils.true_bit)
        with c.pyapi.if_object_ok(lo):
            native = c.unbox(types.float64, lo)
            proxy.lo = native.value
            c.builder.store(native.is_error, failed)
            c.pyapi.decref(lo)
        return NativeValue(proxy._getvalue(), is_error=c.builder.load(failed))

    def box(typ, val, c):
        proxy = cgutils.create_struct_proxy(typ)(c.context, c.builder, value=val)
        cls = c.pyapi.unserialize(c.pyapi.serialize_object(Interval))
        made = c.pyapi.call_function_objargs(cls, [c.box(types.float64, proxy.lo), c.box(types.boolean, proxy.open)])
        c.pyapi.decref(cls)
        return made

    module = record_unbox(interval, unbox)
    assert "function export @unbox(ptr) -> (f64, i1, i1, f64, i1)" in module.text("unbox")
    command(module.text("unbox"), "--to", "lir-opt")
    module = record_box(interval, box)
    assert "function export @box(f64, i1, i1, f64) -> (ptr)" in module.text("box")
    assert module.objects == [Interval]
    assert str(id(Interval)) in module.text("box")
    command(module.text("box"), "--to", "lir-opt")


@pytest.mark.parametrize(
    "typ",
    [types.int8, types.uint32, types.uint64, types.boolean, *FLOATS, types.complex64, types.complex128, types.none],
    ids=str,
)
def test_numbers_to_and_from_python(command, typ):
    command(record_unbox(typ, lambda typ, obj, c: c.unbox(typ, obj), "u").text("u"), "--to", "lir-opt")
    command(record_box(typ, lambda typ, val, c: c.box(typ, val), "b").text("b"), "--to", "lir-opt")


def test_python_api(command):
    def box(typ, val, c):
        api, builder = c.pyapi, c.builder
        module = api.import_module("math")
        items = [api.string_from_constant_string("é"), api.bool_from_bool(cgutils.true_bit), api.make_none()]
        items += [api.long_from_longlong(val), api.float_from_double(F64(1.5))]
        objects = [api.tuple_pack(items[:2]), api.list_pack(items[:2]), api.dict_pack([("a", items[0])])]
        objects += [api.call_method(module, "sqrt", items[3:4]), api.call(module), api.number_add(*items[3:])]
        objects += [api.object_richcompare(module, module, "<"), api.object_richcompare(module, module, "is")]
        for one in objects:
            api.decref(one)
        ok, text, size = api.string_as_string_and_size(items[0])
        with builder.if_then(builder.not_(ok), likely=False):
            api.err_clear()
            api.err_set_string("PyExc_ValueError", "no text")
            builder.ret(api.get_null_object())
        api.string_from_string_and_size(text, size)
        api.gil_release(api.gil_ensure())
        return api.object_getattr_string(module, "pi")

    command(record_box(types.int64, box).text("box"), "--to", "lir-opt")


def test_calls_of_other_functions(check):
    def code(context, builder, a):
        module = builder.module
        kind = ir.FunctionType(I64, [I64, I64])
        function = ir.Function(module, kind, "twice")
        inside = ir.IRBuilder(function.append_basic_block())
        inside.ret(inside.add(*function.args))
        assert cgutils.get_or_insert_function(module, kind, "twice") is function
        address = builder.bitcast(function, cgutils.voidptr_t)
        pointer = builder.bitcast(cgutils.alloca_once_value(builder, address), kind.as_pointer().as_pointer())
        return builder.mul(builder.call(function, [a, a]), builder.call(builder.load(pointer), [a, I64(1)]))

    check(code, types.int64, (types.int64,), (3, 24))


def test_intrinsic_functions(check):
    def code(context, builder, a, n):
        call, declare = builder.call, builder.module.declare_intrinsic
        root = call(declare("llvm.sqrt", [F64]), [a])
        power = call(ir.Function(builder.module, ir.FunctionType(F64, [F64, F64]), "llvm.pow.f64"), [a, root])
        bits = call(declare("llvm.ctpop", [I64]), [n])
        sum_ = call(declare("llvm.sadd.with.overflow", [I64]), [n, bits])
        return cgutils.pack_struct(builder, [root, power, bits, builder.extract_value(sum_, 0)])

    result = types.Tuple((types.float64, types.float64, types.int64, types.int64))
    check(code, result, (types.float64, types.int64), (4.0, 7, (2.0, 16.0, 3, 10)))


def test_c_functions(command):
    def code(context, builder, sig, args):
        kind = ir.FunctionType(I32, [cgutils.voidptr_t], var_arg=True)
        cgutils.printf(builder, "%d\n", args[0])
        exit_ = cgutils.get_or_insert_function(builder.module, kind, "printf")
        return builder.sext(builder.call(exit_, [context.insert_const_string(builder.module, "x")]), I64)

    text = record_call(code, signature(types.int64, types.int64), "f").text("f")
    assert "signature sig0 = (ptr, i64) -> (i32)" in text
    command(text, "--to", "lir-opt")


# Mistakes.


def _other_function(builder):
    function = ir.Function(builder.module, ir.FunctionType(I64, [I64]), "other")
    return ir.IRBuilder(function.append_basic_block()).add(function.args[0], function.args[0])


def _behind_the_terminator(context, builder, a):
    builder.ret(a)
    builder.add(a, a)


def _without_terminator(context, builder, a):
    block = builder.append_basic_block("open")
    builder.branch(block)
    builder.position_at_end(builder.append_basic_block())
    return a


def _phi_without_value(context, builder, a):
    with builder.if_then(cgutils.true_bit):
        inside = builder.block
    phi = builder.phi(I64)
    phi.add_incoming(a, inside)
    return phi


def _not_computed(context, builder, a):
    with builder.if_then(cgutils.true_bit):
        found = builder.add(a, a)
    return found


def _to_the_entry(context, builder, a):
    builder.branch(builder.function.entry_basic_block)


def _store(context, builder, a):
    builder.store(builder.trunc(a, I32), cgutils.alloca_once(builder, I64))


def _field(context, builder, a):
    cgutils.create_struct_proxy(interval)(context, builder).lo = a


def _no_field(context, builder, a):
    return cgutils.create_struct_proxy(interval)(context, builder).middle


MISTAKES = [
    (lambda context, builder, a: builder.trunc(a, I32), "returns <i32 value v1 of .*test_recorder.py:.*not .*i64"),
    (lambda context, builder, a: 3, "returned 3, which is no value"),
    (lambda context, builder, a: None, "returned None"),
    (lambda context, builder, a: builder.add(a, I32(1)), "add of <i64 value v0 of .*> and <i32 constant 1>"),
    (lambda context, builder, a: builder.add(a, 1), "an operand is a value, not 1"),
    (lambda context, builder, a: builder.fadd(a, a), "fadd of"),
    (lambda context, builder, a: builder.zext(a, I8), "zext of .* to i8"),
    (lambda context, builder, a: builder.sitofp(a, I64.as_pointer()), "sitofp"),
    (lambda context, builder, a: builder.bitcast(a, F64.as_pointer()), "bitcast"),
    (lambda context, builder, a: builder.load(a), "load takes a pointer"),
    (lambda context, builder, a: builder.select(a, a, a), "a condition of type i64 where i1"),
    (lambda context, builder, a: builder.cbranch(a, None, None), "a condition of type i64"),
    (lambda context, builder, a: builder.branch(None), "a branch to None"),
    (lambda context, builder, a: builder.extract_value(a, 0), "has no parts"),
    (lambda context, builder, a: builder.icmp_signed("=", a, a), "no comparison '='"),
    (lambda context, builder, a: builder.call(a, []), "is no function"),
    (lambda context, builder, a: builder.add(a, _other_function(builder)), "belongs to function `other`"),
    (lambda context, builder, a: builder.gep(cgutils.alloca_once(builder, I64), [I64(0), I64(0)]), "has no parts"),
    (lambda context, builder, a: I64("x"), "is an integer, not 'x'"),
    (lambda context, builder, a: I64.as_pointer()(1), "is None, not 1"),
    (lambda context, builder, a: ir.ArrayType(I64, 2)([1]).literals(), "1 parts"),
    (lambda context, builder, a: context.get_value_type(Unknown("unknown")), "has no data model"),
    (lambda context, builder, a: ir.IRBuilder().add(a, a), "the builder has no place"),
    (lambda context, builder, a: builder.phi("i64"), "a phi has a type, not 'i64'"),
    (lambda context, builder, a: builder.gep(cgutils.alloca_once(builder, I64), 1), "TypeError: .* at .*test_recorder"),
    (lambda context, builder, a: context.call_conv.return_user_exc(builder, 3), "an exception class"),
    (lambda context, builder, a: context.get_python_api(builder).incref(), "takes 1 arguments, 0 given"),
    (lambda context, builder, a: context.get_python_api(builder).incref(None), "which is no value"),
    (_behind_the_terminator, "`iadd` behind the terminator"),
    (_without_terminator, "block open of function `f`, made at .*, has no terminator"),
    (_phi_without_value, "has no value for control that comes from"),
    (_not_computed, "the value of .*test_recorder.py:.* may not have been computed"),
    (_to_the_entry, "a branch to the entry"),
    (_store, "what is stored of type i32 where i64 is wanted"),
    (_field, "field 'lo' of type Interval is a double"),
    (_no_field, "no field 'middle'"),
]


@pytest.mark.parametrize(("code", "message"), MISTAKES)
def test_mistakes(code, message):
    with pytest.raises(LoweringError, match=message):
        record_call(
            lambda context, builder, sig, args: code(context, builder, *args), signature(types.int64, types.int64), "f"
        )


def test_mistakes_in_boxing():
    with pytest.raises(LoweringError, match="gives a NativeValue, not 3"):
        record_unbox(types.int64, lambda typ, obj, c: 3)
    with pytest.raises(LoweringError, match="a value of type int64 is a i64"):
        record_unbox(types.int64, lambda typ, obj, c: NativeValue(obj))
    with pytest.raises(LoweringError, match="returns <i64 value"):
        record_box(types.int64, lambda typ, val, c: val)


REFUSED = [
    (lambda context, builder, a: builder.invoke(), "IRBuilder.invoke"),
    (lambda context, builder, a: builder.alloca(I64, size=a), "IRBuilder.alloca"),
    (lambda context, builder, a: context.cast(builder, a, types.int64, types.unicode_type), "a cast of int64"),
    (lambda context, builder, a: context.codegen, "context.codegen"),
    (lambda context, builder, a: context.get_python_api(builder).nrt_adapt_ndarray_from_python, "pyapi.nrt_adapt"),
    (lambda context, builder, a: cgutils.printf(builder, "%f", F64(1.0)), "a float among the further arguments"),
    (lambda context, builder, a: ir.IntType(7), "integers of 7 bits"),
    (lambda context, builder, a: ir.VectorType, "llvmlite.ir.VectorType"),
    (lambda context, builder, a: builder.module.declare_intrinsic("llvm.bitreverse", [I64]), "llvm.bitreverse"),
]


@pytest.mark.parametrize(("code", "message"), REFUSED)
def test_what_is_not_supported_is_named(code, message):
    with pytest.raises(UnsupportedError, match=message):
        record_call(
            lambda context, builder, sig, args: code(context, builder, *args), signature(types.int64, types.int64), "f"
        )
