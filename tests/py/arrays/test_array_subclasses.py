"""Instances of subclasses of ``ndarray`` are arrays; what an argument was comes back."""

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import TypingError

TIERS = ["cranelift", "llvm"]


class Field(np.ndarray):
    """A subclass with an attribute of its own, as units have."""

    def __new__(cls, values, unit="m"):
        made = np.asarray(values).view(cls)
        made.unit = unit
        return made

    def __array_finalize__(self, source):
        self.unit = getattr(source, "unit", None)


class Derived(Field):
    pass


def subclasses(tmp_path):
    mapped = np.memmap(tmp_path / "values", dtype=np.float64, mode="w+", shape=(2, 3))
    mapped[:] = np.arange(6.0).reshape(2, 3)
    return [
        Field(np.arange(6.0).reshape(2, 3)),
        Derived(np.arange(6.0).reshape(2, 3)),
        Field(np.arange(12.0).reshape(2, 6))[:, ::2],
        Field(np.asfortranarray(np.arange(6.0).reshape(2, 3))),
        np.arange(6.0).reshape(2, 3).view(np.matrix),
        mapped,
        np.char.asarray(np.arange(6).reshape(2, 3).astype("S1")).view(np.ndarray).view(Field),
        Field(np.zeros((0, 3))),
    ]


@pytest.mark.parametrize("tier", TIERS)
def test_arguments(tier, tmp_path):
    @nb.njit(tier=tier)
    def total(a):
        s = 0.0
        for row in a:
            for v in row:
                s += v
        return s

    @nb.njit(tier=tier)
    def same(a):
        return a

    @nb.njit(tier=tier)
    def row(a):
        return a[1:]

    for a in subclasses(tmp_path):
        plain = np.asarray(a)
        assert nb.typeof(a) == nb.typeof(plain)
        if a.dtype == np.float64:
            assert total(a) == total(plain)
        for _ in range(2):
            assert same(a) is a
        assert type(row(a)) is np.ndarray and np.array_equal(row(a), plain[1:])
    # One specialisation for a layout, whatever the class.
    assert len(same.signatures) == 4


@pytest.mark.parametrize("tier", TIERS)
def test_they_are_written_and_kept(tier):
    @nb.njit(tier=tier)
    def fill(a, v):
        a[:] = v
        return [a], (a, v)

    a = Field(np.zeros(3), unit="s")
    items, pair = fill(a, 2.0)
    assert a.unit == "s" and a.tolist() == [2.0] * 3
    assert items[0] is a and pair[0] is a

    @nb.njit(tier=tier)
    def nested(t, items):
        return t[0].sum() + items[0][0]

    assert nested((a, 1), [a, a]) == 8.0
    locked = Field(np.ones(2))
    locked.flags.writeable = False
    with pytest.raises(TypingError, match="readonly"):
        fill(locked, 1.0)
    with pytest.raises(TypeError):
        nested((a, 1), [a, Field(np.zeros((2, 2)))])


FIELD = Field(np.arange(3.0))


@pytest.mark.parametrize("tier", TIERS)
def test_constants(tier):
    inner = Field(np.arange(4.0))
    assert nb.njit(lambda: FIELD.sum() + inner[1], tier=tier)() == 4.0


def test_what_a_class_says_of_itself_comes_first():
    class Told(np.ndarray):
        _numba_type_ = nb.int64[::1]

    class Registered(np.ndarray):
        pass

    @nb.extending.typeof_impl.register(Registered)
    def typeof_registered(value, c):
        return nb.types.Array(nb.float64, value.ndim, "A")

    assert nb.typeof(np.arange(3).view(Told)) == nb.int64[::1]
    assert nb.typeof(np.arange(3.0).view(Registered)) == nb.types.Array(nb.float64, 1, "A")
    f = nb.njit(lambda a: a.sum())
    assert f(np.arange(3.0).view(Registered)) == 3.0
    assert f.signatures == [(nb.types.Array(nb.float64, 1, "A"),)]


def test_masked_arrays_are_refused():
    masked = np.ma.masked_array([1.0, 2.0], mask=[False, True])
    with pytest.raises(
        TypingError, match=r"Unsupported array type: numpy\.ma\.MaskedArray(?s:.*)`a\.data` and `a\.mask`"
    ):
        nb.njit(lambda a: a.sum())(masked)
    with pytest.raises(TypingError, match=r"numpy\.ma\.MaskedArray"):
        nb.njit(lambda: masked.sum())()
    with pytest.raises(ValueError, match=r"numpy\.ma\.MaskedArray"):
        nb.typeof(masked)


def test_dtypes_without_a_type_are_refused_as_in_arrays():
    with pytest.raises(TypingError, match="Unsupported array dtype: >f8"):
        nb.njit(lambda a: a[0])(Field(np.zeros(2, ">f8")))
