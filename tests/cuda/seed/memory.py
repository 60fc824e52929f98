"""Rows of memory: kinds of arrays, streams and events, random numbers, reductions, memory of other libraries."""

import ctypes
import gc
import math
import time

import numpy as np
from numbra import cuda
from numbra.core import config
from numbra.cuda import random

from . import SIMULATED, library, row, same


@cuda.jit
def add(x, y, out):
    """Right for any grid."""
    for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
        out[i] = x[i] + y[i]


@row("8.065", device=True)
def streams():
    """own, default and external streams; arrays that have a stream"""
    n = 1 << 16
    stream = cuda.stream()
    assert cuda.default_stream() is not None
    host = cuda.pinned_array(n, np.int32)
    host[:] = np.arange(n)
    array = cuda.device_array_like(host, stream=stream)
    array.copy_to_device(host, stream=stream)
    add[n // 256, 256, stream](array, array, array)
    array.copy_to_host(host, stream=stream)
    stream.synchronize()
    same(host, 2 * np.arange(n))
    other = cuda.external_stream(int(stream))
    add[n // 256, 256, other](array, array, array)
    other.synchronize()
    same(array.copy_to_host(), 4 * np.arange(n))


@row("8.066")
def pi():
    """pi by xoroshiro128p_uniform_float32"""

    @cuda.jit
    def kernel(states, samples, out):
        i = cuda.grid(1)
        inside = 0
        for _ in range(samples):
            x = random.xoroshiro128p_uniform_float32(states, i)
            y = random.xoroshiro128p_uniform_float32(states, i)
            if x**2 + y**2 <= 1.0:
                inside += 1
        out[i] = 4.0 * inside / samples

    threads, blocks, samples = (16, 2, 200) if SIMULATED else (64, 24, 10_000)
    states = random.create_xoroshiro128p_states(threads * blocks, seed=1)
    out = np.zeros(threads * blocks)
    kernel[blocks, threads](states, samples, out)
    assert abs(out.mean() - math.pi) < 8 / math.sqrt(threads * blocks * samples)


@row("8.067")
def distributions():
    """uniform and normal numbers of both widths, the same for the same seed"""
    functions = [
        getattr(random, f"xoroshiro128p_{kind}_float{bits}") for kind in ("uniform", "normal") for bits in (32, 64)
    ]
    n = 64 if SIMULATED else 4096

    def made_with(function):
        @cuda.jit
        def kernel(states, out):
            i = cuda.grid(1)
            out[i] = function(states, i)

        return kernel

    for function in functions:
        kernel, results = made_with(function), []
        for _ in range(2):
            out = np.zeros(n)
            kernel[n // 64, 64](random.create_xoroshiro128p_states(n, seed=5), out)
            results.append(out)
        same(*results)
        mean = 0.5 if "uniform" in function.__name__ else 0.0
        assert abs(results[0].mean() - mean) < 5 / math.sqrt(n)


@row("8.068")
def reductions():
    """cuda.reduce of an array of the host, and with res= on the device"""

    @cuda.reduce
    def sum_reduce(a, b):
        return a + b

    values = (np.arange(1234, dtype=np.float64)) + 1
    assert sum_reduce(values) == 1234 * 1235 / 2 == 761_995
    array, result = cuda.to_device(values), cuda.device_array(1, np.float64)
    sum_reduce(array, res=result)
    same(result.copy_to_host(), [761_995])


@row("8.070", gpu=True)
def events():
    """copies and a kernel are submitted in much less time than they take"""
    n = 1 << 25
    host, stream = cuda.pinned_array(n, np.float32), cuda.stream()
    host[:] = 1
    array = cuda.device_array_like(host, stream=stream)
    add[1024, 256, stream](array, array, array)
    stream.synchronize()
    start, stop = cuda.event(), cuda.event()
    began = time.perf_counter()
    start.record(stream=stream)
    array.copy_to_device(host, stream=stream)
    add[1024, 256, stream](array, array, array)
    array.copy_to_host(host, stream=stream)
    stop.record(stream=stream)
    submitted = 1e3 * (time.perf_counter() - began)
    while not stop.query():
        pass
    taken = start.elapsed_time(stop)
    assert isinstance(taken, float) and taken > 4 * submitted, (taken, submitted)
    same(host[:10], np.full(10, 2))


@row("8.072", device=True)
def what_arrays_print():
    """print of a device array shows its class; shape and dtype are NumPy's"""
    array = cuda.to_device(np.arange(100_000, dtype=np.float32))
    assert ".cuda.cudadrv.devicearray.DeviceNDArray object at 0x" in repr(array), repr(array)
    assert array.shape == (100_000,) and array.dtype == np.float32


@row("8.079")
def pinned_arrays():
    """pinned_array(shape, dtype, strides, order) is an array of NumPy"""
    array = cuda.pinned_array((3, 4), np.float32, order="F")
    assert isinstance(array, np.ndarray) and array.shape == (3, 4)
    assert array.dtype == np.float32 and array.flags.f_contiguous
    array[:] = 1
    same(array.sum(), 12)


@row("8.089", device=True)
def the_interface():
    """the keys of __cuda_array_interface__"""
    described = cuda.device_array((100, 2)).__cuda_array_interface__
    assert set(described) >= {"shape", "strides", "data", "typestr", "stream", "version"}
    assert described["shape"] == (100, 2) and described["strides"] is None and described["typestr"] == "<f8"
    address, readonly = described["data"]
    assert address > 0 and readonly is False and described["version"] == 3


@row("8.090", device=True)
def arrays_of_cupy():
    """a kernel on arrays of CuPy"""
    cupy = library("cupy")
    a, b = cupy.arange(100.0), cupy.ones(100)
    out = cupy.zeros(100)
    add[1, 32](a, b, out)
    same(cupy.asnumpy(out), np.arange(100) + 1)


@row("8.091", device=True)
def cupy_of_ours():
    """cupy.asarray of a device array shares its memory"""
    cupy = library("cupy")
    ours = cuda.to_device(np.zeros(8))
    theirs = cupy.asarray(ours)
    assert theirs.data.ptr == ours.__cuda_array_interface__["data"][0]
    theirs += 3
    cupy.cuda.Device().synchronize()
    same(ours.copy_to_host(), np.full(8, 3))


@row("8.092", gpu=True)
def classes_with_the_interface():
    """an object with version 2, type 'f4' and memory of cuMemAlloc; a shape that is a number"""
    driver = ctypes.CDLL("libcuda.so.1")
    cuda.current_context()
    pointer = ctypes.c_uint64()
    assert driver.cuMemAlloc_v2(ctypes.byref(pointer), ctypes.c_size_t(4 * 40)) == 0
    assert driver.cuMemsetD32_v2(pointer, 0, ctypes.c_size_t(40)) == 0

    class Foreign:
        """Memory that numbra knows nothing of."""

        def __init__(self, shape):
            self.__cuda_array_interface__ = {
                "shape": shape,
                "typestr": "f4",
                "data": (pointer.value, False),
                "version": 2,
            }

    @cuda.jit
    def fill(x):
        i = cuda.grid(1)
        if i < 32:
            x[i] = 3.14

    try:
        for shape in ((40,), 40):
            fill[1, 64](Foreign(shape))
            got = np.zeros(40, np.float32)
            cuda.synchronize()
            assert driver.cuMemcpyDtoH_v2(got.ctypes.data_as(ctypes.c_void_p), pointer, ctypes.c_size_t(160)) == 0
            same(got, np.float32([3.14] * 32 + [0] * 8))
    finally:
        driver.cuMemFree_v2(pointer)


@row("8.093", device=True)
def other_libraries():
    """tensors of PyTorch as arguments, and by DLPack both ways"""
    torch = library("torch")
    a = torch.arange(50, device="cuda", dtype=torch.float32)
    out = torch.zeros_like(a)
    add[1, 32](a, a, out)
    same(out.cpu().numpy(), 2 * np.arange(50))
    same(cuda.from_dlpack(a).copy_to_host(), np.arange(50))
    same(torch.from_dlpack(cuda.to_device(np.ones(4))).cpu().numpy(), np.ones(4))


def nothing_waits(deallocations):
    """Frees what waits, and what other rows left to the collector, which would add to the list whenever it runs."""
    gc.collect()
    deallocations.clear()


@row("8.200", device=True)
def allocation():
    """device_array allocates at once; del puts the memory on a list"""
    manager = cuda.current_context().memory_manager
    nothing_waits(manager.deallocations)
    assert len(manager.deallocations) == 0
    array = cuda.device_array(1000)
    assert array.__cuda_array_interface__["data"][0] > 0
    del array
    assert len(manager.deallocations) == 1
    manager.deallocations.clear()
    assert len(manager.deallocations) == 0


@row("8.201", device=True)
def limits_of_the_list():
    """ten arrays may wait; the eleventh frees all"""
    deallocations = cuda.current_context().memory_manager.deallocations
    nothing_waits(deallocations)
    assert config.CUDA_DEALLOCS_COUNT == 10 and config.CUDA_DEALLOCS_RATIO == 0.2
    for waiting in range(1, 11):
        cuda.to_device(np.arange(1))
        assert len(deallocations) == waiting
    cuda.to_device(np.arange(1))
    assert len(deallocations) == 0


@row("8.202", device=True)
def deferring():
    """nothing is freed within cuda.defer_cleanup()"""
    deallocations = cuda.current_context().memory_manager.deallocations
    nothing_waits(deallocations)
    with cuda.defer_cleanup():
        for _ in range(15):
            cuda.to_device(np.arange(1))
        assert len(deallocations) == 15
    cuda.to_device(np.arange(1))
    assert len(deallocations) <= 1
