"""Functions that copy runs of elements, at every layout: contiguous, strided, reversed, Fortran order, empty."""

import numbra as nb
import numpy as np
import pytest

KINDS = [np.bool_, np.int8, np.int32, np.float32, np.float64, np.complex128]


def lines(kind):
    """Arrays with one axis."""
    x = (np.arange(24) * 7 % 11).astype(kind)
    return [x, x[::2], x[::-1], x[3:4], x[:0], np.asfortranarray(x.reshape(4, 6))[:, 1]]


def tables(kind):
    x = (np.arange(24) * 7 % 11).astype(kind).reshape(4, 6)
    return [x, x.T, x[::-1, ::2], np.asfortranarray(x), x[:, :1], x[:0], x[1:2], x[:, ::-1]]


def same(f, *args):
    got, want = nb.njit(f)(*args), f(*args)
    np.testing.assert_array_equal(got, want)
    assert got.dtype == want.dtype


@pytest.mark.parametrize("kind", KINDS)
def test_lines(kind):
    for x in lines(kind):
        if x.size:
            for at in (0, -1, x.size // 2):
                same(lambda x, at=at: np.delete(x, at), x)
                same(lambda x, at=at: np.insert(x, at, x[0]), x)
        same(lambda x: np.delete(x, slice(1, 9, 3)), x)
        same(lambda x: np.insert(x, 0, x), x)
        for n in (0, 1, 3):
            same(lambda x, n=n: np.repeat(x, n), x)
        same(lambda x: np.repeat(x, np.arange(x.size)), x)
        same(lambda x: np.column_stack((x, x)), x)
        same(lambda x: np.roll(x, 3), x)
        if x.size:
            same(lambda x: np.extract(x != x[0], x), x)
            same(lambda x: np.extract((x != x[0])[::1], x[::-1]), x)
            same(lambda x: np.take(x, np.array([0, -1, 0])), x)
            same(lambda x: np.take(x, np.array([[0], [-1]])[:, ::-1]), x)
        trimmed = nb.njit(lambda x: np.trim_zeros(x))(x)
        np.testing.assert_array_equal(trimmed, np.trim_zeros(x))


@pytest.mark.parametrize("places", [[3, 1, 2], [0, 0, 0], [5, 5, 1], [-1, 0, 2]])
def test_insertions_at_several_places(places):
    x, places = np.arange(6.0), np.array(places)
    for values in (9.0, np.array([7.0, 8.0, 9.0])):
        same(lambda x, p, v: np.insert(x, p, v), x, places, values)


def test_deletions_at_several_places():
    x = np.arange(12.0)
    for places in ([0], [11, 0, 5], [3, 4, 5], [-1, -1], list(range(12))):
        same(lambda x, p: np.delete(x, p), x, np.array(places))
    same(lambda x, m: np.delete(x, m), x, x > 5)
    delete = nb.njit(lambda x, at: np.delete(x, at))
    with pytest.raises(IndexError):
        delete(x, 12)
    with pytest.raises(IndexError):
        delete(x[:0], 0)


def test_indices_out_of_range():
    take = nb.njit(lambda x, at: np.take(x, at))
    for at in ([6], [-7], [0, 1, 2, 2**62], [-(2**63)]):
        with pytest.raises(IndexError, match="is out of bounds for axis 0 with size 6"):
            take(np.arange(6.0), np.array(at))


@pytest.mark.parametrize("kind", KINDS)
def test_tables(kind):
    for x in tables(kind):
        for k in (-9, -2, 0, 1, 9):
            same(lambda x, k=k: np.tril(x, k), x)
            same(lambda x, k=k: np.triu(x, k), x)
        same(lambda x: np.take(x, np.array([2, 0, -1]) % max(x.size, 1)), x if x.size else np.ones((1, 1), kind))
        same(lambda x: np.repeat(x, 2), x)
        same(lambda x: np.column_stack((x, x)), x)
        same(lambda x: np.kron(x, x[:2]), x)
        if kind != np.bool_:
            same(lambda x: np.diff(x), x)
            same(lambda x: np.diff(x, 3), x)
    same(lambda x: np.tril(x), np.arange(4).astype(kind))


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (3, 5), (5, 3), (4, 0)])
def test_tri(shape):
    tri = nb.njit(lambda n, m, k: np.tri(n, m, k))
    for k in (-9, -1, 0, 2, 9):
        np.testing.assert_array_equal(tri(*shape, k), np.tri(*shape, k))
    assert np.all(tri(*shape, 2**63 - 1) == 1) and not np.any(tri(*shape, -(2**63)))


@pytest.mark.parametrize("kind", [np.int64, np.float32, np.float64, np.complex128])
def test_covariances(kind):
    rng = np.random.default_rng(7)
    x = rng.integers(-9, 9, (5, 40)).astype(kind)
    if kind == np.complex128:
        x += 1j * rng.integers(-9, 9, (5, 40))
    for view in (x, x[::-1, ::3], np.asfortranarray(x), x.T[:9]):
        got = nb.njit(lambda x: np.cov(x))(view)
        np.testing.assert_allclose(got, np.cov(view), rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(got, got.conj().T)
        got = nb.njit(lambda x: np.cov(x, rowvar=False))(view)
        np.testing.assert_allclose(got, np.cov(view, rowvar=False), rtol=1e-12, atol=1e-12)
        got = nb.njit(lambda x: np.corrcoef(x))(view)
        np.testing.assert_allclose(got, np.corrcoef(view), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("kind", [np.int16, np.float32, np.float64])
def test_spreads(kind):
    for x in (*lines(kind)[:4], *tables(kind)[:2]):
        assert nb.njit(lambda x: np.ptp(x))(x) == np.ptp(x)
    with pytest.raises(ValueError, match="zero-size array reduction not possible"):
        nb.njit(lambda x: np.ptp(x))(lines(kind)[4])
    if kind != np.int16:
        x = np.ones(40, kind)
        x[17] = np.nan
        assert np.isnan(nb.njit(lambda x: np.ptp(x))(x))


@pytest.mark.parametrize("kind", [np.int64, np.float64, np.complex128])
def test_areas_and_products(kind):
    trapezoid = nb.njit(lambda y: np.trapezoid(y))
    along = nb.njit(lambda y, x: np.trapezoid(y, x))
    for y in (*lines(kind), *tables(kind)):
        np.testing.assert_allclose(trapezoid(y), np.trapezoid(y), rtol=1e-13)
        if y.shape[-1]:
            x = np.sqrt(np.arange(y.shape[-1]) + 1.0)
            np.testing.assert_allclose(along(y, x), np.trapezoid(y, x), rtol=1e-13)
    a, b = (np.arange(18) * 5 % 7).astype(kind).reshape(6, 3), (np.arange(18) * 3 % 8).astype(kind).reshape(6, 3)
    pairs = [(a, b), (a[::-2], b[:3]), (a.T[:, :3].T, b[:3]), (a, b[0])]
    # NumPy 2.5 takes no vectors in the plane.
    if np.lib.NumpyVersion(np.__version__) < "2.5.0":
        pairs.append((a[:, :2], b))
    for x, y in pairs:
        np.testing.assert_array_equal(nb.njit(lambda a, b: np.cross(a, b))(x, y), reference_cross(x, y))


def reference_cross(a, b):
    a, b = (np.pad(v, [(0, 0)] * (v.ndim - 1) + [(0, 3 - v.shape[-1])]) for v in (a, b))
    return np.cross(a, b)
