"""Rows of launches: grids, arguments, errors of launches, what a launch makes."""

import math
import os
import subprocess
import sys
import time

import numpy as np
from numbra import cuda, void
from numbra.core.errors import TypingError
from numbra.types import float32

from . import ON_CPU, SIMULATED, library, raises, row, same
from .mandelbrot import REGION, draw_kernel, interpret


@cuda.jit
def add(r, x, y):
    """One thread for each element."""
    i = cuda.grid(1)
    if i < len(r):
        r[i] = x[i] + y[i]


@row("8.050")
def grid_stride():
    """start at cuda.grid, step by cuda.gridsize: right for any grid"""

    @cuda.jit
    def vector_add(r, x, y):
        start = cuda.grid(1)
        step = cuda.gridsize(1)
        for i in range(start, len(r), step):
            r[i] = x[i] + y[i]

    x, y = np.arange(100.0), np.arange(100.0) * 3
    for grid, block in ((1, 1), (1, 32), (4, 32), (3, 50)):
        r = np.zeros(100)
        vector_add[grid, block](r, x, y)
        same(r, x + y)


@row("8.051")
def a_configuration_in_a_tuple():
    """draw_kernel[config] of one tuple of two tuples draws what the interpreter draws"""
    height, width = (12, 16) if SIMULATED else (40, 60)
    image = np.zeros((height, width), np.uint8)
    side = 8
    config = (width // side + 1, height // side + 1), (side, side)
    draw_kernel[config](*REGION, image, 20)
    want = np.zeros_like(image)
    interpret(want, 20)
    assert np.mean(image != want) < 0.01


@row("8.052")
def numbers_as_arguments():
    """floats arrive as float64, ints as int64, and the array comes back"""

    @cuda.jit
    def kernel(image, f, i):
        image[0, 0] = f
        image[0, 1] = i

    image = np.zeros((1, 2))
    kernel[1, 1](image, 0.1, 2**40)
    same(image, [[0.1, 2**40]])
    if not SIMULATED:
        (args,) = kernel.overloads
        assert [str(t) for t in args[1:]] == ["float64", "int64"]


@row("8.053")
def arrays_of_the_host():
    """arrays of the host are copied there and back"""
    x = np.arange(10)
    y, r = x * 2, np.zeros_like(x)
    add[1, 32](r, x, y)
    same(r, 3 * x)
    same(x, np.arange(10))


@row("8.054")
def device_arrays():
    """to_device, device_array_like, copy_to_host; a launch copies nothing"""
    x = np.arange(10)
    d_x, d_y, d_r = cuda.to_device(x), cuda.to_device(x * 2), cuda.device_array_like(x)
    add[1, 32](d_r, d_x, d_y)
    same(x, np.arange(10))
    same(d_r.copy_to_host(), 3 * x)


@row("8.055")
def an_uninitialised_array():
    """device_array((1024, 2048), dtype=np.float32)"""
    array = cuda.device_array((1024, 2048), dtype=np.float32)
    assert array.shape == (1024, 2048) and array.dtype == np.float32
    assert array.strides == (8192, 4) and array.is_c_contiguous()


@row("8.056", gpu=True)
def deleting():
    """memory of a deleted array is freed in the end"""
    context = cuda.current_context()
    context.memory_manager.deallocations.clear()
    free = context.get_memory_info().free
    array = cuda.device_array(1 << 28, np.uint8)
    assert context.get_memory_info().free <= free - (1 << 28)
    del array
    context.memory_manager.deallocations.clear()
    after = context.get_memory_info().free
    assert after >= free - (1 << 22), f"{free} bytes were free, now {after}"


@row("8.057")
def syntax():
    """assert and raise in kernels hold with debug"""

    def kernel(x):
        assert x[0] > 0
        x[0] += 1

    if not SIMULATED:
        cuda.jit(kernel)[1, 1](np.zeros(1))  # ends the thread, and nobody is told
        cuda.synchronize()
    checked = cuda.jit(kernel, debug=True, opt=False)
    raises(AssertionError, "", checked[1, 1], np.zeros(1))
    x = np.ones(1)
    checked[1, 1](x)
    same(x, [2])


@row("8.062")
def loops_become_threads():
    """range(cuda.grid(1), len(x), cuda.gridsize(1)) with any grid, [1, 1] too"""

    @cuda.jit
    def kernel(x):
        for i in range(cuda.grid(1), len(x), cuda.gridsize(1)):
            x[i] = x[i] * 2 + 1

    for config in ((1, 1), (2, 32)):
        x = np.arange(70)
        kernel[config](x)
        same(x, np.arange(70) * 2 + 1)


@cuda.jit
def normalize(x):
    """A row for each thread."""
    i = cuda.grid(1)
    if i < x.shape[0]:
        mean = float32(0.0)
        for j in range(x.shape[1]):
            mean += x[i, j]
        mean /= float32(x.shape[1])
        for j in range(x.shape[1]):
            x[i, j] /= mean


@row("8.063")
def rows_by_threads():
    """the mean of each row by one thread"""
    x = np.random.default_rng(1).uniform(1, 2, (20, 30)).astype(np.float32)
    want = x / x.mean(axis=1, keepdims=True)
    normalize[1, 32](x)
    same(x, want, rtol=1e-5)


@row("8.064", device=True)
def rows_of_cupy():
    """the same on an array of CuPy"""
    cupy = library("cupy")
    x = cupy.random.rand(20, 30, dtype=cupy.float32) + 1
    want = x / x.mean(axis=1, keepdims=True)
    normalize[1, 32](x)
    same(cupy.asnumpy(x), cupy.asnumpy(want), rtol=1e-5)


@row("8.069")
def for_all():
    """forall chooses the blocks"""

    @cuda.jit
    def gpu_round(x, out, decimals):
        i = cuda.grid(1)
        if i < x.size:
            scale = 10**decimals
            out[i] = np.rint(x[i] * scale) / scale

    x = np.random.default_rng(2).random(500)
    out = np.zeros_like(x)
    gpu_round.forall(x.size)(x, out, 3)
    same(out, np.round(x, 3), atol=1e-12)


@row("8.071", device=True)
def the_first_launch():
    """the first launch compiles, the second does not"""

    @cuda.jit
    def kernel(x):
        x[cuda.grid(1)] += 1

    x = cuda.to_device(np.zeros(32))
    times = []
    for _ in range(3):
        began = time.perf_counter()
        kernel[1, 32](x)
        times.append(time.perf_counter() - began)
    assert times[0] > 20 * min(times[1:]) and len(kernel.overloads) == 1


@row("8.073")
def a_hidden_layer():
    """normalize, weigh, activate: right, and with 1e8 elements within a second"""
    from math import exp

    @cuda.jit
    def scale(greys, out):
        i = cuda.grid(1)
        if i < greys.size:
            out[i] = greys[i] / 255.0

    @cuda.jit
    def weigh(values, weights, out):
        i = cuda.grid(1)
        if i < values.size:
            out[i] = values[i] * weights[i]

    @cuda.jit
    def activate(values, out):
        i = cuda.grid(1)
        if i < values.size:
            out[i] = (exp(values[i]) - exp(-values[i])) / (exp(values[i]) + exp(-values[i]))

    def layer(greys, weights):
        a, b = cuda.to_device(greys), cuda.to_device(weights)
        c, d, e = (cuda.device_array(greys.shape, np.float32) for _ in range(3))
        config = (len(greys) + 511) // 512, 512
        scale[config](a, c)
        weigh[config](c, b, d)
        activate[config](d, e)
        return e.copy_to_host()

    rng = np.random.default_rng(3)
    n = 700 if SIMULATED else 1_000_000
    greys = np.floor(rng.uniform(0, 255, n)).astype(np.float32)
    weights = rng.normal(0.5, 0.1, n).astype(np.float32)
    result = layer(greys, weights)
    assert isinstance(result, np.ndarray)
    same(result, np.tanh(greys / 255.0 * weights), rtol=1e-4, atol=1e-6)
    if not SIMULATED and not ON_CPU:
        greys, weights = np.tile(greys, 100), np.tile(weights, 100)
        layer(greys, weights)
        began = time.perf_counter()
        layer(greys, weights)
        seconds = time.perf_counter() - began
        assert seconds < 1, f"{seconds:.2f} s"


@row("8.074", device=True)
def wrong_kernels():
    """a kernel that returns a value, and one that is called without a configuration"""

    @cuda.jit
    def returning(x):
        return x / 255.0

    raises((TypeError, TypingError), "", returning[1, 1], np.ones(3, np.float32))
    raises(ValueError, "Kernel launch configuration was not specified", returning, np.ones(3, np.float32))
    raises(TypeError, "CUDA kernel must have void return type.", cuda.jit("float32(float32)"), lambda x: x)

    @cuda.jit
    def exponential(x):
        x[0] = np.exp(x[0])

    x = np.ones(1)
    exponential[1, 1](x)  # numba-cuda has no np.exp in kernels
    same(x, [math.e], rtol=1e-15)


@row("8.075")
def eager_kernels():
    """a kernel with a signature is compiled when it is made"""

    @cuda.jit(void(float32[::1]))
    def kernel(x):
        y = x[0]
        y = math.cos(y)
        y = math.sqrt(y)
        x[0] = y * 1.2

    x = np.ones(1, np.float32)
    kernel[1, 1](x)
    same(x, [math.sqrt(math.cos(1)) * 1.2], rtol=1e-6)


@row("8.077", device=True)
def host_side():
    """streams, events, devices, and the kinds of memory exist and work"""
    stream, event = cuda.stream(), cuda.event()
    for make in (cuda.pinned_array, cuda.mapped_array, cuda.managed_array, cuda.device_array):
        array = make(64, np.float64)
        other = np.arange(64.0)
        add[1, 64, stream](array, other, other)
        event.record(stream)
        event.synchronize()
        got = array.copy_to_host() if hasattr(array, "copy_to_host") else np.asarray(array)
        same(got, 2 * other)
    assert len(cuda.gpus) >= 1 and cuda.get_current_device().compute_capability >= (7, 5)


@row("8.078", device=True)
def device_features():
    """indices, memories, atomics, vectors, cooperative grids, fences, warps, bits, half floats, nanosleep"""
    from numbra.types import float16, int32

    table = np.arange(32, dtype=np.int32) * 10

    @cuda.jit
    def kernel(out, flags, halves):
        i = cuda.grid(1)
        constant = cuda.const.array_like(table)
        shared = cuda.shared.array(32, int32)
        local = cuda.local.array(2, int32)
        shared[i] = constant[i]
        cuda.syncthreads()
        local[0] = shared[31 - i]
        vector = cuda.float32x3(1.0, 2.0, 3.0)
        cuda.atomic.add(flags, 0, 1)
        cuda.atomic.inc(flags, 1, 1000)
        cuda.atomic.cas(flags, 2, 0, 5)
        cuda.threadfence()
        value = local[0] + int32(vector.y)
        value += cuda.shfl_sync(0xFFFFFFFF, i, 4)
        value += cuda.popc(cuda.ballot_sync(0xFFFFFFFF, i % 2 == 0))
        value += cuda.clz(int32(1)) + cuda.ffs(8) + (1 if cuda.brev(1) else 0)
        cuda.nanosleep(32)
        halves[i] = float16(i) * float16(0.5)
        cuda.cg.this_grid().sync()
        out[i] = value

    out, flags, halves = np.zeros(32, np.int32), np.zeros(3, np.uint32), np.zeros(32, np.float16)
    kernel[1, 32](out, flags, halves)
    same(out, table[::-1] + 2 + 4 + 16 + 31 + 4 + 1)
    same(flags, [32, 32, 5])
    same(halves, np.arange(32) / 2)


@row("8.081", gpu=True)
def stages():
    """inspect_llvm, inspect_asm and inspect_sass show a kernel"""
    kernel = cuda.jit(add.py_func)
    x = np.zeros(4)
    kernel[1, 4](x, x, x)
    (args,) = kernel.overloads
    assert "define" in kernel.inspect_llvm(args)
    assert ".visible .entry" in kernel.inspect_asm(args)
    from numbra.cuda.cudadrv.libs import get_tool

    if get_tool("nvdisasm"):
        assert "EXIT" in kernel.inspect_sass(args)
    else:
        raises(RuntimeError, "nvdisasm was not found", kernel.inspect_sass, args)


@row("8.082", gpu=True)
def lazy_contexts():
    """importing makes no context"""
    code = (
        "import ctypes\n"
        "from numbra import cuda\n"
        "@cuda.jit\ndef kernel(x): x[0] = 1\n"
        "driver, device = ctypes.CDLL('libcuda.so.1'), ctypes.c_int()\n"
        "print(driver.cuDeviceGet(ctypes.byref(device), 0))\n"  # 3: not initialised
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(os.environ))
    assert ran.returncode == 0, ran.stderr
    assert ran.stdout.strip() == "3", ran.stdout
