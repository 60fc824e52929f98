"""Iterations of parallel loops that need each other: the result is that of a serial loop, or there is a warning."""

import inspect
import itertools
import warnings

import numbra as nb
import numpy as np
import pytest
from parallel_loops import all_parallel, check, four_threads, loops, parallel  # noqa: F401

A = np.random.default_rng(30).integers(-50, 50, 2000)
ROWS = A.reshape(100, 20)


def everywhere(function, *args):
    """Compiled in parallel, and right on any number of threads, in chunks of any size."""
    compiled = parallel(function)
    agree(nb.njit(function), compiled, *args)
    return compiled


def agree(serial, compiled, *args):
    expected = serial(*args)
    for threads, size in itertools.product((1, 2, 3, 4), (0, 1, 2, 7)):
        old = nb.get_num_threads(), nb.set_parallel_chunksize(size)
        nb.set_num_threads(threads)
        try:
            got = compiled(*args)
        finally:
            nb.set_num_threads(old[0])
            nb.set_parallel_chunksize(old[1])
        np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))
        np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))


def least_last(a, s):
    for i in nb.prange(a.size):
        s = min(a[i], s)
    return s


def greatest_last(a, s):
    for i in nb.prange(a.size):
        s = max(a[i], s)
    return s


def greatest_first(a, s):
    for i in nb.prange(a.size):
        s = max(s, a[i])
    return s


def of_three(a, s):
    for i in nb.prange(a.size):
        s = max(a[i], -a[i], s)
    return s


def sometimes(a, s):
    for i in nb.prange(a.size):
        if i % 3 != 1:
            s = max(a[i], s)
            s = max(a[i] / 2, s)
    return s


def of_inner_loops(a, s):
    for i in nb.prange(a.size):
        for j in range(i % 4):
            s = min(a[i - j], s)
    return s


@pytest.mark.parametrize(
    "function",
    [least_last, greatest_last, greatest_first, of_three, sometimes, of_inner_loops],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64])
def test_extremes_and_nan(function, dtype):
    """`max(x, s)` drops a NaN for the next `x`, `max(s, x)` keeps what was there: as in a serial loop."""
    rng = np.random.default_rng(31)
    serial, compiled = nb.njit(function), parallel(function)
    for n in (0, 1, 2, 7, 16, 31):
        plain = rng.integers(-3, 4, n).astype(dtype)
        cases = [plain]
        if dtype is not np.int64:
            zeros = np.where(rng.random(n) < 0.5, dtype(0.0), dtype(-0.0))
            cases += [np.full(n, np.nan, dtype), zeros]
            cases += [np.where(np.arange(n) == at, dtype(np.nan), plain) for at in {0, 6, 7, n - 1}]
            cases += [np.where(rng.random(n) < share, dtype(np.nan), plain) for share in (0.2, 0.7)]
        for case, start in itertools.product(cases, (-5, 0) if dtype is np.int64 else (-5, -0.0, np.nan)):
            agree(serial, compiled, case, dtype(start))
    assert all_parallel(compiled)


def test_extremes_that_are_not_combined():
    def both_orders(a):
        s = -1.0
        for i in nb.prange(a.size):
            if i % 3 == 0:
                s = max(s, a[i])
            else:
                s = max(a[i], s)
        return s

    def between(a):
        s = -1.0
        for i in nb.prange(a.size):
            s = max(a[i], s, -a[i])
        return s

    def elements(a):
        y = np.zeros(3)
        for i in nb.prange(a.size):
            y[i % 3] = max(a[i], y[i % 3])
        return y

    a = np.where(A % 7 == 0, np.nan, A)
    for function in (both_orders, between, elements):
        with pytest.warns(nb.NumbaPerformanceWarning, match="will not be executed in parallel"):
            everywhere(function, a)


@nb.njit
def add_to(y, k, x):
    y[k] += x


@nb.njit
def add_to_first(y, x):
    y[0] += x


def test_more_dependences_run_serially():
    def swapped(a):
        x, y = 1, 2
        for _ in nb.prange(a.size - 1):
            x, y = y, x
        return x * 10 + y

    def alias_of_a_sum(a):
        acc = np.zeros(20, np.int64)
        same = acc
        s = 0
        for i in nb.prange(a.size // 20):
            acc += a[20 * i : 20 * i + 20]
            s += same[0]
        return s

    def iterator(a):
        items = iter(a)
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            for x in items:
                out[i] += x
        return out

    def method(a):
        y = a.copy()
        for i in nb.prange(a.size):
            y[i] = -i
            y.sort()
        return y

    def filled(a):
        y = np.zeros(5, np.int64)
        for i in nb.prange(a.size):
            y.fill(a[i])
        return y

    def output(a):
        y = np.zeros(5, np.int64)
        for i in nb.prange(a.size):
            np.add(y, a[i], y)
        return y

    def whole(a):
        y = a.copy()
        for i in nb.prange(a.size):
            y[i] = y.sum()
        return y

    def transposed(a):
        y = np.zeros((2, 5), np.int64)
        for i in nb.prange(a.size):
            y.T[3, 1] += a[i]
        return y

    def reshaped(a):
        y = np.zeros((2, 5), np.int64)
        for i in nb.prange(a.size):
            z = y.reshape(10)
            z[3] += a[i]
        return y

    def flat(a):
        y = np.zeros((2, 5), np.int64)
        for i in nb.prange(a.size):
            y.flat[3] += a[i]
        return y

    def of_a_list(a):
        y = [np.zeros(2, np.int64) for _ in range(3)]
        for i in nb.prange(a.size):
            y[1][0] += a[i]
        return y[1]

    def of_a_tuple(a):
        y = (np.zeros(2, np.int64), np.zeros(3, np.int64))
        for i in nb.prange(a.size):
            y[1][2] += a[i]
        return y[1]

    def lists(a):
        y = [[0] for _ in range(3)]
        for i in nb.prange(a.size):
            y[i % 3].append(a[i])
        return np.array(y[1])

    def places(a):
        y = np.zeros(9, np.int64)
        at = np.array([1, 4, 5])
        for _ in nb.prange(a.size):
            y[at] += 1
        return y

    functions = [swapped, alias_of_a_sum, iterator, method, filled, output, whole, transposed, reshaped, flat]
    for function in (*functions, of_a_list, of_a_tuple, lists, places):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = everywhere(function, A)
        assert not all_parallel(compiled), function.__name__


def test_fields_of_records():
    def shared(r, a):
        for i in nb.prange(a.size):
            r[1].n += a[i]
        return r["n"]

    def own(r, a):
        for i in nb.prange(1, r.size):
            r[i].n += a[i]
            r[i].x = r[i - 1].y
        return r["n"]

    for function, in_parallel in ((shared, False), (own, True)):
        compiled, serial = parallel(function), nb.njit(function)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            got, expected = (
                f(np.zeros(500, [("n", np.int64), ("x", np.float64), ("y", np.float64)]), A) for f in (compiled, serial)
            )
        np.testing.assert_array_equal(got, expected)
        assert all_parallel(compiled) == in_parallel


def test_overlapping_updates_are_combined():
    def slices(a):
        y = np.zeros(a.size + 2, np.int64)
        for i in nb.prange(a.size):
            y[i : i + 2] += a[i]
        return y

    def views(a):
        y = np.zeros(a.size + 2, np.int64)
        for i in nb.prange(a.size):
            part = y[i:]
            part[0] += a[i]
            part[1] += 1
        return y

    def windows(a):
        y = np.zeros(a.size + 2, np.int64)
        for i in nb.prange(a.size):
            for j in range(i, i + 3):
                y[j] += a[i]
        return y

    def shifted(a):
        y = np.zeros(a.size + 30, np.int64)
        for i in nb.prange(a.size):
            for j in range(a.size // 100):
                y[i + j] += a[i]
        return y

    def pairs(a):
        y = np.zeros(200, np.int64)
        for i in nb.prange(200):
            for j in range(i + 1, 200):
                force = a[i] * a[j]
                y[i] += force
                y[j] -= force
        return y

    def mirrored(a):
        y = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            y[a.size - 1 - i] += a[i]
            y[i] += 1
        return y

    for function in (slices, views, windows, shifted, pairs, mirrored):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = everywhere(function, A)
        assert loops(compiled) == [(None, [("y[..]", "+")])], function.__name__


K = np.random.default_rng(32).integers(0, 7, A.size)


def test_hazards_are_said():
    def read_beside(a, k):
        h = np.zeros(7, np.int64)
        s = 0
        for i in nb.prange(a.size):
            h[k[i]] += 1
            s += h[0]
        return s

    def recurrence(a, k):
        h = np.zeros(7, np.int64)
        for i in nb.prange(a.size):
            h[k[i]] = h[k[i]] * 3 + i
        return h

    def truncated(a, k):
        h = np.zeros(7, np.int64)
        for i in nb.prange(a.size):
            h[k[i]] += 0.75
        return h

    def nearest(a, k):
        h = np.zeros(7, np.int64)
        for i in nb.prange(a.size):
            if a[i] < h[k[i]]:
                h[k[i]] = a[i]
        return h

    def filled_forward(a, k):
        h = a.copy()
        for i in nb.prange(1, a.size):
            if k[i] == 0:
                h[i] = h[i - 1]
        return h

    def list_of_arrays(a, k):
        h = [np.zeros(2, np.int64) for _ in range(7)]
        for i in nb.prange(a.size):
            h[k[i]][0] += a[i]
        return h[0]

    def blurred(a, k):
        h = a.copy()
        for i in nb.prange(a.size - 9):
            for j in range(9):
                h[i] += h[i + j]
        return h

    def overlapping_stores(a, k):
        h = np.zeros(a.size + 1, np.int64)
        for i in nb.prange(a.size):
            h[i : i + 2] = a[i]
        return h

    functions = [read_beside, recurrence, truncated, nearest, filled_forward, list_of_arrays]
    for function in (*functions, blurred, overlapping_stores):
        compiled = parallel(function)
        with pytest.warns(nb.NumbaParallelSafetyWarning, match="`h`.* depends on the order of iterations"):
            compiled(A, K)
        assert all_parallel(compiled), function.__name__
        nb.set_num_threads(1)
        try:
            np.testing.assert_array_equal(compiled(A, K), nb.njit(function)(A, K))
        finally:
            nb.set_num_threads(4)


ITEM = np.dtype([("n", np.int64)])


@nb.njit
def put(y, k, x):
    y[k] = x


@nb.njit
def add_twice(y, k, x):
    add_to(y, k, x)
    add_to(y, k, x)


@nb.njit
def add_folded(y, i, x):
    add_twice(y, i % 7, x)


@nb.njit
def add_at_index(y, at, i, x):
    add_twice(y, at[i], x)


@nb.njit
def add_some(y, k, x):
    if x > 3:
        return 0
    y[k] += x
    return 1


@nb.njit
def add_and_read(y, k, x):
    add_twice(y, k, x)
    return y[0]


@nb.njit
def put_half(y, i, x):
    put(y, i // 2, x)


@nb.njit
def fill_row(row, x):
    for j in range(row.size):
        row[j] = x + j


@nb.njit
def fill_row_of(y, i, x):
    fill_row(y[i], x)


@nb.njit
def with_scratch(scratch, x):
    fill_row(scratch, x)
    return scratch.sum()


@nb.njit
def append_to(items, x):
    items.append(x)


def line_of(function, text):
    lines, first = inspect.getsourcelines(function)
    return first + next(n for n, line in enumerate(lines) if text in line)


def test_places_that_iterations_compute_are_said():
    """Stores of different values where several iterations compute the same place."""

    def of_a_modulus(a, k):
        h = np.zeros(10, np.int64)
        for i in nb.prange(a.size):
            h[i % 5] = a[i]
        return h

    def of_a_number(a, k):
        h = np.zeros(10, np.int64)
        n = k[0] + 3
        for i in nb.prange(a.size):
            h[i % n] = a[i]
        return h

    def moved(a, k):
        h = np.zeros(10, np.int64)
        for i in nb.prange(2000):
            h[(i + 3) % 9] = a[i]
        return h

    def of_loaded_numbers(a, k):
        h = np.zeros(5, np.int64)
        for i in nb.prange(a.size):
            h[k[i] % 5] = a[i]
        return h

    def halves(a, k):
        h = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            h[i // 2] = a[i]
        return h

    def rounded(a, k):
        h = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            h[int(i / 3)] = a[i]
        return h

    def shifted(a, k):
        h = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            h[i >> 2] = a[i]
        return h

    def masked(a, k):
        h = np.zeros(8, np.int64)
        for i in nb.prange(a.size):
            h[i & 7] = a[i]
        return h

    def products(a, k):
        h = np.zeros(8 * a.size, np.int64)
        for i in nb.prange(a.size):
            for j in range(8):
                h[i * j] = a[i] + j
        return h

    def distances(a, k):
        h = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            h[abs(i - 700)] = a[i]
        return h

    def elements_of_rows(a, k):
        h = np.zeros((4, 5), np.int64)
        for i in nb.prange(a.size):
            for j in range(5):
                h[i % 4, j] = a[i] * j
        return h

    def rows(a, k):
        h = np.zeros((4, 3), np.int64)
        for i in nb.prange(a.size):
            h[i % 4] = a[i : i + 3].sum()
        return h

    def slices(a, k):
        h = np.zeros(40, np.int64)
        for i in nb.prange(a.size):
            start = (i % 4) * 10
            h[start : start + 10] = a[i]
        return h

    def fields(a, k):
        h = np.zeros(10, ITEM)
        for i in nb.prange(a.size):
            h[i % 5].n = a[i]
        return h["n"]

    def callee(a, k):
        h = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            put_half(h, i, a[i])
        return h

    def read_by_a_callee(a, k):
        h = np.zeros(7, np.int64)
        s = 0
        for i in nb.prange(a.size):
            s += add_and_read(h, k[i], a[i])
        return h

    functions = [of_a_modulus, of_a_number, moved, of_loaded_numbers, halves, rounded, shifted, masked, products]
    functions += [distances, elements_of_rows, rows, slices, fields]
    for function in (*functions, callee, read_by_a_callee):
        compiled = parallel(function)
        with pytest.warns(nb.NumbaParallelSafetyWarning, match="`h`.* depends on the order of iterations") as said:
            compiled(A, K)
        assert all_parallel(compiled), function.__name__
        text = str(said[0].message)
        if function is callee:
            assert f"{__file__}:{line_of(put.py_func, 'y[k] = x')}" in text
        elif function is not read_by_a_callee:
            assert f"{__file__}:{line_of(function, ' = a[i')}" in text
        nb.set_num_threads(1)
        try:
            np.testing.assert_array_equal(compiled(A, K), nb.njit(function)(A, K))
        finally:
            nb.set_num_threads(4)


def test_places_that_iterations_compute_are_combined():
    def products(a, k):
        h = np.zeros(8 * a.size, np.int64)
        for i in nb.prange(a.size):
            for j in range(8):
                h[i * j] += a[i]
        return h

    def callee(a, k):
        h = np.zeros(7, np.int64)
        for i in nb.prange(a.size):
            add_to(h, k[i], a[i])
        return h

    def nested(a, k):
        h = np.zeros(7, np.int64)
        for i in nb.prange(a.size):
            add_folded(h, i, a[i])
        return h

    def loaded(a, k):
        h = np.zeros(7, np.int64)
        for i in nb.prange(a.size):
            add_at_index(h, k, i, a[i])
        return h

    def quotients_and_remainders(a, k):
        h = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            h[i // 5 + i % 5] += a[i]
        return h

    def in_one_place(a, k):
        h = np.zeros(2, np.int64)
        for i in nb.prange(a.size):
            add_to_first(h, a[i])
            add_to(h, 1, a[i])
        return h

    def by_condition(a, k):
        h = np.zeros(7, np.int64)
        n = 0
        for i in nb.prange(a.size):
            n += add_some(h, k[i], a[i])
        h[0] += n
        return h

    def of_inner_loops(a, k):
        h = np.zeros(7, np.int64)
        for i in nb.prange(a.size):
            for j in range(3):
                add_twice(h, i * j % 7, a[i])
        return h

    functions = [products, callee, nested, loaded, quotients_and_remainders, in_one_place, by_condition]
    for function in (*functions, of_inner_loops):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = everywhere(function, A, K)
        ((serial, reductions),) = loops(compiled)
        assert serial is None and ("h[..]", "+") in reductions, function.__name__


def test_what_callees_share_runs_serially():
    def scratch(a):
        h = np.zeros(5, np.int64)
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            out[i] = with_scratch(h, a[i])
        return out

    def items(a):
        found = [0]
        for i in nb.prange(a.size):
            append_to(found, a[i])
        return np.array(found)

    for function in (scratch, items):
        with pytest.warns(nb.NumbaPerformanceWarning, match="will not be executed in parallel"):
            compiled = everywhere(function, A)
        assert not all_parallel(compiled), function.__name__


def test_hazards_are_in_the_diagnostics(capsys):
    @parallel
    def f(h, k):
        s = 0
        for i in nb.prange(k.size):
            h[k[i]] += 1
            s += h[0]
        return s

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f(np.zeros(7, np.int64), K)
    f.parallel_diagnostics(level=1)
    assert "several of its iterations may change the same element of `h`" in capsys.readouterr().out


def test_what_users_know_is_not_said():
    """Iterations that use elements of their own, and stores of which any may be the last."""

    def scattered(a, k):
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            out[k[i]] = a[0]
        return out

    def permuted(a, k):
        out = np.zeros(a.size, np.int64)
        order = np.argsort(a)
        for i in nb.prange(a.size):
            out[order[i]] = a[i]
        return out

    def levels(a, k):
        out = np.full(7, -1)
        for i in nb.prange(a.size):
            if out[k[i]] == -1:
                out[k[i]] = 3
        return out

    def by_row(a, k):
        out = np.zeros(10, np.int64)
        starts = np.arange(11) * 20
        for i in nb.prange(10):
            for j in range(starts[i], starts[i + 1]):
                out[i] += a[j]
        return out

    def blocks(a, k):
        out = np.zeros(a.size, np.int64)
        for b in nb.prange(a.size // 4):
            for j in range(4):
                out[4 * b + j] += a[4 * b + j]
            out[4 * b] += out[4 * b + 3]
        return out

    def symmetric(a, k):
        out = np.zeros((40, 40), np.int64)
        for i in nb.prange(40):
            for j in range(i, 40):
                out[i, j] += a[i * j]
                out[j, i] = out[i, j]
        return out

    def columns(a, k):
        out = np.zeros((20, 50), np.int64)
        for c in nb.prange(50):
            for i in range(20):
                for j in range(i):
                    out[i, c] += out[j, c] + a[j]
        return out

    def eliminated(a, k):
        out = np.ones((30, 30))
        for p in range(3):
            for i in nb.prange(p + 1, 30):
                for j in range(p + 1, 30):
                    out[i, j] -= out[i, p] * out[p, j] / 7
        return out

    def reversed_in_place(a, k):
        out = a.copy()
        for i in nb.prange(a.size // 2):
            t = out[i]
            out[i] = out[a.size - 1 - i]
            out[a.size - 1 - i] = t
        return out

    def tree(a, k):
        out = np.zeros(64, np.int64)
        for i in nb.prange(32, 64):
            out[i] = a[i]
        for i in nb.prange(16, 32):
            out[i] = out[2 * i] + out[2 * i + 1]
        return out[16:32]

    def halves(a, k):
        out = a.copy()
        half = a.size // 2
        for i in nb.prange(half):
            out[i] += out[i + half]
        return out

    def of_threads(a, k):
        part = np.zeros((4, 7), np.int64)
        for i in nb.prange(a.size):
            t = nb.get_thread_id()
            part[t, k[i]] += 1
            if part[t, k[i]] > 10**9:
                part[t, k[i]] = 0
        return part.sum(axis=0)

    def own_lists(a, k):
        out = [[0] for _ in range(100)]
        for i in nb.prange(100):
            out[i].append(a[i])
        return np.array([x[1] for x in out])

    def callee(a, k):
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            add_to(out, i, a[i])
        return out

    functions = [scattered, permuted, levels, by_row, blocks, symmetric, columns, eliminated, reversed_in_place, tree]
    for function in (*functions, halves, of_threads, own_lists, callee):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = everywhere(function, A, K)
        assert all(
            serial is None and not any("[..]" in r for r, _ in reductions) for serial, reductions in loops(compiled)
        )


def test_places_of_one_iteration_are_not_said():
    def doubled(a, k):
        out = np.zeros(2 * a.size, np.int64)
        for i in nb.prange(a.size):
            out[2 * i] = a[i]
            out[2 * i + 1] = -a[i]
        return out

    def rows_in_one(a, k):
        n = 20
        out = np.zeros(100 * n, np.int64)
        for i in nb.prange(100):
            for j in range(n):
                out[i * n + j] = a[i] + j
        return out

    def backwards(a, k):
        n = a.size
        out = np.zeros(n, np.int64)
        for i in nb.prange(n):
            out[n - 1 - i] = a[i]
        return out

    def slices(a, k):
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            out[i : i + 1] = a[i]
        return out

    def own(a, k):
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            part = np.zeros(5, np.int64)
            for j in range(20):
                part[j % 5] = a[i] + j
                part[j // 4] += j
            out[i] = part.sum()
        return out

    def tiles(a, k):
        n = a.size
        out = np.zeros(n, np.int64)
        for b in nb.prange((n + 63) // 64):
            for i in range(b * 64, min((b + 1) * 64, n)):
                out[i] = a[i]
        return out

    def taken_apart(a, k):
        out = np.zeros((10, 20, 10), np.int64)
        flat = np.zeros(4000, np.int64)
        for i in nb.prange(2000):
            out[i // 200, i // 10 % 20, i % 10] = a[i]
            flat[i // 50 * 100 + i % 50] = a[i]
        return flat[:2000] + out.reshape(2000)

    def taken_apart_by_branches(a, k):
        out = np.zeros((1000, 2), np.int64)
        for i in nb.prange(2000):
            out[i // 2, 0 if i % 2 == 0 else 1] = a[i]
        return out

    def butterflies(a, k):
        n, half, shift = 1024, 8, 3
        out = a[:n].copy()
        for q in nb.prange(n // 2):
            i = q // half * 2 * half + q % half
            x, y = out[i], out[i + half]
            out[i], out[i + half] = x + y, x - y
        for q in nb.prange(n // 2):
            i = (q >> shift << (shift + 1)) | (q & (half - 1))
            out[i] = 2 * out[i] - 1
        return out

    def rotated(a, k):
        n = a.size
        out = np.zeros(n, np.int64)
        for i in nb.prange(n):
            out[(i + 7) % n] = a[i]
        return out

    def rotated_by_size(a, k):
        out = np.zeros(a.shape[0], np.int64)
        for i in nb.prange(a.shape[0]):
            out[(i + 7) % out.size] = a[i]
        return out

    def around(a, k):
        n = a.size
        out = np.zeros(n, np.int64)
        for i in nb.prange(1, n + 1):
            out[i % n] = a[i - 1]
        return out

    def of_known_size(a, k):
        out = np.zeros(2000, np.int64)
        for i in nb.prange(2000):
            out[(i + 7) % 2000] = a[i]
        return out

    def every_other(a, k):
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(0, a.size, 2):
            out[i // 2] = a[i]
        return out

    def even(a, k):
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            if i % 2 == 0:
                out[i // 2] = a[i]
        return out

    def triangle(a, k):
        out = np.zeros(1225, np.int64)
        for i in nb.prange(50):
            for j in range(i):
                out[i * (i - 1) // 2 + j] = a[i] * j
        return out

    def same_values(a, k):
        out = np.zeros(a.size, np.int64)
        for i in nb.prange(a.size):
            out[i // 2] = a[i // 2]
        return out

    def flags(a, k):
        out = np.zeros(5, np.int64)
        for i in nb.prange(a.size):
            out[i % 5] = 1
        return out

    def exchanged(a, k):
        out = np.zeros(a.size + 1, np.int64)
        for i in nb.prange(a.size):
            out[i ^ 1] = a[i]
        return out

    def bits_reversed(a, k):
        out = np.zeros(1024, np.int64)
        for i in nb.prange(1024):
            place, rest = 0, i
            for _ in range(10):
                place = place << 1 | rest & 1
                rest >>= 1
            out[place] = a[i]
        return out

    def parts(a, k):
        n = a.size
        out = np.zeros(4, np.int64)
        for t in nb.prange(4):
            s = 0
            for i in range(t * n // 4, (t + 1) * n // 4):
                s += a[i]
            out[t] = s
        return out

    def counted_on(a, k):
        starts = np.arange(0, 2001, 20)
        out = np.zeros(2000, np.int64)
        for i in nb.prange(100):
            place = starts[i]
            for j in range(20):
                out[place] = a[i] + j
                place += 1
        return out

    def callee_at(a, k):
        out = np.zeros(a.size, np.int64)
        order = np.argsort(a)
        for i in nb.prange(a.size):
            put(out, order[i], a[i])
        return out

    def callee_of_rows(a, k):
        out = np.zeros((a.size, 3), np.int64)
        for i in nb.prange(a.size):
            fill_row_of(out, i, a[i])
        return out

    functions = [doubled, rows_in_one, backwards, slices, own, tiles, taken_apart, rotated, rotated_by_size, around]
    functions += [of_known_size, every_other, even, triangle, same_values, flags, exchanged, bits_reversed, parts]
    for function in (*functions, taken_apart_by_branches, butterflies, counted_on, callee_at, callee_of_rows):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            compiled = everywhere(function, A, K)
        assert all(loop == (None, []) for loop in loops(compiled)), function.__name__
