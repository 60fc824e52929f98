"""Rows of the language in kernels: statements, functions of Python, pickled kernels."""

import contextlib
import linecache
import math
import os
import pickle
import subprocess
import sys

import numbra as nb
import numpy as np
from numbra import cuda
from numbra.core.errors import UnsupportedError

from . import ROOT, SIMULATED, Skipped, library, raises, row, same


@row("8.002")
def statements():
    """if, for, while, break, continue, calls; raise and assert without debug do nothing"""

    @cuda.jit(device=True)
    def twice(x):
        return 2 * x

    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        total = 0
        for k in range(10):
            if k == 2:
                continue
            elif k == 7:
                break
            total += k
        while total > 10 + i:
            total -= 1
        assert total >= 0
        if total < 0:
            raise ValueError("negative")
        x[i] = twice(total)

    x = np.zeros(4, np.int64)
    kernel[1, 4](x)
    same(x, [20, 22, 24, 26])


@row("8.003")
def builtins():
    """abs, enumerate, len, min, max, range, round, zip in kernels"""

    @cuda.jit
    def kernel(x, y, out):
        out[0] = abs(x[0])
        out[1] = len(x)
        out[2] = min(x[0], x[1], x[2])
        out[3] = max(x[1], 2)
        total = 0.0
        for i, v in enumerate(x):
            total += i * v
        out[4] = total
        total = 0.0
        for a, b in zip(x, y):  # noqa: B905
            total += a * b
        out[5] = total
        out[6] = round(x[2])
        out[7] = int(x[2]) + float(True) + bool(x[0])

    x, y, out = np.array([-1.5, 3.0, 2.6]), np.array([1.0, 2.0, 3.0]), np.zeros(8)
    kernel[1, 1](x, y, out)
    same(out, [1.5, 3, -1.5, 3, 8.2, 12.3, 3, 4], rtol=1e-15)


@row("8.004")
def types():
    """int, bool, float, complex, tuples and None as arguments; tuples as results of device functions"""

    @cuda.jit(device=True)
    def both(x):
        return x + 1, x * 2

    @cuda.jit
    def kernel(i, b, f, c, t, n, out):
        first, second = both(i)
        out[0] = first + second * 1j
        out[1] = c * f if b else 0
        out[2] = t[0] + t[1][1]
        out[3] = 1 if n is None else 2

    out = np.zeros(4, np.complex128)
    kernel[1, 1](3, True, 0.5, 2 + 4j, (1, (2.0, 3.0)), None, out)
    same(out, [4 + 6j, 1 + 2j, 4, 1])


@row("8.024")
def sums_of_arrays():
    """x.sum() and x.mean() work in kernels"""

    @cuda.jit
    def kernel(x, out):
        out[0] = x.sum()
        out[1] = x.mean()

    x, out = np.arange(10.0), np.zeros(2)
    kernel[1, 1](x, out)
    same(out, [45, 4.5])


@row("8.025")
def no_configuration():
    """a kernel called like a function says that it has no launch configuration"""

    @cuda.jit
    def kernel(x):
        x[0] = 1

    raises((ValueError, RuntimeError), "onfig", kernel, np.zeros(1))


@nb.njit
def clamp(x, low, high):
    """Of both sides."""
    return min(max(x, low), high)


@row("8.036")
def functions_of_the_cpu():
    """an njit function in a kernel gives what it gives on the host"""

    @cuda.jit
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = clamp(x[i], -1.0, 0.5)

    x = np.linspace(-2, 2, 33)
    out = np.zeros_like(x)
    kernel[2, 32](x, out)
    same(out, [clamp(v, -1.0, 0.5) for v in x])


@cuda.jit("void(float64[::1])")
def frozen(x):
    """Compiled when it is made."""
    i = cuda.grid(1)
    if i < x.size:
        x[i] += 1


@row("8.038", device=True)
def pickling():
    """kernels are pickled before and after they were compiled, by pickle and by cloudpickle"""
    pickles = [pickle]
    with contextlib.suppress(Skipped):
        pickles.append(library("cloudpickle"))
    for module in pickles:

        def local(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] *= 2

        lazy = cuda.jit(local)
        for kernel, want in ((frozen, [2.0, 3.0]), (lazy, [2.0, 4.0]), (lazy, [2.0, 4.0])):
            kernel[1, 32](np.zeros(2))
            x = np.array([1.0, 2.0])
            pickle.loads(module.dumps(kernel))[1, 32](x)
            same(x, want)


@row("8.039")
def workers():
    """a function with a kernel runs in another process"""
    program = ROOT / "examples" / "cuda" / "shared_code.py"
    ran = subprocess.run([sys.executable, str(program), "--size", "64"], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "in a worker: equal" in ran.stdout


@row("8.040")
def cells():
    """a kernel of a notebook's cell compiles: its source is in linecache only"""
    source = "@cuda.jit\ndef kernel(x):\n    x[cuda.grid(1)] = 7\n"
    name = "<ipython-input-1-1ae6c289554e>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    space = {"cuda": cuda, "__name__": "__main__"}
    exec(compile(source, name, "exec"), space)
    x = np.zeros(2)
    space["kernel"][1, 2](x)
    same(x, [7, 7])


@row("8.059", device=True)
def allocation():
    """arrays cannot be made in kernels, which the error says"""

    @cuda.jit
    def kernel(x):
        x[0] = np.zeros(3)[x[1]]

    raises(UnsupportedError, "allocation", kernel[1, 1], np.zeros(2, np.int64))


@row("8.061")
def python_of_gpus():
    """math, cmath, operators and tuples in kernels"""
    import cmath

    @cuda.jit
    def kernel(x, z):
        t = (x[0], x[1])
        x[2] = math.hypot(*t) if t[0] > 0 else math.exp(t[1])
        x[3] = x[0] ** 2 % 5 // 1 + (7 & 3) + (1 << 4) - (not x[0])
        z[0] = cmath.exp(z[0])
        z[1] = cmath.sqrt(z[1])

    x, z = np.array([3.0, 4.0, 0, 0]), np.array([1j, -4 + 0j])
    kernel[1, 1](x, z)
    same(x, [3, 4, 5, 23], rtol=1e-15)
    same(z, [cmath.exp(1j), 2j], rtol=1e-14, atol=1e-15)


@row("8.161")
def printing():
    """print of strings and numbers arrives after a synchronization"""
    code = (
        "from numbra import cuda\n"
        "@cuda.jit\n"
        "def kernel():\n"
        "    i = cuda.grid(1)\n"
        "    if i == 3:\n"
        "        print('thread', i, 2.5, True)\n"
        "kernel[1, 32]()\n"
        "cuda.synchronize()\n"
    )
    env = {**os.environ, "NUMBA_ENABLE_CUDASIM": str(int(SIMULATED))}
    ran = subprocess.run([sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, env=env)
    assert ran.returncode == 0, ran.stderr
    words = ran.stdout.split()
    assert words[:2] == ["thread", "3"] and float(words[2]) == 2.5 and len(words) == 4, ran.stdout


@row("8.186")
def functions_of_math():
    """isnan and isinf of integers, modf, frexp, ldexp"""

    @cuda.jit
    def kernel(x, n, out):
        out[0] = math.isnan(n) + math.isinf(n)
        out[1], out[2] = math.modf(x)
        out[3], out[4] = math.frexp(x)
        out[5] = math.ldexp(x, 3)

    out = np.ones(6)
    kernel[1, 1](6.25, 3, out)
    same(out, [0, 0.25, 6, 0.78125, 3, 50])
