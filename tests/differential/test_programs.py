"""Generated programs give the same bits in CPython and in every way numbra has to run them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import compare

COUNT = 2000


def test_all_ways_agree():
    found = compare.differences(0, COUNT, compare.TIERS)
    if found:
        seed, outcomes = min(found.items())
        lines = [f"{len(found)} of {COUNT} differ, first seed {seed}", *compare.described(outcomes)]
        pytest.fail("\n".join(lines))


@pytest.mark.smoke
def test_some_programs_agree_in_cranelift():
    assert not compare.differences(1_000_000, 50, ["cranelift"])
