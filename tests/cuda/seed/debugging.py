"""Rows of registers, debugging and speed."""

import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from numbra import cuda
from numbra.types import float32

from . import ROOT, raises, row, same, tool
from .mandelbrot import REGION, draw, draw_kernel, interpret


def registers(function, *arrays, **options):
    """Of a kernel, after a launch of one thread."""
    kernel = cuda.jit(function, **options)
    kernel[1, 1](*arrays)
    count = kernel.get_regs_per_thread(next(iter(kernel.overloads)))
    assert isinstance(count, int)
    return count


def mixed(x, y):
    """Integers and floats."""
    a = y[0]
    b = 2.0
    c = y[1] / 6
    d = y[2] % 8
    e = y[3] * y[4]
    for _ in range(a):
        a += 2
        b -= c
        e *= d
        x[0] += a * b + c * d - e


@row("8.015", gpu=True)
def speed_of_mandelbrot():
    """the CPU is 50 times as fast as CPython, the GPU faster than the CPU"""

    def seconds(call, pixels, calls=20):
        # Some calls until the code of the second tier has taken the place of the first.
        times = []
        for _ in range(calls):
            began = time.perf_counter()
            call()
            times.append(time.perf_counter() - began)
        return min(times) / pixels

    def launch():
        draw_kernel[(48, 128), (32, 8)](*REGION, device, 20)
        cuda.synchronize()

    small, large = np.zeros((100, 150), np.uint8), np.zeros((1024, 1536), np.uint8)
    device = cuda.to_device(large)

    slow = seconds(lambda: interpret(small, 20), small.size, calls=3)
    cpu = seconds(lambda: draw(*REGION, large, 20), large.size)
    gpu = seconds(launch, large.size)
    assert slow > 50 * cpu, f"the CPU is {slow / cpu:.0f} times as fast as CPython"
    assert gpu < cpu, f"{gpu * 1e9:.2f} ns a point on the GPU, {cpu * 1e9:.2f} on the CPU"


@row("8.134", gpu=True)
def registers_of_widening():
    """a widened sum takes more registers than a narrow one"""

    def wide(x, y):
        x[0] += y[0] + 2.0

    def narrow(x, y):
        x[0] += y[0] + float32(2.0)

    x, y = np.ones(1, np.float32), np.ones(1, np.float32)
    assert registers(wide, x, y) > registers(narrow, x, y)


@row("8.136", gpu=True)
def a_limit_of_registers():
    """max_registers=24 is kept, and 20 is no error"""
    x, y = np.zeros(1, np.int64), np.ones(5, np.int64)
    assert registers(mixed, x, y, max_registers=24) <= 24
    assert registers(mixed, x, y, max_registers=20) <= 24


@row("8.137", device=True)
def counting_registers():
    """get_regs_per_thread gives a number, by signature and for all"""
    kernel = cuda.jit(mixed)
    kernel[1, 1](np.zeros(1, np.int64), np.ones(5, np.int64))
    counts = kernel.get_regs_per_thread()
    assert list(counts) == list(kernel.overloads) and all(isinstance(count, int) for count in counts.values())
    assert 0 < next(iter(counts.values())) <= 255


@row("8.150", device=True)
def division_by_zero():
    """debug=True raises ZeroDivisionError; without it nothing is raised"""

    def reciprocal(x):
        i = cuda.grid(1)
        if i < x.shape[0]:
            x[i] = 1 / x[i]

    x = np.zeros(10)
    cuda.jit(reciprocal)[1, 32](x)
    assert np.isinf(x).all()
    raises(ZeroDivisionError, "", cuda.jit(reciprocal, debug=True, opt=False)[1, 32], np.zeros(10))


@row("8.151", device=True)
def the_place_of_an_error():
    """the message names function, line, thread and block"""

    @cuda.jit(debug=True, opt=False)
    def kernel(x):
        i = cuda.grid(1)
        if i == 300:
            x[i] = 1 / x[i]

    error = raises(ZeroDivisionError, "division by zero", kernel[4, 128], np.zeros(512))
    assert "tid=[0, 0, 44] ctaid=[0, 0, 2]" in str(error), str(error)


OVERRUN = """
import numpy as np
from numbra import cuda
@cuda.jit(OPTIONS)
def add_1(x):
    i = cuda.grid(1)
    if i > x.shape[0]:
        return
    x[i] += 1  # the line
array = cuda.to_device(np.zeros(10))
add_1[1, 32](array)
cuda.synchronize()
"""


def sanitized(options):
    """What compute-sanitizer says of an access behind the end."""
    program = tool("compute-sanitizer")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "overrun.py"
        path.write_text(OVERRUN.replace("OPTIONS", options))
        command = [program, "--tool", "memcheck", sys.executable, "-W", "ignore", str(path)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
        return ran.stdout + ran.stderr


@row("8.152", gpu=True)
def overruns():
    """compute-sanitizer names the access, the thread and the kernel"""
    text = sanitized("")
    assert "Invalid __global__ read of size 8" in text, text[-2000:]
    assert "thread (10,0,0) in block (0,0,0)" in text and "add_1" in text, text[-2000:]


@row("8.153", gpu=True)
def lines_of_overruns():
    """with lineinfo it names the line as well"""
    text = sanitized("lineinfo=True")
    line = next(n for n, line in enumerate(OVERRUN.splitlines(), 1) if "the line" in line)
    assert f"overrun.py:{line}" in text, text[-2000:]


@row("8.154", gpu=True)
def gdb():
    """cuda-gdb stops at a line of a kernel and lists it"""
    program = tool("cuda-gdb")
    source = OVERRUN.replace("OPTIONS", "debug=True, opt=False")
    line = next(n for n, line in enumerate(source.splitlines(), 1) if "the line" in line)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "overrun.py"
        path.write_text(source)
        commands = ["set breakpoint pending on", f"break overrun.py:{line}", "run", "bt", "list", "kill", "quit"]
        options = [word for text in commands for word in ("-ex", text)]
        command = [program, "-batch", *options, "--args", sys.executable, "-W", "ignore", str(path)]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert "add_1" in ran.stdout and "# the line" in ran.stdout, (ran.stdout + ran.stderr)[-2000:]


@row("8.155", device=True)
def a_debug_kernel():
    """cos under debug gives the right number"""

    @cuda.jit("void(float32[::1])", debug=True, opt=False)
    def kernel(x):
        y = x[0]
        y = math.cos(y)
        x[0] += y

    x = np.ones(1, np.float32)
    kernel[1, 1](x)
    same(x, [1 + math.cos(1)], rtol=1e-6)


@row("8.156", device=True)
def fast_functions():
    """fastmath is near the exact result"""

    def kernel(x):
        y = math.cos(x[0])
        y = math.sqrt(y)
        x[0] = y * 1.2

    for fastmath in (False, True):
        x = np.ones(1, np.float32)
        cuda.jit(kernel, fastmath=fastmath, lineinfo=True)[1, 1](x)
        same(x, [math.sqrt(math.cos(1)) * 1.2], rtol=1e-5 if fastmath else 1e-6)


@row("8.157", device=True)
def exceptions():
    """raise and assert in device functions reach the host, and the context works on"""

    @cuda.jit(device=True, debug=True, opt=False)
    def check(x):
        if x < 0:
            raise ValueError("negative")
        assert x < 10
        return x

    @cuda.jit(debug=True, opt=False)
    def kernel(x):
        x[0] = check(x[0]) + 1

    raises(ValueError, "negative", kernel[1, 1], np.array([-1.0]))
    raises(AssertionError, "", kernel[1, 1], np.array([11.0]))
    x = np.array([1.0])
    kernel[1, 1](x)
    same(x, [2])


@row("8.162", gpu=True)
def profilers():
    """the programs of the examples run under compute-sanitizer without an error"""
    program = tool("compute-sanitizer")
    example = ROOT / "examples" / "cuda" / "heat.py"
    command = [program, "--error-exitcode", "9", sys.executable, str(example), "--size", "64"]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=300, env=dict(os.environ))
    assert ran.returncode == 0 and "0 errors" in ran.stdout, (ran.stdout + ran.stderr)[-1500:]
