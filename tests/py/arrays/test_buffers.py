"""Buffers as arguments, views of arrays as other types, and iterators over several arrays."""

import array
import sys

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import TypingError

TIERS = pytest.mark.parametrize("tier", ["cranelift", "llvm"])

BUFFERS = [
    b"xyz",
    b"",
    bytearray(b"abc"),
    memoryview(b"abcdef"),
    memoryview(bytearray(b"abc")),
    array.array("h", [-3, 4, 5]),
    array.array("d", [1.5, -2.0]),
    memoryview(np.arange(5, dtype="u4")),
]


def read(buffer):
    total = 0.0
    for i, x in enumerate(buffer):
        total = total * 3 + x + buffer[i] + buffer[-1]
    return len(buffer), total


@TIERS
def test_buffers_are_read(tier):
    f = nb.njit(tier=tier)(read)
    for buffer in BUFFERS:
        assert f(buffer) == read(buffer)


def test_types_of_buffers():
    names = [str(nb.typeof(buffer)) for buffer in BUFFERS]
    assert names[2:] == [
        "bytearray(uint8, 1d, C)",
        "readonly memoryview(uint8, 1d, C)",
        "memoryview(uint8, 1d, C)",
        "pyarray(int16, 1d, C)",
        "pyarray(float64, 1d, C)",
        "memoryview(uint32, 1d, C)",
    ]
    assert isinstance(nb.typeof(bytearray(1)), nb.types.ByteArray)
    assert nb.types.MemoryView(nb.types.uint8, 1, "C") is nb.typeof(memoryview(bytearray(1)))


def test_buffers_are_written():
    @nb.njit
    def write(buffer, i, v):
        buffer[i] = v

    buffer = bytearray(b"abc")
    write(buffer, -1, 7)
    assert buffer == b"ab\x07"
    numbers = array.array("i", [1, 2])
    write(numbers, 0, 9)
    assert numbers.tolist() == [9, 2]
    for readonly in b"abc", memoryview(b"abc"):
        with pytest.raises(TypingError):
            write(readonly, 0, 1)


def test_slices_of_buffers():
    @nb.njit
    def slice_(buffer):
        part = buffer[1:3]
        return part[0] + 2 * part[-1]

    assert slice_(b"abcd") == slice_(memoryview(b"abcd")) == 98 + 2 * 99
    assert nb.njit(lambda b: b[1:])(b"abcd") == b"bcd"
    for copied in bytearray(b"abcd"), array.array("i", [1, 2, 3]):
        with pytest.raises(TypingError):
            slice_(copied)


def test_attributes_of_memoryviews():
    @nb.njit
    def attributes(m):
        form = m.ndim, m.shape, m.strides, m.itemsize, m.nbytes, m.readonly
        return form, (m.contiguous, m.c_contiguous, m.f_contiguous)

    a = np.arange(12).reshape(3, 4)
    fixed = a.copy()
    fixed.flags.writeable = False
    for x in a, a.T, a[::2], a[:, ::-1], fixed:
        m = memoryview(x)
        want = (m.ndim, m.shape, m.strides, m.itemsize, m.nbytes, m.readonly)
        got = attributes(m)
        assert got == (want, (m.contiguous, m.c_contiguous, m.f_contiguous))


def test_results_hold_the_buffer():
    @nb.njit
    def view(buffer):
        return np.frombuffer(buffer, dtype=np.uint16)

    buffer = bytearray(range(8))
    before = sys.getrefcount(buffer)
    for _ in range(3):
        got = view(buffer)
    assert sys.getrefcount(buffer) == before + 1
    np.testing.assert_array_equal(got, np.frombuffer(buffer, "u2"))
    got[0] = 0x0505
    assert buffer[:2] == b"\x05\x05"
    with pytest.raises(BufferError):
        buffer.append(1)  # The memory stays where the array has it.
    del got
    buffer.append(1)
    assert sys.getrefcount(buffer) == before
    assert not view(b"abcd").flags.writeable


@pytest.mark.smoke
@TIERS
def test_bytes(tier):
    class Named(bytes):
        pass

    @nb.njit(tier=tier)
    def ends(b):
        return (b[0], b[-1]) if len(b) else (-1, -1)

    @nb.njit(tier=tier)
    def pieces(b):
        kept = [b, b[1:]]
        return kept[0], kept[1], b

    for b in b"abc", b"", b"\0", Named(b"xyz"), bytes(range(256)) * 1000:
        count = sys.getrefcount(b)
        assert ends(b) == ((b[0], b[-1]) if b else (-1, -1))
        for _ in range(2):
            got = pieces(b)
            assert got == (b, b[1:], b) and {type(part) for part in got} == {bytes}
        del got
        assert not b or sys.getrefcount(b) == count
    assert len(ends.signatures) == 1
    assert ends(bytearray(b"pq")) == (ord("p"), ord("q"))
    assert len(ends.signatures) == 2
    with pytest.raises(TypingError):
        ends(None)


def test_constant_bytes():
    @nb.njit
    def constant():
        b = b"a\x00\xff"
        return b, b[2], len(b), b[1:]

    assert constant() == (b"a\x00\xff", 255, 3, b"\x00\xff")


@TIERS
def test_bytes_of_arrays(tier):
    f = nb.njit(tier=tier)(lambda a: a.tobytes())
    a = np.arange(12, dtype="i2").reshape(3, 4)
    for x in a, a.T, a[::-1, ::2], a[:0], np.array(5.0):
        assert f(x) == x.tobytes()


def test_views_as_other_types():
    pair = np.dtype([("x", "i2"), ("y", "i2")])
    a = np.arange(8, dtype="i4").reshape(2, 4)
    for x, dtype in [(a, "u4"), (a, "i2"), (a, "i8"), (a, pair), (a[::2], "i1"), (np.array(1.0), "i8"), (a[:0], "i2")]:
        dtype = np.dtype(dtype)
        got, want = nb.njit(lambda x: x.view(dtype))(x), x.view(dtype)  # noqa: B023
        assert (got.dtype, got.shape, got.strides) == (want.dtype, want.shape, want.strides)
        np.testing.assert_array_equal(got, want)
    three = np.dtype([("x", "i2"), ("y", "i1")])
    for x, dtype in [(a.T, "i2"), (a, three), (np.array(1.0), "i4"), (a[:, :3], "i8")]:
        dtype = np.dtype(dtype)
        with pytest.raises(ValueError) as want:
            x.view(dtype)
        with pytest.raises(ValueError) as got:
            nb.njit(lambda x: x.view(dtype))(x)  # noqa: B023
        assert str(got.value) == str(want.value)


def test_addresses():
    a = np.arange(3)
    assert nb.njit(lambda a: a.ctypes.data)(a) == a.ctypes.data
    assert nb.njit(lambda a: a[1:].ctypes.data)(a) == a.ctypes.data + 8


def collect(x):
    return [item.item() for item in np.nditer(x)]


def collect_pairs(x, y):
    out = []
    for a, b in np.nditer((x, y)):
        out.append((a.item(), b.item()))
    return out


@TIERS
def test_nditer(tier):
    a = np.arange(12).reshape(3, 4)
    inputs = [np.float32(100), np.array(102, "i2"), np.arange(4.0), np.arange(8)[::2], a, a.T.copy().T, a[::-1]]
    one, two = nb.njit(tier=tier)(collect), nb.njit(tier=tier)(collect_pairs)
    for x in inputs:
        assert sorted(one(x)) == sorted(collect(x))
    for x in inputs:
        for y in inputs:
            assert sorted(two(x, y)) == sorted(collect_pairs(x, y))
    empty = nb.njit(tier=tier)(lambda x: sum([v.item() for v in np.nditer(x)]))
    with pytest.raises(ValueError, match="operands could not be broadcast together"):
        two(np.arange(2), np.arange(3))
    assert empty(np.arange(3)) == 3


def test_nditer_writes():
    @nb.njit
    def double(x):
        for item in np.nditer(x):
            item[()] = item.item() * 2

    a = np.arange(6).reshape(2, 3)
    double(a)
    assert a.tolist() == [[0, 2, 4], [6, 8, 10]]
