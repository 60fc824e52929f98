"""Named tuples that compiled code makes and takes, as arguments and as constants."""

import subprocess
import sys
import time
import types
from collections import namedtuple
from typing import NamedTuple

import numbra as nb
import numpy as np
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


class Size(tuple):
    """A tuple that compiled code takes for a plain one."""


FLAT = Point(3, 2.5)
ARRAYS = Point(np.arange(3.0), 2)
NESTED = Line(FLAT, Point(1, (2, ARRAYS)), 1.5)
PLAIN = (1, FLAT, "s", (ARRAYS, 2.5))
SIZE = Size((2, 3))
SIZES = Size((np.arange(2.0), Size((1, FLAT))))
TYPED = Point(np.float32(1.5), np.int8(3))
OTHERS = Point("abc", None)
EMPTY = Point((), True)
TIME = time.gmtime(0)
module = types.ModuleType("constants_of_test_named_tuples")
sys.modules[module.__name__] = module
module.FLAT, module.ARRAYS, module.PLAIN, module.SIZE = FLAT, ARRAYS, PLAIN, SIZE
module.PAIR = (np.arange(3.0), 1)

CONSTANTS = [
    lambda: FLAT.x + FLAT.y,
    lambda: FLAT,
    lambda: (FLAT[1], len(FLAT), Point(3, 2.5) == FLAT),
    lambda: ARRAYS.x.sum() + ARRAYS.y,
    lambda: ARRAYS,
    lambda: NESTED.start.x + NESTED.end.y[1].x[2] + NESTED.width,
    lambda: NESTED,
    lambda: PLAIN[1].x + PLAIN[3][0].x[1],
    lambda: PLAIN,
    lambda: SIZE[0] + SIZE[1],
    lambda: SIZE,
    lambda: SIZES[0].sum() + SIZES[1][1].y,
    lambda: TYPED.x,
    lambda: TYPED,
    lambda: OTHERS.x,
    lambda: OTHERS,
    lambda: EMPTY,
    lambda: TIME[0],
    lambda: module.FLAT.x,
    lambda: module.FLAT,
    lambda: module.ARRAYS.x.sum(),
    lambda: module.PLAIN[1].y,
    lambda: module.SIZE[1],
    lambda: module.PAIR[0].sum(),
]


def shown(value):
    """Classes and values of all items."""
    if isinstance(value, tuple):
        # Compiled code gives plain tuples for those of other subclasses.
        name = type(value).__name__ if hasattr(value, "_fields") else "tuple"
        return name, [shown(item) for item in value]
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.tolist()
    return value.item() if isinstance(value, np.generic) else value


@pytest.mark.parametrize("number", range(len(CONSTANTS)))
def test_constants(number):
    function = CONSTANTS[number]
    assert shown(nb.njit(function)()) == shown(function())


def test_captured_values():
    point = Point(1, np.arange(3.0))
    pair = (point, 2)

    @nb.njit
    def outer():
        inner = lambda k: point.x + k  # noqa: E731
        return inner(1) + point.y.sum() + pair[0].y[1] + pair[1]

    assert outer() == outer.py_func()

    @nb.njit
    def given(p, k=FLAT):
        return p.x + k.x

    @nb.njit
    def gives():
        return given(FLAT, FLAT), given(point, k=FLAT)

    assert gives() == (6, 4)
    assert given(FLAT) == 6


@pytest.mark.parametrize("parallel", [False, True])
def test_items_and_loops(parallel):
    @nb.njit(parallel=parallel)
    def total(n):
        out = np.zeros(n)
        for i in nb.prange(n):
            out[i] = FLAT.x * i + ARRAYS.x[1]
        x, y = FLAT
        return out.sum() + x + y

    assert total(4) == 18 + 4 + 5.5


PROGRAM = """
import sys
from collections import namedtuple
import numbra as nb
import numpy as np
P = namedtuple("P", "x y")
K = P(np.arange(4.0), P({value}, "s"))

@nb.njit(cache=True)
def f():
    return K.x.sum() + K.y.x, K.y

print(f(), sum(f.stats.cache_hits.values()))
"""


def test_cached_functions_know_their_constants(tmp_path):
    program = tmp_path / "program.py"

    def run(value):
        program.write_text(PROGRAM.format(value=value))
        command = [sys.executable, str(program)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        return done.stdout.strip()

    assert run(1) == "(7.0, P(x=1, y='s')) 0"
    assert run(1).endswith(" 1")
    assert run(2) == "(8.0, P(x=2, y='s')) 0"
