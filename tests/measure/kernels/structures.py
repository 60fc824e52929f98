"""Records, lists, sets, tuples, generators, closures."""

import math
from collections import namedtuple

import numpy as np

from . import case, njit

POINT = np.dtype([("x", "f8"), ("y", "f8"), ("w", "i4")])
Vector = namedtuple("Vector", "x y z")


def points(r, n):
    a = np.zeros(n, POINT)
    a["x"], a["y"], a["w"] = r.random(n), r.random(n), r.integers(0, 10, n)
    return a


@case(lambda r: (points(r, 5000),))
@njit
def record_sums(a):
    x = y = 0.0
    w = 0
    for p in a:
        x += p.x * p.w
        y += p.y * p.w
        w += p.w
    return x / w, y / w


@case(lambda r: (points(r, 15000), 0.1))
@njit
def record_updates(a, d):
    for i in range(a.size):
        a[i].x += d * a[i].y
        a[i].y -= d * a[i].x
        a[i]["w"] += 1


@case(lambda r: (5000,))
@njit
def list_appends(n):
    out = []
    for i in range(n):
        out.append(i * i % 17)
    total = 0
    for x in out:
        total += x
    return total


@case(lambda r: (40,))
@njit
def list_of_lists(n):
    rows = [[1]]
    for i in range(1, n):
        row = [1]
        for j in range(1, i):
            row.append((rows[i - 1][j - 1] + rows[i - 1][j]) % 1009)
        row.append(1)
        rows.append(row)
    return rows[-1][n // 2]


@case(lambda r: (r.integers(0, 500, 2000),))
@njit
def set_of_numbers(a):
    seen = set()
    again = 0
    for x in a:
        if x in seen:
            again += 1
        else:
            seen.add(x)
    return again, len(seen)


@njit
def add(a, b):
    return Vector(a.x + b.x, a.y + b.y, a.z + b.z)


@njit
def cross(a, b):
    return Vector(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)


@case(lambda r: (8000,))
@njit
def named_vectors(n):
    v = Vector(0.1, 0.2, 0.3)
    axis = Vector(0.0, 0.01, 0.002)
    for _ in range(n):
        v = add(v, cross(axis, v))
    return v.x, v.y, v.z


@case(lambda r: ([(float(i), float(i % 7)) for i in range(40)], 60))
@njit
def tuples_in_list(pairs, n):
    best = (0.0, -1.0)
    for k in range(n):
        for p in pairs:
            if p[1] * k > best[1]:
                best = (p[0] + k, p[1] * k)
    return best


@njit
def countdown(n):
    while n > 0:
        yield n
        n -= 3


@njit
def pairs_of(n):
    for i in range(n):
        for j in range(i):
            yield i, j


@case(lambda r: (150,))
@njit
def generator_pairs(n):
    total = 0
    for i, j in pairs_of(n):
        total += i * j % 7
    for x in countdown(n):
        total -= x
    return total


@njit
def fibonacci():
    a, b = 0, 1
    while True:
        yield a
        a, b = b, (a + b) % 1000003


@case(lambda r: (8000,))
@njit
def generator_endless(n):
    k = 0
    total = 0
    for x in fibonacci():
        total += x
        k += 1
        if k == n:
            break
    return total


@njit
def evens(a):
    for x in a:
        if x % 2 == 0:
            yield x


@njit
def squares(a):
    for x in evens(a):
        yield x * x


@case(lambda r: (r.integers(0, 1000, 10000),))
@njit
def generator_chain(a):
    total = 0
    for x in squares(a):
        total += x
    return total


@case(lambda r: (r.random(60000), 0.5, 2.0))
@njit
def closure_scale(a, shift, factor):
    def scaled(x):
        return (x - shift) * factor

    total = 0.0
    for x in a:
        y = scaled(x)
        if y > 0:
            total += math.sqrt(y)
    return total


@njit
def simpson(f, a, b, n):
    h = (b - a) / n
    s = f(a) + f(b)
    for i in range(1, n):
        s += (4 if i % 2 else 2) * f(a + i * h)
    return s * h / 3


@case(lambda r: (0.0, 2.0, 10000))
@njit
def function_argument(a, b, n):
    return simpson(lambda x: x * x / (1 + x), a, b, n)


@case(lambda r: (r.random(3000), r.random(3000)))
@njit
def zip_enumerate(a, b):
    total = 0.0
    for i, (x, y) in enumerate(zip(a, b)):
        total += x * y * (i % 3)
    return total


@case(lambda r: (r.integers(0, 100, 15000),))
@njit
def comprehension(a):
    kept = [x * 2 for x in a if x > 50]
    return sum(kept), len(kept)


@case(lambda r: (r.integers(-5, 100, 15000),))
@njit
def raising(a):
    bad = 0
    for x in a:
        try:
            if x < 0:
                raise ValueError("negative")
            bad += x % 3
        except Exception:
            bad += 100
    return bad


@case(lambda r: (r.random((60, 60)),))
@njit
def indexed_grid(a):
    total = 0.0
    for (i, j), v in np.ndenumerate(a):
        if (i + j) % 2 == 0:
            total += v
    for i, j in np.ndindex(a.shape):
        total -= a[i, j] * (i - j)
    return total


@case(lambda r: (r.integers(0, 6, 4000), r.integers(1, 100, 4000)))
@njit
def stack_machine(codes, numbers):
    stack = np.zeros(64, np.int64)
    top = 0
    for i in range(codes.size):
        op = codes[i]
        if op <= 2 and top < 60:
            stack[top] = numbers[i]
            top += 1
        elif top >= 2:
            a, b = stack[top - 1], stack[top - 2]
            top -= 1
            if op == 3:
                stack[top - 1] = a + b
            elif op == 4:
                stack[top - 1] = a * b & 0xFFFF
            else:
                stack[top - 1] = a - b
    return stack[:top].sum()
