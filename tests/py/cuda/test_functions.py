"""Functions of kernels that are one instruction, or have no runtime to ask: what they compile to, without a GPU."""

import cmath
import itertools
import math
import re

import numbra
import numpy as np
import pytest
from cuda_rows import function
from numbra import cuda, types
from numbra.core import errors
from numbra.types import boolean, float16, float32, float64, int32, int64, uint64

PARAMETERS = "r, x, m, p, n"
ARRAYS = (float64[::1], float64[::1], boolean[::1], types.CPointer(float64), int64)


def ptx_of(statement, *args, parameters="r, x", cc=(8, 0)):
    return cuda.compile_ptx(function(statement, parameters), args, cc=cc)[0]


@pytest.mark.parametrize(
    ("name", "instruction"), [("max", "max"), ("min", "min"), ("np.fmax", "max"), ("np.fmin", "min")]
)
@pytest.mark.parametrize(
    ("left", "right", "suffix"),
    [(float32, float32, "f32"), (float64, float64, "f64"), (float32, float64, "f64"), (float64, int32, "f64")],
)
def test_extremes_of_floats_are_one_instruction(name, instruction, left, right, suffix):
    text = ptx_of(f"r[0] = {name}(a[0], b[0])", float64[::1], left[::1], right[::1], parameters="r, a, b")
    assert re.search(rf"\b{instruction}\.{suffix}\s", text)
    assert "setp" not in text


def test_extremes_of_many_numbers_are_a_chain():
    text = ptx_of("r[0] = max(x[0], x[1], x[2])", float32[::1], float32[::1])
    assert len(re.findall(r"\bmax\.f32\s", text)) == 2
    integers = ptx_of("r[0] = max(x[0], x[1])", int64[::1], int64[::1])
    assert "max.s64" in integers


@pytest.mark.parametrize("cc", [(7, 5), (9, 0)])
def test_atomic_sums_of_half_floats(cc):
    text = ptx_of("cuda.atomic.add(r, 1, x[0])\nx[1] = cuda.atomic.sub(r, 0, x[0])", float16[::1], float16[::1], cc=cc)
    assert len(re.findall(r"atom\.\S*add\.noftz\.f16", text)) == 2
    with pytest.raises(errors.TypingError, match="Unimplemented atomic max with float16 array"):
        ptx_of("cuda.atomic.max(r, 1, x[0])", float16[::1], float16[::1])


STATEMENTS = """
r[0] = np.median(x)
r[0] = np.digitize(x[0], x)
r[0] = np.digitize(x[0], x, True)
r[0] = np.trapezoid(x)
r[0] = np.trapezoid(x, x)
r[0] = np.trapezoid(x, dx=0.5)
r[0] = np.flip(x)[0]
r[0] = np.flip(x.reshape(2, 2))[0, 0]
r[0] = np.flipud(x.reshape(2, 2))[0, 0]
r[0] = np.fliplr(x.reshape(2, 2))[0, 0]
r[0] = np.swapaxes(x.reshape(2, 2), 0, 1)[0, 1]
r[0] = np.swapaxes(x.reshape(2, 2), n, 1)[0, 1]
r[0] = np.expand_dims(x, 0)[0, 1]
r[0] = np.expand_dims(x, n)[0, 1]
r[0] = np.expand_dims(x.reshape(2, 1, 2), 2)[0, 0, 0, 1]
r[0] = np.swapaxes(x.reshape(2, 1, 2), 0, -1)[0, 0, 1]
r[0] = np.transpose(x.reshape(2, 1, 2), (1, 0, 2))[0, 0, 1]
r[0] = np.broadcast_to(x, (n, 4))[1, 0]
r[0] = np.take(x, 1)
r[0] = np.take(x, n)
r[0] = np.linalg.norm(x)
r[0] = np.linalg.norm(x.reshape(2, 2))
r[0] = np.nanmedian(x)
r[0] = np.percentile(x, 25)
r[0] = np.quantile(x, 0.25)
r[0] = np.nanquantile(x, x[0])
r.sort()
r.reshape(2, 2).sort()
r[m] = 1
r[m] = x[0]
r[m] = x
r.reshape(2, 2)[m.reshape(2, 2)] = 1.5
r.reshape(2, 2)[m] = 1.5
r[1:3] = (1, 2)
r[1:] = (n, n + 1)
r[0] = len("abc")
r[0] = hash(n)
r[0] = hash(3)
"""


@pytest.mark.parametrize("statement", STATEMENTS.strip().splitlines())
def test_functions_that_allocate_nothing(statement):
    text = ptx_of(statement, *ARRAYS, parameters=PARAMETERS)
    assert not re.findall(r"\.extern \.func\s+(?:\([^)]*\)\s*)?(\w+)", text)


@pytest.mark.parametrize(
    "statement",
    ["r[:] = np.cumsum(x)", "r[x > 0] = 1", "r[:] = np.roll(x, 1)", "r[0] = np.zeros(4)[n]", "r[:] = np.take(x, p)"],
)
def test_functions_that_allocate_are_errors_that_say_so(statement):
    with pytest.raises(errors.NumbaError) as raised:
        ptx_of(statement, float64[::1], float64[::1], boolean[::1], int64[::1], int64, parameters=PARAMETERS)
    assert "write into arrays that are passed in" in str(raised.value)


@pytest.mark.parametrize(
    ("statement", "marked", "advice"),
    [
        ("a = np.zeros(4); r[0] = a[n]", "np.zeros(4)", "`cuda.local.array(shape, dtype)`"),
        ("a = np.sort(x); r[0] = a[0]", "np.sort(x)", "`a.sort()` sorts an array in place"),
        ("a = [n]; a.append(1); r[0] = a[n]", "[n]", "use a tuple"),
        ("a = {n, 1}; r[0] = len(a)", "{n, 1}", "mark places of an array"),
        ("r[0] = np.random.rand()", "np.random.rand()", "`numbra.cuda.random`"),
        ("y = x + r; r[0] = y[n]", "x + r", "write into arrays that are passed in"),
    ],
)
def test_the_place_that_allocates_is_shown(statement, marked, advice):
    with pytest.raises(errors.UnsupportedError) as raised:
        ptx_of(statement, *ARRAYS, parameters=PARAMETERS)
    text = str(raised.value)
    assert advice in text
    shown, marks = re.search(r"\n *\d+ \|(.*)\n *\|( *\^+)", text).groups()
    at = marks.index("^")
    assert shown[at : at + marks.count("^")] == marked


@pytest.mark.parametrize("name", ["count", "and", "or"])
def test_predicates_of_barriers_are_booleans_too(name):
    text = ptx_of(f"r[0] = cuda.syncthreads_{name}(x[0] > 0)", float64[::1], float64[::1])
    assert "barrier" in text or "bar.red" in text


def test_places_are_assigned_one_by_one():
    ptx_of("r[x] = 2", float64[::1], int64[::1])
    ptx_of("r[x] = 2", float64[:], int32[:])


@pytest.mark.parametrize(("dtype", "text"), [("U12", "'XYZ'"), ("U2", "'XYZ'"), ("S12", "b'XYZ'"), ("U3", "''")])
def test_constant_texts_are_data(dtype, text):
    array = types.Array(dtype_of(dtype), 1, "C")
    ptx = cuda.compile_ptx(function(f"r[0] = {text}", "r"), (array,), cc=(8, 0))[0]
    assert ".extern .func" not in ptx


def dtype_of(text):
    from numbra.np.numpy_support import from_dtype

    return from_dtype(np.dtype(text))


@pytest.mark.parametrize(
    ("statement", "phrase"),
    [
        ("a = cuda.shared.array(n, types.int32)", "No implementation of function Function(<function shared.array"),
        ("a = cuda.local.array(n, types.int32)", "No implementation of function Function(<function local.array"),
        ("a = cuda.shared.array(4, 'int33')", "Invalid NumPy dtype specified: 'int33'"),
        ("a = cuda.local.array(4, 'int33')", "Invalid NumPy dtype specified: 'int33'"),
        ("r[0] = cuda.ldca(x, 1.0)", "float64 is not a valid index"),
        ("r[0] = cuda.all_sync(1.5, True)", "Mask type must be an integer"),
        ("r[0] = cuda.all_sync(True, True)", "Mask type must be an integer"),
        ("r[0] = cuda.ballot_sync(-1, x[0])", "Predicate must be an integer or boolean"),
        ("a = cuda.local.array(4, types.int32, 1.5)", "RequireLiteralValue: alignment must be a constant integer"),
    ],
)
def test_errors_in_numbas_words(statement, phrase):
    with pytest.raises(errors.TypingError, match=re.escape(phrase)):
        ptx_of(statement, *ARRAYS, parameters=PARAMETERS)


@pytest.mark.parametrize("alignment", [-1, 0, 3, 17, 33])
def test_wrong_alignments_are_value_errors(alignment):
    with pytest.raises(ValueError, match="Alignment must be"):
        ptx_of(f"a = cuda.shared.array(4, types.int32, {alignment})", *ARRAYS, parameters=PARAMETERS)


def test_vector_types_by_name():
    from numbra.cuda.vector_types import vector_types

    assert len(vector_types) == 40
    four = vector_types["float32x4"]
    assert (four.name, four.num_elements, four.base_type) == ("float32x4", 4, float32)
    assert four.user_facing_object is cuda.float4
    for one in vector_types.values():
        for alias in one.user_facing_object.aliases:
            assert getattr(cuda, alias) is getattr(cuda, one.name)


def test_statistics_of_allocations():
    from numbra.cuda.memory_management import rtsys

    with pytest.raises(RuntimeError, match="NRT stats are disabled"):
        rtsys.get_allocation_stats()
    rtsys.memsys_enable_stats()
    assert rtsys.memsys_stats_enabled()
    assert rtsys.get_allocation_stats() == (0, 0, 0, 0)
    assert rtsys.memsys_get_stats_alloc() == rtsys.memsys_get_stats_mi_free() == 0
    rtsys.memsys_disable_stats()
    with pytest.raises(RuntimeError):
        rtsys.memsys_get_stats_free()


def test_limits_of_floats_have_types():
    eps = cuda.compile(function("return np.finfo(np.float32).eps", ""), (), abi="numba")[1]
    assert eps == types.float32
    whole = cuda.compile(function("return np.finfo(np.float64)", ""), (), abi="numba")[1]
    assert whole.fields[:2] == ("bits", "eps")


#: Sizes and angles. CPython raises for infinite angles of what is not 0, and leaves a part of inf and NaN open.
POINTS = [
    *itertools.product([0.0, -0.0], [0.0, -0.0, 1.0, math.inf, -math.inf, math.nan]),
    *itertools.product([1.0, math.inf], [0.0, -0.0, 1.0]),
    (1.0, math.nan),
]


@pytest.mark.parametrize(("r", "phi"), POINTS)
def test_points_by_angle_are_those_of_cpython(r, phi):
    got, want = numbra.njit(lambda r, phi: cmath.rect(r, phi))(r, phi), cmath.rect(r, phi)
    assert repr(got) == repr(want)
    text = ptx_of("r[0] = cmath.rect(x[0], x[1])", types.complex128[::1], float64[::1])
    assert ".extern .func" not in text


def test_a_hash_is_an_integer():
    assert cuda.compile(function("return hash(a)", "a"), (uint64,), abi="numba")[1] == int64
