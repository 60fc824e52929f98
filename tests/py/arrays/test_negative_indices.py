"""Loops that are copied for where their indices are not negative: what decides stands in the loop, or is the step."""

import numbra as nb
import numpy as np
import pytest

FAR = 2**62
TIERS = ["cranelift", "llvm"]


def window_sums(x, w):
    out = np.zeros(x.size)
    s = 0.0
    for i in range(x.size):
        s += x[i]
        if i >= w:
            s -= x[i - w]
        if i >= w - 1:
            out[i - w + 1] = s
    return out


def shifted(x, w, out):
    for i in range(x.size):
        if w <= i and x[i] > 0.25:
            out[i] = x[i - w]
    return out


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("w", [1, 2, 7, 19, 20, 21, 1000, FAR, 2**63 - 1])
def test_differences_that_a_test_tells_about(w, tier):
    x = np.random.default_rng(w % 97).random(20)
    assert np.array_equal(nb.njit(tier=tier)(window_sums)(x, w), window_sums(x, w))
    run = nb.njit(tier=tier)(shifted)
    assert np.array_equal(run(x, w, np.zeros(20)), shifted(x, w, np.zeros(20)))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("w", [0, -1, -5])
def test_negative_distances_count_as_they_are(w, tier):
    """`i - w` is beyond `i` then; the array is long enough for that."""

    def read(x, w, n, out):
        for i in range(n):
            if i >= w:
                out[i] = x[i - w]
        return out

    x = np.random.default_rng(3).random(40)
    assert np.array_equal(nb.njit(tier=tier)(read)(x, w, 20, np.zeros(20)), read(x, w, 20, np.zeros(20)))


def mark(start, step, stop, n):
    out = np.zeros(n, np.int64)
    k = start
    rounds = 0
    while k < stop and rounds < 100:
        out[k] += 1
        k += step
        rounds += 1
    return out


def fill(start, step, out):
    k = start
    while k < out.size:
        out[k] += 1
        k += step
    return out


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("start", [-50, -3, 0, 1, 49])
@pytest.mark.parametrize("step", [1, 3, 7, 60, FAR])
def test_steps_that_are_no_constants(start, step, tier):
    want = fill(start, step, np.zeros(50, np.int64))
    assert np.array_equal(nb.njit(tier=tier)(fill)(start, step, np.zeros(50, np.int64)), want)
    assert np.array_equal(nb.njit(tier=tier)(mark)(start, step, 50, 50), mark(start, step, 50, 50))


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("n", [0, 1, 5, 64, 1000])
def test_fields_that_are_all_stored(n, tier):
    """Three bytes a round, none left out, each at an address of its own."""

    @nb.njit(tier=tier)
    def unpack(words, out):
        for i in range(words.size):
            x = words[i]
            out[3 * i] = (x >> 16) & 255
            out[3 * i + 1] = (x >> 8) & 255
            out[3 * i + 2] = x & 255

    words = np.random.default_rng(n).integers(0, 1 << 24, n)
    out = np.zeros(3 * n, np.uint8)
    unpack(words, out)
    assert np.array_equal(out, np.stack([words >> 16, words >> 8, words], 1).astype("u1").ravel())


def knapsack(weight, value, capacity):
    t = np.zeros((weight.size + 1, capacity + 1), np.int64)
    for i in range(1, weight.size + 1):
        for c in range(capacity + 1):
            t[i, c] = t[i - 1, c]
            if weight[i - 1] <= c:
                t[i, c] = max(t[i, c], t[i - 1, c - weight[i - 1]] + value[i - 1])
    return t


@pytest.mark.parametrize("tier", TIERS)
def test_distances_that_each_round_loads(tier):
    r = np.random.default_rng(5)
    weight, value = r.integers(0, 30, 12), r.integers(1, 99, 12)
    for given in (weight, np.repeat(weight, 2)[::2], np.zeros_like(weight), weight + FAR):
        for capacity in (0, 1, 60):
            got = nb.njit(tier=tier)(knapsack)(given, value, capacity)
            assert np.array_equal(got, knapsack(given, value, capacity))


@pytest.mark.parametrize("tier", TIERS)
def test_loaded_distances_are_checked_and_seen(tier):
    def read(x, by, out):
        for i in range(out.size):
            if by[i] <= i:
                k = i - by[i]
                out[i] = x[k] + k
        return out

    x = np.random.default_rng(3).random(40)
    by = np.array([0, 1, -20, 3, 0, -30, 9, FAR])
    assert np.array_equal(nb.njit(tier=tier)(read)(x, by, np.zeros(8)), read(x, by, np.zeros(8)))
    checked = nb.njit(tier=tier, boundscheck=True)(read)
    with pytest.raises(IndexError):
        checked(x, np.array([0, -40]), np.zeros(2))
    with pytest.raises(IndexError):
        checked(x, np.array([0, -(2**63)]), np.zeros(2))
