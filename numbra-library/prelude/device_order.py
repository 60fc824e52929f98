"""What a GPU runs where order matters: sorting in place, order statistics, bins. Nothing is allocated."""

import numpy as np
from rows import body, method_body, static_if


@body(np.nanmedian, when="Array")
def device_nanmedian(a):
    """The middle element in order, or the mean of two, of those that are no NaN; NaN if there is none.

    It counts, for each element, those below: time grows with the square of the size, and nothing is allocated.
    """
    n = 0
    for i in range(a.size):
        x = a.flat[i]
        if x == x:
            n += 1
    low = np.nan
    high = np.nan
    for i in range(a.size):
        x = a.flat[i]
        below = 0
        equal = 0
        for j in range(a.size):
            y = a.flat[j]
            if y < x:
                below += 1
            elif y == x:
                equal += 1
        if below <= (n - 1) // 2 and (n - 1) // 2 < below + equal:
            low = np.float64(x)
        if below <= n // 2 and n // 2 < below + equal:
            high = np.float64(x)
    if n % 2 == 1:
        return low
    return (low + high) / 2.0


@body(np.median, when="Array")
def device_median(a):
    """As above; NaN if there is one."""
    for i in range(a.size):
        x = a.flat[i]
        if x != x:
            return np.nan
    return np.nanmedian(a)


@body(np.nanquantile, when="Array, Real")
def device_nanquantile(a, q):
    """The number that a fraction of the elements that are no NaN is below; it counts as the median does."""
    if not (q >= 0 and q <= 1):
        raise ValueError("Quantiles must be in the range [0, 1]")
    n = 0
    for i in range(a.size):
        x = a.flat[i]
        if x == x:
            n += 1
    at = np.float64(n - 1) * q
    place = np.int64(np.floor(at))
    low = np.nan
    high = np.nan
    for i in range(a.size):
        x = np.float64(a.flat[i])
        below = 0
        equal = 0
        for j in range(a.size):
            y = np.float64(a.flat[j])
            if y < x:
                below += 1
            elif y == x:
                equal += 1
        if below <= place and place < below + equal:
            low = x
        if below <= min(place + 1, n - 1) and min(place + 1, n - 1) < below + equal:
            high = x
    t = at - place
    if t == 0.0 or low == high:
        return low
    if t >= 0.5:
        return high - (high - low) * (1.0 - t)
    return low + (high - low) * t


@body(np.quantile, when="Array, Real")
def device_quantile(a, q):
    """As above; NaN if there is one."""
    for i in range(a.size):
        x = a.flat[i]
        if x != x:
            return np.nan
    return np.nanquantile(a, q)


@body(np.nanpercentile, when="Array, Real")
def device_nanpercentile(a, q):
    """As ``device_nanquantile``, in hundredths."""
    if not (q >= 0 and q <= 100):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return np.nanquantile(a, q / 100.0)


@body(np.percentile, when="Array, Real")
def device_percentile(a, q):
    """As ``device_quantile``, in hundredths."""
    if not (q >= 0 and q <= 100):
        raise ValueError("Percentiles must be in the range [0, 100]")
    return np.quantile(a, q / 100.0)


@method_body(np.ndarray, "sort", when="ArrayNd(1), Any")
def device_sort(a, kind):
    """Sorts in place, NaN last, by insertion at distances that shrink by 5/11 (Gonnet and Baeza-Yates)."""
    gap = a.size
    while gap > 1:
        gap = max(gap * 5 // 11, 1)
        for i in range(gap, a.size):
            x = a[i]
            at = i
            while at >= gap:
                y = a[at - gap]
                if static_if("is_complex", x):
                    # Where the real parts are equal, or both NaN, the imaginary parts decide.
                    if x.real == y.real or (x.real != x.real and y.real != y.real):
                        moves = x.imag < y.imag or (y.imag != y.imag and x.imag == x.imag)
                    elif x.real < y.real:
                        moves = x.imag == x.imag or y.imag != y.imag
                    elif x.real > y.real:
                        moves = x.imag == x.imag and y.imag != y.imag
                    else:
                        moves = y.real != y.real
                else:
                    moves = x < y or (y != y and x == x)
                if not moves:
                    break
                a[at] = y
                at -= gap
            a[at] = x


@method_body(np.ndarray, "sort", when="Array, Any")
def device_sort_rows(a, kind):
    """Sorts along the last axis in place."""
    for i in range(len(a)):
        a[i].sort()


@body(np.digitize, when="Real, ArrayNd(1), Integral")
def device_digitize(x, bins, right):
    """How many bins, which rise or fall, a number is beyond."""
    n = bins.size
    if static_if("is_complex", bins.dtype.type(0)):
        # By the real parts, then the imaginary ones.
        falls = n > 1 and bins[0].real > bins[n - 1].real
        count = 0
        for i in range(n):
            edge = bins[i]
            if edge.real == x and edge.imag == 0:
                passed = right == falls
            elif edge.real == x:
                passed = (edge.imag > 0) == falls
            else:
                passed = (edge.real > x) == falls
            if passed:
                count += 1
        return count
    elif n > 1 and bins[0] > bins[n - 1]:
        count = 0
        for i in range(n):
            if right and bins[i] >= x or not right and bins[i] > x:
                count += 1
        return count
    if right:
        return np.searchsorted(bins, x)
    return np.searchsorted(bins, x, "right")
