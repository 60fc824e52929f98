"""Tier `auto`: hot functions are compiled again by LLVM, while calls go on."""

import os
import subprocess
import sys
import threading

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra


def norms(a):
    out = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i] += a[i, j] * a[i, j]
    return out


def tiers(function):
    return [data["tier"] for data in function.get_metadata().values()]


def run_until_hot(function, *args, calls=4000):
    """The results of all calls; the background thread is done at the end."""
    results = [function(*args) for _ in range(calls)]
    _numbra._wait_for_promotions()
    results += [function(*args) for _ in range(calls)]
    return results


def test_long_calls_are_promoted():
    f = nb.njit(tier="auto")(norms)
    a = np.arange(4_000_000.0).reshape(2000, 2000) % 7
    expected = norms(a[:3])
    for result in run_until_hot(f, a, calls=4):
        np.testing.assert_array_equal(result[:3], expected)
    assert tiers(f) == ["llvm"]


def test_many_short_calls_are_promoted():
    f = nb.njit(tier="auto")(norms)
    a = np.arange(600.0).reshape(20, 30)
    expected = f.py_func(a)
    for result in run_until_hot(f, a):
        np.testing.assert_array_equal(result, expected)
    assert tiers(f) == ["llvm"]


def test_functions_without_loops_and_cold_ones_stay():
    @nb.njit(tier="auto")
    def add(a, b):
        return a + b

    f = nb.njit(tier="auto")(norms)
    f(np.ones((2, 2)))
    assert set(run_until_hot(add, 1, 2)) == {3}
    assert tiers(add) == ["cranelift"]
    assert tiers(f) == ["cranelift"]


def test_each_signature_is_promoted_by_itself():
    @nb.njit(tier="auto")
    def f(n):
        total = n * 0
        for i in range(3000):
            total += i * n
        return total

    assert f(2.5) == f.py_func(2.5)
    assert set(run_until_hot(f, 3)) == {f.py_func(3)}
    assert f(2.5) == f.py_func(2.5)
    assert tiers(f) == ["cranelift", "llvm"]


def test_exceptions_keywords_and_defaults():
    @nb.njit(tier="auto")
    def f(a, stop, step=1):
        total = 0
        for i in range(0, stop, step):
            total += a[i] // (5000 - i)
        return total

    a = np.arange(6000)
    want = f.py_func(a, 4999)
    for _ in range(600):
        assert f(a, stop=4999) == want
        with pytest.raises(ZeroDivisionError):
            f(a, 6000, step=1)
    _numbra._wait_for_promotions()
    for _ in range(100):
        assert f(a, stop=4999) == want
        with pytest.raises(ZeroDivisionError):
            f(a, 6000, step=1)
    assert "llvm" in tiers(f)


def test_a_call_that_raises_makes_a_function_hot():
    code = """
import numbra as nb, numpy as np

@nb.njit(tier="auto")
def f(n):
    total = 0
    for i in range(n):
        total += i & n
    raise ValueError(total)

@nb.vectorize(["float64(float64)"], tier="auto")
def g(x):
    if x < 0:
        raise ValueError("negative")
    return x

for call, argument in [(f, 20_000_000), (g, -np.ones(300_000))]:
    try:
        call(argument)
    except ValueError:
        print("raised")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert done.stdout == "raised\nraised\n", done.stderr


def test_threads_call_while_code_is_exchanged():
    f = nb.njit(tier="auto", nogil=True)(norms)
    a = np.arange(40_000.0).reshape(200, 200)
    expected = f.py_func(a)
    wrong = []

    def work():
        for _ in range(300):
            if not np.array_equal(f(a), expected):
                wrong.append(1)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    _numbra._wait_for_promotions()
    assert np.array_equal(f(a), expected)
    assert not wrong
    assert tiers(f) == ["llvm"]


COUNTED = """
import numbra as nb, numpy as np
from numbra import _numbra

@nb.njit(tier="auto")
def f(n, fails):
    total = 0
    for i in range(n):
        total += i
    if fails:
        raise ValueError(total)
    return total

@nb.vectorize(["float64(float64)"], tier="auto")
def g(x):
    for _ in range(3):
        x = x * 0.5 + 1.0
    return x

for n in range(5):
    try:
        value = f(n, n == 2)
    except ValueError as error:
        value = repr(error)
    print(n, value, *[data["tier"] for data in f.get_metadata().values()])
f(2.5 > 1, False)
print(*[data["tier"] for data in f.get_metadata().values()])
for n in range(4):
    print(g(np.ones(1))[0], _numbra._tier(g._dispatcher, 0))
"""


def test_calls_alone_decide_where_they_are_told_to():
    command = [sys.executable, "-c", COUNTED]
    env = {**os.environ, "NUMBRA_PROMOTE_AFTER": "3"}
    for _ in range(2):
        done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120)
        assert done.stdout.splitlines() == [
            "0 0 cranelift",
            "1 0 cranelift",
            "2 ValueError(1) llvm",
            "3 3 llvm",
            "4 6 llvm",
            "llvm cranelift",
            "1.875 cranelift",
            "1.875 cranelift",
            "1.875 llvm",
            "1.875 llvm",
        ], done.stderr


def test_refused_arguments_do_not_disturb_promotion():
    @nb.njit(tier="auto")
    def f(n):
        total = 0
        for i in range(n):
            total += i & n
        return total

    class Index:
        def __index__(self):
            return 3

    for _ in range(3):
        with pytest.raises(nb.TypingError):
            f(Index())
    assert set(run_until_hot(f, 20_000)) == {f.py_func(20_000)}


def test_recursive_functions_are_promoted():
    @nb.njit(tier="auto")
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    assert set(run_until_hot(fib, 20, calls=600)) == {6765}
    assert tiers(fib) == ["llvm"]


def test_generators_are_promoted():
    @nb.njit(tier="auto")
    def walk(n):
        at = 1
        for k in range(n):
            for _ in range(2000):
                at = (at * 48271 + k) % 2147483647
            yield at

    want = list(walk.py_func(20))
    first = walk(20)
    got = [next(first)]
    for _ in range(30):
        assert list(walk(20)) == want
    _numbra._wait_for_promotions()
    assert tiers(walk) == ["llvm"]
    # A generator ends in the code that it began in.
    assert got + list(first) == want
    assert list(walk(20)) == want


def test_a_generator_that_runs_long_is_promoted():
    @nb.njit(tier="auto")
    def count(n):
        for k in range(n):
            total = 0
            for i in range(k % 40):
                total += i ^ k
            yield total

    # Python asks for each step; the one call that made it took next to no time.
    want = list(count.py_func(400))
    assert list(count(100_000))[:400] == want
    _numbra._wait_for_promotions()
    assert tiers(count) == ["llvm"]
    assert list(count(400)) == want


def saturated(x, y):
    return x + y if x < 0.5 else x - 2 * y


LAYOUTS = {
    "contiguous": lambda a: a,
    "strided": lambda a: a[::3],
    "backwards": lambda a: a[::-1],
    "empty": lambda a: a[:0],
}


@pytest.mark.parametrize("options", [{}, {"target": "parallel"}], ids=["cpu", "parallel"])
def test_ufuncs_are_promoted(options):
    signatures = ["float32(float32, float32)", "float64(float64, float64)"]
    f = nb.vectorize(signatures, tier="auto", **options)(saturated)
    first = nb.vectorize(signatures, tier="cranelift")(saturated)
    rng = np.random.default_rng(1)
    for dtype in (np.float64, np.float32):
        a, b = rng.random((2, 30_000)).astype(dtype)
        for _ in range(2):
            for view in LAYOUTS.values():
                x, y = view(a), view(b)
                np.testing.assert_array_equal(f(x, y), first(x, y))
                np.testing.assert_array_equal(f(x, dtype(0.25)), first(x, dtype(0.25)))
            for _ in range(8):
                f(a, b)
            _numbra._wait_for_promotions()
    if not options:  # else it is NumPy's object alone
        assert [_numbra._tier(f._dispatcher, k) for k in range(2)] == ["llvm", "llvm"]


def test_generalised_ufuncs_are_promoted():
    @nb.guvectorize(["void(float64[:], float64, float64[:])"], "(n),()->(n)", tier="auto")
    def f(a, b, out):
        for i in range(a.shape[0]):
            out[i] = a[i] * b + i

    a = np.arange(60_000.0).reshape(60, 1000)
    want = a * 3 + np.arange(1000)
    # An element is a whole row here: only many rows are hot.
    for _ in range(3000):
        np.testing.assert_array_equal(f(a, 3.0)[::30], want[::30])
    _numbra._wait_for_promotions()
    np.testing.assert_array_equal(f(a, 3.0), want)
    assert _numbra._tier(f._dispatcher, 0) == "llvm"


def test_ufuncs_that_raise_are_promoted():
    @nb.vectorize(["int64(int64, int64)"], tier="auto")
    def divided(x, y):
        if y == 0:
            raise ZeroDivisionError
        return x // y

    a = np.arange(1, 50_001)
    for _ in range(4):
        np.testing.assert_array_equal(divided(a, 3), a // 3)
        with pytest.raises(ZeroDivisionError):
            divided(a, 0)
    _numbra._wait_for_promotions()
    np.testing.assert_array_equal(divided(a, 3), a // 3)
    with pytest.raises(ZeroDivisionError):
        divided(a, 0)


def test_dropped_functions_with_promotions_under_way():
    for _ in range(10):
        f = nb.njit(tier="auto")(norms)
        f(np.ones((3000, 1000)))
        f(np.ones((3000, 1000)))
        del f
    _numbra._wait_for_promotions()


SCRIPT = """
import os, sys, threading, time
import numpy as np, numbra as nb

def make():
    @nb.njit(tier="auto")
    def f(a):
        total = 0.0
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                total += a[i, j] * i - j
        return total
    return f

a = np.ones((1500, 1500))
functions = [make() for _ in range(5)]
values = {f(a) for f in functions for _ in range(3)}
%s
assert len(values) == 1
"""


FORK = """
pid = os.fork()
values |= {make()(a) for _ in range(3)}
if pid:
    assert os.waitpid(pid, 0)[1] == 0
"""
POOL = """
import multiprocessing
with multiprocessing.get_context("fork").Pool(2) as pool:
    values |= set(pool.map(sum, [[value] for value in values]))
"""
SPAWN = POOL.replace('"fork"', '"spawn"')
DAEMON = """
def calls():
    while True:
        make()(a)
for _ in range(4):
    threading.Thread(target=calls, daemon=True).start()
time.sleep(0.3)
"""
ENDS = {
    "falls off": "",
    "exit": "sys.exit(0)",
    "at once": "os._exit(0)",
    "fork": FORK,
    "fork at once": "if os.fork() == 0:\n    os._exit(0)\nassert os.wait()[1] == 0",
    "pool": POOL,
    "spawn": SPAWN,
    "daemons": DAEMON,
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_processes_end_while_llvm_is_at_work(end):
    done = subprocess.run([sys.executable, "-c", SCRIPT % end], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr


def test_without_the_library_nothing_is_promoted():
    wait = "from numbra import _numbra; _numbra._wait_for_promotions()"
    code = SCRIPT % f"{wait}; assert _numbra._tier(functions[0], 0) == 'cranelift'"
    environment = {**os.environ, "NUMBRA_LLVM_LIBRARY": "/nowhere"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr


HOT = """
import numbra as nb
from numbra import _numbra

@nb.njit
def f(n):
    s = 0
    for i in range(n):
        s += i ^ n
    return s

for _ in range(50):
    f(300_000)
_numbra._wait_for_promotions()
print(_numbra._tier(f, 0))
"""


@pytest.mark.parametrize(("given", "tier"), [("auto", "llvm"), ("", "llvm"), ("cranelift", "cranelift")])
def test_the_environment_names_the_tier(given, tier):
    environment = {**os.environ, "NUMBRA_TIER": given}
    done = subprocess.run([sys.executable, "-c", HOT], capture_output=True, text=True, env=environment, timeout=120)
    assert done.stdout == f"{tier}\n", done.stderr


WHILE_LLVM_WORKS = """
import sys, threading, time
import numbra as nb
space = {}
loops = "".join(f"    for i in range(x):\\n        v += i * {k}\\n" for k in range(600))
exec(f"def f(x):\\n    v = 0\\n{loops}    return v\\n", space)
f = nb.njit(tier="auto")(space["f"])
for _ in range(40):
    f(3000)
end = sys.argv[1]
if end == "in LLVM":
    time.sleep(0.2)
print("end of main")
if end == "exception":
    raise SystemExit(3)
"""


@pytest.mark.parametrize(("end", "status"), [("at once", 0), ("in LLVM", 0), ("exception", 3)])
def test_a_process_may_end_while_llvm_works(end, status):
    """Nothing waits for LLVM, and nothing is taken from under it: it takes seconds for this function."""
    for _ in range(3):
        run = subprocess.run(
            [sys.executable, "-X", "faulthandler", "-c", WHILE_LLVM_WORKS, end],
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert (run.returncode, run.stdout, run.stderr) == (status, "end of main\n", "")
