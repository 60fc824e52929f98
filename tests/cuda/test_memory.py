"""Allocation, the queue of deallocations, memory of the host, memory managers."""

import gc

import numpy as np
import pytest
from numbra import cuda
from numbra.core import config
from numbra.cuda.cudadrv import driver
from numbra.cuda.cudadrv.driver import CudaAPIError, DeadMemoryError


def queue():
    return cuda.current_context().memory_manager.deallocations


class TestQueue:
    def test_its_length_is_limited(self, fake):
        frees = fake.count("cuMemFree")
        for n in range(config.CUDA_DEALLOCS_COUNT):
            cuda.to_device(np.arange(4))
            assert len(queue()) == n + 1
        assert fake.count("cuMemFree") == frees
        cuda.to_device(np.arange(4))
        assert len(queue()) == 0
        assert fake.count("cuMemFree") == frees + config.CUDA_DEALLOCS_COUNT + 1

    def test_its_bytes_are_limited(self, fake, monkeypatch):
        monkeypatch.setattr(config, "CUDA_DEALLOCS_RATIO", 1000 / cuda.current_context().get_memory_info().total)
        cuda.device_array(100, np.uint8)
        assert len(queue()) == 1
        cuda.device_array(1000, np.uint8)
        assert len(queue()) == 0

    def test_deferring_nests(self, fake):
        frees = fake.count("cuMemFree")
        with cuda.defer_cleanup():
            with cuda.defer_cleanup():
                for _ in range(30):
                    cuda.device_array(4)
            cuda.device_array(4)
            assert len(queue()) == 31
            assert fake.count("cuMemFree") == frees
        assert len(queue()) == 31
        cuda.device_array(4)
        assert len(queue()) == 0
        assert fake.count("cuMemFree") == frees + 32

    def test_an_error_ends_deferring(self, fake):
        with pytest.raises(ZeroDivisionError), cuda.defer_cleanup():
            cuda.device_array(4)
            _ = 1 / 0
        assert not queue().is_disabled
        queue().clear()
        assert len(queue()) == 0

    def test_views_keep_the_memory(self, fake):
        device = cuda.to_device(np.arange(10))
        part = device[2:5]
        alive = fake.alive(fake.ALLOCATION)
        del device
        queue().clear()
        assert fake.alive(fake.ALLOCATION) == alive
        np.testing.assert_array_equal(part.copy_to_host(), [2, 3, 4])
        del part
        queue().clear()
        assert fake.alive(fake.ALLOCATION) == alive - 1

    def test_another_thread_frees_in_the_context_of_the_memory(self, fake):
        from threading import Thread

        arrays = [cuda.device_array(4) for _ in range(20)]
        alive = fake.alive(fake.ALLOCATION)
        thread = Thread(target=arrays.clear)
        thread.start()
        thread.join()
        queue().clear()
        assert fake.alive(fake.ALLOCATION) == alive - 20


class TestOutOfMemory:
    def test_pending_memory_is_freed_and_the_allocation_tried_again(self, fake):
        with cuda.defer_cleanup():
            pass
        cuda.device_array(4)
        assert len(queue()) == 1
        fake.fail("cuMemAlloc", fake.OUT_OF_MEMORY, 1)
        allocations = fake.count("cuMemAlloc")
        device = cuda.device_array(4)
        assert fake.count("cuMemAlloc") == allocations + 2
        assert len(queue()) == 0
        device[:] = 1

    def test_the_second_failure_is_an_error(self, fake):
        fake.fail("cuMemAlloc", fake.OUT_OF_MEMORY, 2)
        with pytest.raises(CudaAPIError) as error:
            cuda.device_array(4)
        assert error.value.code == 2
        assert str(error.value) == "[2] Call to cuMemAlloc results in CUDA_ERROR_OUT_OF_MEMORY"
        cuda.device_array(4)

    def test_other_errors_are_not_tried_again(self, fake):
        fake.fail("cuMemAlloc", fake.UNKNOWN, 1)
        allocations = fake.count("cuMemAlloc")
        with pytest.raises(CudaAPIError, match=r"\[999\] Call to cuMemAlloc results in CUDA_ERROR_UNKNOWN"):
            cuda.device_array(4)
        assert fake.count("cuMemAlloc") == allocations + 1

    def test_codes_that_only_the_driver_knows(self, fake):
        fake.fail("cuMemAlloc", 4321, 1)
        with pytest.raises(CudaAPIError, match=r"\[4321\] Call to cuMemAlloc results in CUDA_ERROR_OF_THE_FUTURE"):
            cuda.device_array(4)

    def test_memory_of_the_host_is_tried_again_as_well(self, fake):
        fake.fail("cuMemHostAlloc", fake.OUT_OF_MEMORY, 1)
        assert cuda.mapped_array(3).shape == (3,)
        fake.fail("cuMemAllocManaged", fake.OUT_OF_MEMORY, 1)
        assert cuda.managed_array(3).shape == (3,)


class TestHostMemory:
    def test_pinned(self, fake):
        alive = fake.alive(fake.HOST)
        pinned = cuda.pinned_array((3, 4), np.int32, order="F")
        assert isinstance(pinned, np.ndarray)
        assert pinned.flags.f_contiguous
        pinned[:] = np.arange(12).reshape(3, 4)
        assert fake.alive(fake.HOST) == alive + 1
        np.testing.assert_array_equal(cuda.to_device(pinned).copy_to_host(), pinned)
        part = pinned[1:]
        del pinned
        queue().clear()
        assert part[0, 0] == 4
        del part
        queue().clear()
        assert fake.alive(fake.HOST) == alive

    @pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
    def test_arrays_that_both_sides_see(self, fake, make):
        both = make((3, 4), np.float32)
        both[:] = 2
        assert type(both) is not np.ndarray
        assert isinstance(both, np.ndarray)
        assert driver.is_device_memory(both)
        np.testing.assert_array_equal(both.copy_to_host(), np.full((3, 4), 2, np.float32))
        both.copy_to_device(np.ones((3, 4), np.float32))
        assert both.sum() == 12
        row = both[1]
        assert row.device_ctypes_pointer.value == both.device_ctypes_pointer.value + 16
        assert row.__cuda_array_interface__["shape"] == (4,)
        assert make((0, 3)).size == 0
        assert str(both._numba_type_) == "array(float32, 2d, C)"
        device = both[1:, ::2].as_device_array()
        assert device._pointer == both.device_ctypes_pointer.value + 16
        np.testing.assert_array_equal(device.copy_to_host(), both[1:, ::2])

    def test_pinned_in_a_block(self, fake):
        host = np.arange(4.0)
        with cuda.pinned(host, np.zeros(3)):
            assert fake.alive(fake.REGISTERED) == 2
        assert fake.alive(fake.REGISTERED) == 0
        with pytest.raises(CudaAPIError, match=r"\[712\]"), cuda.pinned(host, host):
            pass
        assert fake.alive(fake.REGISTERED) == 0

    def test_mapped_in_a_block(self, fake):
        one, two = np.arange(4.0), np.arange(3)
        with cuda.mapped(one) as device:
            device[1] = 7
            np.testing.assert_array_equal(device.copy_to_host(), [0, 7, 2, 3])
        assert one[1] == 7
        assert fake.alive(fake.REGISTERED) == 0
        with pytest.raises(DeadMemoryError):
            device.copy_to_host()
        with cuda.mapped(one, two, stream=cuda.stream()) as (first, second):
            assert (first.shape, second.shape) == ((4,), (3,))


class TestPointers:
    def test_views_count(self):
        memory = cuda.current_context().memalloc(1024)
        assert memory.refct == 1
        view = memory.view(16)
        assert memory.refct == 2
        inner = view.view(16, 32)
        assert memory.refct == 3
        assert inner.device_pointer_value == memory.device_pointer_value + 32
        assert inner.size == 16
        assert inner.owner.handle == memory.handle
        del view, inner
        assert memory.refct == 1

    def test_freeing_twice(self):
        memory = cuda.current_context().memalloc(16)
        memory.free()
        with pytest.raises(RuntimeError, match="Freeing dead memory"):
            memory.free()
        with pytest.raises(DeadMemoryError, match="was freed"):
            driver.device_pointer(memory)

    def test_memset(self):
        device = cuda.to_device(np.arange(8, dtype=np.uint8))
        device.gpu_data.memset(3, count=4)
        np.testing.assert_array_equal(device.copy_to_host(), [3, 3, 3, 3, 4, 5, 6, 7])
        driver.device_memset(device, 255, 2, stream=cuda.stream())
        np.testing.assert_array_equal(device.copy_to_host()[:3], [255, 255, 3])

    def test_extents(self):
        memory = cuda.current_context().memalloc(100)
        start, end = driver.device_extents(memory.view(10))
        assert (start, end - start) == (memory.device_pointer_value, 100)
        assert driver.get_devptr_for_active_ctx(start) == start

    def test_slices_of_nothing(self):
        empty = driver.MemoryPointer(cuda.current_context(), 0, 0)
        assert empty.view(0, 0).device_pointer_value is None
        with pytest.raises(RuntimeError, match="non-empty slice into empty slice"):
            empty.view(0, 4)

    def test_what_is_no_memory(self):
        with pytest.raises(Exception, match="Not a CUDA memory object"):
            driver.device_pointer(np.zeros(3))


class TestIpc:
    def test_handles_survive_pickling(self, fake):
        import pickle

        device = cuda.to_device(np.arange(10.0))[2:6]
        handle = device.get_ipc_handle()
        with pytest.raises(ValueError, match="opening IpcHandle from original process"):
            handle.open()
        again = pickle.loads(pickle.dumps(device.get_ipc_handle()))
        with again as opened:
            np.testing.assert_array_equal(opened.copy_to_host(), [2, 3, 4, 5])
        with pytest.raises(DeadMemoryError):
            opened.copy_to_host()
        with pytest.raises(ValueError, match="IpcHandle not opened"):
            again.close()

    def test_handles_from_elsewhere(self, fake):
        device = cuda.to_device(np.arange(4, dtype=np.int32))
        handle = driver.driver.cuIpcGetMemHandle(device.device_ctypes_pointer.value)
        assert len(handle) == 64
        with cuda.open_ipc_array(tuple(handle), shape=4, dtype=np.int32) as opened:
            np.testing.assert_array_equal(opened.copy_to_host(), [0, 1, 2, 3])
        with pytest.raises(ValueError, match="64 bytes, not 3"), cuda.open_ipc_array(b"abc", 4, np.int32):
            pass


def test_nothing_is_left(fake):
    gc.collect()
    queue().clear()
    alive = fake.alive(fake.ALLOCATION)
    for _ in range(50):
        device = cuda.to_device(np.arange(100.0))
        device[1:5][::2].copy_to_host()
        device.reshape(10, 10)[2]
    del device
    queue().clear()
    assert fake.alive(fake.ALLOCATION) == alive
