"""NumPy's functions in kernels, which allocate nothing there: values are NumPy's."""

import math

import numbra
import numpy as np
import pytest
from numbra import cuda

CUBE = np.arange(24.0).reshape(2, 3, 4)
ROWS = np.arange(12, dtype=np.int32).reshape(3, 4)
VECTOR = np.array([3.5, -1.0, 8.0, 2.25, -7.0, 2.25])


def run(expression, *arguments, out=None, names="x, y, z"):
    """What an expression of ``x``, ``y``, ``z`` gives in a kernel, element by element where it is an array."""
    names = ", ".join(names.split(", ")[: len(arguments)])
    result = eval(expression, {"np": np}, dict(zip(names.split(", "), arguments, strict=True)))
    out = np.zeros_like(np.asarray(result)) if out is None else out
    place = ", ".join("ijkl"[: out.ndim])
    lines = [f"def kernel(out, {names}):", f"    value = {expression}"]
    for axis in range(out.ndim):
        lines.append("    " * (axis + 1) + f"for {'ijkl'[axis]} in range(out.shape[{axis}]):")
    if out.ndim:
        lines.insert(2, "    assert value.shape == out.shape")
    item = f"value[{place}]" if out.ndim else "value"
    lines.append("    " * (out.ndim + 1) + f"out[{place or '()'}] = {item}")
    scope = {"np": np}
    exec("\n".join(lines), scope)
    cuda.jit(scope["kernel"], debug=True, opt=False)[1, 1](out, *arguments)
    return out, np.asarray(result)


VIEWS = [
    ("np.expand_dims(x, 0)", VECTOR),
    ("np.expand_dims(x, 1)", VECTOR),
    *((f"np.expand_dims(x, {axis})", CUBE[0]) for axis in (0, 1, 2, -1, -2, -3)),
    ("np.expand_dims(x, y)", ROWS.T, -2),
    ("np.expand_dims(x, 1)", CUBE[:, ::-1, ::2]),
    *((f"np.swapaxes(x, {a}, {b})", CUBE) for a in (0, 1, -1) for b in (0, 1, 2, -3)),
    ("np.swapaxes(x, y, 1)", CUBE[::-1], 2),
    ("np.swapaxes(x, 0, 1)", np.asfortranarray(ROWS)),
    *((f"np.transpose(x, {axes})", CUBE) for axes in [(0, 1, 2), (2, 0, 1), (1, 0, 2), (-1, 1, 0)]),
    ("x.transpose(1, 2, 0)", CUBE),
    ("x.T", CUBE),
    ("np.broadcast_to(x, (2, 3, 4))", ROWS),
    ("np.broadcast_to(x, (3, 4))", ROWS[:, :1]),
    ("np.broadcast_to(x, (5, 6))", VECTOR),
    ("np.broadcast_to(x, 6)", VECTOR),
    ("np.broadcast_to(x[0:1], (y, y))", VECTOR, 3),
    ("np.broadcast_to(x[0:0], (2, 0))", VECTOR),
]


@pytest.mark.parametrize(("expression", "arguments"), [(e, a) for e, *a in VIEWS])
def test_views(expression, arguments):
    got, want = run(expression, *arguments)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(
    ("expression", "error"),
    [
        ("np.expand_dims(x, 4)", "axis 4 is out of bounds for array of dimension 3"),
        ("np.expand_dims(x, -4)", "axis -4 is out of bounds for array of dimension 3"),
        ("np.swapaxes(x, 0, 2)", "Argument axis2 out of bounds: axis 2 is out of bounds for array of dimension 2"),
        ("np.swapaxes(x, -3, 0)", "Argument axis1 out of bounds: axis -3 is out of bounds for array of dimension 2"),
        ("np.broadcast_to(x, (2, 4))", "could not be broadcast"),
        ("np.broadcast_to(x, 4)", "more dimensions than allowed"),
        ("np.broadcast_to(x, (-1, 4))", "must be non-negative"),
        ("np.quantile(x, 1.5)", r"Quantiles must be in the range \[0, 1\]"),
        ("np.percentile(x, np.nan)", r"Percentiles must be in the range \[0, 100\]"),
    ],
)
def test_wrong_arguments(expression, error):
    scope = {"np": np}
    exec(f"def kernel(x):\n    {expression}", scope)
    with pytest.raises(ValueError, match=error):
        cuda.jit(scope["kernel"], debug=True, opt=False)[1, 1](ROWS.astype(float))


BINS = np.array([1 - 1j, 1 + 0j, 1 + 1j, 2 - 3j, 2.5 + 0j])


@pytest.mark.parametrize("right", [False, True])
@pytest.mark.parametrize("bins", [BINS, BINS[::-1].copy(), BINS[:1], BINS[:0], VECTOR[:0], np.sort(VECTOR)])
def test_digitize(bins, right):
    """NumPy takes no complex bins; compiled code of the CPU does."""

    @cuda.jit
    def kernel(out, numbers, bins, right):
        for i in range(numbers.size):
            out[i] = np.digitize(numbers[i], bins, right)

    numbers = np.array([-9.0, 0.5, 1.0, 2.0, 2.25, 2.5, 9.0])
    got = np.zeros(numbers.size, np.int64)
    kernel[1, 1](got, numbers, bins, right)
    assert list(got) == list(numbra.njit(lambda x, bins, right: np.digitize(x, bins, right))(numbers, bins, right))
    if not np.iscomplexobj(bins):
        assert list(got) == list(np.digitize(numbers, bins, right))


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex64, np.complex128])
def test_norms_have_the_precision_of_vectors(dtype):
    vector = np.array([3e-5, 4.0, -12.0, 0.25], dtype)
    for value in (vector, vector[::-2], vector[:0], vector * dtype(1e-30)):
        got, of_type = run("np.linalg.norm(x)", value)
        assert got.dtype == of_type.dtype
        want = np.linalg.norm(value.astype(np.complex128))
        np.testing.assert_allclose(got, want, rtol=4 * np.finfo(dtype).eps)


NUMBERS = np.array([2.0, np.nan, -1.5, np.inf, 0.0, 2.0, -np.inf, np.nan, 7.25, 2.0])
COMPLEX = np.array([re + 1j * im for re in (1, np.nan, -2) for im in (0, np.nan, 3, -1)])
UNSORTED = [
    NUMBERS,
    NUMBERS.astype(np.float32)[::-1],
    NUMBERS[:1],
    NUMBERS[:0],
    COMPLEX,
    COMPLEX[::-1],
    np.array([True, False, True, False, False]),
    np.random.default_rng(1).integers(-99, 99, 300).astype(np.int8),
    np.random.default_rng(2).random((3, 2, 40)),
    np.array(["2024-05-01", "1999-01-01", "2011-11-11"], "M8[D]"),
]


@pytest.mark.parametrize("values", UNSORTED)
def test_arrays_are_sorted_in_place(values):
    got = values.copy()
    cuda.jit(lambda a: a.sort())[1, 1](got)
    np.testing.assert_array_equal(got, np.sort(values))


def test_local_and_shared_arrays_are_sorted():
    @cuda.jit
    def medians(x, out):
        window = cuda.local.array(5, np.float64)
        block = cuda.shared.array(4, np.float64)
        i = cuda.threadIdx.x
        for k in range(5):
            window[k] = x[i + k]
        window.sort()
        block[i] = window[2]
        cuda.syncthreads()
        if i == 0:
            block.sort()
        cuda.syncthreads()
        out[i] = block[i]

    x = np.random.default_rng(3).random(8)
    out = np.zeros(4)
    medians[1, 4](x, out)
    assert list(out) == sorted(np.median(x[i : i + 5]) for i in range(4))


@pytest.mark.parametrize("values", [VECTOR, VECTOR[:1], VECTOR[:0], NUMBERS[:3], ROWS, np.full(5, np.nan)])
@pytest.mark.parametrize("name", ["median", "quantile", "percentile"])
def test_order_statistics(name, values):
    whole = {"median": None, "quantile": 1.0, "percentile": 100.0}[name]
    for fraction in (0, 0.1, 0.25, 0.5, 0.77, 1):
        argument = "" if whole is None else f", {whole * fraction}"
        for function in (f"np.{name}", f"np.nan{name}"):
            scope = {"np": np}
            exec(f"def kernel(out, x):\n    out[0] = {function}(x{argument})", scope)
            got = np.zeros(1)
            cuda.jit(scope["kernel"])[1, 1](got, values)
            want = math.nan
            if values.size and not np.isnan(values).all():
                with np.errstate(invalid="ignore"):
                    want = eval(f"{function}(x{argument})", {"np": np, "x": values})
            np.testing.assert_allclose(got[0], want, rtol=1e-15, err_msg=f"{function}{argument}")


def assigned(statement, a, *arguments):
    """An array behind an assignment in a kernel, and in NumPy."""
    names = ", ".join("mv"[: len(arguments)])
    scope = {"np": np}
    exec(f"def kernel(a, {names}):\n    {statement}", scope)
    got, want = a.copy(), a.copy()
    cuda.jit(scope["kernel"], debug=True, opt=False)[1, 1](got, *arguments)
    scope["kernel"](want, *arguments)
    return got, want


@pytest.mark.parametrize(
    ("statement", "a", "arguments"),
    [
        ("a[m] = v", VECTOR, (VECTOR > 2, 9.5)),
        ("a[m] = v", VECTOR, (VECTOR > 2, np.array([1.0, 2, 3, 4]))),
        ("a[m] = v", VECTOR, (VECTOR > 2, np.array([5.0]))),
        ("a[m] = v", VECTOR, (VECTOR > 99, np.array([1.0])[:0])),
        ("a[m] = v", ROWS, (ROWS % 3 == 0, -1)),
        ("a[m] = v", ROWS, (ROWS % 3 == 0, np.arange(4))),
        ("a[m] = v", ROWS, (np.array([True, False, True]), 7)),
        ("a[m] = v", CUBE, (np.array([False, True]), 7)),
        ("a[:, 1][m] = v", ROWS, (np.array([False, True, True]), 7)),
        ("a[m] = v", VECTOR, (np.array([1, -1, 3]), np.array([5.0, 6.0, 7.0]))),
        ("a[m] = v", VECTOR, (np.array([1, -1, 3]), np.array([5.0]))),
    ],
)
def test_masks_and_places(statement, a, arguments):
    got, want = assigned(statement, a, *arguments)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize(
    ("a", "arguments", "error"),
    [
        (VECTOR, (np.ones(5, bool), 1.0), IndexError),
        (ROWS, (np.ones(4, bool), 1), IndexError),
        (VECTOR, (np.ones(6, bool), np.ones(5)), ValueError),
        (VECTOR, (np.ones(6, bool), np.ones(0)), ValueError),
        (VECTOR, (np.arange(3), np.ones(2)), ValueError),
    ],
)
def test_wrong_masks_leave_the_array(a, arguments, error):
    got = a.copy()

    @cuda.jit(debug=True, opt=False)
    def kernel(a, m, v):
        a[m] = v

    with pytest.raises(error):
        kernel[1, 1](got, *arguments)
    np.testing.assert_array_equal(got, a)
