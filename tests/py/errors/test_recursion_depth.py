"""Recursion ends with the stack, by RecursionError; Numba's ends the process."""

import os
import subprocess
import sys
import threading

import numpy as np
import pytest
from numbra import njit, prange
from numbra.core.runtime import rtsys

TIERS = ["cranelift", "llvm"]
ENDLESS = 1 << 62


def make_plain(**options):
    """A function in numbers alone, which has no status."""

    @njit(**options)
    def plain(n):
        if n <= 0:
            return 0
        return 3 * plain(n - 1) + n

    return plain


def make_raising(**options):
    @njit(**options)
    def raising(n):
        if n < 0:
            raise ValueError("negative")
        if n == 0:
            return 0
        return 3 * raising(n - 1) + n

    return raising


def make_arrays(**options):
    """Holds references while it calls itself."""

    @njit(**options)
    def arrays(n):
        if n == 0:
            return 0.0
        a = np.full(3, float(n))
        return arrays(n - 1) * 0.5 + a[1]

    return arrays


def make_mutual(**options):
    @njit(**options)
    def first(a, n):
        if n <= 0:
            return 0
        a[0] += 1
        return 3 * second(a, n - 1) + n

    @njit(**options)
    def second(a, n):
        return first(a, n) * 5 - 1

    @njit(**options)
    def mutual(n):
        return first(np.zeros(1, np.int64), n)

    return mutual


def make_looping(**options):
    """Calls itself from a loop, with a generator and a call between."""

    @njit(**options)
    def numbers(n):
        yield 0
        if n > 1:
            yield 1

    @njit(**options)
    def looping(n):
        if n <= 0:
            return 0
        s = 0
        for i in numbers(2):
            s = 3 * s + looping(n - 1) + i
            if s > 10:
                return n
        return s

    return looping


def make_closures(**options):
    @njit(**options)
    def closures(n):
        def inner(m):
            return closures(m - 1) * 3 + m

        return 0 if n <= 0 else inner(n)

    return closures


def make_values(**options):
    """A function that is handed itself."""

    @njit(**options)
    def step(f, n):
        if n <= 0:
            return 0
        return 3 * f(f, n - 1) + n

    @njit(**options)
    def values(n):
        return step(step, n)

    return values


def make_parallel(**options):
    """Calls itself in the threads of the pool."""

    @njit(**options)
    def below(n):
        if n <= 0:
            return 0
        return 3 * below(n - 1) + n

    @njit(parallel=True, **options)
    def parallel(n):
        a = np.zeros(64, np.int64)
        for i in prange(64):
            a[i] = below(n)
        return a[1]

    return parallel


def make_parallel_in_itself(**options):
    @njit(parallel=True, **options)
    def within(n):
        if n <= 0:
            return 0
        a = np.zeros(64, np.int64)
        for i in prange(64):
            a[i] = within(n - 1) if i == 7 else i
        return a[7] + 1

    return within


MAKERS = [
    make_plain,
    make_raising,
    make_arrays,
    make_mutual,
    make_looping,
    make_closures,
    make_values,
    make_parallel,
    make_parallel_in_itself,
]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("make", MAKERS)
def test_endless_recursion_raises(make, tier):
    f = make(tier=tier)
    python = f.py_func
    assert f(5) == python(5)
    for _ in range(3):
        with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
            f(ENDLESS)
        assert f(5) == python(5)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("make", MAKERS)
def test_in_a_thread_with_a_small_stack(make, tier):
    f = make(tier=tier)
    value = f(3)
    seen = []

    def run():
        for n in (3, ENDLESS, 3):
            try:
                seen.append(f(n))
            except RecursionError as error:
                seen.append(str(error))

    before = threading.stack_size(256 << 10)
    try:
        thread = threading.Thread(target=run)
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()
    assert seen == [value, "maximum recursion depth exceeded", value]


@pytest.mark.parametrize("tier", TIERS)
def test_nothing_leaks(tier):
    f = make_arrays(tier=tier)
    f(3)
    before = rtsys.get_allocation_stats()
    with pytest.raises(RecursionError):
        f(ENDLESS)
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free > 100


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("make", [make_plain, make_raising, make_arrays])
def test_handlers_of_compiled_code_see_it(make, tier):
    f = make(tier=tier)

    @njit(tier=tier)
    def caught(n):
        try:
            return f(n) * 1.0
        except Exception:
            return -1.0

    @njit(tier=tier)
    def within(n):
        try:
            return within(n - 1) + 1
        except Exception:
            return 0

    assert caught(5) == f(5)
    assert caught(ENDLESS) == -1.0
    assert caught(5) == f(5)
    assert within(0) > 1000


@pytest.mark.parametrize("tier", TIERS)
def test_deep_recursion_that_fits_goes_on(tier):
    @njit(tier=tier)
    def depth(a, n):
        if n == 0:
            return 0
        a[n & 7] ^= n
        return depth(a, n - 1) * 3 + 1

    value = 0
    for _ in range(40_000):
        value = (value * 3 + 1) % (1 << 64)
    assert depth(np.zeros(8, np.int64), 40_000) % (1 << 64) == value


LARGE = """
import sys, threading
from numbra import njit

@njit(tier=sys.argv[1])
def f(n):
    if n <= 0:
        return 0
    return (f(n - 1) ^ n) * 3

def depth():
    n = 1 << 10
    while True:
        try:
            f(n)
        except RecursionError:
            return n
        n *= 2

small = depth()
threading.stack_size(256 << 20)
seen = []
thread = threading.Thread(target=lambda: seen.append(depth()))
thread.start()
thread.join()
print(small, seen[0])
"""


@pytest.mark.parametrize("tier", TIERS)
def test_large_stacks_are_used(tier):
    command = [sys.executable, "-c", LARGE, tier]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    small, large = map(int, done.stdout.split())
    assert large >= 8 * small


SMALLEST = """
import sys, threading
import numbra as nb

def same(n):
    return n

@nb.njit(tier=sys.argv[1])
def deep(n):
    if n == 0:
        with nb.objmode(r="int64"):
            r = same(7)
        return r
    return deep(n - 1) + 1

assert deep(2) == 9
answers = []

def run():
    for n in range(1, 900, 7):
        try:
            answers.append(deep(n) == n + 7)
        except RecursionError:
            answers.append(None)

for size in (56, 64, 96, 192):
    threading.stack_size(size << 10)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
# LLVM makes a loop of it.
assert len(answers) == 4 * 129 and False not in answers and True in answers
"""


@pytest.mark.parametrize("tier", TIERS)
def test_python_is_called_at_every_depth_of_small_stacks(tier):
    """CPython 3.14 and later end the process where they are called with too little of the stack left."""
    command = [sys.executable, "-c", SMALLEST, tier]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


CACHED = """
from numbra import njit

@njit(cache=True)
def f(n):
    if n < 0:
        raise ValueError("negative")
    return 0 if n == 0 else 3 * f(n - 1) + n

assert f(4) == 58
try:
    f(1 << 62)
except RecursionError:
    print(sum(f.stats.cache_hits.values()))
"""


def test_cached_code(tmp_path):
    script = tmp_path / "cached.py"
    script.write_text(CACHED)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    for hits in ("0", "1"):
        command = [sys.executable, str(script)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)
        assert (done.stdout.strip(), done.stderr) == (hits, "")


def make_large_frame(**options):
    """Keeps 12 tuples of 600 numbers in its frame: more than the end of any stack leaves."""
    width, count = 600, 12
    tuples = [f"    t{k} = t[{k}:] + t[:{k}]" for k in range(1, count)]
    terms = " + ".join(f"t{k}[n % {width}]" for k in range(1, count))
    call = "    r = f(t, n - 1) if n > 0 else 0.0"
    scope = {}
    exec("\n".join(["def f(t, n):", *tuples, call, f"    return r * 0.5 + {terms}"]), scope)
    scope["f"] = njit(**options)(scope["f"])
    return scope["f"]


LARGE_FRAME = r"""
import re, sys, threading
import numpy as np
sys.path.insert(0, sys.argv[2])
from test_recursion_depth import make_large_frame

f = make_large_frame(tier=sys.argv[1])
a = tuple(np.random.default_rng(1).random(600).tolist())
value = f(a, 3)
assert value == f.py_func(a, 3)
seen = []

def run():
    for n in (0, 1 << 62, 3, 1 << 62):
        try:
            seen.append(f(a, n))
        except RecursionError as error:
            seen.append(str(error))

full = "maximum recursion depth exceeded"
run()
assert seen[1:] == [full, value, full], seen
if sys.argv[1] == "llvm":
    # Who calls it looks before, so it stays a function of its own where there are optimisations.
    (text,) = f.inspect_llvm().values()
    attributes = re.search(r"@f\.large\(.*\) (#\d+) \{", text)[1]
    assert re.search(f"^attributes {attributes} = .* noinline ", text, re.MULTILINE), attributes
for size in (64, 128, 256, 512, 1024):
    seen.clear()
    threading.stack_size(size << 10)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen[1] == seen[3] == full and seen[2] in (full, value), (size, seen)
print("ok")
"""


@pytest.mark.parametrize("tier", TIERS)
def test_frames_larger_than_the_end_of_a_stack(tier):
    command = [sys.executable, "-c", LARGE_FRAME, tier, os.path.dirname(__file__)]
    # LLVM's optimisations take half a minute of so many stores, and make frames smaller.
    environment = {**os.environ, "NUMBRA_OPT": "0"}
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, env=environment)
    assert (done.stdout.strip(), done.returncode) == ("ok", 0), done.stderr[-2000:]


NATIVES = """
import sys, threading
import numpy as np
from numbra import njit

@njit(tier=sys.argv[1])
def all_of(m, z, a):
    s = np.linalg.svd(m)[1][0] + np.linalg.eigh(m)[0][0] + np.linalg.inv(m)[0, 0] + np.linalg.qr(m)[1][0, 0]
    s += np.linalg.eigvals(z)[0].real + np.linalg.lstsq(m, m)[0][0, 0] + np.linalg.pinv(m)[0, 0] + np.linalg.det(m)
    s += np.dot(m, m)[0, 0] + np.median(a) + np.sort(a)[0] + np.argsort(a)[0] + np.unique(a)[0] + np.std(a[::2])
    return s

@njit(tier=sys.argv[1])
def deep(m, z, a, n):
    if n == 0:
        return all_of(m, z, a)
    return deep(m, z, a, n - 1) + 1.0

random = np.random.default_rng(1)
m = random.random((120, 120))
m = m + m.T
z = m + 1j * m[::-1]
a = random.random(5000)
value = all_of(m, z, a)

def end():
    # As deep as goes.
    low, high = 0, 1 << 24
    while high - low > 1:
        middle = (low + high) // 2
        try:
            deep(m, z, a, middle)
            low = middle
        except RecursionError:
            high = middle
    seen.append(deep(m, z, a, 0))
    seen.append(low)

deep(m, z, a, 1)
for size in (64, 128, 256, 512):
    seen = []
    threading.stack_size(size << 10)
    thread = threading.Thread(target=end)
    thread.start()
    thread.join()
    assert seen[0] == value and seen[1] > 0, (size, seen, value)
print("ok")
"""


@pytest.mark.parametrize("tier", TIERS)
def test_natives_have_stack_where_little_is_left(tier):
    command = [sys.executable, "-c", NATIVES, tier]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.stdout.strip(), done.returncode) == ("ok", 0), done.stderr[-2000:]


SMALL_STACKS = """
import sys, threading
import numpy as np
from numbra import njit

seen = []
for size in (32 if sys.version_info < (3, 15) else 52, 64, 96, 128, 512):
    f = njit(tier=sys.argv[1])(lambda x: np.linalg.inv(np.eye(3) * x)[0, 0] + np.sort(np.ones(3))[0])
    threading.stack_size(size << 10)
    thread = threading.Thread(target=lambda: seen.append(f(2.0)))
    thread.start()
    thread.join()
print(seen)
"""


@pytest.mark.parametrize("tier", TIERS)
def test_functions_are_compiled_in_threads_with_small_stacks(tier):
    command = [sys.executable, "-c", SMALL_STACKS, tier]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert (done.stdout.strip(), done.returncode) == ("[1.5, 1.5, 1.5, 1.5, 1.5]", 0), done.stderr[-2000:]
