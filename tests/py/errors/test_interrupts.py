"""Ctrl-C in compiled code: `KeyboardInterrupt`, everything released, and the process goes on."""

import os
import signal
import subprocess
import sys

import numbra as nb
import numpy as np
import pytest
from folders import TESTS

sys.path.insert(0, str(TESTS))
from measure.interrupted import PROGRAMS, heed_interrupts, interrupt


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_are_interrupted(name, tier):
    took = interrupt(name, tier, wait=0.2)
    print(f"{name}, {tier}: {took * 1e3:.0f} ms")
    # Some programs would end by themselves.
    assert took < 3


def run(text, **options):
    command = [sys.executable, "-c", text]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, preexec_fn=heed_interrupts, **options)


LOOP = """
import os, signal, threading, time
import numbra as nb
@nb.njit(nogil=True)
def f(n):
    s = 0
    while s != n:
        s = (s * 5 + 1) & 0xffff
    return s
f(6)
def after(seconds, action, *args):
    thread = threading.Timer(seconds, action, args)
    thread.daemon = True
    thread.start()
"""


# Small loops in a long one.
NEST = (
    LOOP
    + """
@nb.njit
def g(n):
    s = 0.0
    for i in range(n):
        for j in range(10):
            s += (i ^ j) % 3
    return s
"""
)


def test_handlers_of_the_user_run_and_may_return():
    result = run(
        LOOP
        + """
calls = []
def handler(number, frame):
    calls.append(number)
    if len(calls) == 3:
        raise TimeoutError("enough")
signal.signal(signal.SIGINT, handler)
for k in range(3):
    after(0.2 * (k + 1), os.kill, os.getpid(), signal.SIGINT)
try:
    f(-1)
except TimeoutError as error:
    print(calls, error)
"""
    )
    assert result.stdout == "[2, 2, 2] enough\n", result.stderr


def test_other_signals_with_handlers_in_python():
    result = run(
        LOOP
        + """
@nb.njit
def g(n):
    s = 0
    while s != n:
        s = (s * 5 + 1) & 0xffff
    return s
def handler(number, frame):
    raise TimeoutError(number)
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.3)
try:
    g(-1)
except TimeoutError as error:
    print(error.args == (signal.SIGALRM,))
"""
    )
    assert result.stdout == "True\n", result.stderr


def test_handlers_while_the_compiler_asks_python():
    """What a handler raises then is no answer to what the compiler asks."""
    result = run(
        LOOP
        + """
import types
def handler(number, frame):
    raise LookupError(number)
signal.signal(signal.SIGALRM, handler)
module = types.ModuleType("module")
def attribute(name):
    signal.raise_signal(signal.SIGALRM)
    return 3
module.__getattr__ = attribute
for _ in range(3):
    g = nb.njit(lambda x: x + module.foo)
    try:
        print(g(1))
    except LookupError as error:
        print(error)
"""
    )
    assert result.stdout == "14\n14\n14\n", result.stderr


def test_handlers_at_any_time_of_a_compilation():
    result = run(
        LOOP
        + """
import faulthandler
def handler(number, frame):
    raise LookupError(number)
signal.signal(signal.SIGALRM, handler)
def make(k):
    @nb.njit
    def helper(x):
        return x % k
    @nb.njit
    def g(n):
        i = 0
        while i < n:
            i += 1
        return i + helper(n)
    return g
heard = 0
for k in range(1, 200):
    g = make(k)
    faulthandler.dump_traceback_later(20, exit=True)
    try:
        signal.setitimer(signal.ITIMER_REAL, 1e-6 + k % 50 * 6e-5)
        g(1 << 62)
    except LookupError:
        heard += 1
    faulthandler.cancel_dump_traceback_later()
print(heard)
"""
    )
    assert result.stdout == "199\n", result.stderr


# Loops that run without the GIL, in several threads or in one, and what handlers call meanwhile.
WITHOUT_GIL = (
    LOOP
    + """
import numpy as np
@nb.njit(parallel=True)
def spread(n, rounds, bad):
    a = np.zeros(n, np.int64)
    for i in nb.prange(n):
        s = 0
        for k in range(rounds):
            s = (s * 5 + i + k) & 0xffff
        if i == bad:
            raise ValueError("iteration", i)
        a[i] = s
    return a
@nb.njit(parallel=True)
def rows(n, rounds, bad):
    a = np.zeros((n, 4), np.int64)
    for i in nb.prange(n):
        for k in range(rounds):
            a[i] = (a[i] * 5 + i + k) & 0xffff
        if i == bad:
            raise ValueError("iteration", i)
    return a[:, 1].copy()
@nb.njit(nogil=True)
def alone(n, rounds, bad):
    a = np.zeros(n, np.int64)
    for i in range(n):
        for k in range(rounds):
            a[i] = (a[i] * 5 + i + k) & 0xffff
        if i == bad:
            raise ValueError("iteration", i)
    return a
def raised(function, *args):
    try:
        return function(*args).tolist()
    except Exception as error:
        return type(error).__name__, error.args
error = ("ValueError", ("iteration", 30))
want = [raised(function, 40, 300, -1) for function in (spread, rows, alone)][0]
"""
)


@pytest.mark.parametrize("name", ["spread", "rows", "alone"])
def test_handlers_of_other_signals_end_loops_without_the_gil(name):
    text = """
class Enough(Exception):
    pass
for number in (signal.SIGALRM, signal.SIGUSR1, signal.SIGRTMIN + 3):
    calls = []
    def handler(*_):
        calls.append(raised(spread, 40, 300, 30))
        if len(calls) == 3:
            raise Enough(number)
        after(0.02, os.kill, os.getpid(), number)
    signal.signal(number, handler)
    after(0.05, os.kill, os.getpid(), number)
    print(raised({0}, 40, 1 << 40, 30) == ("Enough", (number,)), calls == [error] * 3)
    print(raised({0}, 40, 300, -1) == want)
"""
    result = run(WITHOUT_GIL + text.format(name), env={**os.environ, "NUMBA_NUM_THREADS": "3"})
    assert result.stdout == "True True\nTrue\n" * 3, result.stderr


def test_handlers_that_return_change_nothing_in_loops_without_the_gil():
    text = """
calls = []
signal.signal(signal.SIGALRM, lambda *_: calls.append(raised(alone, 40, 300, 30)))
for function in (spread, rows, alone):
    signal.setitimer(signal.ITIMER_REAL, 0)
    right = [function(40, 30_000, -1).tolist(), raised(function, 40, 30_000, 30)]
    signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)
    print([function(40, 30_000, -1).tolist(), raised(function, 40, 30_000, 30)] == right, right[1] == error)
signal.setitimer(signal.ITIMER_REAL, 0)
print(all(call == error for call in calls))
"""
    result = run(WITHOUT_GIL + text, env={**os.environ, "NUMBA_NUM_THREADS": "3"})
    assert result.stdout == "True True\n" * 3 + "True\n", result.stderr


def test_default_and_ignored_signals_stay_so():
    program = LOOP + "signal.signal(signal.SIGINT, signal.{})\nf(6)\nafter(0.5, os.kill, os.getpid(), signal.SIGINT)\n"
    ended = run(program.format("SIG_DFL") + "f(-1)\n")
    assert ended.returncode == -signal.SIGINT
    ignored = run(program.format("SIG_IGN") + "after(1.0, os._exit, 7)\nf(-1)\n")
    assert ignored.returncode == 7


def test_only_the_main_thread_is_interrupted():
    result = run(
        LOOP
        + """
results = []
@nb.njit(nogil=True)
def slow(n):
    s = 0.0
    for i in range(n):
        s += i & 3
    return s
slow(3)
worker = threading.Thread(target=lambda: results.append(slow(500_000_000)), daemon=True)
worker.start()
after(0.3, os.kill, os.getpid(), signal.SIGINT)
try:
    f(-1)
except KeyboardInterrupt:
    print("main", results)
worker.join()
print(results)
"""
    )
    assert result.stdout.startswith("main"), result.stderr
    assert result.stdout.splitlines()[-1] == "[750000000.0]", result.stdout


# A thread that holds the GIL for ever, and one that sends the signal without it: a thread of this process would wait.
WORKERS = (
    LOOP
    + """
import subprocess
from concurrent.futures import ThreadPoolExecutor
@nb.njit
def hold(n):
    s = 0
    while s != n:
        s = (s * 5 + 1) & 0xffff
    return s
hold(6)
def workers(n):
    made = [threading.Thread(target=hold, args=(-1,), daemon=True) for _ in range(n)]
    for thread in made:
        thread.start()
    return made
def interrupt():
    subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -INT {os.getpid()}"])
def join(n):
    for thread in workers(n):
        thread.join()
"""
)


@pytest.mark.parametrize(
    "wait",
    [
        "join(1)",
        "join(5)",
        "ThreadPoolExecutor(2).submit(hold, -1).result()",
        "workers(1), f(-1)",
        "workers(2), [sum(range(9)) for _ in iter(int, 1)]",
        "threading.Thread(target=f, args=(-1,), daemon=True).start(), join(1)",
    ],
    ids=["thread", "threads", "futures", "compiled code without the GIL", "Python", "beside a thread without the GIL"],
)
def test_the_main_thread_gets_the_gil_for_a_signal(wait):
    """Also the turns that it needs to clean up; and the process ends though the others compute."""
    result = run(
        WORKERS
        + f"""
interrupt()
began = time.time()
try:
    {wait}
except KeyboardInterrupt:
    for k in range(10):
        time.sleep(0.001)
    print(time.time() - began, flush=True)
    {"os._exit(0)" if "Executor" in wait else ""}
"""
    )
    assert result.returncode == 0, result.stderr
    print(result.stdout)
    assert 0.4 < float(result.stdout) < 10


def test_a_handler_that_returns_lets_the_main_thread_wait_on():
    result = run(
        WORKERS
        + """
@nb.njit
def slow(n):
    s = 0.0
    for i in range(n):
        s += i & 3
    return s
def handler(number, frame):
    print("handled", results, flush=True)
signal.signal(signal.SIGINT, handler)
results = []
slow(3)
interrupt()
thread = threading.Thread(target=lambda: results.append(slow(500_000_000)))
thread.start()
thread.join()
print(results)
"""
    )
    assert result.stdout == "handled []\n[750000000.0]\n", result.stderr


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_the_gil_is_a_lock_until_there_is_a_signal(tier):
    """Threads that count in one array lose nothing: compiled code keeps the count in a register."""
    result = run(
        """
import threading
import numbra as nb
import numpy as np
@nb.njit
def count(a, n):
    for i in range(n):
        a[0] += a[1]
a = np.array([0, 1])
count(a, 0)
made = [threading.Thread(target=count, args=(a, 400_000_000)) for _ in range(4)]
for thread in made:
    thread.start()
for thread in made:
    thread.join()
print(a[0])
""",
        env=dict(os.environ, NUMBRA_TIER=tier),
    )
    assert result.stdout == "1600000000\n", result.stderr


def test_threads_without_the_gil_beside_a_subinterpreter():
    """`PyGILState_Check` says that every thread holds the GIL then."""
    result = run(
        LOOP
        + """
import importlib
made = None
for name in ("_interpreters", "_xxsubinterpreters"):
    if made is None:
        try:
            interpreters = importlib.import_module(name)
        except ImportError:
            continue
        made = interpreters.create()
@nb.njit(nogil=True, parallel=True)
def g(n):
    s = 0.0
    for i in nb.prange(n):
        s += i % 5
    return s
results = []
thread = threading.Thread(target=lambda: results.append(g(10**6)))
thread.start()
thread.join()
threading.Thread(target=f, args=(-1,), daemon=True).start()
after(0.3, os.kill, os.getpid(), signal.SIGINT)
try:
    f(-1)
except KeyboardInterrupt:
    print(results, made is not None)
interpreters.destroy(made)
"""
    )
    assert result.stdout == "[2000000.0] True\n", result.stderr


def test_forked_children_are_interrupted():
    result = run(
        NEST
        + """
import sys
g(1000000)
child = os.fork()
if child == 0:
    try:
        g(10**13)
    except KeyboardInterrupt:
        os._exit(5)
    os._exit(6)
time.sleep(0.5)
os.kill(child, signal.SIGINT)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    )
    assert result.stdout == "5\n", result.stderr


def test_no_thread_stays_behind():
    result = run(
        NEST
        + """
def threads():
    names = [open(f"/proc/self/task/{task}/comm").read() for task in os.listdir("/proc/self/task")]
    return sum(name.startswith("numbra") for name in names)
g(1000000)
during = threads()
time.sleep(2.5)
print(during, threads())
""",
        env={**os.environ, "NUMBRA_TIER": "cranelift"},
    )
    assert result.stdout == "1 0\n", result.stdout + result.stderr


def test_a_callback_that_is_interrupted_goes_on_in_c():
    result = run(
        LOOP
        + """
@nb.cfunc("int64(int64)")
def c(n):
    s = 0
    while s != n:
        s = (s * 5 + 1) & 0xffff
    return s
assert c.ctypes(6) == 6
after(0.5, os.kill, os.getpid(), signal.SIGINT)
print(c.ctypes(-1))
"""
    )
    assert result.stdout == "0\n", result.stderr
    assert "KeyboardInterrupt" in result.stderr


def test_calls_after_an_interrupted_ufunc_compute():
    """What NumPy calls of the ufunc after the exception does nothing; what the program calls then does."""
    result = run(
        LOOP
        + """
import numpy as np
@nb.vectorize(["float64(float64)"])
def u(x):
    for k in range(1000):
        x = x * 0.5 + 1.0
    return x
a = np.ones((1_000_000, 4, 3))[:, ::2, ::2]
out = np.zeros_like(a)
few = np.ones((4, 4, 3))[:, ::2, ::2]
for k in range(3):
    out[:] = 0
    after(0.3, os.kill, os.getpid(), signal.SIGINT)
    try:
        u(a, out=out)
    except KeyboardInterrupt:
        now = u(few)
        then = f(6)
    time.sleep(0.1 * k)
    print(out[0, 0, 0], out[-1].max(), (now == u(few)).all(), now.min(), then)
"""
    )
    assert result.stdout == "2.0 0.0 True 2.0 6\n" * 3, result.stdout + result.stderr


def test_results_of_strips_are_those_of_the_loop():
    """Loops of all forms around the length of a strip, and bounds at the ends of their types."""

    @nb.njit
    def count(start, stop, step):
        n = 0
        last = 0
        for i in range(start, stop, step):
            n += 1
            last = i
        return n, last

    @nb.njit
    def inclusive(start, stop):
        n = 0
        while start <= stop:
            start += 3
            n += start & 7
        return n, start

    @nb.njit
    def narrow(start, stop):
        n = 0
        i = np.uint32(start)
        while i != np.uint32(stop):
            i = np.uint32(i + np.uint32(1))
            n += np.int64(i) ^ n
        return n

    big = 2**63
    for stop in (-5, 0, 1, 255, 256, 257, 2**19, 2**19 + 1, 2**21 - 1, 2**21, 2**21 + 1, 3 * 2**20 + 5):
        for step in (1, 3, -1, -7):
            assert count(0, stop, step) == (
                len(range(0, stop, step)),
                (list(range(0, stop, step)) or [0])[-1],
            )
        assert inclusive(0, stop) == inclusive.py_func(0, stop)
    for bounds in ((big - 1000, big - 1, 7), (-big + 3, -big, -1), (-big, big - 1, 2**62)):
        expected = range(*bounds)
        assert count(*bounds) == (len(expected), expected[-1])
    with np.errstate(over="ignore"):
        assert narrow(2**32 - 5, 3) == narrow.py_func(2**32 - 5, 3)


COMPILED = """
import signal, sys
import numpy as np
from numbra import njit

def make(loops, **options):
    lines = [f"    for i in range(a.size):\\n        s += np.sqrt(a[i]) * {k}\\n" for k in range(loops)]
    scope = {"np": np}
    exec("def f(a):\\n    s = 0.0\\n" + "".join(lines) + "    return s\\n", scope)
    return njit(**options)(scope["f"])

ran = []

def stop(*_):
    ran.append(1)
    raise SystemExit("stopped")

signal.signal(signal.SIGALRM, stop)
"""

WHEREVER = """
a = np.ones(3)
for delay in range(1, 60):
    f = make(20, tier=sys.argv[1])
    ran.clear()
    raised = False
    try:
        signal.setitimer(signal.ITIMER_REAL, delay / 1000)
        f(a)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except SystemExit:
        raised = True
    assert raised == bool(ran), delay
    signal.setitimer(signal.ITIMER_REAL, 0)
    assert f(a) == f.py_func(a)
"""

KERNELS = """
from numbra import cuda

for delay in range(1, 40):
    kernel = make(4).py_func
    ran.clear()
    raised = False
    try:
        signal.setitimer(signal.ITIMER_REAL, delay / 1000)
        cuda.compile_ptx(kernel, "(float64[:],)", device=True)
        signal.setitimer(signal.ITIMER_REAL, 0)
    except SystemExit:
        raised = True
    assert raised == bool(ran), delay
    signal.setitimer(signal.ITIMER_REAL, 0)
"""

GIVEN_UP = """
f = make(400, tier="llvm")
signal.setitimer(signal.ITIMER_REAL, 0.5)
try:
    f(np.ones(3))
except SystemExit as error:
    print(error, f.signatures)
"""


def in_child(program, *args):
    command = [sys.executable, "-c", COMPILED + program, *args]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout.strip(), done.stderr[-2000:]


def test_what_a_handler_raises_while_a_function_is_compiled_is_raised():
    assert in_child(WHEREVER, "cranelift") == (0, "", "")


def test_what_a_handler_raises_while_a_kernel_is_compiled_is_raised():
    assert in_child(KERNELS) == (0, "", "")


def test_a_compilation_that_is_interrupted_is_given_up():
    """LLVM takes many times as long for these loops: the call ends before there is code."""
    assert in_child(GIVEN_UP) == (0, "stopped []", "")
