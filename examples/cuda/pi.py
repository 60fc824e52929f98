"""Pi by chance: on the CPU, and on the GPU with a generator of random numbers for each thread.

usage: pi.py [--size SAMPLES-PER-THREAD] [--pictures FOLDER]
"""

import math
import random

import numbra as nb
import numpy as np
from common import SIMULATED, options, show_time, where
from numbra import cuda
from numbra.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32
from picture import save_lines


@nb.njit
def on_cpu(samples):
    """Four times the share of the points of a square that are in the quarter circle."""
    inside = 0
    for _ in range(samples):
        x, y = random.random(), random.random()
        inside += x * x + y * y < 1.0
    return 4.0 * inside / samples


@cuda.jit
def on_gpu(states, samples, out):
    """An estimate for each thread: thread i takes its numbers from state i."""
    i = cuda.grid(1)
    if i < out.size:
        inside = 0
        for _ in range(samples):
            x = xoroshiro128p_uniform_float32(states, i)
            y = xoroshiro128p_uniform_float32(states, i)
            if x * x + y * y < np.float32(1):
                inside += 1
        out[i] = 4.0 * inside / samples


def main():
    chosen = options(__doc__, size=10_000, simulated=100)
    threads, count = (32, 2) if SIMULATED else (128, 128)
    total = threads * count
    print(f"{total} threads with {chosen.size} samples each, {where()}")

    samples = 200_000
    assert abs(on_cpu(samples) - math.pi) < 0.03 and abs(on_cpu.py_func(2000) - math.pi) < 0.3
    print("CPU: near pi, compiled and interpreted")

    states = create_xoroshiro128p_states(total, seed=1)
    out = cuda.device_array(total, np.float64)
    on_gpu[count, threads](states, chosen.size, out)
    estimates = out.copy_to_host()
    deviation = math.sqrt(math.pi * (4 - math.pi) / (total * chosen.size))
    print(f"GPU: {estimates.mean():.6f}, {(estimates.mean() - math.pi) / deviation:+.1f} standard deviations off")
    assert abs(estimates.mean() - math.pi) < 5 * deviation

    again = cuda.device_array(total, np.float64)
    on_gpu[count, threads](create_xoroshiro128p_states(total, seed=1), chosen.size, again)
    np.testing.assert_array_equal(again.copy_to_host(), estimates)
    print("GPU: the same seed gives the same numbers")
    show_time("kernel", lambda: on_gpu[count, threads](states, chosen.size, again))

    if chosen.pictures:
        n = np.unique(np.geomspace(1, total, 60).astype(int))
        mean = np.cumsum(estimates)[n - 1] / n
        scale = np.log10(n * chosen.size)
        lines = {"estimate": mean, "pi": np.full(len(n), math.pi)}
        save_lines(chosen.pictures / "pi.svg", "Pi by chance", "samples, log10", "estimate", scale, lines)


if __name__ == "__main__":
    main()
