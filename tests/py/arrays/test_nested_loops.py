"""Rows of nests with so many elements that generators cut them into strips: results are those of whole rows."""

import numbra as nb
import numpy as np
import pytest

LONG = 5_000_011


@pytest.fixture(params=["cranelift", "llvm"])
def njit(request):
    return nb.njit(tier=request.param)


def ones_and_twos(dtype):
    return (np.arange(LONG) % 2 + 1).astype(dtype)


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32", "int8"])
def test_each_element_is_visited_once(njit, dtype):
    @njit
    def add(a, b, rounds):
        for _ in range(rounds):
            for i in range(a.size):
                a[i] += b[i]

    a, b = np.zeros(LONG, dtype), ones_and_twos(dtype)
    add(a, b, 3)
    np.testing.assert_array_equal(a, 3 * b)


def test_sums_in_order(njit):
    @njit
    def total(a, rounds):
        sums = np.empty(rounds)
        for k in range(rounds):
            s = 0.0
            for i in range(a.size):
                s += a[i]
            sums[k] = s
        return sums

    a = np.random.default_rng(1).random(LONG)
    np.testing.assert_array_equal(total(a, 2), np.cumsum(a)[-1])


def test_products_and_integers(njit):
    @njit
    def dot(a, b, rounds):
        s, n = 0, 0
        for _ in range(rounds):
            for i in range(a.size):
                s += a[i] * b[i]
                n += 1
        return s, n

    a = np.random.default_rng(2).integers(-100, 100, LONG)
    assert dot(a, a, 2) == (2 * int(a @ a), 2 * LONG)


@pytest.mark.parametrize("step", [1, 3, -1, -2])
def test_steps(njit, step):
    @njit
    def mark(a, start, stop, step, rounds):
        for _ in range(rounds):
            for i in range(start, stop, step):
                a[i] += 1

    start, stop = (5, LONG - 3) if step > 0 else (LONG - 4, 2)
    a, want = np.zeros(LONG, np.int32), np.zeros(LONG, np.int32)
    mark(a, start, stop, step, 2)
    want[start:stop:step] = 2
    np.testing.assert_array_equal(a, want)


def test_constant_steps_and_narrow_counters(njit):
    @njit
    def mark(a, rounds):
        for _ in range(rounds):
            for i in range(np.int32(1), np.int32(a.size), 2):
                a[i] += 1
            for i in range(a.size - 1, -1, -3):
                a[i] += 1

    a, want = np.zeros(LONG, np.int8), np.zeros(LONG, np.int8)
    mark(a, 2)
    want[1::2] += 2
    want[::-3] += 2
    np.testing.assert_array_equal(a, want)


def test_recurrences(njit):
    @njit
    def running(a, b, rounds):
        for _ in range(rounds):
            for i in range(1, a.size):
                b[i] = b[i - 1] + a[i]

    a, b = ones_and_twos(np.int64), np.zeros(LONG, np.int64)
    a[0] = 0
    running(a, b, 2)
    np.testing.assert_array_equal(b, np.cumsum(a))


def test_look_ups_and_conditions(njit):
    @njit
    def gather(a, at, rounds):
        s, best = 0.0, -1.0
        for _ in range(rounds):
            for i in range(at.size):
                x = a[at[i]]
                if x > 0.5:
                    s += x
                if x > best:
                    best = x
        return s, best

    generator = np.random.default_rng(3)
    a = generator.integers(0, 1000, 4096) / 1000.0
    at = generator.integers(0, a.size, LONG)
    want = 0.0
    for part in np.split(a[at], [LONG // 2]):
        want += part[part > 0.5].sum()
    got, best = gather(a, at, 1)
    assert got == pytest.approx(want, rel=1e-9)
    assert best == a[at].max()


def test_what_is_left_in_the_middle(njit):
    @njit
    def find(a, wanted, rounds):
        places = np.empty(rounds, np.int64)
        for k in range(rounds):
            places[k] = -1
            for i in range(a.size):
                if a[i] == wanted + k:
                    places[k] = i
                    break
        return places

    a = np.arange(LONG)
    np.testing.assert_array_equal(find(a, LONG - 2, 4), [LONG - 2, LONG - 1, -1, -1])


def test_temporaries_and_errors(njit):
    @njit
    def grow(a, rounds, limit):
        kept = [a]
        for _ in range(rounds):
            a = a * 2 + 1
            for i in range(a.size):
                if a[i] > limit:
                    raise ValueError("too large")
            kept.append(a[:3])
        return kept[-1][0], a[-1]

    a = np.ones(LONG)
    assert grow(a, 3, 1e9) == (15.0, 15.0)
    with pytest.raises(ValueError, match="too large"):
        grow(a, 9, 100)


def test_strides(njit):
    @njit
    def columns(a, out):
        for j in range(a.shape[1]):
            for i in range(a.shape[0]):
                out[j] += a[i, j]

    a = np.ones((2_500_003, 2), np.float32)[::-1]
    out = np.zeros(2)
    columns(a, out)
    np.testing.assert_array_equal(out, a.shape[0])
    everywhere = np.broadcast_to(np.ones((1, 2), np.float32), (LONG, 2))
    out[:] = 0
    columns(everywhere, out)
    np.testing.assert_array_equal(out, LONG)
