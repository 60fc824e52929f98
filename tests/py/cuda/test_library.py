"""The library in kernels, without a GPU: each is compiled, and assembled by NVIDIA's ``ptxas``."""

import cmath
import math
import re

import numpy as np
import pytest
import statements
from assembler import registers
from cuda_rows import HALF
from numbra import cuda, types
from numbra.core import errors
from numbra.cuda import fp16, libdevice, libdevicefuncs
from numbra.types import (
    boolean,
    complex64,
    complex128,
    float32,
    float64,
    int32,
    int64,
    uint64,
)

float16 = types.float16
NAMES = {"np": np, "math": math, "cmath": cmath, "cuda": cuda, "fp16": fp16, "libdevice": libdevice}
REDUCTIONS = ("sum", "prod", "mean", "var", "std", "min", "max", "argmin", "argmax", "any", "all", "count_nonzero")
WITHOUT_NAN = ("nansum", "nanprod", "nanmean", "nanvar", "nanstd", "nanmin", "nanmax", "nanargmin", "nanargmax")


def kernel(statement, *, parameters="r, x"):
    return statements.kernel(statement, parameters, NAMES)


def ptx_of(statement, *args, cc=(8, 0), **options):
    return cuda.compile_ptx(kernel(statement), args, cc=cc, **options)[0]


def assembles(tmp_path, *texts, sm=80):
    """The assembler takes the modules, whose kernels all have one name."""
    for text in texts:
        registers(tmp_path, text, sm)


def externals(ptx):
    """Functions that the module expects of others."""
    return set(re.findall(r"\.extern \.func\s+(?:\([^)]*\)\s*)?(\w+)", ptx)) - {"vprintf"}


@pytest.mark.parametrize("name", REDUCTIONS + WITHOUT_NAN)
def test_reductions_of_arrays(name, tmp_path):
    arrays = [float32[::1], int32[::1], uint64[::1], float64[:, ::1], float32[:]]
    if not name.startswith("nan"):
        arrays.append(boolean[::1])
    if name in ("sum", "prod", "mean", "var", "std", "any", "all", "min", "nansum", "nanmean", "nanvar"):
        arrays.append(complex64[::1])
    texts = [ptx_of(f"r[0] = np.{name}(x)", complex128[::1], array) for array in arrays]
    assert not any(externals(text) for text in texts)
    assembles(tmp_path, *texts[:2])


@pytest.mark.parametrize("name", REDUCTIONS[:-1])
def test_reductions_as_methods(name):
    ptx_of(f"r[0] = x.{name}()", float64[::1], float64[:, ::1])


@pytest.mark.parametrize(
    ("expression", "array", "result"),
    [
        ("np.sum(x)", int32[::1], int64),
        ("np.sum(x)", uint64[::1], uint64),
        ("np.sum(x)", float32[::1], float32),
        ("np.sum(x, dtype=np.float64)", float32[::1], float64),
        ("np.sum(x, 0)", float32[::1], float32),
        ("np.prod(x)", boolean[::1], int64),
        ("np.mean(x)", float32[::1], float32),
        ("np.mean(x)", int32[::1], float64),
        ("np.var(x)", float32[::1], float64),
        ("np.min(x)", float32[::1], float32),
        ("np.max(x)", boolean[::1], boolean),
        ("np.argmax(x)", float32[::1], int64),
        ("np.nanmean(x)", float32[::1], float64),
        ("np.ptp(x)", float32[::1], float32),
        ("round(x[0], 2)", float32[::1], float32),
        ("round(x[0], 2)", float64[::1], float64),
        ("math.modf(x[0])", float32[::1], types.UniTuple(float32, 2)),
        ("math.modf(x[0])", int32[::1], types.UniTuple(float64, 2)),
        ("math.remainder(x[0], x[1])", float32[::1], float32),
        ("libdevice.sincos(x[0])", float64[::1], types.UniTuple(float64, 2)),
        ("libdevice.frexpf(x[0])", float32[::1], types.Tuple((float32, int32))),
        ("fp16.hadd(x[0], x[1])", float16[::1], float16),
        ("fp16.hlt(x[0], x[1])", float16[::1], boolean),
        ("int(x[0]).bit_count()", int32[::1], int64),
    ],
)
def test_result_types_are_those_of_the_cpu(expression, array, result):
    function = kernel(f"return {expression}", parameters="x")
    assert cuda.compile(function, (array,), abi="numba", cc=(8, 0))[1] == result


@pytest.mark.parametrize(
    "expression",
    [
        "np.isclose(x[0], 1.0)",
        "np.array_equal(x, x)",
        "np.dot(x, x)",
        "np.vdot(x, x)",
        "np.trace(x.reshape(2, 2))",
        "np.clip(x[0], 0.0, 1.0)",
        "np.interp(x[0], x, x)",
        "np.searchsorted(x, 0.5)",
        "np.sinc(x[0])",
        "np.nan_to_num(x[0])",
        "np.angle(1j * x[0])",
        "np.where(x[0] > 0, 1.0, 2.0)",
        "round(x[0], 2)",
        "round(x[0])",
        "divmod(x[0], 3.0)[1]",
        "sum(x) + max(x) + min(x) + any(x) + all(x)",
        "max(1, 2.0, int(x[0]))",
        "(1, 2) < (2, 1)",
        "((1, 2) + (3,))[2]",
    ],
)
def test_functions(expression):
    assert not externals(ptx_of(f"r[0] = {expression}", float64[::1], float64[::1]))


COMPLEX = "acos acosh asin asinh atan atanh cos cosh exp log log10 phase sin sinh sqrt tan tanh"


@pytest.mark.parametrize("name", COMPLEX.split())
def test_complex_functions(name, tmp_path):
    texts = [ptx_of(f"r[0] = cmath.{name}(x[0])", complex128[::1], array[::1]) for array in (complex64, complex128)]
    assert not any(externals(text) for text in texts)
    assembles(tmp_path, *texts)


UNARY = """
    sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh deg2rad rad2deg log log2 log10 exp exp2
    expm1 log1p sqrt square floor ceil trunc rint absolute negative sign reciprocal cbrt fabs conjugate
"""
BINARY = """
    arctan2 hypot maximum minimum fmax fmin divide add subtract multiply power floor_divide mod fmod copysign heaviside
    nextafter logaddexp logaddexp2
"""


@pytest.mark.parametrize("name", UNARY.split() + BINARY.split())
def test_ufuncs_into_arrays(name, tmp_path):
    other = ", x" if name in BINARY.split() else ""
    texts = [
        ptx_of(f"np.{name}(x{other}, r)", float64[::1], float64[::1]),
        ptx_of(f"np.{name}(x{other}, x)", float32[::1], float32[:]),
        ptx_of(f"np.{name}(x[0]{other}, r)", float32[:, :], float32[::1]),
    ]
    assert not any(externals(text) for text in texts)
    assembles(tmp_path, texts[0])


@pytest.mark.parametrize(
    "statement",
    [
        "r[1:3] = x[4:6]",
        "r[:] = 2",
        "r[:] = x",
        "r[1:] = r[:-1]",
        "r[::2] = x[:4]",
        "r[...] = x",
        "r += x",
        "r[1:] += 1",
        "r[::-1] = x",
        "for i, v in enumerate(x):\n    r[i] = v",
        "for a, b in zip(x, x):\n    r[0] += a * b",
        "for at, v in np.ndenumerate(x):\n    r[at] = v",
    ],
)
def test_assignments(statement, tmp_path):
    text = ptx_of(statement, float64[::1], float64[::1])
    assert not externals(text)
    assembles(tmp_path, text)


@pytest.mark.parametrize("statement", ["r[0, :] = x[1, :]", "r[:, 1] = x[1, :]", "r[1] = x[0]", "r[:] = x[0]"])
def test_assignments_of_rows(statement):
    assert not externals(ptx_of(statement, float32[:, ::1], float32[:, ::1]))


def test_every_function_of_libdevice(tmp_path):
    assert len(libdevicefuncs.functions) == len(libdevice.__all__) >= 319
    letters = "abcd"
    for symbol, (result, args) in libdevicefuncs.functions.items():
        given = [one.ty for one in args if not one.is_ptr]
        signature = libdevicefuncs.create_signature(result, args)
        assert list(signature.args) == given
        short = symbol.removeprefix("__nv_")
        parameters = ", ".join(letters[: len(given)])
        function = kernel(f"return libdevice.{short}({parameters})", parameters=parameters)
        ptx, found = cuda.compile(function, tuple(given), cc=(8, 0), abi="numba")
        assert found == signature.return_type, symbol
        assert not externals(ptx), symbol


def test_results_through_pointers(tmp_path):
    text = ptx_of("s, c = libdevice.sincosf(x[0])\nr[0] = s + c", float32[::1], float32[::1])
    assembles(tmp_path, text)
    assert not externals(text)


def test_the_oldest_device_has_its_instructions(tmp_path):
    text = ptx_of("r[0] = libdevice.fast_tanhf(x[0])", float32[::1], float32[::1], cc=(7, 5))
    assert "tanh.approx.f32 " in text
    assert "tanh.approx.f32 " in ptx_of("r[0] = math.tanh(x[0])", *2 * (float32[::1],), cc=(7, 5), fastmath=True)
    assembles(tmp_path, text)


@pytest.mark.parametrize(("name", "count"), [(name, n) for n, names in HALF.items() for name in names.split()])
def test_half_floats(name, count, tmp_path):
    given = ", ".join(["x[0]", "x[1]", "x[2]"][:count])
    text = ptx_of(f"r[0] = fp16.{name}({given})", float16[::1], float16[::1])
    assert not externals(text)
    instruction = {"hadd": "add", "hsub": "sub", "hmul": "mul", "hfma": "fma.rn", "hneg": "neg", "habs": "abs"}
    if name in instruction:
        assert re.search(rf"\b{re.escape(instruction[name])}(\.rn)?\.f16 ", text)
    assembles(tmp_path, text)


@pytest.mark.parametrize("hint", ["ca", "cg", "cs", "lu", "cv"])
def test_loads_with_hints(hint, tmp_path):
    widths = {types.int8: 8, types.uint16: 16, float16: 16, int32: 32, float32: 32, int64: 64, float64: 64}
    texts = []
    for dtype, bits in widths.items():
        texts.append(ptx_of(f"r[0] = cuda.ld{hint}(x, 1)", dtype[::1], dtype[::1]))
        assert f"ld.global.{hint}.b{bits}" in texts[-1]
    texts.append(ptx_of(f"r[0] = cuda.ld{hint}(x, (1, 2))", float32[::1], float32[:, ::1]))
    texts.append(ptx_of(f"r[0] = cuda.ld{hint}(x, 1)", float32[::1], types.CPointer(float32)))
    assembles(tmp_path, *texts)


@pytest.mark.parametrize("hint", ["cg", "cs", "wb", "wt"])
def test_stores_with_hints(hint, tmp_path):
    texts = []
    for dtype, bits in {types.int8: 8, types.uint16: 16, float32: 32, float64: 64}.items():
        texts.append(ptx_of(f"cuda.st{hint}(x, 1, r[0])", dtype[::1], dtype[::1]))
        assert f"st.global.{hint}.b{bits}" in texts[-1]
    assembles(tmp_path, *texts)


@pytest.mark.parametrize(
    ("statement", "array", "words"),
    [
        ("cuda.ldca(r[0], 1)", float32[::1], "operates on arrays or pointers. Got type float32"),
        ("cuda.ldca(x, 1)", float32[:, ::1], "Expected 2 indices, got a scalar"),
        ("cuda.ldca(x, (1, 2))", types.CPointer(float32), "Pointers only support scalar indexing, got tuple of 2"),
        ("cuda.ldca(x, 1)", complex64[::1], "requires array of integer or float type, got complex64"),
    ],
)
def test_hints_need_elements(statement, array, words):
    with pytest.raises(errors.TypingError, match=re.escape(words)):
        ptx_of(statement, float32[::1], array)


def test_vectors(tmp_path):
    text = ptx_of(
        "a = cuda.float32x2(x[0], 2)\nb = cuda.float4(a, x[1], x[2])\nc = cuda.float32x4(b)\nr[0] = c.x + c.y * c.w",
        float32[::1],
        float32[::1],
    )
    assembles(tmp_path, text)
    assert cuda.float4 is cuda.float32x4
    with pytest.raises(errors.TypingError):
        ptx_of("r[0] = cuda.float32x4(x[0], x[1]).x", float32[::1], float32[::1])
    with pytest.raises(errors.TypingError):
        ptx_of("a = cuda.float32x2(x[0], 2)\nr[0] = (a + a).x", float32[::1], float32[::1])


@pytest.mark.parametrize(
    ("expression", "fast"),
    [
        ("math.cos(x[0])", "cos.approx.ftz.f32 "),
        ("math.sin(x[0])", "sin.approx.ftz.f32 "),
        ("math.tan(x[0])", "div.approx.ftz.f32 "),
        ("math.tanh(x[0])", "tanh.approx.f32 "),
        ("math.exp(x[0])", "ex2.approx.ftz.f32 "),
        ("math.log(x[0])", "lg2.approx.ftz.f32 "),
        ("math.log2(x[0])", "lg2.approx.ftz.f32 "),
        ("math.log10(x[0])", "lg2.approx.ftz.f32 "),
        ("x[0] ** x[1]", "lg2.approx.ftz.f32 "),
        ("x[0] / x[1]", "div.approx.ftz.f32 "),
        ("math.sqrt(x[0])", "sqrt.approx.ftz.f32 "),
    ],
)
def test_fast_functions(expression, fast):
    signature = (float32[::1], float32[::1])
    assert fast in ptx_of(f"r[0] = {expression}", *signature, fastmath=True)
    if "exp(" not in expression:
        assert fast not in ptx_of(f"r[0] = {expression}", *signature)


@pytest.mark.parametrize(("name", "modifier"), [("stcg", "cg"), ("stcs", "cs"), ("stwb", "wb"), ("stwt", "wt")])
def test_cached_stores_have_the_width_of_the_element(name, modifier):
    scalars = (types.int8, types.int16, int32, int64, types.float16, float32, float64)
    for scalar in scalars:
        ptx = ptx_of(f"cuda.{name}(r, 0, x[1])", scalar[::1], scalar[::1])
        assert set(re.findall(r"st\.global\.\S+", ptx)) == {f"st.global.{modifier}.b{scalar.bitwidth}"}, ptx
