"""Reductions add up in NumPy's order, whatever steps the axes have: their results have its bits."""

import numbra as nb
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


def chosen(a, start, t):
    plus = minus = times = start
    for x in a:
        if x > t:
            plus += x
        if x > t:
            minus -= x
        if not x > t:
            times *= x
    return plus, minus, times


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_conditional_sums(tier, dtype):
    """What is left out changes nothing: not the sign of zero, nor an infinity."""
    jitted = nb.njit(tier=tier)(chosen)
    rng = np.random.default_rng(1)
    some = rng.normal(size=101).astype(dtype)
    odd = np.array([0.0, -0.0, np.inf, -np.inf, 1e-310, -1e30, 3.0], dtype)
    for a in (some, some[::-2], some[:0], odd, odd[1:2], odd[::-1], np.append(odd, dtype(np.nan))):
        for start in (0.0, -0.0, np.inf, -5.5):
            for t in (-np.inf, -0.0, 0.3, np.inf, np.nan):
                with np.errstate(all="ignore"):
                    want = chosen(a, dtype(start), dtype(t))
                got = jitted(a, dtype(start), dtype(t))
                for w, g in zip(want, got, strict=True):
                    same = np.isnan(w) and np.isnan(g)
                    assert same or np.asarray(w, dtype).tobytes() == np.asarray(g, dtype).tobytes(), (a, start, t)
