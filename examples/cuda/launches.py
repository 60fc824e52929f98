"""Ways to launch: arrays of the host and of the device, strides over the grid, chosen blocks, a thread for each row.

usage: launches.py [--size ELEMENTS]
"""

import numpy as np
from common import SIMULATED, blocks, check, options, show_time, where
from numbra import cuda
from numbra.types import float32


@cuda.jit
def add(r, x, y):
    """A thread for each element; the last block has some that have nothing to do."""
    i = cuda.grid(1)
    if i < r.size:
        r[i] = x[i] + y[i]


@cuda.jit
def add_in_strides(r, x, y):
    """Right for every grid: each thread takes an element, then the one that lies a grid further."""
    for i in range(cuda.grid(1), r.size, cuda.gridsize(1)):
        r[i] = x[i] + y[i]


@cuda.jit
def round_to(x, out, decimals):
    i = cuda.grid(1)
    if i < x.size:
        scale = 10.0**decimals
        out[i] = round(x[i] * scale) / scale


@cuda.jit
def normalize_rows(x):
    """Each row is divided by its mean; a row belongs to one thread, which may add without atomics."""
    for row in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
        total = float32(0)
        for k in range(x.shape[1]):
            total += x[row, k]
        mean = total / float32(x.shape[1])
        for k in range(x.shape[1]):
            x[row, k] /= mean


@cuda.jit
def scale_and_shift(matrix, factor, shift):
    """Numbers are arguments by value: a float arrives as float64, an int as int64."""
    x, y = cuda.grid(2)
    if y < matrix.shape[0] and x < matrix.shape[1]:
        matrix[y, x] = matrix[y, x] * factor + shift


def additions(n):
    x = np.arange(n, dtype=np.float64)
    y, r = x * 2, np.zeros(n)
    config = blocks(n, 128), 128
    add[config](r, x, y)  # all three go to the device, and all three come back
    check("arrays of the host", r, 3 * x)

    d_x, d_y = cuda.to_device(x), cuda.to_device(y)
    d_r = cuda.device_array_like(x)  # not initialised
    add[config](d_r, d_x, d_y)  # nothing is copied
    check("device arrays", d_r.copy_to_host(), 3 * x)
    show_time("arrays of the host", lambda: add[config](r, x, y))
    show_time("device arrays", lambda: add[config](d_r, d_x, d_y))

    for grid, block in ((1, 1), (3, 32), (2, 64)):
        r[:] = 0
        add_in_strides[grid, block](cuda.Out(r), cuda.In(x), cuda.In(y))  # each copied one way only
        check(f"strides, {grid} x {block} threads", r, 3 * x)


def main():
    chosen = options(__doc__, size=100_000, simulated=200)
    print(f"{chosen.size} elements, {where()}")
    rng = np.random.default_rng(2)
    additions(chosen.size)

    x, out = rng.random(chosen.size), np.zeros(chosen.size)
    round_to.forall(chosen.size)(x, out, 3)  # blocks by the kernel's registers
    check("forall", out, np.round(x, 3), rtol=0, atol=1e-12)

    matrix = rng.uniform(1, 2, (40, 25)).astype(np.float32)
    want = matrix / matrix.mean(axis=1, keepdims=True)
    rows = matrix.copy()
    normalize_rows[1, 32](rows)
    check("rows", rows, want, rtol=1e-5)

    scaled = matrix.copy()
    scale_and_shift[(blocks(25, 8), blocks(40, 8)), (8, 8)](scaled, 2.5, 3)
    check("two dimensions", scaled, matrix * 2.5 + 3, rtol=1e-6)

    part = cuda.to_device(matrix)[3:, ::2]  # slices are views, of the same memory
    normalize_rows[1, 32](part)
    half = matrix[3:, ::2]
    check("a slice", part.copy_to_host(), half / half.mean(axis=1, keepdims=True), rtol=1e-5)
    if not SIMULATED:
        free, total = cuda.current_context().get_memory_info()
        print(f"{free / 2**30:.1f} of {total / 2**30:.1f} GiB are free")


if __name__ == "__main__":
    main()
