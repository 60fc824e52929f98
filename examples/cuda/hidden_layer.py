"""A hidden layer of a neural network: three kernels one after the other, with one copy in and one copy out.

usage: hidden_layer.py [--size NEURONS]
"""

from math import exp

import numpy as np
from common import blocks, check, options, show_time, where
from numbra import cuda

THREADS = 256


@cuda.jit
def normalize(greys, out):
    i = cuda.grid(1)
    if i < greys.size:
        out[i] = greys[i] / np.float32(255)


@cuda.jit
def weigh(values, weights, out):
    i = cuda.grid(1)
    if i < values.size:
        out[i] = values[i] * weights[i]


@cuda.jit
def activate(values, out):
    """The hyperbolic tangent, written out."""
    i = cuda.grid(1)
    if i < values.size:
        up, down = exp(values[i]), exp(-values[i])
        out[i] = (up - down) / (up + down)


def hidden_layer(greys, weights):
    """An array of the host. Between the kernels nothing leaves the device."""
    values, factors = cuda.to_device(greys), cuda.to_device(weights)
    grid = blocks(greys.size, THREADS)
    normalize[grid, THREADS](values, values)
    weigh[grid, THREADS](values, factors, values)
    activate[grid, THREADS](values, values)
    return values.copy_to_host()


def main():
    chosen = options(__doc__, size=1_000_000, simulated=500)
    print(f"{chosen.size} neurons, {where()}")
    rng = np.random.default_rng(9)
    greys = np.floor(rng.uniform(0, 255, chosen.size)).astype(np.float32)
    weights = rng.normal(0.5, 0.1, chosen.size).astype(np.float32)
    result = hidden_layer(greys, weights)
    assert isinstance(result, np.ndarray) and result.dtype == np.float32
    check("layer", result, np.tanh(weights.astype(np.float64) * greys / 255), rtol=1e-4, atol=1e-6)
    show_time("layer", lambda: hidden_layer(greys, weights))


if __name__ == "__main__":
    main()
