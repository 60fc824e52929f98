"""Programs that run for long or for ever until they are interrupted; for the tests and the measurement."""

import os
import signal
import subprocess
import sys
import time

# Each has `work(go)`: a short run for False, one of ten seconds or without an end for True.
PROGRAMS = {
    "while": """
@nb.njit
def f(stop):
    x = 0
    while x != stop:
        x += 1
        if x > 1000:
            x = 1
    return x
def work(go):
    return f(-1 if go else 5)
""",
    "float range": """
@nb.njit
def f(n):
    s = 0.0
    for i in range(n):
        s += i * 0.5
    return s
def work(go):
    return f(10**14 if go else 5)
""",
    "vectors": """
@nb.njit
def f(n, a):
    s = 0
    for k in range(n):
        for i in range(a.shape[0]):
            s += a[i]
    return s
A = np.arange(1000)
def work(go):
    return f(10**12 if go else 3, A)
""",
    "long rows": """
@nb.njit
def f(n, a):
    s = 1.0
    for k in range(n):
        for i in range(a.shape[0]):
            s = a[i] / (s + 1.0)
    return s
A = np.ones(8_000_000)
def work(go):
    return f(10**8 if go else 1, A)
""",
    "rows longer than the limit": """
@nb.njit
def f(n, a):
    s = 0.0
    for k in range(n):
        for i in range(a.shape[0]):
            s += a[i]
    return s
A = np.zeros(400_000_000)  # read, never written: they take no memory
def work(go):
    return f(10**8, A) if go else f(1, A[:5])
""",
    "rows that end at a mark": """
@nb.njit
def f(n, a):
    s = 0.0
    for k in range(n):
        i = 0
        while a[i] >= 0.0:
            s += np.tan(np.sin(a[i])) * np.exp(-a[i]) + np.log(1.0 + a[i])
            i += 1
    return s
A = np.ones(20_000_000)
A[-1] = -1.0
def work(go):
    return f(10**8, A) if go else f(1, A[-5:])
""",
    "long temporaries": """
@nb.njit
def f(n, a):
    for k in range(n):
        a = a + 1.0
    return a[0]
A = np.ones(30_000_000)
def work(go):
    return f(10**8, A) if go else f(1, A[:5])
""",
    "one long row of look-ups": """
@nb.njit
def f(n, a, at):
    s = 0.0
    for k in range(n):
        for i in range(at.shape[0]):
            s += a[at[i]]
    return s
A = np.ones(1000)
def work(go):
    return f(3, A, np.broadcast_to(np.arange(1), 10**13 if go else 5))
""",
    "elements that are one": """
@nb.njit
def f(n, a, b):
    for k in range(n):
        for i in range(a.shape[0]):
            b[i % 8] = a[i] - b[(i + 1) % 8]
    return b[0]
A = np.ones(1)
def work(go):
    return f(3, np.broadcast_to(A, 10**13 if go else 5), np.ones(8))
""",
    "one long row in prange": """
@nb.njit(parallel=True)
def f(a, b):
    for r in nb.prange(b.shape[0]):
        s = 0.0
        for i in range(a.shape[0]):
            s += a[i]
        b[r] = s
    return b[0]
A = np.ones(1)
def work(go):
    return f(np.broadcast_to(A, 10**13 if go else 5), np.ones(2))
""",
    "ragged rows": """
@nb.njit
def f(n, at, y, x, starts):
    for k in range(n):
        for r in range(starts.shape[0] - 1):
            s = 0.0
            for i in range(starts[r], starts[r + 1]):
                s += y[i] * x[at[i]]
            x[r] = s
    return x[0]
def work(go):
    rows, length = (30, 200_000) if go else (3, 5)
    at = np.random.default_rng(1).integers(0, 1000, rows * length)
    return f(10**9 if go else 1, at, np.ones(at.size), np.ones(1000), np.arange(rows + 1) * length)
""",
    "nested": """
@nb.njit
def f(n, m):
    s = 0.0
    for i in range(n):
        for j in range(m):
            s += (i ^ j) % 7
    return s
def work(go):
    return f(3, 10**13 if go else 3)
""",
    "inclusive and down": """
@nb.njit
def f(n):
    s = 0.0
    i = n
    while i >= 0:
        s += i * 0.25
        i -= 2
    return s
def work(go):
    return f(10**14 if go else 8)
""",
    "iteration": """
@nb.njit
def f(x, eps):
    n = 0
    while abs(x) > eps:
        x = -x * 0.5 if n & 1 else -2.0 * x
        n += 1
    return n
def work(go):
    return f(1.0, 0.1 if go else 3.0)
""",
    "recursion": """
@nb.njit
def f(n):
    return n if n < 2 else f(n - 1) + f(n - 2)
def work(go):
    return f(90 if go else 10)
""",
    "recursion with effects": """
@nb.njit
def f(n, a):
    a[n] += 1
    return n if n < 2 else f(n - 1, a) + f(n - 2, a)
A = np.zeros(100)
def work(go):
    return f(90 if go else 10, A)
""",
    "calls": """
@nb.njit
def g(x, n):
    s = 0.0
    for i in range(n):
        s += x / (i + 1)
    return s
@nb.njit
def f(n):
    s = 0.0
    for i in range(n):
        s += g(s, i % 10) - g(s, i % 11)
    return s
def work(go):
    return f(10**13 if go else 10)
""",
    "arrays are released": """
@nb.njit
def f(n):
    s = 0.0
    for i in range(n):
        a = np.ones(100)
        b = a * i
        s += b.sum() + a[3]
    return s
def work(go):
    return f(10**13 if go else 10)
""",
    "handlers do not see it": """
@nb.njit
def g(n):
    s = 0
    for i in range(n):
        s ^= i
    return s
@nb.njit
def f(n):
    try:
        s = g(n)
        for i in range(n):
            s ^= i
    except Exception:
        return -1
    return s
def work(go):
    return f(10**14 if go else 10)
""",
    "generator": """
@nb.njit
def g(n):
    for i in range(n):
        yield i * 0.5
@nb.njit
def f(n):
    s = 0.0
    for x in g(n):
        s += x
    return s
def work(go):
    return f(10**13 if go else 10)
""",
    "generator from Python": """
@nb.njit
def f(n):
    s = 0
    while True:
        s = (s * 5 + 1) & 0xffff
        if s == n:
            yield s
def work(go):
    return next(f(-1 if go else 6))
""",
    "nogil": """
@nb.njit(nogil=True)
def f(n):
    s = 0.0
    for i in range(n):
        s += i * 0.5
    return s
def work(go):
    return f(10**14 if go else 5)
""",
    "prange": """
@nb.njit(parallel=True)
def f(n):
    s = 0.0
    for i in nb.prange(n):
        s += i % 5
    return s
def work(go):
    return f(10**14 if go else 1000)
""",
    "nested prange": """
@nb.njit(parallel=True)
def f(n, m):
    s = 0.0
    for i in nb.prange(n):
        for j in nb.prange(m):
            s += (i + j) % 5
    return s
def work(go):
    return f(64, 10**13 if go else 1000)
""",
    "vectorize": """
@nb.vectorize(["float64(float64)"])
def u(x):
    while x > 0.5:
        x = x * 0.5 + 1.0
    return x
A = np.zeros(10000)
def work(go):
    A[7000:] = go
    return u(A)
""",
    "long vectorize": """
@nb.vectorize(["float64(float64)"])
def u(x):
    return np.exp(np.sin(x)) + np.tan(x)
A = np.lib.stride_tricks.as_strided(np.ones(1), (10**11,), (0,))
B = np.lib.stride_tricks.as_strided(np.ones(1), (10**11,), (0,))
def work(go):
    n = 10**11 if go else 100
    return u(A[:n], out=B[:n])[0]
""",
    "vectorize parallel": """
@nb.vectorize(["float64(float64)"], target="parallel")
def u(x):
    while x > 0.5:
        x = x * 0.5 + 1.0
    return x
A = np.zeros(1000000)
def work(go):
    A[500000:] = go
    return u(A)
""",
    "guvectorize": """
@nb.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
def u(a, out):
    s = 0.0
    i = 0
    while i < a.shape[0]:
        s += a[i]
        i += 1 if a[i] >= 0 else 0
    out[0] = s
A = np.ones((10, 20))
def work(go):
    A[3, 3] = -1.0 if go else 1.0
    return u(A)
""",
    "short rows": """
@nb.vectorize(["float64(float64)"])
def u(x):
    for k in range(1000):
        x = x * 0.5 + 1.0
    return x
A = np.ones((1_000_000, 4, 3))[:, ::2, ::2]
B = np.ones((1_000_000, 4, 3))[:, ::2, ::2]
def work(go):
    n = len(A) if go else 3
    return u(A[:n], out=B[:n])[:3]
""",
    "short rows, parallel": """
@nb.vectorize(["float64(float64, float64)"], target="parallel")
def u(x, y):
    for k in range(2000):
        x = x * 0.5 + y
    return x
A = np.ones((1_000_000, 4, 3))[:, ::2, ::2]
B = np.ones((1_000_000, 4, 3))[:, ::2, ::2]
def work(go):
    n = len(A) if go else 3
    return u(A[:n], A[:n, :, :1], out=B[:n])[:3]
""",
    "short rows, guvectorize": """
@nb.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
def u(a, out):
    s = 0.0
    for k in range(300):
        for i in range(a.shape[0]):
            s = s * 0.5 + a[i]
    out[0] = s
A = np.ones((1_000_000, 4, 5, 3))[:, ::2, ::2, :]
B = np.ones((1_000_000, 4, 5))[:, ::2, ::2]
def work(go):
    n = len(A) if go else 3
    return u(A[:n], out=B[:n])[:3]
""",
    "array expression": """
@nb.njit
def f(a, n):
    for k in range(n):
        a[:] = a * 0.5 + 1.0
    return a
A = np.ones(1000)
def work(go):
    return f(A, 10**12 if go else 2)
""",
    "handler set later": """
@nb.njit
def f(n):
    s = 0.0
    for i in range(n):
        for j in range(100):
            s += (i ^ j) % 3
    return s
f(10)
f(100000)
def work(go):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    return f(10**13 if go else 10)
""",
    "other threads": """
import threading
@nb.njit(nogil=True)
def f(n):
    s = 0
    while s != n:
        s = (s * 5 + 1) & 0xffff
    return s
threading.Thread(target=f, args=(-1,), daemon=True).start()
def work(go):
    return f(-1 if go else 6)
""",
}

_FRAME = """
import signal, sys, time
import numbra as nb
import numpy as np
from numbra._numbra import _allocation_counts
{program}
def allocated():
    made, freed = _allocation_counts()
    return made - freed
first = np.array(work(False)).tolist()
work(False)
before = allocated()
print("ready", flush=True)
try:
    work(True)
except KeyboardInterrupt:
    at = time.time()
else:
    sys.exit("it came to an end")
assert allocated() == before, (allocated(), before)
again = np.array(work(False)).tolist()
assert again == first or {changes}, (first, again)
print("interrupted", at, flush=True)
"""


def heed_interrupts():
    """For a new process: shells start what runs in the background with SIGINT ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def interrupt(name, tier=None, wait=0.5, timeout=60, python=sys.executable):
    """Runs a program, sends it SIGINT after a while, and gives the seconds until it had the exception."""
    program = PROGRAMS[name]
    changes = repr(name in ("array expression", "recursion with effects"))
    text = _FRAME.format(program=program, changes=changes)
    environment = dict(os.environ)
    if tier is not None:
        environment["NUMBRA_TIER"] = tier
    command = [python, "-c", text]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, **pipes, text=True, env=environment, preexec_fn=heed_interrupts) as child:
        try:
            line = child.stdout.readline()
            if line != "ready\n":
                child.kill()
                raise AssertionError(line + child.communicate()[1])
            time.sleep(wait)
            sent = time.time()
            child.send_signal(signal.SIGINT)
            out, err = child.communicate(timeout=timeout)
        except BaseException:
            child.kill()
            raise
    if child.returncode != 0 or not out.startswith("interrupted"):
        raise AssertionError(f"{name}: status {child.returncode}\n{out}{err}")
    return float(out.split()[1]) - sent
