"""List displays whose items have no common type, and loops unrolled over lists."""

import collections

import numbra as nb
import numpy as np
import pytest
from numbra import literal_unroll
from numbra.extending import overload


def constants():
    items = ["a", 1, 2.5, None, (1, "b")]
    return len(items), items[0], items[1], items[-1], items[4][1], items[2]


def either(flag):
    if flag:
        items = ["a", 1]
    else:
        items = ["b", 2]
    return items[0], items[1]


def with_values(x, a):
    items = ["name", x, a, [x, x]]
    return items[1] + items[3][0], items[2].sum(), len(items[3])


def contains(x):
    items = ["a", 1, "b", 2.5]
    return "a" in items, "c" in items, 1 in items, x in items, items.count("a"), items.copy()[1]


def unrolled():
    total = 0
    for x in literal_unroll([12, 12.7, 3j, 4]):
        total += x
    return total


def by_position():
    items = ["apple", 3, "pear", 2.5]
    total = 0.0
    for i in range(len(literal_unroll(items))):
        x = items[i]
        if isinstance(x, str):
            total += len(x)
        else:
            total += x * i
    return total


def seen_again():
    items = [1, 2.5, 3]
    total = 0.0
    for x in literal_unroll(items):
        total += x
    return total + items[0]


def by_the_module():
    total = 0.0
    for x in nb.literal_unroll((1, 2.5)):
        total += x
    for x in nb.literal_unroll(()):
        total += x
    return total


def named_tuple(point):
    total = 0.0
    for x in nb.literal_unroll(point):
        total += len(x) if isinstance(x, str) else x
    return total


Point = collections.namedtuple("Point", "x name")

FUNCTIONS = [
    (by_the_module, [()]),
    (named_tuple, [(Point(1.5, "abc"),), (Point(1, 2),), (Point("a", "bc"),)]),
    (constants, [()]),
    (either, [(True,), (False,)]),
    (with_values, [(2, np.arange(3)), (2.5, np.ones(2))]),
    (contains, [(1,), (2.5,), (7,)]),
    (unrolled, [()]),
    (by_position, [()]),
    (seen_again, [()]),
]


@pytest.mark.parametrize(("function", "arguments"), [pytest.param(*row, id=row[0].__name__) for row in FUNCTIONS])
def test_literal_lists(same, function, arguments):
    for args in arguments:
        same(function, *args)


CHANGES = ["x[0] = 'b'", "del x[0]", "x.append(2)", "x.insert(0, 2)", "x.pop()", "x.sort()", "x.clear()", "x.reverse()"]


@pytest.mark.parametrize("change", CHANGES)
def test_nothing_changes_them(change):
    space = {}
    exec(f"def f():\n    x = ['a', 1]\n    {change}\n", space)
    with pytest.raises(nb.errors.TypingError, match="Cannot mutate a literal list"):
        nb.njit(space["f"])()


def test_what_they_do_not_have():
    @nb.njit
    def item(i):
        return ["a", 1][i]

    @nb.njit
    def part():
        x = ["a", "b", 1]
        return x[:2]

    for f, args in ((item, (0,)), (part, ())):
        with pytest.raises(nb.errors.TypingError, match="Cannot __getitem__ on a literal list"):
            f(*args)

    @nb.njit
    def returned():
        return ["a", 1]

    with pytest.raises(TypeError, match="cannot convert native LiteralList"):
        returned()


def test_overloads_see_the_items():
    def seen(x):
        raise NotImplementedError

    found = []

    @overload(seen)
    def seen_overload(x):
        found.append(x)
        return lambda x: len(x)

    @nb.njit
    def f():
        return seen(["a", 1, np.zeros(2), ["b", 2]])

    assert f() == 4
    kind = found[0]
    assert isinstance(kind, nb.types.LiteralList)
    assert not isinstance(kind, nb.types.BaseTuple)
    text, number, array, inner = kind.literal_value
    assert text == nb.types.literal("a")
    assert number == nb.types.literal(1)
    assert array == nb.types.Array(nb.float64, 1, "C")
    assert inner.literal_value[1] == nb.types.literal(2)


def test_loops_over_lists_are_unrolled_over_constants():
    @nb.njit
    def not_constant(y):
        total = 0
        for x in literal_unroll([10, y]):
            total += x
        return total

    with pytest.raises(nb.errors.UnsupportedError, match="Found non-constant value at position 1"):
        not_constant(1)

    @nb.njit
    def argument(items):
        for _ in literal_unroll(items):
            pass

    with pytest.raises(nb.errors.UnsupportedError, match="Invalid use of literal_unroll with a function argument"):
        argument([1, 2])


def test_unrolled_loops():
    @nb.njit
    def lengths(t):
        total = 0
        for x in literal_unroll(t):
            total += len(x)
        return total

    assert lengths(((1, 2), (1, 2.5, 3j), (4,))) == 6

    @nb.njit
    def picked(t):
        total = 0j
        for i in literal_unroll((0, 2, 1)):
            if i == 2:
                continue
            total += t[i]
        return total

    assert picked((1, 2.5, 3j)) == 3.5

    @nb.njit
    def nested(a, b):
        total = 0.0
        for x in literal_unroll((a, b, 0.5)):
            for y in literal_unroll((a, 1)):
                total += x * y
        return total

    with pytest.raises(nb.errors.UnsupportedError, match="Nesting of literal_unroll is unsupported"):
        nested(2, 3.5)
