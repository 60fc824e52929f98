"""Dynamic programming."""

import numpy as np

from . import case, njit


@case(lambda r: (r.integers(0, 4, 400), r.integers(0, 4, 440)))
@njit
def lcs(a, b):
    t = np.zeros((a.size + 1, b.size + 1), np.int64)
    for i in range(a.size):
        for j in range(b.size):
            if a[i] == b[j]:
                t[i + 1, j + 1] = t[i, j] + 1
            else:
                t[i + 1, j + 1] = max(t[i, j + 1], t[i + 1, j])
    return t[a.size, b.size]


@case(lambda r: (r.integers(0, 4, 500), r.integers(0, 4, 440)))
@njit
def edit_distance(a, b):
    n, m = a.size, b.size
    before = np.arange(m + 1)
    row = np.zeros(m + 1, np.int64)
    for i in range(1, n + 1):
        row[0] = i
        for j in range(1, m + 1):
            cost = 0 if a[i - 1] == b[j - 1] else 1
            row[j] = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + cost)
        before, row = row, before
    return before[m]


@case(lambda r: (r.integers(1, 50, 40), r.integers(1, 100, 40), 1000))
@njit
def knapsack(weight, value, capacity):
    best = np.zeros(capacity + 1, np.int64)
    for i in range(weight.size):
        for c in range(capacity, weight[i] - 1, -1):
            best[c] = max(best[c], best[c - weight[i]] + value[i])
    return best[capacity]


@case(lambda r: (r.integers(1, 50, 30), r.integers(1, 100, 30), 500))
@njit
def knapsack_table(weight, value, capacity):
    n = weight.size
    t = np.zeros((n + 1, capacity + 1), np.int64)
    for i in range(1, n + 1):
        for c in range(capacity + 1):
            if weight[i - 1] <= c:
                t[i, c] = max(t[i - 1, c], t[i - 1, c - weight[i - 1]] + value[i - 1])
            else:
                t[i, c] = t[i - 1, c]
    return t[n, capacity]


@case(lambda r: (np.array([1, 2, 5, 10, 20, 50, 100, 200]), 3000))
@njit
def coin_change(coins, total):
    ways = np.zeros(total + 1, np.int64)
    ways[0] = 1
    for coin in coins:
        for i in range(coin, total + 1):
            ways[i] += ways[i - coin]
    return ways[total]


@case(lambda r: (r.integers(0, 4, 400), r.integers(0, 4, 420), 1, -1, -2))
@njit
def needleman_wunsch(a, b, match, mismatch, gap):
    n, m = a.size, b.size
    t = np.zeros((n + 1, m + 1), np.int64)
    for i in range(n + 1):
        t[i, 0] = i * gap
    for j in range(m + 1):
        t[0, j] = j * gap
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            s = match if a[i - 1] == b[j - 1] else mismatch
            t[i, j] = max(t[i - 1, j - 1] + s, t[i - 1, j] + gap, t[i, j - 1] + gap)
    return t[n, m]


@case(lambda r: (r.integers(0, 4, 400).astype("u1"), r.integers(0, 4, 420).astype("u1")))
@njit
def smith_waterman(a, b):
    t = np.zeros((a.size + 1, b.size + 1), np.int32)
    best = 0
    for i in range(1, a.size + 1):
        for j in range(1, b.size + 1):
            s = 3 if a[i - 1] == b[j - 1] else -3
            v = max(0, t[i - 1, j - 1] + s, t[i - 1, j] - 2, t[i, j - 1] - 2)
            t[i, j] = v
            if v > best:
                best = v
    return best


@case(lambda r: (r.integers(0, 8, 60), r.random(16), r.random((16, 16)), r.random((16, 8))))
@njit
def viterbi(seen, start, move, emit):
    n = start.size
    steps = seen.size
    score = np.zeros((steps, n))
    path = np.zeros((steps, n), np.int64)
    for s in range(n):
        score[0, s] = np.log(start[s]) + np.log(emit[s, seen[0]])
    for t in range(1, steps):
        for s in range(n):
            best = -np.inf
            for p in range(n):
                v = score[t - 1, p] + move[p, s]
                if v > best:
                    best = v
                    path[t, s] = p
            score[t, s] = best + emit[s, seen[t]]
    states = np.zeros(steps, np.int64)
    states[-1] = np.argmax(score[-1])
    for t in range(steps - 1, 0, -1):
        states[t - 1] = path[t, states[t]]
    return states


@case(lambda r: (r.random(100), r.random(90)))
@njit
def dtw(a, b):
    n, m = a.size, b.size
    t = np.full((n + 1, m + 1), np.inf)
    t[0, 0] = 0.0
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            cost = abs(a[i - 1] - b[j - 1])
            t[i, j] = cost + min(t[i - 1, j], t[i, j - 1], t[i - 1, j - 1])
    return t[n, m]


@case(lambda r: (r.integers(1, 40, 40),))
@njit
def matrix_chain(p):
    n = p.size - 1
    m = np.zeros((n, n), np.int64)
    for length in range(2, n + 1):
        for i in range(n - length + 1):
            j = i + length - 1
            m[i, j] = 1 << 60
            for k in range(i, j):
                q = m[i, k] + m[k + 1, j] + p[i] * p[k + 1] * p[j + 1]
                if q < m[i, j]:
                    m[i, j] = q
    return m[0, n - 1]


@case(lambda r: (r.integers(0, 4, 60), np.zeros((60, 60), "i8")))
@njit
def nussinov(seq, table):
    n = seq.size
    for i in range(n - 1, -1, -1):
        for j in range(i + 1, n):
            if j - 1 >= 0:
                table[i, j] = max(table[i, j], table[i, j - 1])
            if i + 1 < n:
                table[i, j] = max(table[i, j], table[i + 1, j])
            if j - 1 >= 0 and i + 1 < n:
                if i < j - 1:
                    pair = 1 if seq[i] + seq[j] == 3 else 0
                    table[i, j] = max(table[i, j], table[i + 1, j - 1] + pair)
                else:
                    table[i, j] = max(table[i, j], table[i + 1, j - 1])
            for k in range(i + 1, j):
                table[i, j] = max(table[i, j], table[i, k] + table[k + 1, j])


@case(lambda r: (r.integers(0, 1000, 300),))
@njit
def longest_increasing(a):
    n = a.size
    length = np.ones(n, np.int64)
    for i in range(n):
        for j in range(i):
            if a[j] < a[i] and length[j] + 1 > length[i]:
                length[i] = length[j] + 1
    return length.max()


@case(lambda r: (r.integers(-100, 100, 100000),))
@njit
def largest_run(a):
    best = a[0]
    here = a[0]
    for x in a[1:]:
        here = max(x, here + x)
        best = max(best, here)
    return best


@case(lambda r: (r.integers(0, 10, (80, 80)),))
@njit
def cheapest_path(cost):
    n, m = cost.shape
    t = np.zeros((n, m), np.int64)
    t[0, 0] = cost[0, 0]
    for i in range(1, n):
        t[i, 0] = t[i - 1, 0] + cost[i, 0]
    for j in range(1, m):
        t[0, j] = t[0, j - 1] + cost[0, j]
    for i in range(1, n):
        for j in range(1, m):
            t[i, j] = cost[i, j] + min(t[i - 1, j], t[i, j - 1], t[i - 1, j - 1])
    return t[n - 1, m - 1]
