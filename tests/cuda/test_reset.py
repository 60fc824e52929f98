"""Contexts that are reset: what was made before gives errors, and what is made afterwards works."""

import gc
import threading
from types import SimpleNamespace

import numpy as np
import pytest
from numbra import cuda
from numbra.cuda.cudadrv.error import CudaAPIError, DeadMemoryError


def flush():
    """Frees what waits."""
    gc.collect()
    cuda.current_context().deallocations.clear()
    cuda.current_context().memory_manager.deallocations.clear()


def test_handles_of_before_are_errors(fake):
    host = np.arange(4.0)
    before = SimpleNamespace(device=cuda.to_device(host), stream=cuda.stream(), event=cuda.event())
    before.record = cuda.to_device(np.zeros(1, [("a", "f8")]))[0]
    before.part, before.mapped = before.device[1:], cuda.mapped_array(3)
    before.module = cuda.current_context().create_module_ptx("kernel")
    before.kernel = before.module.get_function("kernel")
    cuda.close()
    for use in (
        before.stream.synchronize,
        lambda: before.stream.handle,
        lambda: before.stream.add_callback(print),
        lambda: cuda.to_device(host, stream=before.stream),
        before.event.query,
        before.event.record,
        before.event.synchronize,
        lambda: before.event.elapsed_time(before.event),
        lambda: before.kernel.handle,
        lambda: before.module.get_function("kernel"),
    ):
        with pytest.raises(CudaAPIError, match="results in CUDA_ERROR_CONTEXT_IS_DESTROYED") as error:
            use()
        assert error.value.code == 709
    for use in (
        before.device.copy_to_host,
        lambda: before.device[0],
        lambda: before.part.copy_to_host(),
        lambda: before.device.copy_to_device(host),
        lambda: before.device.__setitem__(0, 1),
        lambda: before.device.__cuda_array_interface__,
        lambda: before.device.__dlpack__(),
        lambda: before.record["a"],
        lambda: before.device._pointer,
        lambda: before.mapped.device_ctypes_pointer,
    ):
        with pytest.raises(DeadMemoryError, match="was freed, or went when its context was reset"):
            use()
    assert repr(before.stream) == "<CUDA stream of a context that was reset>"
    again = cuda.to_device(host)
    np.testing.assert_array_equal(again.copy_to_host(), host)
    # Letting go of the old handles must not touch what is there now.
    flush()
    alive = fake.alive(fake.ALLOCATION)
    vars(before).clear()
    flush()
    assert fake.alive(fake.ALLOCATION) == alive


def test_resetting_a_context_frees_its_memory_and_keeps_its_streams(fake):
    device, stream = cuda.to_device(np.arange(4.0)), cuda.stream()
    cuda.current_context().reset()
    assert fake.alive(fake.ALLOCATION) == 0
    with pytest.raises(DeadMemoryError):
        device.copy_to_host()
    stream.synchronize()
    cuda.to_device(np.arange(3), stream=stream)


def test_memory_that_waits_while_a_context_is_reset(fake):
    with cuda.defer_cleanup():
        cuda.device_array(3)
        cuda.current_context().reset()
        assert fake.alive(fake.ALLOCATION) == 1
    cuda.current_context().memory_manager.deallocations.clear()
    assert fake.alive(fake.ALLOCATION) == 0


def test_closing_on_another_thread_leaves_contexts_alone():
    device = cuda.to_device(np.arange(4.0))
    thread = threading.Thread(target=lambda: (cuda.current_context(), cuda.close()))
    thread.start()
    thread.join()
    np.testing.assert_array_equal(device.copy_to_host(), np.arange(4.0))


def test_a_thread_whose_context_was_reset_takes_the_new_one():
    device = cuda.device_array(3)
    results, go, ready = [], threading.Event(), threading.Event()

    def work():
        cuda.to_device(np.zeros(2))
        ready.set()
        go.wait(30)
        results.append(cuda.to_device(np.arange(3)).copy_to_host().tolist())

    thread = threading.Thread(target=work)
    thread.start()
    ready.wait(30)
    del device
    cuda.close()
    go.set()
    thread.join()
    assert results == [[0, 1, 2]]


def test_arrays_are_used_from_many_threads():
    device = cuda.to_device(np.arange(1000.0))
    sums = []

    def work():
        for _ in range(20):
            sums.append(device[10:20].copy_to_host().sum())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sums == [145.0] * 80
