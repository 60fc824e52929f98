"""Complex numbers, transforms and filters."""

import cmath
import math

import numpy as np

from . import case, njit


@njit
def escape_time(c, limit):
    z = 0j
    for i in range(limit):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 4.0:
            return i
    return limit


@case(lambda r: (30, 30, 60))
@njit
def mandelbrot(h, w, limit):
    out = np.zeros((h, w), np.int64)
    for y in range(h):
        for x in range(w):
            out[y, x] = escape_time(complex(-2.0 + 3.0 * x / w, -1.0 + 2.0 * y / h), limit)
    return out


@case(lambda r: (30, 60))
@njit
def julia_abs(n, limit):
    c = complex(-0.7, 0.27015)
    total = 0
    for y in range(n):
        for x in range(n):
            z = complex(3.0 * x / n - 1.5, 2.0 * y / n - 1.0)
            k = 0
            while abs(z) < 2.0 and k < limit:
                z = z * z + c
                k += 1
            total += k
    return total


@case(lambda r: (24, 24, 80))
@njit
def mandelbrot_parts(h, w, limit):
    out = np.zeros((h, w), np.uint8)
    for i in range(h):
        for j in range(w):
            cx = -2.0 + 3.0 * j / w
            cy = -1.0 + 2.0 * i / h
            x = y = 0.0
            k = 0
            while x * x + y * y <= 4.0 and k < limit:
                x, y = x * x - y * y + cx, 2 * x * y + cy
                k += 1
            out[i, j] = k
    return out


@case(lambda r: (r.random(512) + 1j * r.random(512),))
@njit
def fft_iterative(a):
    n = a.size
    a = a.copy()
    j = 0
    for i in range(1, n):
        bit = n >> 1
        while j & bit:
            j ^= bit
            bit >>= 1
        j ^= bit
        if i < j:
            a[i], a[j] = a[j], a[i]
    length = 2
    while length <= n:
        step = cmath.exp(-2j * math.pi / length)
        for i in range(0, n, length):
            w = 1.0 + 0j
            for k in range(length // 2):
                u = a[i + k]
                v = a[i + k + length // 2] * w
                a[i + k] = u + v
                a[i + k + length // 2] = u - v
                w *= step
        length *= 2
    return a


@case(lambda r: (r.random(48),))
@njit
def dft(x):
    n = x.size
    out = np.zeros(n, np.complex128)
    for k in range(n):
        s = 0j
        for t in range(n):
            s += x[t] * cmath.exp(-2j * math.pi * k * t / n)
        out[k] = s
    return out


@case(lambda r: (r.random(80) + 1j * r.random(80), np.exp(-2j * np.pi * np.arange(80) / 80)))
@njit
def dft_table(x, w):
    n = x.size
    out = np.empty(n, np.complex128)
    for k in range(n):
        s = 0j
        for t in range(n):
            s += x[t] * w[k * t % n]
        out[k] = s
    return out


@case(lambda r: (r.random((24, 24)) + 1j * r.random((24, 24)), r.random((24, 24)) + 1j * r.random((24, 24))))
@njit
def complex_product(a, b):
    n = a.shape[0]
    c = np.zeros((n, n), np.complex128)
    for i in range(n):
        for j in range(n):
            for k in range(n):
                c[i, j] += a[i, k] * b[k, j]
    return c


@case(lambda r: (r.random(3000) + 1j * r.random(3000), np.zeros(3000)))
@njit
def magnitudes(a, out):
    for i in range(a.size):
        out[i] = abs(a[i]) + a[i].real * a[i].imag


@case(lambda r: (r.random(8000) + 1j * r.random(8000), r.random(8000) + 1j * r.random(8000)))
@njit
def complex_dot(a, b):
    s = 0j
    for i in range(a.size):
        s += a[i].conjugate() * b[i]
    return s


@case(lambda r: (np.array([1.0, -6.0, 11.0, -6.5, 2.0, 0.3]), 30))
@njit
def roots_durand_kerner(p, rounds):
    n = p.size - 1
    z = np.empty(n, np.complex128)
    for i in range(n):
        z[i] = (0.4 + 0.9j) ** i
    for _ in range(rounds):
        for i in range(n):
            v = 0j
            for c in p:
                v = v * z[i] + c
            d = 1.0 + 0j
            for j in range(n):
                if j != i:
                    d *= z[i] - z[j]
            z[i] -= v / d
    return z.real.sum()


@case(lambda r: (r.random(3000), r.random(24)))
@njit
def fir_filter(x, h):
    n, m = x.size, h.size
    out = np.zeros(n - m + 1)
    for i in range(n - m + 1):
        s = 0.0
        for k in range(m):
            s += h[k] * x[i + m - 1 - k]
        out[i] = s
    return out


@case(lambda r: (r.random(8000), np.array([0.1, 0.2, 0.1]), np.array([1.0, -0.8, 0.3])))
@njit
def biquad(x, b, a):
    out = np.empty_like(x)
    x1 = x2 = y1 = y2 = 0.0
    for i in range(x.size):
        y = b[0] * x[i] + b[1] * x1 + b[2] * x2 - a[1] * y1 - a[2] * y2
        x2, x1 = x1, x[i]
        y2, y1 = y1, y
        out[i] = y
    return out


@case(lambda r: (r.random((40, 50), "f4"), 0.25))
@njit
def deriche(image, alpha):
    w, h = image.shape
    k = (1 - math.exp(-alpha)) ** 2 / (1 + 2 * alpha * math.exp(-alpha) - math.exp(2 * alpha))
    a1 = k
    a2 = k * math.exp(-alpha) * (alpha - 1)
    a3 = k * math.exp(-alpha) * (alpha + 1)
    a4 = -k * math.exp(-2 * alpha)
    b1 = 2.0 ** (-alpha)
    b2 = -math.exp(-2 * alpha)
    y1 = np.empty((w, h))
    y2 = np.empty((w, h))
    out = np.empty((w, h))
    for i in range(w):
        xm1 = ym1 = ym2 = 0.0
        for j in range(h):
            y1[i, j] = a1 * image[i, j] + a2 * xm1 + b1 * ym1 + b2 * ym2
            xm1 = image[i, j]
            ym2 = ym1
            ym1 = y1[i, j]
    for i in range(w):
        xp1 = xp2 = yp1 = yp2 = 0.0
        for j in range(h - 1, -1, -1):
            y2[i, j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2
            xp2 = xp1
            xp1 = image[i, j]
            yp2 = yp1
            yp1 = y2[i, j]
    for i in range(w):
        for j in range(h):
            out[i, j] = y1[i, j] + y2[i, j]
    return out


@case(lambda r: (r.random(8192),))
@njit
def haar(a):
    n = a.size
    a = a.copy()
    t = np.empty(n)
    while n > 1:
        half = n // 2
        for i in range(half):
            t[i] = (a[2 * i] + a[2 * i + 1]) / math.sqrt(2.0)
            t[half + i] = (a[2 * i] - a[2 * i + 1]) / math.sqrt(2.0)
        for i in range(n):
            a[i] = t[i]
        n = half
    return a


@case(lambda r: (r.random((16, 16)),))
@njit
def cosine_transform(x):
    n = x.shape[0]
    table = np.empty((n, n))
    for k in range(n):
        for i in range(n):
            table[k, i] = math.cos(math.pi / n * (i + 0.5) * k)
    half = np.zeros((n, n))
    out = np.zeros((n, n))
    for k in range(n):
        for j in range(n):
            for i in range(n):
                half[k, j] += table[k, i] * x[i, j]
    for k in range(n):
        for m in range(n):
            for j in range(n):
                out[k, m] += half[k, j] * table[m, j]
    return out


@case(lambda r: (r.random(400), r.random(100)))
@njit
def convolve_full(a, b):
    out = np.zeros(a.size + b.size - 1)
    for i in range(a.size):
        for j in range(b.size):
            out[i + j] += a[i] * b[j]
    return out


@case(lambda r: (r.random(1500), 440.0))
@njit
def goertzel(x, frequency):
    w = 2 * math.pi * frequency / 8000.0
    total = 0.0
    for h in range(1, 9):
        c = 2 * math.cos(w * h)
        s1 = s2 = 0.0
        for v in x:
            s1, s2 = v + c * s1 - s2, s1
        total += s1 * s1 + s2 * s2 - c * s1 * s2
    return total
