"""Ufuncs of ours inside jitted functions."""

import math

import numbra as nb
import numpy as np
import pytest
from numbra.core import errors


@nb.vectorize
def total(a, b):
    return a + b


def test_a_call_broadcasts():
    @nb.njit
    def call(a, b):
        return total(a, b)

    x = np.arange(6.0).reshape(2, 3)
    cases = [
        (1, 2),
        (x, 1.5),
        (2, x),
        (x, np.arange(3)),
        (x.T, x.T),
        (x[:, ::2], x[:, :1]),
        (np.array(3.0), 1),
        (x[:0], x[0]),
    ]
    for a, b in cases:
        got, want = call(a, b), np.add(a, b)
        assert np.shape(got) == np.shape(want)
        np.testing.assert_array_equal(got, want)
    assert call(x.T, x.T).flags.f_contiguous
    with pytest.raises(ValueError, match="could not be broadcast"):
        call(x, np.arange(4))


def test_outputs_are_written():
    @nb.njit
    def call(a, b, out):
        total(a, b, out)

    x, out = np.arange(6.0).reshape(2, 3), np.zeros((2, 3))
    call(x, x[0], out)
    np.testing.assert_array_equal(out, x + x[0])


def test_frozen_ufuncs_convert_operands():
    limit = nb.vectorize(["int16(int16, int16)", "float64(float64, float64)"])(lambda d, t: 0 if d < t else d)

    @nb.njit
    def call(a, b):
        return limit(a, b)

    got = call(np.arange(5, dtype="i2"), np.int16(3))
    assert got.dtype == np.int16 and list(got) == [0, 0, 0, 3, 4]
    assert call(np.arange(3, dtype="f4"), 1.0).dtype == np.float64
    with pytest.raises(errors.TypingError, match="no loop takes"):
        call(1j, 1)


def test_ufuncs_divide_as_numpy_wherever_they_are_called():
    ratio = nb.vectorize(lambda a, b: a / b)

    @nb.njit
    def call(a, b):
        return ratio(a, b), a + b

    @nb.njit(error_model="python")
    def divide(a, b):
        return a / b

    @nb.njit(error_model="numpy")
    def inner(a, b):
        return divide(a, b)

    assert call(1.0, 0.0)[0] == math.inf
    with pytest.raises(ZeroDivisionError):
        inner(1.0, 0.0)  # the callee's model is its own


def test_ufuncs_call_ufuncs():
    outer = nb.vectorize(["int64(int64, int64)"])(lambda a, b: total(a, b) * 2)
    np.testing.assert_array_equal(outer(np.arange(3), 1), (np.arange(3) + 1) * 2)


def test_attributes():
    frozen = nb.vectorize(["int64(int64, int64)"], identity=0)(lambda a, b: a + b)

    @nb.njit
    def ask():
        return frozen.nin, frozen.nout, frozen.nargs, frozen.identity, frozen.signature

    assert ask() == (2, 1, 3, 0, None)


@pytest.mark.parametrize("identity", [None, "reorderable", 0])
def test_reduce(identity):
    add = nb.vectorize(identity=identity)(lambda a, b: a + b)

    @nb.njit
    def reduce(a, axis, initial):
        return add.reduce(a, axis=axis, initial=initial)

    x = np.arange(24).reshape(2, 3, 4)
    for array in [x, x.astype("f4"), x[:, ::2, ::-1], x[0, 0]]:
        for axis in range(-array.ndim, array.ndim):
            for initial in [None, 10]:
                want = np.add.reduce(array, axis=axis, initial=10 if initial else 0)
                np.testing.assert_array_equal(reduce(array, axis, initial), want)
    if identity is not None:
        for axis in [(0, 1), (2, 0), (0, 1, 2), (-1, 0), None]:
            np.testing.assert_array_equal(reduce(x, axis, None), np.add.reduce(x, axis=axis))
    else:
        with pytest.raises(errors.TypingError, match="is not reorderable"):
            reduce(x, (0, 1), None)
    np.testing.assert_array_equal(reduce(x, (), None), x)
    with pytest.raises(ValueError, match="Invalid axis"):
        reduce(x, 3, None)
    if identity == 0:
        assert list(reduce(np.zeros((0, 2)), 0, None)) == [0, 0]
    else:
        with pytest.raises(ValueError, match="which has no identity"):
            reduce(np.zeros((0, 2)), 0, None)


def test_reduceat():
    @nb.njit
    def reduceat(a, indices, axis):
        return total.reduceat(a, indices, axis)

    x = np.arange(40.0).reshape(4, 5, 2)
    for axis in range(-3, 3):
        indices = np.array([0, 1, 0, 1])
        np.testing.assert_array_equal(reduceat(x, indices, axis), np.add.reduceat(x, indices, axis))


@pytest.mark.parametrize(
    ("shape", "index"),
    [
        ((10,), (np.array([2, 5, 2]),)),
        ((10,), slice(1, 8, 2)),
        ((10,), 3),
        ((3, 3), (slice(None), np.array([1, 2, 1]))),
        ((3, 3), (np.array([1, 2, 1]), slice(None))),
        ((3, 3), (0, np.array([1, 2, 1]))),
        ((3, 3, 3), (np.array([1, 2, 1]), 0, slice(None))),
        ((3, 3, 3), (slice(None), np.array([1, 2, 1]), np.array([0, 0, 2]))),
        ((3, 3), np.array([2, 2, 0])),
        ((3, 3), (np.array([True, False, True]), np.array([1, 1]))),
        ((3, 3, 3), (np.array([1, 2, 1]), slice(2, None, -2), np.array([0, 0, 2]))),
        ((), ()),
    ],
)
def test_at(shape, index):
    @nb.njit
    def at(a, index, b):
        total.at(a, index, b)

    start = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    operands = [100, np.array(100)]
    if start[index].ndim:
        operands += [np.array([100]), np.arange(start[index].shape[-1]) + 1]
    for b in operands:
        got, want = start.copy(), start.copy()
        at(got, index, b)
        np.add.at(want, index, b)
        np.testing.assert_array_equal(got, want)


def test_at_checks_shapes():
    @nb.njit
    def at(a, index, b):
        total.at(a, index, b)

    short, long = np.array([1, 2]), np.array([1, 2, 1])
    with pytest.raises(IndexError, match="shape mismatch of indices"):
        at(np.zeros((3, 3)), (short, long), 1)
    with pytest.raises(ValueError, match="could not be broadcast"):
        at(np.zeros((3, 3)), long, np.zeros(2))


def test_generalised_ufuncs():
    @nb.guvectorize("(n),()->(n)")
    def shift(x, by, out):
        for i in range(x.shape[0]):
            out[i] = x[i] + by

    @nb.guvectorize(["(float64[:], float64[:], float64[:])"], "(n),(n)->()")
    def inner(x, y, out):
        out[0] = (x * y).sum()

    @nb.njit
    def call(x, by, out):
        shift(x, by, out)

    @nb.njit
    def product(x, y, out):
        inner(x, y, out)

    x = np.arange(24).reshape(2, 3, 4)
    for by in [np.int32(100), np.array([1, 2, 3]), np.array([[1], [2]])]:
        out = np.zeros_like(x)
        call(x, by, out)
        np.testing.assert_array_equal(out, x + np.asarray(by)[..., None])
    y, out = x / 3, np.zeros((2, 3))
    product(y, y[0], out)
    np.testing.assert_allclose(out, (y * y[0]).sum(-1))
    with pytest.raises(ValueError, match="mismatch in one of its core dimensions"):
        product(y, y[:, :, :2], out)
    with pytest.raises(ValueError, match="Loop and array shapes are incompatible"):
        product(y, y, np.zeros((2, 4)))
    with pytest.raises(errors.TypingError, match="Input operand 0 does not have enough dimensions"):
        product(np.array(1.0), y, out)
