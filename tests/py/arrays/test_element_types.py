"""What only moves elements takes elements of every type: records, char sequences, times."""

import warnings

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import TypingError

RECORD = [("a", np.int32), ("b", np.float64), ("c", "S3")]


def records(dtype):
    x = np.zeros(5, dtype)
    x["a"], x["b"], x["c"] = [3, 1, 2, 5, 4], [0.5, np.nan, -0.0, np.inf, 1], [b"x", b"", b"abc", b"y\0z", b"q"]
    return x


ARRAYS = {
    "packed": records(RECORD),
    "aligned": records(np.dtype(RECORD, align=True)),
    "U3": np.array(["abc", "", "x", "\U0001f600y", "x"]),
    "S4": np.array([b"abcd", b"", b"x", b"y", b"x"]),
    "M8[s]": np.array(["2020-01-01", "NaT", "1969-12-31", "2021-05-05", "1970"], dtype="M8[s]"),
    "m8[D]": np.array([1, -5, "NaT", 7, 7], dtype="m8[D]"),
}

MOVES = """
x[i]
x[i.reshape(3, 1)]
x[m]
x[::-1][m]
x.reshape(1, 5)[:, i]
np.append(x, x[:2])
np.atleast_2d(x)
np.broadcast_to(x, (2, 5))
np.column_stack((x, x))
np.concatenate((x, x[1:]))
np.delete(x, 1)
np.dstack((x, x))
np.expand_dims(x, 0)
np.extract(m, x)
np.flip(x)
np.fliplr(x.reshape(1, 5))
np.full_like(x, x[1])
np.hstack((x, x))
np.meshgrid(x, i)
np.moveaxis(x.reshape(1, 5), 0, 1)
np.repeat(x, 2)
np.resize(x, (2, 4))
np.roll(x, 2)
np.rot90(x.reshape(1, 5))
np.split(x[:4], 2)[1]
np.stack((x, x))
np.swapaxes(x.reshape(1, 5), 0, 1)
np.take(x, i)
x.take(i)
np.take_along_axis(x, i, 0)
np.vstack((x, x))
np.where(m, x, x[::-1])
np.zeros_like(x)
"""

CHANGES = """
x[i] = x[i[::-1]]
x[m] = x[0]
x[i] = x[4]
x[1:3] = x[3:5]
x[:] = x[2]
x.fill(x[2])
"""


def both(body, name):
    """What NumPy gives and what compiled code gives for the array of that name."""
    scope = {"np": np}
    exec(f"def f(x, i, m):\n    {body}", scope)
    i, m = np.array([2, 0, 4]), np.array([True, False, True, True, False])
    f, results = scope["f"], []
    for g in (f, nb.njit(f)):
        x = ARRAYS[name].copy()
        results.append((g(x, i, m), x))
    return results


def same(a, b):
    if isinstance(a, (tuple, list)):
        assert len(a) == len(b)
        for x, y in zip(a, b, strict=True):
            same(x, y)
        return
    assert a.dtype == b.dtype and a.shape == b.shape
    assert repr(a.tolist()) == repr(b.tolist())  # padding between fields may differ


MOVES_OF_ARRAYS = [
    (expression, name)
    for expression in MOVES.strip().splitlines()
    for name in ARRAYS
    if not ("take_along" in expression and name in ("packed", "aligned"))  # NumPy does not
]


@pytest.mark.parametrize(("expression", "name"), MOVES_OF_ARRAYS)
def test_elements_are_moved(expression, name):
    (want, _), (got, _) = both(f"return {expression}", name)
    same(want, got)


@pytest.mark.parametrize("name", ARRAYS)
@pytest.mark.parametrize("statement", CHANGES.strip().splitlines())
def test_elements_are_written(statement, name):
    (_, want), (_, got) = both(statement, name)
    same(want, got)


@pytest.mark.parametrize("name", ["U3", "S4"])
@pytest.mark.parametrize("expression", ["np.nonzero(x)", "np.where(x)", "np.flatnonzero(x)", "np.argwhere(x)"])
def test_texts_are_true_or_false(expression, name):
    (want, _), (got, _) = both(f"return {expression}", name)
    same(want, got)


@pytest.mark.parametrize(
    "expression", ["np.nonzero(x)", "np.sort(x)", "np.unique(x)", "np.cumsum(x)", "np.max(x)", "x.mean()"]
)
def test_records_are_no_numbers(expression):
    scope = {"np": np}
    exec(f"def f(x):\n    return {expression}", scope)
    with pytest.raises(TypingError):
        nb.njit(scope["f"])(ARRAYS["packed"])


def test_other_elements_do_not_convert():
    def f(x, y):
        x[np.array([0, 1])] = y

    with pytest.raises(TypingError):
        nb.njit(f)(ARRAYS["M8[s]"].copy(), ARRAYS["M8[s]"][:2].astype("M8[D]"))
    with pytest.raises(TypingError):
        nb.njit(lambda x, y: np.concatenate((x, y)))(ARRAYS["U3"], ARRAYS["U3"].astype("U5"))


@pytest.mark.parametrize("name", ["M8[s]", "m8[D]"])
@pytest.mark.parametrize("part", [slice(None), slice(3, 5), slice(0, 1)])
def test_extremes_of_times(name, part):
    x = ARRAYS[name][part]
    for f in (lambda a: a.min(), lambda a: a.max(), lambda a: np.min(a), lambda a: np.max(a)):
        want, got = f(x), nb.njit(f)(x)
        assert (np.isnat(want) and np.isnat(got)) or want == got
    with pytest.raises(ValueError, match="no identity"):
        nb.njit(lambda a: a.max())(x[:0])


def test_like_a_record():
    x = ARRAYS["packed"][0]
    got = nb.njit(lambda r: np.zeros_like(r))(x)
    assert got.shape == () and got.dtype == x.dtype and not got.tobytes().strip(b"\0")


def test_nothing_leaks():
    x = ARRAYS["packed"].copy()

    @nb.njit
    def f(x, m):
        y = np.concatenate((x[m], np.roll(x, 1)))
        return np.take(y, 2), y[np.array([1, 0])]

    m = np.array([True, False, True, True, False])
    before = nb._numbra._allocation_counts()
    for _ in range(10):
        one, some = f(x, m)
    assert one.dtype == x.dtype and some.shape == (2,)
    del one, some
    after = nb._numbra._allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


def test_dtypes_are_values():
    @nb.njit
    def f(a):
        return a.dtype, a.dtype == np.dtype("int64") and a.dtype != np.float32, np.zeros(2, np.dtype(np.float32))

    dtype, equal, zeros = f(np.arange(3))
    assert dtype == np.int64 and isinstance(dtype, np.dtype) and equal and zeros.dtype == np.float32
    assert not f(np.arange(3.0))[1]
    assert nb.njit(lambda a: a.dtype)(ARRAYS["aligned"]) == ARRAYS["aligned"].dtype


def test_kinds_of_sort():
    x = np.array([3, 2, 2, 1, 1, 0, 0, 0, 0, 3, 2, 3, 2, 2, 3, 2, 2, 2, 2, 3])
    for kind in ("quicksort", "mergesort", "stable"):

        @nb.njit
        def f(x):
            y = x.copy()
            y.sort(kind=kind)  # noqa: B023
            return y, x.argsort(kind=kind)  # noqa: B023

        values, places = f(x)
        np.testing.assert_array_equal(values, np.sort(x))
        np.testing.assert_array_equal(places, np.argsort(x, kind="stable"))
    for body, message in [
        ('x.sort(kind="heapsort")', "Unsupported \"kind\": 'heapsort'"),
        ("x.sort(kind=k)", '"kind" must be a string literal'),
    ]:
        scope = {}
        exec(f"def g(x, k):\n    {body}", scope)
        with pytest.raises(TypingError, match=message):
            nb.njit(scope["g"])(x, "quicksort")


def test_slices_without_a_step_keep_arrays_contiguous():
    f = nb.njit(lambda a, i, j: a[slice(i, j, None)])
    np.testing.assert_array_equal(f(np.arange(10), 1, 5), np.arange(1, 5))
    assert f.nopython_signatures[0].return_type.layout == "C"


@pytest.mark.parametrize(
    ("dtype", "value"),
    [
        (np.int32, np.nan),
        (np.int32, [3.3, np.inf]),
        (np.int8, 128),
        (np.uint8, -1),
        (np.int32, np.array([1, 2, 10**10])),
        (np.float32, [1.4, -1e100]),
    ],
)
def test_values_that_a_diagonal_cannot_hold(dtype, value):
    with warnings.catch_warnings(), pytest.raises(ValueError, match="Unable to safely conform"):
        warnings.simplefilter("ignore")
        nb.njit(lambda a, v: np.fill_diagonal(a, v))(np.zeros((3, 3), dtype), value)
