"""Kernels with barriers, shared memory and atomics, to run under compute-sanitizer: all of its tools find nothing.

usage: compute-sanitizer --tool racecheck python tests/cuda/sanitized.py
"""

import numbra as nb
import numpy as np
from numbra import cuda


@cuda.jit
def block_sum(x, out):
    s = cuda.shared.array(256, nb.float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    s[t] = x[i] if i < x.size else nb.float32(0)
    cuda.syncthreads()
    k = 128
    while k > 0:
        if t < k:
            s[t] += s[t + k]
        cuda.syncthreads()
        k //= 2
    if t == 0:
        cuda.atomic.add(out, 0, s[0])


@cuda.jit
def transpose(a, b):
    tile = cuda.shared.array((16, 17), nb.float32)
    x, y = cuda.grid(2)
    if x < a.shape[0] and y < a.shape[1]:
        tile[cuda.threadIdx.x, cuda.threadIdx.y] = a[x, y]
    cuda.syncthreads()
    u = cuda.blockIdx.y * 16 + cuda.threadIdx.x
    v = cuda.blockIdx.x * 16 + cuda.threadIdx.y
    if u < b.shape[0] and v < b.shape[1]:
        b[u, v] = tile[cuda.threadIdx.y, cuda.threadIdx.x]


@cuda.jit
def histogram(x, h):
    s = cuda.shared.array(16, nb.int32)
    t = cuda.threadIdx.x
    if t < 16:
        s[t] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
        cuda.atomic.add(s, x[i], 1)
    cuda.syncthreads()
    if t < 16:
        cuda.atomic.add(h, t, s[t])


x = np.arange(1000, dtype=np.float32)
o = np.zeros(1, np.float32)
block_sum[4, 256](x, o)
assert o[0] == x.sum()
a = np.random.rand(40, 33).astype(np.float32)
b = np.zeros((33, 40), np.float32)
transpose[(3, 3), (16, 16)](a, b)
assert np.array_equal(b, a.T)
v = np.random.randint(0, 16, 5000)
h = np.zeros(16, np.int32)
histogram[4, 64](v, h)
assert np.array_equal(h, np.bincount(v, minlength=16))
cuda.synchronize()
print("right")
