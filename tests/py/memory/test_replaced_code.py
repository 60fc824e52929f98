"""Code that other code has taken the place of is freed when nobody runs it any more."""

import ctypes
import gc
import itertools
import os
import subprocess
import sys
import threading
import time

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra


def code_bytes():
    """Memory of machine code when no garbage keeps any."""
    gc.collect()
    _numbra._wait_for_promotions()
    return _numbra._code_bytes()


def summed(a):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * (i & 3)
    return total


def promoted(function, *args):
    """Has a function promoted."""
    for _ in range(10_000):
        function(*args)
        _numbra._wait_for_promotions()
        if all(data["tier"] == "llvm" for data in function.get_metadata().values()):
            return
    raise AssertionError("not promoted")


def test_promotion_frees_the_first_code():
    a = np.arange(200_000.0)
    before = code_bytes()
    best = nb.njit(tier="llvm")(summed)
    best(a)
    size = code_bytes() - before
    f = nb.njit(tier="auto")(summed)
    f(a)
    both = code_bytes()
    assert both > before + size
    promoted(f, a)
    assert f(a) == best(a)
    assert code_bytes() == before + 2 * size
    del f, best
    assert code_bytes() == before


@pytest.mark.parametrize("tier", ["cranelift", "auto"])
def test_recompiling_keeps_nothing(tier):
    f = nb.njit(tier=tier)(summed)
    a = np.arange(100.0)
    want = f(a)
    before = code_bytes()
    for _ in range(100):
        f.recompile()
        assert f(a) == want
    assert code_bytes() <= before


def test_recompiling_a_thousand_times_takes_no_memory():
    code = """
import numbra as nb
from numbra import _numbra

@nb.njit
def f(n):
    total = 0
    for i in range(n):
        total += i & n
    return total

def pages():
    return int(open("/proc/self/statm").read().split()[1])

for round in range(1100):
    if round == 100:
        before, code = pages(), _numbra._code_bytes()
    f.recompile()
    assert f(9) == f.py_func(9)
assert _numbra._code_bytes() <= code, "code"
assert pages() - before < 2000, "%d pages" % (pages() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_code_waits_for_its_calls_below_on_the_stack():
    depths = []

    def again(depth):
        f.recompile()
        depths.append(_numbra._code_bytes())
        if depth:
            assert f(depth - 1) == depth

    @nb.njit
    def f(depth):
        with nb.objmode():
            again(depth)
        return depth + 1

    f(0)
    before = code_bytes()
    depths.clear()
    for _ in range(5):
        assert f(4) == 5
    # Each level of a call keeps the code that it runs.
    first = depths[:5]
    assert all(after > less for less, after in itertools.pairwise(first))
    assert code_bytes() <= before


class Gate:
    """A C function that compiled code waits in, without the GIL, until it is opened."""

    def __init__(self):
        self.read, self.write = os.pipe()
        libc = ctypes.CDLL(None)
        self.function = libc.read
        self.function.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t]
        self.function.restype = ctypes.c_ssize_t

    def open(self, count):
        os.write(self.write, b"x" * count)


def waiting(gate, **options):
    """A function that comes back when the gate lets it through."""
    read, descriptor = gate.function, gate.read

    @nb.njit(nogil=True, **options)
    def f(a, waits):
        total = 0.0
        for i in range(a.shape[0]):
            total += a[i]
        if waits:
            total += read(descriptor, a.ctypes, 1)
        return total

    return f


@pytest.mark.parametrize("how", ["recompiled", "promoted"])
def test_code_waits_for_threads_without_the_gil(how):
    gate = Gate()
    f = waiting(gate, tier="auto")
    a = np.ones(200_000)
    f(a[:0], False)
    inside, results = threading.Semaphore(0), []

    def work():
        own = np.ones(3)
        inside.release()
        results.append(f(own, True))

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in threads:
        inside.acquire()
    # They have entered when they have given up the GIL in the call.
    time.sleep(0.3)
    code = code_bytes()
    if how == "recompiled":
        f.recompile()
        f(a, False)
    else:
        promoted(f, a, False)
    more = code_bytes()
    assert more > code
    gate.open(3)
    for thread in threads:
        thread.join()
    assert results == [4.0] * 3
    assert f(a, False) == 200_000
    assert code_bytes() < more


def counter(n):
    for i in range(n):
        yield i * 2.5 + n


def test_generators_keep_the_code_that_they_run():
    f = nb.njit(counter)
    f(1)
    before = code_bytes()
    alive = [f(5) for _ in range(3)]
    assert [next(one) for one in alive] == [5.0] * 3
    for _ in range(3):
        f.recompile()
        alive.append(f(5))
    assert code_bytes() > before
    assert [list(one) for one in alive[:3]] == [[7.5, 10.0, 12.5, 15.0]] * 3
    assert [list(one) for one in alive[3:]] == [list(counter(5))] * 3
    del alive
    assert code_bytes() <= before


def test_addresses_of_callbacks_stay():
    @nb.cfunc("float64(float64)")
    def twice(x):
        return 2 * x

    function = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(twice.address)

    @nb.njit
    def f(x):
        return function(x) + 1

    assert (function(4.0), f(4.0)) == (8.0, 9.0)
    twice._dispatcher.recompile()
    f.recompile()
    code_bytes()
    assert (function(4.0), f(4.0)) == (8.0, 9.0)


def test_code_waits_while_the_collector_is_off():
    f = nb.njit(summed)
    a = np.arange(100.0)
    f(a)
    before = code_bytes()
    gc.disable()
    try:
        for _ in range(5):
            f.recompile()
            f(a)
        kept = _numbra._code_bytes()
    finally:
        gc.enable()
    # From 3.12 on it makes no difference.
    assert kept > before or sys.version_info >= (3, 12)
    assert code_bytes() <= before


def test_finalizers_that_recompile():
    f = nb.njit(summed)
    a = np.arange(100.0)
    want = f(a)
    before = code_bytes()

    class Node:
        def __init__(self):
            self.me = self

        def __del__(self):
            f.recompile()
            assert f(a=a) == want

    for _ in range(100):
        Node()
        assert f(**{"a": a}) == want
    gc.collect()
    assert f(a) == want
    assert code_bytes() <= before


def test_ufuncs_keep_their_loops():
    for tier in ("cranelift", "auto"):
        f = nb.vectorize(["float64(float64)"], tier=tier)(lambda x: x * 0.5 + 1)
        a = np.arange(10.0)
        np.testing.assert_array_equal(f(a), a * 0.5 + 1)
        _numbra._reset(f._dispatcher)
        code_bytes()
        np.testing.assert_array_equal(f(a), a * 0.5 + 1)


def test_threads_call_loops_while_their_code_is_exchanged():
    a = np.arange(30_000.0)
    want = np.sqrt(a) * 0.5
    before = code_bytes()
    for _ in range(4):
        f = nb.vectorize(["float64(float64)"], tier="auto")(lambda x: np.sqrt(x) * 0.5)
        wrong = []

        def work(f=f, wrong=wrong):
            for _ in range(100):
                if not np.array_equal(f(a), want):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        _numbra._wait_for_promotions()
        assert not wrong
        assert _numbra._tier(f._dispatcher, 0) == "llvm"
    del f, work
    assert code_bytes() <= before


@pytest.mark.parametrize("nogil", [False, True])
def test_threads_call_while_code_comes_and_goes(nogil):
    f = nb.njit(tier="auto", nogil=nogil)(summed)
    a = np.arange(3000.0)
    want = f(a)
    before = code_bytes()
    wrong, done = [], threading.Event()

    def work():
        while not done.is_set():
            if f(a) != want or f(a=a) != want:
                wrong.append(1)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    threads = [threading.Thread(target=work) for _ in range(4)]
    try:
        for thread in threads:
            thread.start()
        for _ in range(60):
            f.recompile()
            time.sleep(0.02)
    finally:
        done.set()
        sys.setswitchinterval(interval)
        for thread in threads:
            thread.join()
    assert not wrong
    f.recompile()
    f(a)
    assert code_bytes() <= before


def test_children_of_a_process_with_calls_inside():
    code = """
import os, sys, threading, time
import numpy as np, numbra as nb
from numbra import _numbra

@nb.njit(nogil=True, tier="auto")
def f(a, rounds):
    total = 0.0
    for _ in range(rounds):
        for i in range(a.shape[0]):
            total += a[i] * 0.5
    return total

a = np.ones(1000)
want = f(a, 1)
done = threading.Event()
def work():
    while not done.is_set():
        assert f(a, 2000) > want
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads:
    thread.start()
for _ in range(5):
    time.sleep(0.05)
    pid = os.fork()
    if pid == 0:
        for _ in range(5):
            f.recompile()
            for _ in range(20):
                assert f(a, 1) == want
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    f.recompile()
done.set()
for thread in threads:
    thread.join()
print("done")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300)
    assert done.stdout == "done\n", done.stderr
