"""What every Python test shares: comparing with CPython, and counting leaks."""

import gc
import math
import os
import sys
from pathlib import Path

# Every pass is verified in tests; numbra reads this when it is imported.
os.environ.setdefault("NUMBRA_VERIFY", "1")
# One generator, whatever the machine has to do besides; the tests of the tiers say which they want.
os.environ.setdefault("NUMBRA_TIER", "cranelift")

import numbra as nb
import numpy as np
import pytest

# What several files of tests share stands beside them.
sys.path.insert(0, str(Path(__file__).parent / "py" / "shared"))


def equal(got, want):
    """Same value and same kind of type; nan equals nan, and -0.0 is not 0.0."""
    if isinstance(want, tuple):
        return (
            isinstance(got, tuple)
            and len(got) == len(want)
            and all(equal(g, w) for g, w in zip(got, want, strict=True))
        )
    if isinstance(want, np.ndarray):
        return (
            isinstance(got, np.ndarray)
            and got.dtype == want.dtype
            and got.shape == want.shape
            and np.array_equal(got, want, equal_nan=want.dtype.kind in "fc")
        )
    if isinstance(want, np.generic):
        want = want.item()
    if type(got) is not type(want):
        return False
    if isinstance(want, float):
        return (math.isnan(got) and math.isnan(want)) or (
            got == want and math.copysign(1, got) == math.copysign(1, want)
        )
    return got == want


def outcome(function, args):
    """What a call gives: its value, or the class and arguments of what it raises.

    Words of exceptions that the language itself raises differ between versions of Python.
    """
    args = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
    try:
        value = function(*args)
    except (ZeroDivisionError, IndexError, OverflowError) as error:
        return type(error), (), ()
    except Exception as error:
        return type(error), error.args, ()
    return None, value, tuple(arg for arg in args if isinstance(arg, np.ndarray))


@pytest.fixture
def same():
    """`same(function, *args)`: compiled and interpreted agree, in what they change as well."""

    def check(function, *args, **options):
        compiled = nb.njit(**options)(function)
        got, want = outcome(compiled, args), outcome(function, args)
        assert got[0] is want[0], f"{got} is not {want}"
        assert equal(got[1], want[1]), f"{got[1]!r} is not {want[1]!r}"
        assert equal(got[2], want[2]), "the arguments differ afterwards"
        assert compiled.nopython_signatures
        return got[1]

    return check


@pytest.fixture(autouse=True, scope="module")
def few_objects():
    """What is there before the tests of a file stays: the collections of `no_leaks` pass over it.

    Of the whole suite it is 200,000 objects, and every test collects twice.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def no_leaks(few_objects):
    """Native memory that a test allocates is free again after it."""
    from numbra import _numbra

    def live():
        gc.collect()
        allocated, freed = _numbra._allocation_counts()
        return allocated - freed

    before = live()
    yield
    assert live() <= before
