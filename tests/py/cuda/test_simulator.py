"""The CUDA simulator: threads, barriers, errors, launches and device functions."""

import math
import threading
import time

import numpy as np
import pytest
from numbra.cuda import simulator as cuda
from numbra.cuda.errors import KernelRuntimeError
from numbra.cuda.simulator.kernel import BlockThread, FakeCUDAKernel


def block_threads():
    return [thread for thread in threading.enumerate() if isinstance(thread, BlockThread)]


class TestThreads:
    def test_indices_in_three_dimensions(self):
        seen = np.zeros((4, 6, 6), dtype=np.int32)

        @cuda.jit
        def kernel(seen):
            x, y, z = cuda.grid(3)
            gx, gy, gz = cuda.gridsize(3)
            assert (gx, gy, gz) == (4, 6, 6)
            assert (cuda.gridDim.x, cuda.gridDim.y, cuda.gridDim.z) == (2, 2, 3)
            assert tuple(cuda.blockDim) == (2, 3, 2)
            assert x == cuda.blockIdx.x * 2 + cuda.threadIdx.x
            seen[x, y, z] += 1 + cuda.laneid

        kernel[(2, 2, 3), (2, 3, 2)](seen)
        lane = np.arange(12).reshape(2, 3, 2).transpose(2, 1, 0)  # z slowest
        np.testing.assert_array_equal(seen, np.tile(lane, (2, 2, 3)) + 1)

    def test_grid_of_two_and_one_dimensions(self):
        out = np.zeros((4, 6), dtype=np.int32)

        @cuda.jit
        def kernel(out):
            i, j = cuda.grid(2)
            if i < out.shape[0] and j < out.shape[1]:
                out[i, j] = cuda.grid(1) * 100 + cuda.gridsize(2)[1]

        kernel[(2, 4), (3, 2)](out)
        np.testing.assert_array_equal(out, np.repeat(np.arange(4), 6).reshape(4, 6) * 100 + 8)

    def test_a_wrong_number_of_dimensions(self):
        @cuda.jit
        def kernel():
            cuda.grid(4)

        with pytest.raises(RuntimeError, match=r"Global ID has 1-3 dimensions. 4 requested"):
            kernel[1, 1]()

    def test_warps(self):
        lanes = np.zeros(70, dtype=np.int32)

        @cuda.jit
        def kernel(lanes):
            lanes[cuda.grid(1)] = cuda.laneid + 100 * cuda.warpsize

        kernel[1, 70](lanes)
        np.testing.assert_array_equal(lanes, np.arange(70) % 32 + 3200)

    def test_names_that_were_imported_on_their_own(self):
        grid, thread = cuda.grid, cuda.threadIdx
        out = np.zeros(6, dtype=np.int32)

        @cuda.jit
        def kernel(out):
            out[grid(1)] = thread.x

        kernel[2, 3](out)
        assert out.tolist() == [0, 1, 2, 0, 1, 2]

    def test_kernel_names_on_the_host(self):
        with pytest.raises(NotImplementedError, match=r"cuda.threadIdx cannot be used in host code"):
            _ = cuda.threadIdx.x
        with pytest.raises(NotImplementedError, match=r"cuda.syncthreads cannot be used in host code"):
            cuda.syncthreads()

    def test_launches_at_the_same_time(self):
        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(8, np.int64)
            i = cuda.threadIdx.x
            shared[i] = i * cuda.blockDim.x
            cuda.syncthreads()
            out[i] = shared[cuda.blockDim.x - 1 - i]

        results = {}

        def launch(size):
            out = np.zeros(size, dtype=np.int64)
            for _ in range(20):
                kernel[1, size](out)
            results[size] = out.tolist()

        hosts = [threading.Thread(target=launch, args=(size,)) for size in (3, 5, 8)]
        for host in hosts:
            host.start()
        for host in hosts:
            host.join()
        assert results == {size: [(size - 1 - i) * size for i in range(size)] for size in (3, 5, 8)}


class TestBarriers:
    def test_threads_that_have_returned_are_not_waited_for(self):
        out = np.zeros(8, dtype=np.int64)

        @cuda.jit
        def kernel(out):
            shared = cuda.shared.array(8, np.int64)
            i = cuda.threadIdx.x
            shared[i] = i
            if i >= 4:
                return
            for _ in range(5):
                cuda.syncthreads()
            out[i] = shared[7 - i]

        kernel[1, 8](out)
        assert out.tolist() == [7, 6, 5, 4, 0, 0, 0, 0]

    def test_every_barrier_separates(self):
        steps, size = 30, 17
        out = np.zeros(steps, dtype=np.int64)

        @cuda.jit
        def kernel(out):
            counter = cuda.shared.array(1, np.int64)
            if cuda.threadIdx.x == 0:
                counter[0] = 0
            cuda.syncthreads()
            for step in range(steps):
                cuda.atomic.add(counter, 0, 1)
                cuda.syncthreads()
                if cuda.threadIdx.x == step % size:
                    out[step] = counter[0]
                cuda.syncthreads()

        kernel[1, size](out)
        assert out.tolist() == [size * (step + 1) for step in range(steps)]

    def test_votes(self):
        counts = np.zeros((3, 40), dtype=np.int32)

        @cuda.jit
        def kernel(counts):
            i = cuda.threadIdx.x
            counts[0, i] = cuda.syncthreads_count(i % 3)
            counts[1, i] = cuda.syncthreads_and(i < 40)
            counts[2, i] = cuda.syncthreads_or(i == 99)

        kernel[1, 40](counts)
        assert [set(row) for row in counts.tolist()] == [{26}, {1}, {0}]

    def test_a_cooperative_grid_is_one_block(self):
        out = np.zeros(4, dtype=np.int32)

        @cuda.jit
        def kernel(out):
            grid = cuda.cg.this_grid()
            out[cuda.grid(1)] = 1
            grid.sync()
            if cuda.grid(1) == 0:
                out[0] = out[1] + out[2] + out[3]

        kernel[1, 4](out)
        assert out[0] == 3
        assert kernel.overloads["any signature"].max_cooperative_grid_blocks(128) == 1


class TestErrors:
    def test_the_place_is_in_the_message(self):
        @cuda.jit
        def reciprocal(x):
            i = cuda.grid(1)
            x[i] = 1 / (x[i] + 1)

        with pytest.raises(IndexError) as caught:
            reciprocal[1, 11](np.zeros(10))
        assert str(caught.value) == "tid=[10, 0, 0] ctaid=[0, 0, 0]: index 10 is out of bounds for axis 0 with size 10"
        assert "reciprocal" in [entry.name for entry in caught.traceback]

    def test_the_place_has_three_dimensions(self):
        @cuda.jit
        def kernel():
            if tuple(cuda.threadIdx) == (1, 0, 2) and tuple(cuda.blockIdx) == (0, 3, 1):
                raise ValueError

        with pytest.raises(ValueError, match=r"^tid=\[1, 0, 2\] ctaid=\[0, 3, 1\]$"):
            kernel[(1, 4, 2), (2, 1, 3)]()

    def test_an_error_does_not_leave_the_block_waiting(self):
        @cuda.jit
        def kernel(x):
            if cuda.threadIdx.x == 5:
                raise KeyError("five")
            cuda.syncthreads()
            x[cuda.threadIdx.x] = 1

        x = np.zeros(16)
        begun = time.monotonic()
        with pytest.raises(KeyError, match="five"):
            kernel[1, 16](x)
        assert time.monotonic() - begun < 5
        assert not x.any()
        assert not block_threads()

    def test_a_thread_that_never_returns_is_not_waited_for(self):
        go_on = threading.Event()

        @cuda.jit
        def kernel():
            if cuda.threadIdx.x == 0:
                raise RuntimeError("stop")
            go_on.wait(30)

        begun = time.monotonic()
        try:
            with pytest.raises(RuntimeError, match="stop"):
                kernel[1, 3]()
            assert time.monotonic() - begun < 10
        finally:
            go_on.set()

    def test_an_error_class_that_takes_other_arguments(self):
        class Odd(Exception):
            def __init__(self, one, two):
                super().__init__(f"{one} and {two}")

        @cuda.jit
        def kernel():
            raise Odd("a", "b")

        with pytest.raises(RuntimeError, match=r"tid=\[0, 0, 0\] ctaid=\[0, 0, 0\]: Odd: a and b"):
            kernel[1, 1]()

    def test_what_ends_a_program_ends_the_launch(self):
        @cuda.jit
        def kernel():
            if cuda.threadIdx.x == 1:
                raise SystemExit(7)
            cuda.syncthreads()

        with pytest.raises(SystemExit, match="7"):
            kernel[1, 4]()

    def test_division_by_zero_raises_in_debug_mode_only(self):
        def divide(x, y):
            x[0] = np.float64(1.0) / y[0]

        x, y = np.ones(1), np.zeros(1)
        with np.errstate(divide="ignore"):
            cuda.jit(divide)[1, 1](x, y)
            assert x[0] == np.inf
            with pytest.raises(FloatingPointError, match="tid="):
                cuda.jit(debug=True)(divide)[1, 1](x, y)
            assert np.geterr()["divide"] == "ignore"

    def test_a_later_launch_works(self):
        @cuda.jit
        def kernel(x, bad):
            if bad and cuda.threadIdx.x == 2:
                raise ValueError("bad")
            cuda.syncthreads()
            x[cuda.threadIdx.x] = 1

        x = np.zeros(4)
        with pytest.raises(ValueError, match="bad"):
            kernel[1, 4](x, True)
        kernel[1, 4](x, False)
        assert x.tolist() == [1, 1, 1, 1]

    def test_kernel_runtime_error(self):
        error = KernelRuntimeError("no", tid=(1, 0, 0), ctaid=(2, 0, 0))
        assert str(error) == "An exception was raised in thread=(1, 0, 0) block=(2, 0, 0)\n\tno"


class TestLaunch:
    def test_not_configured(self):
        @cuda.jit
        def kernel():
            pass

        with pytest.raises(ValueError, match=r"Kernel launch configuration was not specified. Use the syntax:"):
            kernel()

    @pytest.mark.parametrize(
        ("configuration", "error", "message"),
        [
            ((1,), ValueError, "must specify at least the griddim and blockdim"),
            ((1, 1, 0, 0, 0), ValueError, "must specify at least the griddim and blockdim"),
            ((None, 1), ValueError, "launch configuration was not specified"),
            (([1, 2, 3, 4], 1), ValueError, r"griddim must be a sequence of 1, 2 or 3 integers, got \[1, 2, 3, 4\]"),
            ((1, 1.0), TypeError, r"blockdim must be a sequence of integers, got \[1.0\]"),
        ],
    )
    def test_a_configuration_that_is_none(self, configuration, error, message):
        kernel = cuda.jit(lambda: None)
        with pytest.raises(error, match=message):
            kernel[configuration]

    def test_a_configuration_is_not_the_kernels(self):
        @cuda.jit
        def kernel(out):
            cuda.atomic.add(out, 0, 1)

        small, large = kernel[1, 2], kernel[4, 8]
        out = np.zeros(1, dtype=np.int64)
        small(out)
        assert out[0] == 2
        large(out)
        assert out[0] == 34
        assert kernel.grid_dim is None

    def test_forall(self):
        out = np.zeros(7)

        @cuda.jit
        def kernel(out):
            out[cuda.grid(1)] = cuda.grid(1)

        kernel.forall(7)(out)
        assert out.tolist() == list(range(7))
        kernel.forall(0)(out)
        with pytest.raises(ValueError, match="Can't create ForAll with negative task count: -1"):
            kernel.forall(-1)

    def test_forms_of_the_decorator(self):
        def f(x):
            """Docs."""
            x[0] += 1

        x = np.zeros(1)
        for decorate in (
            cuda.jit,
            cuda.jit(),
            cuda.jit("void(float64[:])"),
            cuda.jit(["void(float64[:])", "void(float32[:])"]),
            cuda.jit(fastmath=True, lineinfo=True, opt=True, max_registers=32, cache=True),
        ):
            kernel = decorate(f)
            assert isinstance(kernel, FakeCUDAKernel)
            assert (kernel.py_func, kernel.__name__, kernel.__doc__) == (f, "f", "Docs.")
            kernel[1, 1](x)
        assert x[0] == 5

    def test_what_is_not_supported(self):
        with pytest.raises(NotImplementedError, match="bounds checking is not supported for CUDA"):
            cuda.jit(boundscheck=True)
        with pytest.raises(NotImplementedError, match="Cannot link PTX in the simulator"):
            cuda.jit(link=["x.ptx"])
        with pytest.raises(RuntimeError, match="External streams are unsupported in the simulator"):
            cuda.external_stream(0)
        with pytest.raises(AttributeError, match="the CUDA simulator has no 'shfl_sync'"):
            cuda.shfl_sync  # noqa: B018

    def test_a_kernel_of_a_class(self):
        class Adder:
            def __init__(self, n):
                self.n = n

            @cuda.jit(device=True)
            def plus(self, x):
                return x + self.n

        assert Adder(3).plus(4) == 7

    def test_extensions_map_arguments(self):
        class Doubling:
            def prepare_args(self, ty, val, **kwargs):
                kwargs["retr"].append(lambda: after.append(kwargs["stream"]))
                return ty, val * 2

        after, out = [], np.zeros(1)

        @cuda.jit(extensions=[Doubling()])
        def kernel(x):
            out[0] = x

        kernel[1, 1](21)
        assert (out[0], after) == (42, [0])


class TestDeviceFunctions:
    def test_nested_calls(self):
        @cuda.jit(device=True)
        def index():
            return cuda.threadIdx.x

        @cuda.jit(device=True)
        def doubled():
            cuda.syncthreads()
            return 2 * index()

        @cuda.jit
        def kernel(out):
            out[index()] = doubled()

        out = np.zeros(6)
        kernel[1, 6](out)
        assert out.tolist() == [0, 2, 4, 6, 8, 10]

    def test_keywords_and_defaults(self):
        @cuda.jit(device=True)
        def scaled(x, factor=2, *, offset=0):
            return x * factor + offset

        @cuda.jit
        def kernel(out):
            i = cuda.grid(1)
            out[i] = scaled(i) + scaled(factor=3, x=i) + scaled(i, offset=100)

        out = np.zeros(3)
        kernel[1, 3](out)
        assert list(out) == [100, 107, 114]
        with pytest.raises(TypeError, match="kernels take no keyword arguments: out"):
            kernel[1, 3](out=out)

    def test_a_kernel_called_in_a_kernel_is_a_function(self):
        @cuda.jit
        def inner(x, i):
            x[i] = cuda.threadIdx.x + 1
            return 5

        @cuda.jit
        def outer(x):
            x[cuda.threadIdx.x] = inner(x, cuda.threadIdx.x) + x[cuda.threadIdx.x]

        x = np.zeros(3)
        outer[1, 3](x)
        assert x.tolist() == [6, 7, 8]

    def test_on_the_host_it_is_the_function(self):
        assert cuda.jit(device=True)(math.hypot)(3, 4) == 5
