"""Sums over several axes."""

import itertools

import numbra as nb
import numpy as np
import pytest

TIERS = ["cranelift", "llvm"]
RNG = np.random.default_rng(1)
BASE = RNG.normal(size=(5, 7, 33, 3)) * 10.0 ** RNG.integers(-8, 8, (5, 7, 33, 3))


def arrays():
    yield BASE
    yield BASE.transpose(2, 0, 3, 1)
    yield np.asfortranarray(BASE)
    yield BASE[::2, ::-1, 1::3]
    yield BASE.astype(np.float32)
    yield (BASE + 1j * BASE[::-1]).astype(np.complex64)
    yield (BASE * 100).clip(-100, 100).astype(np.int8)
    yield BASE > 0
    yield BASE[:0]
    yield BASE[:, :, :0]
    yield BASE[:1, :, :, :1]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_as_numpy(count, tier):
    f = nb.njit(lambda a, axes: np.sum(a, axis=axes), tier=tier)
    method = nb.njit(lambda a, axes: a.sum(axes), tier=tier)
    for a in arrays():
        for axes in itertools.permutations(range(4), count):
            if list(axes) != sorted(axes) and a is not BASE:
                continue
            signed = tuple(axis - 4 if axis % 2 else axis for axis in axes)
            want = a.sum(axis=signed)
            for got in (f(a, signed), method(a, signed)):
                assert np.shape(got) == want.shape
                assert count == 4 or got.dtype == want.dtype
                # Elsewhere than in C order NumPy's own order depends on how its iterator joins axes.
                exact = a is BASE or want.dtype.kind == "i"
                rtol = 0 if exact else 1e-4 if a.dtype.itemsize == 4 or a.dtype.kind == "c" else 1e-13
                scale = np.abs(a).sum() if a.size else 0.0
                np.testing.assert_allclose(
                    got, want, rtol=0, atol=rtol * scale, err_msg=f"{a.shape} {a.strides} {axes}"
                )


@pytest.mark.parametrize("tier", TIERS)
def test_literal_axes_and_dtypes(tier):
    a = np.arange(24).reshape(2, 3, 4)
    both = nb.njit(lambda a: (np.sum(a, axis=(0, 2)), a.sum(axis=(-1,)), np.sum(a, (0, 1), np.float32)), tier=tier)(a)
    for got, want in zip(both, (a.sum((0, 2)), a.sum((-1,)), a.sum((0, 1), np.float32)), strict=True):
        assert got.dtype == want.dtype and np.array_equal(got, want)
    none = nb.njit(lambda a: np.sum(a, ()), tier=tier)(a)
    assert np.array_equal(none, a)
    assert not np.shares_memory(none, a)
    x = np.array(2.5)
    assert nb.njit(lambda x: np.sum(x, ()), tier=tier)(x) == 2.5


@pytest.mark.parametrize("tier", TIERS)
def test_axes_that_there_are_not(tier):
    f = nb.njit(lambda a, axes: np.sum(a, axes), tier=tier)
    a = np.ones((2, 3, 4))
    for axes in ((0, 0), (0, -3)):
        with pytest.raises(ValueError, match="duplicate value in 'axis'"):
            f(a, axes)
    for axes in ((0, 3), (-4, 1), (np.uint64(2**63), 1)):
        with pytest.raises((ValueError, OverflowError)):
            f(a, axes)
    with pytest.raises(nb.TypingError):
        f(np.ones(2), (0, 1))
    with pytest.raises(nb.TypingError, match="axis"):
        f(a, (0.5, 1))
