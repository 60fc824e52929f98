"""Products of matrices: each thread alone, and blocks that share tiles; a picture is blurred with two of them.

usage: matmul.py [--size N] [--pictures FOLDER]
"""

import numpy as np
from common import SIMULATED, blocks, check, options, show_time, where
from numbra import cuda
from numbra.types import float32
from picture import colour, save_png

TILE = 4 if SIMULATED else 16


@cuda.jit
def product(a, b, c):
    """Every thread reads a whole row and a whole column from the device's memory."""
    col, row = cuda.grid(2)
    if row < c.shape[0] and col < c.shape[1]:
        total = float32(0)
        for k in range(a.shape[1]):
            total += a[row, k] * b[k, col]
        c[row, col] = total


@cuda.jit
def product_of_tiles(a, b, c):
    """A block reads a tile of each matrix once and keeps it in shared memory, where all its threads use it.

    The sizes need not be multiples of the tile: what is outside counts as 0. All threads reach both barriers.
    """
    left = cuda.shared.array((TILE, TILE), float32)
    right = cuda.shared.array((TILE, TILE), float32)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    col, row = cuda.grid(2)
    total = float32(0)
    for first in range(0, a.shape[1], TILE):
        left[ty, tx] = a[row, first + tx] if row < a.shape[0] and first + tx < a.shape[1] else float32(0)
        right[ty, tx] = b[first + ty, col] if first + ty < b.shape[0] and col < b.shape[1] else float32(0)
        cuda.syncthreads()  # the tile is there
        for k in range(TILE):
            total += left[ty, k] * right[k, tx]
        cuda.syncthreads()  # nobody reads it any more
    if row < c.shape[0] and col < c.shape[1]:
        c[row, col] = total


def multiply(kernel, a, b):
    """The product as a device array; arguments may be of either side."""
    c = cuda.device_array((a.shape[0], b.shape[1]), np.float32)
    kernel[(blocks(c.shape[1], TILE), blocks(c.shape[0], TILE)), (TILE, TILE)](a, b, c)
    return c


def blurring(n, width):
    """The matrix that replaces each element of a vector by a weighted mean of its neighbours."""
    distance = np.subtract.outer(np.arange(n), np.arange(n))
    weights = np.exp(-0.5 * (distance / width) ** 2)
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def rings(n):
    """A test picture with sharp edges."""
    y, x = np.mgrid[-1 : 1 : n * 1j, -1 : 1 : n * 1j]
    return (np.hypot(x, y) * 8 % 2 < 1).astype(np.float32)


def main():
    chosen = options(__doc__, size=1024, simulated=13)
    n = chosen.size
    print(f"{n} x {n + 5} by {n + 5} x {n}, {where()}")
    rng = np.random.default_rng(3)
    a, b = rng.random((n, n + 5), np.float32), rng.random((n + 5, n), np.float32)
    on_device = [cuda.to_device(v) for v in (a, b)]
    want = a.astype(np.float64) @ b
    for kernel in (product, product_of_tiles):
        check(kernel.__name__, multiply(kernel, *on_device).copy_to_host(), want, rtol=1e-4)
        show_time(kernel.__name__, lambda k=kernel: multiply(k, *on_device))

    n = min(n, 256)
    sharp, blur = rings(n), blurring(n, n / 40)
    half = multiply(product_of_tiles, blur, sharp)  # stays on the device
    smooth = multiply(product_of_tiles, half, blur.T.copy()).copy_to_host()
    check("blurred", smooth, blur.astype(np.float64) @ sharp @ blur.T, rtol=1e-4, atol=1e-5)
    if chosen.pictures:
        save_png(chosen.pictures / "matmul.png", colour(np.hstack([sharp, smooth]), 0, 1))


if __name__ == "__main__":
    main()
