"""Memory shared with other libraries: the CUDA Array Interface and DLPack."""

import gc
import weakref

import numpy as np
import pytest
from numbra import cuda
from numbra._numbra import _cuda
from numbra.core import config
from numbra.cuda.cudadrv import devicearray, dlpack


class Foreign:
    """An array of another library."""

    def __init__(self, ary, **changes):
        self.ary = ary
        self.changes = changes

    @property
    def __cuda_array_interface__(self):
        return self.ary.__cuda_array_interface__ | self.changes


class TestArrayInterface:
    def test_what_is_exported(self):
        device = cuda.device_array((100, 2))
        assert device.__cuda_array_interface__ == {
            "shape": (100, 2),
            "strides": None,
            "data": (device.device_ctypes_pointer.value, False),
            "typestr": "<f8",
            "stream": None,
            "version": 3,
        }
        assert device[:, 0].__cuda_array_interface__["strides"] == (16,)
        assert cuda.is_cuda_array(device)
        assert not cuda.is_cuda_array(np.zeros(3))

    def test_streams(self, fake):
        stream = cuda.stream()
        device = cuda.to_device(np.arange(3), stream=stream)
        assert device.__cuda_array_interface__["stream"] == int(stream)
        waits = fake.count("cuStreamSynchronize")
        taken = cuda.as_cuda_array(Foreign(device))
        assert fake.count("cuStreamSynchronize") == waits + 1
        assert int(taken.stream) == int(stream)
        cuda.as_cuda_array(Foreign(device), sync=False)
        assert fake.count("cuStreamSynchronize") == waits + 1
        # 0 would not say which of the default streams.
        assert cuda.device_array(3, stream=cuda.default_stream()).__cuda_array_interface__["stream"] == 1

    def test_the_setting_against_waiting(self, fake, monkeypatch):
        device = cuda.to_device(np.arange(3), stream=cuda.stream())
        waits = fake.count("cuStreamSynchronize")
        monkeypatch.setattr(config, "CUDA_ARRAY_INTERFACE_SYNC", 0)
        cuda.as_cuda_array(Foreign(device))
        assert fake.count("cuStreamSynchronize") == waits

    def test_the_memory_is_shared_and_the_owner_kept(self):
        device = cuda.to_device(np.arange(4.0))
        foreign = Foreign(device)
        alive = weakref.ref(foreign)
        taken = cuda.as_cuda_array(foreign)
        taken[1] = 9
        assert device[1] == 9
        del foreign
        part = taken[2:]
        del taken
        gc.collect()
        assert alive() is not None
        assert part[0] == 2
        del part
        gc.collect()
        assert alive() is None

    def test_backwards_arrays(self):
        device = cuda.to_device(np.arange(4.0))
        pointer = device.device_ctypes_pointer.value
        taken = cuda.as_cuda_array(Foreign(device, data=(pointer + 24, False), strides=(-8,)))
        assert taken[0] == 3
        assert taken[1:][0] == 2
        assert taken[3] == 0

    def test_descriptions_of_older_versions(self):
        device = cuda.to_device(np.arange(4, dtype=np.float32))
        taken = cuda.as_cuda_array(Foreign(device, shape=4, typestr="f4", version=2, stream=None))
        np.testing.assert_array_equal(taken.copy_to_host(), np.arange(4))
        records = cuda.to_device(np.zeros(2, [("a", "i4"), ("b", "f4")]))
        described = Foreign(records, descr=records.dtype.descr)
        assert cuda.as_cuda_array(described).dtype == records.dtype
        empty = cuda.as_cuda_array(Foreign(cuda.device_array((0, 3))))
        assert empty.copy_to_host().shape == (0, 3)

    def test_errors(self):
        with pytest.raises(TypeError, match=r"\*obj\* doesn't implement the cuda array interface"):
            cuda.as_cuda_array(np.zeros(3))
        with pytest.raises(NotImplementedError, match="Masked arrays are not supported"):
            cuda.as_cuda_array(Foreign(cuda.device_array(3), mask=object()))

    def test_arrays_of_others_are_taken_wherever_arrays_are(self):
        device = cuda.to_device(np.arange(4.0))
        assert cuda.to_device(Foreign(device)).device_ctypes_pointer.value == device.device_ctypes_pointer.value
        assert devicearray.auto_device(Foreign(device))[1] is False


class Tensor:
    """A tensor of a library that knows DLPack; `kind` is that of its device."""

    def __init__(self, ary, kind=dlpack.CUDA, versions=True):
        self.ary, self.kind, self.versions = ary, kind, versions
        self.asked = None

    def __dlpack_device__(self):
        return self.kind, 0

    def __dlpack__(self, *, stream, max_version=None):
        if max_version is not None and not self.versions:
            raise TypeError("unexpected keyword argument 'max_version'")
        self.asked = stream
        itemsize = self.ary.dtype.itemsize
        return _cuda.dlpack_export(
            self,
            self.ary.device_ctypes_pointer.value or 0,
            list(self.ary.shape),
            [stride // itemsize for stride in self.ary.strides],
            ({"f": 2, "i": 0}[self.ary.dtype.kind], itemsize * 8, 1),
            (self.kind, 0),
            versioned=max_version is not None,
        )


class TestDLPack:
    @pytest.mark.parametrize("versions", [True, False])
    @pytest.mark.parametrize("host", [np.arange(6.0).reshape(2, 3), np.asfortranarray(np.ones((2, 3), np.int16))])
    def test_taking_tensors(self, host, versions):
        device = cuda.to_device(host)
        taken = cuda.from_dlpack(Tensor(device, versions=versions))
        assert taken.dtype == host.dtype
        assert taken.strides == host.strides
        np.testing.assert_array_equal(taken.copy_to_host(), host)
        taken[0, 0] = 5
        assert device[0, 0] == 5

    def test_the_producer_is_kept_as_long_as_needed(self):
        tensor = Tensor(cuda.to_device(np.arange(4.0)))
        alive = weakref.ref(tensor)
        taken = cuda.from_dlpack(tensor)[1:]
        del tensor
        gc.collect()
        assert alive() is not None
        assert taken[0] == 1
        del taken
        gc.collect()
        assert alive() is None

    def test_capsules_that_nobody_takes(self):
        tensor = Tensor(cuda.to_device(np.arange(4.0)))
        alive = weakref.ref(tensor)
        plain, versioned = tensor.__dlpack__(stream=1), tensor.__dlpack__(stream=1, max_version=(1, 0))
        del tensor
        assert alive() is not None
        del plain, versioned
        gc.collect()
        assert alive() is None

    def test_a_capsule_is_taken_once(self):
        capsule = cuda.to_device(np.arange(4.0)).__dlpack__()
        cuda.from_dlpack(capsule)
        with pytest.raises(ValueError, match="consumed already"):
            cuda.from_dlpack(capsule)
        with pytest.raises(TypeError, match="a DLPack capsule is needed"):
            cuda.from_dlpack("x")

    def test_which_stream_waits(self, fake):
        tensor = Tensor(cuda.to_device(np.arange(4.0)))
        cuda.from_dlpack(tensor)
        assert tensor.asked == 1
        stream = cuda.stream()
        assert cuda.from_dlpack(tensor, stream=stream).stream is stream
        assert tensor.asked == int(stream)
        waits = fake.count("cuStreamWaitEvent")
        bound = cuda.to_device(np.arange(4.0)).bind(stream)
        bound.__dlpack__()
        assert fake.count("cuStreamWaitEvent") == waits + 1
        bound.__dlpack__(stream=int(stream))
        bound.__dlpack__(stream=-1)
        assert fake.count("cuStreamWaitEvent") == waits + 1

    def test_giving_arrays(self):
        device = cuda.to_device(np.arange(12, dtype=np.complex64).reshape(3, 4))[::2, 1:]
        assert device.__dlpack_device__() == (dlpack.CUDA, 0)
        pointer, shape, strides, dtype, where, read_only, _ = _cuda.dlpack_import(device.__dlpack__(max_version=(1, 1)))
        assert pointer == device.device_ctypes_pointer.value
        assert (shape, strides, dtype, where, read_only) == ((2, 3), (8, 1), (5, 64, 1), (2, 0), False)

    def test_what_cannot_be_given_or_taken(self):
        with pytest.raises(BufferError, match="no type like"):
            cuda.to_device(np.zeros(2, "M8[s]")).__dlpack__()
        with pytest.raises(BufferError, match="is on device"):
            cuda.device_array(3).__dlpack__(dl_device=(1, 0))
        with pytest.raises(BufferError, match="which kernels do not reach"):
            cuda.from_dlpack(Tensor(cuda.device_array(3), kind=7))
        wrong = _cuda.dlpack_export(None, 0, [3], [1], (3, 64, 1), (2, 0))
        with pytest.raises(BufferError, match="no NumPy dtype"):
            cuda.from_dlpack(wrong)
        elsewhere = _cuda.dlpack_export(None, 0, [3], [1], (2, 32, 1), (2, 5))
        with pytest.raises(BufferError, match="device 5; the current one is 0"):
            cuda.from_dlpack(elsewhere)

    def test_tensors_are_taken_wherever_arrays_are(self):
        device = cuda.to_device(np.arange(4.0))
        taken, new = devicearray.auto_device(Tensor(device))
        assert not new
        assert taken.device_ctypes_pointer.value == device.device_ctypes_pointer.value
