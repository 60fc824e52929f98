"""Reductions of arrays to one number: short ones stand in the code, longer ones are calls. Both as NumPy."""

import warnings

import numbra as nb
import numpy as np
import pytest

REDUCTIONS = {
    "sum": lambda a: a.sum(),
    "prod": lambda a: np.prod(a),
    "mean": lambda a: a.mean(),
    "min": lambda a: a.min(),
    "max": lambda a: np.max(a),
    "argmin": lambda a: np.argmin(a),
    "argmax": lambda a: a.argmax(),
    "any": lambda a: a.any(),
    "all": lambda a: np.all(a),
}
KINDS = ["float64", "float32", "int64", "int32", "uint8", "uint64", "bool"]
SIZES = [*range(20), 127, 130, 300]
TIERS = ["cranelift", "llvm"]


def samples(kind, rng):
    """Arrays of each size: contiguous, with gaps, backwards; floats also with NaN, infinities, both zeros."""
    for n in SIZES:
        a = (rng.random(2 * n) * 10 - (5 if kind[0] in "fi" else 0)).astype(kind)
        yield a[:n]
        yield a[::2]
        yield a[n:][::-1]
        yield np.zeros(n, kind)
        yield np.full(n, True if kind == "bool" else np.array(200).astype(kind))
        if kind.startswith("float"):
            for special in (np.nan, -0.0, np.inf):
                b = np.zeros(n, kind) if special == 0 else a[:n].copy()
                b[n // 2 : n // 2 + 2] = special
                yield b


def same(got, expected):
    """The same bits, but for those of NaN."""
    return got.tobytes() == expected.tobytes() or (np.isnan(got) and np.isnan(expected))


def results(name, reduce, compiled, a):
    """What the compiled function gives, in the type of the other one's result, and that; none if both raise."""
    if a.size == 0 and name in ("min", "max", "argmin", "argmax"):
        with pytest.raises(ValueError, match=f"empty sequence|reduction operation {name}imum"):
            compiled(a)
        return None
    with warnings.catch_warnings(action="ignore"):
        expected = np.asarray(reduce(a))
    # What comes back to Python is its own int, float or bool.
    return np.asarray(compiled(a), dtype=expected.dtype), expected


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind", KINDS)
def test_as_numpy(kind, tier):
    rng = np.random.default_rng(4)
    for name, reduce in REDUCTIONS.items():
        compiled = nb.njit(tier=tier)(reduce)
        for a in samples(kind, rng):
            pair = results(name, reduce, compiled, a)
            if pair is None:
                continue
            got, expected = pair
            # Which of two zeros is the least depends on NumPy's vectors.
            equal = name in ("min", "max") and got == expected
            assert equal or same(got, expected), (name, a, got, expected)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind", KINDS)
def test_several_axes(kind, tier):
    """Arrays in C order are lines; others, with gaps or in another order, are not."""
    rng = np.random.default_rng(9)
    shapes = [(2, 3), (3, 3), (4, 4), (1, 1), (1, 17), (5, 4), (2, 2, 2), (1, 2, 1), (3, 0), (0, 3), (9, 30)]
    arrays = [(rng.random(shape) * 10).astype(kind) for shape in shapes]
    wide = (rng.random((6, 8)) * 10).astype(kind)
    arrays += [wide[1:3, :4], wide[::2, ::3], wide[::-1], np.asfortranarray(wide[:3, :3]), wide[:2, :3].T]
    for name, reduce in REDUCTIONS.items():
        compiled = nb.njit(tier=tier)(reduce)
        for a in arrays:
            pair = results(name, reduce, compiled, a)
            assert pair is None or same(*pair), (name, a, pair)


@pytest.mark.parametrize("tier", TIERS)
def test_of_rows(tier):
    """Views that live no longer than the call, of rows and columns."""
    rng = np.random.default_rng(5)

    def each(a, out):
        for i in range(a.shape[0]):
            out[i, 0] = a[i].sum()
            out[i, 1] = a[i, ::-1].max()
            out[i, 2] = (a[i] * a[i]).sum()
            out[i, 3] = (a[i] > 0.5).sum()
            out[i, 4] = np.sort(a[i])[:2].mean()

    for a in (
        rng.random((40, 3)),
        np.asfortranarray(rng.random((40, 5))),
        rng.random((40, 9)),
        rng.random((7, 6))[::-1, ::2],
    ):
        got, expected = np.empty((a.shape[0], 5)), np.empty((a.shape[0], 5))
        nb.njit(tier=tier)(each)(a, got)
        each(a, expected)
        assert got.tobytes() == expected.tobytes()


@pytest.mark.parametrize("tier", TIERS)
def test_given_dtype_and_axis(tier):
    """These are calls."""
    a = np.array([1.5, 2.5, 3.0])
    assert nb.njit(tier=tier)(lambda a: a.sum(dtype=np.int64))(np.array([1, 2], np.int8)) == 3
    assert nb.njit(tier=tier)(lambda a: np.sum(a, axis=0))(a) == 7.0
    assert nb.njit(tier=tier)(lambda a: np.argmax(a, axis=0))(a) == 2


def test_integers_wrap_around():
    compiled = nb.njit(lambda a: (a.sum(), np.prod(a)))
    a = np.array([2**62, 2**62, 5])
    assert compiled(a) == (np.int64(a.sum()), np.int64(np.prod(a)))
    assert compiled(a)[0] < 0


def test_reductions_in_parallel_functions():
    @nb.njit(parallel=True)
    def rows(a):
        out = np.empty(a.shape[0])
        for i in nb.prange(a.shape[0]):
            out[i] = a[i].sum() + a[i].max()
        return out

    a = np.random.default_rng(6).random((500, 4))
    assert rows(a).tobytes() == (a.sum(1) + a.max(1)).tobytes()


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind", ["float64", "float32"])
def test_products_and_norms(kind, tier):
    dot = nb.njit(tier=tier)(lambda a, b: np.dot(a, b))
    norm = nb.njit(tier=tier)(lambda a: np.linalg.norm(a))
    rng = np.random.default_rng(7)
    close = {"rtol": 1e-6 if kind == "float32" else 1e-14}
    for n in SIZES:
        a, b = (rng.random((2, 2 * n)) - 0.5).astype(kind)
        for x, y in ((a[:n], b[:n]), (a[::2], b[n:][::-1])):
            np.testing.assert_allclose(dot(x, y), x @ y, atol=1e-7, **close)
            np.testing.assert_allclose(norm(x), np.linalg.norm(x), **close)
        with pytest.raises(ValueError):
            dot(a[:n], b[: n + 1] if n else np.ones(1, kind))
    # Squares of these are too large, too small, or both.
    most = np.finfo(kind).max / 4
    for sizes in ([most, most, 0], [1 / most, 1 / most], [most, 1 / most], [np.inf, 1], [0.0, -0.0]):
        x = np.array(sizes, kind)
        np.testing.assert_allclose(norm(x), np.hypot.reduce(x), rtol=1e-6)
    assert np.isnan(norm(np.array([np.nan, np.inf], kind)))
    assert dot(np.array([np.inf, 1], kind), np.array([1, 1], kind)) == np.inf


def test_cross_products():
    cross = nb.njit(lambda a, b: np.cross(a, b))
    a, b = np.random.default_rng(8).random((2, 6))
    for x, y in ((a[:3], b[:3]), (a[::2], b[3:][::-1]), (a[:3].astype("f4"), b[:3]), (a.reshape(2, 3), b[:3])):
        np.testing.assert_array_equal(cross(x, y), np.cross(x, y))
    for x, y in ((a[:2], b[:2]), (a[:4], b[:3]), (a[:0], b[:3])):
        with pytest.raises(ValueError, match="imension"):
            cross(x, y)


@pytest.mark.filterwarnings("ignore:Arrays of 2-dimensional vectors:DeprecationWarning")
def test_cross_products_in_the_plane():
    """As the NumPy that is installed: refused from 2.5 on."""
    cross = nb.njit(lambda a, b: np.cross(a, b))
    a, b = np.random.default_rng(8).random((2, 6))
    for x, y in ((a[:2], b[:3]), (a[:3], b[:2]), (a.reshape(2, 3), b[:2]), (a.reshape(3, 2), b.reshape(2, 1, 3))):
        try:
            want = np.cross(x, y)
        except ValueError as error:
            with pytest.raises(ValueError) as raised:
                cross(x, y)
            assert str(raised.value) == str(error)
        else:
            np.testing.assert_array_equal(cross(x, y), want)
