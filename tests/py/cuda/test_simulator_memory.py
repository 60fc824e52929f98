"""The CUDA simulator: shared memory, atomics, operations on bits, arguments and device arrays."""

import math
from collections import namedtuple

import numpy as np
import pytest
from numbra.cuda import simulator as cuda
from numbra.cuda.simulator.cudadrv.devicearray import FakeCUDAArray, FakeWithinKernelCUDAArray


class TestMemory:
    def test_one_line_is_one_shared_array(self):
        out = np.zeros((3, 4), dtype=np.int64)

        @cuda.jit(device=True)
        def scratch():
            return cuda.shared.array(4, np.int64)

        @cuda.jit
        def kernel(out):
            i = cuda.threadIdx.x
            first = scratch()
            first[i] = i + 1
            cuda.syncthreads()
            for step in range(3):
                out[step, i] = scratch()[3 - i]

        kernel[1, 4](out)
        assert out.tolist() == [[4, 3, 2, 1]] * 3

    def test_two_arrays_of_one_line_are_two(self):
        out = np.zeros(2, dtype=np.int64)

        @cuda.jit
        def kernel(out):
            a, b = cuda.shared.array(1, np.int64), cuda.shared.array(1, np.int64)
            a[0], b[0] = 1, 2
            out[0], out[1] = a[0], b[0]

        kernel[1, 1](out)
        assert out.tolist() == [1, 2]

    def test_shared_memory_belongs_to_the_block(self):
        out = np.zeros(3, dtype=np.int64)

        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(1, np.int64)
            if cuda.threadIdx.x == 0:
                shared[0] = 0
            cuda.syncthreads()
            cuda.atomic.add(shared, 0, 1)
            cuda.syncthreads()
            out[cuda.blockIdx.x] = shared[0]

        kernel[3, 5](out)
        assert out.tolist() == [5, 5, 5]

    def test_dynamic_shared_memory_is_one_region(self):
        out = np.zeros(4, dtype=np.int64)

        @cuda.jit
        def kernel(out):
            words = cuda.shared.array(0, np.int32)
            halves = cuda.shared.array(0, dtype=np.uint16)
            words[1] = 0x00050007
            out[0], out[1], out[2], out[3] = len(words), len(halves), halves[2], halves[3]

        kernel[1, 1, 0, 18](out)
        assert out.tolist() == [4, 9, 7, 5]

    def test_numbras_types_and_names_of_types(self):
        from numbra.core import types

        kinds = []

        @cuda.jit
        def kernel():
            for dtype in (types.float32, np.float32, np.dtype("f4"), "float32"):
                kinds.append(cuda.local.array((2, 3), dtype).dtype.name)
                kinds.append(cuda.shared.array(5, dtype).dtype.name)

        kernel[1, 1]()
        assert kinds == ["float32"] * 8

    def test_local_memory_is_the_threads(self):
        out = np.zeros(5, dtype=np.int64)

        @cuda.jit
        def kernel(out):
            local = cuda.local.array(1, np.int64)
            local[0] = cuda.threadIdx.x
            cuda.syncthreads()
            out[cuda.threadIdx.x] = local[0]

        kernel[1, 5](out)
        assert out.tolist() == [0, 1, 2, 3, 4]

    def test_alignment(self):
        @cuda.jit
        def kernel():
            cuda.local.array(1, np.int64, alignment=16)

        with pytest.raises(RuntimeError, match="Array alignment is not supported in cudasim"):
            kernel[1, 1]()

    def test_constants(self):
        table = np.arange(4) * 10

        @cuda.jit
        def kernel(out):
            out[cuda.grid(1)] = cuda.const.array_like(table)[cuda.grid(1)]

        out = np.zeros(4)
        kernel[1, 4](out)
        assert out.tolist() == [0, 10, 20, 30]


class TestAtomics:
    @pytest.mark.parametrize("dtype", [np.int32, np.uint64, np.float32, np.float64])
    def test_addition_under_contention(self, dtype):
        @cuda.jit
        def kernel(total, cells, order):
            i = cuda.grid(1)
            for _ in range(10):
                cuda.atomic.add(total, 0, 1)
            cuda.atomic.sub(cells, (i % 2, i % 3), 1)
            order[i] = cuda.atomic.add(total, 1, 1)

        total, cells, order = np.zeros(2, dtype), np.full((2, 3), 50, dtype), np.zeros(96, dtype)
        kernel[3, 32](total, cells, order)
        assert total.tolist() == [960, 96]
        assert cells.tolist() == [[34, 34, 34], [34, 34, 34]]
        # Each thread saw another value.
        assert sorted(order.tolist()) == list(range(96))

    def test_a_lock(self):
        @cuda.jit
        def kernel(lock, value):
            while cuda.atomic.cas(lock, 0, 0, 1) == 1:
                cuda.nanosleep(1000)
            value[0] = value[0] + 1
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)

        lock, value = np.zeros(1, np.int32), np.zeros(1, np.int64)
        kernel[2, 24](lock, value)
        assert (lock[0], value[0]) == (0, 48)

    @pytest.mark.parametrize(
        ("name", "old", "val", "new"),
        [
            ("add", 250, 10, 4),
            ("sub", 1, 2, 255),
            ("add", 3, 257, 4),
            ("and_", 12, 10, 8),
            ("or_", 12, 10, 14),
            ("xor", 12, 10, 6),
            ("exch", 12, 10, 10),
            ("max", 3, 7, 7),
            ("min", 3, 7, 3),
            ("inc", 3, 7, 4),
            ("inc", 7, 7, 0),
            ("dec", 3, 7, 2),
            ("dec", 0, 7, 7),
            ("dec", 9, 7, 7),
        ],
    )
    def test_what_they_do(self, name, old, val, new):
        @cuda.jit
        def kernel(x, was):
            was[0] = getattr(cuda.atomic, name)(x, 0, val)

        x, was = np.array([old], np.uint8), np.zeros(1, np.uint8)
        kernel[1, 1](x, was)
        assert (x[0], was[0]) == (new, old)

    @pytest.mark.parametrize(
        ("name", "old", "val", "new"),
        [
            ("max", math.nan, 1.0, math.nan),
            ("max", 1.0, math.nan, 1.0),
            ("min", math.nan, 1.0, math.nan),
            ("nanmax", math.nan, 1.0, 1.0),
            ("nanmax", 1.0, math.nan, 1.0),
            ("nanmin", math.nan, 1.0, 1.0),
            ("nanmin", 3.0, 1.0, 1.0),
        ],
    )
    def test_nan(self, name, old, val, new):
        @cuda.jit
        def kernel(x):
            getattr(cuda.atomic, name)(x, 0, val)

        x = np.array([old])
        kernel[1, 1](x)
        np.testing.assert_array_equal(x, [new])

    def test_compare_and_swap(self):
        @cuda.jit
        def kernel(x, was):
            was[0] = cuda.atomic.compare_and_swap(x, 4, 9)
            was[1] = cuda.atomic.compare_and_swap(x, 4, 10)

        x, was = np.array([4]), np.zeros(2, np.int64)
        kernel[1, 1](x, was)
        assert (x.tolist(), was.tolist()) == ([9], [4, 9])


class TestBits:
    @pytest.mark.parametrize(
        ("name", "value", "result"),
        [
            ("popc", 0xFF, 8),
            ("popc", np.int32(-1), 32),
            ("popc", np.int64(-1), 64),
            ("clz", np.uint32(1), 31),
            ("clz", np.int64(1), 63),
            ("clz", np.int32(0), 32),
            ("clz", np.int32(-1), 0),
            ("ffs", np.int32(0), 0),
            ("ffs", np.int32(0x10), 5),
            ("ffs", np.int64(1 << 40), 41),
            ("brev", np.uint32(1), 0x80000000),
            ("brev", np.uint64(1), 1 << 63),
        ],
    )
    def test_of_integers(self, name, value, result):
        out = []
        cuda.jit(lambda: out.append(getattr(cuda, name)(value)))[1, 1]()
        assert out == [result]

    def test_others(self):
        out = []

        @cuda.jit
        def kernel():
            out.extend([cuda.fma(2.0, 3.0, 4.0), cuda.cbrt(-27.0), cuda.selp(True, 1, 2), cuda.selp(0, 1, 2)])
            out.append(cuda.fp16.hfma(np.float16(2), np.float16(3), np.float16(4)))
            out.append(cuda.fp16.hfloor(np.float16(1.5)))

        kernel[1, 1]()
        assert out == [10, -3, 1, 2, 10, 1]
        assert out[-1].dtype == np.float16

    def test_vector_types(self):
        out = []

        @cuda.jit
        def kernel():
            pair = cuda.float2(1, 2)
            quad = cuda.float32x4(pair, 3, cuda.float1(4))
            out.extend([quad.x, quad.y, quad.z, quad.w, cuda.float4 is cuda.float32x4])
            cuda.int3(pair)

        with pytest.raises(TypeError, match="int32x3 expects 3 elements, got 2"):
            kernel[1, 1]()
        assert out == [1, 2, 3, 4, True]


class TestArguments:
    def test_copies(self):
        @cuda.jit
        def kernel(x, y, z):
            x[0], y[0], z[0] = 1, z[0] + 1, 5

        x, y, z = np.zeros(2), np.zeros(2), np.ones(2)
        kernel[1, 1](cuda.In(x), cuda.Out(y), cuda.InOut(z))
        assert (x[0], y[0], z[0]) == (0, 2, 5)

    @pytest.mark.parametrize("hint", [lambda a: a, cuda.InOut, cuda.In, cuda.Out])
    def test_arrays_with_gaps(self, hint):
        @cuda.jit
        def fill(a, read):
            i, j = cuda.grid(2)
            if read:
                a[i, j] += 1
            else:
                a[i, j] = 10 * i + j

        whole = np.arange(24.0).reshape(4, 6)
        before = whole.copy()
        part = whole[::2, 1::2]
        fill[1, (2, 3)](hint(part), hint is not cuda.Out)
        want = before.copy()
        if hint is cuda.Out:
            want[::2, 1::2] = 10 * np.arange(2)[:, None] + np.arange(3)
        elif hint is not cuda.In:
            want[::2, 1::2] += 1
        np.testing.assert_array_equal(whole, want)

    def test_device_arrays_are_not_copied(self):
        device = cuda.to_device(np.arange(4))

        @cuda.jit
        def kernel(x):
            x[cuda.grid(1)] += 1

        kernel[1, 4](device)
        assert device.copy_to_host().tolist() == [1, 2, 3, 4]

    def test_arrays_in_tuples(self):
        Pair = namedtuple("Pair", "a b")

        @cuda.jit
        def kernel(pair, nested):
            pair.a[0] = pair.b + nested[1][0][0]
            assert isinstance(pair.a, FakeWithinKernelCUDAArray)

        a = np.zeros(1)
        kernel[1, 1](Pair(a, 2), (1, (np.full(1, 40),)))
        assert a[0] == 42

    def test_records_have_attributes(self):
        dtype = np.dtype([("x", np.float64), ("sub", [("y", np.int32, (3,))])])
        items = np.zeros(2, dtype)

        @cuda.jit
        def kernel(items, item):
            items[1].x = 2.5
            items[1].sub.y[2] = items[0]["x"] + 7
            items[0] = items[1]
            item.x = 9

        one = np.zeros(1, dtype)
        kernel[1, 1](items, one[0])
        assert items["x"].tolist() == [2.5, 2.5]
        assert items["sub"]["y"].tolist() == [[0, 0, 7], [0, 0, 7]]
        assert one["x"][0] == 9

    def test_ufuncs_and_shapes_in_kernels(self):
        @cuda.jit
        def kernel(x, out):
            np.add(x, 1, out)
            out[0] = x.shape[0] + len(x) + x.ndim
            x.shape[-1]

        out = np.zeros(3)
        with pytest.raises(IndexError, match="tuple index out of range"):
            kernel[1, 1](np.arange(3.0), cuda.InOut(out))
        device = cuda.to_device(out)
        with pytest.raises(IndexError):
            kernel[1, 1](np.arange(3.0), device)
        assert device.copy_to_host().tolist() == [7, 2, 3]


class TestDeviceArrays:
    def test_round_trip_keeps_the_layout(self):
        base = np.arange(24.0).reshape(2, 3, 4)
        for host in (base, np.asfortranarray(base), base.transpose(0, 2, 1)[0], np.broadcast_to(np.arange(3), (2, 3))):
            device = cuda.to_device(host)
            np.testing.assert_array_equal(device.copy_to_host(), host)
            assert (device.strides, device.dtype) == (host.strides, host.dtype)
        host = base.transpose(1, 0, 2)
        assert cuda.device_array_like(host).strides == np.empty_like(host).strides

    def test_errors(self):
        device = cuda.to_device(np.zeros(4))
        with pytest.raises(ValueError, match="Array contains non-contiguous buffer"):
            cuda.to_device(np.zeros(8)[::2])
        with pytest.raises(TypeError, match=r"incompatible dtype: float64 vs. float32"):
            device.copy_to_device(np.zeros(4, np.float32))
        with pytest.raises(ValueError, match="incompatible shape"):
            device.copy_to_host(np.zeros(5))
        with pytest.raises(AttributeError, match="Wrapped array has no attribute 'missing'"):
            device.missing  # noqa: B018

    def test_views_share_memory(self):
        device = cuda.to_device(np.arange(6))
        device.reshape(2, 3)[1] = 9
        assert device.copy_to_host().tolist() == [0, 1, 2, 9, 9, 9]
        left, right = device.split(3)
        assert (left.copy_to_host().tolist(), right.copy_to_host().tolist()) == ([0, 1, 2], [9, 9, 9])
        assert isinstance(device + 1, FakeCUDAArray)
        assert (device + device).copy_to_host().tolist() == [0, 2, 4, 18, 18, 18]

    def test_dates(self):
        host = np.array(["2020-01-01", "NaT"], dtype="M8[D]")
        np.testing.assert_array_equal(cuda.to_device(host).copy_to_host(), host)

    def test_reduce(self):
        add = cuda.reduce(lambda a, b: a + b)
        assert add(np.arange(10)) == 45
        assert add(np.arange(10), size=3, init=5) == 8
        result = cuda.device_array(1, np.int64)
        assert add(cuda.to_device(np.arange(4)), res=result) is None
        assert result[0] == 6
        with pytest.raises(TypeError, match="only support 1D array"):
            add(np.zeros((2, 2)))
