"""Members of `Enum` and `IntEnum`: as arguments, globals, results, in comparisons and arithmetic."""

import enum

import numbra as nb
import numpy as np
import pytest


class Color(enum.Enum):
    RED = 1
    GREEN = 2
    MINT = 2


class Other(enum.Enum):
    RED = 1


class Planet(enum.Enum):
    EARTH = (5.976e24, 6.37814e6)
    MARS = (6.421e23, 3.3972e6)


class Shape(enum.IntEnum):
    CIRCLE = 3
    SQUARE = -4


class Mixed(enum.Enum):
    A = 1
    B = 2.5


@nb.njit
def compare(a, b):
    return a == b, a != b, a is b, a is not b


@pytest.mark.parametrize("pair", [(Color.RED, Color.GREEN), (Color.MINT, Color.GREEN), (Color.RED, Other.RED)])
def test_members_are_compared(pair):
    assert compare(*pair) == compare.py_func(*pair)


def test_members_with_tuples_as_values():
    assert compare(Planet.EARTH, Planet.MARS) == (False, True, False, True)
    assert compare(Planet.EARTH, Planet.EARTH) == (True, False, True, False)

    @nb.njit
    def radius(p):
        return p.value[1] + Planet.MARS.value[0]

    assert radius(Planet.EARTH) == radius.py_func(Planet.EARTH)


def test_members_come_and_go():
    @nb.njit
    def pick(a, b, first):
        return a if first else b

    for a, b in ((Color.RED, Color.GREEN), (Planet.EARTH, Planet.MARS), (Shape.CIRCLE, Shape.SQUARE)):
        assert pick(a, b, True) is a
        assert pick(a, b, False) is b


def test_classes_and_members_are_globals():
    local = Color.GREEN

    @nb.njit
    def f(x):
        return x is Color.RED, x == Color["MINT"], x is local, Color.GREEN.value, Color.RED, Shape["SQUARE"]

    for member in Color:
        assert f(member) == f.py_func(member)


def test_integer_members_are_integers(same):
    def f(x, n):
        return x + n, x * 2.5, x < Shape.CIRCLE, x == 3, n - Shape.SQUARE, abs(x), hash(x), -x, int(x), x.value

    for member in Shape:
        same(f, member, 7)

    def arrays(a):
        return (a == Shape.CIRCLE).sum(), (a + Shape.SQUARE).max(), a[Shape.CIRCLE], np.zeros(Shape.CIRCLE).size

    same(arrays, np.arange(6))

    @nb.njit
    def branches(x):
        match x:
            case Shape.CIRCLE:
                return 1
            case Shape.SQUARE:
                return 2
        return 0

    assert [branches(x) for x in (3, -4, 5, Shape.CIRCLE)] == [1, 2, 0, 1]


def test_shapes_of_integer_members():
    @nb.njit
    def zeros(n):
        return np.zeros((n, n)).shape, np.ones((n, 2)).size

    assert zeros(Shape.CIRCLE) == ((3, 3), 6)


def test_types():
    assert str(nb.typeof(Color.RED)) == "Enum<int64>(Color)"
    assert str(nb.typeof(Shape.CIRCLE)) == "IntEnum<int64>(Shape)"
    assert isinstance(nb.typeof(Shape.CIRCLE), nb.types.IntEnumMember)
    assert nb.typeof(Color.RED).instance_class is Color
    with pytest.raises(ValueError, match="Cannot type heterogeneous enum"):
        nb.typeof(Mixed.A)


def test_ufuncs_give_the_values_of_members():
    @nb.vectorize
    def shape(x):
        return Shape.CIRCLE if x > 1 else Shape["CIRCLE"]

    got = shape(np.arange(3))
    assert got.dtype == np.int64 and got.tolist() == [int(Shape.CIRCLE)] * 3
