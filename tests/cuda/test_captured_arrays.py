"""Device arrays that kernels read as globals or from closures: address, shape and strides are constants of the code."""

import gc
import pickle
import weakref

import numpy as np
import pytest
from numbra import cuda, njit
from numbra.core import config
from numbra.core.errors import TypingError
from numbra.cuda.cudadrv import nvvm
from numbra.cuda.cudadrv.error import DeadMemoryError
from numbra.cuda.testing import ForeignArray

pytestmark = [
    pytest.mark.skipif(not nvvm.is_available(), reason="the LLVM library is not installed"),
    pytest.mark.filterwarnings("ignore:Grid size"),
]

TABLE = None


def words(array):
    """What stands for an array in code, as PTX writes it: address, null, shape, strides."""
    return [array.gpu_data.device_pointer_value, *array.shape, *array.strides]


def launched(kernel, *args):
    """The PTX of a kernel after a launch."""
    kernel[1, 32](*args)
    (ptx,) = kernel.inspect_asm().values()
    return ptx


def test_an_array_of_a_closure_is_an_address(fake):
    table = cuda.to_device(np.arange(4, dtype=np.float32))

    @cuda.jit
    def read(out):
        i = cuda.grid(1)
        if i < out.size:
            out[i] = table[i] + table.size

    ptx = launched(read, cuda.to_device(np.zeros(4, np.float32)))
    assert str(words(table)[0]) in ptx
    (kernel,) = read.overloads.values()
    assert kernel.code.captured == [table]


def test_arrays_are_written(fake):
    table = cuda.to_device(np.zeros((3, 5)))

    @cuda.jit
    def write(n):
        i, j = cuda.grid(2)
        if i < table.shape[0] and j < table.shape[1]:
            table[i, j] = n

    ptx = launched(write, 1.5)
    assert "st.global" in ptx or "st.b64" in ptx or "st.f64" in ptx
    assert str(words(table)[0]) in ptx


def test_strides_and_shapes(fake):
    table = cuda.to_device(np.zeros((6, 10), np.int16))[::2, 1::3]
    assert table.shape == (3, 3)

    @cuda.jit
    def read(out):
        out[0] = table.shape[0] * 1000 + table.strides[0] * 10 + table.strides[1] + table.ndim

    ptx = launched(read, cuda.to_device(np.zeros(1, np.int64)))
    assert str(3000 + 40 * 10 + 6 + 2) in ptx


def test_arrays_without_axes(fake):
    scalar = cuda.to_device(np.array(42.0))

    @cuda.jit
    def read(out):
        out[()] = scalar[()] * 2

    assert str(words(scalar)[0]) in launched(read, cuda.device_array(()))


def test_arrays_of_other_libraries_and_of_device_functions(fake):
    inner = cuda.to_device(np.arange(4.0))
    foreign = ForeignArray(inner)

    @cuda.jit(device=True)
    def at(i):
        return foreign[i]

    @cuda.jit
    def read(out):
        out[0] = at(1) + foreign[2]

    ptx = launched(read, cuda.to_device(np.zeros(4)))
    assert str(words(inner)[0] + 8) in ptx
    assert str(words(inner)[0] + 16) in ptx
    (kernel,) = read.overloads.values()
    assert len(kernel.code.captured) == 1


def test_globals_are_as_they_are_when_code_is_made(fake):
    global TABLE

    @cuda.jit
    def read(out):
        out[0] = TABLE[0]

    out = cuda.to_device(np.zeros(1))
    first = TABLE = cuda.to_device(np.arange(4.0))
    assert str(words(first)[0]) in launched(read, out)
    second = TABLE = cuda.to_device(np.arange(4.0))
    assert str(words(first)[0]) in launched(read, out)
    read.recompile()
    ptx = launched(read, out)
    assert str(words(second)[0]) in ptx
    assert str(words(first)[0]) not in ptx
    TABLE = None


def test_code_keeps_its_arrays_and_no_longer(fake):
    def made():
        table = cuda.to_device(np.arange(4.0))

        @cuda.jit
        def read(out):
            out[0] = table[0]

        return read, weakref.ref(table)

    out = cuda.to_device(np.zeros(1))
    read, table = made()
    read[1, 1](out)
    gc.collect()
    assert table() is not None
    alive = fake.alive(fake.ALLOCATION)
    del read
    gc.collect()
    cuda.current_context().memory_manager.deallocations.clear()
    assert table() is None
    assert fake.alive(fake.ALLOCATION) == alive - 1


def test_arrays_that_are_gone(fake):
    table = cuda.to_device(np.arange(4.0))

    @cuda.jit
    def read(out):
        out[0] = table[0]

    read[1, 1](cuda.to_device(np.zeros(1)))
    launches = fake.count("cuLaunchKernel")
    cuda.close()
    out = cuda.to_device(np.zeros(1))
    for _ in range(2):
        with pytest.raises(DeadMemoryError, match="context was reset"):
            read[1, 1](out)
    assert fake.count("cuLaunchKernel") == launches


def test_code_with_addresses_is_not_kept(fake, tmp_path, monkeypatch):
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    table = cuda.to_device(np.arange(4.0))

    @cuda.jit(cache=True)
    def read(out):
        out[0] = table[0]

    with pytest.raises(pickle.PicklingError, match="referencing global device arrays"):
        read[1, 1](cuda.to_device(np.zeros(1)))
    assert not any(tmp_path.rglob("*.nbc"))


def test_code_for_the_processor_has_no_device_arrays(fake):
    table = cuda.to_device(np.arange(4.0))

    @njit
    def read():
        return table[0]

    with pytest.raises(TypingError):
        read()
