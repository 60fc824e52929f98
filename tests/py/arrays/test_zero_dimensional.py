"""Operators and ufuncs of arrays without axes give numbers, as in NumPy; what is written to stays an array."""

import numbra as nb
import numpy as np
import pytest

EXPRESSIONS = (
    "z + 1", "1 + z", "z + z", "z - 1", "z * 2", "z / 2", "z // 2", "z % 2", "z ** 2", "2 ** z", "-z", "+z", "abs(z)",
    "z > 2", "z <= z", "z == z", "z != 1", "~k", "k & 1", "k | k", "k ^ 1", "k << 1", "k >> 1", "z * z + 1",
    "np.sqrt(z)", "np.abs(z)", "np.add(z, z)", "np.maximum(z, 2)", "np.negative(z)", "np.isnan(z)", "np.logical_not(z)",
    "np.sin(z)", "np.floor(z)", "np.sign(z)", "np.square(z)", "np.hypot(z, z)", "np.arctan2(z, z)", "np.copysign(z, z)",
    "np.gcd(k, k)", "np.conj(s)", "s + s", "np.reciprocal(z)", "np.deg2rad(z)", "np.signbit(z)",
    "m + m", "-m", "m > m", "t + m", "t - t", "t == t", "np.isnat(t)", "np.array(5) + 1", "np.asarray(2.0) * 3", "v(z)",
)  # fmt: skip


@nb.vectorize
def v(x):
    return x + 1


@pytest.mark.parametrize("text", EXPRESSIONS)
@pytest.mark.parametrize("parallel", [False, True])
def test_numbers(text, parallel):
    scope = {"np": np, "v": v}
    exec(f"def f(z, k, s, m, t):\n    return {text}", scope)
    args = (np.array(5.0), np.array(3), np.array(1 + 2j), np.array(3, "m8[s]"), np.array(3, "M8[s]"))
    got, want = nb.njit(parallel=parallel)(scope["f"])(*args), scope["f"](*args)
    assert not isinstance(got, np.ndarray) and not isinstance(want, np.ndarray)
    assert got == want and np.asarray(got).dtype == np.asarray(want).dtype


def test_divmod_gives_two_numbers():
    got = nb.njit(lambda z: np.divmod(z, 2))(np.array(5))
    assert got == (2, 1) and not any(isinstance(x, np.ndarray) for x in got)


def test_outputs_stay_arrays():
    z = np.array(5.0)
    got = nb.njit(lambda z: np.add(z, 1, z))(z)
    assert isinstance(got, np.ndarray) and got == 6 and z == 6

    def twice(z):
        z *= 2
        return z

    got = nb.njit(twice)(z)
    assert isinstance(got, np.ndarray) and got == 12 and z == 12


def test_beside_other_arrays():
    a = np.arange(6.0).reshape(2, 3)
    z = np.array(2.0)
    np.testing.assert_array_equal(nb.njit(lambda a, z: a * z + z - a / z)(a, z), a * z + z - a / z)
    assert nb.njit(lambda a, z: (a + z).shape)(a[:0], z) == (0, 3)


def test_sizes_and_indices():
    z = np.array(2)
    assert nb.njit(lambda z: np.zeros(z + 1).size)(z) == 3
    assert nb.njit(lambda z, a: a[z + 1])(z, np.arange(5) * 10) == 30
    assert len(list(range(nb.njit(lambda z: z + 1)(z)))) == 3


def test_an_operand_that_is_written_to():
    """The number is read before anything is written."""

    def plus(a):
        a += a[0:1].reshape(())
        return a

    np.testing.assert_array_equal(nb.njit(plus)(np.arange(1.0, 5)), plus(np.arange(1.0, 5)))
