"""Kernels on the CPU: indices, shared memory, barriers, warps, atomics."""

import numpy as np
import pytest
from numbra import cuda
from numbra.core import types
from numbra.cuda.cudadrv.error import CudaAPIError
from numbra.cuda.errors import KernelDeadlockError

pytestmark = pytest.mark.filterwarnings("ignore::numbra.core.errors.NumbaPerformanceWarning")


class TestIndices:
    def test_three_dimensions(self):
        seen = np.zeros((4, 6, 6, 4), dtype=np.int32)

        @cuda.jit
        def kernel(seen):
            x, y, z = cuda.grid(3)
            seen[x, y, z, 0] += 1
            seen[x, y, z, 1] = cuda.threadIdx.x + 10 * cuda.threadIdx.y + 100 * cuda.threadIdx.z
            seen[x, y, z, 2] = cuda.blockIdx.x + 10 * cuda.blockIdx.y + 100 * cuda.blockIdx.z
            seen[x, y, z, 3] = cuda.laneid

        kernel[(2, 2, 3), (2, 3, 2)](seen)
        assert (seen[..., 0] == 1).all()
        x, y, z = np.indices((4, 6, 6))
        np.testing.assert_array_equal(seen[..., 1], x % 2 + 10 * (y % 3) + 100 * (z % 2))
        np.testing.assert_array_equal(seen[..., 2], x // 2 + 10 * (y // 3) + 100 * (z // 2))
        np.testing.assert_array_equal(seen[..., 3], x % 2 + 2 * (y % 3) + 6 * (z % 2))

    @pytest.mark.parametrize("waits", [False, True])
    def test_lanes_of_large_blocks(self, waits):
        @cuda.jit
        def kernel(lanes, masks):
            if waits:
                cuda.syncthreads()
            at = cuda.threadIdx.x + cuda.threadIdx.y * cuda.blockDim.x
            lanes[at] = cuda.laneid
            masks[at] = cuda.lanemask_lt()

        lanes, masks = np.zeros(300, np.int32), np.zeros(300, np.uint32)
        kernel[1, (100, 3)](lanes, masks)
        np.testing.assert_array_equal(lanes, np.arange(300) % 32)
        np.testing.assert_array_equal(masks, (1 << (np.arange(300) % 32)) - 1)

    def test_a_grid_stride_loop(self):
        @cuda.jit
        def kernel(x):
            for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
                x[i] += i

        x = np.zeros(1000)
        kernel[3, 17](x)
        np.testing.assert_array_equal(x, np.arange(1000))

    def test_sizes_are_those_of_a_gpu(self):
        @cuda.jit
        def kernel(x):
            cuda.atomic.add(x, 0, 1)

        x = np.zeros(1, np.int64)
        kernel[2, 1024](x)
        assert x[0] == 2048
        for grid, block in [(1, 1025), (0, 1), (1, 0), ((1, 65536), 1), (1, (1, 1, 65))]:
            with pytest.raises(CudaAPIError, match="cuLaunchKernel results in CUDA_ERROR_INVALID_VALUE"):
                kernel[grid, block](x)
        with pytest.raises(CudaAPIError, match="shared memory"):
            kernel[1, 1, 0, 300_000](x)
        assert x[0] == 2048


class TestSharedMemory:
    @pytest.mark.parametrize("block", [1, 32, 100, 256, 1024])
    def test_a_reduction_with_barriers_in_a_loop(self, block):
        @cuda.jit
        def kernel(x, out):
            part = cuda.shared.array(1024, types.float64)
            t = cuda.threadIdx.x
            part[t] = x[cuda.grid(1)]
            cuda.syncthreads()
            n = cuda.blockDim.x
            while n > 1:
                half = (n + 1) // 2
                if t + half < n:
                    part[t] += part[t + half]
                cuda.syncthreads()
                n = half
            if t == 0:
                out[cuda.blockIdx.x] = part[0]

        x = np.random.default_rng(1).random(3 * block)
        out = np.zeros(3)
        kernel[3, block](x, out)
        np.testing.assert_allclose(out, x.reshape(3, block).sum(axis=1))

    def test_two_arrays_and_a_dynamic_one(self):
        @cuda.jit
        def kernel(out):
            first = cuda.shared.array(5, types.int8)
            second = cuda.shared.array((3, 4), types.float32)
            rest = cuda.shared.array(0, types.int64)
            t = cuda.threadIdx.x
            if t < 5:
                first[t] = t
            if t < 12:
                second[t // 4, t % 4] = -t
            rest[t] = 100 * t
            cuda.syncthreads()
            other = cuda.blockDim.x - 1 - t
            out[t] = first[t % 5] + second[t % 3, t % 4] + rest[other] + rest.size

        out = np.zeros(16)
        kernel[1, 16, 0, 16 * 8](out)
        t = np.arange(16)
        np.testing.assert_array_equal(out, t % 5 - (4 * (t % 3) + t % 4) + 100 * (15 - t) + 16)

    def test_records_and_a_tile(self):
        pair = np.dtype([("a", np.int32), ("b", np.float64)], align=True)
        pair_type = cuda.from_dtype(pair) if hasattr(cuda, "from_dtype") else None
        if pair_type is None:
            from numbra.np.numpy_support import from_dtype

            pair_type = from_dtype(pair)

        @cuda.jit
        def kernel(given, out):
            tile = cuda.shared.array(8, pair_type)
            t = cuda.threadIdx.x
            tile[t].a = given[t].a + 1
            tile[t].b = given[t].b * 2
            cuda.syncthreads()
            out[t].a = tile[7 - t].a
            out[t].b = tile[7 - t].b

        given, out = np.zeros(8, pair), np.zeros(8, pair)
        given["a"], given["b"] = np.arange(8), np.arange(8) / 4
        kernel[1, 8](given, out)
        np.testing.assert_array_equal(out["a"], given["a"][::-1] + 1)
        np.testing.assert_array_equal(out["b"], given["b"][::-1] * 2)

    def test_local_arrays_are_each_threads_own(self):
        @cuda.jit
        def kernel(out):
            own = cuda.local.array((100, 100), types.float64)
            t = cuda.threadIdx.x
            for i in range(100):
                own[i, 99 - i] = t * i
            cuda.syncthreads()
            out[t] = own[50, 49] + own[99, 0]

        out = np.zeros(64)
        kernel[1, 64](out)
        np.testing.assert_array_equal(out, np.arange(64) * 149)


class TestBarriers:
    def test_count_and_or(self):
        @cuda.jit
        def kernel(x, out):
            t = cuda.threadIdx.x
            out[t, 0] = cuda.syncthreads_count(x[t])
            out[t, 1] = cuda.syncthreads_and(x[t])
            out[t, 2] = cuda.syncthreads_or(x[t])

        for values in ([0] * 40, [1] * 40, [0, 3] * 20):
            x, out = np.array(values, np.int32), np.zeros((40, 3), np.int32)
            kernel[1, 40](x, out)
            expected = [np.count_nonzero(x), x.all(), x.any()]
            np.testing.assert_array_equal(out, np.tile(expected, (40, 1)))

    def test_threads_that_have_ended_are_not_waited_for(self):
        @cuda.jit
        def kernel(out):
            t = cuda.threadIdx.x
            if t % 3 == 0:
                return
            out[t] = cuda.syncthreads_count(1)

        out = np.zeros(30, np.int32)
        kernel[1, 30](out)
        np.testing.assert_array_equal(out, np.where(np.arange(30) % 3, 20, 0))

    def test_a_deadlock_is_an_error_and_the_next_launch_works(self):
        @cuda.jit
        def kernel(out, apart):
            if apart and cuda.threadIdx.x % 2:
                cuda.syncthreads()
            else:
                cuda.syncwarp(0xFFFFFFFF)
            out[cuda.threadIdx.x] = 1

        out = np.zeros(32)
        with pytest.raises(KernelDeadlockError) as caught:
            kernel[(2, 2), 32](out, True)
        assert "in block (0, 0, 0)" in str(caught.value)
        assert "16 at a barrier of the block (the first is thread (1, 0, 0))" in str(caught.value)
        assert "syncwarp with mask 0xffffffff in warp 0" in str(caught.value)
        kernel[1, 32](out, False)
        assert out.all()

    def test_the_grid_synchronises(self):
        @cuda.jit
        def kernel(x, out):
            grid = cuda.cg.this_grid()
            i = cuda.grid(1)
            for step in range(3):
                x[i] += step + 1
                grid.sync()
                out[i] += x[x.size - 1 - i]
                grid.sync()

        x, out = np.zeros(80), np.zeros(80)
        kernel[8, 10](x, out)
        np.testing.assert_array_equal(out, np.full(80, 1 + 3 + 6))
        with pytest.raises(CudaAPIError, match="COOPERATIVE_LAUNCH_TOO_LARGE"):
            kernel[1000, 1000](x, out)
        most = next(iter(kernel.overloads.values())).max_cooperative_grid_blocks(256)
        big, sums = np.zeros(most * 256), np.zeros(most * 256)
        kernel[most, 256](big, sums)
        assert (sums == 10).all()

    def test_a_lock_and_a_flag_of_another_thread(self):
        @cuda.jit
        def count(lock, total):
            while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                pass
            total[0] += 1
            cuda.syncwarp(1 << cuda.laneid)
            cuda.threadfence()
            cuda.atomic.exch(lock, 0, 0)

        lock, total = np.zeros(1, np.int32), np.zeros(1, np.int32)
        count[2, 64](lock, total)
        assert total[0] == 128

        @cuda.jit
        def wait(flag, out):
            t = cuda.threadIdx.x
            if t == 0:
                while cuda.atomic.add(flag, 0, 0) == 0:
                    cuda.nanosleep(10)
                out[0] = 5
            elif t == 63:
                cuda.atomic.exch(flag, 0, 1)

        flag, out = np.zeros(1, np.int32), np.zeros(1)
        wait[1, 64](flag, out)
        assert out[0] == 5


class TestWarps:
    @pytest.mark.parametrize("dtype", [np.int32, np.int64, np.float32, np.float64])
    def test_shuffles(self, dtype):
        @cuda.jit
        def kernel(x, out):
            t = cuda.threadIdx.x
            full = 0xFFFFFFFF
            out[0, t] = cuda.shfl_sync(full, x[t], 3)
            out[1, t] = cuda.shfl_up_sync(full, x[t], 2)
            out[2, t] = cuda.shfl_down_sync(full, x[t], 5)
            out[3, t] = cuda.shfl_xor_sync(full, x[t], 7)

        x = (np.arange(64) * 1.5e9 + 0.5).astype(dtype) if dtype != np.int32 else np.arange(64, dtype=dtype)
        out = np.zeros((4, 64), dtype)
        kernel[1, 64](x, out)
        t = np.arange(64)
        lane, warp = t % 32, t // 32 * 32
        np.testing.assert_array_equal(out[0], x[warp + 3])
        np.testing.assert_array_equal(out[1], x[np.where(lane < 2, t, t - 2)])
        np.testing.assert_array_equal(out[2], x[np.where(lane > 26, t, t + 5)])
        np.testing.assert_array_equal(out[3], x[t ^ 7])

    def test_votes(self):
        @cuda.jit
        def kernel(x, out):
            t = cuda.threadIdx.x
            out[t, 0] = cuda.all_sync(0xFFFFFFFF, x[t])
            out[t, 1] = cuda.any_sync(0xFFFFFFFF, x[t])
            out[t, 2] = cuda.eq_sync(0xFFFFFFFF, x[t])
            out[t, 3] = cuda.ballot_sync(0xFFFFFFFF, x[t])

        for values in ([False] * 32, [True] * 32, [i == 5 for i in range(32)]):
            x, out = np.array(values), np.zeros((32, 4), np.int64)
            kernel[1, 32](x, out)
            ballot = int(sum(1 << i for i in range(32) if values[i]))
            expected = [x.all(), x.any(), x.all() or not x.any(), ballot]
            np.testing.assert_array_equal(out & 0xFFFFFFFF, np.tile(expected, (32, 1)))

    def test_matches_in_a_warp_that_is_not_full(self):
        @cuda.jit
        def kernel(x, out):
            t = cuda.threadIdx.x
            out[t, 0] = cuda.match_any_sync(0xFFFFFFFF, x[t])
            lanes, same = cuda.match_all_sync(0xFFFFFFFF, x[t])
            out[t, 1] = lanes
            out[t, 2] = same

        x, out = np.array([4, 4, 9, 4, 9], np.int64), np.zeros((5, 3), np.int64)
        kernel[1, 5](x, out)
        np.testing.assert_array_equal(out[:, 0], [0b01011, 0b01011, 0b10100, 0b01011, 0b10100])
        assert (out[:, 1:] == 0).all()
        kernel[1, 5](np.ones(5), out)
        assert (out[:, 1] == 0b11111).all()
        assert (out[:, 2] == 1).all()

    def test_lanes_that_diverge_meet_by_their_masks(self):
        @cuda.jit
        def kernel(out):
            t = cuda.threadIdx.x
            if t % 2 == 0:
                for i in range(t // 2 + 1):
                    out[t] += i
                out[t] = cuda.shfl_sync(0x55555555, t, 4)
            else:
                out[t] = cuda.ballot_sync(0xAAAAAAAA, t > 15)

        out = np.zeros(32, np.int64)
        kernel[1, 32](out)
        assert (out[::2] == 4).all()
        assert (out[1::2] & 0xFFFFFFFF == 0xAAAA0000).all()

    def test_active_lanes(self):
        @cuda.jit
        def kernel(out):
            t = cuda.threadIdx.x
            if t % 2 == 0:
                out[t] = cuda.activemask()
            else:
                out[t] = cuda.activemask()

        out = np.zeros(32, np.uint32)
        kernel[1, 32](out)
        assert (out[::2] == 0x55555555).all()
        assert (out[1::2] == 0xAAAAAAAA).all()


class TestAtomics:
    @pytest.mark.parametrize("dtype", [np.int32, np.uint32, np.int64, np.uint64, np.float32, np.float64])
    def test_of_all_types(self, dtype):
        @cuda.jit
        def kernel(x, old):
            t = cuda.grid(1)
            old[t] = cuda.atomic.add(x, 0, t)
            cuda.atomic.sub(x, 1, t)
            cuda.atomic.max(x, 2, t)
            cuda.atomic.min(x, 3, t)
            cuda.atomic.nanmax(x, 4, t)

        x, old = np.full(5, 500_000, dtype), np.zeros(256, dtype)
        x[2] = x[4] = 100
        kernel[4, 64](x, old)
        total = 255 * 128
        np.testing.assert_array_equal(x, np.array([500_000 + total, 500_000 - total, 255, 0, 255], dtype))
        assert len(set(old.tolist())) == 255  # those of thread 0 and 1 are the same

    def test_bits_and_counters(self):
        @cuda.jit
        def kernel(x):
            t = cuda.threadIdx.x
            cuda.atomic.and_(x, 0, ~(1 << (t % 8)))
            cuda.atomic.or_(x, 1, 1 << (t % 8))
            cuda.atomic.xor(x, 2, 1 << (t % 8))
            cuda.atomic.inc(x, 3, 9)
            cuda.atomic.dec(x, 4, 9)
            if cuda.atomic.cas(x, 5, 0, t + 1) == 0:
                cuda.atomic.exch(x, 6, t)

        x = np.array([0xFFF, 0, 0, 0, 0, 0, 99], np.uint32)
        kernel[1, 24](x)
        np.testing.assert_array_equal(x, [0xF00, 0xFF, 0xFF, 24 % 10, 6, 1, 0])

    def test_in_shared_memory(self):
        @cuda.jit
        def kernel(x, counts):
            own = cuda.shared.array(16, types.int32)
            t = cuda.threadIdx.x
            if t < 16:
                own[t] = 0
            cuda.syncthreads()
            for i in range(cuda.grid(1), x.size, cuda.gridsize(1)):
                cuda.atomic.add(own, x[i], 1)
            cuda.syncthreads()
            if t < 16:
                cuda.atomic.add(counts, t, own[t])

        x, counts = np.random.default_rng(2).integers(0, 16, 10_000), np.zeros(16, np.int32)
        kernel[3, 100](x, counts)
        np.testing.assert_array_equal(counts, np.bincount(x))
