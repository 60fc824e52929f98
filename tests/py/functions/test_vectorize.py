"""``vectorize``: compiled functions as NumPy ufuncs."""

import math
import pickle

import numbra as nb
import numpy as np
import pytest


def add(a, b):
    """Their sum."""
    return a + b


def scaled(x, factor):
    return x * factor if x > 0 else -factor


def test_loops_are_compiled_when_new_types_come():
    f = nb.vectorize(add)
    assert (f.nin, f.nout, f.nargs, f.ntypes, f.types, f.signature) == (2, 1, 3, 0, [], None)
    assert f(1, 2) == 3
    assert f.types == ["ll->l"]
    x = np.arange(5.0)
    np.testing.assert_array_equal(f(x, x), x + x)
    assert f.types == ["ll->l", "dd->d"]
    assert f(np.float32(1), np.float32(2)).dtype == np.float64  # the loop that is there, as in Numba
    assert f.__name__ == "add" and f.__doc__ == "Their sum."


def test_explicit_signatures_are_the_only_ones():
    f = nb.vectorize(["int32(int32, int32)", "float64(float64, float64)"])(add)
    assert f.types == ["ii->i", "dd->d"]
    assert f(np.int32(1), np.int32(2)).dtype == np.int32
    with pytest.raises(TypeError):
        f(1j, 1j)
    with pytest.raises(RuntimeError, match="compilation disabled"):
        f.add("complex128(complex128, complex128)")


@pytest.mark.parametrize("dtype", ["?", "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16"])
@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_every_kind_of_number_and_stride(dtype, tier):
    f = nb.vectorize(tier=tier)(lambda a, b: a if a == b else b)
    kinds = np.random.default_rng(0).integers(0, 2, (7, 9)).astype(dtype)
    other = np.ones((7, 9), dtype)
    scalar = other[0, 0]
    layouts = [
        (kinds, other),
        (kinds, scalar),
        (scalar, kinds),
        (kinds[::2], other[::2]),
        (kinds[:, ::-1], other),
        (kinds.T, other.T),
        (kinds[:, :1], other),
        (kinds[0], other),
        (kinds[:0], other[:0]),
        (kinds[0, 0], scalar),
    ]
    for a, b in layouts:
        want = np.where(a == b, a, b).astype(dtype)
        got = f(a, b)
        assert got.dtype == want.dtype
        np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_three_operands_of_which_some_are_repeated(tier):
    @nb.vectorize(["float64(float64, float64, float64)"], tier=tier)
    def density(x, mean, sigma):
        return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / sigma

    x = np.linspace(-3, 3, 101)
    for mean, sigma in [(0.0, 1.0), (x, 2.0), (1.0, np.abs(x) + 1), (x[::-1], x * 0 + 3)]:
        want = np.exp(-0.5 * ((x - mean) / sigma) ** 2) / sigma
        np.testing.assert_allclose(density(x, mean, sigma), want, rtol=1e-14)


def test_methods():
    f = nb.vectorize(["int64(int64, int64)", "float64(float64, float64)"], identity=0)(add)
    x = np.arange(24).reshape(2, 3, 4)
    for axis in [0, 1, 2, None, (0, 2), -1]:
        np.testing.assert_array_equal(f.reduce(x, axis=axis), np.add.reduce(x, axis=axis))
    np.testing.assert_array_equal(f.accumulate(x, axis=1), np.add.accumulate(x, axis=1))
    np.testing.assert_array_equal(f.reduceat(x[0, 0], [0, 2, 1]), np.add.reduceat(x[0, 0], [0, 2, 1]))
    np.testing.assert_array_equal(f.outer([1, 2], [3, 4]), np.add.outer([1, 2], [3, 4]))
    got, want = np.zeros(4), np.zeros(4)
    f.at(got, [1, 2, 1], 1.5)
    np.add.at(want, [1, 2, 1], 1.5)
    np.testing.assert_array_equal(got, want)
    assert f.reduce(np.zeros(0)) == 0
    assert f.reduce(np.arange(1001.0)[::-3]) == np.arange(1001.0)[::-3].sum()


def test_reduce_keeps_the_order():
    f = nb.vectorize(["int64(int64, int64)"])(lambda a, b: 3 * a - b)
    x = np.arange(10)
    want = 0
    for value in x[1:]:
        want = 3 * want - value
    assert f.reduce(x) == want


def test_identity():
    for identity, shown in [(0, 0), (1, 1), (None, None), ("reorderable", None)]:
        assert nb.vectorize(["int64(int64, int64)"], identity=identity)(add).identity == shown
    for wrong in ["none", 2]:
        with pytest.raises(ValueError, match="Invalid identity value"):
            nb.vectorize(["int64(int64, int64)"], identity=wrong)(add)


def test_keywords_of_ufuncs():
    f = nb.vectorize(["float64(float64, float64)"])(add)
    x = np.arange(6.0)
    out = np.full(6, -1.0)
    assert f(x, x, out=out, where=x > 2) is out
    np.testing.assert_array_equal(out, np.where(x > 2, 2 * x, -1))
    assert f(x, x, out=np.zeros(6, "f4"), casting="same_kind").dtype == np.float32
    lazy = nb.vectorize(add)
    with pytest.raises(TypeError, match="unexpected keyword"):
        lazy(x, x, zzz=1)


def test_an_exception_leaves_its_element_and_the_loop_goes_on():
    @nb.vectorize(["float64(float64)"])
    def root(x):
        if x < 0:
            raise ValueError("value must be positive")
        return math.sqrt(x)

    out = np.zeros(6)
    with pytest.raises(ValueError, match="value must be positive"):
        root(np.array([1.0, 4.0, -2.0, 9.0, -1.0, 16.0]), out)
    assert list(out) == [1, 2, 0, 3, 0, 4]

    @nb.vectorize(["int64(int64, int64)"])
    def sum_of_small(a, b):
        if b > 5:
            raise ValueError("too large")
        return a + b

    with pytest.raises(ValueError, match="too large"):
        sum_of_small.reduce(np.arange(10))
    assert sum_of_small.reduce(np.arange(5)) == 10


def test_division_by_zero_follows_numpy():
    f = nb.vectorize(lambda a, b: a / b)
    with np.errstate(all="ignore"):
        assert f(1.0, 0.0) == math.inf
        assert math.isnan(f(0.0, 0.0))


def test_array_subclasses_and_overrides():
    class Marked(np.ndarray):
        pass

    class Wrapper:
        def __array_ufunc__(self, ufunc, method, *args, **kws):
            return (ufunc, method, len(args))

    f = nb.vectorize(add)
    marked = np.arange(3.0).view(Marked)
    assert type(f(marked, 1.0)) is Marked
    assert f(Wrapper(), 1.0) == (f, "__call__", 2)


def test_pickling():
    f = nb.vectorize(["int64(int64, int64)"], identity=1)(add)
    copy = pickle.loads(pickle.dumps(f))
    assert copy.types == ["ll->l"] and copy.identity == 1 and copy._frozen
    assert copy(2, 3) == 5


def test_wrong_options():
    with pytest.raises(KeyError, match="Unrecognized options"):
        nb.vectorize(nonexistent=2)(add)
    with pytest.raises(ValueError, match="Unsupported target: fpga"):
        nb.vectorize(["int64(int64, int64)"], target="fpga")(add)
    with pytest.raises(TypeError, match="operands and results of a ufunc are numbers"):
        nb.vectorize(["(int64, int64)"])(lambda a, b: (a, b))


def test_the_parallel_target_is_numpys_ufunc():
    f = nb.vectorize(["float64(float64, float64)"], target="parallel")(scaled)
    assert type(f) is np.ufunc
    for n in (0, 1, 1000, 300_001):
        x = np.linspace(-1, 1, n)
        np.testing.assert_array_equal(f(x, 3.0), np.where(x > 0, x * 3, -3))
        np.testing.assert_array_equal(f(x[::-3], x[::-3]), np.where(x > 0, x * x, -x)[::-3])
    x = np.ones((700, 300))[:, ::2]
    np.testing.assert_array_equal(f(x.T, np.arange(700.0)), x.T * np.arange(700.0))


def test_the_parallel_target_takes_any_array():
    f = nb.vectorize(["float64(float64, float64)", "int64(int64, int64)"], target="parallel")(scaled)
    plain = np.frompyfunc(scaled, 2, 1)
    rng = np.random.default_rng(1)
    line, table = rng.random(100_001), rng.random((200, 600))
    holes = line.copy()
    holes[::77] = np.nan
    cases = [
        (1.5, 2.5),
        (np.array(1.5), np.array(2.0)),
        (line[:0], line[:0]),
        (np.zeros((3, 0)), 1.0),
        (table, table[0]),
        (table[:, :1], table[0]),
        (table.T, table.T),
        (line[::-1], line),
        (line[::3], line[::-3]),
        (holes, 2.0),
        (np.arange(100_000, dtype=np.int32), np.int64(3)),
    ]
    for a, b in cases:
        got, expected = f(a, b), plain(a, b)
        np.testing.assert_array_equal(got, np.asarray(expected).astype(got.dtype))
    out = np.zeros_like(line)
    assert f(line, 1.0, out=out, where=line > 0.5) is out
    np.testing.assert_array_equal(out, np.where(line > 0.5, line, 0))
    in_place = line.copy()
    f(in_place[1:], in_place[:-1], out=in_place[1:])
    np.testing.assert_array_equal(in_place[1:], line[1:] * line[:-1])
    with pytest.raises(ValueError, match="broadcast"):
        f(line[:3], line[:4])


def test_parallel_reductions_keep_their_order():
    f = nb.vectorize(["int64(int64, int64)"], target="parallel")(lambda a, b: 3 * a + b)
    x = np.arange(100_000)
    serial = nb.vectorize(["int64(int64, int64)"])(lambda a, b: 3 * a + b)
    assert f.reduce(x) == serial.reduce(x)
    np.testing.assert_array_equal(f.accumulate(x), serial.accumulate(x))


def test_parallel_kernels():
    @nb.guvectorize(["(float64[:], float64[:], float64[:])"], "(n),(n)->()", target="parallel")
    def dot(a, b, out):
        s = 0.0
        for i in range(a.size):
            s += a[i] * b[i]
        out[0] = s

    a = np.arange(2000 * 30.0).reshape(2000, 30)
    np.testing.assert_allclose(dot(a, a[0]), a @ a[0])
    np.testing.assert_allclose(dot(a[:0], a[0]), a[:0] @ a[0])


def test_exceptions_of_parallel_ufuncs():
    def fails(x):
        if x == 77_777:
            raise ValueError("seventy-seven")
        return x

    f = nb.vectorize(["int64(int64)"], target="parallel")(fails)
    for _ in range(5):
        with pytest.raises(ValueError, match="seventy-seven"):
            f(np.arange(100_000))


def test_ufuncs_outlive_what_made_them():
    made = [nb.vectorize(["int64(int64)"])(lambda x: x + 1).ufunc for _ in range(20)]
    assert [int(u(1)) for u in made] == [2] * 20


def test_the_first_loop_that_operands_cast_to_is_taken():
    f = nb.vectorize(["float64(float64, float64)", "float32(float64, float32)"])(add)
    assert f(np.ones(2), np.ones(2, "f4")).dtype == np.float64
    assert f.types == ["dd->d", "df->f"]
