"""Linear algebra: values, types, layouts and errors of products, factorisations and systems."""

import os
import subprocess
import sys
import warnings

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import NumbaPerformanceWarning, TypingError

DTYPES = [np.float32, np.float64, np.complex64, np.complex128]
LAYOUTS = ["C", "F", "A"]
LinAlgError = np.linalg.LinAlgError


def real_of(dtype):
    return np.empty(0, dtype).real.dtype


def make(shape, dtype, layout="C", seed=1):
    """Numbers between -1 and 1 in an array of this layout."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(-1, 1, shape)
    if np.issubdtype(dtype, np.complexfloating):
        a = a + 1j * rng.uniform(-1, 1, shape)
    a = a.astype(dtype)
    if layout == "A":
        wide = np.zeros(tuple(2 * n for n in a.shape), dtype)
        a_strided = wide[tuple(slice(None, None, 2) for _ in a.shape)]
        a_strided[...] = a
        return a_strided
    return np.array(a, order=layout)


def regular(n, dtype, layout="C", seed=1):
    a = make((n, n), dtype, layout, seed)
    a += (np.eye(n) * n).astype(dtype)
    return a


def self_adjoint(n, dtype, layout="C"):
    a = make((n, n), dtype)
    a = a @ a.conj().T + (np.eye(n) * 0.5).astype(dtype)
    return np.array(a, order="C" if layout == "A" else layout)


def close(got, want, scale=1.0):
    eps = np.finfo(np.result_type(got, np.float32)).eps
    np.testing.assert_allclose(got, want, rtol=500 * eps * scale, atol=500 * eps * scale)


def njit(source):
    return nb.njit(eval(f"lambda a, b=None: {source}", {"np": np}))


dot = njit("np.dot(a, b)")
dot_method = njit("a.dot(b)")
matmul = njit("a @ b")


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shapes", [((5,), (5,)), ((3, 5), (5,)), ((5,), (5, 4)), ((3, 5), (5, 4)), ((1, 5), (5, 1))])
def test_products(dtype, layout, shapes):
    a, b = (make(shape, dtype, layout, seed) for seed, shape in enumerate(shapes))
    for f in dot, dot_method, matmul:
        got, want = f(a, b), a @ b
        close(got, want)
        if np.ndim(want):
            assert (got.dtype, got.shape, got.flags.c_contiguous) == (dtype, want.shape, True)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(150, 170, 160), (300, 301, 299), (33, 600, 1), (1, 600, 33)])
def test_large_products(dtype, shape):
    m, k, n = shape
    for left, right in ("CC", "CF", "FC", "FF"):
        a, b = make((m, k), dtype, left), make((k, n), dtype, right)
        close(dot(a, b), a @ b, 10)


@pytest.mark.parametrize("shapes", [((0,), (0,)), ((3, 0), (0,)), ((0, 3), (3, 2)), ((2, 0), (0, 2)), ((0,), (0, 2))])
def test_empty_products(shapes):
    a, b = map(np.ones, shapes)
    np.testing.assert_array_equal(dot(a, b), np.dot(a, b))
    np.testing.assert_array_equal(matmul(a, b), a @ b)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_products_into_an_array(layout):
    f = nb.njit(lambda a, b, out: np.dot(a, b, out=out))
    a, b, v = make((3, 4), np.float64), make((4, 5), np.float64), make((4,), np.float64)
    for x, y, shape in [(a, b, (3, 5)), (a, v, (3,)), (v, b, (5,))]:
        out = make(shape, np.float64, layout)
        assert f(x, y, out) is out
        close(out, x @ y)
    with pytest.raises(ValueError, match=r"incompatible output array size .* \(matrix \* matrix\)"):
        f(a, b, np.empty((5, 3)))
    square = make((4, 4), np.float64)
    want = square @ square
    close(f(square, square, square), want)
    fixed = np.zeros((3, 5))
    fixed.flags.writeable = False
    with pytest.raises(TypingError, match="Cannot modify readonly array"):
        f(a, b, fixed)


def test_products_of_other_shapes_and_types():
    a, v = make((3, 4), np.float64), make((3,), np.float64)
    sides = {"vector * vector": (v, v[1:]), "matrix * vector": (a, v), "matrix * matrix": (a, a)}
    for words, (x, y) in sides.items():
        with pytest.raises(ValueError) as raised:
            dot(x, y)
        shapes = f"{x.shape} {y.shape}".replace(", ", ",")
        assert str(raised.value) == f"incompatible array sizes for np.dot(a, b) ({words}): shapes {shapes}"
    with pytest.raises(TypingError, match=r"np.dot\(\) arguments must all have the same dtype"):
        dot(a, v.astype(np.float32))
    with pytest.raises(TypingError, match="'@' arguments must all have the same dtype"):
        matmul(a, v.astype(np.complex128))
    with pytest.raises(TypingError, match="unsupported dtype"):
        dot(np.ones(3, np.int64), np.ones(3, np.int64))
    with pytest.raises(TypingError, match="'@': inputs must have compatible dimensions"):
        matmul(np.ones((2, 2, 2)), np.ones(2))


@pytest.mark.parametrize("dtype", DTYPES)
def test_vdot(dtype):
    f = njit("np.vdot(a, b)")
    a, b = make((7,), dtype, seed=1), make((7,), dtype, seed=2)
    close(f(a, b), np.vdot(a, b))
    close(f(a[::-1], b[::-1]), np.vdot(a, b))
    with pytest.raises(TypingError, match="only supported on 1-D arrays"):
        f(a.reshape(1, 7), b)


def test_outer_kron_trace():
    outer = nb.njit(lambda a, b: np.outer(a, b))
    into = nb.njit(lambda a, b, out: np.outer(a, b, out=out))
    for a, b in [(np.arange(3), np.arange(4.0)), (make((2, 3), np.complex64), np.arange(2)), (2.5, np.arange(3.0))]:
        got, want = outer(a, b), np.outer(a, b)
        np.testing.assert_array_equal(got, want)
        assert got.shape == want.shape
    out = np.empty((3, 4))
    assert into(np.arange(3.0), np.arange(4.0), out) is out
    np.testing.assert_array_equal(out, np.outer(np.arange(3.0), np.arange(4.0)))
    trace = nb.njit(lambda a, k: np.trace(a, k))
    for dtype in DTYPES:
        for layout in LAYOUTS:
            a = make((3, 5), dtype, layout)
            for k in range(-4, 7):
                close(trace(a, k), np.trace(a.astype(np.complex128), k))
    with pytest.raises(TypingError, match=r"np.trace\(\) only supported on float and complex arrays."):
        trace(np.ones((2, 2), np.int64), 0)


def check_layout(array, fortran):
    assert array.flags.f_contiguous if fortran else array.flags.c_contiguous


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("n", [1, 2, 5, 20])
class TestSquare:
    def test_inv(self, dtype, layout, n):
        a = regular(n, dtype, layout)
        before = a.copy()
        got = njit("np.linalg.inv(a)")(a)
        close(got, np.linalg.inv(a))
        check_layout(got, True)
        assert got.dtype == dtype
        np.testing.assert_array_equal(a, before)

    def test_solve(self, dtype, layout, n):
        f = njit("np.linalg.solve(a, b)")
        a = regular(n, dtype, layout)
        for shape in [(n,), (n, 1), (n, 3)]:
            b = make(shape, dtype, layout)
            got = f(a, b)
            close(got, np.linalg.solve(a, b))
            assert (got.dtype, got.shape) == (dtype, shape)
            check_layout(got, True)

    def test_determinant(self, dtype, layout, n):
        a = make((n, n), dtype, layout)
        want = np.linalg.slogdet(a.astype(np.complex128))
        eps = np.finfo(dtype).eps if dtype in (np.float32, np.complex64) else 1e-15
        sign, logarithm = njit("np.linalg.slogdet(a)")(a)
        assert isinstance(logarithm, float)
        assert isinstance(sign, complex if np.issubdtype(dtype, np.complexfloating) else float)
        np.testing.assert_allclose([sign, logarithm], want, atol=1e3 * eps)
        np.testing.assert_allclose(njit("np.linalg.det(a)")(a), want[0] * np.exp(want[1]), rtol=1e3 * eps)

    def test_cholesky(self, dtype, layout, n):
        a = self_adjoint(n, dtype, layout)
        got = njit("np.linalg.cholesky(a)")(a)
        close(got, np.linalg.cholesky(a), 10)
        check_layout(got, False)
        assert got.dtype == dtype

    def test_eigenvalues(self, dtype, layout, n):
        a = self_adjoint(n, dtype, layout)
        values, vectors = njit("np.linalg.eigh(a)")(a)
        assert (values.dtype, vectors.dtype) == (real_of(dtype), dtype)
        close(values, np.linalg.eigvalsh(a), n)
        close(vectors @ np.diag(values) @ vectors.conj().T, a, n)
        close(njit("np.linalg.eigvalsh(a)")(a), values, n)
        values, vectors = njit("np.linalg.eig(a)")(a)
        assert (values.dtype, vectors.dtype) == (dtype, dtype)
        check_layout(vectors, True)
        close(a @ vectors, vectors @ np.diag(values), n)
        close(np.linalg.norm(vectors, axis=0), np.ones(n))
        close(np.sort_complex(njit("np.linalg.eigvals(a)")(a)), np.sort_complex(values), n)

    def test_eigenvalues_of_what_is_not_symmetric(self, dtype, layout, n):
        a = make((n, n), dtype, layout)
        if not np.issubdtype(dtype, np.complexfloating):
            # Similar to a diagonal matrix, so that its eigenvalues are real.
            p = regular(n, np.float64)
            a = (p @ np.diag(np.arange(1.0, n + 1)) @ np.linalg.inv(p)).astype(dtype)
        values, vectors = njit("np.linalg.eig(a)")(a)
        close(a @ vectors, vectors @ np.diag(values), 10 * n)
        want = np.linalg.eigvals(a)
        close(np.sort_complex(values), np.sort_complex(want), 100 * n)

    def test_matrix_power(self, dtype, layout, n):
        f = njit("np.linalg.matrix_power(a, b)")
        a = regular(n, dtype, layout) / (2 * n)
        for power in [0, 1, 2, 3, 4, 7, 10, -1, -2, -5]:
            got = f(a, power)
            want = np.linalg.matrix_power(a, power)
            np.testing.assert_allclose(got, want, rtol=1e-3 if real_of(dtype) == np.float32 else 1e-10, atol=1e-6)
            assert got.dtype == dtype
            check_layout(got, False)

    def test_condition(self, dtype, layout, n):
        a = regular(n, dtype, layout)
        f = njit("np.linalg.cond(a, b)")
        for p in [2, -2, 1, -1, np.inf, -np.inf]:
            close(np.asarray(f(a, p), real_of(dtype)), np.linalg.cond(a, p), 10)
        close(np.asarray(njit("np.linalg.cond(a)")(a), real_of(dtype)), np.linalg.cond(a), 10)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(1, 1), (4, 4), (7, 3), (3, 7), (30, 20)])
class TestRectangular:
    def test_qr(self, dtype, layout, shape):
        a = make(shape, dtype, layout)
        q, r = njit("np.linalg.qr(a)")(a)
        want = np.linalg.qr(a)
        assert (q.shape, r.shape, q.dtype, r.dtype) == (want[0].shape, want[1].shape, dtype, dtype)
        close(q @ r, a)
        close(q.conj().T @ q, np.eye(min(shape)))
        np.testing.assert_array_equal(r, np.triu(r))
        close(q, want[0], 10)
        close(r, want[1], 10)
        check_layout(q, True)
        check_layout(r, True)

    def test_svd(self, dtype, layout, shape):
        a = make(shape, dtype, layout)
        f = njit("np.linalg.svd(a, b)")
        for full in 0, 1:
            u, s, vt = f(a, full)
            want = np.linalg.svd(a, full)
            assert [x.shape for x in (u, s, vt)] == [x.shape for x in want]
            assert [x.dtype for x in (u, s, vt)] == [dtype, real_of(dtype), dtype]
            close(s, want[1], 10)
            k = min(shape)
            close(u[:, :k] @ np.diag(s) @ vt[:k], a, 10)
            close(u.conj().T @ u, np.eye(u.shape[1]), 10)
            close(vt @ vt.conj().T, np.eye(vt.shape[0]), 10)
            check_layout(u, True)
            check_layout(vt, True)

    def test_pinv(self, dtype, layout, shape):
        a = make(shape, dtype, layout)
        got = njit("np.linalg.pinv(a)")(a)
        close(got, np.linalg.pinv(a), 20 * np.linalg.cond(a))
        check_layout(got, True)

    def test_lstsq(self, dtype, layout, shape):
        f = njit("np.linalg.lstsq(a, b)")
        a = make(shape, dtype, layout)
        scale = 20 * np.linalg.cond(a)
        for columns in [(), (1,), (3,)]:
            b = make(shape[:1] + columns, dtype, layout)
            got, want = f(a, b), np.linalg.lstsq(a, b, -1)
            for x, y in zip(got[:2], want[:2], strict=True):
                assert (x.shape, x.dtype) == (y.shape, y.dtype)
                close(x, y, scale)
            assert got[2] == want[2]
            close(got[3], want[3], 10)

    def test_rank_and_norms(self, dtype, layout, shape):
        a = make(shape, dtype, layout)
        assert njit("np.linalg.matrix_rank(a)")(a) == min(shape)
        assert njit("np.linalg.matrix_rank(a, b)")(a, 1e9) == 0
        f = njit("np.linalg.norm(a, b)")
        for order in [np.inf, -np.inf, 1, -1, 2, -2]:
            close(np.asarray(f(a, order), real_of(dtype)), np.linalg.norm(a, order), 10)
        close(np.asarray(njit("np.linalg.norm(a)")(a), real_of(dtype)), np.linalg.norm(a))
        with pytest.raises(ValueError, match="Invalid norm order for matrices"):
            f(a, 3)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_vector_norms(dtype, layout):
    v = make((9,), dtype, layout)
    f = njit("np.linalg.norm(a, b)")
    for order in [2, np.inf, -np.inf, 0, 1, 3, 2.5, -1]:
        close(np.asarray(f(v, order), real_of(dtype)), np.linalg.norm(v, order))
    close(np.asarray(njit("np.linalg.norm(a)")(v), real_of(dtype)), np.linalg.norm(v))
    assert njit("np.linalg.norm(a)")(np.array([3e200, 4e200])) == pytest.approx(5e200, rel=1e-15)
    assert njit("np.linalg.norm(a)")(np.array([3e-200, 4e-200])) == pytest.approx(5e-200, rel=1e-15, abs=0)
    assert njit("np.linalg.norm(a)")(np.zeros(0)) == 0
    assert f(np.zeros(0), 1) == 0
    assert njit("np.linalg.matrix_rank(a)")(v) == 1
    assert njit("np.linalg.matrix_rank(a)")(v * 0) == 0


def test_roots():
    f = njit("np.roots(a)")
    for p in [[1, -6, 11, -6], [0, 2, -4, 0, 0], [5], [0, 0], [1.0, -3.0, 2.0], [1j, 2, 3 + 1j]]:
        got, want = f(np.array(p)), np.roots(p)
        close(np.sort_complex(got), np.sort_complex(want), 100)
        assert got.shape == want.shape
    with pytest.raises(ValueError, match=r"^eigvals\(\) argument must not cause a domain change\.$"):
        f(np.array([1.0, 0.0, 1.0]))


def test_deficient_matrices():
    a = np.outer(np.arange(1.0, 5), np.arange(1.0, 4))
    assert njit("np.linalg.matrix_rank(a)")(a) == 1
    close(njit("np.linalg.pinv(a)")(a), np.linalg.pinv(a))
    close(njit("np.linalg.pinv(a)")(np.zeros((2, 3))), np.zeros((3, 2)))
    got, want = njit("np.linalg.lstsq(a, b)")(a, np.ones(4)), np.linalg.lstsq(a, np.ones(4), -1)
    close(got[0], want[0])
    assert (got[1].size, got[2]) == (0, 1)
    assert njit("np.linalg.slogdet(a)")(np.ones((2, 2))) == (0.0, -np.inf)
    assert njit("np.linalg.det(a)")(np.ones((2, 2))) == 0.0
    assert njit("np.linalg.cond(a)")(np.zeros((2, 2))) == np.inf


SQUARE = ["inv(a)", "cholesky(a)", "eig(a)", "eigvals(a)", "eigh(a)", "eigvalsh(a)", "det(a)", "slogdet(a)"]
FINITE = [
    "svd(a)",
    "qr(a)",
    "pinv(a)",
    "cond(a)",
    "matrix_rank(a)",
    "solve(a, a)",
    "lstsq(a, a)",
    *SQUARE[:1],
    *SQUARE[2:],
]
NOT_EMPTY = ["svd(a)", "qr(a)", "cond(a)", "matrix_rank(a)", "lstsq(a, a)"]
MATRIX = [*FINITE, "cholesky(a)", "norm(a)", "matrix_power(a, 2)"]


@pytest.mark.parametrize("source", SQUARE)
def test_not_square(source):
    with pytest.raises(LinAlgError, match=r"^Last 2 dimensions of the array must be square\. The shape is \(\d,\d\)$"):
        njit(f"np.linalg.{source}")(np.ones((2, 3)))


@pytest.mark.parametrize("source", FINITE)
@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_not_finite(source, bad):
    for dtype in np.float32, np.complex128:
        a = np.eye(3).astype(dtype)
        a[1, 2] = bad
        with pytest.raises(LinAlgError, match=r"^Array must not contain infs or NaNs\.$"):
            njit(f"np.linalg.{source}")(a)


@pytest.mark.parametrize("source", NOT_EMPTY)
def test_empty(source):
    with pytest.raises(LinAlgError, match=r"^Arrays cannot be empty$"):
        njit(f"np.linalg.{source}")(np.ones((0, 0)))


@pytest.mark.parametrize(
    "source",
    [
        "inv(a)",
        "cholesky(a)",
        "eigvals(a)",
        "eigvalsh(a)",
        "pinv(a)",
        "solve(a, a)",
        "matrix_power(a, 3)",
        "det(a)",
        "norm(a)",
    ],
)
def test_empty_matrices_that_have_a_result(source):
    got = njit(f"np.linalg.{source}")(np.ones((0, 0)))
    want = eval(f"np.linalg.{source}", {"np": np, "a": np.ones((0, 0))})
    assert np.shape(got) == np.shape(want)
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("source", MATRIX)
def test_arguments_that_are_no_matrix(source):
    name = source.split("(")[0]
    f = njit(f"np.linalg.{source}")
    with pytest.raises(TypingError, match=rf"np.linalg.{name}\(\) only supported on float and complex arrays\."):
        f(np.ones((2, 2), np.int64))
    with pytest.raises(TypingError, match=rf"np.linalg.{name}\(\) only supported for array types"):
        f(1.0)
    with pytest.raises(TypingError, match=rf"np.linalg.{name}\(\) only supported on "):
        f(np.ones((2, 2, 2)))


def test_other_errors():
    with pytest.raises(LinAlgError, match=r"^Matrix is singular to machine precision\.$"):
        njit("np.linalg.inv(a)")(np.zeros((2, 2)))
    with pytest.raises(LinAlgError, match=r"^Matrix is singular to machine precision\.$"):
        njit("np.linalg.solve(a, b)")(np.ones((2, 2)), np.ones(2))
    with pytest.raises(LinAlgError, match=r"^Matrix is not positive definite\.$"):
        njit("np.linalg.cholesky(a)")(-np.eye(2))
    turn = np.array([[0.0, -1.0], [1.0, 0.0]])
    for name in "eig", "eigvals":
        with pytest.raises(ValueError, match=rf"^{name}\(\) argument must not cause a domain change\.$"):
            njit(f"np.linalg.{name}(a)")(turn)
        njit(f"np.linalg.{name}(a)")(turn.astype(np.complex128))
    for name in "solve", "lstsq":
        f = njit(f"np.linalg.{name}(a, b)")
        with pytest.raises(
            LinAlgError,
            match=r"^Incompatible array sizes, system is not dimensionally valid\. The shapes are \(\d,\d\) \(\d.*\)$",
        ):
            f(np.eye(3), np.ones(2))
        with pytest.raises(TypingError, match=rf"np.linalg.{name}\(\) only supports inputs that have homogeneous"):
            f(np.eye(3), np.ones(3, np.complex128))
    with pytest.raises(LinAlgError, match=r"^Last 2 dimensions of the array must be square\. The shape is \(\d,\d\)$"):
        njit("np.linalg.solve(a, b)")(np.ones((2, 3)), np.ones(2))
    with pytest.raises(ValueError, match=r"^input must be a square array, its shape is \(\d,\d\)$"):
        njit("np.linalg.matrix_power(a, 2)")(np.ones((2, 3)))
    with pytest.raises(TypingError, match=r"Exponent must be an integer\."):
        njit("np.linalg.matrix_power(a, b)")(np.eye(2), 2.5)


def test_arguments_that_may_not_be_written():
    a = regular(4, np.float64)
    a.flags.writeable = False
    for source in ["inv(a)", "solve(a, a)", "eigvalsh(a)", "svd(a)", "qr(a)", "det(a)", "norm(a)", "cholesky(a @ a.T)"]:
        njit(f"np.linalg.{source}")(a)


PROGRAM = """
import numbra as nb, numpy as np

@nb.njit
def f(a, b):
    q, r = np.linalg.qr(a)
    u, s, vt = np.linalg.svd(a)
    w, v = np.linalg.eigh(a @ a.T)
    x = np.linalg.solve(a, b)
    l, res, rank, sv = np.linalg.lstsq(a, b)
    return np.abs(q @ r - a).max() + np.abs(a @ x - b).max() + np.abs(l - x).max() + abs(sv[0] - s[0]) + (rank - 4)

a = np.arange(16.0).reshape(4, 4) ** 2 + np.eye(4) * 50
assert f(a, np.ones(4)) < 1e-9
try:
    nb.njit(lambda a: np.linalg.inv(a))(np.zeros((2, 2)))
except np.linalg.LinAlgError as e:
    print(e)
"""


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_both_tiers(tier):
    env = {k: v for k, v in os.environ.items() if k != "NUMBRA_TIER"}
    if tier == "llvm":
        env["NUMBRA_TIER"] = "llvm"
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=env, capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout) == (0, "Matrix is singular to machine precision.\n"), done.stderr


def test_operands_that_are_copied_are_told():
    a = np.ones((4, 6))[:, ::2]
    for f, name in (dot, r"np.dot\(\)"), (matmul, "'@'"):
        g = nb.njit(f.py_func)
        with pytest.warns(NumbaPerformanceWarning, match=f"^{name} is faster on contiguous arrays, called on ") as told:
            g(a, np.ones((3, 3)))
        assert [w.filename for w in told] == ["<string>"]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        nb.njit(dot.py_func)(np.ones((2, 2)), np.ones((2, 2)).T)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex64", "complex128"])
def test_traces_and_diagonals(dtype):
    trace = nb.njit(lambda a, offset: np.trace(a, offset))
    wide = np.arange(42).reshape(6, 7).astype(dtype)
    for a in (wide, wide.T, wide[:3, :3], wide[::-1, ::2], wide[:0], wide[:, :0], wide[:1]):
        for offset in (0, 1, -1, 3, -5, 100, -100, 2**63 - 1, -(2**63)):
            assert trace(a, offset) == (np.trace(a, offset) if abs(offset) <= 100 else 0)
    assert type(trace(wide, 0)) is (complex if dtype[0] == "c" else float)
    diagonal = nb.njit(lambda a, offset: np.diag(a, offset))
    for offset in (2**63 - 1, -(2**63)):
        assert diagonal(wide, offset).shape == (0,)
    for bad in (np.arange(3.0), np.ones((2, 2, 2)), np.ones((2, 2), int)):
        with pytest.raises(nb.errors.TypingError, match="trace"):
            trace(bad, 0)
    with pytest.raises(nb.errors.TypingError, match="integer argument expected"):
        trace(wide, 1.5)


def test_kron_of_numbers():
    kron = nb.njit(lambda a, b: np.kron(a, b))
    for a, b in [(np.array(3.0), np.array(2)), (np.array(2 + 1j), 3.0), (2, 3), (np.array(2), np.arange(3))]:
        got, want = kron(a, b), np.kron(a, b)
        assert np.shape(got) == np.shape(want) and np.all(got == want)
        assert isinstance(got, np.ndarray) is (np.ndim(want) > 0)


def test_covariances_of_complex_nan():
    cov = nb.njit(lambda a: np.cov(a))
    for a in ([1 + 1j, np.nan * 1j, 2], [[1 + 1j, complex(np.nan, 1), 2], [1, 2, 3j]], [1 + 1j, 2, 3j]):
        np.testing.assert_allclose(cov(np.array(a)), np.cov(np.array(a)), rtol=1e-14)


@pytest.mark.parametrize("shapes", [((3,), (4,)), ((2, 3), (2, 4)), ((0,), (1,))])
def test_vecdot_of_other_lengths(shapes):
    a, b = map(np.ones, shapes)
    with pytest.raises(ValueError) as expected:
        np.vecdot(a, b)
    with pytest.raises(ValueError) as found:
        nb.njit(lambda a, b: np.vecdot(a, b))(a, b)
    assert str(found.value) == str(expected.value)
