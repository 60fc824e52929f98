"""Streams, events, modules and occupancy."""

import asyncio
import ctypes

import numpy as np
import pytest
from numbra import cuda
from numbra.cuda.cudadrv import driver
from numbra.cuda.cudadrv.error import CudaAPIError, LinkerError


class TestStreams:
    def test_names(self):
        assert repr(cuda.default_stream()) == "<Default CUDA stream>"
        assert repr(cuda.legacy_default_stream()) == "<Legacy default CUDA stream>"
        assert repr(cuda.per_thread_default_stream()) == "<Per-thread default CUDA stream>"
        assert repr(cuda.external_stream(0x123)) == "<External CUDA stream 291>"
        stream = cuda.stream()
        assert repr(stream) == f"<CUDA stream {int(stream)}>"
        assert stream.handle.value == int(stream) == int(stream.handle)
        assert cuda.default_stream().handle.value is None
        assert [int(s()) for s in (cuda.default_stream, cuda.legacy_default_stream)] == [0, 1]
        assert stream.__cuda_stream__() == (0, int(stream))
        with pytest.raises(TypeError, match="ptr for external stream must be an int"):
            cuda.external_stream(ctypes.c_void_p(3))

    def test_copies_in_a_stream(self, fake):
        stream = cuda.stream()
        host = np.arange(4.0)
        async_copies = fake.count("cuMemcpyHtoDAsync")
        with stream.auto_synchronize():
            device = cuda.to_device(host, stream=stream)
            back = device.copy_to_host(stream=stream)
        np.testing.assert_array_equal(back, host)
        assert fake.count("cuMemcpyHtoDAsync") == async_copies + 1
        # Arrays keep the stream that they were made in.
        from_device = fake.count("cuMemcpyDtoHAsync")
        device.copy_to_host()
        assert fake.count("cuMemcpyDtoHAsync") == from_device + 1

    def test_streams_of_other_libraries(self):
        class Foreign:
            def __cuda_stream__(self):
                return 0, 1

        device = cuda.to_device(np.arange(3), stream=Foreign())
        np.testing.assert_array_equal(device.copy_to_host(stream=Foreign()), [0, 1, 2])
        with pytest.raises(TypeError, match="Expected a Stream object or 0, got str"):
            device.copy_to_host(stream="x")

    def test_callbacks(self):
        seen = []
        stream = cuda.stream()
        stream.add_callback(lambda *args: seen.append(args), 5)
        stream.add_callback(lambda *args: seen.append(args))
        stream.synchronize()
        assert sorted(seen, key=str) == sorted([(stream, 0, 5), (stream, 0, None)], key=str)

    def test_errors_in_callbacks_are_warnings(self):
        def wrong(stream, status, arg):
            raise RuntimeError("no")

        stream = cuda.stream()
        with pytest.warns(UserWarning, match="Exception in stream callback: no"):
            stream.add_callback(wrong)
            stream.synchronize()

    def test_awaiting(self):
        async def wait():
            stream = cuda.stream()
            done = stream.async_done()
            return (await asyncio.wait_for(done, 30)) is stream

        assert asyncio.run(wait())

    def test_a_callback_that_is_refused_keeps_nothing(self, fake):
        import sys

        fake.fail("cuStreamAddCallback", fake.UNKNOWN, 1)
        arg = object()
        held = sys.getrefcount(arg)
        with pytest.raises(CudaAPIError, match="cuStreamAddCallback"):
            cuda.stream().add_callback(print, arg)
        assert sys.getrefcount(arg) == held

    def test_streams_go_through_the_queue(self, fake):
        queue = cuda.current_context().deallocations
        alive, waiting = fake.alive(fake.STREAM), len(queue)
        stream = cuda.stream()
        del stream
        assert len(queue) == waiting + 1
        queue.clear()
        assert fake.alive(fake.STREAM) == alive


class TestEvents:
    def test_times(self):
        start, end = cuda.event(), cuda.event()
        stream = cuda.stream()
        start.record()
        end.record(stream=stream)
        end.wait(stream)
        end.wait()
        end.synchronize()
        assert end.query() is True
        assert start.elapsed_time(end) == cuda.event_elapsed_time(start, end) == 1.5

    def test_an_event_may_be_not_ready(self, fake):
        event = cuda.event(timing=False)
        fake.fail("cuEventQuery", 600, 1)
        assert event.query() is False
        fake.fail("cuEventQuery", fake.UNKNOWN, 1)
        with pytest.raises(CudaAPIError, match="cuEventQuery"):
            event.query()

    def test_events_go_through_the_queue(self, fake):
        alive = fake.alive(fake.EVENT)
        cuda.event()
        cuda.current_context().deallocations.clear()
        assert fake.alive(fake.EVENT) == alive


class TestModules:
    def test_functions_and_globals(self, fake):
        context = cuda.current_context()
        module = context.create_module_ptx(".version 6.3 kernel table")
        kernel = module.get_function("kernel")
        assert module.handle == module.handle and len({module.handle, module.handle}) == 1
        assert module.handle.value == module.address
        with pytest.raises(TypeError):
            int(module.handle)  # The driver would take it for a library, and crash.
        assert kernel.attrs.maxthreads == 1024
        assert kernel.attrs.regs == 32
        assert repr(kernel) == "<CUDA function kernel>"
        assert kernel.device is context.device
        memory, size = module.get_global_symbol("table")
        assert size == 32
        memory.memset(1)
        with pytest.raises(CudaAPIError, match=r"\[500\] Call to cuModuleGetFunction results in CUDA_ERROR_NOT_FOUND"):
            module.get_function("other")
        with pytest.raises(CudaAPIError, match="cuModuleGetFunction"):
            module.get_function("kernel\0")
        assert context.get_active_blocks_per_multiprocessor(kernel, 256, 0) == 8
        assert context.get_max_potential_block_size(kernel, 0, 0, 128) == (132, 128)
        kernel.cache_config()
        kernel.cache_config(prefer_cache=True, prefer_shared=True)
        kernel.set_shared_memory_carveout(50)
        assert fake.carveout() == 50
        with pytest.raises(ValueError, match="between -1 and 100"):
            kernel.set_shared_memory_carveout(101)

    def test_the_log_of_the_compiler_is_in_the_error(self):
        with pytest.raises(LinkerError, match=r"cuModuleLoadDataEx results in CUDA_ERROR_INVALID_PTX\nptxas fatal"):
            cuda.current_context().create_module_ptx("wrong", max_registers=20, lineinfo=True)

    def test_modules_are_unloaded(self, fake):
        context = cuda.current_context()
        alive = fake.alive(fake.MODULE)
        torn_down = []
        module = context.create_module_image(b"kernel", [torn_down.append], [lambda module: torn_down.append("down")])
        module.setup()
        assert torn_down == [module]
        with pytest.raises(RuntimeError, match="already been initialized"):
            module.setup()
        torn_down.clear()
        module.unload()
        assert fake.alive(fake.MODULE) == alive + 1
        del module
        assert torn_down == ["down"]
        context.deallocations.clear()
        assert fake.alive(fake.MODULE) == alive


def test_profiling(fake):
    with pytest.raises(ZeroDivisionError), cuda.profiling():
        _ = 1 / 0
    assert fake.count("cuProfilerStart") == fake.count("cuProfilerStop") == 1


def test_functions_of_the_driver_by_name():
    assert driver.driver.cuDeviceGetCount() == 1
    assert driver.get_version() == (12, 8)
    assert cuda.runtime.get_version() == (12, 8)
    assert cuda.is_supported_version()
    with pytest.raises(driver.CudaDriverError, match="Driver missing function: cuNoSuchThing"):
        _ = driver.driver.cuNoSuchThing
    # An entry that this driver does not have.
    with pytest.raises(CudaAPIError, match=r"\[801\] Call to cuMemAllocAsync results in CUDA_ERROR_NOT_SUPPORTED"):
        driver.driver.cuMemAllocAsync(16, 0)
