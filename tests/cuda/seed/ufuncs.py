"""Rows of ufuncs and gufuncs on the GPU."""

import math
import time

import numbra as nb
import numpy as np
from numbra import cuda
from numbra.types import float32, float64

from . import ON_CPU, SIMULATED, raises, row, same

SQRT_2PI = np.float32((2 * math.pi) ** 0.5)
N = 300 if SIMULATED else 1_000_000


@nb.vectorize(["int64(int64, int64)"], target="cuda")
def add_integers(x, y):
    """The notebook's first."""
    return x + y


@nb.vectorize(["float32(float32, float32)"], target="cuda")
def add(x, y):
    """Its second."""
    return x + y


@nb.vectorize(["float32(float32, float32, float32)"], target="cuda")
def gaussian_pdf(x, mean, sigma):
    """A density of normal numbers."""
    return math.exp(-0.5 * ((x - mean) / sigma) ** 2) / (sigma * SQRT_2PI)


def microseconds(call, rounds=50):
    """The median time of a call that waits for the device."""
    call()
    cuda.synchronize()
    times = []
    for _ in range(rounds):
        began = time.perf_counter()
        call()
        cuda.synchronize()
        times.append(time.perf_counter() - began)
    return 1e6 * sorted(times)[rounds // 2]


@row("8.102")
def two_integers():
    """int64(int64, int64) on arrays of the host, with broadcasting"""
    a, b = np.array([1, 2, 3, 4]), np.array([10, 20, 30, 40])
    result = add_integers(a, b)
    assert isinstance(result, np.ndarray)
    same(result, [11, 22, 33, 44])
    c = np.arange(16).reshape(4, 4)
    same(add_integers(b, c), b + c)


@row("8.103", gpu=True)
def small_calls():
    """16 elements in less than the notebook's 695 us"""
    b, c = np.array([10, 20, 30, 40]), np.arange(16).reshape(4, 4)
    taken = microseconds(lambda: add_integers(b, c))
    assert taken < 695, f"{taken:.0f} us"


@row("8.104")
def densities():
    """a frozen constant; a number as an argument; float32 all the way"""
    x = np.random.default_rng(1).uniform(-3, 3, N).astype(np.float32)
    result = gaussian_pdf(x, np.float32(0), np.float32(1))
    assert result.dtype == np.float32
    want = np.exp(-0.5 * x.astype(np.float64) ** 2) / math.sqrt(2 * math.pi)
    same(result, want, rtol=1e-5)
    one = np.asarray(gaussian_pdf(x[0], 0.0, 1.0))
    assert one.size == 1 and one.dtype == np.float32
    same(one.ravel(), want[:1], rtol=1e-5)
    if not SIMULATED and not ON_CPU:
        mean, sigma = np.float32(0), np.float32(1)
        taken = microseconds(lambda: gaussian_pdf(x, mean, sigma), 9)
        assert taken < 4880, f"{taken:.0f} us with transfers; the notebook's 4880"


@row("8.106")
def device_functions():
    """a ufunc calls a device function that returns a tuple"""

    @cuda.jit(device=True)
    def polar_to_cartesian(rho, theta):
        return rho * math.cos(theta), rho * math.sin(theta)

    @nb.vectorize(["float32(float32, float32, float32, float32)"], target="cuda")
    def polar_distance(rho1, theta1, rho2, theta2):
        x1, y1 = polar_to_cartesian(rho1, theta1)
        x2, y2 = polar_to_cartesian(rho2, theta2)
        return ((x1 - x2) ** 2 + (y1 - y2) ** 2) ** 0.5

    rng = np.random.default_rng(2)
    rho1, rho2 = (rng.uniform(0.5, 1.5, N).astype(np.float32) for _ in range(2))
    theta1, theta2 = (rng.uniform(-np.pi, np.pi, N).astype(np.float32) for _ in range(2))
    result = polar_distance(rho1, theta1, rho2, theta2)
    assert result.dtype == np.float32
    want = abs(rho1 * np.exp(1j * theta1.astype(float)) - rho2 * np.exp(1j * theta2.astype(float)))
    same(result, want, rtol=1e-3, atol=1e-6)


@row("8.107")
def zero_suppress():
    """int16 with a number of Python as the second argument"""

    @nb.vectorize(["int16(int16, int16)"], target="cuda")
    def suppress(value, threshold):
        if value < threshold:
            result = 0
        else:
            result = value
        return result

    wave = (np.random.default_rng(3).normal(size=N) * 30).astype(np.int16)
    result = suppress(wave, 15)
    assert result.dtype == np.int16
    same(result, np.where(wave < 15, 0, wave))


@row("8.108", gpu=True)
def where_arrays_are():
    """arrays of the host are slowest, device arrays faster, with out= fastest"""
    x = np.arange(100_000, dtype=np.float32)
    x_device, y_device = cuda.to_device(x), cuda.to_device(2 * x)
    out = cuda.device_array(x.shape, np.float32)
    assert isinstance(add(x, x), np.ndarray) and cuda.is_cuda_array(add(x_device, y_device))
    assert add(x_device, y_device, out=out) is out
    host = microseconds(lambda: add(x, x))
    device = microseconds(lambda: add(x_device, y_device))
    given = microseconds(lambda: add(x_device, y_device, out=out))
    assert host > device > given, f"{host:.0f} us, {device:.0f} us, {given:.0f} us"


@row("8.109")
def the_result():
    """out_device.copy_to_host()[:10]"""
    x = np.arange(N, dtype=np.float32)
    out = cuda.device_array(shape=(N,), dtype=np.float32)
    add(cuda.to_device(x), cuda.to_device(2 * x), out=out)
    same(out.copy_to_host()[:10], np.arange(0, 30, 3))


@nb.vectorize(["float32(float32, float32, float32)"], target="cuda")
def make_pulses(i, period, amplitude):
    """max of a double and a constant."""
    return max(math.sin(i / period) - 0.3, 0.0) * amplitude


@row("8.110")
def pulses():
    """max of numbers of two types; floats of Python as arguments"""
    t = np.arange(N, dtype=np.float32)
    result = make_pulses(t, N / 23, 100.0)
    same(result, np.maximum(np.sin(t / np.float32(N / 23)) - 0.3, 0) * 100, rtol=1e-3, atol=2e-3)


@row("8.111")
def mixed_places():
    """a device array and an array of the host in one call, out= on the device"""
    t = np.arange(N, dtype=np.float32)
    noise = np.random.default_rng(4).normal(size=N).astype(np.float32)
    out = cuda.device_array(N, np.float32)
    make_pulses(cuda.to_device(t), N / 23, 100.0, out=out)
    before = out.copy_to_host()
    add(out, noise, out=out)
    same(out.copy_to_host(), before + noise, rtol=1e-6, atol=1e-6)


@row("8.112")
def norms():
    """a gufunc of float32 takes float64"""

    @nb.guvectorize(["(float32[:], float32[:])"], "(i)->()", target="cuda")
    def l2_norm(vec, out):
        acc = 0.0
        for value in vec:
            acc += value**2
        out[0] = math.sqrt(acc)

    angles = np.random.default_rng(5).uniform(-np.pi, np.pi, 10)
    result = l2_norm(np.stack([np.cos(angles), np.sin(angles)], axis=1))
    assert result.dtype == np.float32
    same(result, np.ones(10), rtol=1e-6)


@row("8.113")
def signatures():
    """target='cuda' needs signatures"""

    @nb.vectorize([float32(float32, float32)], target="cuda")
    def rel_diff(x, y):
        return 2 * (x - y) / (x + y)

    x, y = np.arange(1, 50, dtype=np.float32), np.full(49, 2, np.float32)
    same(rel_diff(x, y), 2 * (x - y) / (x + y), rtol=1e-6)
    if not SIMULATED:
        raises(TypeError, "", lambda: nb.vectorize(target="cuda")(lambda x: x)(x))


@row("8.114", device=True)
def order_of_signatures():
    """arrays of float32 take the float32 version, whichever comes first"""
    both = [float32(float32, float32), float64(float64, float64)]
    for order in (both, both[::-1]):
        f = nb.vectorize(order, target="cuda")(lambda x, y: x + y)
        x = np.arange(5, dtype=np.float32)
        assert f(x, x).dtype == np.float32
        assert f(x.astype(np.float64), x.astype(np.float64)).dtype == np.float64


@row("8.115", device=True)
def reductions_of_ufuncs():
    """reduce, but not accumulate"""
    x = np.arange(N, dtype=np.float32) % 7
    same(add.reduce(x), x.sum(dtype=np.float64), rtol=1e-3)
    same(add_integers.reduce(cuda.to_device(np.arange(1000))), 499_500)
    raises((AttributeError, NotImplementedError), "", lambda: add.accumulate(x))


@row("8.116")
def broadcasting():
    """two dimensions, and a row for each column"""
    x = np.linspace(-3, 3, 60, dtype=np.float32).reshape(12, 5)
    means = np.arange(5, dtype=np.float32)
    result = gaussian_pdf(x, means, np.float32(2))
    want = np.exp(-0.5 * ((x - means) / 2.0) ** 2) / (2 * math.sqrt(2 * math.pi))
    assert result.shape == (12, 5)
    same(result, want, rtol=1e-5)


@row("8.117", device=True)
def device_memory():
    """device arrays in, a device array out"""
    x = cuda.to_device(np.zeros(10, np.float32))
    result = gaussian_pdf(x, np.float32(0), np.float32(1))
    assert cuda.is_cuda_array(result)
    same(result.copy_to_host(), np.full(10, 1 / math.sqrt(2 * math.pi)), rtol=1e-6)
