"""Sets and heaps against CPython: each row is the body of a function, run both ways and compared.

PYTEST_DONT_REWRITE: an `assert` in a compiled function must stay the one that is written there.
"""

import copy
import heapq
import sys

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import TypingError

BODIES = [
    ("return {a, b, a}", "a, b", [(1, 2), (1.5, 1.5)]),
    ("s = set()\nfor i in range(n):\n    s.add(i % 7)\nreturn s, len(s), bool(s)", "n", [(0,), (3,), (100,)]),
    (
        "s = set()\nn = 0\nfor x in t:\n    if x in s:\n        n += 1\n    else:\n        s.add(x)\nreturn s, n",
        "t",
        [((1, 2, 1, 1),), ((1.5,),)],
    ),
    (
        "s = []\nn = 0\nfor x in t:\n    if x not in s:\n        s.append(x)\n    else:\n        n += 1\nreturn s, n",
        "t",
        [((1, 2, 1, 1),), ((1.5,),)],
    ),
    ("s = set(t)\nreturn s, 3 in s, 4 not in s", "t", [((1, 2, 3),), ((1.5, 3.0),)]),
    ("s = {x * x for x in range(n)}\nt = 0\nfor x in s:\n    t += x\nreturn t", "n", [(5,)]),
    ("s.add(x)\ns.discard(1)\ns.discard(99)\nreturn s", "s, x", [({1, 2}, 3), ({1}, 1)]),
    ("s.remove(x)\nreturn s", "s, x", [({1, 2}, 1), ({1, 2}, 9)]),
    ("t = s.copy()\nt.update([7, 8])\nt.update(s)\ns.clear()\nreturn t, s, t is s", "s", [({1, 2},)]),
    ("return a | b, a & b, a - b, a ^ b", "a, b", [({1, 2, 3}, {2, 3, 4}), ({1.5}, {2.5})]),
    ("return a == b, a != b, a < b, a <= b, a > b, a >= b", "a, b", [({1, 2}, {1, 2}), ({1}, {1, 2}), ({3}, {1})]),
    ("a |= b\nc = a\na &= d\na -= {2}\na ^= {5, 1}\nreturn a, c", "a, b, d", [({1, 2}, {3}, {1, 2, 9})]),
    ("return a.union(b), a.intersection(b), a.difference(b), a.symmetric_difference(b)", "a, b", [({1, 2}, {2, 3})]),
    ("return a.issubset(b), a.issuperset(b), a.isdisjoint(b)", "a, b", [({1}, {1, 2}), ({1}, {2})]),
    ("a.intersection_update(b)\nb.difference_update(a)\nreturn a, b", "a, b", [({1, 2}, {2, 3})]),
    ("a.symmetric_difference_update(b)\nreturn a", "a, b", [({1, 2}, {2, 3})]),
    ("t = 0\nwhile s:\n    t += s.pop()\nreturn t", "s", [({1, 2, 3},)]),
    ("s = {1}\ns.pop()\nreturn s.pop()", "", [()]),
    ("return sorted({(i % 3, i % 2 * 0.5) for i in range(n)})", "n", [(20,)]),
    # of text
    ("return {a, b, a}, a in {b}", "a, b", [("x", "y"), ("", ""), ("e", "\xe9"), ("\u20ac", "\U0001f600")]),
    ("s = set()\nfor w in t.split():\n    s.add(w + '!')\nreturn s, len(s), 'a!' in s, 'z' in s", "t", [("a b a c",)]),
    ("s = set(t)\ns.discard('b')\ns.discard('zz')\ns.remove(x)\nreturn s", "t, x", [("abcb", "a"), (["b", "q"], "q")]),
    ("s.remove(x)\nreturn s", "s, x", [({"a", "b"}, "a"), ({"a", "b"}, "c")]),
    ("return a | b, a & b, a - b, a ^ b", "a, b", [({"a", "bc"}, {"bc", "d"}), ({"a"}, {"b"})]),
    ("return a == b, a != b, a < b, a <= b, a > b, a >= b", "a, b", [({"a", "b"}, {"b", "a"}), ({"a"}, {"a", "b"})]),
    ("a |= b\na &= d\na -= {'b'}\na ^= {'e', 'a'}\nreturn a", "a, b, d", [({"a", "b"}, {"c"}, {"a", "b", "i"})]),
    ("return a.isdisjoint(b), a.issubset(b), a.union(b)", "a, b", [({"a"}, {"a", "b"}), ({"a"}, {"b"})]),
    ("t = s.copy()\nt.update(['x', 'y' + 'z'])\ns.clear()\ns.add('new')\nreturn t, s", "s", [({"a", "b"},)]),
    ("n = 0\nwhile s:\n    n += len(s.pop())\nreturn n, s", "s", [({"a", "bc", "def"},)]),
    ("out = ''\nfor x in sorted(s):\n    out += x\nreturn out, max(s), min(s)", "s", [({"a", "bc", "def"},)]),
    ("return {(w, i % 2) for i in range(n) for w in 'ab'}, {(1, ('a', 2.5))}", "n", [(5,)]),
    ("s = {str(i) for i in range(n)}\nfor i in range(0, n, 3):\n    s.remove(str(i))\nreturn s", "n", [(1000,)]),
    # heaps
    ("heapq.heapify(h)\nreturn h", "h", [([5, 3, 8, 1, 9, 2, 7],), ([2.5, 1.5],), ([1],)]),
    ("for x in (4, 1, 7, 0):\n    heapq.heappush(h, x)\nreturn h", "h", [([1],)]),
    ("heapq.heapify(h)\nreturn [heapq.heappop(h) for i in range(len(h))]", "h", [([5, 3, 8, 1, 9, 2, 7, 3],)]),
    ("heapq.heapify(h)\nreturn heapq.heapreplace(h, 4), heapq.heappushpop(h, 0), h", "h", [([5, 3, 8, 1],)]),
    ("return heapq.nsmallest(2, h), heapq.nlargest(2, h), heapq.nlargest(-1, h)", "h", [([5, 3, 8, 1],)]),
    ("h = [(2.5, 1)]\nheapq.heappush(h, (1.5, 7))\nreturn heapq.heappop(h), h", "", [()]),
]


def functions(body, parameters):
    text = f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    space = {"heapq": heapq}
    exec(text, space)
    return space["f"], nb.njit(space["f"])


def outcome(function, args):
    args = copy.deepcopy(args)
    try:
        result = ("returned", function(*args))
    except Exception as error:
        result = ("raised", type(error))
    return result, args


CASES = [(body, parameters, args) for body, parameters, rows in BODIES for args in rows]


@pytest.mark.parametrize("body, parameters, args", CASES)
def test_as_cpython(body, parameters, args):
    python, compiled = functions(body, parameters)
    assert outcome(compiled, args) == outcome(python, args)


def test_reflection():
    @nb.njit
    def change(a):
        a.add(7)
        return a

    one = {1, 2}
    assert change(one) is one
    assert one == {1, 2, 7}

    @nb.njit
    def fail(a):
        a.discard(1)
        a.remove(99)

    with pytest.raises(KeyError, match=r"set.remove\(\): key not in set"):
        fail(one)
    assert one == {2, 7}


def test_errors_are_numbas():
    @nb.njit
    def f(a):
        return len(a)

    with pytest.raises(ValueError, match="cannot compute fingerprint of empty set"):
        f(set())
    with pytest.raises(TypingError, match=r"have imprecise type: set\(undefined\)"):
        functions("s = set()\nreturn len(s)", "")[1]()


@nb.njit
def run(adds, values):
    """Adds or removes each value; how many items there are, and whether the next value is one, after each."""
    items = set()
    seen = np.empty((2, values.size), np.int64)
    for i in range(values.size):
        if adds[i]:
            items.add(values[i])
        else:
            items.discard(values[i])
        seen[0, i] = len(items)
        seen[1, i] = values[(i + 1) % values.size] in items
    return seen, items


def with_one_home(count):
    """Integers whose hashes differ in the last bits alone: all are looked for at one place of the table."""
    inverse = pow(0x9E37_79B9_7F4A_7C15, -1, 1 << 64)
    folded = [n * inverse % (1 << 64) for n in range(count)]
    products = [word ^ word >> 29 ^ word >> 58 for word in folded]
    return np.array([word * inverse % (1 << 64) for word in products], np.uint64)


RANDOM = np.random.default_rng(7)
POOLS = {
    "bool": np.array([True, False]),
    "int8": np.arange(-128, 128).astype(np.int8),
    "uint16": np.arange(0, 65536, 97).astype(np.uint16),
    "int32": np.concatenate([np.arange(-300, 300), np.array([-(2**31), 2**31 - 1])]).astype(np.int32),
    "uint32": (np.arange(500, dtype=np.uint32) << np.uint32(20)),
    "int64": np.concatenate([np.arange(-40, 40), np.arange(-40, 40) << 57]),
    "one home": with_one_home(300),
    "uint64": np.uint64(2**64 - 1) - np.arange(2000, dtype=np.uint64),
    "float32": np.arange(-300, 300).astype(np.float32) / 8,
    "float64": np.concatenate([np.arange(-300, 300) / 8, [np.inf, -np.inf, -0.0, 1e300]]),
    "complex128": (np.arange(400) % 20) + 1j * (np.arange(400) // 20),
}


@pytest.mark.parametrize("pool", POOLS)
@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 1.0])
def test_items_of_each_type_come_and_go(pool, share):
    values = RANDOM.choice(POOLS[pool], 4000)
    adds = RANDOM.random(4000) < share
    python, compiled = run.py_func(adds, values), run(adds, values)
    np.testing.assert_array_equal(compiled[0], python[0])
    assert compiled[1] == {x.item() for x in python[1]}


@pytest.mark.parametrize("count", [0, 1, 8, 9, 500, 100_000])
def test_sets_of_arrays(count):
    @nb.njit
    def distinct(a, b):
        s = set(a)
        t = s.copy()
        s.clear()
        s.update(b)
        return len(s), len(t), len(s & t), len(s | t), len(s - t)

    a, b = RANDOM.integers(0, max(count, 1), (2, count))
    assert distinct(a, b) == distinct.py_func(a, b)


@nb.njit
def added_and_found(a):
    s = set()
    for x in a:
        s.add(x)
    found = 0
    for x in a:
        found += x in s
        found += x + 1 in s
    return len(s), found


@pytest.mark.parametrize("dtype", [np.int64, np.uint32, np.int8, np.bool_])
@pytest.mark.parametrize("step", [1, 987, 121393, 39088169, 1 << 32, 1 << 40, 1 << 63])
def test_multiples_are_found(step, dtype):
    # Of any step, also of those that a product of one constant would put side by side: then it takes minutes.
    a = (np.arange(60_000, dtype=np.uint64) * np.uint64(step)).astype(dtype)
    one = {int(x) for x in a}
    here = sum(int(x) + 1 in one for x in a)
    assert added_and_found(a) == (len(one), len(a) + here)


def test_optionals_are_looked_up_by_what_they_hold():
    @nb.njit
    def look(s, k):
        x = None if k == 0 else k
        there = x in s
        s.discard(x)
        return there, len(s)

    assert look({1, 2}, 1) == (True, 1)
    assert look({1, 2}, 3) == (False, 2)
    with pytest.raises(TypeError, match="expected int64, got None"):
        look({1, 2}, 0)


def test_sets_of_char_sequences_are_refused():
    @nb.njit
    def look(a, x):
        s = set()
        for item in a:
            s.add(item)
        return x in s

    with pytest.raises(TypingError, match=r"items of a set are numbers.*: \[unichr x 2\] is not supported"):
        look(np.array(["a", "bc"]), "bc")


@pytest.mark.parametrize(
    ("items", "values"),
    [
        ({("a", 1)}, [("a", 1.9), ("a", 1.0), ("a", 1), ("b", 1), ("a", True)]),
        ({("a", 2.5)}, [("a", 2), ("a", 2.5)]),
        ({("a", True)}, [("a", 2), ("a", 1)]),
        ({("a", (1,))}, [("a", (1.5,)), ("a", (1.0,))]),
        ({"a"}, ["a", "b"]),
    ],
)
def test_values_of_other_types_are_found_where_they_are_equal(items, values):
    def look(s, value):
        there = value in s
        s.discard(value)
        return there, len(s)

    def drop(s, value):
        s.remove(value)
        return len(s)

    for value in values:
        assert nb.njit(look)(set(items), value) == look(set(items), value)
        assert outcome(nb.njit(drop), (items, value)) == outcome(drop, (items, value))


def test_references_of_items_balance():
    @nb.njit
    def run(s, text):
        other = s.copy()
        other.add(text)
        other.add(text)
        other |= {text + "x"}
        both, rest = other & s, other - s
        popped = rest.pop()
        other.remove(text)
        rest.clear()
        s.add(text)
        return both, popped, other

    text, kept = "".join(["te", "xt"]), "".join(["ke", "pt"])
    run({kept}, text)
    counts = [sys.getrefcount(x) for x in (text, kept)]
    for _ in range(20):
        s = {kept}
        both, popped, other = run(s, text)
        assert (both, popped in (text, text + "x"), other) == ({kept}, True, {kept, text + "x"})
        assert s == {kept, text}
        with pytest.raises((TypeError, TypingError)):
            run({kept, 1}, text)
    del s, both, popped, other
    assert [sys.getrefcount(x) for x in (text, kept)] == counts


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("dtype", ["int64", "uint64", "int32", "int8", "bool", "float64"])
@pytest.mark.parametrize("count", [0, 1, 9, 300, 70_000])
def test_items_are_added_in_the_code(count, dtype, tier):
    """What the set has room for is added without a call: as many items as CPython has, each found, in copies too."""

    @nb.njit(tier=tier)
    def run(items, others):
        added = set(items)
        for x in items:
            added.add(x)
        for x in others:
            added.discard(x)
        found = 0
        for x in items:
            found += x in added
        copy = added.copy()
        for x in others:
            copy.add(x)
        left = len(added)
        added.clear()
        added.add(items[0] if len(items) else others[0])
        return left, found, len(copy), len(added)

    rng = np.random.default_rng(count)
    items = (rng.random(count) * 1e9).astype(dtype)
    others = np.append(items[::3], (rng.random(count // 2 + 1) * 1e9).astype(dtype))
    added = set(items.tolist()) - set(others.tolist())
    found = sum(x in added for x in items.tolist())
    assert run(items, others) == (len(added), found, len(added | set(others.tolist())), 1)


@pytest.mark.parametrize("dtype", ["int64", "int32", "uint8", "bool", "float32", "float64"])
@pytest.mark.parametrize("count", [0, 1, 9, 300, 20_000])
def test_sets_of_sets(count, dtype):
    """Those of arrays with gaps and of lists, and of them what another set has and has not."""

    @nb.njit
    def run(a, b):
        s, t = set(a[::2]), set([x for x in b])
        return len(s), sorted(s & t), sorted(s - t), sorted(t - s), sorted((s - t) & (s | t))

    rng = np.random.default_rng(count)
    a, b = (rng.integers(0, count + 2, count).astype(dtype) for _ in range(2))
    s, t = set(a[::2].tolist()), set(b.tolist())
    got = run(a, b) if count else None
    want = len(s), sorted(s & t), sorted(s - t), sorted(t - s), sorted(s - t)
    assert got in (None, want)


def test_what_sets_have_of_numbers_that_equal():
    @nb.njit
    def run(a, b):
        s, t = set(a), set(b)
        return len(s), len(s & t), len(s - t)

    assert run(np.array([0.0, 1.0, np.nan, -np.nan]), np.array([-0.0, np.nan, 3.0])) == (3, 2, 1)


def test_what_sets_have_of_tuples():
    @nb.njit
    def run(n):
        s = set([(i % 7, i * 0.5) for i in range(n)])
        t = set([(i % 5, i * 0.5) for i in range(n)])
        both, rest = s & t, s - t
        both.add((9, 9.0))
        return len(both), len(rest), (9, 9.0) in both, (5, 2.5) in rest

    s, t = ({(i % m, i * 0.5) for i in range(70)} for m in (7, 5))
    assert run(70) == (len(s & t) + 1, len(s - t), True, True)
