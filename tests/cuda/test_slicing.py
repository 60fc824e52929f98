"""Indexing device arrays gives what NumPy gives."""

import itertools

import numpy as np
import pytest
from numbra import cuda
from numbra.cuda.cudadrv import dummyarray

INDICES = [0, -1, slice(None), slice(1, 3), slice(None, None, 2), slice(-2, None), slice(3, 1), Ellipsis, None]


def contents(device):
    """The elements of any view, read through the whole array where it has gaps."""
    if device.size == 0:
        return np.empty(device.shape, device.dtype)
    return device.copy_to_host()


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("ndim", [1, 2, 3])
def test_against_numpy(ndim, order):
    shape = (4, 5, 3)[:ndim]
    host = np.asarray(np.arange(np.prod(shape), dtype=np.int32).reshape(shape), order=order)
    device = cuda.to_device(host)
    for index in itertools.product(INDICES, repeat=ndim):
        if index.count(Ellipsis) > 1:
            continue
        want, got = host[index], device[index]
        if not isinstance(want, np.ndarray):
            assert got == want
            continue
        assert got.shape == want.shape, index
        if want.size:
            assert got.strides == want.strides, index
            assert got.flags["C_CONTIGUOUS"] == want.flags.c_contiguous, index
        np.testing.assert_array_equal(contents(got), want)


def test_slices_of_slices_share_memory():
    host = np.arange(60).reshape(5, 12)
    device = cuda.to_device(host)
    part = device[1:, 2:10][::2, 1:5]
    np.testing.assert_array_equal(part.copy_to_host(), host[1:, 2:10][::2, 1:5])
    device[1, 3] = -1
    assert part[0, 0] == -1
    part[0][1] = -2
    assert device[1, 4] == -2


def test_errors():
    device = cuda.to_device(np.zeros((2, 3)))
    for index in (2, -3, (0, 3), (0, 0, 0)):
        with pytest.raises(IndexError):
            device[index]
    for index in ("x", 1.5, [0, 1], np.array([True, False])):
        with pytest.raises(TypeError):
            device[index]


def described(host):
    return dummyarray.Array.from_desc(0, host.shape, host.strides, host.dtype.itemsize)


class TestShapes:
    """The sums behind it, without a device."""

    def test_extents(self):
        host = np.zeros((4, 4), np.float32)
        assert list(described(host).iter_contiguous_extent()) == [described(host).extent] == [(0, 64)]
        assert len(list(described(host)[::2].iter_contiguous_extent())) == 2
        assert list(described(host)[::2, 1:3].iter_contiguous_extent()) == [(4, 12), (36, 44)]
        assert described(host)[1, 2].extent == (24, 28)
        assert described(host)[::-1].extent == (0, 64)
        assert described(host)[::-1].offset == 48

    def test_elements_and_rows(self):
        array = described(np.zeros((3, 2)))
        assert all(isinstance(row, dummyarray.Array) for row in array)
        assert all(isinstance(element, dummyarray.Element) for element in array[0])

    @pytest.mark.parametrize("shape", [(4, 6), (2, 3, 4), (1, 24), (24, 1), (24,), (1, 1), (0, 4)])
    @pytest.mark.parametrize("order", "CF")
    def test_reshape(self, shape, order):
        host = np.zeros(shape, order=order)
        for new in [(4, 6), (24,), (2, 12), (3, 2, 4), (1, 1), (2, 0), (-1,)]:
            for how in "CF":
                try:
                    want = host.reshape(new, order=how)
                except ValueError:
                    with pytest.raises(ValueError, match="reshape"):
                        described(host).reshape(new, order=how)
                    continue
                if host.size and not np.shares_memory(want, host):
                    with pytest.raises(NotImplementedError, match="requires copying"):
                        described(host).reshape(new, order=how)
                    continue
                got, _ = described(host).reshape(new, order=how)
                assert got.shape == want.shape
                if host.size:
                    assert got.strides == want.strides
                    assert got.is_c_contig == want.flags.c_contiguous
                    assert got.is_f_contig == want.flags.f_contiguous
