"""Named tuples that compiled code makes and takes."""

from collections import namedtuple
from typing import NamedTuple

import numbra as nb
import pytest

Point = namedtuple("Point", "x y", defaults=[7])


class Line(NamedTuple):
    start: Point
    end: Point
    width: float = 0.5


def test_named_tuples_are_made():
    @nb.njit
    def points(a, t):
        return Point(a), Point(y=a, x=2.5), Point(*t), Line(Point(a, a), Point(a))

    def same_as(a, t):
        made = points(a, t)
        assert made == points.py_func(a, t)
        assert [type(p) for p in made] == [Point, Point, Point, Line]

    same_as(1, (2, 3))
    same_as(1.5, (2, 3.5))

    @nb.njit
    def moved(p):
        return Point(p.x + 1, p[1])

    assert moved(Point(1, 2.5)) == Point(2, 2.5)
    assert moved(moved(Point(1, 2.5))) == Point(3, 2.5)
    assert len(moved.signatures) == 1

    @nb.njit
    def wrong():
        return Point(z=1)

    with pytest.raises(nb.errors.TypingError, match=r"missing a required argument|unexpected keyword"):
        wrong()
