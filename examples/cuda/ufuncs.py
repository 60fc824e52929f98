"""Functions of elements on the GPU: ufuncs with broadcasting, device arrays, device functions, and a gufunc.

usage: ufuncs.py [--size ELEMENTS] [--pictures FOLDER]
"""

import math

import numbra as nb
import numpy as np
from common import SIMULATED, check, options, show_time, where
from numbra import cuda
from picture import save_lines

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)  # a constant of the kernels: compiled in, and single precision


@nb.vectorize
def add_ten(value):  # of the CPU: needs no signature
    return value + 10


@nb.vectorize(["int64(int64, int64)", "float32(float32, float32)"], target="cuda")
def add(x, y):
    return x + y


@nb.vectorize(["float32(float32, float32, float32)"], target="cuda")
def gaussian(x, mean, sigma):
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


@cuda.jit(device=True)
def cartesian(rho, theta):
    """The tuple is two registers: it is never made."""
    return rho * math.cos(theta), rho * math.sin(theta)


@nb.vectorize(["float32(float32, float32, float32, float32)"], target="cuda")
def polar_distance(rho1, theta1, rho2, theta2):
    x1, y1 = cartesian(rho1, theta1)
    x2, y2 = cartesian(rho2, theta2)
    return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5


@nb.vectorize(["float32(float32, float32, float32)"], target="cuda")
def pulses(i, period, amplitude):
    return max(math.sin(i / period) - 0.3, 0.0) * amplitude


@nb.vectorize(["int16(int16, int16)"], target="cuda")
def suppress(value, threshold):
    """What is below the threshold becomes 0."""
    return value if value >= threshold else 0


@nb.guvectorize(["(float32[:], float32[:])"], "(i)->()", target="cuda")
def norm(vector, out):
    """The length of each row: a function of whole vectors instead of elements."""
    total = 0.0
    for value in vector:
        total += value**2
    out[0] = math.sqrt(total)


def simple():
    a, b = np.array([1, 2, 3, 4]), np.array([10, 20, 30, 40])
    c = np.arange(16).reshape(4, 4)
    check("CPU's ufunc", add_ten(np.arange(10)), np.arange(10, 20))
    check("add", add(a, b), a + b)
    check("add, b to each row of c", add(b, c), b + c)
    check("reduce", add.reduce(np.arange(100)), 4950)


def densities(n, rng):
    x = rng.uniform(-3, 3, n).astype(np.float32)
    mean, sigma = np.float32(0), np.float32(1)
    want = np.exp(-(x.astype(np.float64) ** 2) / 2) / math.sqrt(2 * math.pi)
    check("gaussian", gaussian(x, mean, sigma), want, rtol=1e-5)
    check("gaussian of a number", np.squeeze(gaussian(x[0], 0.0, 1.0)), want[0], rtol=1e-5)
    show_time("gaussian", lambda: gaussian(x, mean, sigma))


def distances(n, rng):
    rho1, rho2 = (rng.uniform(0.5, 1.5, n).astype(np.float32) for _ in range(2))
    theta1, theta2 = (rng.uniform(-np.pi, np.pi, n).astype(np.float32) for _ in range(2))
    got = polar_distance(rho1, theta1, rho2, theta2)
    assert got.dtype == np.float32
    want = abs(rho1 * np.exp(1j * theta1.astype(np.float64)) - rho2 * np.exp(1j * theta2.astype(np.float64)))
    check("polar_distance", got, want, rtol=1e-4, atol=1e-6)


def transfers(n):
    """The same call with arrays of the host, with device arrays, and with a place for the result."""
    x = np.arange(n, dtype=np.float32)
    x_device, y_device = cuda.to_device(x), cuda.to_device(2 * x)
    out = cuda.device_array(n, np.float32)
    assert isinstance(add(x, x), np.ndarray)
    assert cuda.is_cuda_array(add(x_device, y_device)) or SIMULATED
    add(x_device, y_device, out=out)
    check("out=", out.copy_to_host()[:10], np.arange(0, 30, 3)[:n])
    show_time("arrays of the host", lambda: add(x, x))
    show_time("device arrays", lambda: add(x_device, y_device))
    show_time("device arrays and out=", lambda: add(x_device, y_device, out=out))


def signal(n, rng):
    """A noisy pulse train: one copy to the device for each input, one back."""
    t = np.arange(n, dtype=np.float32)
    noise = (rng.normal(size=n) * 3).astype(np.float32)
    period = np.float32(n / 23)
    out = cuda.device_array(n, np.float32)
    pulses(cuda.to_device(t), period, np.float32(100), out=out)
    add(out, noise, out=out)
    wave = out.copy_to_host()
    check("pulses", wave, np.maximum(np.sin(t / period) - 0.3, 0) * 100 + noise, rtol=1e-4, atol=1e-2)
    whole = (wave * 3).astype(np.int16)
    quiet = suppress(whole, 15)
    check("suppress", quiet, np.where(whole < 15, 0, whole))
    return t, whole, quiet


def main():
    chosen = options(__doc__, size=1_000_000, simulated=400)
    print(f"{chosen.size} elements, {where()}")
    rng = np.random.default_rng(11)
    simple()
    densities(chosen.size, rng)
    distances(chosen.size, rng)
    transfers(chosen.size)
    t, noisy, quiet = signal(chosen.size, rng)
    angles = rng.uniform(-np.pi, np.pi, 10)
    check("norm", norm(np.stack([np.cos(angles), np.sin(angles)], axis=1)), np.ones(10), rtol=1e-6)
    if chosen.pictures:
        some = slice(None, None, max(chosen.size // 500, 1))
        lines = {"with noise": noisy[some], "suppressed": quiet[some]}
        save_lines(chosen.pictures / "ufuncs.svg", "Pulses", "time", "value", t[some], lines)


if __name__ == "__main__":
    main()
