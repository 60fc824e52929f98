"""Calls of ufuncs, gufuncs and reductions on a driver without a GPU: what is copied, launched and waited for."""

import warnings

import numpy as np
import pytest
from numbra import cuda, guvectorize, types, vectorize
from numbra.cuda.cudadrv import nvvm
from numbra.cuda.cudadrv.devicearray import DeviceNDArray
from numbra.cuda.views import view

pytestmark = [
    pytest.mark.skipif(not nvvm.is_available(), reason="the LLVM library is not installed"),
    pytest.mark.filterwarnings("ignore:Grid size"),
]

COPIES = ("cuMemcpyHtoD", "cuMemcpyHtoDAsync", "cuMemcpyDtoH", "cuMemcpyDtoHAsync", "cuMemcpyDtoD", "cuMemcpyDtoDAsync")
WAITS = ("cuStreamSynchronize", "cuCtxSynchronize", "cuEventSynchronize")


class Foreign:
    """An array of other code."""

    def __init__(self, ary):
        self._ary = ary
        self.__cuda_array_interface__ = ary.__cuda_array_interface__


@vectorize(["int32(int32, int32)", "float32(float32, float32)", "float64(float64, float64)"], target="cuda")
def add(a, b):
    return a + b


@guvectorize(["void(float32[:], float32, float32[:])"], "(n),()->(n)", target="cuda")
def scale(x, factor, out):
    for i in range(x.shape[0]):
        out[i] = x[i] * factor


def calls(fake, names):
    return sum(map(fake.count, names))


def grid(launch):
    return launch.grid[0] * launch.block[0]


def test_what_is_on_the_device_stays_there(fake):
    x = cuda.to_device(np.ones((1, 3, 64, 64), np.float32))
    row = cuda.to_device(np.ones((3, 1, 64), np.float32))
    copied, waited, launched = calls(fake, COPIES), calls(fake, WAITS), fake.count("cuLaunchKernel")
    for args in [(x, x), (x, 1.0), (2, x), (x, row), (x[:, :, ::2], x[:, :, 1::2])]:
        got = add(*args)
        assert type(got) is DeviceNDArray
        assert (got.dtype, got.shape) == (np.float32, np.broadcast_shapes(*(np.shape(arg) for arg in args)))
    assert fake.count("cuLaunchKernel") == launched + 5
    assert (calls(fake, COPIES), calls(fake, WAITS)) == (copied, waited)


def test_arrays_of_the_host_are_copied_before_they_are_spread(fake):
    row, column = np.ones(1000), np.ones((1000, 1))
    allocated = fake.count("cuMemAlloc")
    assert add(row, column).shape == (1000, 1000)
    assert fake.count("cuMemAlloc") == allocated + 3
    launch = fake.last_launch()
    assert grid(launch) >= 1_000_000 > grid(launch) - launch.block[0]


def test_outputs(fake):
    x = cuda.to_device(np.ones(10))
    out = cuda.device_array(10)
    assert add(x, x, out=out) is out
    assert add(np.ones(10), 1, out=out) is out
    foreign = Foreign(out)
    got = add(x, 1, out=foreign)
    assert type(got) is DeviceNDArray
    assert got.device_ctypes_pointer.value == out.device_ctypes_pointer.value
    host = np.zeros(10)
    assert add(x, x, out=host) is host
    assert add(Foreign(x), np.ones(10), stream=cuda.stream()).shape == (10,)
    with pytest.raises(ValueError, match=r"out is float64\(10,\), and the result is float64\(3, 10\)"):
        add(x, np.ones((3, 1)), out=out)
    with pytest.raises(TypeError, match="return arrays must be of ArrayType, not list"):
        add(x, x, out=[0.0])


def test_arrays_that_host_and_device_share():
    total = cuda.Reduce(lambda a, b: a + b)
    for shared in (cuda.mapped_array((4, 6)), cuda.managed_array((4, 6))):
        shared[:] = 1
        assert add(shared, 2).shape == (4, 6)
        assert add(shared, shared[:, :1]).shape == (4, 6)
        assert add(shared, shared, out=shared) is shared
        total(shared[1])
        assert total(cuda.to_device(np.ones(3)), res=shared[2]) is None
        assert total(np.ones(0), res=shared[3], init=5) is None
        cuda.synchronize()
        assert shared[3].tolist() == [5, 1, 1, 1, 1, 1]
    singles = cuda.mapped_array((4, 6), np.float32)
    assert scale(singles[::2], np.float32(1)).shape == (2, 6)


def test_the_stream(fake):
    stream = cuda.stream()
    x = cuda.to_device(np.ones(10), stream)
    assert add(x, x, stream=stream).stream is stream
    assert fake.last_launch().stream == int(stream)
    scale(cuda.to_device(np.ones((4, 3), np.float32)), np.float32(2), stream=stream)
    assert fake.last_launch().stream == int(stream)


def test_more_elements_than_32_bits_count(fake):
    many = view(cuda.to_device(np.ones(1, np.float32)), (3, (1 << 32) + 5), (0, 0))
    assert add(many, many, out=many) is many
    launch = fake.last_launch()
    assert grid(launch) >= many.size > grid(launch) - launch.block[0]


def test_empty_arrays_launch_nothing(fake):
    launched = fake.count("cuLaunchKernel")
    assert add(np.ones((0, 3)), np.ones(3)).shape == (0, 3)
    assert scale(np.ones((0, 3), np.float32), np.float32(2)).shape == (0, 3)
    assert fake.count("cuLaunchKernel") == launched


def test_types_of_numbers_and_results():
    assert add(1.5, 2.0).shape == (1,)
    assert add(np.int32(1), np.int32(2)).dtype == np.int32
    days = types.NPDatetime("D")

    @cuda.vectorize([(days, days)])
    def between(start, end):
        return end - start

    dates = np.arange("2005-02", "2006-02", dtype="datetime64[D]")
    assert between(dates, dates[0]).dtype == np.dtype("m8[D]")
    assert between(cuda.to_device(dates), dates).dtype == np.dtype("m8[D]")

    @cuda.vectorize(["float16(float16, float16)", "boolean(boolean, boolean)", "complex64(complex64, complex64)"])
    def first(a, b):
        return a

    for dtype, number in [(np.float16, 1.0), (np.bool_, True), (np.complex64, 2j)]:
        assert first(np.ones(3, dtype), number).dtype == dtype


def test_gufuncs_on_the_device(fake):
    x = cuda.to_device(np.ones((4, 5, 3), np.float32))
    got = scale(x, np.float32(2))
    assert (type(got), got.shape) == (DeviceNDArray, (4, 5, 3))
    out = cuda.device_array((4, 5, 3), np.float32)
    foreign = Foreign(out)
    assert scale(x, np.float32(2), out=foreign).device_ctypes_pointer.value == out.device_ctypes_pointer.value
    assert type(scale(x.copy_to_host(), np.float32(2), np.zeros((4, 5, 3), np.float32))) is np.ndarray
    with pytest.raises(
        TypeError, match=r"compatible signature is possible by casting but .* does not support .astype\(\)"
    ):
        scale(cuda.to_device(np.ones(3)), np.float32(2))
    with pytest.raises(TypeError, match="incompatible dtype: an output has float64"):
        scale(x, np.float32(2), out=cuda.device_array((4, 5, 3)))


def test_a_gufunc_in_a_kernel():
    @cuda.jit
    def kernel(x):
        scale(x, 2, x)

    with pytest.raises(cuda.core.errors.TypingError, match="Untyped global name 'scale'"):
        kernel[1, 1](cuda.to_device(np.ones(3, np.float32)))


def test_reductions_wait_for_nothing(fake):
    total = cuda.Reduce(lambda a, b: a + b)
    result = cuda.device_array(1, np.float64)
    stream = cuda.stream()
    many, few = cuda.to_device(np.ones(1 << 22)), cuda.to_device(np.ones(100))
    total(few, res=result)
    copied, waited = calls(fake, COPIES), calls(fake, WAITS)
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # of few blocks
        for array, launches in [(many, 2), (few, 1), (many[::2], 2)]:
            before = fake.count("cuLaunchKernel")
            assert total(array, res=result, stream=stream) is None
            assert fake.count("cuLaunchKernel") == before + launches
            launch = fake.last_launch()
            assert (list(launch.grid), launch.stream) == ([1, 1, 1], int(stream))
    assert (calls(fake, COPIES), calls(fake, WAITS)) == (copied, waited)


def test_kernels_of_reductions_are_kept(fake):
    def largest(a, b):
        return max(a, b)

    array = cuda.to_device(np.ones(10, np.int64))
    cuda.reduce(largest)(array)
    loaded = fake.count("cuModuleLoadDataEx")
    assert cuda.Reduce(largest)(array).dtype == np.int64
    cuda.Reduce(largest)(Foreign(array), size=3)
    assert fake.count("cuModuleLoadDataEx") == loaded
    cuda.Reduce(largest)(np.ones(10, np.float32))
    assert fake.count("cuModuleLoadDataEx") == loaded + 1


def test_reductions_of_nothing(fake):
    launched = fake.count("cuLaunchKernel")
    total = cuda.Reduce(lambda a, b: a + b)
    empty = cuda.to_device(np.ones(0, np.float32))
    assert total(empty, init=3) == np.float32(3)
    assert type(total(empty)) is np.float32
    result = cuda.to_device(np.zeros(2, np.float32))
    assert total(empty, res=result, init=2) is None
    assert result.copy_to_host().tolist() == [2, 0]
    assert total(cuda.to_device(np.ones(5, np.float32)), size=0, init=4) == 4
    assert fake.count("cuLaunchKernel") == launched
