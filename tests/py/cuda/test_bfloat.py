"""bfloat16 in kernels without a GPU: types, and code that NVIDIA's assembler takes for each architecture."""

import math
import re

import numpy as np
import pytest
import statements
from assembler import registers
from numbra import cuda, types
from numbra.core import errors
from numbra.cuda import bf16

NAMES = {"cuda": cuda, "bf16": bf16, "math": math, "np": np, "types": types}
bfloat16 = types.bfloat16
ARCHITECTURES = (75, 80, 86, 89, 90, 100, 120, 121)
CONVERSIONS = [name for name in bf16.__all__ if "_to_" in name or "_as_" in name]
FUNCTIONS = [name for name in bf16.__all__ if name.startswith("h")]
OPERANDS = {"hfma": 3, "hfma_sat": 3, "hfma_relu": 3}
OF_TWO = re.compile(r"h(add|sub|mul|div|eq|ne|ge|gt|le|lt|max|min)(_\w+|u)?")


def kernel(statement, parameters="r, x"):
    return statements.kernel(statement, parameters, NAMES)


def ptx_of(statement, *args, sm=80, **options):
    return cuda.compile_ptx(kernel(statement), args, cc=divmod(sm, 10), **options)[0]


def call_of(name):
    count = OPERANDS.get(name, 2 if OF_TWO.fullmatch(name) else 1)
    return f"bf16.{name}({', '.join(f'x[{n}]' for n in range(count))})"


def operand_of(name):
    """Of ``int16_to_bfloat16_rn`` the array of type int16; of bfloat16 ``x``."""
    given = re.split("_to_|_as_", name)[0]
    return "x" if given == "bfloat16" else given


@pytest.mark.parametrize("sm", ARCHITECTURES)
def test_every_function_assembles(sm, tmp_path):
    lines = [f"r[{n}] = {call_of(name)}" for n, name in enumerate(FUNCTIONS)]
    registers(tmp_path, ptx_of("\n".join(lines), types.float32[::1], bfloat16[::1], sm=sm), sm)
    lines = [f"r[{n}] = bf16.{name}({operand_of(name)}[0])" for n, name in enumerate(CONVERSIONS)]
    others = ("int16", "uint16", "int32", "uint32", "int64", "uint64", "float32", "float64")
    text = "\n".join(lines)
    function = kernel(text, "r, x, " + ", ".join(others))
    arrays = [getattr(types, name)[::1] for name in others]
    ptx = cuda.compile_ptx(function, (types.float64[::1], bfloat16[::1], *arrays), cc=divmod(sm, 10))[0]
    registers(tmp_path, ptx, sm)


@pytest.mark.parametrize("sm", ARCHITECTURES)
def test_operators_and_conversions_of_every_type_assemble(sm, tmp_path):
    lines = ["y = x[0] + x[1] * x[2] / x[3] - x[4]", "y += x[5]", "r[0] = -abs(y) if y < x[0] else +y"]
    for n, name in enumerate(["int8", "uint8", "int16", "int32", "uint32", "int64", "uint64", "float16", "float64"]):
        lines.append(f"r[{n + 1}] = bf16.bfloat16(types.{name}(x[{n}]))")
    registers(tmp_path, ptx_of("\n".join(lines), bfloat16[::1], bfloat16[::1], sm=sm), sm)


@pytest.mark.parametrize(
    ("sm", "instruction"),
    [(80, r"fma\.rn\.bf16"), (90, r"add(\.rn)?\.bf16"), (100, r"add(\.rn)?\.bf16"), (120, r"add(\.rn)?\.bf16")],
)
def test_sums_are_one_instruction(sm, instruction):
    assert re.search(instruction, ptx_of("r[0] = x[0] + x[1]", bfloat16[::1], bfloat16[::1], sm=sm))


@pytest.mark.parametrize("sm", [80, 90, 120])
def test_a_fused_sum_is_one_instruction(sm):
    text = ptx_of("r[0] = bf16.hfma(x[0], x[1], x[2])", bfloat16[::1], bfloat16[::1], sm=sm)
    assert "fma.rn.bf16" in text


@pytest.mark.parametrize("sm", [80, 90])
def test_numbers_round_in_one_instruction(sm):
    assert "cvt.rn.bf16.f32" in ptx_of("r[0] = bf16.bfloat16(x[0])", bfloat16[::1], types.float32[::1], sm=sm)


def result_of(expression, *args, parameters="x, y"):
    return cuda.compile(kernel(f"return {expression}", parameters), args, abi="numba", cc=(8, 0))[1]


@pytest.mark.parametrize("symbol", ["+", "-", "*", "/"])
@pytest.mark.parametrize(
    ("other", "result"),
    [
        (types.bfloat16, types.bfloat16),
        (types.int8, types.bfloat16),
        (types.uint8, types.bfloat16),
        (types.int16, types.float32),
        (types.uint16, types.float64),
        (types.boolean, types.float32),
        (types.int32, types.float64),
        (types.int64, types.float64),
        (types.uint64, types.float64),
        (types.float32, types.float32),
        (types.float64, types.float64),
    ],
)
def test_result_types_of_operators(symbol, other, result):
    assert result_of(f"x {symbol} y", bfloat16, other) == result
    assert result_of(f"y {symbol} x", bfloat16, other) == result
    assert result_of("x < y", bfloat16, other) == types.boolean


def test_result_types_of_functions():
    for name in ("sqrt", "exp", "exp2", "log", "log10", "sin", "cos", "tanh", "floor", "ceil", "trunc"):
        assert result_of(f"math.{name}(x)", bfloat16, parameters="x") == bfloat16, name
    assert result_of("math.tan(x)", bfloat16, parameters="x") == types.float32
    assert result_of("x // y", bfloat16, bfloat16) == types.float32
    assert result_of("bf16.hisinf(x)", bfloat16, parameters="x") == types.int32
    assert result_of("bf16.hadd(x, 2.5)", bfloat16, parameters="x") == bfloat16
    for name in CONVERSIONS:
        given, _, to = name.replace("_as_", "_to_").partition("_to_")
        to = to.rpartition("_")[0] if to[-3:] in ("_rn", "_rz", "_rd", "_ru") else to
        assert result_of(f"bf16.{name}(x)", getattr(types, given), parameters="x") == getattr(types, to), name


def test_a_variable_has_one_type():
    both = "if y > 0:\n    z = x\nelse:\n    z = y\nreturn z"
    assert cuda.compile(kernel(both, "x, y"), (bfloat16, types.float32), abi="numba", cc=(8, 0))[1] == types.float32
    with pytest.raises(errors.TypingError, match="Cannot unify"):
        cuda.compile(kernel(both, "x, y"), (bfloat16, types.int64), abi="numba", cc=(8, 0))


def test_the_type():
    assert str(bfloat16) == "__nv_bfloat16"
    assert bfloat16.bitwidth == 16 and bfloat16.alignof_ == 2
    assert isinstance(bfloat16, types.Number) and not isinstance(bfloat16, types.Float)
    assert cuda.types.bfloat16 is bfloat16 is bf16.bfloat16
    assert str(bfloat16[:, ::1]) == "array(__nv_bfloat16, 2d, C)"
    assert type(bfloat16)() is bfloat16


def test_names_of_the_bindings():
    from numbra.cuda._internal import cuda_bf16

    assert cuda_bf16.nv_bfloat16 is bfloat16
    assert cuda_bf16.htrunc is bf16.htrunc
    assert cuda_bf16.__hadd is bf16.hadd
    assert cuda_bf16.__float2bfloat16_rn is bf16.float32_to_bfloat16_rn
    assert cuda_bf16.__bfloat162ull_rz is bf16.bfloat16_to_uint64_rz


def test_functions_have_no_values_on_the_host():
    with pytest.raises(NotImplementedError, match="can only be called in a kernel"):
        bf16.hadd(1, 2)


@pytest.mark.parametrize(
    "statement", ["cuda.atomic.add(r, 0, x[0])", "cuda.atomic.max(r, 0, x[0])", "r[0] = x[0] * 1j"]
)
def test_what_it_has_not(statement):
    with pytest.raises(errors.TypingError):
        ptx_of(statement, bfloat16[::1], bfloat16[::1])
