"""Device arrays: copies both ways, layouts, element types, assignments and errors."""

import numpy as np
import pytest
from numbra import cuda
from numbra.core.errors import NumbaPerformanceWarning
from numbra.cuda.cudadrv import devicearray
from numbra.cuda.cudadrv.devicearray import DeviceNDArray, DeviceRecord

RECORD = np.dtype([("i", np.int32), ("x", np.float64), ("v", np.float32, (2, 3)), ("s", "S4")], align=True)

ARRAYS = [
    np.arange(24.0).reshape(2, 3, 4),
    np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)),
    np.arange(24.0).reshape(2, 3, 4).transpose(2, 0, 1).copy(order="F"),
    np.array(3.5),
    np.empty((0, 3)),
    np.empty((3, 0, 2), dtype=np.int8),
    np.array([True, False]),
    np.array([1 + 2j, 3], dtype=np.complex64),
    np.array(["2020-01-01", "NaT"], dtype="M8[D]"),
    np.arange(5, dtype=np.float16),
    np.zeros(3, dtype=RECORD),
    np.broadcast_to(np.arange(4.0), (3, 4)),
    np.arange(6).reshape(1, 6),
]


@pytest.mark.parametrize("host", ARRAYS, ids=lambda a: f"{a.dtype.kind}{a.shape}{a.strides}")
def test_round_trip(host):
    device = cuda.to_device(host)
    assert (device.shape, device.dtype, device.size, device.ndim) == (host.shape, host.dtype, host.size, host.ndim)
    assert device.nbytes == host.nbytes
    assert device.strides == host.strides
    back = device.copy_to_host()
    assert back.dtype == host.dtype
    np.testing.assert_array_equal(back, host)
    if host.size:
        assert back.strides == host.strides
        assert device.flags["C_CONTIGUOUS"] == host.flags.c_contiguous
        assert device.flags["F_CONTIGUOUS"] == host.flags.f_contiguous


def test_copy_into_given_arrays():
    host = np.arange(12.0).reshape(3, 4)
    device = cuda.device_array_like(host)
    assert cuda.to_device(host, to=device) is device
    target = np.zeros_like(host)
    assert device.copy_to_host(target) is target
    np.testing.assert_array_equal(target, host)
    other = cuda.device_array((3, 4))
    other.copy_to_device(device)
    np.testing.assert_array_equal(other.copy_to_host(), host)
    read_only = host + 1
    read_only.flags.writeable = False
    other.copy_to_device(read_only)
    np.testing.assert_array_equal(np.asarray(other), host + 1)


def test_copies_that_do_not_fit():
    device = cuda.to_device(np.zeros((3, 4)))
    with pytest.raises(TypeError, match=r"incompatible dtype: float64 vs\. float32"):
        device.copy_to_device(np.zeros((3, 4), np.float32))
    with pytest.raises(ValueError, match=r"incompatible shape: \(3, 4\) vs. \(4, 3\)"):
        device.copy_to_host(np.zeros((4, 3)))
    with pytest.raises(ValueError, match="incompatible strides"):
        device.copy_to_host(np.zeros((3, 4), order="F"))
    read_only = np.zeros((3, 4))
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        device.copy_to_host(read_only)


def test_what_cannot_be_transferred():
    with pytest.raises(ValueError, match=r"non-contiguous buffer .* \.ascontiguousarray\(\)"):
        cuda.to_device(np.zeros((8, 8))[::2, ::2])
    with pytest.raises(TypeError, match="Python objects"):
        cuda.to_device(np.array([object()]))
    backwards = cuda.to_device(np.arange(5.0))[::-1]
    with pytest.raises(NotImplementedError, match=r"not implemented for negative strides: \(-8,\)"):
        backwards.copy_to_host()


def test_a_view_backwards_begins_at_its_first_element():
    device = cuda.to_device(np.arange(5.0))
    backwards = device[::-1]
    assert backwards.device_ctypes_pointer.value == device.device_ctypes_pointer.value + 4 * 8
    assert backwards[0] == 4.0
    np.testing.assert_array_equal(backwards[::-1].copy_to_host(), np.arange(5.0))


def test_shapes():
    assert cuda.device_array(3).shape == (3,)
    assert cuda.device_array(np.int64(3)).shape == (3,)
    assert cuda.device_array((np.int32(2), 3), dtype=np.int16, order="F").strides == (2, 4)
    assert type(cuda.device_array((np.int32(2),)).shape[0]) is int
    with pytest.raises(TypeError, match="shape elements must be integers, got float"):
        cuda.device_array((2, 3.0))
    with pytest.raises(TypeError, match="shape must be an integer or tuple of integers"):
        cuda.device_array(2.0)
    with pytest.raises(ValueError, match="negative"):
        cuda.device_array((2, -1))
    with pytest.raises(ValueError, match="strides not match ndim"):
        DeviceNDArray((2, 3), (8,), np.float64)
    with pytest.raises(ValueError, match="too big"):
        DeviceNDArray((2**40, 2**40), (0, 0), np.float64)


def test_empty_arrays_have_no_address():
    empty = cuda.device_array((0, 4))
    assert empty.__cuda_array_interface__["data"] == (0, False)
    assert empty.alloc_size == 0


@pytest.mark.parametrize("order", "CF")
def test_arrays_like_others(order):
    host = np.zeros((2, 3, 4), order=order)
    swapped = np.zeros((2, 3, 4), order=order).transpose(1, 0, 2)
    for make in (cuda.device_array_like, cuda.pinned_array_like, cuda.mapped_array_like):
        assert make(host).strides == host.strides
        assert make(swapped).strides == swapped.strides
    # What has gaps becomes contiguous with its axes in the same order.
    assert cuda.device_array_like(host[:, ::2]).strides == np.zeros((2, 2, 4), order=order).strides


def test_repr_names_the_public_module():
    assert "cuda.cudadrv.devicearray.DeviceNDArray object at 0x" in repr(cuda.device_array(1))


def test_conversion_to_numpy():
    device = cuda.to_device(np.arange(3))
    assert np.asarray(device, dtype=np.float32).dtype == np.float32
    np.testing.assert_array_equal(np.array(device), [0, 1, 2])
    assert device.__array__().base is not None or device.__array__().flags.writeable
    with pytest.raises(ValueError, match="A copy is always created"):
        device.__array__(copy=False)
    assert len(device) == 3
    assert list(device) == [0, 1, 2]


def test_reading_and_writing_elements():
    device = cuda.to_device(np.arange(6.0).reshape(2, 3))
    assert device[1, -1] == 5.0
    assert isinstance(device[1, -1], np.float64)
    device[0, 1] = 7
    device[1] = [8, 9, 10]
    device[:, :] = device.copy_to_host() * 2
    np.testing.assert_array_equal(device.copy_to_host(), [[0, 14, 4], [16, 18, 20]])
    device[...] = 1.5
    np.testing.assert_array_equal(device.copy_to_host(), np.full((2, 3), 1.5))
    device.setitem((0, 0), 3)
    assert device.getitem((0, 0)) == 3
    whole = cuda.to_device(np.zeros(3, dtype=np.int32))
    whole[1:] = 2.9
    np.testing.assert_array_equal(whole.copy_to_host(), [0, 2, 2])
    zero_dim = cuda.to_device(np.array(1.0))
    zero_dim[()] = 4
    assert zero_dim[()] == 4
    whole[0:0] = 5


def test_assignments_that_do_not_fit():
    device = cuda.to_device(np.zeros((2, 3)))
    with pytest.raises(ValueError, match="Can't assign 2-D array to 1-D self"):
        device[0] = np.zeros((1, 3))
    with pytest.raises(ValueError, match="Can't copy sequence with size 2 to array axis 0 with dimension 3"):
        device[0] = [1, 2]
    with pytest.raises(IndexError):
        device[2] = 0
    with pytest.raises(TypeError, match="not ndarray"):
        device[np.array([0])]
    with pytest.raises(TypeError, match="not bool"):
        device[True]


def test_records():
    host = np.zeros(3, dtype=RECORD)
    host["i"], host["x"], host["s"] = [1, 2, 3], [0.5, 1.5, 2.5], [b"a", b"bb", b"cccc"]
    host["v"] = np.arange(18).reshape(3, 2, 3)
    device = cuda.to_device(host)
    record = device[1]
    assert isinstance(record, DeviceRecord)
    assert (record["i"], record["x"], record["s"]) == (2, 1.5, b"bb")
    np.testing.assert_array_equal(record["v"].copy_to_host(), host["v"][1])
    record["i"] = 7
    record.setitem("s", b"new")
    record["v"] = np.ones((2, 3))
    assert device[1]["i"] == 7
    assert device.copy_to_host()["s"][1] == b"new"
    np.testing.assert_array_equal(device.copy_to_host()["v"][1], np.ones((2, 3)))
    np.testing.assert_array_equal(device.copy_to_host()["i"], [1, 7, 3])
    with pytest.raises(KeyError, match="no field 'y'"):
        record["y"]
    alone = cuda.to_device(host[0])
    assert isinstance(alone, DeviceRecord)
    assert alone.copy_to_host() == host[0]
    device[2] = host[0]
    assert device[2]["x"] == 0.5


def test_reshape_ravel_squeeze_and_view():
    host = np.arange(24, dtype=np.int32).reshape(2, 3, 4)
    device = cuda.to_device(host)
    np.testing.assert_array_equal(device.reshape(4, -1).copy_to_host(), host.reshape(4, 6))
    np.testing.assert_array_equal(device.reshape((6, 4)).copy_to_host(), host.reshape(6, 4))
    fortran = cuda.to_device(np.asfortranarray(host))
    np.testing.assert_array_equal(
        fortran.reshape(6, 4, order="F").copy_to_host(), np.asfortranarray(host).reshape(6, 4, order="F")
    )
    np.testing.assert_array_equal(device.ravel().copy_to_host(), host.ravel())
    np.testing.assert_array_equal(fortran.ravel(order="F").copy_to_host(), host.ravel(order="F"))
    assert device.reshape(2, 1, 3, 1, 4).squeeze().shape == (2, 3, 4)
    assert device.reshape(2, 1, 3, 4).squeeze(axis=1).shape == (2, 3, 4)
    np.testing.assert_array_equal(device.view(np.int16).copy_to_host(), host.view(np.int16))
    np.testing.assert_array_equal(device.view(np.float32).copy_to_host(), host.view(np.float32))
    assert device.reshape(24).device_ctypes_pointer.value == device.device_ctypes_pointer.value
    for wrong in (lambda: device[:, ::2].ravel(), lambda: device.reshape(24, order="F")):
        with pytest.raises(NotImplementedError, match="operation requires copying"):
            wrong()
    with pytest.raises(ValueError, match="cannot reshape array of size 24 into shape"):
        device.reshape(5, 5)
    with pytest.raises(ValueError, match="one unknown dimension"):
        device.reshape(-1, -1)
    with pytest.raises(ValueError, match="size not equal to one"):
        device.squeeze(axis=0)
    with pytest.raises(ValueError, match="must be C-contiguous"):
        fortran.view(np.int16)
    with pytest.raises(ValueError, match="must be a divisor"):
        device[:, :, :3].copy_to_host().shape and cuda.to_device(host[:, :, :3].copy()).view(np.int64)


def test_transposing_is_for_two_dimensions():
    device = cuda.to_device(np.zeros((2, 3)))
    assert device.transpose((0, 1)) is device
    with pytest.raises(NotImplementedError, match="non-2D"):
        cuda.to_device(np.zeros((2, 3, 4))).transpose()
    with pytest.raises(ValueError, match="invalid axes list"):
        device.transpose((0, 2))


def test_split():
    device = cuda.to_device(np.arange(10))
    parts = [part.copy_to_host().tolist() for part in device.split(4)]
    assert parts == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9]]
    with pytest.raises(ValueError, match="only support 1d array"):
        list(device.reshape(2, 5).split(2))


def test_bind_keeps_the_memory_and_changes_the_stream():
    device = cuda.to_device(np.arange(4.0))
    stream = cuda.stream()
    bound = device.bind(stream)
    assert bound.stream is stream
    assert device.stream == 0
    assert bound.device_ctypes_pointer.value == device.device_ctypes_pointer.value
    assert bound.__cuda_array_interface__["stream"] == int(stream)


def test_implicit_copies_warn():
    with pytest.warns(NumbaPerformanceWarning, match="Host array used in CUDA kernel will incur copy overhead"):
        devicearray.auto_device(np.zeros(3))
    device = cuda.to_device(np.zeros(3))
    assert devicearray.auto_device(device) == (device, False)


def test_argument_hints(recwarn):
    host = np.arange(4.0)
    calls = []
    device = cuda.In(host).to_device(calls)
    np.testing.assert_array_equal(device.copy_to_host(), host)
    device[0] = 9
    for call in calls:
        call()
    assert host[0] == 0
    calls = []
    device = cuda.Out(host).to_device(calls)
    device[:] = [5, 6, 7, 8]
    for call in calls:
        call()
    np.testing.assert_array_equal(host, [5, 6, 7, 8])
    with_gaps = np.arange(8.0)[::2]
    calls = []
    device = cuda.InOut(with_gaps).to_device(calls)
    device[1] = -1
    for call in calls:
        call()
    np.testing.assert_array_equal(with_gaps, [0, -1, 4, 6])
    record = np.zeros(1, RECORD)[0]
    calls = []
    device = cuda.InOut(record).to_device(calls)
    device["i"] = 3
    for call in calls:
        call()
    assert record["i"] == 3
    kept = cuda.to_device(host)
    assert cuda.InOut(kept).to_device([]) is kept


def test_types_that_kernels_see():
    assert str(cuda.to_device(np.zeros((2, 3), np.float32))._numba_type_) == "array(float32, 2d, C)"
    assert str(cuda.to_device(np.zeros((2, 3), order="F"))._numba_type_) == "array(float64, 2d, F)"
    assert str(cuda.to_device(np.zeros((4, 4)))[::2]._numba_type_) == "array(float64, 2d, A)"
    assert str(cuda.to_device(np.zeros(3, order="F"))._numba_type_) == "array(float64, 1d, C)"
    assert str(cuda.to_device(np.broadcast_to(np.zeros(3), (2, 3)))._numba_type_) == "array(float64, 2d, A)"


def test_the_interface_of_device_arrays():
    device = cuda.device_array(3)
    devicearray.verify_cuda_ndarray_interface(device)
    assert devicearray.is_cuda_ndarray(device)
    assert not devicearray.is_cuda_ndarray(np.zeros(3))
    with pytest.raises(ValueError, match="require an cuda ndarray object"):
        devicearray.require_cuda_ndarray(np.zeros(3))
    with pytest.raises(AttributeError, match="not initialised"):
        _ = DeviceNDArray.__new__(DeviceNDArray).shape
