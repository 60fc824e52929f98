"""Statistics of arrays, over windows and as they come."""

import math

import numpy as np

from . import case, njit


@case(lambda r: (r.random(6000),))
@njit
def welford(x):
    n = 0
    mean = 0.0
    m2 = 0.0
    for v in x:
        n += 1
        d = v - mean
        mean += d / n
        m2 += d * (v - mean)
    return mean, m2 / (n - 1)


@case(lambda r: (r.random(8000),))
@njit
def moments(x):
    n = x.size
    mean = 0.0
    for i in range(n):
        mean += x[i]
    mean /= n
    m2 = m3 = m4 = 0.0
    for i in range(n):
        d = x[i] - mean
        m2 += d * d
        m3 += d**3
        m4 += d**4
    return mean, m2 / n, m3 / n, m4 / n


@case(lambda r: (r.random(8000), 20))
@njit
def rolling_mean(x, w):
    out = np.full(x.size, np.nan)
    s = 0.0
    for i in range(x.size):
        s += x[i]
        if i >= w:
            s -= x[i - w]
        if i >= w - 1:
            out[i] = s / w
    return out


@case(lambda r: (r.random(1000), 20))
@njit
def rolling_std(x, w):
    n = x.size
    out = np.full(n, np.nan)
    for i in range(w - 1, n):
        m = 0.0
        for j in range(i - w + 1, i + 1):
            m += x[j]
        m /= w
        s = 0.0
        for j in range(i - w + 1, i + 1):
            s += (x[j] - m) ** 2
        out[i] = math.sqrt(s / (w - 1))
    return out


@case(lambda r: (r.random(1500), 16))
@njit
def rolling_min(x, w):
    n = x.size
    out = np.empty(n - w + 1)
    for i in range(n - w + 1):
        m = x[i]
        for j in range(i + 1, i + w):
            m = min(m, x[j])
        out[i] = m
    return out


@case(lambda r: (r.random(4000), 25))
@njit
def rolling_max_queue(x, w):
    n = x.size
    out = np.empty(n - w + 1)
    queue = np.empty(n, np.int64)
    head = tail = 0
    for i in range(n):
        while tail > head and x[queue[tail - 1]] <= x[i]:
            tail -= 1
        queue[tail] = i
        tail += 1
        if queue[head] <= i - w:
            head += 1
        if i >= w - 1:
            out[i - w + 1] = x[queue[head]]
    return out


@case(lambda r: (r.random(20000), 0.1))
@njit
def ewma(x, alpha):
    out = np.empty_like(x)
    out[0] = x[0]
    for i in range(1, x.size):
        out[i] = alpha * x[i] + (1 - alpha) * out[i - 1]
    return out


@case(lambda r: (r.random(1500), 30))
@njit
def autocorrelation(x, lags):
    n = x.size
    mean = x.mean()
    out = np.empty(lags)
    for k in range(lags):
        s = 0.0
        for i in range(n - k):
            s += (x[i] - mean) * (x[i + k] - mean)
        out[k] = s / n
    return out


@case(lambda r: (r.random(3000), 9))
@njit
def running_median(x, w):
    n = x.size
    out = np.empty(n - w + 1)
    window = np.sort(x[:w])
    out[0] = window[w // 2]
    for i in range(w, n):
        old = x[i - w]
        new = x[i]
        k = 0
        while window[k] != old:
            k += 1
        while k + 1 < w and window[k + 1] < new:
            window[k] = window[k + 1]
            k += 1
        while k > 0 and window[k - 1] > new:
            window[k] = window[k - 1]
            k -= 1
        window[k] = new
        out[i - w + 1] = window[w // 2]
    return out


@case(lambda r: (r.random(200), np.linspace(0, 1, 40), 0.1))
@njit
def kernel_density(x, at, h):
    out = np.zeros(at.size)
    for i in range(at.size):
        s = 0.0
        for j in range(x.size):
            u = (at[i] - x[j]) / h
            s += math.exp(-0.5 * u * u)
        out[i] = s / (x.size * h * math.sqrt(2 * math.pi))
    return out


@case(lambda r: (r.random(30000),))
@njit
def cumulative(x):
    out = np.empty_like(x)
    s = 0.0
    for i in range(x.size):
        s += x[i]
        out[i] = s
    return out


@case(lambda r: (r.random(20000),))
@njit
def cumulative_max(x):
    out = np.empty_like(x)
    m = -np.inf
    for i in range(x.size):
        if x[i] > m:
            m = x[i]
        out[i] = m
    return out


@case(lambda r: (r.random(20000),))
@njit
def lowest_highest(x):
    low = x[0]
    high = x[0]
    for v in x:
        if v < low:
            low = v
        elif v > high:
            high = v
    return low, high


@case(lambda r: (r.random(20000), r.random(20000)))
@njit
def regression(x, y):
    n = x.size
    sx = sy = sxx = sxy = 0.0
    for i in range(n):
        sx += x[i]
        sy += y[i]
        sxx += x[i] * x[i]
        sxy += x[i] * y[i]
    slope = (n * sxy - sx * sy) / (n * sxx - sx * sx)
    return slope, (sy - slope * sx) / n


@case(lambda r: (r.random(5000), 40, 0.0, 1.0))
@njit
def histogram_loop(x, bins, low, high):
    out = np.zeros(bins, np.int64)
    width = (high - low) / bins
    for v in x:
        k = int((v - low) / width)
        if 0 <= k < bins:
            out[k] += 1
    return out


@case(lambda r: (r.integers(0, 30, 5000), r.random(5000), 30))
@njit
def group_means(group, value, n):
    total = np.zeros(n)
    count = np.zeros(n, np.int64)
    for i in range(group.size):
        total[group[i]] += value[i]
        count[group[i]] += 1
    for g in range(n):
        if count[g] > 0:
            total[g] /= count[g]
    return total


@case(lambda r: (np.where(r.random(8000) < 0.2, np.nan, r.random(8000)),))
@njit
def mean_without_nan(x):
    s = 0.0
    n = 0
    for v in x:
        if not np.isnan(v):
            s += v
            n += 1
    return s / n


@case(lambda r: (np.where(r.random(20000) < 0.2, np.nan, r.random(20000)),))
@njit
def forward_fill(x):
    out = x.copy()
    for i in range(1, out.size):
        if np.isnan(out[i]):
            out[i] = out[i - 1]
    return out


@case(lambda r: (r.random(300), 60))
@njit
def bootstrap(x, rounds):
    np.random.seed(1)
    out = np.empty(rounds)
    for k in range(rounds):
        s = 0.0
        for _ in range(x.size):
            s += x[np.random.randint(0, x.size)]
        out[k] = s / x.size
    return out


@case(lambda r: (r.random(250), r.random(250)))
@njit
def kendall(x, y):
    n = x.size
    s = 0
    for i in range(n):
        for j in range(i):
            d = (x[i] - x[j]) * (y[i] - y[j])
            if d > 0:
                s += 1
            elif d < 0:
                s -= 1
    return 2 * s / (n * (n - 1))


@case(lambda r: (r.random(10000), np.linspace(0, 1, 30), r.random(30)))
@njit
def interpolate(x, xp, fp):
    out = np.empty_like(x)
    for i in range(x.size):
        k = 1
        while k < xp.size - 1 and xp[k] < x[i]:
            k += 1
        t = (x[i] - xp[k - 1]) / (xp[k] - xp[k - 1])
        out[i] = fp[k - 1] + t * (fp[k] - fp[k - 1])
    return out


@case(lambda r: (r.random((200, 10)),))
@njit
def column_scaling(x):
    n, m = x.shape
    out = np.empty_like(x)
    for j in range(m):
        s = 0.0
        for i in range(n):
            s += x[i, j]
        mean = s / n
        v = 0.0
        for i in range(n):
            v += (x[i, j] - mean) ** 2
        dev = math.sqrt(v / n)
        for i in range(n):
            out[i, j] = (x[i, j] - mean) / dev
    return out


@case(lambda r: (r.random((100, 40)),))
@njit
def softmax_rows(x):
    out = np.empty_like(x)
    for i in range(x.shape[0]):
        top = x[i, 0]
        for j in range(1, x.shape[1]):
            top = max(top, x[i, j])
        s = 0.0
        for j in range(x.shape[1]):
            out[i, j] = math.exp(x[i, j] - top)
            s += out[i, j]
        for j in range(x.shape[1]):
            out[i, j] /= s
    return out
