"""Generated programs give the same bits in CPython and in every way numbra has to run them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import compare


@pytest.mark.parametrize(("kind", "count"), [("numbers", 200), ("arrays", 100), ("data", 24)])
def test_all_ways_agree(kind, count):
    found = compare.differences(kind, 0, count)
    if found:
        seed, outcomes = min(found.items())
        lines = [f"{len(found)} of {count} differ, first seed {seed}", *compare.described(outcomes)]
        pytest.fail("\n".join(lines))


@pytest.mark.smoke
def test_some_programs_agree_in_cranelift():
    assert not compare.differences("numbers", 1_000_000, 50, ["cranelift"])
