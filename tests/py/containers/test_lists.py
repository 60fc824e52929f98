"""Lists against CPython: each row is the body of a function, run both ways and compared, with what is raised.

PYTEST_DONT_REWRITE: an `assert` in a compiled function must stay the one that is written there.
"""

import copy
import sys

import numbra as nb
import numpy as np
import pytest
from numbra._numbra import _inspect
from numbra.core.errors import TypingError

BODIES = [
    # making
    ("return [a, b]", "a, b", [(1, 2), (1, 2.5), (True, 3)]),
    ("l = []\nfor i in range(n):\n    l.append(i * 0.5)\nreturn l", "n", [(0,), (1,), (100,)]),
    ("l = list()\nfor i in range(n):\n    l.append((i, i * 2.0))\nreturn l", "n", [(3,)]),
    ("l = [1]\nl.append(2.5)\nm = l\nm.append(a)\nreturn l, m is l", "a", [(3,)]),
    ("l = []\nm = []\nl.append(m)\nm.append(n)\nl.append([n + 1])\nreturn l", "n", [(3,)]),
    ("if n > 1:\n    l = []\nelse:\n    l = [7]\nl.append(n)\nreturn l", "n", [(1,), (2,)]),
    ("return list(range(n)), list(t), list((1, 2))", "n, t", [(3, np.arange(3.0)), (0, np.arange(0))]),
    ("return [x * x for x in range(n)], [x for x in range(n) if x % 2]", "n", [(7,), (0,)]),
    ("return [[i * j for j in range(i)] for i in range(n)]", "n", [(4,)]),
    ("return [(i, x) for i, x in enumerate(t)]", "t", [(np.arange(3.0),)]),
    # reading
    ("return l[i]", "l, i", [([1, 2, 3], 0), ([1, 2, 3], -1), ([1.5], 5), ([1.5], -2)]),
    ("return len(l), bool(l), not l", "l", [([1],), ([1.5, 2.5],)]),
    ("s = 0\nfor x in l:\n    s += x\nreturn s", "l", [([1, 2, 3],), ([1.5],)]),
    ("s = 0\nfor i in range(len(l)):\n    s += l[i] * i\nreturn s", "l", [([1, 2, 3],)]),
    ("return x in l, x not in l", "x, l", [(2, [1, 2]), (2.0, [1, 2]), (5, [1.5])]),
    ("return min(l), max(l), sum(l)", "l", [([3, 1, 2],), ([1.5, 2.5],)]),
    ("return sorted(l), sorted(l, reverse=True)", "l", [([3, 1, 2],), ([1.5, -0.0, 0.0],), ([(1, 2), (0, 3)],)]),
    ("a, b, c = l\nreturn a + b * c", "l", [([1, 2, 3],), ([1, 2],), ([1, 2, 3, 4],)]),
    ("return [(a, b) for a, b in zip(l, m)], [i for i, x in enumerate(l, 3)]", "l, m", [([1, 2], [1.5, 2.5, 3.5])]),
    (
        "return l[a:b], l[a:b:c], l[::-1], l[:], l[a:], l[:b]",
        "l, a, b, c",
        [([1, 2, 3, 4], 1, 3, 2), ([1, 2, 3], -9, 9, -1)],
    ),
    ("return l.index(x), l.count(x)", "l, x", [([1, 2, 2], 2), ([1.5], 2), ([1, 2], 1.0)]),
    ("return l == m, l != m, l < m, l <= m, l > m, l >= m", "l, m", [([1, 2], [1, 3]), ([1], [1, 0]), ([1.0], [1])]),
    # changing
    ("l[i] = x\nreturn l", "l, i, x", [([1, 2, 3], 1, 9), ([1.5], -1, 2), ([1], 3, 1), ([1], -2, 1)]),
    ("l.append(x)\nl.extend(l)\nl.insert(1, x)\nreturn l", "l, x", [([1, 2], 3), ([1.5], 2)]),
    ("l.insert(i, 9)\nreturn l", "l, i", [([1, 2], 0), ([1, 2], 99), ([1, 2], -1), ([1, 2], -99)]),
    ("return l.pop(), l.pop(i), l", "l, i", [([1, 2, 3], 0), ([1, 2, 3], -1), ([1.5, 2.5], 1), ([1], 0)]),
    ("l.remove(x)\nreturn l", "l, x", [([1, 2, 1], 1), ([1, 2], 3)]),
    ("l.reverse()\nm = l.copy()\nm.clear()\nreturn l, m", "l", [([1, 2, 3],), ([1.5],)]),
    (
        "l.sort()\nm = l[:]\nm.sort(reverse=True)\nreturn l, m",
        "l",
        [([3, 1, 2],), ([2.5, 1.5],), ([(2, 1.0), (1, 5.0)],)],
    ),
    ("l[a:b] = m\nreturn l", "l, a, b, m", [([1, 2, 3], 0, 2, [9]), ([1, 2], 1, 1, [7, 8, 9]), ([1, 2], 0, 9, [0])]),
    ("l[::2] = m\nreturn l", "l, m", [([1, 2, 3], [8, 9])]),
    ("del l[i]\ndel l[0:1]\nreturn l", "l, i", [([1, 2, 3, 4], 2), ([1, 2, 3], -1)]),
    ("return l + m, l * 2, 3 * m, l * -1", "l, m", [([1, 2], [3]), ([1], [2.5])]),
    ("k = l\nl += m\nl *= 2\nreturn l, k is l", "l, m", [([1, 2], [3])]),
    ("while l:\n    x = l.pop()\nreturn x", "l", [([1, 2],)]),
    ("for x in l:\n    if len(l) < 6:\n        l.append(x + 10)\nreturn l", "l", [([1, 2],)]),
    ("return np.array(l), np.asarray(l, np.float32), np.array([x * 2 for x in l])", "l", [([1, 2, 3],), ([1.5],)]),
    ("return np.array([[i * j for i in range(n)] for j in range(3)], np.float64)", "n", [(2,), (0,)]),
    ("return np.array([(i, i + 5) for i in range(n)])", "n", [(3,)]),
    ("l = [np.arange(3) + i for i in range(n)]\nreturn np.array(l), np.array([l, l])", "n", [(2,)]),
    ("return np.array([[1, 2], [3]])", "", [()]),
    # arrays of lists: those that a loop fills are written where they stay
    ("return np.array([i * 2 for i in range(n)]), np.array([i for i in range(n, -n, -3)])", "n", [(1,), (5,)]),
    (
        "return np.array([i * 2 for i in range(n)]).size, np.array([x for x in range(2, n, -3)]).size",
        "n",
        [(0,), (-5,)],
    ),
    ("return np.array([x + 1 for x in a]), np.array([x for x in (1.5, n / 2)])", "a, n", [(np.arange(4), 2)]),
    (
        "return np.array([i for i in range(n)], np.float32), np.array([x for x in a], np.int8)",
        "a, n",
        [(np.ones(3), 2)],
    ),
    ("return np.array([i * 1j for i in range(n)]), np.array([i for i in range(n)], np.complex64)", "n", [(3,)]),
    ("return np.array([i > 1 for i in range(n)]), np.array([1 if i else 2.5 for i in range(n)])", "n", [(3,)]),
    # arrays of displays
    (
        "return np.array([a, b]), np.asarray([[a, b], [b, a]]), np.array([b, a, a], np.complex64)",
        "a, b",
        [(1, 2), (1.5, 2), (True, False), (1j, 2), (np.float32(0.1), np.float32(3)), (np.int8(-3), np.int8(5))],
    ),
    ("return np.array([a, 2.7], np.int16), np.array([[a, 1], [2, 3]], np.float32)", "a", [(-1,), (7,)]),
    ("return np.array([[[a], [1]], [[2], [3]]]), np.array([a])", "a", [(9,)]),
    ("return np.array((a, 1)), np.array(((a, 2.5), (1, b))), np.array(([a], [b]))", "a, b", [(3, 4)]),
    ("return np.array([(a, 2.5), (1, b)]), np.array([((a, b), (b, a))])", "a, b", [(3, 4)]),
    ("l = [a, 5]\nm = l\nx = np.array(m)\nx[0] = 9\nreturn x, np.array([a, x[0]])", "a", [(1,)]),
    ("l = [a, 5]\nx = np.array(l)\nl.append(7)\nreturn x, np.array(l)", "a", [(1,)]),
    ("l = [a, 5]\nm = l\nm[0] = 8\nreturn np.array(l)", "a", [(1,)]),
    ("l = [a, 5]\nx = a + 1\na = 7\nreturn np.array(l) + x", "a", [(1,)]),
    ("r = [a, 5]\nl = [r, r]\nreturn np.array(l)", "a", [(1,)]),
    ("r = [a, 5]\nl = [r, r]\nr[0] = 6\nreturn np.array(l)", "a", [(1,)]),
    ("r = [a, 5]\nl = [r, [1, 2]]\nl[1][0] = 6\nreturn np.array(l), r", "a", [(1,)]),
    ("l = [a, 5]\nreturn np.array(l), np.array(l, np.float64), l", "a", [(1,)]),
    (
        "i = 0\nwhile True:\n    l = [i, i + 1]\n    i += 2\n    if i > n:\n        break\nreturn np.array(l)",
        "n",
        [(7,)],
    ),
    ("l = [1, 2]\ni = 0\nwhile i < n:\n    l = [i, i + 1]\n    i += 2\nreturn np.array(l), i", "n", [(0,), (7,)]),
    ("x = np.zeros(2)\nfor i in range(n):\n    x += np.array([i, i * 0.5])\nreturn x", "n", [(0,), (5,)]),
    ("if n > 1:\n    l = [n, 2]\nelse:\n    l = [3, n]\nreturn np.array(l)", "n", [(1,), (2,)]),
    (
        "try:\n    if n > 1:\n        raise ValueError\nexcept Exception:\n    n = 7\nreturn np.array([n, 2])",
        "n",
        [(1,), (2,)],
    ),
    ("return np.array([[a, 1], [2]])", "a", [(1,)]),
    ("return np.array([(a, 1), (2, 3)]).sum()", "a", [(1,)]),
    ("return np.array([x for x in range(n) if x % 2]), np.array([x for x in l])", "n, l", [(7, [3, 4])]),
    ("return np.array([x * y for x in range(n) for y in range(3)])", "n", [(2,)]),
    (
        "l = []\nfor i in range(n):\n    if i == 3:\n        break\n    l.append(i)\nreturn np.array(l)",
        "n",
        [(2,), (9,)],
    ),
    ("l = []\nfor i in range(n):\n    l.append(i)\n    l.append(-i)\nreturn np.array(l)", "n", [(3,)]),
    ("l = []\nfor i in range(n):\n    for j in range(i):\n        l.append(j)\nreturn np.array(l)", "n", [(4,)]),
    ("l = []\nfor i in range(n):\n    l.append(i)\na = np.array(l)\nl.append(7)\nreturn a, l", "n", [(3,)]),
    (
        "l = []\nfor i in range(n):\n    l.append(i)\nfor i in range(n):\n    l.append(i)\nreturn np.array(l)",
        "n",
        [(2,)],
    ),
    ("l = []\nfor i in range(n):\n    l.append(len(l))\nreturn np.array(l)", "n", [(3,)]),
    ("s = 0\nfor k in range(n):\n    a = np.array([i + k for i in range(k)])\n    s += a.sum()\nreturn s", "n", [(4,)]),
    (
        "l = []\nfor i in range(n):\n    l.append(i)\nr = 0\nfor k in range(3):\n    r += np.array(l).sum()\nreturn r",
        "n",
        [(3,)],
    ),
    ("return np.array([a[i] for i in range(n)])", "a, n", [(np.arange(3), 3)]),
    ("return np.array([1 // (2 - i) for i in range(n)])", "n", [(2,), (3,)]),
    (
        "return np.array([np.sum(a[:i]) for i in range(n)]), np.array([[i, n] for i in range(n)])",
        "a, n",
        [(np.ones(3), 3)],
    ),
    # keys and functions that are made where they are passed
    ("l.sort(key=lambda x: abs(x - 2), reverse=True)\nreturn l, sorted(l, key=lambda x: -x)", "l", [([3, 1, 2, 0],)]),
    (
        "return sorted(l, key=lambda t: t[1]), sorted(l, key=lambda t: (t[1], -t[0]))",
        "l",
        [([(1, 3), (2, 1), (3, 1)],)],
    ),
    ("k = 3\ndef f(x, y=2):\n    return x % k * y\nreturn sorted(l, key=f)", "l", [([3, 1, 2, 7],)]),
    ("f = (lambda x: x + 1, lambda x: x * 2)\nreturn f[0](n) + f[1](n)", "n", [(5,)]),
    # items that own memory
    ("l = [np.zeros(i + 1) for i in range(n)]\nl[0][0] = 5.0\nl.append(l[0])\nl.pop(0)\nreturn l", "n", [(3,)]),
    ("l = [[i] for i in range(n)]\nm = l[1:]\nm.extend(l)\nl.clear()\nm[0].append(7)\nreturn m * 2", "n", [(3,)]),
    ("l = [(i, np.full(2, i)) for i in range(n)]\nl.insert(1, l[2])\nl.reverse()\ndel l[0:2]\nreturn l", "n", [(4,)]),
    ("l = [np.ones(2)]\nl[0] = np.zeros(n)\nif n > 1:\n    raise ValueError(n)\nreturn l", "n", [(1,), (2,)]),
    ("s = 0.0\nfor a in l:\n    s += a.sum()\n    a[0] = 9\nreturn s, l[1]", "l", [([np.ones(2), np.zeros(3)],)]),
    ("l = [None, n]\nreturn l[0] is None, l[1] is None, l", "n", [(2,)]),
    # an empty list holds what is done with it
    ("l = []\nl += [n]\nm = []\nm = m + l\nreturn l, m, [] + m, l + []", "n", [(2,)]),
    ("l = []\nl[0:0] = [n, 2.5]\nm = l[:]\nm[1:] = []\nreturn l, m", "n", [(2.5,)]),
    ("l = [[]]\nfor i in range(n):\n    l[0].append(i)\n    l.append([])\nreturn l", "n", [(0,), (3,)]),
    ("l = [] * n\nl.append(n)\nm = n * list()\nm.append(0.5)\nreturn l, m", "n", [(-1,), (0,), (3,)]),
    ("m = []\nl = m * n\nl *= n\nl.append(n)\nreturn l, m", "n", [(3,)]),
    ("l = [[]] * n\nl[0].append(n)\nreturn l, l[0] is l[1]", "n", [(3,)]),
    ("l = ([] + [])[:] + [][n:]\nl.append(n)\nm = []\nm += []\nm.append(0.5)\nreturn l, m", "n", [(3,)]),
    ("l = [] * n\nfor x in [] * n + [2.5]:\n    l = l * 2 + [x]\nreturn l", "n", [(3,)]),
    ("l = [[] for _ in range(n)]\nfor i in range(n):\n    l[i].append(i * 0.5)\nreturn l", "n", [(3,)]),
    ("l = []\nfor i in range(n):\n    l.append([[]])\n    l[-1][0].append(i)\nreturn l", "n", [(2,)]),
    ("l = [[], [n]]\nm = [[n], []]\nreturn l, m, l[0], m[1]", "n", [(2,)]),
    ("if n > 1:\n    return [n]\nif n > 0:\n    return []\nreturn [n, n]", "n", [(0,), (1,), (2,)]),
    ("if n > 1:\n    return [[n]]\nif n > 0:\n    return [[]]\nreturn []", "n", [(0,), (1,), (2,)]),
    ("l = []\nreturn ','.join(l), ','.join([]), len(l)", "", [()]),
]


def functions(body, parameters):
    text = f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    space = {"np": np}
    exec(text, space)
    return space["f"], nb.njit(space["f"])


def plain(value):
    if isinstance(value, (list, tuple)):
        return type(value)(plain(item) for item in value)
    if isinstance(value, np.ndarray):
        return ("array", str(value.dtype), value.tolist())
    return value.item() if isinstance(value, np.generic) else value


def outcome(function, args):
    args = copy.deepcopy(args)
    try:
        result = ("returned", plain(function(*args)))
    except Exception as error:
        result = ("raised", type(error))
    return result, plain(args)


CASES = [(body, parameters, args) for body, parameters, rows in BODIES for args in rows]


@pytest.mark.parametrize("body, parameters, args", CASES)
def test_as_cpython(body, parameters, args):
    python, compiled = functions(body, parameters)
    expected, got = outcome(python, args), outcome(compiled, args)
    assert got == expected


def test_nothing_says_what_a_list_holds():
    for body in (
        "return []",
        "l = [[]]\nreturn l[0]",
        "return max([])",
        "l = []\nl.append(l)",
        "l = [[]]\nl.append(l[0])",
    ):
        with pytest.raises(TypingError):
            functions(body, "")[1]()


def test_items_have_the_lists_type():
    made = functions("l = [a, b]\nl.append(c)\nreturn l", "a, b, c")[1]
    assert [type(x) for x in made(True, 2, 3)] == [int] * 3
    assert [type(x) for x in made(1, 2, 3.5)] == [float] * 3
    assert [type(x) for x in made(True, False, True)] == [bool] * 3
    assert [type(x) for x in made(1, 2, 3j)] == [complex] * 3


MESSAGES = [
    ("[1, 2][5]", IndexError, "getitem out of range"),
    ("[1, 2].pop(5)", IndexError, "pop index out of range"),
    ("[1, 2].index(5)", ValueError, "value not in list"),
    ("[1, 2].remove(5)", ValueError, "list.remove(x): x not in list"),
]


@pytest.mark.parametrize("text, kind, message", MESSAGES)
def test_messages_are_numbas(text, kind, message):
    with pytest.raises(kind) as caught:
        functions(f"return {text}", "")[1]()
    assert str(caught.value) == message


TYPING = [
    ("l = []\nreturn len(l)", "Cannot infer the type of variable 'l', have imprecise type: list(undefined)<iv=None>."),
    ("l = [1.5]\nl[0] = 'x'\nreturn l", "No implementation of function Function(<built-in function setitem>)"),
    ("l = [1]\nl.sort(key=1)\nreturn l", "Key must be None or a Numba JIT compiled function"),
]


@pytest.mark.parametrize("body, message", TYPING)
def test_typing_errors_are_numbas(body, message):
    with pytest.raises(TypingError) as caught:
        functions(body, "")[1]()
    assert message in str(caught.value)


def test_a_function_that_captures_variables_cannot_be_passed():
    @nb.njit
    def f(items, n):
        return sorted(items, key=lambda x: x % n)

    with pytest.raises(TypingError, match="Cannot capture the non-constant value associated with variable 'n'"):
        f([1, 2], 3)


def test_a_function_that_captures_a_changing_variable_cannot_be_passed():
    @nb.njit
    def f(items):
        k = 3
        key = lambda x: x % k  # noqa: E731
        k = 2
        return sorted(items, key=key)

    with pytest.raises(TypingError, match="as there are multiple definitions present"):
        f([1, 2])


def test_arrays_of_comprehensions_need_no_list():
    @nb.njit
    def f(n):
        return np.array([i * 0.5 for i in range(n)])

    assert f(3).tolist() == [0.0, 0.5, 1.0]
    assert "numbra_rt_list" not in f.inspect("lir", f.signatures[0])

    @nb.njit
    def g(n):
        return np.array([i for i in range(n) if i % 2])

    assert g(6).tolist() == [1, 3, 5]
    assert "numbra_rt_list" in g.inspect("lir", g.signatures[0])


def test_a_returned_function_is_called():
    @nb.njit
    def make():
        def add(x, y=1.1):
            return x + y

        return add

    @nb.njit
    def f(x):
        return make()(x) + make()(x, 2)

    assert f(4) == 11.1


@nb.njit
def negative(x):
    return -x[0]


def test_sort_by_key():
    @nb.njit
    def f(items):
        items.sort(key=negative)
        return sorted(items, key=negative, reverse=True)

    items = [(1, 0.5), (3, 1.5), (1, 2.5), (2, 3.5)]
    expected = sorted(items, key=lambda x: -x[0])
    assert f(items) == sorted(expected, key=lambda x: -x[0], reverse=True)
    assert items == expected


def test_reflection():
    @nb.njit
    def change(a, b):
        a.append(7)
        b[0] = 9
        return a

    one = [1, 2]
    assert change(one, one) is one
    assert one == [9, 2, 7]

    @nb.njit
    def fail(a):
        a.append(3)
        return a[10]

    with pytest.raises(IndexError):
        fail(one)
    assert one == [9, 2, 7, 3]

    @nb.njit
    def read(a):
        return a[0]

    big = [10**15, 10**16]
    first = big[0]
    assert read(big) == 10**15
    assert big[0] is first


def test_wrong_list_arguments():
    @nb.njit
    def f(a):
        return 1

    with pytest.raises(ValueError, match="cannot compute fingerprint of empty list"):
        f([])
    with pytest.raises(TypeError, match="can't unbox heterogeneous list: int64 != float64"):
        f([1, 2.5])
    with pytest.raises(TypeError, match="cannot reflect element of reflected container: reflected list"):
        f([[1], [2]])


def test_lists_between_functions():
    @nb.njit
    def fill(out, n):
        for i in range(n):
            out.append(i)
        return out

    @nb.njit
    def f(n):
        out = [0]
        fill(out, n)
        return fill(out, 1), len(out)

    assert f(3) == ([0, 0, 1, 2, 0], 5)


def test_printing(capfd):
    @nb.njit
    def f(a):
        print(a, [(1, 2.5)], [[x] for x in a])
        a.clear()
        print(a)

    f([1, 2])
    assert capfd.readouterr().out == "[1, 2] [(1, 2.5)] [[1], [2]]\n[]\n"


def test_python_objects_are_released():
    @nb.njit
    def f(items, array):
        return [array, items[0]]

    items, array = [np.ones(3)], np.zeros(2)
    before = [sys.getrefcount(x) for x in (items, items[0], array)]
    for _ in range(10):
        kept = f(items, array)
    assert kept[0] is array
    assert kept[1] is items[0]
    del kept
    assert [sys.getrefcount(x) for x in (items, items[0], array)] == before


def sorted_local(items, reverse):
    items.sort(reverse=reverse)
    return items


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize(
    "items",
    [
        ["b", "a", "", "ab", "a"],
        ["\u00e9", "z", "\U0001f600", "e"],
        [(2, "b"), (1, "b"), (1, "a"), (2, "a")],
        [("b", 1.5, 0), ("a", 2.5, 1), ("b", 1.5, 2), ("a", 0.5, 3)],
        ["x"],
        [str(i * 7919 % 100) for i in range(37)],
    ],
)
def test_sorting_what_is_no_number(items, reverse):
    expected = sorted(items, reverse=reverse)
    assert nb.njit(lambda x, r: sorted(x, reverse=r))(list(items), reverse) == expected
    reflected = list(items)
    assert nb.njit(sorted_local)(reflected, reverse) == expected
    assert reflected == expected


def test_sorting_lists_of_lists():
    @nb.njit
    def f(n, reverse):
        items = [[i * 7 % 5, i] for i in range(n)]
        items.append([3])
        items.sort(None, reverse)
        return items

    def python(n, reverse):
        return sorted([[i * 7 % 5, i] for i in range(n)] + [[3]], reverse=reverse)

    for n in (0, 1, 2, 9):
        for reverse in (False, True):
            assert f(n, reverse) == python(n, reverse)


def test_sorting_by_a_key_that_is_a_string():
    @nb.njit
    def key(x):
        return "even" if x % 2 == 0 else "odd"

    assert nb.njit(lambda x: sorted(x, key=key))([3, 2, 5, 4, 1]) == [2, 4, 3, 5, 1]


def test_tuples_with_strings_compare():
    @nb.njit
    def f(a, b):
        return a < b, a <= b, a > b, a >= b, a == b, a != b

    for a, b in [(("a", 1), ("a", 2)), (("b", 1), ("a", 2)), (("a", 1), ("a", 1))]:
        assert f(a, b) == (a < b, a <= b, a > b, a >= b, a == b, a != b)


def test_extremes_of_sequences():
    f = nb.njit(lambda x: (np.min(x), np.max(x), np.amin(x), np.amax(x)))
    for x in ([3, 1, 2], (3, 1.5), [2.5], ((1, 2), (3, 0)), [(1, 2), (3, 4)]):
        assert f(x) == (np.min(x), np.max(x), np.min(x), np.max(x))
    with pytest.raises(ValueError, match="zero-size array"):
        nb.njit(lambda n: np.min([i for i in range(n)]))(0)


@pytest.mark.parametrize("made", ["[x, y]", "[[x, y], [y, x]]", "[(x, y), (1.0, 2.0)]", "(x, y)", "((x, 1), (2, y))"])
def test_arrays_of_displays_make_no_list(made):
    python, compiled = functions(f"s = {made}\nreturn np.array(s)", "x, y")
    want, got = python(1.5, -0.0), compiled(1.5, -0.0)
    np.testing.assert_array_equal(got, want, strict=True)
    body = _inspect(compiled, 0, "lir").partition(".entry")[0]
    assert body.count("numbra_rt_alloc") == 1
    assert "numbra_rt_list" not in body and "numbra_np_array" not in body


def test_arrays_of_long_tuples():
    text = ", ".join(map(str, range(70)))
    python, compiled = functions(f"return np.array(({text})), np.array([{text}])", "")
    for want, got in zip(python(), compiled(), strict=True):
        np.testing.assert_array_equal(got, want, strict=True)
    python, compiled = functions("return np.array(((1, 2), (x,)))", "x")
    with pytest.raises(ValueError):
        compiled(3)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_rows_of_lists_are_read_where_they_are(tier):
    """No count is taken of a row that its list keeps; errors and replaced rows give up nothing else."""

    @nb.njit(tier=tier)
    def total(n, at):
        rows = [[1]]
        for i in range(1, n):
            row = [1]
            for j in range(1, i):
                row.append(rows[i - 1][j - 1] + rows[i - 1][j])
            row.append(1)
            rows.append(row)
        first = rows[0]
        rows[0] = [7, 8]
        return rows[at][at] + first[0] + rows[0][1]

    for _ in range(3):
        assert total(12, 3) == 1 + 1 + 8
        with pytest.raises(IndexError):
            total(12, 12)
        assert total(2, 0) == 7 + 1 + 8


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_operands_that_may_lie_in_the_target(tier):
    """They are copied if they do; otherwise nobody counts what the caller keeps."""

    @nb.njit(tier=tier)
    def add(target, a, n):
        for i in range(n):
            target += a[i]
        return target

    a = np.arange(12.0).reshape(4, 3)
    assert add(np.zeros(3), a, 4).tolist() == a.sum(0).tolist()
    flat = np.arange(8.0)
    rows = np.lib.stride_tricks.sliding_window_view(flat[1:], 4)
    add(flat[:4], rows.copy(), 2)
    want = np.arange(8.0)
    want[:4] += rows[0] * 0 + np.arange(1.0, 5.0)
    want[:4] += np.arange(2.0, 6.0)
    assert flat.tolist() == want.tolist()
    shared = np.arange(5.0)
    view = np.lib.stride_tricks.as_strided(shared[1:], (1, 4), (0, 8))
    add(shared[:4], view, 1)
    assert shared.tolist() == [1.0, 3.0, 5.0, 7.0, 4.0]
