"""Kernels on the CPU: deep recursion, large local arrays, Ctrl-C, and blocks in several threads."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from numbra import cuda, get_num_threads, int8, set_num_threads
from numbra.core.errors import UnsupportedError

pytestmark = pytest.mark.filterwarnings("ignore::numbra.core.errors.NumbaPerformanceWarning")


@cuda.jit(device=True)
def climb(n, x):
    if n == 0:
        return x
    return climb(n - 1, x * 0.5) + n % 7


@cuda.jit(device=True)
def even(n):
    if n == 0:
        return 1
    return odd(n - 1) + 0


@cuda.jit(device=True)
def odd(n):
    if n == 0:
        return 0
    return even(n - 1) + 0


def expected_climb(n):
    return sum(k % 7 for k in range(1, n + 1)) + 0.5**n


class TestRecursion:
    @pytest.mark.parametrize("waits", [False, True])
    def test_without_end(self, waits):
        @cuda.jit
        def kernel(out, depths):
            i = cuda.grid(1)
            if waits:
                cuda.syncthreads()
            out[i] = climb(depths[i], 1.0)

        out = np.zeros(12)
        depths = np.full(12, 2000)
        kernel[3, 4](out, depths)
        np.testing.assert_allclose(out, expected_climb(2000))
        depths[6] = 10**9
        with pytest.raises(RecursionError) as raised:
            kernel[3, 4](out, depths)
        assert "climb" in str(raised.value)
        assert "tid=[0, 0, 2] ctaid=[0, 0, 1]" in str(raised.value)
        # The context and the stacks are as good as new.
        depths[6] = 5
        kernel[3, 4](out, depths)
        assert out[6] == expected_climb(5)
        assert cuda.to_device(out).copy_to_host()[6] == out[6]

    def test_of_two_functions(self):
        @cuda.jit
        def kernel(out, n):
            out[0] = even(n)

        out = np.zeros(1, np.int64)
        kernel[1, 1](out, 1001)
        assert out[0] == 0
        with pytest.raises(RecursionError, match=r"(even|odd).*tid=\[0, 0, 0\]"):
            kernel[1, 1](out, 10**9)

    def test_beside_a_local_array(self):
        @cuda.jit
        def kernel(out, n):
            room = cuda.local.array(1_000_000, int8)
            for i in range(room.size):
                room[i] = 1
            out[0] = climb(n, 1.0)
            for i in range(room.size):
                out[0] += room[i]

        out = np.zeros(1)
        kernel[1, 1](out, 1000)
        assert out[0] == pytest.approx(1_000_000 + expected_climb(1000))
        with pytest.raises(RecursionError):
            kernel[1, 1](out, 10**9)


@pytest.mark.parametrize("size", [1_000_000, 64_000_000])
@pytest.mark.parametrize("waits", [False, True])
def test_local_arrays_have_room(size, waits):
    @cuda.jit
    def kernel(out):
        room = cuda.local.array(size, int8)
        i = cuda.grid(1)
        for k in range(0, size, 4096):
            room[k] = k % 100 + i
        if waits:
            cuda.syncthreads()
        total = 0
        for k in range(0, size, 4096):
            total += room[k]
        out[i] = total

    out = np.zeros(4, np.int64)
    kernel[2, 2](out)
    own = sum(k % 100 for k in range(0, size, 4096))
    assert out.tolist() == [own + i * len(range(0, size, 4096)) for i in range(4)]


@pytest.mark.parametrize(("size", "why"), [(3 << 30, "D006"), (1 << 40, "4 GiB")])
def test_local_arrays_that_no_stack_holds(size, why):
    @cuda.jit
    def kernel(out):
        room = cuda.local.array(size, int8)
        room[out[0]] = 1
        out[1] = room[out[0]]

    with pytest.raises(UnsupportedError, match=why):
        kernel[1, 1](np.zeros(2, np.int64))


@pytest.fixture(autouse=True)
def heard():
    """SIGINT raises KeyboardInterrupt, also where it is ignored, as in commands that a shell runs in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def interrupted(launch):
    """Seconds from a SIGINT to the KeyboardInterrupt of a launch."""
    sent = []

    def send():
        sent.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    timer = threading.Timer(0.3, send)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        launch()
    seconds = time.perf_counter() - sent[0]
    timer.join()
    return seconds


def spin_alone(x):
    # Ends when somebody makes it odd, which nobody does.
    while x[0] % 2 == 0:
        x[0] += 2


def spin_at_barriers(x):
    while x[0] % 2 == 0:
        cuda.syncthreads()


def spin_on_an_atomic(x):
    while cuda.atomic.add(x, 0, 0) % 2 == 0:
        pass


def spin_asleep(x):
    while x[0] % 2 == 0:
        cuda.nanosleep(10)


def spin_for_a_lock(x):
    while cuda.atomic.cas(x, 0, 1, 1) != 1:
        pass


def count_far(x):
    total = 0
    for i in range(x[1]):
        for j in range(x[1]):
            total += i ^ j
    x[2] = total


class TestInterrupts:
    @pytest.mark.parametrize("grid", [(1, 1), (1, 8), (6, 3)])
    @pytest.mark.parametrize(
        "body", [spin_alone, spin_at_barriers, spin_on_an_atomic, spin_asleep, spin_for_a_lock, count_far]
    )
    def test_a_launch(self, body, grid):
        kernel = cuda.jit(body)
        x = cuda.to_device(np.array([0, 1 << 40, 0]))
        kernel.compile(f"void({kernel_argument(x)})")
        assert interrupted(lambda: kernel[grid](x)) < 1
        # The context goes on, and so does the kernel.
        ended = cuda.to_device(np.array([1, 10, 0]))
        kernel[grid](ended)
        cuda.synchronize()
        assert ended.copy_to_host()[1] == 10

    def test_where_the_signal_was_ignored_at_first(self):
        """As in commands that a shell runs in the background: whose handler it is now is learned without the GIL."""
        program = """
import os, signal, threading
signal.signal(signal.SIGINT, signal.SIG_IGN)
import numpy as np
from numbra import cuda
signal.signal(signal.SIGINT, signal.default_int_handler)

@cuda.jit("void(int64[::1])")
def spin(x):
    while x[0] % 2 == 0:
        x[0] += 2

threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    spin[1, 1](np.zeros(1, np.int64))
except KeyboardInterrupt:
    print("interrupted")
"""
        command = [sys.executable, "-W", "ignore", "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=100)
        assert done.stdout.strip() == "interrupted"

    def test_of_many_small_blocks(self):
        @cuda.jit
        def kernel(x):
            if cuda.grid(1) == 0:
                x[0] = 1

        x = cuda.to_device(np.zeros(1, np.int64))
        kernel[1, 1](x)
        assert interrupted(lambda: kernel[2**31 - 1, 256](x)) < 1

    def test_in_a_recursion(self):
        @cuda.jit(device=True)
        def fib(n):
            if n < 2:
                return n
            return fib(n - 1) + fib(n - 2)

        @cuda.jit
        def kernel(x):
            x[1] = fib(x[0])

        x = cuda.to_device(np.array([20, 0]))
        kernel[1, 1](x)
        assert x.copy_to_host()[1] == 6765
        x = cuda.to_device(np.array([90, 0]))
        assert interrupted(lambda: kernel[1, 1](x)) < 1

    def test_other_threads_are_not_interrupted(self):
        @cuda.jit
        def kernel(x):
            total = 0
            for i in range(x[0]):
                total += (total ^ i) % 3
            x[1] = total
            x[2] = 1

        x = cuda.to_device(np.array([10, 0, 0]))
        kernel[1, 1](x)
        x = cuda.to_device(np.array([300_000_000, 0, 0]))
        thread = threading.Thread(target=lambda: kernel[1, 1](x))
        thread.start()
        with pytest.raises(KeyboardInterrupt):
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(30)
        thread.join()
        assert x.copy_to_host()[2] == 1


def kernel_argument(x):
    return f"{x.dtype}[::1]"


class TestThreads:
    def test_each_block_runs_once(self):
        @cuda.jit
        def kernel(out, n):
            block = cuda.blockIdx.x + cuda.gridDim.x * cuda.blockIdx.y
            total = 0
            for i in range(n):
                total += i & cuda.threadIdx.x
            if total >= 0:
                cuda.atomic.add(out, block, 1)

        out = np.zeros(300, np.int64)
        kernel[(30, 10), 16](out, 20_000)
        assert out.tolist() == [16] * 300

    def test_atomics_are_atomic(self):
        @cuda.jit
        def kernel(ints, floats, most):
            i = cuda.grid(1)
            for k in range(200):
                cuda.atomic.add(ints, 0, 1)
                cuda.atomic.add(floats, 0, 1.0)
                cuda.atomic.max(most, 0, i * 200 + k)

        ints, floats, most = np.zeros(1, np.int32), np.zeros(1, np.float32), np.zeros(1, np.int64)
        kernel[64, 32](ints, floats, most)
        assert (ints[0], floats[0], most[0]) == (409_600, 409_600.0, 409_599)

    def test_shared_memory_is_a_blocks_own(self):
        @cuda.jit
        def kernel(out):
            room = cuda.shared.array(64, "int64")
            t, b = cuda.threadIdx.x, cuda.blockIdx.x
            total = 0
            for k in range(20):
                room[t] = b * 1000 + t + k
                cuda.syncthreads()
                total += room[63 - t]
                cuda.syncthreads()
            cuda.atomic.add(out, b, total)

        out = np.zeros(200, np.int64)
        kernel[200, 64](out)
        wanted = [sum(b * 1000 + t + k for t in range(64) for k in range(20)) for b in range(200)]
        assert out.tolist() == wanted

    def test_a_lock_between_blocks(self):
        @cuda.jit
        def kernel(lock, count):
            if cuda.threadIdx.x == 0:
                while cuda.atomic.cas(lock, 0, 0, 1) != 0:
                    pass
                cuda.threadfence()
                for _ in range(100):
                    count[0] += 1
                cuda.threadfence()
                cuda.atomic.exch(lock, 0, 0)

        lock, count = np.zeros(1, np.int32), np.zeros(1, np.int64)
        kernel[500, 4](lock, count)
        assert count[0] == 50_000

    def test_blocks_wait_for_earlier_ones(self):
        @cuda.jit
        def kernel(done, sums, values):
            b = cuda.blockIdx.x
            if cuda.threadIdx.x == 0:
                while b > 0 and cuda.atomic.add(done, b - 1, 0) == 0:
                    pass
                sums[b] = values[b] + (sums[b - 1] if b > 0 else 0)
                cuda.threadfence()
                cuda.atomic.exch(done, b, 1)

        values = np.arange(400)
        sums = np.zeros(400, np.int64)
        kernel[400, 2](np.zeros(400, np.int32), sums, values)
        assert (sums == np.cumsum(values)).all()

    def test_the_exception_of_the_first_block(self):
        @cuda.jit(debug=True, opt=False)
        def kernel(out, n):
            total = 0
            for i in range(n):
                total += i & cuda.threadIdx.x
            out[cuda.blockIdx.x] = total
            if cuda.blockIdx.x >= 7 and cuda.threadIdx.x == 3:
                raise ValueError("late")

        for _ in range(5):
            out = cuda.to_device(np.zeros(40, np.int64))
            with pytest.raises(ValueError, match=r"tid=\[0, 0, 3\] ctaid=\[0, 0, 7\]"):
                kernel[40, 4](out, 20_000)
            # The others ran on.
            assert (out.copy_to_host() != 0).all()

    def test_output_comes_in_the_order_of_blocks(self, capsys):
        @cuda.jit
        def kernel(out, n):
            total = 0
            for i in range(n):
                total += i & cuda.threadIdx.x
            out[0] = total
            if cuda.threadIdx.x == 0:
                print(cuda.blockIdx.x)

        kernel[60, 4](np.zeros(1, np.int64), 20_000)
        assert capsys.readouterr().out.split() == [str(b) for b in range(60)]

    def test_one_thread_is_deterministic(self):
        @cuda.jit
        def kernel(total, order):
            place = cuda.atomic.add(total, 0, 1)
            order[place] = cuda.grid(1)
            for _ in range(500):
                cuda.atomic.add(total, 1, 1)

        before = get_num_threads()
        set_num_threads(1)
        try:
            order = np.zeros(2000, np.int64)
            kernel[500, 4](np.zeros(2, np.int64), order)
        finally:
            set_num_threads(before)
        assert order.tolist() == list(range(2000))

    def test_more_threads_are_used(self):
        """Two blocks that wait for each other meet only where both are there at once."""
        program = """
import numpy as np
from numbra import cuda
@cuda.jit
def kernel(here, late):
    b = cuda.blockIdx.x
    # Long enough for the launch to ask for help.
    t = cuda.local.array(1, "int64")
    for i in range(late):
        t[0] += i ^ b
    if b > 0:
        cuda.atomic.add(here, 0, 1 if t[0] != -1 else 0)
        while cuda.atomic.add(here, 0, 0) < 2:
            pass
here = np.zeros(1, np.int64)
kernel[3, 1](here, 3_000_000)
print(here[0])
"""
        environment = dict(os.environ, NUMBA_NUM_THREADS="2", PYTHONWARNINGS="ignore")
        command = [sys.executable, "-c", program]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
        assert done.stdout.split() == ["2"], done.stderr
