"""Array functions against NumPy: every expression over dtypes, layouts and edge values.

A line of a table is one test: the expression runs on every array of its group, once by NumPy and once compiled. Value,
dtype, shape, order and the class of what is raised must agree; lines under ``VALUES`` agree in value alone, since Numba
decides their dtype. Where a line ends in ``# order``, Numba decides that the result is in C order.
"""

import re
import warnings
from pathlib import Path

import numbra as nb
import numpy as np
import pytest

VECTOR = """
a[a > 1]
a[np.arange(2)]
a[i]
a[::-1][i]
a[i.reshape(3, 1)]
np.append(a, a)
np.append(a, 1)
np.argwhere(a)
np.atleast_1d(a)
np.atleast_2d(a)
np.atleast_3d(a)
np.atleast_2d(a, a)
np.broadcast_arrays(a, a[:, None])
np.broadcast_to(a, (2, a.size))
np.column_stack((a, a))
np.delete(a, 1)
np.delete(a, i)
np.delete(a, slice(1, 3))
np.diag(a)
np.diag(a, -2)
np.diagflat(a, 1)
np.dstack((a, a))
np.expand_dims(a, 0)
np.expand_dims(a, -1)
np.extract(a > 1, a)
np.flatnonzero(a)
np.flip(a)
np.hstack((a, a))
np.insert(a, 1, 7)
np.insert(a, i, a[i])
np.meshgrid(a)
np.meshgrid(a, i)
np.meshgrid(a, i, a, indexing="ij")
np.nonzero(a)
a.nonzero()
np.repeat(a, 2)
a.repeat(i[:1])
np.resize(a, (3, 2))
np.roll(a, 2)
np.roll(a, -1)
np.stack((a, a), 1)
np.take(a, i)
np.take(a, 1)
a.take(i)
np.tile(a, 2)
np.tile(a, (2, 3))
np.take_along_axis(a, i, 0)
np.trim_zeros(a)
np.tril(a)
np.vstack((a, a))
np.where(a > 1)
np.where(a > 1, a, a[::-1])
np.asarray(a)
np.asarray(a, np.complex128)
np.lib.stride_tricks.sliding_window_view(a, 2)
np.allclose(a, a)
np.isclose(a, a)
np.array_equal(a, a)
np.array_equal(a, a[1:])
np.argsort(a, kind="mergesort")
np.sort(a)
np.unique(a)
np.union1d(a, a[:2])
np.intersect1d(a, a[::-1])
np.setdiff1d(a, a[:1])
np.setxor1d(a, a[1:])
np.isin(a, a[:2])
np.isin(a, a[:2], invert=True)
np.searchsorted(np.sort(a), a)
np.searchsorted(np.sort(a), a[0])
np.searchsorted(np.sort(a), a[0], side="right")
np.searchsorted(np.sort(a)[::2], a[-1], side="right")
np.searchsorted(np.sort(a), 1.5)
np.searchsorted(np.sort(a), np.nan)
np.searchsorted(np.sort(a), np.nan, side="right")
np.digitize(a, np.array((0.5, 1.5)))
np.digitize(a, np.array((1.5, 0.5)), right=True)
np.digitize(a, np.array((np.nan, 1.5)))
np.digitize(a, np.array((1.5, np.nan)))
np.digitize(a, np.array((0.5, 2.5, 1.5)))
np.nanmin(a)
np.nanmax(a)
np.nansum(a)
np.nancumsum(a)
np.nancumprod(a)
np.nanargmax(a)
np.nanargmin(a)
np.cumsum(a)
np.cumsum(a, axis=0)
np.diff(a)
np.diff(a, 2)
np.ediff1d(a)
np.bincount(i + 1, minlength=9)
np.clip(a[1:], a[0], a[-1])
np.clip(a, None, a[::-1])
np.around(a, 1)
np.iscomplex(a)
np.isreal(a)
np.vander(a)
np.partition(a, 1)[1]
np.argpartition(a, 1).shape
np.isneginf(a)
np.isposinf(a)
np.isrealobj(a)
a.copy().view(np.uint8)
a.tobytes()
np.convolve(a, a[:2])
np.correlate(a, a[:2], "full")
np.correlate(a[:2], a, "same")
np.kron(a, a[:2])
np.nan_to_num(a)
np.isscalar(a)
np.iscomplexobj(a)
np.real(a)
np.lib.stride_tricks.as_strided(a, (2,), (0,))
np.indices((2, 3))
np.frombuffer(np.arange(4), np.int32)
np.frombuffer(np.arange(4), dtype=np.int16, count=3, offset=8)
np.frombuffer(np.arange(4), offset=99)
[x.sum() for x in np.array_split(a, 2)]
np.split(a, i[:1])[0]
np.concatenate([a, a])
np.hstack([a, a])
np.array([a, a])
a[np.array([0, 1])]
"""

VALUES = """
np.fix(0.7 * a - 1)
np.heaviside(a, 0.5)
np.heaviside(a, a[::-1])
np.median(a)
np.percentile(a, 30)
np.quantile(a, np.array((0.25, 0.5)))
np.nanmedian(a)
np.nanpercentile(a, 70)
np.nanquantile(a, np.array((0.25, 0.5)))
np.select([a > 1, a == 0], [a, a[::-1]])
a.imag
np.asarray_chkfinite(a)
np.nanmean(a)
np.nanstd(a)
np.nanvar(a, ddof=1)
np.nanprod(a)
np.ptp(a)
np.average(a)
np.average(a, weights=a + 1)
np.bincount(i + 1, weights=a[:3])
np.histogram(a[:3], 3)[0]
np.histogram(a[:3], 3)[1]
np.histogram(a[:3], np.array((0.0, 1.0, 2.0)))[0]
np.cov(a)
np.cov(a, a)
np.corrcoef(a, a)
np.trapezoid(a)
np.vecdot(a, a[::-1])
np.trapezoid(a, dx=0.5)
np.interp(0.5, np.arange(5.0), a[:5])
np.interp(a, np.array((1.0,)), np.array((2.0,)))
np.interp(np.linspace(-1, 6, 15), np.array((1.0, np.nan, 2.0, 3.0, 5.0, 4.0)), np.arange(6.0))
np.interp(np.linspace(-1, 6, 15), np.arange(3.0), a[:3])
np.angle(a)
np.sinc(a)
np.unwrap(a + 0.5)
np.cross(a[:3], a[1:4])
np.linspace(0, 1, 7)
np.linspace(1j, 5, 3)
np.logspace(0, 2, 5)
np.geomspace(1, 1000, 4)
np.geomspace(1j, 1000j, 4)
np.geomspace(1 + 1j, 1000 + 1000j, 4)
np.geomspace(-1, 8 + 3j, 5)
np.hanning(5)
np.hamming(6)
np.blackman(5)
np.bartlett(4)
np.kaiser(5, 2.5)
np.polynomial.polynomial.polyval(a, np.array((1.0, 2.0, 3.0)))
np.polynomial.polynomial.polyadd(a, a)
np.polynomial.polynomial.polysub(a, a[:3])
np.polynomial.polyutils.trimseq(a)
np.polynomial.polynomial.polymul(a, a)
np.polynomial.polynomial.polydiv(np.array((1.0, 2.0, 3.0)), np.array((1.0, 2.0)))
np.polynomial.polynomial.polyint(a)
"""

MATRIX = """
a[a > 1]
a[i]
a[i, i - 1]
a[:, i]  # order
a[i, 1:]
a[0, i]
a[i, None, i]
a[..., i]  # order
np.append(a, a)
np.append(a, a, 0)
np.append(a, a, axis=1)
np.argwhere(a)
np.atleast_2d(a)
np.atleast_3d(a)
np.broadcast_to(a, (2, 3, 4))
np.column_stack((a, a))
np.diag(a)
np.diag(a, 1)
np.diag(a, -1)
np.diag(a, 9)
np.diag(a, -9)
np.dstack((a, a))
np.expand_dims(a, 1)
np.expand_dims(a, 9)
np.flip(a)
np.fliplr(a)
np.flipud(a)
np.hstack((a, a))
np.matrix_transpose(a)
np.moveaxis(a, 0, -1)
np.nonzero(a)
np.repeat(a, 2)
np.resize(a, (5, 2))
np.roll(a, 3)
np.rot90(a)
np.rot90(a, 2)
np.rot90(a, -1)
np.stack((a, a))  # order
np.stack((a, a), -1)  # order
np.tile(a, (2, 1, 2))
np.tile(a, (-1, 2))
np.swapaxes(a, 0, 1)
np.take(a, i)
np.take(a, i, axis=1)
np.take_along_axis(a, (a > 1).astype(np.int64), 1)  # order
np.tril(a)
np.tril(a, 1)
np.triu(a)
np.triu_indices_from(a)
np.tril_indices_from(a, -1)
np.vstack((a, a))
np.where(a > 1, a, a + a)
np.sort(a)  # order
np.argsort(a, kind="mergesort")
np.diff(a)  # order
np.cumsum(a, axis=0)  # order
np.cumsum(a, 1)  # order
np.kron(a, a[:2, :2])
np.hsplit(a, 2)[1]
np.vsplit(a, 3)[2]
np.clip(a, a[0], a[1])
np.round(a, 1)
np.nan_to_num(a)
np.isclose(a, a)
np.isclose(a, a[0])
np.zeros_like(a)
np.full_like(a, 2)
a.copy()
a.astype(np.complex128)
-a
a + a
a + a[0]
np.concatenate((a, a))
np.concatenate((a, a), axis=1)
np.asfortranarray(a)
np.ascontiguousarray(a)
np.transpose(a)
"""

ALONE = """
np.array((1, 2, 3))
np.array(((1, 2), (3.5, 4)))
np.array((True, False))
np.array(2.5)
np.array((1, 2), dtype=np.float32)
np.broadcast_shapes((2, 1), (3,), 1)
np.broadcast_shapes((2, 1), (3, 3, 7))
np.tri(3)
np.tri(3, 4, -1)
np.tril_indices(4)
np.tril_indices(3, 1, 5)
np.triu_indices(4, -1)
np.array([1, 2, 3])
np.array([[1, 2], [3, 4]])
np.array([(1, 2), (3, 4)])
np.array([1.5, 2], dtype=np.int32)
np.asarray([1, 2])
np.stack([np.ones(2), np.zeros(2)])
sum([i * j for i, j in np.ndindex(2, 3)])
[k for k in np.ndindex((2, 2))]
[k for k in np.ndenumerate(np.ones((2, 2)))]
[k for k in np.ndindex(3, 0)]
np.dsplit(np.arange(24).reshape(2, 3, 4), 2)[1]
np.dsplit(np.arange(24).reshape(2, 3, 4), 3)
np.iinfo(np.int16).max
np.identity(3)
np.identity(2, np.int8)
np.bool_(2)
np.uint8(300 - 45)
np.uint16(2.5)
np.finfo(np.float32).eps
np.empty_like(np.ones((2, 3), np.int8)).shape
np.asarray_chkfinite(np.array([1.0, np.nan]))
"""

DTYPES = ["bool", "int8", "uint32", "int64", "float32", "float64", "complex128"]


def vectors():
    for dtype in DTYPES:
        yield f"{dtype}", np.array([0, 1, 2, 3, 0]).astype(dtype)
    numbers = np.array([0.0, -0.0, np.nan, np.inf, -np.inf, 2.0])
    yield "edges", numbers
    yield "backward", numbers[::-1]
    yield "strided", np.arange(12.0)[::2]
    yield "read-only", readonly(np.arange(4.0))
    yield "one", np.array([5])


def matrices():
    for dtype in DTYPES:
        yield f"{dtype}", np.array([[0, 1, 2, 3], [3, 0, 1, 1], [2, 2, 0, 9]]).astype(dtype)
    yield "fortran", np.asfortranarray(np.arange(12.0).reshape(3, 4))
    yield "strided", np.arange(48).reshape(6, 8)[::2, ::-2]
    yield "empty", np.empty((3, 0))


def readonly(a):
    a.flags.writeable = False
    return a


def lines(table):
    return [line for line in table.strip().splitlines() if line]


def outcome(function, *args):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return function(*args), None
        except Exception as error:
            return None, error


def same(got, want, dtypes=True, order=False):
    if isinstance(want, tuple | list):
        return (
            isinstance(got, type(want))
            and len(got) == len(want)
            and all(same(g, w, dtypes, order) for g, w in zip(got, want, strict=True))
        )
    if not isinstance(got, np.ndarray) and isinstance(want, np.generic):
        want = want.item()  # compiled code returns Python's numbers
    got, want = np.asarray(got), np.asarray(want)
    if dtypes and (got.dtype != want.dtype or got.shape != want.shape):
        return False
    if order and want.ndim > 1 and want.size and want.flags.fnc != got.flags.fnc:
        return False
    if dtypes:
        return np.array_equal(got, want, equal_nan=want.dtype.kind in "fc")
    return got.shape == want.shape and np.allclose(got, want, equal_nan=True)


def run(expression, arrays, dtypes=True):
    scope = {"np": np}
    exec(f"def f(a, i):\n    return {expression}", scope)
    compiled = nb.njit(scope["f"])
    i = np.array([2, 0, -1])
    wrong = []
    for name, a in arrays:
        want, error = outcome(scope["f"], a, i)
        got, raised = outcome(compiled, a, i)
        if isinstance(raised, nb.errors.TypingError) and (error is not None or a.dtype.kind in "bc"):
            continue  # what fails in NumPy may fail earlier, and Numba has no loop for all types
        if a.dtype.kind == "b" and (error is not None or not dtypes):
            continue  # NumPy refuses to subtract booleans, Numba takes them for numbers
        if error is not None or raised is not None:
            # NumPy's AxisError is a ValueError and an IndexError.
            fine = error is not None and raised is not None and isinstance(error, type(raised))
        else:
            fine = same(got, want, dtypes, order=dtypes and not expression.endswith("# order"))
        if not fine:
            wrong.append(f"{name}: want {want!r} {error!r}, got {got!r} {raised!r}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("expression", lines(VECTOR))
def test_vectors(expression):
    run(expression, vectors())


@pytest.mark.parametrize("expression", lines(VALUES))
def test_values(expression):
    run(expression, vectors(), dtypes=False)


@pytest.mark.parametrize("expression", lines(MATRIX))
def test_matrices(expression):
    run(expression, matrices())


@pytest.mark.parametrize("expression", lines(ALONE))
def test_alone(expression):
    run(expression, [("none", np.zeros(1))])


ASSIGNMENTS = """
np.fill_diagonal(a.reshape(1, -1), 3)
a[i] = 7
a[i] = a[:3]
a[i] = i
a[a > 1] = 0
a[a > 1] = a[::-1][a > 1]
a[1:4] = (5, 6, 7)
a[i] = a[:2]
a[::-1][i] = (1, 2, 3)
"""


@pytest.mark.parametrize("statement", lines(ASSIGNMENTS))
def test_assignments(statement):
    scope = {"np": np}
    exec(f"def f(a, i):\n    {statement}\n    return a", scope)
    compiled = nb.njit(scope["f"])
    i = np.array([2, 0, -1])
    for name, a in vectors():
        if name in ("bool", "read-only", "one"):
            continue
        want, error = outcome(scope["f"], a.copy(), i)
        got, raised = outcome(compiled, a.copy(), i)
        assert type(error) is type(raised), (name, error, raised)
        assert error is not None or same(got, want), (name, want, got)


def test_every_row_has_a_line():
    """Rows with tables of loops are tested by test_ufuncs.py, loop by loop."""
    here = Path(__file__).parents[2]
    tests = "".join(path.read_text() for path in (here / "tests").rglob("*.py"))
    sections = (here / "docs" / "supported.md").read_text().split("\n## ")
    rows = "\n".join(text for text in sections if text.partition("\n")[0] in ("array", "numpy"))
    names = [re.match(r"\| `(?:\w+\.)*(\w+)\(", row) for row in rows.splitlines() if "loops `" not in row]
    missing = {name[1] for name in names if name and not re.search(rf"\b{name[1]}\b", tests)}
    assert not missing
