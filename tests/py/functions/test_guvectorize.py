"""``guvectorize``: kernels over core axes as generalised ufuncs."""

import pickle

import numbra as nb
import numpy as np
import pytest


def matmul(a, b, c):
    """A product of matrices."""
    for i in range(c.shape[0]):
        for j in range(c.shape[1]):
            c[i, j] = 0
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]


def test_matrices():
    f = nb.guvectorize([nb.void(nb.float64[:, :], nb.float64[:, :], nb.float64[:, :])], "(m,n),(n,p)->(m,p)")(matmul)
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=(5, 2, 4)), rng.normal(size=(4, 3))
    np.testing.assert_allclose(f(a, b), a @ b)
    np.testing.assert_allclose(f(a[::2], b), a[::2] @ b)
    np.testing.assert_allclose(f(np.asfortranarray(a), b), a @ b)
    assert (f.__name__, f.__doc__, f.signature) == ("matmul", "A product of matrices.", "(m,n),(n,p)->(m,p)")
    with pytest.raises(ValueError, match="mismatch in its core dimension"):
        f(a, a)


def test_contiguous_types_take_any_strides():
    @nb.guvectorize(["void(float64[::1], float64[::1])"], "(n)->(n)")
    def running(x, out):
        total = 0.0
        for i in range(x.size):
            total += x[i]
            out[i] = total

    x = np.arange(24.0).reshape(4, 6)
    np.testing.assert_array_equal(running(x), x.cumsum(axis=1))
    np.testing.assert_array_equal(running(x, axis=0), x.cumsum(axis=0))


def test_numbers_as_inputs_and_one_number_as_output():
    @nb.guvectorize(["(int64[:], int64, int64[:])", "(float64[:], float64, float64[:])"], "(n),()->()")
    def weighted(x, factor, out):
        out[0] = x.sum() * factor

    x = np.arange(12).reshape(3, 4)
    np.testing.assert_array_equal(weighted(x, 2), x.sum(axis=1) * 2)
    np.testing.assert_array_equal(weighted(x / 2, [1, 2, 3]), x.sum(axis=1) / 2 * [1, 2, 3])
    assert weighted(x[0], 10) == 60


def test_inputs_without_core_axes_may_be_arrays_of_one_item():
    @nb.guvectorize(["(int64[:], int64[:], int64[:])"], "(n),()->(n)")
    def shifted(x, by, out):
        for i in range(x.shape[0]):
            out[i] = x[i] + by[0]

    x = np.arange(6).reshape(2, 3)
    np.testing.assert_array_equal(shifted(x, [10, 20]), x + np.array([[10], [20]]))


def test_several_outputs_and_none():
    @nb.guvectorize(["(float64[:], float64[:], float64[:])"], "(n)->(n),()")
    def both(x, doubled, total):
        total[0] = 0
        for i in range(x.size):
            doubled[i] = 2 * x[i]
            total[0] += x[i]

    x = np.arange(6.0).reshape(2, 3)
    doubled, total = both(x)
    np.testing.assert_array_equal(doubled, 2 * x)
    np.testing.assert_array_equal(total, x.sum(axis=1))

    @nb.guvectorize(["(float64[:], float64[:])"], "(n),(n)")
    def copy(x, out):
        for i in range(x.size):
            out[i] = x[i]

    out = np.zeros((2, 3))
    copy(x, out)
    np.testing.assert_array_equal(out, x)


def test_writable_inputs():
    @nb.guvectorize(["(float64[:], float64[:])"], "(n),()", writable_args=("x",))
    def add_in_place(x, by):
        for i in range(x.size):
            x[i] += by[0]

    x = np.arange(6.0).reshape(2, 3)
    add_in_place(x, [10, 20])
    np.testing.assert_array_equal(x, [[10, 11, 12], [23, 24, 25]])
    narrow = np.zeros(3, "f4")  # converted, and written back
    add_in_place(narrow, [4])
    np.testing.assert_array_equal(narrow, [4, 4, 4])
    with pytest.raises(RuntimeError, match="Specified writable arg"):
        nb.guvectorize(["(float64[:], float64[:])"], "(n),()", writable_args=("z",))(lambda x, by: None)


def test_without_signatures():
    @nb.guvectorize("(n)->()")
    def total(x, out):
        out[0] = x.sum()

    x = np.arange(6).reshape(2, 3)
    out = np.zeros(2, x.dtype)
    total(x, out)
    np.testing.assert_array_equal(out, [3, 12])
    halves = np.zeros(2)
    total(x / 2, out=halves)
    np.testing.assert_array_equal(halves, [1.5, 6])
    assert total.types == ["l->l", "d->d"]
    with pytest.raises(TypeError, match="Too few arguments for function 'total'"):
        total(x)


def test_exceptions_of_kernels():
    @nb.guvectorize(["(float64[:], float64[:])"], "(n)->()")
    def first(x, out):
        if x.size == 0:
            raise ValueError("nothing there")
        out[0] = x[0]

    with pytest.raises(ValueError, match="nothing there"):
        first(np.zeros((3, 0)))
    assert first([4.0, 5.0]) == 4


@pytest.mark.parametrize(
    ("signature", "layout", "error", "text"),
    [
        ("(int32[:], int32[:])", "(m,n)->(n)", TypeError, "type and shape signature mismatch for arg #1"),
        ("(int32, int32[:])", "(n)->(n)", TypeError, "scalar type int32 given for non scalar argument #1"),
        ("int32(int32[:], int32[:])", "(n)->(n)", TypeError, "gufunc kernel must have void return type"),
        ("(int32[:], int32[:])", ")-:", ValueError, 'bad token in signature ")-:"'),
        ("(int32[:], int32[:])", "(x)->(z,v)", NameError, "undefined output symbols: v,z"),
    ],
)
def test_wrong_layouts(signature, layout, error, text):
    with pytest.raises(error) as raised:
        nb.guvectorize([signature], layout)(lambda a, b: None)
    assert str(raised.value) == text


def test_pickling():
    f = nb.guvectorize(["(float64, float64[:])"], "()->()")(doubled)
    copy = pickle.loads(pickle.dumps(f))
    assert copy._frozen and copy(1.5) == 3


def doubled(x, out):
    out[0] = 2 * x


def test_core_axes_of_any_stride():
    @nb.guvectorize(["(float64[:], float64[:])"], "(n)->()")
    def norm(x, out):
        total = 0.0
        for value in x:
            total += value**2
        out[0] = np.sqrt(total)

    @nb.guvectorize(["(float64[:,:], int32[:], float64[:])"], "(m,n),(n)->(m)")
    def weighted(a, w, out):
        for i in range(a.shape[0]):
            out[i] = 0.0
            for j in range(a.shape[1]):
                out[i] += a[i, j] * w[j]

    rng = np.random.default_rng(1)
    full, by = rng.integers(-9, 9, (40, 34, 36)).astype(float), rng.integers(-9, 9, 80).astype(np.int32)
    views = [full, full[:, ::2], full[::-1, :, ::-1], full[..., ::2], full[..., 1:], full.transpose(1, 2, 0)]
    views += [full.transpose(0, 2, 1), np.broadcast_to(full[0, 0], (3, 5, 36)), full[:0], full[..., :0]]
    for a in views:
        np.testing.assert_array_equal(norm(a), np.sqrt((a**2).sum(axis=-1)))
        n = a.shape[-1]
        for w in (by[:n], by[: 2 * n : 2], by[:n][::-1]):
            np.testing.assert_array_equal(weighted(a, w), a @ w)
            out = np.full((*a.shape[:-1], 2), -1.0)
            weighted(a, w, out=out[..., 0])
            np.testing.assert_array_equal(out[..., 0], a @ w)
            assert (out[..., 1] == -1).all()
