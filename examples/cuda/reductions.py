"""Sums: `cuda.reduce`, a tree in shared memory, shuffles within warps, and NumPy's functions inside a kernel.

usage: reductions.py [--size ELEMENTS]
"""

import numpy as np
from common import SIMULATED, check, options, show_time, where
from numbra import cuda
from numbra.types import float64

THREADS = 64 if SIMULATED else 256


@cuda.reduce
def add(a, b):
    return a + b


largest = cuda.reduce(max)


@cuda.jit
def sum_by_tree(values, out):
    """Each thread sums a part; the block adds halves of its sums until one is left."""
    sums = cuda.shared.array(THREADS, float64)
    t = cuda.threadIdx.x
    total = 0.0
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        total += values[i]
    sums[t] = total
    cuda.syncthreads()
    half = THREADS // 2
    while half > 0:
        if t < half:
            sums[t] += sums[t + half]
        cuda.syncthreads()
        half //= 2
    if t == 0:
        cuda.atomic.add(out, 0, sums[0])


@cuda.jit
def sum_by_shuffles(values, out):
    """The threads of a warp pass their sums on in registers: no shared memory, no barrier of the block."""
    total = 0.0
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        total += values[i]
    distance = 16
    while distance > 0:
        total += cuda.shfl_down_sync(0xFFFFFFFF, total, distance)
        distance //= 2
    if cuda.laneid == 0:
        cuda.atomic.add(out, 0, total)


@cuda.jit
def rows(matrix, sums, means, largest):
    """NumPy's reductions of a row, by one thread each."""
    for i in range(cuda.grid(1), matrix.shape[0], cuda.gridsize(1)):
        sums[i] = matrix[i].sum()
        means[i] = np.mean(matrix[i])
        largest[i] = matrix[i].max()


def main():
    chosen = options(__doc__, size=1 << 24, simulated=1234)
    print(f"{chosen.size} numbers, {where()}")
    values = np.arange(chosen.size, dtype=np.float64) + 1
    want = chosen.size * (chosen.size + 1) / 2
    check("add of an array of the host", add(values), want)
    on_device, result = cuda.to_device(values), cuda.device_array(1, np.float64)
    add(on_device, res=result)  # the sum stays on the device
    check("add of a device array", result.copy_to_host(), [want])
    check("max", largest(on_device), values.max())
    show_time("cuda.reduce", lambda: add(on_device, res=result))

    kernels = (sum_by_tree,) if SIMULATED else (sum_by_tree, sum_by_shuffles)  # the simulator has no shuffles
    grid = 2 if SIMULATED else 512
    for kernel in kernels:
        out = np.zeros(1)
        kernel[grid, THREADS](on_device, out)
        check(kernel.__name__, out, [want], rtol=1e-12)
        total = cuda.to_device(np.zeros(1))
        show_time(kernel.__name__, lambda k=kernel, r=total: k[grid, THREADS](on_device, r))

    matrix = np.random.default_rng(0).random((33, 20))
    sums, means, most = (np.zeros(33) for _ in range(3))
    rows[2, 32](matrix, sums, means, most)
    check("sums of rows", sums, matrix.sum(axis=1))
    check("means of rows", means, matrix.mean(axis=1))
    check("largest of rows", most, matrix.max(axis=1))


if __name__ == "__main__":
    main()
