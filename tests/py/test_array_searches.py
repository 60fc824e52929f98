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
