"""Functions and expressions of arrays in threads: values, NumPy's bits, empty arrays, exceptions."""

import warnings

import numbra as nb
import numpy as np
import pytest
from parallel_loops import check, four_threads, of_elements, of_reductions, parallel  # noqa: F401

REDUCTIONS = {
    "sum": lambda a: a.sum(),
    "prod": lambda a: np.prod(a),
    "min": lambda a: np.min(a),
    "max": lambda a: a.max(),
    "argmin": lambda a: a.argmin(),
    "argmax": lambda a: np.argmax(a),
    "mean": lambda a: a.mean(),
    "var": lambda a: np.var(a),
    "std": lambda a: a.std(),
    "any": lambda a: np.any(a),
    "all": lambda a: a.all(),
    "count_nonzero": lambda a: np.count_nonzero(a),
}


def arrays_to_reduce():
    rng = np.random.default_rng(11)
    plain = rng.random(300_007) + 0.5
    yield plain
    yield plain[::-2]
    yield plain[:3]
    yield plain.astype(np.float32)
    yield rng.integers(-3, 9, 300_007).astype(np.int32)
    yield rng.integers(0, 9, 200_001)
    yield np.zeros(250_000, np.bool_)
    table = rng.random((700, 600))
    yield table
    yield table.T
    yield table[:, ::3]
    yield np.ones((1, 300_000))
    yield plain + 1j * plain[::-1]
    late = np.ones(400_000)
    late[[250_001, 390_000]] = np.nan
    yield late


@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_arrays(name):
    """The same bits as in one thread, and NumPy's where those of one thread are; products are rounded by parts."""
    function = REDUCTIONS[name]
    compiled, serial = parallel(function), nb.njit(function)
    for a in arrays_to_reduce():
        if np.iscomplexobj(a) and name in ("min", "max", "argmin", "argmax"):
            continue
        expected = serial(a)
        for threads in (1, 3, 4):
            nb.set_num_threads(threads)
            try:
                got = compiled(a)
            finally:
                nb.set_num_threads(4)
            assert type(got) is type(expected)
            if name == "prod" and a.dtype.kind in "fc":
                np.testing.assert_allclose(got, expected, rtol=1e-9, atol=1e-40)
            else:
                np.testing.assert_array_equal(got, expected)
    assert of_reductions(compiled) == 1


def test_parallel_sums_have_the_bits_of_numpy():
    compiled = parallel(lambda a: a.sum())
    rng = np.random.default_rng(12)
    for n in (1, 127, 8192, 100_001, 1_234_567):
        for a in (rng.random(n), rng.random(n).astype(np.float32), rng.random(n) + 1j * rng.random(n)):
            assert compiled(a) == a.sum()


def test_reductions_of_nothing():
    for name in ("min", "max", "argmin", "argmax"):
        with pytest.raises(ValueError, match=r"empty|zero-size"):
            parallel(REDUCTIONS[name])(np.ones(0))
    assert parallel(REDUCTIONS["sum"])(np.ones((0, 4))) == 0.0
    assert parallel(REDUCTIONS["prod"])(np.ones(0)) == 1.0
    assert not parallel(REDUCTIONS["any"])(np.ones(0))
    assert parallel(REDUCTIONS["all"])(np.ones((3, 0)))


ALONG_AN_AXIS = [
    lambda a: a.sum(axis=0),
    lambda a: a.sum(axis=1),
    lambda a: a[:, ::2].sum(axis=0),
    lambda a: a[::-2].sum(axis=1),
    lambda a: a.argmin(1),
    lambda a: a.argmax(0),
    lambda a: np.count_nonzero(a > 0.5, axis=1),
]


def test_reductions_along_an_axis():
    a = np.random.default_rng(13).random((300, 5000))
    for f in ALONG_AN_AXIS:
        for array in (a, a.T, a.reshape(30, 10, 5000), a[:1], a[:, :1], a.astype(np.float32)):
            compiled = parallel(f)
            np.testing.assert_array_equal(compiled(array), f(array))
            assert of_reductions(compiled) == 1


def test_arrays_of_masks():
    def constant(a, m):
        a = a.copy()
        a[m] = 7
        return a

    def compared(a, m):
        a = a.copy()
        a[a > 100] = -1
        a[a == -1] += 2
        return a

    rng = np.random.default_rng(3)
    for dtype in (np.int16, np.int64, np.float32, np.float64, np.complex128, np.bool_):
        a = (rng.random((300, 500)) * 200).astype(dtype)
        for view in (a, a.T, a[::-3, ::2], a.reshape(3, -1, 50), a[0], a[:0]):
            mask = rng.random(view.shape) > 0.4
            for f in (constant, compared):
                if dtype in (np.complex128, np.bool_) and f is compared:
                    continue
                compiled = parallel(f)
                np.testing.assert_array_equal(compiled(view, mask), f(view, mask))
                assert of_elements(compiled)
    with pytest.raises(IndexError, match=r"along axis 1; size of axis is 500 but size of .* is 499"):
        parallel(constant)(np.ones((3, 500)), np.ones((3, 499), bool))


def test_masks_that_share_memory_with_the_array():
    def f(a):
        a[1:][a[:-1]] = False
        return a

    a = np.random.default_rng(1).random(200_000) > 0.5
    np.testing.assert_array_equal(parallel(f)(a.copy()), f(a.copy()))


def test_inner_products_and_spaced_numbers():
    rng = np.random.default_rng(14)
    a, b = rng.random(500_000), rng.random(500_000)
    dot = parallel(lambda a, b: np.dot(a, b))
    np.testing.assert_allclose(dot(a, b), a @ b, rtol=1e-12)
    assert len({dot(a, b) for _ in range(10)}) == 1
    spaced = parallel(lambda a, b, n: np.linspace(a, b, n))
    for n in (0, 1, 2, 50, 400_001):
        np.testing.assert_array_equal(spaced(-1.0, 3.0, n), np.linspace(-1.0, 3.0, n))


def test_random_arrays_are_those_of_one_thread():
    def f(n):
        np.random.seed(5)
        return np.random.rand(n) + np.random.normal(0.0, 1.0, n)

    np.testing.assert_array_equal(parallel(f)(200_000), nb.njit(f)(200_000))


def test_reductions_in_iterations():
    def f(a):
        out = np.zeros(a.shape[0])
        for i in nb.prange(a.shape[0]):
            out[i] = a[i].sum() - a[i].min()
        return out

    check(f, np.random.default_rng(15).random((100, 3000)))


def test_array_expressions_count_as_parallel():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parallel(lambda a: a + 1)(np.ones(3))


def test_exceptions_of_array_expressions():
    @nb.vectorize
    def fails(x):
        if x > 99_990:
            raise ValueError("too much")
        return x

    @parallel
    def f(a):
        return fails(a) + 1

    with pytest.raises(ValueError, match="too much"):
        f(np.arange(100_000.0))
