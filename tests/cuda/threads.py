"""Many threads and streams on one GPU: `python tests/cuda/threads.py`.

24 threads launch kernels that nobody has compiled yet in 8 streams, copy, allocate and free.
No error, no leak, and each signature is compiled and loaded once.
"""

import gc
import threading
import time
import warnings
from collections import Counter

import checks
import numpy as np
from numbra import cuda
from numbra.core.errors import NumbaPerformanceWarning
from numbra.cuda import kernel as kernels

THREADS, STREAMS, ROUNDS = 24, 8, 20
TYPES = ("f4", "f8", "i4", "i8")

#: Compilations by kernel and argument types, and how often each kernel was loaded.
compiled, loaded = Counter(), Counter()


def count():
    """Counts compilations and loads from now on."""
    make, load = kernels.Kernel.__init__, kernels._Loaded.__init__

    def counted_make(self, dispatcher, args):
        compiled[dispatcher.__name__, args] += 1
        make(self, dispatcher, args)

    def counted_load(self, kernel, *rest):
        loaded[kernel.entry_name] += 1
        load(self, kernel, *rest)

    kernels.Kernel.__init__, kernels._Loaded.__init__ = counted_make, counted_load


def fresh():
    """Kernels that are not compiled."""

    @cuda.jit(device=True)
    def twice(x):
        return x + x

    @cuda.jit
    def double(out, x):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = twice(x[i])

    @cuda.jit
    def total(out, x):
        shared = cuda.shared.array(256, np.float64)
        i = cuda.threadIdx.x
        shared[i] = x[i] if i < x.size else 0.0
        cuda.syncthreads()
        step = 128
        while step:
            if i < step:
                shared[i] += shared[i + step]
            cuda.syncthreads()
            step //= 2
        if i == 0:
            out[0] = shared[0]

    return double, total


def settle():
    """Frees what waits; bytes that are free then."""
    gc.collect()
    context = cuda.current_context()
    cuda.synchronize()
    context.deallocations.clear()
    context.memory_manager.deallocations.clear()
    return context.get_memory_info().free


def work(number, double, total, streams, start, errors):
    """What one thread does."""
    try:
        random = np.random.default_rng(number)
        start.wait(60)
        for round_ in range(ROUNDS):
            stream = streams[(number + round_) % STREAMS]
            dtype = np.dtype(TYPES[(number + round_) % len(TYPES)])
            size = int(random.integers(1, 5000))
            host = random.integers(0, 1000, size).astype(dtype)
            x = cuda.to_device(host, stream=stream)
            out = cuda.device_array(size, dtype, stream=stream)
            double[(size + 127) // 128, 128, stream](out, x)
            got = out.copy_to_host(stream=stream)
            stream.synchronize()
            np.testing.assert_array_equal(got, host + host)
            part, sums = x[:256], cuda.device_array(1, np.float64, stream=stream)
            total[1, 256, stream](sums, part)
            got = sums.copy_to_host(stream=stream)
            stream.synchronize()
            assert got[0] == host[:256].sum(), (got[0], host[:256].sum())
            pinned = cuda.pinned_array(size, dtype)
            out.copy_to_host(pinned, stream=stream)
            event = cuda.event()
            event.record(stream)
            event.synchronize()
            np.testing.assert_array_equal(pinned, host + host)
            if round_ % 5 == 0:
                own = cuda.stream()
                moved = cuda.to_device(host, stream=own)
                double[(size + 127) // 128, 128, own](moved, moved)
                own.synchronize()
                np.testing.assert_array_equal(moved.copy_to_host(), host + host)
    except BaseException as error:
        errors.append(error)


def storm():
    """All threads at once, with kernels of their own."""
    double, total = fresh()
    streams = [cuda.stream() for _ in range(STREAMS)]
    start, errors = threading.Barrier(THREADS), []
    arguments = (double, total, streams, start, errors)
    threads = [threading.Thread(target=work, args=(number, *arguments)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive(), "a thread hangs"
    if errors:
        raise errors[0]
    return double, total


def check_many_threads_and_streams():
    compiled.clear()
    loaded.clear()
    double, total = storm()
    repeated = {key: n for key, n in compiled.items() if n != 1}
    assert not repeated, f"compiled more than once: {repeated}"
    assert len(double.overloads) == len(TYPES), list(double.overloads)
    assert len(compiled) == len(double.overloads) + len(total.overloads)
    repeated = {key: n for key, n in loaded.items() if n != 1}
    assert not repeated, f"loaded more than once: {repeated}"


def check_nothing_leaks():
    storm()
    before = settle()
    for _ in range(3):
        storm()
    after = settle()
    context = cuda.current_context()
    assert len(context.deallocations) == 0
    assert len(context.memory_manager.deallocations) == 0
    assert not context.allocations, f"{len(context.allocations)} allocations are left"
    # Modules of kernels that went are unloaded; the driver keeps some pools of its own.
    assert before - after < 32 << 20, f"{before - after} bytes are gone"


def check_the_queue_of_deallocations_from_many_threads():
    before = settle()
    errors = []

    def churn():
        try:
            for _ in range(200):
                arrays = [cuda.device_array(1000) for _ in range(10)]
                del arrays
                with cuda.defer_cleanup():
                    cuda.device_array(10)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=churn) for _ in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    if errors:
        raise errors[0]
    after = settle()
    assert len(cuda.current_context().memory_manager.deallocations) == 0
    assert before - after < 16 << 20, f"{before - after} bytes are gone"


if __name__ == "__main__":
    warnings.simplefilter("ignore", NumbaPerformanceWarning)
    count()
    start = time.perf_counter()
    # In the main thread first: what each process has once is no leak.
    cuda.current_context()
    try:
        checks.run(globals())
    finally:
        print(f"{time.perf_counter() - start:.1f} s")
