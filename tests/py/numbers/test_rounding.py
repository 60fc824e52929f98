"""Numbers rounded to digits: `round` as CPython does it, `np.round` as NumPy."""

import numpy as np
from numbra import njit


@njit
def digits(x, n):
    return round(x, n), np.round(x, n)


def test_numbers_are_rounded_to_digits():
    rng = np.random.default_rng(5)
    numbers = rng.normal(size=300) * 10.0 ** rng.integers(-6, 16, 300)
    # Decimal ties, which binary numbers miss by a little, and true ones.
    numbers = [*numbers.tolist(), *(np.round(numbers[:100], 2) + 0.005).tolist(), *(np.arange(-20, 20) / 8).tolist()]
    for x in [*numbers, 0.0, -0.0, -0.4, 2.675, 1e22, 5e-324, 4503599627370497.5]:
        for n in range(-3, 16):
            assert digits(x, n) == (round(x, n), np.round(x, n)), (x, n)
    assert str(digits(-0.4, 0)) == "(-0.0, -0.0)"
    for x in (np.nan, np.inf, -np.inf):
        np.testing.assert_array_equal(digits(x, 2), (x, np.round(x, 2)))
