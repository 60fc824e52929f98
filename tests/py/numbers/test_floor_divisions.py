"""Floor divisions of integers by constants, which become products: exact for every number, with either generator."""

import random

import numbra as nb
import numpy as np
import pytest

LEAST, MOST = -(2**63), 2**63 - 1
DIVISORS = [3, 5, 6, 7, 10, 13, 60, 641, 1000003, 10**9 + 7, 2**31 - 1, 2**32 + 1, 2**61 - 1, 2**62 + 1, MOST - 1, MOST]


def numbers(divisor):
    """Those around multiples of the divisor, the extremes, and some between."""
    chosen = random.Random(divisor)
    near = {0, LEAST, MOST}
    for factor in (1, 2, 3, MOST // divisor, chosen.randrange(MOST // divisor + 1)):
        near |= {factor * divisor, -factor * divisor}
    near = {n + shift for n in near for shift in (-2, -1, 0, 1, 2)}
    near |= {chosen.randrange(LEAST, MOST) for _ in range(200)}
    return np.array(sorted(n for n in near if LEAST <= n <= MOST), np.int64)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("divisor", DIVISORS)
def test_quotients_and_remainders(divisor, tier):
    @nb.njit(tier=tier)
    def both(x):
        quotients, remainders = np.empty_like(x), np.empty_like(x)
        for i in range(x.size):
            quotients[i] = x[i] // divisor
            remainders[i] = x[i] % divisor
        return quotients, remainders

    @nb.njit(tier=tier)
    def remainder(x):
        return x % divisor

    x = numbers(divisor)
    quotients, remainders = both(x)
    assert quotients.tolist() == [n // divisor for n in x.tolist()]
    assert remainders.tolist() == [n % divisor for n in x.tolist()]
    assert [remainder(n) for n in x.tolist()] == remainders.tolist()


def test_digits_in_a_loop_that_ends(same):
    def digits(n):
        total = 0
        while n != 0 and n != -1:
            total += n % 10
            n = n // 10
        return total

    for n in (0, 7, 12345, MOST, LEAST, -12345):
        same(digits, n)
