"""Linear algebra and data mining by loops, in the way of PolyBench."""

import math

import numpy as np

from . import case, njit


def definite(r, n):
    a = r.random((n, n))
    return a @ a.T + n * np.eye(n)


@case(lambda r: (1.5, 1.2, r.random((40, 44)), r.random((44, 36)), r.random((40, 36))))
@njit
def gemm(alpha, beta, a, b, c):
    n, p = c.shape
    for i in range(n):
        for j in range(p):
            c[i, j] *= beta
        for k in range(a.shape[1]):
            for j in range(p):
                c[i, j] += alpha * a[i, k] * b[k, j]


@case(lambda r: (r.random((40, 40)), r.random((40, 40)), np.zeros((40, 40))))
@njit
def gemm_dot(a, b, c):
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            s = 0.0
            for k in range(a.shape[1]):
                s += a[i, k] * b[k, j]
            c[i, j] = s


@case(lambda r: (r.random((64, 64)).astype("f4"), r.random((64, 64)).astype("f4"), np.zeros((64, 64), "f4"), 16))
@njit
def gemm_blocked(a, b, c, size):
    n = a.shape[0]
    for ii in range(0, n, size):
        for kk in range(0, n, size):
            for jj in range(0, n, size):
                for i in range(ii, min(ii + size, n)):
                    for k in range(kk, min(kk + size, n)):
                        x = a[i, k]
                        for j in range(jj, min(jj + size, n)):
                            c[i, j] += x * b[k, j]


@case(lambda r: (r.random((40, 36)), r.random((40, 40))))
@njit
def syrk(a, c):
    n, m = a.shape
    for i in range(n):
        for j in range(i + 1):
            c[i, j] *= 1.2
        for k in range(m):
            for j in range(i + 1):
                c[i, j] += 1.5 * a[i, k] * a[j, k]


@case(lambda r: (r.random((40, 36)), r.random((40, 36)), r.random((40, 40))))
@njit
def syr2k(a, b, c):
    n, m = a.shape
    for i in range(n):
        for j in range(i + 1):
            c[i, j] *= 1.2
        for k in range(m):
            for j in range(i + 1):
                c[i, j] += a[j, k] * 1.5 * b[i, k] + b[j, k] * 1.5 * a[i, k]


@case(lambda r: (r.random((40, 40)), r.random((40, 40))))
@njit
def trmm(a, b):
    m, n = b.shape
    for i in range(m):
        for j in range(n):
            for k in range(i + 1, m):
                b[i, j] += a[k, i] * b[k, j]
            b[i, j] = 1.5 * b[i, j]


@case(lambda r: (r.random((30, 30)), r.random((30, 30)), r.random((30, 30)), r.random((30, 30))))
@njit
def mm2(a, b, c, d):
    n, m, p = a.shape[0], b.shape[1], c.shape[1]
    t = np.empty((n, m))
    for i in range(n):
        for j in range(m):
            t[i, j] = 0.0
            for k in range(a.shape[1]):
                t[i, j] += 1.5 * a[i, k] * b[k, j]
    for i in range(n):
        for j in range(p):
            d[i, j] *= 1.2
            for k in range(m):
                d[i, j] += t[i, k] * c[k, j]


@njit
def product(a, b):
    c = np.zeros((a.shape[0], b.shape[1]))
    for i in range(a.shape[0]):
        for j in range(b.shape[1]):
            for k in range(a.shape[1]):
                c[i, j] += a[i, k] * b[k, j]
    return c


@case(lambda r: tuple(r.random((24, 24)) for _ in range(4)))
@njit
def mm3(a, b, c, d):
    return product(product(a, b), product(c, d))


@case(lambda r: (r.random((120, 100)), r.random(100)))
@njit
def atax(a, x):
    m, n = a.shape
    y = np.zeros(n)
    for i in range(m):
        t = 0.0
        for j in range(n):
            t += a[i, j] * x[j]
        for j in range(n):
            y[j] += a[i, j] * t
    return y


@case(lambda r: (r.random((120, 100)), r.random(100), r.random(120)))
@njit
def bicg(a, p, x):
    n, m = a.shape
    s = np.zeros(m)
    q = np.zeros(n)
    for i in range(n):
        for j in range(m):
            s[j] += x[i] * a[i, j]
            q[i] += a[i, j] * p[j]
    return s, q


@case(lambda r: (r.random((100, 100)), r.random(100), r.random(100), r.random(100), r.random(100)))
@njit
def mvt(a, x1, x2, y1, y2):
    n = x1.size
    for i in range(n):
        for j in range(n):
            x1[i] += a[i, j] * y1[j]
    for i in range(n):
        for j in range(n):
            x2[i] += a[j, i] * y2[j]


@case(lambda r: (r.random((90, 90)), r.random((90, 90)), r.random(90)))
@njit
def gesummv(a, b, x):
    n = x.size
    y = np.empty(n)
    for i in range(n):
        t = 0.0
        u = 0.0
        for j in range(n):
            t += a[i, j] * x[j]
            u += b[i, j] * x[j]
        y[i] = 1.5 * t + 1.2 * u
    return y


@case(lambda r: (r.random((80, 80)), *(r.random(80) for _ in range(6))))
@njit
def gemver(a, u1, v1, u2, v2, y, z):
    n = y.size
    x = np.zeros(n)
    w = np.zeros(n)
    for i in range(n):
        for j in range(n):
            a[i, j] += u1[i] * v1[j] + u2[i] * v2[j]
    for i in range(n):
        for j in range(n):
            x[i] += 1.2 * a[j, i] * y[j]
    for i in range(n):
        x[i] += z[i]
    for i in range(n):
        for j in range(n):
            w[i] += 1.5 * a[i, j] * x[j]
    return w


@case(lambda r: (definite(r, 48),))
@njit
def cholesky(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[j, k]
            a[i, j] /= a[j, j]
        for k in range(i):
            a[i, i] -= a[i, k] * a[i, k]
        a[i, i] = math.sqrt(a[i, i])


@case(lambda r: (definite(r, 44),))
@njit
def lu_rows(a):
    n = a.shape[0]
    for i in range(n):
        for j in range(i):
            for k in range(j):
                a[i, j] -= a[i, k] * a[k, j]
            a[i, j] /= a[j, j]
        for j in range(i, n):
            for k in range(i):
                a[i, j] -= a[i, k] * a[k, j]


@case(lambda r: (definite(r, 40), r.random(40)))
@njit
def gauss(a, b):
    n = b.size
    for k in range(n - 1):
        pivot = k
        for i in range(k + 1, n):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        if pivot != k:
            for j in range(n):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            b[k], b[pivot] = b[pivot], b[k]
        for i in range(k + 1, n):
            f = a[i, k] / a[k, k]
            for j in range(k, n):
                a[i, j] -= f * a[k, j]
            b[i] -= f * b[k]
    x = np.zeros(n)
    for i in range(n - 1, -1, -1):
        s = b[i]
        for j in range(i + 1, n):
            s -= a[i, j] * x[j]
        x[i] = s / a[i, i]
    return x


@case(lambda r: (r.random(120) * 0.01,))
@njit
def durbin(r):
    n = r.size
    y = np.zeros(n)
    z = np.zeros(n)
    y[0] = -r[0]
    beta = 1.0
    alpha = -r[0]
    for k in range(1, n):
        beta = (1 - alpha * alpha) * beta
        s = 0.0
        for i in range(k):
            s += r[k - i - 1] * y[i]
        alpha = -(r[k] + s) / beta
        for i in range(k):
            z[i] = y[i] + alpha * y[k - i - 1]
        for i in range(k):
            y[i] = z[i]
        y[k] = alpha
    return y


@case(lambda r: (np.tril(definite(r, 120)), r.random(120), np.zeros(120)))
@njit
def trisolv(a, b, x):
    for i in range(b.size):
        x[i] = b[i]
        for j in range(i):
            x[i] -= a[i, j] * x[j]
        x[i] = x[i] / a[i, i]


@case(lambda r: (r.random((36, 28)), np.zeros((28, 28)), np.zeros((36, 28))))
@njit
def gramschmidt(a, r, q):
    m, n = a.shape
    for k in range(n):
        norm = 0.0
        for i in range(m):
            norm += a[i, k] * a[i, k]
        r[k, k] = math.sqrt(norm)
        for i in range(m):
            q[i, k] = a[i, k] / r[k, k]
        for j in range(k + 1, n):
            r[k, j] = 0.0
            for i in range(m):
                r[k, j] += q[i, k] * a[i, j]
            for i in range(m):
                a[i, j] -= q[i, k] * r[k, j]


@case(lambda r: (r.random((10, 8, 12)), r.random((12, 12)), np.zeros(12)))
@njit
def doitgen(a, c4, total):
    nr, nq, np_ = a.shape
    for r in range(nr):
        for q in range(nq):
            for p in range(np_):
                total[p] = 0.0
                for s in range(np_):
                    total[p] += a[r, q, s] * c4[s, p]
            for p in range(np_):
                a[r, q, p] = total[p]


@case(lambda r: (r.random((40, 40)), definite(r, 40), np.zeros((40, 40))))
@njit
def symm(b, a, c):
    m, n = c.shape
    for i in range(m):
        for j in range(n):
            t = 0.0
            for k in range(i):
                c[k, j] += 1.5 * b[i, j] * a[i, k]
                t += b[k, j] * a[i, k]
            c[i, j] = 1.2 * c[i, j] + 1.5 * b[i, j] * a[i, i] + 1.5 * t


@case(lambda r: (r.random((60, 28)),))
@njit
def covariance(data):
    n, m = data.shape
    mean = np.zeros(m)
    cov = np.zeros((m, m))
    for j in range(m):
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= n
    for i in range(n):
        for j in range(m):
            data[i, j] -= mean[j]
    for i in range(m):
        for j in range(i, m):
            for k in range(n):
                cov[i, j] += data[k, i] * data[k, j]
            cov[i, j] /= n - 1.0
            cov[j, i] = cov[i, j]
    return cov


@case(lambda r: (r.random((60, 28)),))
@njit
def correlation(data):
    n, m = data.shape
    mean = np.zeros(m)
    dev = np.zeros(m)
    for j in range(m):
        for i in range(n):
            mean[j] += data[i, j]
        mean[j] /= n
    for j in range(m):
        for i in range(n):
            dev[j] += (data[i, j] - mean[j]) ** 2
        dev[j] = math.sqrt(dev[j] / n)
        if dev[j] <= 0.1:
            dev[j] = 1.0
    for i in range(n):
        for j in range(m):
            data[i, j] = (data[i, j] - mean[j]) / (math.sqrt(n) * dev[j])
    corr = np.eye(m)
    for i in range(m - 1):
        for j in range(i + 1, m):
            for k in range(n):
                corr[i, j] += data[k, i] * data[k, j]
            corr[j, i] = corr[i, j]
    return corr


@case(lambda r: (definite(r, 40), r.random(40)))
@njit
def jacobi_solver(a, b):
    n = b.size
    x = np.zeros(n)
    y = np.zeros(n)
    for _ in range(30):
        for i in range(n):
            s = b[i]
            for j in range(n):
                if j != i:
                    s -= a[i, j] * x[j]
            y[i] = s / a[i, i]
        x, y = y, x
    return x


@case(lambda r: (definite(r, 48), np.ones(48)))
@njit
def power_iteration(a, x):
    n = x.size
    y = np.empty(n)
    top = 0.0
    for _ in range(20):
        for i in range(n):
            s = 0.0
            for j in range(n):
                s += a[i, j] * x[j]
            y[i] = s
        top = 0.0
        for i in range(n):
            top = max(top, abs(y[i]))
        for i in range(n):
            x[i] = y[i] / top
    return top


@case(lambda r: (np.arange(0, 8001, 8), r.integers(0, 1000, 8000), r.random(8000), r.random(1000), np.zeros(1000)))
@njit
def csr_product(first, column, value, x, y):
    for i in range(y.size):
        s = 0.0
        for k in range(first[i], first[i + 1]):
            s += value[k] * x[column[k]]
        y[i] = s
