"""Ranges of every type of integers, with steps of every type, in both directions, to the ends of their types."""

import itertools

import numbra as nb
import numpy as np
import pytest

TIERS = ["cranelift", "llvm"]
KINDS = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
TOP = 2**64 - 1


def walked(a, b, s):
    count, last, total = 0, 0, 0
    for i in range(a, b, s):
        count += 1
        last = np.int64(i)
        total = total * 3 + np.int64(i)
    return count, last, total, len(range(a, b, s))


def wrapped(x):
    return (x + 2**63) % 2**64 - 2**63


def expected(a, b, s):
    items = range(int(a), int(b), int(s))
    total = 0
    for i in items:
        total = wrapped(total * 3 + wrapped(i))
    return len(items), wrapped(items[-1]) if items else 0, total, len(items)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind", KINDS)
def test_steps_of_every_type(kind, tier):
    walk = nb.njit(walked, tier=tier)
    signed = np.iinfo(kind).min < 0
    for step_kind in KINDS:
        steps = [1, 2, 5, -1, -2, -3] if np.iinfo(step_kind).min < 0 else [1, 2, 5]
        bounds = [0, 1, 5, 9] + ([-4] if signed else [])
        for a, b, s in itertools.product(bounds, bounds, steps):
            args = kind(a), kind(b), step_kind(s)
            assert walk(*args) == expected(*args), (args, step_kind)


def test_bounds_and_steps_of_unlike_signs():
    # Numba takes the bits of a negative bound for a number without a sign where two of the others have none.
    items = nb.njit(lambda a, b, s: ([np.int64(i) for i in range(a, b, s)], len(range(a, b, s))))
    for kinds in itertools.product([np.int8, np.int64, np.uint8, np.uint32, np.uint64], repeat=3):
        low = [-3, 0, 1] if np.iinfo(kinds[0]).min < 0 else [0, 1]
        high = [-1, 9] if np.iinfo(kinds[1]).min < 0 else [9]
        steps = [2, -2] if np.iinfo(kinds[2]).min < 0 else [2]
        for a, b, s in itertools.product(low, high, steps):
            for start, stop in ((a, b), (b, a)):
                if np.iinfo(kinds[0]).min <= start and np.iinfo(kinds[1]).min <= stop:
                    want = list(range(start, stop, s))
                    assert items(kinds[0](start), kinds[1](stop), kinds[2](s)) == (want, len(want)), (kinds, a, b, s)
    assert items(np.int64(-3), np.uint8(9), np.uint64(2)) == ([-3, -1, 1, 3, 5, 7], 6)
    constant = nb.njit(lambda b, s: [np.int64(i) for i in range(-3, b, s)])
    assert constant(np.uint64(9), np.uint64(5)) == [-3, 2, 7]
    from_zero = nb.njit(lambda b, s: [i for i in range(0, b, s)])
    assert from_zero(np.uint64(TOP), np.uint64(2**63 - 1)) == [0, 2**63 - 1, TOP - 1]
    assert items(np.int8(-1), np.uint64(2**40), np.uint64(2**39)) == ([-1, 2**39 - 1, 2**40 - 1], 3)
    with pytest.raises(OverflowError):
        items(np.int64(0), np.uint64(TOP), np.uint64(2**62))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "args",
    [
        (np.uint64(TOP), np.uint64(TOP - 4), -1),
        (np.uint64(TOP), np.uint64(0), -(2**62)),
        (np.uint64(0), np.uint64(TOP), 2**62),
        (np.uint64(TOP - 3), np.uint64(TOP), 2),
        (np.uint64(4), np.uint64(0), -4),
        (np.uint64(3), np.uint64(0), np.int8(-2)),
        (2**63 - 4, 2**63 - 1, 2),
        (-(2**63), -(2**63) + 5, 3),
        (-(2**63) + 4, -(2**63), -3),
        (2**63 - 1, -(2**63), -(2**63)),
        (2**63 - 1, 0, -(2**62)),
    ],
)
def test_ends_of_the_types(args, tier):
    assert nb.njit(walked, tier=tier)(*args) == expected(*args)


def constant_steps():
    for step in (-1, -2, -3, 1, 2):
        scope = {"np": np}
        loop = f"for i in range(a, b, {step}): n = n * 3 + np.int64(i)"
        exec(f"def f(a, b):\n n = 0\n {loop}\n return n", scope)
        yield step, scope["f"]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind", KINDS)
def test_constant_steps(kind, tier):
    for step, function in constant_steps():
        compiled = nb.njit(function, tier=tier)
        for a, b in itertools.product([0, 3, 8], repeat=2):
            want = expected(a, b, step)[2]
            assert compiled(kind(a), kind(b)) == want, (kind, a, b, step)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind", KINDS)
def test_contains_reversed_truth_and_fields(kind, tier):
    @nb.njit(tier=tier)
    def asked(a, b, s, x):
        r = range(a, b, s)
        return x in r, bool(r), [np.int64(i) for i in reversed(r)], np.int64(r.start), np.int64(r.stop), r.step

    for (a, b), s in itertools.product(itertools.product([0, 2, 7], repeat=2), [1, 3, -1, -2]):
        r = range(a, b, s)
        for x in (0, 1, 2, 5, 7):
            want = (x in r, bool(r), list(reversed(r)), a, b, s)
            assert asked(kind(a), kind(b), s, kind(x)) == want, (r, x)


@pytest.mark.parametrize("tier", TIERS)
def test_reversed_to_the_ends(tier):
    @nb.njit(tier=tier)
    def back(a, b, s):
        return [i for i in reversed(range(a, b, s))]

    assert back(np.uint64(0), np.uint64(3), 1) == [2, 1, 0]
    assert back(np.uint64(TOP), np.uint64(TOP - 3), -1) == [TOP - 2, TOP - 1, TOP]
    low = -(2**63)
    assert back(low, low, 1) == []
    assert back(low + 1, low + 6, 3) == [low + 4, low + 1]
    assert back(2**63 - 2, 0, -(2**62)) == list(reversed(range(2**63 - 2, 0, -(2**62))))
    # A range has no stop that lies ahead of the least number: said instead of an empty one.
    with pytest.raises(OverflowError):
        back(low, low + 3, 1)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("kind", KINDS)
def test_parallel_loops(kind, tier):
    @nb.njit(parallel=True, tier=tier)
    def each(a, b, s, out):
        n = 0
        for i in nb.prange(a, b, s):
            out[i] += 1
            n += 1
        return n

    for a, b, s in [(9, 0, -1), (9, 2, -3), (0, 9, 2), (0, 0, -1), (2, 9, 1)]:
        out = np.zeros(10, np.int64)
        want = np.zeros(10, np.int64)
        want[list(range(a, b, s))] = 1
        assert each(kind(a), kind(b), s, out) == want.sum()
        assert np.array_equal(out, want)


def test_lengths_and_steps_that_do_not_fit():
    length = nb.njit(lambda a, b: len(range(a, b, 1)))
    assert length(-(2**62), 2**62 - 1) == 2**63 - 1
    with pytest.raises(OverflowError, match="too large to convert to C ssize_t"):
        length(-(2**63), 2**63 - 1)
    step = nb.njit(lambda a, b, s: len(range(a, b, s)))
    assert step(np.uint64(0), np.uint64(TOP), np.uint64(2**63 - 1)) == 3
    with pytest.raises(OverflowError, match="arg 3 is too large"):
        step(np.uint64(0), np.uint64(9), np.uint64(2**63))
    with pytest.raises(ValueError, match="must not be zero"):
        step(np.uint64(0), np.uint64(9), np.uint64(0))


@pytest.mark.parametrize("tier", TIERS)
def test_floats_lose_their_fraction(tier):
    # Numba truncates them too: integers of unlike signs join to a float.
    @nb.njit(tier=tier)
    def piece(v, s, k):
        hi = s[k + 1] if k + 1 < s.size else v.size
        total = 0.0
        for i in range(s[k], hi):
            total += v[i]
        return v[s[k] : hi].sum(), total

    offsets = np.array([0, 3, 7], np.uint64)
    v = np.arange(9.0)
    for k, (low, high) in enumerate([(0, 3), (3, 7), (7, 9)]):
        assert piece(v, offsets, k) == (v[low:high].sum(), v[low:high].sum())

    items = nb.njit(lambda a, b: [i for i in range(a, b)], tier=tier)
    cut = nb.njit(lambda v, a, b: v[a:b], tier=tier)
    for a, b in [(0.0, 4.9), (-2.5, 2.0), (3.0, -1.0), (-0.9, 0.9)]:
        assert items(a, b) == list(range(int(a), int(b)))
        assert np.array_equal(cut(v, a, b), v[int(a) : int(b)])
        assert items(np.float32(a), int(b)) == list(range(int(np.float32(a)), int(b)))
    assert np.array_equal(cut(v, -np.inf, np.inf), v)
    assert np.array_equal(cut(v, np.uint64(2), np.uint64(TOP)), v[2:])
    assert cut(v, np.uint64(2**63), np.uint64(TOP)).size == 0
    assert np.array_equal(nb.njit(lambda v, s: v[::s], tier=tier)(v, 2.5), v[::2])
    assert items(0, 2.5) == [0, 1] and items(2**62, 2.0**62 + 1024.0)[:1] == [2**62]
    for wrong in (np.nan, np.inf, -np.inf, 2.0**63):
        with pytest.raises(OverflowError, match="range"):
            items(0.0, wrong)
    with pytest.raises(OverflowError, match="range"):
        items(np.uint64(0), -1.0)
    with pytest.raises(nb.errors.TypingError):
        items(0, 1j)
