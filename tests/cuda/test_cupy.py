"""Launches on arrays of CuPy, by a stand-in: what reaches the driver when its attributes are read."""

import importlib.util
import sys
import types

import numpy as np
import pytest
from numbra import cuda

if importlib.util.find_spec("cupy"):
    pytest.skip("the stand-in is for where CuPy is not", allow_module_level=True)


class Stream:
    """CuPy's stream of this thread."""

    ptr = 0


class MemoryPointer:
    """Where elements are."""

    def __init__(self, ptr):
        self.ptr = ptr


class ndarray:
    """An array as CuPy's look."""

    shapes_read = tensors_made = 0

    def __init__(self, array):
        self.array = array
        self.dtype = array.dtype
        self.data = MemoryPointer(array.device_ctypes_pointer.value or 0)
        self._c_contiguous = array.is_c_contiguous()

    ndim = property(lambda self: len(self.array.shape))
    size = property(lambda self: self.array.size)
    strides = property(lambda self: self.array.strides)

    @property
    def shape(self):
        ndarray.shapes_read += 1
        return self.array.shape

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **options):
        ndarray.tensors_made += 1
        return self.array.__dlpack__(**options)


@pytest.fixture(scope="module", autouse=True)
def cupy():
    module = types.ModuleType("cupy")
    module.ndarray = ndarray
    names = {"cupy": module, "cupy.cuda": types.ModuleType("cupy.cuda")}
    for name, content in (("stream", {"get_current_stream": Stream}), ("memory", {"MemoryPointer": MemoryPointer})):
        names[f"cupy.cuda.{name}"] = types.ModuleType(f"cupy.cuda.{name}")
        vars(names[f"cupy.cuda.{name}"]).update(content)
    sys.modules.update(names)
    yield
    for name in names:
        del sys.modules[name]


@pytest.fixture
def launched(fake):
    """Launches `kernel` twice, and gives what the second, which reads attributes, gave the driver."""

    def launch(kernel, array, words):
        kernel[1, 1](ndarray(array))
        ndarray.shapes_read = ndarray.tensors_made = 0
        fake.watch(words)
        kernel[1, 1](ndarray(array))
        return fake.watched()

    return launch


@cuda.jit
def kernel(a):
    a[0] = 1


@cuda.jit
def of_rows(a):
    a[0, 0] = 1


@pytest.mark.parametrize("count", [0, 1, 7])
def test_arrays_of_one_axis_are_counted(launched, count):
    array = cuda.device_array(count)
    words = launched(kernel, array, 7)
    assert words == [0, 0, count, 8, array.device_ctypes_pointer.value or 0, count, 8]
    assert (ndarray.shapes_read, ndarray.tensors_made) == (0, 0)


@pytest.mark.parametrize("part", [np.s_[:, :], np.s_[::2, :], np.s_[:, ::-1], np.s_[1:3, 1:2]])
def test_arrays_of_two_axes(launched, part):
    array = cuda.device_array((4, 6), np.int32)[part]
    words = launched(of_rows, array, 9)
    size, strides = array.size, [stride % 2**64 for stride in array.strides]
    assert words == [0, 0, size, 4, array.device_ctypes_pointer.value, *array.shape, *strides]
    assert (ndarray.shapes_read, ndarray.tensors_made) == (1, 0)


def test_work_in_another_stream_is_waited_for(launched, monkeypatch):
    array = cuda.device_array(3)
    launched(kernel, array, 0)
    monkeypatch.setattr(Stream, "ptr", int(cuda.stream()))
    kernel[1, 1](ndarray(array))
    assert ndarray.tensors_made == 1
