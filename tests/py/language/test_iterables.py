"""`zip(strict=)`, `min` and `max` with `key` and `default`: bodies against CPython."""

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import TypingError

BODIES = [
    (
        "return [x * y for x, y in zip(a, b, strict=True)]",
        [((1, 2), (3, 4)), ([1, 2, 3], [4, 5]), ([1], [2, 3])],
    ),
    ("return [x for x in zip(a, b, strict=False)]", [([1, 2, 3], [4, 5])]),
    ("return [x for x in zip(a, b, strict=len(a) > 2)]", [([1, 2, 3], [4, 5]), ([1], [4, 5])]),
    (
        "return [x for x in zip(a, range(2), b, strict=True)]",
        [([1, 2], [3, 4]), ([1, 2], [3]), ([1, 2], [3, 4, 5]), ([1], [3])],
    ),
    ("out = [0]\nfor x, y in zip(a, b, strict=True):\n    out.append(x + y)\nreturn out", [([1, 2, 3], [4, 5])]),
    ("return [x for x in zip(a, strict=True)], len(b)", [([1, 2], [3])]),
    (
        "n = 0\nfor x, y in zip(iter(a), iter(b), strict=True):\n    n += x * y\nreturn n",
        [([1, 2], [3, 4]), ([1, 2], [3])],
    ),
    ("return min(a, key=lambda x: -x), max(a, key=lambda x: x % 3)", [([3, 1, 4, 1, 5], [0]), ((2, 9), [0])]),
    ("return min(a, default=b[0]), max(a, default=b[0])", [([], [7]), ([1, 2], [7])]),
    ("return min(a, key=lambda x: -x, default=b[0])", [([], [7]), ([1, 2], [7])]),
    ("return max(a, key=None), min(a, key=None, default=0)", [([1, 2], [0])]),
    ("return min(a, key=abs2), max(len(a), len(b), key=abs2)", [([-3, 2], [1])]),
    ("return max(['b', 'ccc', 'aa'], key=len2), len(a) + len(b)", [([1], [2])]),
    ("return max(a, key=abs2)", [(np.array([1.5, -2.5]), [1])]),
]


@nb.njit
def abs2(x):
    return abs(x) % 3


@nb.njit
def len2(x):
    return len(x)


@pytest.mark.parametrize(("body", "calls"), BODIES)
def test_bodies(body, calls):
    made = {"abs2": abs2.py_func, "len2": len2.py_func}
    source = "def f(a, b):\n    " + body.replace("\n", "\n    ")
    exec(source, made)
    expected_of, made = made["f"], {"abs2": abs2, "len2": len2}
    exec(source, made)
    compiled = nb.njit(made["f"])
    for a, b in calls:
        if a == [] if isinstance(a, list) else False:
            a = nb.typed.List.empty_list(nb.int64)
        try:
            expected = expected_of(a, b)
        except ValueError as error:
            with pytest.raises(ValueError) as caught:
                compiled(a, b)
            assert caught.value.args == error.args
        else:
            assert compiled(a, b) == expected


def test_what_has_no_order_or_default():
    @nb.njit
    def empty(x):
        return min(x, key=abs2)

    with pytest.raises(ValueError, match=r"min\(\) iterable argument is empty"):
        empty(nb.typed.List.empty_list(nb.int64))

    @nb.njit
    def two(x):
        return max(x, x, default=1)

    with pytest.raises(TypingError, match="Cannot specify a default for max"):
        two(1)


def test_an_absent_default_is_none():
    @nb.njit
    def least(x):
        return min(x, default=None)

    assert least(nb.typed.List.empty_list(nb.int64)) is None and least([2, 1]) == 1
