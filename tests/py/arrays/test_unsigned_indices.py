"""An unsigned number that says where or how many is never taken for a negative one."""

import math
import random

import numbra as nb
import numpy as np
import pytest

TIERS = ["cranelift", "llvm"]
BEYOND = [2**63, 2**63 + 1, 2**64 - 2, 2**64 - 1]

# With what a number beyond int64 raises; with 1 all are what Python says.
PLACES = {
    "(1, 2, 3)[u]": IndexError,
    "'abc'[u]": IndexError,
    "[4, 5, 6][u]": IndexError,
    "popped([4, 5, 6], u)": IndexError,
    "inserted([4, 5, 6], u)": OverflowError,
    "[4, 5, 4].index(4, u)": OverflowError,
    "[4, 5] * u": OverflowError,
    "u * [4, 5]": OverflowError,
    "[0.5] * u": OverflowError,
    "counted(range(u, 5))": OverflowError,
    "counted(range(-3, u))": OverflowError,
    "counted(range(9, 0, u))": OverflowError,
    "len(range(u))": OverflowError,
    "np.zeros(u).size": ValueError,
    "np.zeros((u, 2)).size": ValueError,
    "np.full(u, 2).size": ValueError,
    "np.eye(3, 3, u).sum()": OverflowError,
    "np.identity(u).size": ValueError,
    "a.reshape(u, 6).size": ValueError,
    "a.reshape((u, 6)).size": ValueError,
    "np.reshape(a, (u, -1)).size": ValueError,
    "np.broadcast_to(a[0], (u, 3)).size": ValueError,
    "np.resize(a, (u, 3)).size": ValueError,
    "np.repeat(a, u).size": ValueError,
    "np.arange(u).size": (OverflowError, ValueError),
    "np.sum(a, u)[0]": ValueError,
    "np.sum(a, axis=u)[0]": ValueError,
    "np.cumsum(a, axis=u)[0, 0]": ValueError,
    "np.argmin(a, u)[0]": ValueError,
    "np.concatenate((a, a), u).size": ValueError,
    "np.stack((a, a), u).size": ValueError,
    "np.expand_dims(a, u).size": ValueError,
    "np.moveaxis(a, u, 0).size": OverflowError,
    "np.moveaxis(a, 0, u).size": OverflowError,
    "np.swapaxes(a, 0, u).size": (ValueError, OverflowError),
    "np.trace(a, u)": OverflowError,
    "np.diag(a, u).size": OverflowError,
    "np.array_split(a[0], u)[0].size": (MemoryError, ValueError),
    "np.delete(a, u).size": IndexError,
    "np.delete(a, np.array([u])).size": IndexError,
    "round(2.5, u)": OverflowError,
    "np.round(a, u)[0, 0]": OverflowError,
    "math.ldexp(1.0, u)": OverflowError,
    "np.random.randint(u, 3) < 3": OverflowError,
    "np.random.randint(0, u) < 1": OverflowError,
    "random.randrange(u, 3) < 3": OverflowError,
    "random.randint(0, u) < 2": OverflowError,
    "np.random.binomial(u, 0.0)": OverflowError,
    "np.random.multinomial(u, np.array([1.0]))[0]": OverflowError,
    "np.random.hypergeometric(u, 0, 1)": OverflowError,
    "counted(np.ndindex(u))": (ValueError, OverflowError),
}  # fmt: skip

# What has a value for every number.
VALUES = """
np.roll(a, u)[0, 0]
np.rot90(a, u)[0, 0]
np.tri(3, 3, 0).sum()
[1, 2, 3][:u]
[1, 2, 3][u:]
a[:u].shape
a[u:].shape
a[::u].shape
u > -1
u == -1
""".strip().splitlines()

HELPERS = """
def popped(x, u):
    x.pop(u)
    return len(x)

def inserted(x, u):
    x.insert(u, 9)
    return x

def counted(numbers):
    n = 0
    for i in numbers:
        n += 1
    return n
"""


def functions(text, tier):
    space = {"np": np, "math": math, "random": random}
    exec(HELPERS, space)
    python = eval(f"lambda a, u: {text}", space)
    compiled = {"np": np, "math": math, "random": random}
    exec(HELPERS, compiled)
    for name in ("popped", "inserted", "counted"):
        compiled[name] = nb.njit(compiled[name], inline="always" if name == "counted" else "never")
    return python, nb.njit(eval(f"lambda a, u: {text}", compiled), tier=tier)


A = np.arange(6.0).reshape(2, 3)


@pytest.mark.parametrize("tier", TIERS)
def test_places_beyond_int64(tier):
    for text, error in PLACES.items():
        python, compiled = functions(text, tier)
        if "reshape(" not in text:
            want, got = python(A, 1), compiled(A, np.uint64(1))
            assert got == want, text
        for u in BEYOND:
            with pytest.raises(error):
                pytest.fail(f"{text} of {u} is {compiled(A, np.uint64(u))}")


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("text", VALUES)
def test_values_of_every_number(text, tier):
    python, compiled = functions(text, tier)
    for u in [1, 5, *BEYOND]:
        want = python(A, np.uint64(u)) if "u <<" in text or "roll" in text else python(A, u)
        assert compiled(A, np.uint64(u)) == want, u


@pytest.mark.parametrize("tier", TIERS)
def test_repeated_lists_that_do_not_fit(tier):
    for text in ("[1] * n", "[1, 2, 3, 4] * n", "[0.5, 1.5] * n", "[(1, 2)] * n", "n * [True, False]"):
        compiled = nb.njit(eval(f"lambda n: len({text})"), tier=tier)
        for n in (2**61, 2**62, 2**63 - 1):
            with pytest.raises(MemoryError):
                compiled(n)
        assert compiled(-(2**62)) == compiled(-1) == 0

    @nb.njit(tier=tier)
    def repeat(x, n):
        x *= n
        return len(x)

    with pytest.raises(MemoryError):
        repeat([1, 2, 3, 4], 2**62)
    assert repeat([1, 2], 3) == 6


ARRAYS = """
np.insert(x, p, 9)
np.delete(x, p)
np.split(x, p)
np.array_split(x, p)
np.vsplit(x.reshape(2, 2), p)
""".strip().splitlines()


@pytest.mark.parametrize("text", ARRAYS)
def test_arrays_of_places(text):
    python = eval(f"lambda x, p: {text}", {"np": np})
    compiled = nb.njit(python)
    x = np.arange(4.0)
    for places in ([1], [0, 2], [1, 4], *([1, u] for u in BEYOND), *([u] for u in BEYOND)):
        p = np.array(places, np.uint64)
        if places[-1] >= 4 and "split" not in text and (places[-1] > 4 or "delete" in text):
            # NumPy 2.4 takes some for negative, and names no number where it casts.
            with pytest.raises(IndexError, match=f"index {places[-1]} is out of bounds for axis 0 with size 4"):
                compiled(x, p)
            continue
        got, want = compiled(x, p), python(x, np.array(places, object) if "split" in text else p.astype(np.int64))
        for a, b in zip(got, want, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("text", ["np.insert(x, u, 9)", "np.delete(x, u)"])
def test_places_are_named(text):
    compiled = nb.njit(eval(f"lambda x, u: {text}", {"np": np}))
    for u in BEYOND:
        with pytest.raises(IndexError, match=f"index {u} is out of bounds for axis 0 with size 4"):
            compiled(np.arange(4.0), np.uint64(u))


def test_diagonals():
    for text in ("np.tri(3, 3, u)", "np.tril(a, u)", "np.triu(a, u)", "np.tril_indices(3, u)", "np.triu_indices(3, u)"):
        python = eval(f"lambda a, u: {text}", {"np": np})
        compiled = nb.njit(python)
        for u in (0, 1, 5, 2**63 - 1)[: 3 if "indices" in text else 4]:
            np.testing.assert_array_equal(compiled(A, np.uint64(u)), python(A, min(u, 5)))
        for u in BEYOND:
            with pytest.raises(OverflowError, match="Python int too large to convert to C ssize_t"):
                compiled(A, np.uint64(u))
