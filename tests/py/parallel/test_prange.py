"""Parallel loops: values, reductions, exceptions, threads, forks, nesting, reports.

Each loop must give what the same function gives without ``parallel=True``.
"""

import gc
import itertools
import os
import threading
import warnings

import numbra as nb
import numpy as np
import pytest
from folders import TESTS
from numbra import _numbra
from parallel_loops import N, all_parallel, check, four_threads, loops, of_elements, of_reductions, parallel  # noqa: F401


def test_each_iteration_runs_once():
    @parallel
    def f(n):
        out = np.zeros(n, np.int64)
        for i in nb.prange(n):
            out[i] += i + 1
        return out

    for n in (0, 1, 2, 63, 64, 1000, N):
        np.testing.assert_array_equal(f(n), np.arange(n) + 1)
    assert all_parallel(f)


@pytest.mark.parametrize(
    ("start", "stop", "step"), [(3, N, 1), (0, N, 7), (N, 5, -1), (N, -3, -11), (5, 5, 1), (-70, 40, 3)]
)
def test_start_stop_step(start, stop, step):
    def f(a, start, stop, step):
        s = 0
        for i in nb.prange(start, stop, step):
            s += i * i
            a[i] = i
        return s, a

    got = parallel(f)(np.zeros(N + 1), start, stop, step)
    expected = nb.njit(f)(np.zeros(N + 1), start, stop, step)
    assert got[0] == expected[0]
    np.testing.assert_array_equal(got[1], expected[1])


def test_unsigned_ranges():
    def f(n):
        s = 0
        for i in nb.prange(n):
            s += i
        return s

    assert parallel(f)(np.uint64(N)) == nb.njit(f)(np.uint64(N))


def sum_(a):
    s = 0.5
    for i in nb.prange(a.size):
        s += a[i]
    return s


def difference(a):
    s = 1.5
    for i in nb.prange(a.size):
        s = s - a[i]
    return s


def reversed_sum(a):
    s = 0
    for i in nb.prange(a.size):
        s = a[i] + s
    return s


def product(a):
    s = 3.0
    for i in nb.prange(a.size):
        s *= 1 + a[i] / a.size
    return s


def quotient(a):
    s = 1e30
    for i in nb.prange(a.size):
        s /= 1 + a[i] / a.size
    return s


def least(a):
    s = 7.0
    for i in nb.prange(a.size):
        s = min(s, a[i])
    return s


def greatest(a):
    s = -7.0
    for i in nb.prange(a.size):
        s = max(a[i], s)
    return s


def several(a):
    s, t, n = 0.0, 1, 0
    for i in nb.prange(a.size):
        if a[i] > 0.25:
            s += a[i]
            n += 1
        else:
            t += i
            s -= 1
    return s, t, n


def nested(a):
    s = 0.0
    for i in nb.prange(a.size // 100):
        for j in range(100):
            s += a[100 * i + j]
            if j > i:
                s += 1
    return s


@pytest.mark.parametrize(
    "function",
    [sum_, difference, reversed_sum, product, quotient, least, greatest, several, nested],
    ids=lambda f: f.__name__,
)
def test_reductions(function):
    a = np.random.default_rng(1).random(N)
    compiled = check(function, a, rtol=1e-9)
    ((serial, reductions),) = loops(compiled)
    assert serial is None
    assert reductions


@pytest.mark.parametrize(
    ("operator", "dtype"),
    [
        *itertools.product("&|^+*-", [np.int64, np.uint8]),
        *itertools.product("&|^", [np.bool_]),  # arithmetic of booleans is of integers
    ],
)
def test_reductions_of_integers(operator, dtype):
    namespace = {"nb": nb}
    exec(
        f"def f(a, s):\n    for i in nb.prange(a.size):\n        s {operator}= a[i]\n    return s\n",
        namespace,
    )
    a = np.random.default_rng(2).integers(0, 2 if dtype is np.bool_ else 100, N).astype(dtype)
    check(namespace["f"], a, dtype(1))
    check(namespace["f"], a[:5], dtype(0))


def test_complex_and_single_precision_sums():
    def f(a):
        s = a[0]
        for i in nb.prange(a.size):
            s += a[i]
        return s

    rng = np.random.default_rng(3)
    check(f, rng.random(N) + 1j * rng.random(N), rtol=1e-12)
    check(f, rng.random(N).astype(np.float32), rtol=1e-2)


def test_sums_of_arrays():
    def rows(x):
        acc = np.full(x.shape[1], 2.0)
        for i in nb.prange(x.shape[0]):
            acc += x[i]
        return acc

    def outer(x):
        acc = np.ones((3, 4))
        for i in nb.prange(x.shape[0]):
            acc = acc + x[i, 0] * np.ones((3, 4))
        return acc

    def products(x):
        acc = np.ones(x.shape[1])
        for i in nb.prange(x.shape[0]):
            acc *= x[i]
        return acc

    x = np.random.default_rng(4).random((2000, 16)) * 0.01 + 0.995
    for function in (rows, outer, products):
        compiled = check(function, x, rtol=1e-10)
        assert all_parallel(compiled)
    check(rows, np.asfortranarray(x), rtol=1e-10)
    check(rows, x[:, ::2], rtol=1e-10)
    check(rows, x[:0])


def test_results_are_the_same_each_time():
    a = np.random.default_rng(5).random(N)
    f = parallel(sum_)
    f(a)
    assert len({f(a) for _ in range(50)}) == 1


def test_one_thread_gives_the_bits_of_the_serial_loop():
    a = np.random.default_rng(6).random(N)
    f = parallel(sum_)
    nb.set_num_threads(1)
    try:
        assert f(a) == nb.njit(sum_)(a)
    finally:
        nb.set_num_threads(4)


def test_last_values():
    def always(n):
        x = -1
        for i in nb.prange(n):
            x = i * 2
        return x

    def sometimes(n):
        x = -1.0
        for i in nb.prange(n):
            if i % 7 == 3:
                x = i / 2
        return x

    def array(n):
        x = np.zeros(2)
        for i in nb.prange(n):
            if i % 1000 == 17:
                x = np.full(2, float(i))
        return x

    def inner(n):
        t = 5
        for i in nb.prange(n):
            t = 0
            for j in range(i % 5):
                t += j
        return t

    for function in (always, sometimes, array, inner):
        for n in (0, 3, 20, N):
            compiled = check(function, n)
            assert all_parallel(compiled)


def test_private_variables_and_closures():
    def f(a):
        k = 3

        def scaled(x):
            return x * k

        out = np.empty_like(a)
        for i in nb.prange(a.size):
            t = scaled(a[i])
            for _ in range(4):
                t = t / 2 + i
            out[i] = t
        return out

    assert all_parallel(check(f, np.arange(20000.0)))


@nb.njit
def helper(x, y):
    if x < 0:
        raise ValueError("negative")
    return x + y


def test_calls_and_temporaries_that_own_memory():
    def f(a, n):
        out = np.zeros(n)
        for i in nb.prange(n):
            t = a[i % 10 : i % 10 + 5].copy()
            t += i
            names = (t, t * 2)
            out[i] = helper(names[1].sum(), float(i % 3))
        return out

    gc.collect()
    before = _numbra._allocation_counts()
    compiled = check(f, np.arange(20.0), 3000)
    assert all_parallel(compiled)
    gc.collect()
    after = _numbra._allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


def test_tuples_and_strings_from_outside():
    def f(n, t, text):
        s = 0
        for i in nb.prange(n):
            s += t[i % 3] + len(text)
        return s

    assert all_parallel(check(f, N, (1, 2, 3), "abc"))


def test_dependences_run_serially():
    def recurrence(n):
        x = 1.0
        for i in nb.prange(n):
            x = x * 0.5 + i
        return x

    def read(n):
        out = np.zeros(n)
        s = 0.0
        for i in nb.prange(n):
            s += i
            out[i] = s
        return out

    def running(a):
        best = -1.0
        for i in nb.prange(a.size):
            if a[i] > best:
                best = a[i]
        return best

    def one_element(a):
        y = np.zeros(2)
        for i in nb.prange(a.size):
            y[1] = a[i]
        return y

    def backward(a):
        a = a.copy()
        for i in nb.prange(1, a.size):
            a[i] = a[i - 1] * 0.5 + a[i]
        return a

    def guarded(a):
        a = a.copy()
        for i in nb.prange(a.size):
            if i == 0:
                continue
            a[i] += a[i - 1]
        return a

    def two_stores(a):
        out = np.zeros(a.size + 1)
        for i in nb.prange(a.size):
            out[i] = a[i]
            out[i + 1] = -a[i]
        return out

    def rows(a):
        a = a.copy()
        for i in nb.prange(1, a.shape[0]):
            for j in range(a.shape[1]):
                a[i, j] += a[i - 1, j]
        return a

    def truncated(n):
        y = np.zeros(2, np.int64)
        for _ in nb.prange(n):
            y[0] += 0.75
        return y

    def container(n):
        out = [0]
        for i in nb.prange(n):
            out.append(i)
        return np.array(out)

    a = np.random.default_rng(7).random(N)
    cases = [
        (recurrence, 5000),
        (read, 5000),
        (running, a),
        (container, 5000),
        (one_element, a),
        (backward, a.copy()),
        (guarded, a.copy()),
        (two_stores, a),
        (rows, a[:10_000].reshape(100, 100).copy()),
        (truncated, 5000),
    ]
    for function, argument in cases:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compiled = check(function, argument)
        assert not all_parallel(compiled), function.__name__


def test_elements_that_iterations_share_are_combined():
    def histogram(x):
        h = np.zeros(10, np.int64)
        for i in nb.prange(x.size):
            h[x[i]] += 1
        return h

    def given(x):
        h = np.arange(12.0)[1:-1]
        for i in nb.prange(x.size):
            h[x[i]] = h[x[i]] + 0.5
        return h

    def table(x):
        h = np.zeros((10, 3), np.uint8)
        for i in nb.prange(x.size):
            h[x[i], i % 3] -= np.uint8(x[i])
        return h

    def same_element(x):
        y = np.ones(3)
        for i in nb.prange(x.size):
            y[1] += x[i]
        return y

    def inner_elements(x):
        y = np.zeros(4)
        for i in nb.prange(x.size // 4):
            for j in range(4):
                y[j] += x[4 * i + j]
        return y

    def whole(x):
        y = np.zeros(4)
        for i in nb.prange(x.size):
            y[:] += x[i]
        return y

    def view(x):
        y = np.zeros(6)
        for i in nb.prange(x.size):
            part = y[1:4]
            part += x[i]
            y[i % 2] += 1
        return y

    def row_of_rows(x):
        y = np.zeros((2, 3))
        for i in nb.prange(x.size):
            y[1][2] += x[i]
            y[0, :] += 1
        return y

    def neighbours(x):
        y = np.zeros(x.size + 1)
        for i in nb.prange(x.size):
            y[i] += x[i]
            y[i + 1] += 2 * x[i]
        return y

    def greatest(x):
        y = np.zeros(7)
        for i in nb.prange(x.size):
            y[i % 7] = max(y[i % 7], x[i] / 2)
        return y

    def bits(x):
        y = np.zeros(5, np.int64)
        for i in nb.prange(x.size):
            y[x[i] // 2] |= i
            y[0] |= 64
        return y

    def factors(x):
        y = np.ones(2)
        for i in nb.prange(x.size):
            if i % 1000 == 0:
                y[i % 2] *= 1 + x[i]
            else:
                y[1] /= 1.0
        return y

    def scatter(x):
        y = np.zeros(x.size)
        for i in nb.prange(x.size):
            for j in range(4):
                y[(x[i] * 7919 + i + j) % x.size] += 1
        return y

    x = np.random.default_rng(16).integers(0, 10, N)
    functions = (histogram, given, table, same_element, inner_elements, whole, view, row_of_rows, neighbours)
    for function in (*functions, greatest, bits, factors, scatter):
        compiled = check(function, x, rtol=1e-12)
        check(function, x[:3])
        ((serial, reductions),) = loops(compiled)
        assert serial is None
        assert any("[..]" in name for name, _ in reductions), function.__name__


def test_elements_of_one_iteration_are_not_combined():
    def own(x):
        y = np.zeros((x.size, 3))
        for i in nb.prange(x.size):
            y[i, x[i] % 3] += 1
            for j in range(3):
                y[i, j] *= 2
        return y

    def blocks(x):
        y = np.zeros(x.size)
        size = x.size // 8
        for b in nb.prange(8):
            for k in range(b * size, (b + 1) * size):
                y[k] += x[k]
        return y

    def even(x):
        y = np.arange(x.size)
        for k in nb.prange(x.size // 2 - 1):
            i = 2 * k + 1
            y[i] = y[i - 1] + y[i + 1]
        return y

    def colours(x):
        y = np.arange(1e4).reshape(100, 100)
        for i in nb.prange(1, 99):
            for j in range(1, 99):
                if (i + j) % 2 == 0:
                    y[i, j] = y[i - 1, j] + y[i + 1, j] + y[i, j - 1]
        return y

    def stencil(x):
        y = np.zeros(x.size)
        for i in nb.prange(1, x.size - 1):
            y[i] = x[i - 1] + x[i + 1]
        return y

    def unravelled(x):
        y = np.zeros((10, 100))
        for i in nb.prange(1000):
            y[i // 100, i % 100] += i
        return y

    x = np.random.default_rng(17).integers(0, 10, N)
    for function in (own, blocks, even, colours, stencil, unravelled):
        compiled = check(function, x)
        assert loops(compiled) == [(None, [])], function.__name__


def test_arrays_of_views_that_are_read_are_not_private():
    def f(x):
        y = np.zeros(8)
        z = y[:4]
        for i in nb.prange(x.size):
            y[1] += x[i] * 0.25
            z[2] += y[1]
        return y

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = check(f, np.ones(1000))
    assert not all_parallel(compiled)


def test_large_arrays_are_not_copied_for_little_work():
    @parallel
    def f(x, y):
        for i in nb.prange(x.size):
            y[x[i]] += 1
        return y

    y = f(np.arange(5000) % 100, np.zeros(5_000_000))
    assert y[:100].tolist() == [50.0] * 100


def test_shared_elements_release_what_chunks_own():
    @parallel
    def f(a):
        h = np.zeros(3)
        for i in nb.prange(a.size):
            h[i % 3] += helper(a[i], 1.0)
        return h

    a = np.ones(50_000)
    f(a)
    a[40_000] = -1
    gc.collect()
    before = _numbra._allocation_counts()
    for _ in range(10):
        with pytest.raises(ValueError, match="negative"):
            f(a)
    gc.collect()
    after = _numbra._allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


def test_serial_loops_are_said():
    @parallel
    def f(n):
        for i in nb.prange(n):
            if i == 5:
                return i
        return -1

    with pytest.warns(nb.NumbaPerformanceWarning, match="will not be executed in parallel"):
        assert f(100) == 5


def test_nothing_parallel_is_said():
    @parallel
    def f(n):
        return n + 1

    with pytest.warns(nb.NumbaPerformanceWarning, match="no transformation for parallel execution"):
        f(3)


def test_no_warning_where_loops_are_parallel():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert parallel(sum_)(np.ones(10)) == 10.5


def test_without_parallel_prange_is_range():
    f = nb.njit(sum_)
    assert f(np.ones(1000)) == 1000.5
    assert _numbra._parallel_loops(f, 0) == []


def test_options_of_parallel():
    f = nb.njit(parallel={"prange": False})(sum_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f(np.ones(3))
    assert _numbra._parallel_loops(f, 0) == []
    with pytest.raises(NameError, match="Unrecognized parallel options: nonsense"):
        nb.njit(parallel={"nonsense": True})(sum_)
    with pytest.raises(ValueError, match="Expect parallel option to be either a bool or a dict"):
        nb.njit(parallel=3)(sum_)


def test_exceptions_reach_the_caller():
    @parallel
    def f(a):
        s = 0.0
        for i in nb.prange(a.size):
            if a[i] < 0:
                raise ValueError("negative", i)
            s += a[i]
        return s

    a = np.ones(N)
    assert f(a) == N
    a[[777, 5000, N - 1]] = -1
    for _ in range(20):
        with pytest.raises(ValueError) as caught:
            f(a)
        assert caught.value.args == ("negative", 777)
    assert all_parallel(f)


def test_exceptions_release_what_iterations_own():
    @parallel
    def f(a):
        acc = np.zeros(4)
        for i in nb.prange(a.size):
            t = np.full(4, a[i])
            acc += t
            helper(a[i], 1.0)
        return acc

    a = np.ones(5000)
    f(a)
    a[2500] = -1
    gc.collect()
    before = _numbra._allocation_counts()
    for _ in range(10):
        with pytest.raises(ValueError, match="negative"):
            f(a)
    gc.collect()
    after = _numbra._allocation_counts()
    assert after[0] - before[0] == after[1] - before[1]


def test_exceptions_with_objects_reach_the_caller():
    @parallel
    def f(n):
        s = 0
        for i in nb.prange(n):
            if i == n - 1:
                raise ValueError(np.arange(3) + i)
            s += i
        return s

    with pytest.raises(ValueError) as caught:
        f(N)
    np.testing.assert_array_equal(caught.value.args[0], np.arange(3) + N - 1)


def test_try_inside_of_an_iteration():
    def f(a):
        s = 0
        for i in nb.prange(a.size):
            try:
                helper(a[i], 0.0)
                s += 1
            except Exception:
                s += 10
        return s

    a = np.ones(20000)
    a[::7] = -1
    check(f, a)


def test_handlers_around_a_loop():
    def answered(a):
        total = 0
        try:
            for i in nb.prange(a.size):
                total += 100 // a[i]
        except Exception:
            return -1
        return total

    def looked_at(a):
        total = 0
        try:
            for i in nb.prange(a.size):
                total += 100 // a[i]
        except Exception:
            return total * 0 - 1
        return total

    def expressions(a):
        try:
            b = a // (a - 1) + a
        except Exception:
            return -1
        return b.sum()

    good, bad = np.full(N, 7), np.arange(N)[::-1].copy()
    for f, is_parallel in ((answered, True), (looked_at, False)):
        compiled = check(f, good)
        assert all_parallel(compiled) == is_parallel
        assert compiled(bad) == -1
    assert parallel(expressions)(good) == expressions(good)


def test_inner_prange_is_serial():
    def f(n):
        out = np.zeros((n, n))
        for i in nb.prange(n):
            for j in nb.prange(n):
                out[i, j] = i * n + j
        return out

    compiled = check(f, 200)
    assert [serial is None for serial, _ in loops(compiled)] == [True, False]


def test_parallel_functions_in_parallel_loops():
    inner = parallel(sum_)

    def f(a, n):
        out = np.zeros(n)
        for i in nb.prange(n):
            out[i] = inner(a) + i
        return out

    a = np.ones(N)
    np.testing.assert_allclose(parallel(f)(a, 20), N + 0.5 + np.arange(20))


def test_printing_inside(capfd):
    @parallel
    def f(n):
        for i in nb.prange(n):
            print("line", i)

    f(40)
    os.sys.stdout.flush()
    assert sorted(capfd.readouterr().out.split("\n")) == sorted([f"line {i}" for i in range(40)] + [""])


def test_numbers_of_threads():
    assert nb.get_num_threads() == 4
    nb.set_num_threads(2)
    try:

        @nb.njit
        def count():
            return nb.get_num_threads()

        assert count() == 2
        seen = []
        worker = threading.Thread(target=lambda: seen.append(nb.get_num_threads()))
        worker.start()
        worker.join()
        assert seen == [4]
    finally:
        nb.set_num_threads(4)
    for wrong in (0, -1, 5):
        with pytest.raises(ValueError, match="The number of threads must be between 1 and 4"):
            nb.set_num_threads(wrong)
    with pytest.raises(TypeError, match="The number of threads specified must be an integer"):
        nb.set_num_threads(1.5)

    @nb.njit
    def set_and_count(n):
        nb.set_num_threads(n)
        return nb.get_num_threads()

    assert set_and_count(3) == 3
    with pytest.raises(ValueError, match="The number of threads must be between 1 and 4"):
        set_and_count(9)
    nb.set_num_threads(4)

    @nb.njit
    def set_wrongly():
        nb.set_num_threads("many")

    with pytest.raises(nb.TypingError, match="The number of threads specified must be an integer"):
        set_wrongly()


def test_thread_ids():
    @parallel
    def f(n, a):
        seen = np.zeros(64, np.int64)
        ids = np.zeros(n, np.int64)
        for i in nb.prange(n):
            ids[i] = nb.get_thread_id()
            for j in range(a.size):
                a[j] + i
        return seen, ids

    _, ids = f(2000, np.ones(200))
    assert ids.min() >= 0
    assert ids.max() < 4
    assert nb.get_thread_id() == 0


def test_threading_layer():
    parallel(sum_)(np.ones(N))
    assert nb.threading_layer() == "numbra"


def test_many_threads_call_one_cold_function():
    f = parallel(sum_)
    a = np.ones(N)
    results, errors = [], []

    def call():
        try:
            results.extend(f(a) for _ in range(5))
        except BaseException as error:
            errors.append(error)

    workers = [threading.Thread(target=call) for _ in range(32)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not errors
    assert results == [N + 0.5] * 160
    assert len(f.signatures) == 1


def test_forked_children_run_parallel_loops():
    f = parallel(sum_)
    a = np.ones(N)
    assert f(a) == N + 0.5
    for _ in range(5):
        child = os.fork()
        if child == 0:
            os._exit(0 if f(a) == N + 0.5 and parallel(difference)(a) == 1.5 - N else 1)
        assert os.waitpid(child, 0)[1] == 0
    assert f(a) == N + 0.5


def test_the_interpreter_agrees(monkeypatch):
    """The interpreter of LIR runs all iterations in one chunk."""
    monkeypatch.syspath_prepend(str(TESTS / "differential"))
    from interpreter import OnInterpreter

    a = np.random.default_rng(9).random(500)
    for function in (sum_, least, several, nested):
        for optimised in (False, True):
            assert OnInterpreter(parallel(function), optimised)(a) == nb.njit(function)(a)


def test_array_expressions():
    def f(a, b):
        c = a + b * 2.0 - np.sqrt(a)
        c += 1
        c[10:20] = 7.5
        return c

    def broadcast(a, b):
        return a * b + 1

    def made(n):
        return np.ones(n) + np.full(n, 2.5)

    rng = np.random.default_rng(10)
    a, b = rng.random(300_000), rng.random(300_000)
    wide = rng.random((700, 500))
    cases = [
        (f, (a, b)),
        (f, (a[:50], b[:50])),
        (f, (a[::2], b[::-2])),
        (broadcast, (wide, wide[0])),
        (broadcast, (wide.T, wide[:, :1].T)),
        (broadcast, (np.asfortranarray(wide), np.asfortranarray(wide))),
        (made, (200_000,)),
        (made, (0,)),
    ]
    for function, args in cases:
        compiled = parallel(function)
        np.testing.assert_array_equal(compiled(*args), nb.njit(function)(*args))
        assert of_elements(compiled)


def test_pndindex():
    def filled(shape):
        out = np.zeros(shape, np.int64)
        for at in nb.pndindex(shape):
            out[at] = at[0] * 10_000 + at[1] * 100 + at[2]
        return out

    def total(a):
        s = 0.0
        for i, j in nb.pndindex(a.shape):
            s += a[i, j] * i
        return s

    def by_row(a):
        out = np.zeros(a.shape[0])
        for i, j in nb.pndindex(a.shape[0], a.shape[1]):
            out[i] += a[i, j]
        return out

    def nested(a):
        out = np.zeros_like(a)
        for i, j in nb.pndindex(a.shape):
            for k in range(3):
                if a[i, j] > 0.5:
                    out[i, j] += k
        return out

    for shape in ((30, 40, 50), (1, 1, 1), (0, 3, 4), (3, 0, 4), (7, 1, 9)):
        assert loops(check(filled, shape)) == [(None, [])]
    a = np.random.default_rng(20).random((300, 111))
    for function in (total, by_row, nested):
        for array in (a, a.T, a[:2, :3], a[:, :0]):
            compiled = check(function, array, rtol=1e-10)
            assert all_parallel(compiled)
    assert [name for name, _ in loops(parallel_of(by_row, a))[0][1]] == ["out[..]"]
    with pytest.raises(ValueError, match="negative dimensions"):
        parallel(filled)((3, -1, 2))


def parallel_of(function, *args):
    compiled = parallel(function)
    compiled(*args)
    return compiled


def test_the_plan_is_a_stage():
    def f(a, h, k):
        s = 0.0
        for i in nb.prange(a.size):
            s += a[i]
            h[k[i]] += 1
        t = 1.0
        for i in nb.prange(a.size):
            t = a[i] - t
        return s + t

    args = np.ones(10), np.zeros(3, np.int64), np.zeros(10, np.int64)
    plan = parallel_of(f, *args).inspect("parallel")
    assert ": parallel\n" in plan and "carries s" in plan and "private h: reduction +" in plan
    assert 'serial loop_carried "t" ; `t` carries a value from one iteration to the next' in plan
    serial = nb.njit(f)
    serial(*args)
    assert serial.inspect("parallel") == "; no loop over `prange` in a function with parallel=True\n"


def test_diagnostics(capsys):
    @parallel
    def f(a):
        s = 0.0
        for i in nb.prange(a.size):
            s += a[i]
        t = 1.0
        for i in nb.prange(a.size):
            t = a[i] - t
        return a * s + t

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        f(np.ones(10))
    f.parallel_diagnostics(level=1)
    text = capsys.readouterr().out
    assert "Parallel loop listing for  Function f" in text
    assert "parallel; reductions: s (+)" in text
    assert "serial: `t` carries a value from one iteration to the next" in text
    assert "array expression" in text
    assert "for i in nb.prange(a.size):---" in text
    with pytest.raises(ValueError, match="No parfors diagnostic available"):
        nb.njit(lambda x: x).parallel_diagnostics()


# Public reports of wrong results of parallel loops: each is right here.


def test_conditional_reduction():
    """numba#4922"""

    def f(n):
        c = 0
        for i in nb.prange(n):
            c += 1
            if i > 10:
                c += 1
        return c

    assert all_parallel(check(f, 10))
    check(f, N)


def test_start_of_a_conditional_reduction():
    """numba#7344"""

    def f(cond):
        s = 2
        for i in nb.prange(cond.shape[0]):
            if cond[i]:
                s += 1
        return s

    assert all_parallel(check(f, np.arange(N) % 3 == 0))


def test_loops_in_two_branches():
    """numba#7630"""

    def f(flag, n):
        result = 0
        if flag:
            for _ in nb.prange(n):
                result += 1
        else:
            for _ in nb.prange(n):
                result -= 3
        return result

    check(f, True, N)
    assert all_parallel(check(f, False, N))


def test_arrays_made_outside_of_inner_loops():
    """numba#8184: an array of each iteration, changed by inner loops."""

    def f(n):
        out = np.empty((n, 9, 3))
        for i in nb.prange(n):
            v = np.empty(3)
            for j in range(3):
                for k in range(3):
                    v[0] = i
                    v[1] = j
                    v[2] = k
                    out[i, 3 * j + k] = v.copy()
        return out

    assert all_parallel(check(f, 300))


def test_consecutive_loops_are_not_merged():
    """numba#8515"""

    def f(n):
        r = np.zeros(n, np.int64)
        c = np.zeros(n, np.int64)
        for i in nb.prange(n):
            for _ in range(i):
                c[i] += 1
        for i in nb.prange(n):
            if i == 0:
                continue
            r[i] = c[i] - c[i - 1]
        return r[1:]

    check(f, 15)
    check(f, 2000)


def test_conditional_views_are_summed():
    """numba#5031"""

    def f(a, half):
        part = a[: a.size]
        if half:
            part = a[: a.size // 2]
        return part.sum()

    compiled = parallel(f)
    for n in (128, 400_000):
        a = np.ones(n)
        assert (compiled(a, True), compiled(a, False)) == (n // 2, n)
    assert of_reductions(compiled)


def test_new_arrays_are_filled():
    """numba#2609"""
    ones = parallel(lambda n: np.ones((n, 1)))
    for n in (0, 1, 40, 300_000):
        np.testing.assert_array_equal(ones(n), np.ones((n, 1)))


def test_scatter_then_a_counter():
    """numba#9829: the second loop counts up, so it is serial."""

    def f(index, values, n):
        unset = 2**32 - 1
        out = np.full(n, unset, np.uint32)
        for k in nb.prange(index.size):
            out[index[k]] = values[k]
        last = values.max()
        for k in nb.prange(n):
            if out[k] == unset:
                last += 1
                out[k] = last
        return out

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        compiled = check(f, np.array([9, 11, 12, 15, 19]), np.arange(5), 21)
        check(f, np.arange(1, N, 2), np.arange(N // 2), N)
    assert [serial is None for serial, _ in loops(compiled)] == [True, False]


def test_the_range_starts_below_zero():
    """numba#4489"""

    def f(n):
        total = 0.0
        x = np.ones(2 * n)
        for i in nb.prange(-n, 5):
            total += x[i]
            for j in range(-n, 5):
                total += x[j]
        return total

    assert all_parallel(check(f, 10))


def test_two_sums_after_a_serial_loop():
    """numba#9518"""

    def f(x, before, up, down):
        for k in range(100):
            before = before + x[k]
        for k in nb.prange(x.size):
            up = up + x[k]
            down = down - x[k]
        return up, down, before

    assert all_parallel(check(f, np.arange(10000), 0, 0, 0))


def test_floor_division_is_no_reduction():
    """numba#7867"""

    def f():
        acc = 10000
        for _ in nb.prange(4):
            acc //= 2
        return acc

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check(f)


def test_arrays_and_their_sums_in_iterations():
    """numba#7578"""

    def f(d, b):
        out = np.empty_like(b)
        b = np.exp(b)
        for i in nb.prange(len(b)):
            x = b[i] * b
            out[i] = (x / (1 + x)).sum()
        b2 = b**2
        out -= b2 / (1 + b2)
        return out - d

    d = np.arange(1, 400)
    check(f, d, np.log(d))


def test_an_element_that_all_iterations_change():
    """numba#3681"""

    def f(x):
        y = np.zeros_like(x)
        for i in nb.prange(x.shape[0]):
            for j in range(x.shape[0]):
                if i == j:
                    continue
                y[0, 1] += x[i, j]
        return y

    assert all_parallel(check(f, np.random.default_rng(8).random((200, 200)), rtol=1e-10))


def test_rows_added_to_a_row():
    """numba#3522"""

    def f(rows, out, k):
        out = out.copy()
        out[k, :] = 0.0
        for i in nb.prange(rows.shape[0]):
            out[k, :] += rows[i]
        return out

    rng = np.random.default_rng(18)
    assert all_parallel(check(f, rng.random((3000, 40)), np.ones((3, 40)), 1, rtol=1e-10))


def test_sums_of_slices_and_of_whole_arrays():
    """numba#9938: accumulating into slices and elements."""

    def slices(x):
        y = np.zeros(4)
        z = y[:]
        for i in nb.prange(x.shape[0]):
            z += x[i]
        return y

    def elements(x):
        y = np.zeros(4)
        for i in nb.prange(x.shape[0]):
            y[i % 4] += x[i, 0]
        return y

    def products(x):
        y = 2 * np.ones((13, 17), np.int64)
        twos = 2 * np.ones_like(y)
        for _ in nb.prange(x.shape[0]):
            y *= twos
        return y

    x = np.random.default_rng(19).random((4000, 4))
    for function in (slices, elements, products):
        assert all_parallel(check(function, x, rtol=1e-10))


def test_a_maximum_divides():
    """numba#9139"""

    def f(a):
        out = np.empty_like(a)
        m = a[0]
        for i in nb.prange(a.size):
            m = max(m, a[i])
        for i in nb.prange(a.size):
            out[i] = a[i] / m
        return out

    assert all_parallel(check(f, np.linspace(0, 3, 30001)))


def test_conditions_on_several_variables():
    """numba#5698"""

    def f(image):
        out = np.zeros(image.shape)
        for i in nb.prange(image.shape[0]):
            for j in nb.prange(image.shape[1]):
                r = image[i, j] / 255.0
                low = high = 0
                delta = high - low
                h = 2
                if delta == 0:
                    h = 0
                if high == r and delta != 0:
                    h = 1
                out[i, j] = h
        return out

    check(f, np.arange(10000.0).reshape(100, 100))


def test_multiple_operators_run_serially():
    """numba#4935"""

    def f(n):
        s = 1.0
        for i in nb.prange(n):
            s += i
            s *= 0.5
        return s

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert not all_parallel(check(f, 1000))


def test_inlined_functions_are_parallel_where_their_callers_are():
    @nb.njit(inline="always")
    def root(x):
        out = np.empty_like(x)
        for i in nb.prange(x.size):
            out[i] = np.sqrt(x[i])
        return out

    @nb.njit(parallel=True)
    def parallel(x):
        return root(x)

    x = np.arange(10_000.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(parallel(x), np.sqrt(x))
        np.testing.assert_array_equal(root(x), np.sqrt(x))


def test_overloads_are_parallel_where_their_callers_are():
    def doubled(x):
        raise NotImplementedError

    @nb.extending.overload(doubled, inline="always")
    def _doubled(x):
        def body(x):
            out = np.empty_like(x)
            for i in nb.prange(x.size):
                out[i] = 2 * x[i]
            return out

        return body

    @nb.njit(parallel=True)
    def f(x):
        return doubled(x)

    x = np.arange(10_000.0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(f(x), 2 * x)
