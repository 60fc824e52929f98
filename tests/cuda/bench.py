"""Times of kernels, launches and compilation on a GPU, against nvcc -O3, CuPy and numba-cuda: goal beside measured.

usage: bench.py [--numba] [--out FOLDER]

Runs on a machine with a GPU, nvcc and numbra; CuPy and PyTorch are measured where they are installed. `--numba`
measures numba-cuda instead of numbra: the first run starts such a process where numba-cuda is installed.
"""

import argparse
import ctypes
import json
import math
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

warnings.simplefilter("ignore")
HERE = Path(__file__).parent
ROUNDS = 30
IN_A_ROW = 10
LAUNCHES = 20_000
TURNS = 5

if "--numba" in sys.argv:
    # An older Numba asks NumPy for names that it has no more; no kernel here uses them.
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    from numba import cuda, float32, int32
else:
    from numbra import cuda
    from numbra.types import float32, int32


def vector_add(a, b, c):
    i = cuda.grid(1)
    if i < c.size:
        c[i] = a[i] + b[i]


def grid_stride_add(a, b, c):
    for i in range(cuda.grid(1), c.size, cuda.gridsize(1)):
        c[i] = a[i] + b[i]


def matmul(a, b, c):
    left = cuda.shared.array((16, 16), float32)
    right = cuda.shared.array((16, 16), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    total = float32(0)
    for k in range(a.shape[1] // 16):
        left[ty, tx] = a[row, k * 16 + tx]
        right[ty, tx] = b[k * 16 + ty, col]
        cuda.syncthreads()
        for j in range(16):
            total += left[ty, j] * right[j, tx]
        cuda.syncthreads()
    c[row, col] = total


def mandelbrot(image, x0, x1, y0, y1, most):
    x, y = cuda.grid(2)
    height, width = image.shape
    if x < width and y < height:
        c = complex(x0 + x * ((x1 - x0) / width), y0 + y * ((y1 - y0) / height))
        z = 0j
        found = 255
        for i in range(most):
            z = z * z + c
            if z.real * z.real + z.imag * z.imag >= 4:
                found = i
                break
        image[y, x] = found


@cuda.jit(device=True)
def cnd(d):
    k = float32(1.0) / (float32(1.0) + float32(0.2316419) * abs(d))
    poly = float32(-1.821255978) + k * float32(1.330274429)
    poly = float32(-0.356563782) + k * (float32(1.781477937) + k * poly)
    r = float32(0.39894228040143267794) * math.exp(float32(-0.5) * d * d) * (k * (float32(0.31938153) + k * poly))
    return float32(1.0) - r if d > 0 else r


def black_scholes(call, put, s, x, t, r, v):
    i = cuda.grid(1)
    if i < s.size:
        root = math.sqrt(t[i])
        d1 = (math.log(s[i] / x[i]) + (r + float32(0.5) * v * v) * t[i]) / (v * root)
        d2 = d1 - v * root
        c1, c2 = cnd(d1), cnd(d2)
        e = math.exp(-r * t[i])
        call[i] = s[i] * c1 - x[i] * e * c2
        put[i] = x[i] * e * (float32(1.0) - c2) - s[i] * (float32(1.0) - c1)


def histogram(data, bins):
    own = cuda.shared.array(256, int32)
    own[cuda.threadIdx.x] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), data.size, cuda.gridsize(1)):
        cuda.atomic.add(own, data[i], 1)
    cuda.syncthreads()
    cuda.atomic.add(bins, cuda.threadIdx.x, own[cuda.threadIdx.x])


def stencil(a, b):
    x, y = cuda.grid(2)
    rows, cols = a.shape
    if 0 < x < cols - 1 and 0 < y < rows - 1:
        b[y, x] = float32(0.2) * (a[y, x] + a[y - 1, x] + a[y + 1, x] + a[y, x - 1] + a[y, x + 1])


def least(launch, rounds=ROUNDS):
    """The least time of a kernel, in microseconds: the mean of some in a row, which keeps the host's part out of it."""
    begin, end = cuda.event(), cuda.event()
    launch()
    best = math.inf
    for _ in range(rounds):
        begin.record()
        for _ in range(IN_A_ROW):
            launch()
        end.record()
        end.synchronize()
        best = min(best, begin.elapsed_time(end))
    return 1e3 * best / IN_A_ROW


def median(call, rounds=LAUNCHES):
    """The median time of a call on the host, in microseconds."""
    call()
    cuda.synchronize()
    times = []
    for i in range(rounds):
        begin = time.perf_counter_ns()
        call()
        times.append(time.perf_counter_ns() - begin)
        if i % 256 == 0:
            cuda.synchronize()
    return sorted(times)[rounds // 2] / 1e3


class Cases:
    """The kernels with their data; `us` is Python's time, `c` the name and arguments of the C function."""

    def __init__(self):
        rng = np.random.default_rng(1)
        self.n = n = 1 << 25
        vectors = [cuda.to_device(rng.random(n, np.float32)) for _ in range(2)]
        self.a, self.b, self.c = *vectors, cuda.device_array(n, np.float32)
        self.size = 2048
        self.m = [cuda.to_device(rng.random((self.size, self.size), np.float32)) for _ in range(3)]
        self.image = cuda.device_array((2048, 3072), np.uint8)
        self.options = [
            cuda.to_device(rng.uniform(lo, hi, 1 << 22).astype(np.float32))
            for lo, hi in [(5, 30), (1, 100), (0.25, 10)]
        ]
        self.prices = [cuda.device_array(1 << 22, np.float32) for _ in range(2)]
        self.bytes = cuda.to_device(rng.integers(0, 256, 1 << 26, np.uint8))
        self.bins = cuda.to_device(np.zeros(256, np.int32))
        self.field = [cuda.to_device(rng.random((8192, 8192), np.float32)) for _ in range(2)]

    def run(self):
        n, size = self.n, self.size
        kernels = {
            f.__name__: cuda.jit(f)
            for f in (vector_add, grid_stride_add, matmul, mandelbrot, black_scholes, histogram, stencil)
        }
        r, v = np.float32(0.02), np.float32(0.3)
        return {
            "vector_add": least(lambda k=kernels["vector_add"][n // 256, 256]: k(self.a, self.b, self.c)),
            "grid_stride_add": least(lambda k=kernels["grid_stride_add"][1056, 256]: k(self.a, self.b, self.c)),
            "matmul": least(lambda k=kernels["matmul"][(size // 16, size // 16), (16, 16)]: k(*self.m)),
            "mandelbrot": least(
                lambda k=kernels["mandelbrot"][(96, 256), (32, 8)]: k(self.image, -2.0, 1.0, -1.0, 1.0, 200)
            ),
            "black_scholes": least(
                lambda k=kernels["black_scholes"][(1 << 22) // 256, 256]: k(*self.prices, *self.options, r, v)
            ),
            "histogram": least(lambda k=kernels["histogram"][1056, 256]: k(self.bytes, self.bins)),
            "stencil": least(lambda k=kernels["stencil"][(256, 1024), (32, 8)]: k(*self.field)),
        }

    def in_c(self, lib):
        pointer = lambda array: ctypes.c_void_p(array.__cuda_array_interface__["data"][0])  # noqa: E731
        long, integer = ctypes.c_long, ctypes.c_int

        def call(name, *args):
            function = getattr(lib, f"c_{name}")
            function.restype = ctypes.c_double
            return function(ROUNDS, *args)

        vectors = [pointer(x) for x in (self.a, self.b, self.c)]
        return {
            "vector_add": call("vector_add", *vectors, long(self.n)),
            "grid_stride_add": call("grid_stride_add", *vectors, long(self.n)),
            "matmul": call("matmul", *map(pointer, self.m), integer(self.size)),
            "mandelbrot": call("mandelbrot", pointer(self.image), integer(3072), integer(2048)),
            "black_scholes": call("black_scholes", *map(pointer, (*self.prices, *self.options)), long(1 << 22)),
            "histogram": call("histogram", pointer(self.bytes), pointer(self.bins), long(1 << 26)),
            "stencil": call("stencil", *map(pointer, self.field), integer(8192), integer(8192)),
        }


def first_compiles():
    """Milliseconds of a first kernel after the context exists, and of further small ones."""
    cuda.current_context()
    array = cuda.to_device(np.zeros(16, np.float32))

    def make(k):
        def kernel(x):
            i = cuda.grid(1)
            if i < x.size:
                x[i] = x[i] * float32(2) + k

        return cuda.jit(kernel)

    times = []
    for k in range(6):
        begin = time.perf_counter()
        make(k)[1, 16](array)
        cuda.synchronize()
        times.append(1e3 * (time.perf_counter() - begin))
    return {"first kernel, ms": times[0], "next kernel, ms": sorted(times[1:])[2]}


def compile_ptx():
    def device(x, y):
        return x * x + y

    times = []
    for _ in range(5):
        begin = time.perf_counter()
        cuda.compile_ptx(device, (float32, float32), device=True, cc=(9, 0))
        times.append(1e3 * (time.perf_counter() - begin))
    return {"compile_ptx of a device function, ms": min(times)}


def launches():
    """What launches kernels that do nothing, by the name of the case."""
    empty, three = cuda.jit(lambda: None), cuda.jit(lambda a, b, c: None)
    small = [cuda.to_device(np.zeros(16, np.float32)) for _ in range(3)]
    one, many = empty[1, 1], three[1, 1]
    calls = {"launch empty": one, "launch of 3 arrays": lambda: many(*small)}
    for name, make in (("CuPy", _cupy), ("PyTorch", _torch)):
        others = make()
        if others:
            calls[f"launch of 3 {name} arrays"] = lambda others=others: many(*others)
    return calls


def launches_in_turns(lib):
    """The least median time of launches and of C's, which take turns: a processor's clock changes within seconds."""
    small = cuda.to_device(np.zeros(16, np.float32))
    address = ctypes.c_void_p(small.__cuda_array_interface__["data"][0])
    calls, ours, c = launches(), {}, {}
    for _ in range(TURNS):
        for name, call in calls.items():
            rounds = LAUNCHES // TURNS
            beside = lib.c_launch_empty(rounds) if name == "launch empty" else lib.c_launch_three(rounds, address, 16)
            ours[name] = min(ours.get(name, math.inf), median(call, rounds))
            c[name] = min(c.get(name, math.inf), beside)
    return ours, c


def _cupy():
    try:
        import cupy
    except ImportError:
        return None
    return [cupy.zeros(16, np.float32) for _ in range(3)]


def _torch():
    try:
        import torch
    except ImportError:
        return None
    return [torch.zeros(16, device="cuda") for _ in range(3)]


def reduction():
    data = np.random.default_rng(2).random(1 << 24)
    array, result = cuda.to_device(data), cuda.device_array(1, np.float64)
    add = cuda.reduce(lambda a, b: a + b)
    out = {"reduce of 2^24 float64": least(lambda: add(array, res=result))}
    assert abs(result.copy_to_host()[0] / data.sum() - 1) < 1e-12
    return out


def measure():
    out = {**first_compiles(), **compile_ptx()}
    out |= {name: median(call, LAUNCHES // TURNS) for name, call in launches().items()}
    return {**out, **reduction(), **Cases().run()}


GOALS = {
    "launch empty": ("C", 1.4),
    "launch of 3 arrays": ("C", 1.6),
    "launch of 3 CuPy arrays": ("C", 1.8),
    "vector_add": ("C", 1.03),
    "grid_stride_add": ("C", 1.03),
    "matmul": ("C", 1.03),
    "mandelbrot": ("C", 1.08),
    "black_scholes": ("C", 1.08),
    "histogram": ("C", 1.1),
    "stencil": ("C", 1.05),
    "reduce of 2^24 float64": ("CuPy", 1.3),
}
LIMITS = {"first kernel, ms": 120, "next kernel, ms": 40, "compile_ptx of a device function, ms": 5}


def in_c(folder):
    """The kernels by nvcc; and launches once more, for they are compared in turns."""
    library = Path(folder) / "kernels.so"
    command = ["nvcc", "-O3", "-arch=native", "-shared", "-Xcompiler", "-fPIC", HERE / "kernels.cu", "-o", library]
    subprocess.run(list(map(str, command)), check=True)
    lib = ctypes.CDLL(str(library))
    for name in ("c_launch_empty", "c_launch_three"):
        getattr(lib, name).restype = ctypes.c_double
    lib.c_launch_three.argtypes = [ctypes.c_int, ctypes.c_void_p, ctypes.c_long]
    ours, c = launches_in_turns(lib)
    return ours, {**c, **Cases().in_c(lib)}


def in_cupy():
    try:
        import cupy
    except ImportError:
        return {}
    data, result = cupy.asarray(np.random.default_rng(2).random(1 << 24)), cupy.empty((), np.float64)
    return {"reduce of 2^24 float64": least(lambda: data.sum(out=result))}


def report(ours, c, cupy, numba):
    lines = [f"{'':40} {'goal':>8} {'ratio':>8} {'numbra':>10} {'beside':>10} {'numba-cuda':>11}"]
    met = True
    for name, value in ours.items():
        other = numba.get(name)
        tail = f"{other:11.2f}" if other is not None else f"{'-':>11}"
        if name in LIMITS:
            good = value <= LIMITS[name]
            lines.append(f"{name:40} {LIMITS[name]:8} {'':8} {value:10.2f} {'':10} {tail} {'' if good else 'MISSED'}")
        elif name in GOALS:
            whose, goal = GOALS[name]
            beside = (c if whose == "C" else cupy).get(name)
            ratio = value / beside if beside else math.nan
            good = ratio <= goal
            lines.append(
                f"{name:40} {goal:8} {ratio:8.2f} {value:10.2f} {beside or math.nan:10.2f} {tail} "
                f"{'' if good else 'MISSED'}"
            )
        else:
            good = True
            lines.append(f"{name:40} {'':8} {'':8} {value:10.2f} {'':10} {tail}")
        met &= good
    return "\n".join(lines), met


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--numba", action="store_true", help="measure numba-cuda, as JSON")
    parser.add_argument("--out", type=Path, help="folder for gpu.txt and gpu.json")
    options = parser.parse_args()
    ours = measure()
    if options.numba:
        print(json.dumps(ours))
        return 0
    with tempfile.TemporaryDirectory(prefix="numbra-bench-") as folder:
        launched, c = in_c(folder)
    ours |= launched
    cupy = in_cupy()
    env = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    ran = subprocess.run([sys.executable, __file__, "--numba"], capture_output=True, text=True, env=env, check=False)
    try:
        numba = json.loads(ran.stdout.strip().splitlines()[-1])
    except (IndexError, ValueError):
        print(f"numba-cuda was not measured: {(ran.stderr.strip().splitlines() or ['no output'])[-1]}")
        numba = {}
    device = cuda.get_current_device()
    text, met = report(ours, c, cupy, numba)
    head = f"{device.name}, compute capability {device.compute_capability}; times in microseconds unless named"
    print(head + "\n" + text)
    if options.out:
        options.out.mkdir(parents=True, exist_ok=True)
        (options.out / "gpu.txt").write_text(f"{head}\n{text}\n")
        raw = {"numbra": ours, "nvcc": c, "cupy": cupy, "numba-cuda": numba, "device": str(device.name)}
        raw |= {"goals": GOALS, "limits": LIMITS}
        (options.out / "gpu.json").write_text(json.dumps(raw, indent=1) + "\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
