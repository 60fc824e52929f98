"""Loops over arrays of any layout: parts of others, columns, rows of points, with and without gaps."""

import numbra as nb
import numpy as np
import pytest

TIERS = ("cranelift", "llvm")


def scale(a, out):
    for i in range(a.size):
        out[i] = a[i] * 3 + 1


def both(a, out):
    for i in range(1, a.size - 1):
        out[i] = a[i - 1] + a[i + 1]


def total(a, out):
    s = a[0] - a[0]
    for i in range(a.size):
        s += a[i]
    out[0] = s


def backwards(a, out):
    for i in range(a.size - 1, -1, -1):
        out[i] = a[i] - 1


def cubes(a, out):
    for i in range(a.size):
        out[i] = a[i] * a[i] * a[i] if a[i] > 2 else -a[i]


def in_place(a, out):
    for i in range(a.size - 1):
        a[i + 1] = a[i] + out[i]


LINES = (scale, both, total, backwards, cubes, in_place)


def lines(dtype):
    """Views of 37 elements with every kind of stride."""
    big = np.arange(4 * 37, dtype=dtype)
    grid = np.arange(37 * 3, dtype=dtype).reshape(37, 3)
    packed = np.zeros(37, dtype=[("x", "i1"), ("v", dtype)])
    packed["v"] = big[:37]
    padded = np.zeros(37, dtype=np.dtype([("v", dtype), ("x", "i1")], align=True))
    padded["v"] = big[:37]
    return {
        "dense": big[5:42],
        "gaps": big[::4],
        "reversed": big[36::-1],
        "column": grid[:, 1],
        "packed field": packed["v"],
        "padded field": padded["v"],
        "one value": np.broadcast_to(big[7:8], 37),
    }


@pytest.mark.parametrize("dtype", ["f8", "f4", "i8", "i4", "u1", "c16"])
@pytest.mark.parametrize("tier", TIERS)
def test_lines(tier, dtype):
    for function in LINES:
        if function is cubes and dtype == "c16":
            continue
        jitted = nb.njit(tier=tier)(function)
        for name in lines(dtype):
            for target in ("dense", "gaps", "column"):
                if function is in_place and name == "one value":
                    continue
                want, got = ([lines(dtype)[name], lines(dtype)[target]] for _ in range(2))
                with np.errstate(over="ignore"):
                    function(*want)
                jitted(*got)
                for a, b in zip(want, got, strict=True):
                    assert a.tobytes() == b.tobytes(), (function.__name__, name, target)


def norms(points, out):
    for i in range(points.shape[0]):
        out[i] = np.sqrt(points[i, 0] * points[i, 0] + points[i, 1] * points[i, 1] + points[i, 2] * points[i, 2])


def rows(a, b):
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            b[i, j] = a[i, j] * 2 - b[i, j]


def columns(a, b):
    for j in range(a.shape[1]):
        for i in range(a.shape[0]):
            b[i, j] = a[i, j] * 2 - b[i, j]


@pytest.mark.parametrize("tier", TIERS)
def test_points(tier):
    rng = np.random.default_rng(1)
    jitted = nb.njit(tier=tier)(norms)
    wide = rng.random((50, 7))
    for points in (rng.random((50, 3)), wide[:, 2:5], wide[:, ::2], rng.random((3, 50)).T, wide[::-1, :3]):
        want, got = np.zeros(50), np.zeros(50)
        norms(points, want)
        jitted(points, got)
        assert want.tobytes() == got.tobytes()


@pytest.mark.parametrize("function", [rows, columns])
@pytest.mark.parametrize("tier", TIERS)
def test_grids(tier, function):
    rng = np.random.default_rng(2)
    jitted = nb.njit(tier=tier)(function)
    wide = rng.random((40, 60))
    parts = {
        "rows": lambda a: a[:30, 5:25],
        "sparse": lambda a: a[:30, ::3],
        "transposed": lambda a: a[:20, :30].T,
        "reversed": lambda a: a[29::-1, 19::-1],
        "whole": lambda a: a[:30, :20].copy(),
        "columns": lambda a: np.asfortranarray(a[:30, :20]),
    }
    for of in parts.values():
        for to in parts.values():
            a, want, got = of(wide), to(wide.copy() + 1), to(wide.copy() + 1)
            function(a, want)
            jitted(a, got)
            assert want.tobytes() == got.tobytes()


def test_dense_parts_are_vectorised():
    @nb.njit("(float64[:], float64[:])", tier="llvm")
    def run(a, out):
        for i in range(a.size):
            out[i] = np.exp(a[i])

    (remarks,) = run.inspect_remarks().values()
    assert "vectorised by" in remarks


def heap_sort(a):
    end, start = a.size, a.size // 2
    while end > 1:
        if start > 0:
            start -= 1
        else:
            end -= 1
            a[end], a[0] = a[0], a[end]
        root = start
        while 2 * root + 1 < end:
            child = 2 * root + 1
            if child + 1 < end and a[child] < a[child + 1]:
                child += 1
            if a[root] >= a[child]:
                break
            a[root], a[child] = a[child], a[root]
            root = child


def shell_sort(a):
    gap = a.size // 2
    while gap > 0:
        for i in range(gap, a.size):
            item, j = a[i], i
            while j >= gap and a[j - gap] > item:
                a[j] = a[j - gap]
                j -= gap
            a[j] = item
        gap //= 2


@pytest.mark.parametrize("function", [heap_sort, shell_sort])
@pytest.mark.parametrize("tier", TIERS)
def test_indices_of_the_extent(tier, function):
    jitted = nb.njit(tier=tier)(function)
    for n in (0, 1, 2, 3, 17, 500):
        items = np.random.default_rng(n).integers(-99, 99, n)
        for a in (items.copy(), np.repeat(items, 2)[::2], items.astype(np.int8)):
            jitted(a)
            assert (a == np.sort(items)).all()


@pytest.mark.parametrize("tier", TIERS)
def test_differences_may_be_negative(tier):
    @nb.njit(tier=tier)
    def at(a, i, j):
        if i >= j:
            return a[i - j]
        return a[i - j] * 100

    a = np.arange(10)
    assert [at(a, 3, 2), at(a, 2, 3), at(a, 2, 2), at(a, -1, -3)] == [1, 900, 0, 2]
    # The difference wraps around, and what is left is a negative index.
    assert at(a, 2**63 - 1, -(2**63)) == 9


def test_remarks_say_why_there_are_no_vectors():
    @nb.njit("float64(float64[::1])", tier="llvm")
    def total(a):
        s = 0.0
        for i in range(a.size):
            s += a[i]
        return s

    @nb.njit("(float64[:], float64[:])", tier="llvm")
    def copy(a, out):
        for i in range(a.size):
            out[i] = a[i]

    (of_sum,) = total.inspect_remarks().values()
    assert "combined in order" in of_sum and "explicitly disabled" not in of_sum
    (of_copy,) = copy.inspect_remarks().values()
    assert "stride" in of_copy and "explicitly disabled" not in of_copy
