"""Scalars and dtypes of NumPy as arguments: their types and values at the entry of a compiled function."""

import datetime

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.errors import TypingError

WHOLE = [np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64]
UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as"]


def same(x):
    return x


def halves(x):
    return x.real, x.imag


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("kind", WHOLE)
def test_integers_at_their_limits(kind, tier):
    jitted = nb.njit(same, tier=tier)
    limits = np.iinfo(kind)
    for value in (limits.min, limits.max, 0, 1):
        # The second call finds the entry of the first.
        assert jitted(kind(value)) == value
        assert jitted(kind(value)) == value
    assert jitted.signatures == [(getattr(types, np.dtype(kind).name),)]


@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_floats_bit_by_bit(kind):
    jitted = nb.njit(same)
    for value in (0.0, -0.0, 0.1, np.inf, -np.inf, np.nan, np.finfo(kind).tiny / 2, np.finfo(kind).max):
        got = kind(jitted(kind(value)))
        np.testing.assert_array_equal(got, kind(value))
        assert np.signbit(got) == np.signbit(kind(value))


@pytest.mark.parametrize("kind", [np.complex64, np.complex128])
def test_complex_numbers_keep_their_parts(kind):
    jitted = nb.njit(halves)
    for value in (kind(complex(-0.0, np.inf)), kind(complex(1.1, -0.0)), kind(complex(np.nan, -2))):
        for part, of in zip(jitted(value), (value.real, value.imag), strict=True):
            np.testing.assert_array_equal(part, of)
            assert np.signbit(part) == np.signbit(of)


@pytest.mark.parametrize("value", [np.False_, np.True_])
def test_booleans(value):
    got = nb.njit(same)(value)
    assert type(got) is bool
    assert got == value


def test_classes_of_the_same_size_have_one_type():
    jitted = nb.njit(same)
    kinds = [kind for kind in (np.int_, np.longlong, np.intp) if np.dtype(kind).itemsize == 8]
    assert [jitted(kind(-7)) for kind in kinds] == [-7] * len(kinds)
    assert jitted.signatures == [(types.int64,)]


@pytest.mark.parametrize("unit", UNITS)
def test_times_of_each_unit(unit):
    jitted = nb.njit(same)
    lost = np.iinfo(np.int64).min
    for value in (
        np.datetime64(5, unit),
        np.datetime64("NaT", unit),
        np.timedelta64(-3, unit),
        np.timedelta64(lost, unit),
    ):
        got = jitted(value)
        assert got.dtype == value.dtype
        assert got.view("i8") == value.view("i8")
    assert jitted.signatures == [(types.NPDatetime(unit),), (types.NPTimedelta(unit),)]


def test_durations_without_a_unit():
    assert nb.njit(same)(np.timedelta64(7)) == np.timedelta64(7)


@pytest.mark.parametrize("value", [np.datetime64("2020-01-01T00:00:25", "25s"), np.timedelta64(1, "2D")])
def test_counts_of_several_units_have_no_type(value):
    with pytest.raises(TypingError, match="Cannot determine Numba type"):
        nb.njit(same)(value)


def test_dates_of_python_have_no_type():
    with pytest.raises(TypingError, match="Cannot determine Numba type"):
        nb.njit(same)(datetime.date(2020, 1, 1))


def test_many_dtypes():
    """More than are remembered, each twice, and the first ones again."""
    jitted = nb.njit(lambda a: a[0].x)
    dtypes = [np.dtype([("x", "i8"), (f"y{n}", "f8")]) for n in range(3)]
    arrays = [np.array([(n, 1.0)], dtype) for n, dtype in enumerate(dtypes)]
    for _ in range(2):
        assert [jitted(a) for a in arrays] == [0, 1, 2]
        times = nb.njit(lambda a: a.size)
        for _ in range(100):
            assert times(np.zeros(2, "M8[s]") + np.timedelta64(1, "s")) == 2
    assert len(jitted.signatures) == 3


def test_a_dtype_in_the_other_byte_order_is_another():
    jitted = nb.njit(lambda a: a[0])
    assert jitted(np.array([5], "M8[s]")) == np.datetime64(5, "s")
    with pytest.raises(TypingError):
        jitted(np.array([5], ">M8[s]"))
    assert jitted(np.array([6], "M8[s]")) == np.datetime64(6, "s")
