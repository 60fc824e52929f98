"""bfloat16 in kernels on the CPU: the bits of every number, and of operations on many pairs."""

import math
import operator

import ml_dtypes
import numpy as np
import pytest
import statements
from numbra import cuda, njit, types
from numbra.core import errors
from numbra.cuda import bf16

pytestmark = pytest.mark.filterwarnings("ignore::numbra.core.errors.NumbaPerformanceWarning")

EVERY = np.arange(2**16, dtype=np.uint16)
EDGES = [0, 1, 0x7F, 0x80, 0x3F80, 0x3F81, 0x4000, 0x3B80, 0x3F00, 0x7F7F, 0x7F80, 0x7F81, 0x7FFF, 0x4F00, 0x5F00]
EDGES = np.array(EDGES + [bits | 0x8000 for bits in EDGES], np.uint16)
RANDOM = np.random.default_rng(5)
NAMES = {"cuda": cuda, "bf16": bf16, "math": math, "np": np, "types": types}


def numbers(bits):
    """What bfloat16 of these bits are, as float64."""
    with np.errstate(invalid="ignore"):
        return (np.asarray(bits, np.uint16).astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def rounded(x, how=np.rint):
    """Bits of the bfloat16 of float64, by arithmetic that is exact; of NaN those that a GPU gives."""
    with np.errstate(all="ignore"):
        x = np.asarray(x, np.float64)
        exponent = np.maximum(np.frexp(np.where(np.isfinite(x), x, 1))[1] - 1, -126)
        place = np.ldexp(1.0, exponent - 7)
        near = np.where(np.isfinite(x), how(x / place) * place, x)
        greatest = float(numbers(0x7F7F))
        # To nearest, what is half a place above the greatest is infinity; cut, it is the greatest.
        over = np.where(near > 0, how(1.5) != 1, how(-1.5) != -1)
        near = np.where(np.abs(near) > greatest, np.copysign(np.where(over, np.inf, greatest), near), near)
        near = np.where(np.isfinite(x), near, x)
        bits = (np.copysign(near, x).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return np.where(np.isnan(x), np.uint16(0x7FFF), bits)


def run(expression, out, *arrays):
    """``out[i]`` of an expression in ``x``, ``y`` and ``z``, the elements of the arrays."""
    given = [f"a{n}" for n in range(len(arrays))]
    lines = ["i = cuda.grid(1)", "if i < out.size:"]
    lines += [f"    {name} = {array}[i]" for name, array in zip("xyz", given, strict=False)]
    lines += [f"    out[i] = {expression}"]
    kernel = statements.kernel("\n".join(lines), ", ".join(["out", *given]), NAMES)
    cuda.jit(kernel)[(out.size + 255) // 256, 256](out, *arrays)
    return out


def one_nan(bits):
    """Bits with one NaN for all: its bits are whatever the processor makes of them."""
    return np.where((bits & 0x7FFF) > 0x7F80, 0x7FFF, bits)


def fused(a, b, c):
    """Bits of ``a * b + c``, by Python's exact numbers."""
    from fractions import Fraction

    x, y, z = (float(numbers(bits)) for bits in (a, b, c))
    if not (math.isfinite(x) and math.isfinite(y) and math.isfinite(z)):
        with np.errstate(all="ignore"):
            return rounded(np.float64(x) * np.float64(y) + np.float64(z))[()]
    exact = Fraction(x) * Fraction(y) + Fraction(z)
    if exact == 0:
        return rounded(np.float64(x) * np.float64(y) + np.float64(z))[()]
    if abs(exact) >= 2**129:
        return rounded(math.copysign(math.inf, exact))[()]
    place = Fraction(2) ** (max(math.frexp(float(abs(exact)))[1] - 1, -126) - 7)
    return rounded(math.copysign(float(round(exact / place) * place), exact))[()]


def bits_of(expression, *arrays):
    """The bits of a result that is a bfloat16."""
    return one_nan(run(f"bf16.bfloat16_as_uint16({expression})", np.zeros(arrays[0].size, np.uint16), *arrays))


def pairs(count=20_000):
    left, right = (side.ravel() for side in np.meshgrid(EDGES, EDGES))
    more = RANDOM.integers(0, 2**16, (2, count), np.uint16)
    # Of like size, so that sums are not one of the two.
    near = RANDOM.integers(0x3D00, 0x4200, (2, count), np.uint16) | (RANDOM.integers(0, 2, (2, count), np.uint16) << 15)
    return np.concatenate([left, more[0], near[0]]), np.concatenate([right, more[1], near[1]])


X, Y = (f"bf16.uint16_as_bfloat16({name})" for name in "xy")


class TestConversions:
    @pytest.mark.parametrize("ty", ["float32", "float64"])
    def test_every_number_to_floats_and_back(self, ty):
        got = run(f"types.{ty}({X})", np.zeros(EVERY.size, ty), EVERY)
        np.testing.assert_array_equal(got, numbers(EVERY).astype(ty))
        nan = np.isnan(numbers(EVERY))
        np.testing.assert_array_equal(bits_of("bf16.bfloat16(x)", got), np.where(nan, 0x7FFF, EVERY))

    def test_every_number_to_half_floats(self):
        with np.errstate(over="ignore"):
            want = numbers(EVERY).astype(np.float32).astype(np.float16)
        np.testing.assert_array_equal(run(f"types.float16({X})", np.zeros(EVERY.size, np.float16), EVERY), want)

    def test_every_half_float(self):
        halves = EVERY.view(np.float16)
        np.testing.assert_array_equal(bits_of("bf16.bfloat16(x)", halves), rounded(halves.astype(np.float64)))

    @pytest.mark.parametrize("how", ["", "_rn", "_rz", "_rd", "_ru"])
    def test_of_floats_of_single_precision(self, how):
        bits = RANDOM.integers(0, 2**32, 50_000, np.uint32)
        ties = (EVERY.astype(np.uint32) << 16) | np.resize(np.array([0x8000, 0x8001, 0x7FFF, 1], np.uint32), EVERY.size)
        floats = np.concatenate([bits, ties]).view(np.float32)
        by = {"_rz": np.trunc, "_rd": np.floor, "_ru": np.ceil}.get(how, np.rint)
        got = bits_of(f"bf16.float32_to_bfloat16{how}(x)", floats)
        np.testing.assert_array_equal(got, rounded(floats, by))

    @pytest.mark.parametrize("expression", ["bf16.bfloat16(x)", "bf16.float64_to_bfloat16(x)"])
    def test_floats_of_double_precision_round_once(self, expression):
        some = numbers(RANDOM.integers(0, 2**16, 30_000, np.uint16))
        # Ties, and numbers so near to ties that float32 does not tell.
        near = some * (1 + 2.0**-9 + RANDOM.choice([0, 2.0**-40, -(2.0**-40)], some.size))
        wide = np.concatenate([some, near, some * 1e200, some * 1e-20, RANDOM.normal(size=10_000)])
        np.testing.assert_array_equal(bits_of(expression, wide), rounded(wide))

    @pytest.mark.parametrize("ty", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
    def test_integers_round_once(self, ty):
        info = np.iinfo(ty)
        whole = RANDOM.integers(info.min, info.max, 20_000, ty, endpoint=True)
        whole >>= RANDOM.integers(0, info.bits, whole.size).astype(ty)
        ties = [
            sign * ((0x101 << shift) + step)
            for shift in range(max(info.bits - 9, 0))
            for step in (-1, 0, 1)
            for sign in (1, -1)
        ]
        ties += [info.min, info.max, 0, 1]
        whole = np.concatenate([whole, np.array([n for n in ties if info.min <= n <= info.max], ty)])
        for how, by in ("_rn", "even"), ("_rz", "zero"), ("_rd", "down"), ("_ru", "up"):
            want = rounded([of_integer(n, by) for n in whole.tolist()])
            if info.bits > 8:
                np.testing.assert_array_equal(bits_of(f"bf16.{ty}_to_bfloat16{how}(x)", whole), want)
            if by == "even":
                np.testing.assert_array_equal(bits_of("bf16.bfloat16(x)", whole), want)

    @pytest.mark.parametrize("ty", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
    def test_every_number_to_integers(self, ty):
        info, x = np.iinfo(ty), numbers(EVERY)
        for how, by in ("rn", np.rint), ("rz", np.trunc), ("rd", np.floor), ("ru", np.ceil):
            if info.bits == 8 and how != "rz":
                continue
            got = run(f"bf16.bfloat16_to_{ty}_{how}({X})", np.zeros(EVERY.size, ty), EVERY)
            nan = (1 << 63 if ty == "uint64" else -(1 << 63)) if info.bits == 64 else 0
            want = [nan if math.isnan(n) else whole(n, info) for n in by(x)]
            np.testing.assert_array_equal(got, np.array(want, ty))

    def test_of_types_that_a_kernel_names(self):
        got = run(f"types.int32({X})", np.zeros(5, np.int32), rounded([2.5, -2.5, 0.0, 100.0, -7.0]))
        assert got.tolist() == [2, -2, 0, 100, -7]
        got = run(f"bool({X})", np.zeros(EVERY.size, np.bool_), EVERY)
        np.testing.assert_array_equal(got, numbers(EVERY) != 0)
        assert bits_of("bf16.bfloat16(3.14)", np.zeros(1)) == [0x4049]
        assert bits_of("bf16.bfloat16((257 << 40) + 1)", np.zeros(1)) == rounded([258.0 * 2**40])


def of_integer(n, how):
    """The bfloat16 of a Python integer, as a float."""
    size = abs(n)
    below = max(size.bit_length() - 8, 0)
    kept, lost = size >> below, size & ((1 << below) - 1)
    half = (1 << below) >> 1
    if how == "even":
        kept += lost > half or (lost == half and below > 0 and kept & 1)
    elif how != "zero":
        kept += lost > 0 and (n > 0) == (how == "up")
    return math.copysign(math.ldexp(kept, below), n) if n else 0.0


def whole(x, info):
    return info.min if x <= info.min else info.max if x >= info.max else int(x)


class TestArithmetic:
    @pytest.mark.parametrize("symbol", ["+", "-", "*", "/"])
    def test_has_the_bits_of_the_exact_result_rounded(self, symbol):
        function = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}[symbol]
        a, b = pairs()
        with np.errstate(all="ignore"):
            exact = function(numbers(a), numbers(b))
        np.testing.assert_array_equal(bits_of(f"{X} {symbol} {Y}", a, b), rounded(exact))
        name = {"+": "hadd", "-": "hsub", "*": "hmul", "/": "hdiv"}[symbol]
        np.testing.assert_array_equal(bits_of(f"bf16.{name}({X}, {Y})", a, b), rounded(exact))
        if symbol == "/":
            return
        np.testing.assert_array_equal(bits_of(f"bf16.{name}_rn({X}, {Y})", a, b), rounded(exact))
        between = np.clip(numbers(rounded(exact)), 0, 1)
        want = rounded(np.where(np.isnan(exact), 0, between))
        np.testing.assert_array_equal(bits_of(f"bf16.{name}_sat({X}, {Y})", a, b) & 0x7FFF, want & 0x7FFF)

    def test_in_place(self):
        @cuda.jit
        def kernel(r):
            x = bf16.bfloat16(1.5)
            x += bf16.bfloat16(2)
            x *= bf16.bfloat16(3)
            x -= bf16.bfloat16(0.5)
            x /= bf16.bfloat16(4)
            r[0] = x

        r = np.zeros(1, np.float32)
        kernel[1, 1](r)
        assert r[0] == 2.5

    def test_a_fused_sum_rounds_once(self):
        a, b = pairs(5_000)
        c = RANDOM.permutation(a)
        # Sums at ties, which the last operand moves by so little that float64 does not tell.
        tie = np.array([0x3F81, 0x3F81, 0x3F83, 0x3F83, 0xBF81, 0xBF83], np.uint16)
        tiny = np.array([0x0001, 0x8001, 0x0001, 0x8001, 0x0001, 0x8001], np.uint16)
        a, b = np.concatenate([a, tie]), np.concatenate([b, np.full(tie.size, 0x3FC0, np.uint16)])
        c = np.concatenate([c, tiny])
        third = "bf16.uint16_as_bfloat16(z)"
        want = np.array([fused(*each) for each in zip(a, b, c, strict=True)], np.uint16)
        got = bits_of(f"bf16.hfma({X}, {Y}, {third})", a, b, c)
        np.testing.assert_array_equal(got, want)
        exact = numbers(want)
        nan = np.isnan(exact)
        relu = bits_of(f"bf16.hfma_relu({X}, {Y}, {third})", a, b, c)
        np.testing.assert_array_equal(relu, np.where(nan, 0x7FFF, np.where(exact <= 0, 0, want)))
        saturated = bits_of(f"bf16.hfma_sat({X}, {Y}, {third})", a, b, c)
        np.testing.assert_array_equal(saturated, rounded(np.where(nan | (exact <= 0), 0, np.minimum(exact, 1))))

    def test_signs(self):
        x = numbers(EVERY)
        nan = np.isnan(x)
        for expression, want in [
            (f"-{X}", EVERY ^ 0x8000),
            (f"+{X}", EVERY),
            (f"bf16.hneg({X})", EVERY ^ 0x8000),
            (f"bf16.habs({X})", EVERY & 0x7FFF),
        ]:
            got = bits_of(expression, EVERY)
            np.testing.assert_array_equal(got[~nan], want[~nan])
            assert np.isnan(numbers(got[nan])).all()

    def test_other_types_of_operands(self):
        """numba-cuda's: with float32 float32, with other integers and float64 float64, with 8 bits bfloat16."""
        for other, value, want in [
            ("types.float32(0.001)", np.float32(0.001), np.float32),
            ("types.float64(0.001)", 0.001, np.float64),
            ("types.int16(301)", 301, np.float32),
            ("types.int32(301)", 301, np.float64),
            ("types.int64(301)", 301, np.float64),
            ("301", 301, np.float64),
            ("True", 1, np.float32),
        ]:
            got = run(f"{X} + {other}", np.zeros(1), rounded([1.0]))
            assert got[0] == want(want(1) + want(value)), other
            assert run(f"{X} < {other}", np.zeros(1), rounded([1.0]))[0] == (value > 1)
        assert run(f"{X} + types.uint8(255)", np.zeros(1), rounded([2.0]))[0] == 256

    def test_comparisons(self):
        a, b = pairs()
        left, right = numbers(a), numbers(b)
        unordered = np.isnan(left) | np.isnan(right)
        for name, symbol, function in [
            ("eq", "==", operator.eq),
            ("ne", "!=", operator.ne),
            ("lt", "<", operator.lt),
            ("le", "<=", operator.le),
            ("gt", ">", operator.gt),
            ("ge", ">=", operator.ge),
        ]:
            want, out = function(left, right), np.zeros(a.size, np.bool_)
            np.testing.assert_array_equal(run(f"{X} {symbol} {Y}", out, a, b), want)
            np.testing.assert_array_equal(run(f"bf16.h{name}({X}, {Y})", out, a, b), want & ~unordered)
            np.testing.assert_array_equal(run(f"bf16.h{name}u({X}, {Y})", out, a, b), want | unordered)

    def test_extremes(self):
        a, b = pairs()
        x, y = numbers(a), numbers(b)
        nan = np.isnan(x) | np.isnan(y)
        for name, function, zeros in ("max", np.fmax, np.bitwise_and), ("min", np.fmin, np.bitwise_or):
            want = rounded(function(x, y))
            got = bits_of(f"bf16.h{name}({X}, {Y})", a, b)
            nonzero = numbers(want) != 0
            np.testing.assert_array_equal(got[nonzero], want[nonzero])
            want = np.where((x == 0) & (y == 0), zeros(a, b), want)
            got = bits_of(f"bf16.h{name}_nan({X}, {Y})", a, b)
            np.testing.assert_array_equal(got, np.where(nan, 0x7FFF, want))

    def test_classes(self):
        x = numbers(EVERY)
        np.testing.assert_array_equal(run(f"bf16.hisnan({X})", np.zeros(EVERY.size, np.bool_), EVERY), np.isnan(x))
        want = np.where(np.isinf(x), np.sign(x), 0)
        np.testing.assert_array_equal(run(f"bf16.hisinf({X})", np.zeros(EVERY.size, np.int32), EVERY), want)


class TestMathematics:
    @pytest.mark.parametrize(
        ("name", "function"),
        [
            ("htrunc", np.trunc),
            ("hceil", np.ceil),
            ("hfloor", np.floor),
            ("hrint", np.rint),
            ("hsqrt", np.sqrt),
            ("hrcp", lambda x: 1 / x),
        ],
    )
    def test_exact_functions_of_every_number(self, name, function):
        with np.errstate(all="ignore"):
            want = rounded(function(numbers(EVERY)))
        np.testing.assert_array_equal(bits_of(f"bf16.{name}({X})", EVERY), want)

    @pytest.mark.parametrize(
        ("name", "function"),
        [
            ("hrsqrt", lambda x: 1 / np.sqrt(x)),
            ("hlog", np.log),
            ("hlog2", np.log2),
            ("hlog10", np.log10),
            ("hexp", np.exp),
            ("hexp2", np.exp2),
            ("hexp10", lambda x: 10.0**x),
            ("hsin", np.sin),
            ("hcos", np.cos),
            ("htanh", np.tanh),
            ("htanh_approx", np.tanh),
        ],
    )
    def test_functions_of_every_number(self, name, function):
        with np.errstate(all="ignore"):
            want = rounded(function(numbers(EVERY)))
        got = bits_of(f"bf16.{name}({X})", EVERY)
        assert (got != want).mean() < 1e-3
        finite = np.isfinite(numbers(want)) & np.isfinite(numbers(got))
        apart = np.abs(order(got[finite]) - order(want[finite]))
        assert apart.max() <= 1

    @pytest.mark.parametrize(
        "name", ["trunc", "ceil", "floor", "sqrt", "log", "log10", "cos", "sin", "tanh", "exp", "exp2"]
    )
    def test_of_pythons_math(self, name):
        """They give a bfloat16: the bits of the function of `bf16`."""
        got = bits_of(f"math.{name}({X})", EVERY)
        np.testing.assert_array_equal(got, bits_of(f"bf16.h{name}({X})", EVERY))


def order(bits):
    """Numbers in order, one apart."""
    bits = bits.astype(np.int64)
    return np.where(bits & 0x8000, 0x8000 - bits, bits)


class TestArrays:
    def test_of_ml_dtypes(self):
        @cuda.jit
        def kernel(out, a, b):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = 2 * a[i] + 4 * b[i] + ml_dtypes.bfloat16(3.0)

        a = np.arange(40).astype(ml_dtypes.bfloat16)
        out = np.zeros(40, ml_dtypes.bfloat16)
        kernel[2, 32](out, a, np.arange(40))
        np.testing.assert_array_equal(out, (6.0 * np.arange(40) + 3).astype(ml_dtypes.bfloat16))
        assert kernel.signatures[0][0] == types.bfloat16[::1]

    def test_on_the_device_and_back(self):
        host = np.arange(6).reshape(2, 3).astype(ml_dtypes.bfloat16)
        device = cuda.to_device(host)
        assert device.dtype == host.dtype
        assert device[1, 2] == 5

        @cuda.jit
        def double(x):
            i, j = cuda.grid(2)
            x[i, j] += x[i, j]

        double[1, (2, 3)](device)
        np.testing.assert_array_equal(device.copy_to_host(), host + host)
        again = cuda.from_dlpack(device)
        assert again.dtype == host.dtype
        np.testing.assert_array_equal(again.copy_to_host(), host + host)

    def test_shared_and_local_memory(self):
        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(32, bf16.bfloat16)
            local = cuda.local.array(2, dtype=types.bfloat16)
            i = cuda.threadIdx.x
            shared[i] = bf16.bfloat16(i)
            cuda.syncthreads()
            local[0] = shared[31 - i]
            local[1] = 0.5
            out[i] = local[0] * local[1]

        out = np.zeros(32, np.float32)
        kernel[1, 32](out)
        np.testing.assert_array_equal(out, np.arange(31, -1, -1) / 2)

    def test_numbers_as_arguments(self):
        @cuda.jit
        def kernel(out, x):
            out[0] = x
            out[1] = x + x

        out = np.zeros(2, np.float32)
        kernel[1, 1](out, ml_dtypes.bfloat16(0.1))
        assert out.tolist() == [numbers(0x3DCD), 2 * numbers(0x3DCD)]

    def test_constants_of_the_program(self):
        three, table = ml_dtypes.bfloat16(3), np.array([1, 2.5], ml_dtypes.bfloat16)

        @cuda.jit
        def kernel(out):
            out[0] = three * table[1]

        out = np.zeros(1)
        kernel[1, 1](out)
        assert out[0] == 7.5

    def test_device_functions_types_and_print(self, capfd):
        @cuda.jit(device=True)
        def product(a, b):
            return a * b

        @cuda.jit
        def kernel(out):
            x = product(bf16.bfloat16(1.5), bf16.bfloat16(3))
            if isinstance(x, bf16.bfloat16):
                out[0] = x
            print(x)

        out = np.zeros(1)
        kernel[1, 1](out)
        cuda.synchronize()
        assert out[0] == 4.5
        assert capfd.readouterr().out == "4.500000\n"


class TestErrors:
    def test_atomic_operations(self):
        @cuda.jit
        def kernel(x):
            cuda.atomic.add(x, 0, x[1])

        with pytest.raises(errors.TypingError):
            kernel[1, 1](np.zeros(2, ml_dtypes.bfloat16))

    def test_complex_operands(self):
        with pytest.raises(errors.TypingError):
            run(f"({X} * 1j).real", np.zeros(1), EVERY[:1])

    @pytest.mark.parametrize("value", [np.zeros(2, ml_dtypes.bfloat16), ml_dtypes.bfloat16(1)])
    def test_functions_of_the_host(self, value):
        @njit
        def first(x):
            return x + x

        with pytest.raises(errors.NumbaError):
            first(value)
        if value.ndim:
            for function in (lambda x: np.float32(x[0]), lambda x: x.copy(), lambda x: np.sort(x).size, lambda x: x):
                with pytest.raises(errors.NumbaError):
                    njit(function)(value)
            with pytest.raises(errors.NumbaError, match="bfloat16 is a type of kernels"):
                njit(lambda x: x.size)(value)
