"""Two GPUs in one process: kernels, memory, streams, events and threads of each, and resets of one only.

Needs a machine with two GPUs: `python tests/cuda/two_devices.py`.
"""

import gc
import threading
import warnings

import checks
import numpy as np
from numbra import cuda
from numbra.core.errors import NumbaPerformanceWarning
from numbra.cuda.cudadrv.error import CudaAPIError, DeadMemoryError

N = 10_000
BLOCKS = (N + 255) // 256


@cuda.jit(device=True)
def affine(x, a, b):
    return a * x + b


@cuda.jit
def update(x, a, b):
    i = cuda.grid(1)
    if i < x.size:
        x[i] = affine(x[i], a, b)


@cuda.jit
def reverse(out):
    shared = cuda.shared.array(0, np.float64)
    i = cuda.threadIdx.x
    shared[i] = out[i]
    cuda.syncthreads()
    out[i] = shared[cuda.blockDim.x - 1 - i]


def host(seed=0):
    return np.random.default_rng(seed).random(N)


def check_a_kernel_runs_on_both():
    arrays = []
    for gpu in cuda.gpus[:2]:
        with gpu:
            arrays.append(cuda.to_device(host(gpu.id)))
    # Again and again: the second launch on each goes the quick way.
    for _ in range(3):
        for gpu, array in zip(cuda.gpus[:2], arrays, strict=True):
            with gpu:
                assert cuda.get_current_device().id == gpu.id
                update[BLOCKS, 256](array, 2.0, 1.0)
    for gpu, array in zip(cuda.gpus[:2], arrays, strict=True):
        with gpu:
            np.testing.assert_allclose(array.copy_to_host(), 8 * host(gpu.id) + 7, rtol=1e-12)
    (kernel,) = update.overloads.values()
    assert len(kernel._loaded) >= 2, "a module for each context"
    assert len({loaded.function.handle for loaded in kernel._loaded.values()}) >= 2


def check_blocks_within_blocks():
    with cuda.gpus[0]:
        outer = cuda.to_device(host())
        with cuda.gpus[1]:
            inner = cuda.to_device(host())
            update[BLOCKS, 256](inner, 3.0, 0.0)
        assert cuda.get_current_device().id == 0
        update[BLOCKS, 256](outer, 5.0, 0.0)
    np.testing.assert_allclose(outer.copy_to_host(), 5 * host())
    np.testing.assert_allclose(inner.copy_to_host(), 3 * host())


def check_host_arrays_go_to_the_current_device():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", NumbaPerformanceWarning)
        for gpu in cuda.gpus[:2]:
            array = host()
            with gpu:
                update[BLOCKS, 256](array, 2.0, 0.0)
            np.testing.assert_allclose(array, 2 * host())


def check_much_shared_memory_on_each():
    for size in (256, 8192 * 8, 256, 10_000 * 8):
        for gpu in cuda.gpus[:2]:
            with gpu:
                array = cuda.to_device(np.arange(256.0))
                reverse[1, 256, 0, max(size, 256 * 8)](array)
                np.testing.assert_array_equal(array.copy_to_host(), np.arange(256.0)[::-1])


def check_copies_between_devices():
    with cuda.gpus[0]:
        here = cuda.to_device(host())
    with cuda.gpus[1]:
        there = cuda.device_array(N)
        stream = cuda.stream()
        there.copy_to_device(here)
        np.testing.assert_array_equal(there.copy_to_host(), host())
        update[BLOCKS, 256, stream](there, 2.0, 0.0)
        stream.synchronize()
    with cuda.gpus[0]:
        here.copy_to_device(there)
        np.testing.assert_array_equal(here.copy_to_host(), 2 * host())
    # From a thread with the other device current.
    with cuda.gpus[1]:
        np.testing.assert_array_equal(here.copy_to_host(), 2 * host())


def check_kernels_reach_memory_of_a_peer():
    one, two = (gpu.get_primary_context() for gpu in cuda.gpus[:2])
    if not (one.can_access_peer(1) and two.can_access_peer(0)):
        print("these devices are no peers")
        return
    for mine, other in ((one, two), (two, one)):
        try:
            mine.enable_peer_access(other)
        except CudaAPIError as error:
            assert "ALREADY_ENABLED" in str(error), error
    with cuda.gpus[1]:
        there = cuda.to_device(host())
        cuda.synchronize()
    with cuda.gpus[0]:
        update[BLOCKS, 256](there, 2.0, 1.0)
        cuda.synchronize()
    with cuda.gpus[1]:
        np.testing.assert_allclose(there.copy_to_host(), 2 * host() + 1)


def check_streams_and_events_of_each():
    made = []
    for gpu in cuda.gpus[:2]:
        with gpu:
            made.append((cuda.stream(), cuda.event(), cuda.event(), cuda.to_device(host())))
    for gpu, (stream, start, end, array) in zip(cuda.gpus[:2], made, strict=True):
        with gpu:
            start.record(stream)
            for _ in range(10):
                update[BLOCKS, 256, stream](array, 1.0, 1.0)
            end.record(stream)
    for gpu, (stream, start, end, array) in zip(cuda.gpus[:2], made, strict=True):
        with gpu:
            end.synchronize()
            assert start.elapsed_time(end) > 0
            np.testing.assert_allclose(array.copy_to_host(stream=stream), host() + 10)
    (stream, start, *_), (_, other, *_) = made
    try:
        other.record(stream)
    except CudaAPIError as error:
        print(f"an event in a stream of another device: {error}")
    else:
        raise AssertionError("an event was recorded in a stream of another device")
    # A stream waits for an event of another device.
    with cuda.gpus[1]:
        other.record(made[1][0])
    with cuda.gpus[0]:
        other.wait(stream)
        update[BLOCKS, 256, stream](made[0][3], 1.0, 1.0)
        stream.synchronize()
    np.testing.assert_allclose(made[0][3].copy_to_host(), host() + 11)


def check_contexts_make_their_own_things():
    """A context that is not the current one makes streams, events and memory of its own device."""
    context = cuda.gpus[1].get_primary_context()
    with cuda.gpus[0]:
        before = context.get_memory_info().free
        memory = context.memalloc(256 << 20)
        assert context.get_memory_info().free <= before - (200 << 20)
        stream, event = context.create_stream(), context.create_event()
        assert cuda.get_current_device().id == 0
    with cuda.gpus[1]:
        array = cuda.to_device(host(), stream=stream)
        update[BLOCKS, 256, stream](array, 2.0, 0.0)
        event.record(stream)
        event.synchronize()
        np.testing.assert_allclose(array.copy_to_host(), 2 * host())
    del memory


def check_memory_is_freed_on_its_device():
    contexts = [gpu.get_primary_context() for gpu in cuda.gpus[:2]]

    def free():
        gc.collect()
        for context in contexts:
            context.memory_manager.deallocations.clear()
            context.deallocations.clear()
        return [context.get_memory_info().free for context in contexts]

    before = free()
    with cuda.gpus[1]:
        array = cuda.device_array(256 << 20, np.uint8)
    within = free()
    assert within[1] <= before[1] - (200 << 20), (before, within)
    assert abs(within[0] - before[0]) < 64 << 20, (before, within)
    with cuda.gpus[0]:
        del array
        after = free()
    assert after[1] >= before[1] - (16 << 20), (before, after)


def check_each_thread_has_its_device():
    errors = []
    start = threading.Barrier(8)

    def work(number):
        try:
            start.wait(30)
            for round_ in range(50):
                gpu = cuda.gpus[(number + round_) % 2]
                with gpu:
                    assert cuda.get_current_device().id == gpu.id
                    array = cuda.to_device(host(number))
                    update[BLOCKS, 256](array, 2.0, float(round_))
                    np.testing.assert_allclose(array.copy_to_host(), 2 * host(number) + round_)
                    assert cuda.get_current_device().id == gpu.id
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    if errors:
        raise errors[0]
    (kernel,) = update.overloads.values()
    assert kernel is update.overloads[update.signatures[0]]


def check_selecting_a_device_holds_on_a_thread():
    seen = []

    def work():
        seen.append(cuda.get_current_device().id)
        cuda.select_device(1)
        seen.append(cuda.get_current_device().id)

    cuda.select_device(0)
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [0, 1]
    assert cuda.get_current_device().id == 0


def check_reset_of_one():
    with cuda.gpus[0]:
        kept, kept_stream = cuda.to_device(host()), cuda.stream()
        update[BLOCKS, 256, kept_stream](kept, 2.0, 0.0)
    with cuda.gpus[1]:
        gone, gone_stream = cuda.to_device(host()), cuda.stream()
        update[BLOCKS, 256](gone, 2.0, 0.0)
    cuda.gpus[1].reset()
    with cuda.gpus[0]:
        update[BLOCKS, 256, kept_stream](kept, 2.0, 0.0)
        kept_stream.synchronize()
        np.testing.assert_allclose(kept.copy_to_host(), 4 * host())
    with cuda.gpus[1]:
        for use, error in (
            (lambda: gone.copy_to_host(), DeadMemoryError),
            (lambda: update[BLOCKS, 256](gone, 1.0, 0.0), DeadMemoryError),
            (lambda: gone_stream.synchronize(), CudaAPIError),
        ):
            try:
                use()
            except error as raised:
                print(f"{error.__name__}: {raised}")
            else:
                raise AssertionError(f"no {error.__name__}")
        again = cuda.to_device(host())
        update[BLOCKS, 256](again, 3.0, 0.0)
        np.testing.assert_allclose(again.copy_to_host(), 3 * host())
    with cuda.gpus[0]:
        update[BLOCKS, 256, kept_stream](kept, 2.0, 0.0)
        np.testing.assert_allclose(kept.copy_to_host(stream=kept_stream), 8 * host())


def check_everything_after_closing():
    cuda.close()
    check_a_kernel_runs_on_both()


if __name__ == "__main__":
    warnings.simplefilter("ignore", NumbaPerformanceWarning)
    if len(cuda.gpus) < 2:
        raise SystemExit("two GPUs are needed")
    checks.run(globals())
