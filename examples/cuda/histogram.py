"""Histograms: atomic additions in the device's memory, and in the shared memory of each block first.

usage: histogram.py [--size ELEMENTS] [--pictures FOLDER]
"""

import numpy as np
from common import SIMULATED, check, options, show_time, where
from numbra import cuda
from numbra.types import int32
from picture import save_bars

BINS = 64
LOW, HIGH = np.float32(-4), np.float32(4)
THREADS = 64 if SIMULATED else 256


@cuda.jit(device=True)
def bin_of(value, low, high):
    """The place of a value, or -1 for one outside."""
    if low <= value < high:
        return int((value - low) / (high - low) * BINS)
    return -1


@cuda.jit
def count(values, low, high, bins):
    """All threads of the grid add to the same counters."""
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        k = bin_of(values[i], low, high)
        if k >= 0:
            cuda.atomic.add(bins, k, 1)


@cuda.jit
def count_in_blocks(values, low, high, bins):
    """The threads of a block add to its own counters, which are added to the others at the end."""
    own = cuda.shared.array(BINS, int32)
    for k in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        own[k] = 0
    cuda.syncthreads()
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        k = bin_of(values[i], low, high)
        if k >= 0:
            cuda.atomic.add(own, k, 1)
    cuda.syncthreads()
    for k in range(cuda.threadIdx.x, BINS, cuda.blockDim.x):
        cuda.atomic.add(bins, k, own[k])


@cuda.jit
def extremes(values, out):
    """The least and the largest of all; `out` begins with infinity and minus infinity."""
    for i in range(cuda.grid(1), values.size, cuda.gridsize(1)):
        cuda.atomic.min(out, 0, values[i])
        cuda.atomic.max(out, 1, values[i])


def main():
    chosen = options(__doc__, size=1 << 24, simulated=2000)
    print(f"{chosen.size} numbers, {BINS} bins, {where()}")
    values = np.random.default_rng(5).normal(size=chosen.size).astype(np.float32)
    on_device = cuda.to_device(values)
    grid = 2 if SIMULATED else 512
    scaled = (values - LOW) / (HIGH - LOW) * np.float32(BINS)
    inside = (values >= LOW) & (values < HIGH)
    want = np.bincount(scaled[inside].astype(np.int64), minlength=BINS)
    for kernel in (count, count_in_blocks):
        bins = cuda.to_device(np.zeros(BINS, np.int32))
        kernel[grid, THREADS](on_device, LOW, HIGH, bins)
        found = bins.copy_to_host()
        assert found.sum() == inside.sum(), f"{found.sum()} numbers were counted of {inside.sum()}"
        # A number on the border of two bins may round to either.
        check(kernel.__name__, found, want, atol=max(2, 1e-6 * chosen.size))
        show_time(kernel.__name__, lambda k=kernel, b=bins: k[grid, THREADS](on_device, LOW, HIGH, b))

    ends = np.array([np.inf, -np.inf], np.float32)
    extremes[grid, THREADS](on_device, ends)
    check("least and largest", ends, [values.min(), values.max()])

    if chosen.pictures:
        edges = np.linspace(LOW, HIGH, BINS + 1)
        save_bars(chosen.pictures / "histogram.svg", "Normal numbers", "value", "count", edges, found)


if __name__ == "__main__":
    main()
