"""Reductions add up in NumPy's order, whatever steps the axes have: their results have its bits."""

import numpy as np
import pytest
from numbra import njit


def layouts(rng, ndim):
    """Arrays with gaps, axes in any order and direction, and repeated elements."""
    for _ in range(60):
        shape = tuple(rng.integers(1, 14, ndim))
        tight = rng.normal(size=shape).transpose(rng.permutation(ndim))
        yield tight[tuple(slice(None, None, int(rng.choice([1, -1]))) for _ in range(ndim))]
        loose = rng.normal(size=tuple(2 * n for n in shape))
        steps = tuple(slice(None, None, int(rng.choice([1, -1, 2, -2]))) for _ in range(ndim))
        yield loose[steps][tuple(slice(n) for n in shape)].transpose(rng.permutation(ndim))
    yield np.broadcast_to(rng.normal(size=shape[-1]), (3, *shape))
    # Longer than what is gathered, or buffered, at a time.
    yield rng.normal(size=(300, 2))[:, 1]
    yield rng.normal(size=(9000, 2))[::-1, 1]
    yield rng.normal(size=(3, 9000, 2))[..., 0]


@pytest.mark.parametrize("name", ["sum", "mean", "var", "std", "prod"])
@pytest.mark.parametrize("ndim", [1, 2, 3])
def test_bits_are_those_of_numpy(name, ndim):
    space = {}
    exec(f"def reduce(a):\n    return a.{name}()", space)
    reduce = njit(space["reduce"])
    for a in layouts(np.random.default_rng(ndim), ndim):
        got, want = reduce(a), space["reduce"](a)
        assert np.float64(got).tobytes() == want.tobytes(), (a.shape, a.strides, got, want)
