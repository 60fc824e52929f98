"""Kernels of every kind, which each architecture must take."""

import math

import numbra as nb
import numpy as np
from numbra import cuda, types
from numbra.types import complex64, float32, float64, int32, int64, uint32, uint64

FLOATS = np.arange(10, dtype=np.float32)
LARGE = np.arange(100_000, dtype=np.float64)
GRID = np.arange(12, dtype=np.int32).reshape(3, 4)
TPB = 16


def add(a, b, c):
    i = cuda.grid(1)
    if i < a.size:
        c[i] = a[i] + b[i]


def grid_stride(x, n):
    for i in range(cuda.grid(1), n, cuda.gridsize(1)):
        x[i] += 1


def places(x):
    x[cuda.threadIdx.x] = cuda.blockIdx.y * cuda.blockDim.z + cuda.gridDim.x + cuda.laneid + cuda.warpsize
    i, j, k = cuda.grid(3)
    x[i] = j + k + cuda.gridsize(2)[1]


def reverse(x):
    tile = cuda.shared.array(32, float32)
    tile[cuda.threadIdx.x] = x[cuda.grid(1)]
    cuda.syncthreads()
    x[cuda.grid(1)] = tile[31 - cuda.threadIdx.x]


def matmul(a, b, c):
    left = cuda.shared.array((TPB, TPB), float32)
    right = cuda.shared.array(shape=(TPB, TPB), dtype="float32")
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for i in range(cuda.gridDim.x):
        left[tx, ty] = a[x, ty + i * TPB]
        right[tx, ty] = b[tx + i * TPB, y]
        cuda.syncthreads()
        for j in range(TPB):
            total += left[tx, j] * right[j, ty]
        cuda.syncthreads()
    c[x, y] = total


def dynamic_shared(x):
    memory = cuda.shared.array(0, dtype=int32)
    memory[cuda.threadIdx.x] = 1
    x[0] = len(memory)


def local_array(x):
    values = cuda.local.array(10, float64, alignment=16)
    for i in range(10):
        values[i] = x[i]
    total = 0.0
    for i in range(10):
        total += values[9 - i] * i
    x[0] = total


def global_array(x):
    x[cuda.grid(1)] = FLOATS[cuda.grid(1)] + GRID[1, 2] + GRID.shape[1]


def large_array(x):
    x[cuda.grid(1)] = LARGE[cuda.grid(1)]


def constant_array(x):
    x[cuda.grid(1)] = cuda.const.array_like(FLOATS)[cuda.grid(1)]


def atomics(x, y):
    cuda.atomic.add(x, cuda.threadIdx.x % 4, 1)
    cuda.atomic.sub(x, -1, 1)
    cuda.atomic.max(y, (0, 1), 3.0)
    cuda.atomic.nanmin(y, (0, 1), 3.0)
    cuda.atomic.inc(x, 0, 5)
    cuda.atomic.dec(x, 0, 5)
    cuda.atomic.and_(x, 0, 5)
    cuda.atomic.or_(x, 0, 5)
    cuda.atomic.xor(x, 0, 5)
    cuda.atomic.cas(x, 0, 5, 6)
    cuda.atomic.compare_and_swap(x, 5, 6)
    x[1] = cuda.atomic.exch(x, 2, 9)


def warps(x):
    i = cuda.threadIdx.x
    value = cuda.shfl_sync(0xFFFFFFFF, x[i], 0) + cuda.shfl_up_sync(-1, x[i], 1)
    value += cuda.shfl_down_sync(-1, x[i], 1) + cuda.shfl_xor_sync(-1, x[i], 16)
    if cuda.all_sync(-1, value > 3) or cuda.any_sync(-1, i) or cuda.eq_sync(-1, i):
        value += cuda.ballot_sync(-1, True)
    mask, same = cuda.match_all_sync(-1, i)
    x[i] = mask + same + cuda.match_any_sync(-1, x[i]) + cuda.activemask() + cuda.lanemask_lt()
    cuda.syncwarp()
    cuda.threadfence()
    cuda.threadfence_block()
    cuda.threadfence_system()
    x[i] += cuda.syncthreads_count(i) + cuda.syncthreads_and(i) + cuda.syncthreads_or(i)


def bits(x):
    x[0] = cuda.popc(x[1]) + cuda.brev(uint32(x[2])) + cuda.clz(x[3]) + cuda.ffs(x[4]) + cuda.clock64()
    cuda.nanosleep(10)


def scalars(x):
    x[0] = cuda.fma(x[1], x[2], x[3]) + cuda.cbrt(x[4]) + cuda.selp(x[0] > 1, x[1], x[2])


def whole_grid(x):
    cuda.cg.this_grid().sync()
    x[cuda.grid(1)] = 1


def printing(x, t):
    print("x = 100%", x[0], cuda.threadIdx.x, x[0] > 1, t, cuda.blockIdx)


def raising(x):
    if x[0] < 0:
        raise ValueError("negative")
    x[1] = 1 // x[2]


def mathematics(x):
    y = x[0]
    x[1] = math.gamma(y) + math.lgamma(y) + math.erf(y) + math.erfc(y) + math.pow(y, y) + math.fmod(y, y)
    x[2] = math.hypot(y, y) + math.atan2(y, y) + math.expm1(y) + math.log1p(y) + math.cosh(y) + math.asinh(y)
    x[3] = math.frexp(y)[0] + math.ldexp(y, 3) + math.copysign(y, y) + math.sqrt(y) + math.floor(y)
    x[4] = np.sin(y) + np.exp(y) + np.sqrt(y) + round(y) + y**3 + y**y


def complex_numbers(x, y):
    x[0] = abs(y) * y + 1j
    x[1] = y**2


def tuples(x, t):
    x[0] = t[0] + t[1][0] + t[1][1]


RECORD = nb.from_dtype(np.dtype([("a", np.int32), ("b", np.float64)], align=True))


def records(r, s):
    r[0].a = 3
    r[1].b = s.b
    s.a = 2


@nb.njit
def twice(a):
    return a * 2


@cuda.jit(device=True)
def twice_and_thread(a):
    return twice(a) + cuda.threadIdx.x


def calling(x):
    x[0] = twice_and_thread(x[1])


@cuda.jit(device=True)
def power(x, n):
    return 1 if n == 0 else x * power(x, n - 1)


def recursive(x):
    x[0] = power(x[0], int64(x[1]))


def widening(x, y):
    x[0] += y[0] + 2.0


def no_widening(x, y):
    x[0] += y[0] + float32(2.0)


KERNELS = [
    (add, (float32[::1],) * 3),
    (add, (float64[:],) * 3),
    (grid_stride, (float32[::1], int64)),
    (places, (int64[::1],)),
    (reverse, (float32[::1],)),
    (matmul, (float32[:, ::1],) * 3),
    (dynamic_shared, (int32[::1],)),
    (local_array, (float64[::1],)),
    (global_array, (float32[::1],)),
    (large_array, (float64[::1],)),
    (constant_array, (float32[::1],)),
    (atomics, (uint32[::1], float64[:, :])),
    (atomics, (uint64[::1], float32[:, :])),
    (warps, (int64[::1],)),
    (bits, (int64[::1],)),
    (scalars, (float32[::1],)),
    (whole_grid, (float32[::1],)),
    (printing, (float32[::1], types.UniTuple(int32, 2))),
    (raising, (int64[::1],)),
    (mathematics, (float64[::1],)),
    (mathematics, (float32[::1],)),
    (complex_numbers, (complex64[::1], complex64)),
    (tuples, (float64[::1], types.Tuple((int32, types.UniTuple(float32, 2))))),
    (records, (RECORD[:], RECORD)),
    (calling, (float64[::1],)),
    (recursive, (float64[::1],)),
]
