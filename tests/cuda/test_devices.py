"""Devices and the stack of contexts."""

import threading

import pytest
from numbra import cuda
from numbra.cuda.cudadrv import driver
from numbra.cuda.cudadrv.error import CudaAPIError


def test_what_a_device_is(fake):
    device = cuda.get_current_device()
    assert (device.id, device.name, device.compute_capability) == (0, "Fake GPU 0", (9, 0))
    assert device.uuid == "GPU-00102030-4050-6070-8090-a0b0c0d0e0f0"
    assert (device.MULTIPROCESSOR_COUNT, device.WARP_SIZE) == (132, 32)
    asked = fake.count("cuDeviceGetAttribute")
    assert device.WARP_SIZE == 32
    assert fake.count("cuDeviceGetAttribute") == asked
    assert repr(device) == "<CUDA device 0 'Fake GPU 0'>"
    assert str(cuda.gpus[0]) == str(cuda.gpus) == "<Managed Device 0>"
    assert device.supports_float16 and device.supports_bfloat16 and device.supports_fp8
    assert cuda.is_float16_supported() and cuda.is_bfloat16_supported() and cuda.is_fp8_supported()
    assert driver.Device.from_identity(device.get_device_identity()) == device
    with pytest.raises(AttributeError, match="NO_SUCH_ATTRIBUTE"):
        _ = device.NO_SUCH_ATTRIBUTE
    with pytest.raises(RuntimeError, match="No device of"):
        driver.Device.from_identity({})


def test_lists():
    assert len(cuda.gpus) == len(cuda.list_devices()) == 1
    assert [gpu.id for gpu in cuda.gpus] == [0]
    assert cuda.gpus.lst[0] is cuda.gpus[0]
    with pytest.raises(IndexError):
        cuda.gpus[1]
    assert cuda.select_device(0) == cuda.get_current_device()
    assert cuda.current_context(0) is cuda.current_context()


def test_detect(capsys):
    assert cuda.detect() is True
    text = capsys.readouterr().out
    assert text.startswith("Found 1 CUDA devices\nid 0 ")
    assert "[SUPPORTED]" in text
    assert "UUID: GPU-00102030-4050-6070-8090-a0b0c0d0e0f0" in text
    assert text.endswith("Summary:\n\t1/1 devices are supported\n")


def test_the_stack_of_contexts():
    cuda.close()
    assert cuda.gpus.current is None
    with cuda.gpus[0]:
        assert cuda.gpus.current.id == 0
        with cuda.gpus[0]:
            assert cuda.gpus.current.id == 0
        assert cuda.gpus.current.id == 0
    assert cuda.gpus.current is None
    cuda.current_context()
    assert cuda.gpus.current.id == 0


def test_memory_of_the_device():
    free, total = cuda.current_context().get_memory_info()
    device = cuda.device_array(1000, "u1")
    assert cuda.current_context().get_memory_info() == (free - 1000, total)
    assert device.size == 1000


def test_contexts_of_others_are_not_used(monkeypatch):
    context = cuda.current_context()
    monkeypatch.setattr(context, "handle", context.handle + 16)
    with pytest.raises(RuntimeError, match=f"Numba cannot operate on non-primary CUDA context {context.handle - 16:x}"):
        cuda.current_context()


def test_functions_that_need_a_context():
    @cuda.require_context
    def handle():
        return cuda.gpus.current.id

    found = []
    thread = threading.Thread(target=lambda: found.append(handle()))
    thread.start()
    thread.join()
    assert found == [0]
    assert handle.__name__ == "handle"


def test_peers():
    context = cuda.current_context()
    assert context.can_access_peer(0) is False
    with pytest.raises(CudaAPIError, match="cuDeviceCanAccessPeer"):
        context.can_access_peer(7)
    with pytest.raises(ValueError, match="MUST be zero"):
        context.enable_peer_access(context, 1)
