"""The kernels that are measured outside the bench: both tiers give the same."""

import sys

import pytest
from folders import TESTS

sys.path.insert(0, str(TESTS))

from measure import outside


@pytest.mark.parametrize("theme", outside.THEMES)
def test_both_tiers_give_the_same(theme):
    sides = [outside.Side(sys.executable, "numbra", theme, tier) for tier in ("cranelift", "llvm")]
    assert sides[0].names == sides[1].names
    for name in sides[0].names:
        first, second = (side.ask("make", name) for side in sides)
        assert isinstance(first, list), (name, first)
        assert first == second or str(first) == str(second), name
    for side in sides:
        side.close()
