"""One function for both sides, and kernels that travel to another process.

usage: shared_code.py [--size ELEMENTS]
"""

import concurrent.futures
import math
import multiprocessing

import numbra as nb
import numpy as np
from common import SIMULATED, blocks, check, options, where
from numbra import cuda


@nb.njit
def clamp(x, low, high):
    """Compiled for the CPU where Python calls it, for the GPU where a kernel does."""
    return min(max(x, low), high)


@cuda.jit
def clamp_array(x, low, high, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = clamp(x[i], low, high)


@cuda.jit
def cosines(x, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i] = math.cos(x[i])


def cosines_of(x):
    """What a worker process runs: it chooses blocks and makes room where it is."""
    out = cuda.device_array_like(x)
    cosines[blocks(x.size, 64), 64](x, out)
    return out.copy_to_host()


def call(kernel, x):
    """A kernel that came as an argument, so it was pickled on the way."""
    kernel[blocks(x.size, 64), 64](x, x)
    return x


def main():
    chosen = options(__doc__, size=100_000, simulated=100)
    print(f"{chosen.size} elements, {where()}")
    x = np.linspace(-2, 2, chosen.size)
    out = np.zeros_like(x)
    clamp_array[blocks(x.size, 64), 64](x, -1.0, 0.5, out)
    check("clamp on the GPU", out, np.clip(x, -1, 0.5))
    assert [clamp(v, -1.0, 0.5) for v in (-3.0, 0.25, 3.0)] == [-1.0, 0.25, 0.5]
    print("clamp on the CPU: the same")

    # A process that was forked cannot use its parent's device; a spawned one opens its own.
    spawn = multiprocessing.get_context("spawn")
    with concurrent.futures.ProcessPoolExecutor(1, mp_context=spawn) as pool:
        check("in a worker", pool.submit(cosines_of, x).result(), np.cos(x), rtol=1e-12)
        if not SIMULATED:  # whose kernels are functions of Python, which pickle takes by name only
            check("a kernel as an argument", pool.submit(call, cosines, x).result(), np.cos(x), rtol=1e-12)


if __name__ == "__main__":
    main()
