"""Joined arrays, picked elements and views that stand in the code, of every rank, layout and type, against NumPy."""

import itertools

import numbra as nb
import numpy as np
import pytest

RANDOM = np.random.default_rng(11)


def agree(function, *args):
    """NumPy and compiled code give the same values, types and shapes."""
    want, got = function.py_func(*args), function(*args)
    assert (got.dtype, got.shape) == (want.dtype, want.shape)
    np.testing.assert_array_equal(got, want)


def layouts(a):
    """The same elements in C order, in Fortran order and apart."""
    wide = np.repeat(a, 2, axis=-1) if a.ndim else a
    return [a, np.asfortranarray(a), wide[..., ::2] if a.ndim else a]


@nb.njit
def concatenate(a, b):
    return np.concatenate((a, b))


@nb.njit
def concatenate_last(a, b):
    return np.concatenate((a, b), axis=-1)


@nb.njit
def concatenate_three(a, b):
    return np.concatenate((a, b, a), axis=0)


@nb.njit
def hstack(a, b):
    return np.hstack((a, b))


@nb.njit
def vstack(a, b):
    return np.vstack((a, b, a))


@nb.njit
def dstack(a, b):
    return np.dstack((a, b))


@nb.njit
def column_stack(a, b):
    return np.column_stack((a, b))


@nb.njit
def stack(a, b):
    return np.stack((a, b))


@nb.njit
def stack_last(a, b):
    return np.stack((a, b), axis=-1)


JOINS = [concatenate, concatenate_last, concatenate_three, hstack, vstack, dstack, stack, stack_last]


@pytest.mark.parametrize("function", JOINS)
@pytest.mark.parametrize("shape", [(0,), (1,), (5,), (3, 4), (0, 4), (3, 0), (2, 3, 4)])
def test_joins(function, shape):
    a, b = RANDOM.random(shape), RANDOM.random(shape)
    for x, y in itertools.product(layouts(a), layouts(b)):
        agree(function, x, y)
    agree(function, a, (10 * b).astype(np.float32))
    agree(function, (10 * a).astype(np.int32), b > 0.5)
    agree(function, a + 1j * b, b)


@pytest.mark.parametrize("shapes", [((5,), (5,)), ((5,), (5, 2)), ((5, 2), (5,)), ((5, 2), (5, 3))])
def test_columns(shapes):
    a, b = (RANDOM.random(shape) for shape in shapes)
    for x, y in itertools.product(layouts(a), layouts(b)):
        agree(column_stack, x, y)


def test_joins_of_scalars():
    a, b = np.array(1.5), np.array(2.5)
    for function in (hstack, vstack, dstack, stack):
        agree(function, a, b)


def test_extents_that_do_not_fit():
    a, b = np.zeros((2, 3)), np.zeros((3, 4))
    for function in (concatenate, concatenate_last, hstack, vstack, dstack, stack, column_stack):
        with pytest.raises(ValueError):
            function(a, b)
    with pytest.raises(ValueError):
        stack(np.zeros(2), np.zeros(3))


def test_joined_arrays_are_new():
    a = np.arange(4.0)

    @nb.njit
    def joined(a):
        out = np.concatenate((a, a))
        out[0] = 7.0
        return out

    assert joined(a).tolist() == [7, 1, 2, 3, 0, 1, 2, 3]
    assert a.tolist() == [0, 1, 2, 3]


@nb.njit
def pick(a, at):
    return a[at]


@nb.njit
def take(a, at):
    return np.take(a, at)


INDICES = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]


@pytest.mark.parametrize("function", [pick, take])
@pytest.mark.parametrize("dtype", INDICES)
def test_picked_elements(function, dtype):
    at = np.array([0, 3, 3, 9, 1] * 4, dtype)
    for kind in (np.float64, np.float32, np.int64, np.uint8, np.bool_, np.complex128):
        a = np.arange(10).astype(kind)
        for x, places in itertools.product([a, a[::-1], np.repeat(a, 2)[::2]], [at, at[::3], at[:0]]):
            agree(function, x, places)
        if np.issubdtype(dtype, np.signedinteger):
            agree(function, a, -1 - at)
    agree(function, np.arange(20.0).reshape(10, 2), at)


@pytest.mark.parametrize("function", [pick, take])
@pytest.mark.parametrize("dtype", INDICES)
def test_indices_out_of_range(function, dtype):
    a = np.arange(10.0)
    wrong = [[0, 10, 1]] + ([[-11]] if np.issubdtype(dtype, np.signedinteger) else [[200]])
    for at in wrong:
        with pytest.raises(IndexError):
            function(a, np.array(at, dtype))
    with pytest.raises(IndexError):
        function(a[:0], np.array([0], dtype))


def test_message_of_an_index_out_of_range():
    with pytest.raises(IndexError, match="index 12 is out of bounds for axis 0 with size 10"):
        pick(np.arange(10.0), np.array([1, 12]))


@nb.njit
def flip(a):
    return np.flip(a)


@nb.njit
def flipud(a):
    return np.flipud(a)


@nb.njit
def fliplr(a):
    return np.fliplr(a)


@nb.njit
def swapped(a):
    return np.swapaxes(a, 0, -1)


@nb.njit
def expanded(a):
    return np.expand_dims(a, 1)


@nb.njit
def expanded_last(a):
    return np.expand_dims(a, -1)


@nb.njit
def spread(a):
    return np.broadcast_to(a, (3, *a.shape))


@pytest.mark.parametrize("function", [flip, flipud, fliplr, swapped, expanded, expanded_last, spread])
@pytest.mark.parametrize("shape", [(0,), (5,), (3, 4), (1, 4), (2, 3, 4), (2, 3, 4, 5)])
def test_views(function, shape):
    if function is fliplr and len(shape) < 2:
        return
    for a in layouts(RANDOM.random(shape)):
        agree(function, a)
        if function is not spread:
            assert np.shares_memory(function(a), a) or a.size == 0


def test_axes_out_of_range():
    @nb.njit
    def beyond(a):
        return np.expand_dims(a, 4)

    with pytest.raises(ValueError, match="axis 4 is out of bounds for array of dimension 2"):
        beyond(np.zeros(3))
    with pytest.raises(ValueError, match="could not be broadcast"):
        nb.njit(lambda a: np.broadcast_to(a, (2, 4)))(np.zeros(3))
