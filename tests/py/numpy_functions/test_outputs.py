"""Arrays that functions write their results into: NumPy's casting rule `same_kind`, and NumPy's values."""

import itertools

import numbra as nb
import numpy as np
import pytest

KINDS = [np.int8, np.int64, np.uint8, np.float32, np.float64, np.complex64, np.complex128]
CALLS = """
np.round(a, 1, out)
np.around(a, 0, out)
np.clip(a, low, high, out)
a.clip(low, high, out)
np.clip(a, None, high, out)
np.outer(a, a, out)
""".strip().splitlines()


@pytest.mark.parametrize("call", CALLS)
def test_kinds_of_results(call):
    python = eval(f"lambda a, low, high, out: {call}", {"np": np})
    compiled = nb.njit(python)
    for kind, out_kind in itertools.product(KINDS, KINDS):
        a = np.array([1.5, 2.9, 0.4]).astype(kind)
        out, want = (np.zeros((3, 3) if "outer" in call else 3, out_kind) for _ in range(2))
        low, high = kind(1), kind(2)
        if np.can_cast(kind, out_kind, "same_kind"):
            compiled(a, low, high, out)
            python(a, low, high, want)
            np.testing.assert_allclose(out, want, rtol=1e-6)
            continue
        with pytest.raises(TypeError):
            python(a, low, high, want)
        with pytest.raises(nb.errors.TypingError, match="casting rule 'same_kind'"):
            compiled(a, low, high, out)


def test_limits_count_too():
    keep = nb.njit(lambda a, low, high, out: np.clip(a, low, high, out))
    a, out = np.arange(5), np.zeros(5, np.int64)
    for low, high in ((0.5, 2.5), (1, 2.5), (np.float32(1), 3), (1j, 2), (np.ones(5), 3)):
        with pytest.raises(TypeError):
            np.clip(a, low, high, out=out)
        with pytest.raises(nb.errors.TypingError, match=r"cannot write the result of `numpy\.clip`"):
            keep(a, low, high, out)
    assert keep(a, 1, 3, out) is not None and out.tolist() == [1, 1, 2, 3, 3]
    small = np.arange(5, dtype=np.uint8)
    keep(small, 1, 3, small)
    assert small.tolist() == [1, 1, 2, 3, 3]


def test_outputs_of_truths_may_not_be_read_only():
    infinite = nb.njit(lambda x, out: np.isposinf(x, out))
    x, out = np.array([1.0, np.inf]), np.zeros(2)
    infinite(x, out)
    assert out.tolist() == [0.0, 1.0]
    out.flags.writeable = False
    with pytest.raises(nb.errors.TypingError):
        infinite(x, out)
