"""Machine code of LLVM: small programs give CPython's values; stages, errors and environment of the second tier."""

import itertools
import json
import math
import os
import subprocess
import sys

import numbra as nb
import numpy as np
import pytest
from numbra.core import config, errors


def collatz(n):
    steps = 0
    while n != 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def horner(x):
    return ((2.5 * x - 1.0) * x + 3.0) * x - 0.125


def mandelbrot(re, im):
    c = complex(re, im)
    z = 0j
    for i in range(50):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag > 4.0:
            return i
    return 50


def floor_division(a, b):
    return a // b, a % b, -a // b, a % -b


def dot(a, b):
    total = 0.0
    for i in range(a.shape[0]):
        total += a[i] * b[i]
    return total


def scaled(a, k):
    out = np.empty(a.shape[0])
    for i in range(a.shape[0]):
        out[i] = a[i] * k + i
    return out


def column_sums(a):
    out = np.zeros(a.shape[1])
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j] += a[i, j]
    return out


def sieve(n):
    composite = np.zeros(n, np.bool_)
    count = 0
    for i in range(2, n):
        if not composite[i]:
            count += 1
            for j in range(i * i, n, i):
                composite[j] = True
    return count


def waves(x):
    return math.sin(x) * math.exp(-x) + math.sqrt(abs(x)) - math.floor(x)


def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)


def pair(a, b):
    low, high = (a, b) if a < b else (b, a)
    return low, high, high - low


def maybe(flag, x):
    value = None
    if flag:
        value = x
    return value


def truncated(x):
    return int(x), round(x), bool(x), float(int(x))


def shifts(a, n):
    return a << n, a >> n, a & n, a | n, a ^ n, ~a


VECTOR = np.linspace(-3.0, 7.0, 103)
PROGRAMS = [
    (collatz, (27,)),
    (horner, (1.75,)),
    (mandelbrot, (-0.5, 0.6)),
    (mandelbrot, (0.5, 0.6)),
    (floor_division, (17, 5)),
    (floor_division, (-17.5, 4.0)),
    (dot, (VECTOR, VECTOR[::-1].copy())),
    (dot, (VECTOR[:-1:2], VECTOR[1::2])),
    (scaled, (VECTOR, 0.1)),
    (column_sums, (np.arange(24.0).reshape(4, 6).T,)),
    (sieve, (1000,)),
    (waves, (2.25,)),
    (pair, (4, 3)),
    (maybe, (True, 2.5)),
    (maybe, (False, 2.5)),
    (truncated, (-2.5,)),
    (shifts, (12345, 3)),
]


@pytest.mark.parametrize(("function", "args"), PROGRAMS, ids=lambda p: getattr(p, "__name__", None))
def test_values_are_those_of_cpython(same, function, args):
    same(function, *args, tier="llvm")


def test_recursion():
    @nb.njit(tier="llvm")
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    assert fib(20) == fibonacci(20)


def test_exceptions_and_counts():
    @nb.njit(tier="llvm")
    def checked(n, d):
        a = np.zeros(n)
        if n > 3:
            raise ValueError("too many")
        return a[0] + n // d

    live = nb._numbra._allocation_counts()
    assert checked(2, 1) == 2.0
    with pytest.raises(ValueError, match="too many"):
        checked(4, 1)
    with pytest.raises(ZeroDivisionError):
        checked(2, 0)
    after = nb._numbra._allocation_counts()
    assert after[0] - live[0] == after[1] - live[1]


def test_stages():
    f = nb.njit("float64(float64)", tier="llvm")(horner)
    assert "define double @horner(double" in f.inspect("llvm")
    assert "fmul double" in f.inspect("llvm-opt")
    (text,) = f.inspect_llvm().values()
    assert text == "; horner(x)\n" + f.inspect("llvm-opt")
    assert ".visible .func" in f.inspect("ptx")
    assert "mulsd" in f.inspect("asm")
    # The stages are there whoever made the machine code.
    assert "define double @horner(double" in nb.njit("float64(float64)")(horner).inspect("llvm")


def test_only_fastmath_reorders_sums():
    sig = "float64(float64[::1], float64[::1])"
    exact = nb.njit(sig, tier="llvm")(dot)
    fast = nb.njit(sig, tier="llvm", fastmath=True)(dot).inspect("llvm-opt")
    assert "fadd <" not in exact.inspect("llvm-opt")  # products may be vectors, sums keep their order
    assert "fadd fast <" in fast
    assert "x double>" in fast
    x, y = np.random.default_rng(1).normal(size=(2, 10_001)) * 10.0 ** np.arange(-3, 4).repeat(1429)[:10_001]
    for n in (0, 1, 7, 8, 31, 64, 10_001):
        assert exact(x[:n], y[:n]) == dot(x[:n], y[:n])


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_tests_for_zero_stay_exact(tier):
    @nb.njit(tier=tier)
    def inverses(a, b):
        total = 0.0
        for i in range(a.size):
            total += b[i] / a[i]
        return total

    @nb.njit(tier=tier)
    def remainders(a, b):
        total = 0
        for i in range(a.size):
            total += b[i] // a[i] + b[i] % a[i]
        return total

    rng = np.random.default_rng(2)
    for n in (0, 1, 5, 100, 1003):
        a, b = rng.integers(1, 50, (2, n)) * rng.choice([-1, 1], (2, n))
        for f, x, y in [(inverses, a.astype(float), b.astype(float)), (inverses, a, b), (remainders, a, b)]:
            assert f(x, y) == f.py_func(x, y)
            for at in {0, n // 2, n - 1} if n else ():
                zeroed = x.copy()
                zeroed[at] = 0
                with pytest.raises(ZeroDivisionError):
                    f(zeroed, y)


def test_elementwise_loops_vectorise():
    @nb.njit("void(float64[::1], float64[::1], float64)", tier="llvm")
    def axpy(x, y, a):
        for i in range(x.shape[0]):
            y[i] = a * x[i] + y[i]

    assert "x double>" in axpy.inspect("llvm-opt")


def test_unknown_tier():
    with pytest.raises(ValueError, match="no tier 'gcc'"):
        nb.njit(tier="gcc")(horner)


SCRIPT = """
import numbra as nb
@nb.njit
def f(x):
    return x * 2 + 1
print(f(20.25))
"""


def run(**env):
    return subprocess.run(
        [sys.executable, "-c", SCRIPT], env={**os.environ, **env}, capture_output=True, text=True, check=False
    )


def test_environment():
    assert run(NUMBRA_TIER="llvm").stdout == "41.5\n"
    # Loaded at first need only.
    assert run(NUMBRA_LLVM_LIBRARY="/nonexistent/llvm.so").stdout == "41.5\n"
    missing = run(NUMBRA_TIER="llvm", NUMBRA_LLVM_LIBRARY="/nonexistent/llvm.so")
    assert missing.returncode == 1
    assert "LLVM is not available" in missing.stderr
    assert "UnsupportedError" in missing.stderr


def test_config():
    assert config.TIER in {"cranelift", "llvm"}
    assert issubclass(errors.UnsupportedError, errors.NumbaError)


def test_command(tmp_path):
    file = tmp_path / "f.lir"
    file.write_text("function export @f(f64) -> (f64) {\nblock0(v0: f64):\n  v1 = fadd v0, v0\n  return v1\n}\n")
    for stage, expected in [("llvm", "fadd double"), ("llvm-opt", "fadd double"), ("ptx", "add.f64"), ("asm", "addsd")]:
        made = subprocess.run(
            [sys.executable, "-m", "numbra", str(file), "--to", stage], capture_output=True, text=True, check=True
        )
        assert expected in made.stdout, stage


def test_command_prints_remarks(tmp_path):
    f = nb.njit("int64(float64[::1], float64[::1])")(halve)
    file = tmp_path / "f.lir"
    file.write_text(f.inspect("lir"))
    command = [sys.executable, "-m", "numbra", str(file), "--to", "remarks"]
    text, data = (
        subprocess.run([*command, *more], capture_output=True, text=True, check=True).stdout
        for more in ([], ["--json"])
    )
    assert "loop in `halve`: vectorised by" in text
    remarks = [one for one in json.loads(data) if one["function"] == "halve"]
    (slow,) = [one for one in remarks if one["vectors"] is None]
    assert len(remarks) == 2 and slow["notes"][0]["text"]


def sorted_lists(a, n):
    items = [x * 2 for x in a if x > 1]
    items.append(n)
    items.sort()
    seen = set(items)
    return items, len(seen), np.array(items), np.unique(a), np.flip(a), a[a > n], np.cumsum(a)


def test_library_functions_and_lists():
    """Natives of the array functions, lists and sets, under both tiers."""
    a = np.array([3.0, 1.0, 2.0, 2.0, -1.0, 5.5])
    got = nb.njit(tier="llvm")(sorted_lists)(a, 1.5)
    want = nb.njit(tier="cranelift")(sorted_lists)(a, 1.5)
    python = sorted_lists(a, 1.5)
    for x, y, z in zip(got, want, python, strict=True):
        assert np.array_equal(x, y) and np.array_equal(x, z)


def raises(text, a, n):
    if n == 0:
        raise ValueError(text, a, (n, a[1:]))
    return n


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_arguments_of_exceptions(tier):
    with pytest.raises(ValueError) as caught:
        nb.njit(tier=tier)(raises)("text", np.arange(3), 0)
    text, a, (n, rest) = caught.value.args
    assert (text, n, a.tolist(), rest.tolist()) == ("text", 0, [0, 1, 2], [1, 2])


def halve(a, b):
    for i in range(a.size):
        b[i] = a[i] * 0.5
    n = 0
    x = b[0]
    while x > 1.0:
        x *= 0.5
        n += 1
    return n


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_remarks_say_which_loops_run_in_vectors_and_why_others_do_not(tier):
    f = nb.njit(tier=tier)(halve)
    assert f(np.arange(8.0), np.empty(8)) == 0
    (sig,) = f.signatures
    first = halve.__code__.co_firstlineno
    fast, slow = f.loop_remarks(sig)
    assert (fast.line, slow.line) == (first + 1, first + 5)
    assert fast.width > 1 and not fast.rare and fast.filename == __file__
    assert slow.width is None and slow.notes and all(line >= first + 5 for line, _ in slow.notes)
    text = f.inspect_remarks(sig)
    assert f"{__file__}:{first + 1}: loop in `halve`: vectorised by {fast.width}" in text
    assert f"{__file__}:{first + 5}: loop in `halve`: not vectorised\n" in text
    assert f.inspect_remarks() == {sig: text} and f.loop_remarks() == {sig: [fast, slow]}


def test_remarks_can_be_dumped(capsys, monkeypatch):
    monkeypatch.setattr(nb.config, "DUMP_REMARKS", 1)
    nb.njit("int64(float64[::1], float64[::1])", tier="llvm")(halve)
    out = capsys.readouterr().out
    assert "LOOP REMARKS halve" in out and "vectorised by" in out


def shifted(a, b, start, stop, step, by):
    for i in range(start, stop, step):
        b[i] = a[i - by] + 1


def neighbours(a, b, first):
    n, m = a.shape
    for i in range(first, n - 1):
        for j in range(first, m - 1):
            b[i, j] = a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1]


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_bounds_are_tested_once_and_what_a_failing_loop_wrote_stays(tier):
    def outcome(f, *args):
        args = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
        try:
            f(*args)
        except IndexError as error:
            return str(type(error)), args[1].tolist()
        return args[1].tolist()

    compiled = nb.njit(tier=tier, boundscheck=True)(shifted)
    a, b = np.arange(1, 10), np.zeros(7, np.int64)
    ends, steps = (-8, -7, -1, 0, 1, 6, 7, 9), (-(2**62), -3, -1, 1, 2, 5, 2**62)
    for start, stop, step, by in itertools.product(ends, ends, steps, (-3, 0, 1)):
        args = a, b, start, stop, step, by
        assert outcome(compiled, *args) == outcome(shifted, *args), args[2:]
    compiled = nb.njit(tier=tier, boundscheck=True)(neighbours)
    for n, m, rows, columns, first in itertools.product((0, 2, 5), (1, 4), (-1, 0, 1), (-1, 0, 1), (-1, 0, 1)):
        args = np.arange(float(n * m)).reshape(n, m), np.zeros((max(n + rows, 0), max(m + columns, 0))), first
        assert outcome(compiled, *args) == outcome(neighbours, *args), args


def test_a_loop_with_tested_bounds_has_no_guards():
    f = nb.njit("void(float64[:,::1], float64[:,::1], int64)", boundscheck=True)(neighbours)
    loops = f.loop_remarks(f.signatures[0])
    assert any(one.width and one.width > 1 and one.depth > 1 for one in loops if not one.rare)
    text = f.inspect("lir-opt")
    assert "guard" not in text.split("cold:")[0]


def into_new(a, b, c):
    out = np.empty(a.size)
    for i in range(a.size):
        out[i] = a[i] * b[i] + c[i]
    return out


def test_new_arrays_overlap_nothing():
    f = nb.njit("float64[::1](float64[::1], float64[::1], float64[::1])", tier="llvm")(into_new)
    a = np.arange(100.0)
    assert (f(a, a, a) == a * a + a).all()
    text = f.inspect("llvm-opt")
    assert "!noalias" in text and "vector.body" in text and "vector.memcheck" not in text


def quotients(a, b, out, n):
    total = 0.0
    for i in range(n):
        out[i] = a[i] / b[i]
        total += out[i]
    return total


def inverses(a, b, out, n):
    for i in range(n):
        out[i] = 1.0 / out[i] - a[i] / b[i]
    return 0.0


def shifted_quotients(a, b, out, n):
    for i in range(n - 1):
        out[i + 1] = a[i] / out[i]
    return 0.0


def new_quotients(a, b, out, n):
    made = np.empty(n)
    for i in range(n):
        made[i] = a[i] / b[i]
        out[i] = made[i]
    return made.sum()


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("function", [quotients, inverses, shifted_quotients, new_quotients])
def test_what_was_written_before_a_division_by_zero_stays(tier, function):
    compiled = nb.njit(tier=tier)(function)
    rng = np.random.default_rng(7)

    def outcome(f, memory, places, n):
        memory = memory.copy()
        arrays = [memory[start::step][:n] for start, step in places]
        try:
            result = f(*arrays, n)
        except ZeroDivisionError:
            result = "ZeroDivisionError"
        return result, memory.tobytes()

    for n in (1, 15, 16, 17, 40, 1023, 1024, 1025, 3000):
        far = ((0, 1), (n, 1), (2 * n, 1))
        for places in (far, far[::-1], ((0, 1), (1, 1), (2, 1)), ((2, 1), (1, 1), (0, 1)), ((0, 1), (5, 1), (5, 1)),
                       ((0, 1), (n, 1), (n + 20, 1)), ((0, 3), (1, 3), (2, 3)), ((0, 1), (3 * n - 1, -1), (n, 1)),
                       ((n + 2, 1), (2 * n - 1, -1), (0, 1))):  # fmt: skip
            for zero in (None, 0, n // 2, n - 1, n, 3 * n - 1):
                memory = rng.random(3 * n + 32) + 0.5
                if zero is not None:
                    memory[zero] = 0.0
                args = memory, places, n
                with np.errstate(all="ignore"):
                    assert outcome(compiled, *args) == outcome(python_floats(function), *args), (n, places, zero)


def python_floats(function):
    """The function on Python's floats, whose division by zero raises."""

    def run(*args):
        *arrays, n = args
        lists = [Floats(array) for array in arrays]
        return function(*lists, n)

    return run


class Floats:
    def __init__(self, array):
        self.array = array

    def __getitem__(self, i):
        return float(self.array[i])

    def __setitem__(self, i, value):
        self.array[i] = value


def test_loops_that_write_quotients_run_in_vectors():
    for function in (quotients, new_quotients):
        f = nb.njit("float64(float64[::1], float64[::1], float64[::1], int64)")(function)
        loops = [one for one in f.loop_remarks(f.signatures[0]) if not one.rare]
        # Of the tests, and of what is written.
        assert sum(1 for one in loops if one.depth >= 2 and one.width) >= 2, loops
