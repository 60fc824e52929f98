"""Positions, bins and limits of arrays of many elements and of every layout, against NumPy."""

import numbra as nb
import numpy as np
import pytest

RANDOM = np.random.default_rng(5)
SIZES = (0, 1, 7, 63, 64, 65, 1000)
SHAPES = ((0,), (1,), (130,), (5, 0), (0, 5), (1, 1), (130, 1), (1, 130), (13, 11), (3, 1, 50), (4, 5, 6, 7))

LAYOUTS = {
    "C": lambda a: a,
    "F": np.asfortranarray,
    "reversed": lambda a: a[..., ::-1],
    "strided": lambda a: np.repeat(a, 3, axis=-1)[..., ::3],
}


def parts(result):
    """What a function returns, as a list of arrays."""
    return list(result) if isinstance(result, tuple) else [result]


def agree(function, *args):
    """NumPy and compiled code give the same values, types and shapes."""
    want, got = parts(function.py_func(*args)), parts(function(*args))
    assert len(want) == len(got)
    for a, b in zip(want, got, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_array_equal(a, b)


@nb.njit
def nonzero(a):
    return np.nonzero(a)


@nb.njit
def flatnonzero(a):
    return np.flatnonzero(a)


@nb.njit
def argwhere(a):
    return np.argwhere(a)


@pytest.mark.parametrize("function", [nonzero, flatnonzero, argwhere])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_positions(function, layout):
    for shape in SHAPES:
        for density in (0.0, 0.1, 0.9, 0.99, 1.0):
            set_ = RANDOM.random(shape) < density
            for dtype in (np.bool_, np.uint8, np.float32, np.complex128):
                agree(function, LAYOUTS[layout](set_.astype(dtype)))


def test_bytes_of_any_value_are_true():
    bits = np.array([0, 1, 2, 128, 255] * 30, np.uint8).view(np.bool_)
    assert nonzero(bits)[0].tolist() == [i for i in range(150) if i % 5]


@nb.njit
def histogram(a, bins):
    return np.histogram(a, bins)


@nb.njit
def histogram_within(a, bins, low, high):
    return np.histogram(a, bins, (low, high))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.float64, np.int64, np.uint8])
def test_bins(layout, dtype):
    for size in SIZES:
        a = LAYOUTS[layout]((RANDOM.random(size) * 100).astype(dtype))
        for bins in (1, 3, 50):
            agree(histogram, a, bins)
            agree(histogram_within, a, bins, 10.0, 60.5)


def test_numbers_on_edges_are_in_numpy_s_bins():
    for low, high, bins in (
        (0.0, 1.0, 10),
        (-3.3, 7.7, 49),
        (0.1, 0.7, 6),
        (1e-300, 3e-300, 7),
        (-1e308, 0.5e308, 5),
        (0.0, 3e-322, 7),
    ):
        edges = np.linspace(low, high, bins + 1)
        near = np.concatenate((edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)))
        agree(histogram_within, near, bins, low, high)
        agree(histogram, edges, bins)
    # Many numbers, few of which are near an edge; and edges that are as rough as the numbers.
    a = np.concatenate((RANDOM.random(3000), np.linspace(0, 1, 101), RANDOM.random(3000)))
    for bins in (7, 100):
        agree(histogram, a, bins)
        agree(histogram_within, a, bins, 0.2, 0.7)
        agree(histogram, a + 1e13, bins)
    agree(histogram_within, a, 3, -np.finfo(np.float64).max / 2, np.finfo(np.float64).max / 2)


def test_what_is_not_finite():
    a = np.array([0.5, np.nan, 2.0, np.inf, -np.inf, 1.0, 0.0])
    agree(histogram_within, a, 4, 0.0, 2.0)
    for bad in (np.nan, np.inf, -np.inf):
        with pytest.raises(ValueError, match="autodetected range"):
            histogram(np.array([1.0] * 10 + [bad]), 3)


@nb.njit
def clip(a, low, high):
    return np.clip(a, low, high)


@nb.njit
def clip_method(a, low, high):
    return a.clip(low, high)


@nb.njit
def clip_into(a, low, high, out):
    return np.clip(a, low, high, out)


@nb.njit
def clip_mean(a, low, high):
    return np.clip(a - 1, low, high).mean()


#: Types of elements, and limits that NumPy leaves of such a type.
LIMITS = {
    np.float64: [(0.2, 0.8), (None, 0.5), (0.5, None), (0.8, 0.2), (np.nan, 1.0), (0.0, np.nan), (0, 1)],
    np.float32: [(0.25, 0.75), (None, np.float32(0.5)), (np.inf, -np.inf), (np.nan, 1.0), (0.3, 0.7)],
    np.int64: [(10, 20), (None, 50), (50, None), (70, 30)],
    np.int8: [(10, 20), (-5, None), (None, 5), (-128, 127)],
    np.uint8: [(10, 200), (0, 255), (None, 7)],
    np.uint64: [(np.uint64(10), np.uint64(20)), (None, np.uint64(2**63 + 1))],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", LIMITS)
@pytest.mark.parametrize("function", [clip, clip_method])
def test_limits(function, dtype, layout):
    for shape in ((0,), (1,), (100,), (13, 11), (3, 4, 5)):
        values = RANDOM.random(shape) * (1 if np.dtype(dtype).kind == "f" else 100)
        a = LAYOUTS[layout](values.astype(dtype))
        for low, high in LIMITS[dtype]:
            with np.errstate(invalid="ignore"):
                agree(function, a, low, high)


def test_limits_keep_nan_and_the_sign_of_zero():
    a = np.array([np.nan, -0.0, 0.0, np.inf, -np.inf])
    for low, high in ((0.0, 1.0), (-0.0, 1.0), (-1.0, 0.0), (-1.0, -0.0)):
        got, want = clip(a, low, high), np.clip(a, low, high)
        np.testing.assert_array_equal(got, want)
        np.testing.assert_array_equal(np.signbit(got[1:]), np.signbit(want[1:]))


def test_limits_of_each_element_replace_zeros_that_equal_them():
    zeros = np.array([0.0, -0.0, 0.0, -0.0, np.nan, 1.0])
    for limit in (np.array([0.0, 0.0, -0.0, -0.0, 0.0, np.nan]), np.full(6, -0.0)):
        for low, high in ((limit, None), (None, limit), (limit, 3.0), (-1.0, limit), (limit - 1, limit)):
            got, want = clip(zeros, low, high), np.clip(zeros, low, high)
            np.testing.assert_array_equal(got, want)
            np.testing.assert_array_equal(np.signbit(got[:4]), np.signbit(want[:4]))


@pytest.mark.parametrize("out", [np.float64, np.float32, np.int64, np.complex128])
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32])
def test_results_given_are_limited_in_memory_of_any_kind(dtype, out):
    a = (RANDOM.random((60, 50)) * 100).astype(dtype)
    for limits in ((20, 80), (20, None), (None, 80), (a.T.reshape(60, 50) - 3, 70), (a[0], a[:, :1] + 40)):
        want = np.clip(a, *limits)
        if not np.can_cast(want.dtype, out, "same_kind"):
            continue  # Refused: see test_outputs.py.
        want = want.astype(out)
        into = np.zeros((60, 50), out)
        assert clip_into(a, *limits, into) is not None
        np.testing.assert_array_equal(into, want)
        for view in (np.zeros((50, 60), out).T, np.zeros((60, 150), out)[:, ::3]):
            clip_into(a, *limits, view)
            np.testing.assert_array_equal(view, want)


def test_limited_in_place():
    a = RANDOM.random(3000)
    for shift in (0, 1, 5):
        memory = np.concatenate([a, np.zeros(shift)])
        clip_into(memory[:3000], 0.2, 0.8, memory[shift:])
        np.testing.assert_array_equal(memory[shift:], np.clip(a, 0.2, 0.8))
        memory = np.concatenate([a, np.zeros(shift)])
        clip_into(a, memory[:3000], None, memory[shift:])
        np.testing.assert_array_equal(memory[shift:], a)


def test_fractions_limit_integers_before_they_are_cut():
    a = np.arange(-5, 6)
    np.testing.assert_array_equal(clip(a, -2.5, 3.5), np.clip(a, -2.5, 3.5).astype(np.int64))
    assert clip(a, -np.inf, np.inf).tolist() == a.tolist()


def test_limits_that_are_arrays_and_results_given():
    a = RANDOM.random((20, 30))
    row, column = RANDOM.random(30), RANDOM.random((20, 1))
    agree(clip, a, row, 0.8)
    agree(clip, a, column, row)
    agree(clip, a[0], a[1], None)
    out = np.empty_like(a)
    assert clip_into(a, 0.2, 0.8, out) is not None
    np.testing.assert_array_equal(out, np.clip(a, 0.2, 0.8))
    clip_into(a, 0.3, row, a)
    assert a.min() >= np.minimum(0.3, row).min()
    with pytest.raises(ValueError, match="the shape of the 'out' array"):
        clip_into(a, 0.2, 0.8, np.empty((3, 3)))
    with pytest.raises(ValueError, match="cannot be broadcast"):
        clip(a, np.zeros(7), 1.0)
    with pytest.raises(ValueError, match="must set either max or min"):
        clip(a, None, None)


def test_limits_within_expressions_and_of_numbers():
    a = RANDOM.random(1000) * 3
    assert clip_mean(a, 0.2, 0.8) == np.clip(a - 1, 0.2, 0.8).mean()
    assert clip(np.array(5.0), 0.0, 1.0).shape == ()
    assert [clip(x, 0.5, 2.5) for x in (0.0, 1.0, 7.0)] == [0.5, 1.0, 2.5]
    assert clip(7, 1, 5) == 5


@pytest.mark.parametrize("bins", [2**31, 2**62, 2**63 - 1])
def test_more_bins_than_there_is_memory_for(bins):
    with pytest.raises(MemoryError, match=str(bins)):
        histogram(np.arange(10.0), bins)


@nb.njit
def any_all_count(a):
    return np.array([np.any(a), a.any(), np.all(a), a.all()]), np.array(np.count_nonzero(a))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("dtype", [np.bool_, np.int8, np.uint16, np.int64, np.float16, np.float32, float, complex])
def test_one_element_decides(layout, dtype):
    for shape in SHAPES:
        for start in (0, 1):
            a = LAYOUTS[layout](np.full(shape, start, dtype))
            agree(any_all_count, a)
            for at in {0, a.size // 2, a.size - 1} if a.size else ():
                one = a.copy("K")
                one.flat[at] = 1 - start
                agree(any_all_count, LAYOUTS[layout](one))


def test_truth_of_numbers():
    for x in (np.nan, -0.0, 1e-320, complex(0, 1), complex(-0.0, 0.0)):
        for count in (1, 64, 200):
            agree(any_all_count, np.full(count, x))
            agree(any_all_count, np.full((count, 3), x)[:, 1:])
    agree(any_all_count, np.array(0.0))
    agree(any_all_count, np.broadcast_to(np.array([1.0, 0.0]), (3, 5, 2))[..., 0])


@nb.njit
def counts(a, least):
    return np.bincount(a, minlength=least)


@nb.njit
def weighted(a, weights):
    return np.bincount(a, weights)


@pytest.mark.parametrize("dtype", [np.int8, np.uint16, np.int64, np.uint64])
def test_counts_of_small_numbers(dtype):
    for n in (0, 1, 100, 5000):
        a = RANDOM.integers(0, 100, n).astype(dtype)
        numpy_s = a.astype(np.int64)
        for least in (0, 7, 200):
            got = counts(a, least)
            np.testing.assert_array_equal(got, np.bincount(numpy_s, minlength=least), strict=True)
        np.testing.assert_array_equal(counts(a[::-2], 0), np.bincount(numpy_s[::-2]))
        weights = RANDOM.random(n)
        np.testing.assert_array_equal(weighted(a, weights), np.bincount(numpy_s, weights))


def test_what_cannot_be_counted():
    with pytest.raises(ValueError, match="first argument must be non-negative"):
        counts(np.array([3, -1, 2**62]), 0)
    with pytest.raises(ValueError, match="'minlength' must not be negative"):
        counts(np.array([3]), -1)
    with pytest.raises(ValueError, match="don't have the same length"):
        weighted(np.array([3]), np.ones(2))
    for most in (2**62, 2**63 - 1):
        with pytest.raises(ValueError, match="array is too big"):
            counts(np.array([0, most]), 0)


def test_arrays_in_no_order_are_searched_as_numpy_does():
    f = {side: nb.njit(lambda a, v, side=side: np.searchsorted(a, v, side)) for side in ("left", "right")}
    rng = np.random.default_rng(3)
    for _ in range(100):
        n = int(rng.integers(0, 40))
        a = rng.random(n).round(1)
        if n and rng.random() < 0.3:
            a[rng.integers(0, n, 2)] = np.nan
        for v in (rng.random((3, 4)).round(1), rng.random(200).round(1), rng.integers(0, 2, 5), 0.5, np.nan):
            for side, search in f.items():
                np.testing.assert_array_equal(search(a, v), np.searchsorted(a, v, side))
                np.testing.assert_array_equal(search(np.sort(a), v), np.searchsorted(np.sort(a), v, side))


def test_quantiles_beside_infinity():
    f = nb.njit(lambda a, q: (np.quantile(a, q), np.percentile(a, q * 100), np.nanquantile(a, q)))
    for a in ([np.inf, 5, 4], [np.inf, np.inf], [-np.inf, 1, np.inf], [1.0, 2.0, 4.0], [-np.inf, -np.inf, 3], [7.0]):
        a = np.array(a)
        for q in (0.0, 0.25, 0.5, 0.75, 1.0):
            with np.errstate(invalid="ignore"):
                np.testing.assert_array_equal(f(a, q), f.py_func(a, q))


def test_sets_of_mixed_types():
    functions = {
        "setdiff1d": nb.njit(lambda a, b: np.setdiff1d(a, b)),
        "union1d": nb.njit(lambda a, b: np.union1d(a, b)),
        "intersect1d": nb.njit(lambda a, b: np.intersect1d(a, b)),
        "setxor1d": nb.njit(lambda a, b: np.setxor1d(a, b)),
        "isin": nb.njit(lambda a, b: np.isin(a, b)),
    }
    arrays = [
        np.array([7, 8, 8, -1]), np.array([7.5, 8.0, -1.0]), np.array([7.5, 8.0], np.float32), np.array([8 + 0j, 7.5j]),
        np.array([8, 2**64 - 1, 5], np.uint64), np.array([8, 255], np.uint8), np.array([True, False]),
        np.array([-1, 8], np.int8), np.array([2**53 + 1]), np.array([2.0**53]),
    ]  # fmt: skip
    for a in arrays:
        for b in arrays:
            for name, f in functions.items():
                got, want = f(a, b), f.py_func(a, b)
                np.testing.assert_array_equal(got, want, err_msg=name)
                assert got.dtype == want.dtype, (name, a.dtype, b.dtype)
