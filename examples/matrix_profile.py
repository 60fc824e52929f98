"""Nearest-neighbour matrix profile of a long time series.

For every window of `m` samples: how far away is the most similar other window, and where is it?
Small distances are motifs (the series repeats itself), large ones discords (it never does again).
The distance is Euclidean between z-normalised windows, so level and scale do not count.

Every pair of windows is visited along the diagonals of the distance matrix, where the covariance of
one pair follows from that of the pair before (the `mpx` recurrence of K. Kamgar).
"""

import itertools
import math

import numbra as nb
import numpy as np


@nb.njit
def window_moments(x, m):
    """Mean, and one over the norm of the centred samples (0 where constant), of each window."""
    n = x.size - m + 1
    mean = np.empty(n)
    inverse_norm = np.zeros(n)
    for i in range(n):
        total = 0.0
        for value in x[i : i + m]:
            total += value
        mean[i] = total / m
        squares = 0.0
        for value in x[i : i + m]:
            d = value - mean[i]
            squares += d * d
        if squares > 0.0:
            inverse_norm[i] = 1.0 / math.sqrt(squares)
    return mean, inverse_norm


@nb.njit
def scan_diagonals(x, m, mean, inverse_norm, first, last, best, where):
    """Visits the pairs of windows (i, i + k) for first <= k < last.

    `best[i]` holds the highest correlation that window i has met, `where[i]` with which window.
    """
    n = mean.size
    for k in range(first, last):
        cov = 0.0
        for t in range(m):
            cov += (x[t] - mean[0]) * (x[k + t] - mean[k])
        for i in range(n - k):
            j = i + k
            if i > 0:
                # The sample that leaves, and the sample that enters, both windows.
                cov += 0.5 * (
                    (x[i + m - 1] - x[i - 1]) * ((x[j + m - 1] - mean[j]) + (x[j - 1] - mean[j - 1]))
                    + (x[j + m - 1] - x[j - 1]) * ((x[i + m - 1] - mean[i]) + (x[i - 1] - mean[i - 1]))
                )
            r = cov * inverse_norm[i] * inverse_norm[j]
            if r > best[i]:
                best[i] = r
                where[i] = j
            if r > best[j]:
                best[j] = r
                where[j] = i


@nb.njit
def distances(best, m):
    """From correlations to z-normalised Euclidean distances."""
    profile = np.empty(best.size)
    for i in range(best.size):
        profile[i] = math.sqrt(2.0 * m * max(0.0, 1.0 - best[i]))
    return profile


def chunks(n, m, count):
    """Splits the diagonals into `count` parts of about equal work; near windows are left out."""
    edges = [n - round((n - m) * math.sqrt(1.0 - c / count)) for c in range(count + 1)]
    return list(itertools.pairwise(edges))


def matrix_profile(x, m, functions=None, progress=None):
    """Profile and index of `x` for windows of `m` samples; windows that overlap do not count.

    `functions` stands in for the three above, in their order.
    `progress(done)` is called between parts, `done` going from 0 to 1.
    """
    moments, scan, finish = functions or (window_moments, scan_diagonals, distances)
    mean, inverse_norm = moments(x, m)
    n = mean.size
    best = np.full(n, -1.0)
    where = np.full(n, -1)
    parts = chunks(n, m, 50)
    for done, (first, last) in enumerate(parts):
        if progress is not None:
            progress(done / len(parts))
        scan(x, m, mean, inverse_norm, first, last, best, where)
    return finish(best, m), where
