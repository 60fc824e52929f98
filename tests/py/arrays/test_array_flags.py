"""``flags`` of arrays, and what numbers and 0-d arrays are refused for."""

import numbra as nb
import numpy as np
import pytest

LAYOUTS = {
    "C": np.ones((2, 3)),
    "F": np.asfortranarray(np.ones((2, 3))),
    "strided": np.ones((4, 6))[::2, ::2],
    "one row": np.ones((1, 3)),
    "0-d": np.array(1.0),
    "empty": np.ones((0, 3)),
    "three axes": np.ones((2, 3, 4)).transpose(2, 0, 1),
}


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("name", LAYOUTS)
def test_contiguous_is_c_contiguous(name, tier):
    @nb.njit(tier=tier)
    def flags(a):
        return a.flags.contiguous, a.flags.c_contiguous, a.flags.f_contiguous

    a = LAYOUTS[name]
    assert flags(a) == (a.flags.contiguous, a.flags.c_contiguous, a.flags.f_contiguous)


@pytest.mark.parametrize("value", [3.0, 3, np.array(3.0), np.array(3)])
def test_numbers_are_not_unwrapped(value):
    with pytest.raises(nb.TypingError, match="diff requires input that is at least one dimensional"):
        nb.njit(lambda a: np.unwrap(a))(value)
