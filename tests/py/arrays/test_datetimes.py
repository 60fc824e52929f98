"""Dates and durations: types with units, NaT, arrays, and the loops of the universal functions."""

import numbra as nb
import numpy as np
import pytest
from numbra.core import errors
from numbra.np.numpy_support import as_dtype, from_dtype

UNITS = ["Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns", "ps", "fs", "as", ""]


def same(got, want):
    assert np.asarray(got).dtype == np.asarray(want).dtype
    np.testing.assert_array_equal(got, want)


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", ["M8", "m8"])
def test_types(kind, unit):
    dtype = np.dtype(f"{kind}[{unit}]" if unit else kind)
    ty = from_dtype(dtype)
    assert ty is from_dtype(dtype) and as_dtype(ty) == dtype
    name = "datetime64" if kind == "M8" else "timedelta64"
    assert str(ty) == f"{name}[{unit}]" and ty.unit == unit
    array = np.array([1, 2], "i8").view(dtype)
    assert nb.typeof(array) == nb.types.Array(ty, 1, "C")
    assert nb.typeof(array[0]) is ty


@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("kind", ["datetime64", "timedelta64"])
def test_values_go_in_and_out(kind, unit):
    @nb.njit
    def back(x):
        return x

    cls = getattr(np, kind)
    array = np.array([5, -7, np.iinfo("i8").min], "i8").view(np.dtype(f"{kind}[{unit}]" if unit else kind))
    for value in array:
        got = back(value)
        assert type(got) is cls
        same(got, value)
    assert back(array) is array
    same(nb.njit(lambda a: a[1:])(array), array[1:])
    same(nb.njit(lambda a: a.copy())(array), array)


def test_constants():
    day, nat = np.datetime64("2020-02-29"), np.timedelta64("NaT", "h")
    same(nb.njit(lambda: day)(), day)
    same(nb.njit(lambda: nat)(), nat)
    same(nb.njit(lambda x: x + day)(np.timedelta64(1, "D")), day + np.timedelta64(1, "D"))


def test_elements():
    @nb.njit
    def clear(a, value):
        a[0] = value
        for i in range(1, len(a)):
            if a[i] > a[i - 1]:
                a[i] = a[i - 1]

    a = np.array(["2001-05-01", "2001-01-01", "2002-01-01"], "M8[D]")
    clear(a, np.datetime64("2001-03-01"))
    same(a, np.array(["2001-03-01", "2001-01-01", "2001-01-01"], "M8[D]"))


OPERATORS = {
    "M8 - M8": lambda a, b: a - b,
    "M8 - m8": lambda a, b: a - b,
    "M8 + m8": lambda a, b: a + b,
    "m8 + M8": lambda a, b: a + b,
    "m8 + m8": lambda a, b: a + b,
    "m8 / m8": lambda a, b: a / b,
    "m8 // m8": lambda a, b: a // b,
    "m8 % m8": lambda a, b: a % b,
    "m8 < m8": lambda a, b: a < b,
    "M8 >= M8": lambda a, b: a >= b,
    "M8 == M8": lambda a, b: a == b,
    "m8 != m8": lambda a, b: a != b,
}


# Dates without a unit are NaT only.
@pytest.mark.parametrize(
    ("name", "units"),
    [
        (name, units)
        for name in OPERATORS
        for units in [("D", "D"), ("h", "s"), ("ns", "m"), ("W", "D"), ("", "s"), ("Y", "M"), ("M", "Y")]
        if "" not in units or not name.startswith("M8") or not name.endswith("M8")
    ],
)
def test_operators_convert_units(name, units):
    left, _, right = name.split()
    counts = np.array([3, -2, np.iinfo("i8").min, 0, 1000], "i8")
    a = np.repeat(counts, 5).view(f"{left}[{units[0]}]" if units[0] else left)
    b = np.tile(counts, 5).view(f"{right}[{units[1]}]" if units[1] else right)
    python = OPERATORS[name]
    with np.errstate(all="ignore"):
        want = python(a, b)
        scalars = [python(x, y) for x, y in zip(a, b, strict=True)]
    jitted = nb.njit(python)
    same(jitted(a, b), want)
    for x, y, z in zip(a, b, scalars, strict=True):
        got = jitted(x, y)
        if name == "m8 // m8" or isinstance(z, (bool, np.bool_, np.float64)):
            assert got == z or (got != got and z != z)
        else:
            same(got, z)


@pytest.mark.parametrize("coarse", ["Y", "M"])
@pytest.mark.parametrize("fine", ["W", "D", "s", "ns"])
def test_dates_of_the_calendar_become_days(coarse, fine):
    counts = np.arange(-250, 250)
    a, b = counts.astype(f"M8[{coarse}]"), np.zeros(500, f"M8[{fine}]")
    b[::7] = "NaT"
    same(nb.njit(lambda a, b: a - b)(a, b), a - b)
    same(nb.njit(lambda a, b: a < b)(a, b), a < b)


def test_numbers_scale_durations():
    a = np.array([7, -7, 0, np.iinfo("i8").min], "m8[s]")
    for factor in [2, -3, 0, 1.5, -0.25, np.inf, np.int8(3), np.float32(0.5), True]:
        for python in [lambda x, y: x * y, lambda x, y: y * x]:
            with np.errstate(all="ignore"):
                want = python(a, factor)
            same(nb.njit(python)(a, factor), want)
        for python in [lambda x, y: x / y, lambda x, y: x // y]:
            if factor is True:
                continue
            with np.errstate(all="ignore"):
                want = python(a, factor)
            same(nb.njit(python)(a, factor), want)


def test_outputs_may_be_finer_but_not_coarser():
    @nb.njit
    def add(a, b, out):
        np.add(a, b, out)

    a, b = np.array([1, 2], "m8[m]"), np.array([30, 40], "m8[s]")
    out = np.zeros(2, "m8[ms]")
    add(a, b, out)
    same(out, np.add(a, b).astype("m8[ms]"))
    with pytest.raises(errors.LoweringError, match=r"cannot convert timedelta64\[s\] to timedelta64\[m\]"):
        add(a, b, np.zeros(2, "m8[m]"))


def test_unlike_times_do_not_mix():
    months, days, date = np.timedelta64(1, "M"), np.timedelta64(1, "D"), np.datetime64("2000-01-01")
    for a, b in [(months, days), (date, months), (date, date), (days, 1)]:
        with pytest.raises(errors.TypingError):
            nb.njit(lambda a, b: a + b)(a, b)


def test_membership_and_sums():
    has = nb.njit(lambda x, a: x in a)
    total = nb.njit(lambda a, start: sum(a, start))
    for kind in ("M8[D]", "m8[s]"):
        a = np.array([3, 5, "NaT", 8], kind)
        for x in (a[0], a[3], np.array(4, kind)[()], a[2]):
            assert has(x, a) == (x in a)
        assert has(a[0], a.reshape(2, 2)) and not has(a[0], a[1:])
    a = np.array([3, 5, 8], "m8[s]")
    assert total(a, a[0]) == sum(a, a[0]) == np.timedelta64(19, "s")
    assert np.isnat(total(np.array([3, "NaT"], "m8[s]"), a[0]))
    days = np.array([1], "M8[D]")[0]
    assert total(np.array([3, 5], "m8[D]"), days) == sum(np.array([3, 5], "m8[D]"), days)
