"""Generators: what a compiled generator yields, in Python and in compiled code, is what CPython's yields.

PYTEST_DONT_REWRITE: an `assert` in a compiled function must stay the one that is written there.
"""

import functools
import gc
import sys

import numbra as nb
import numpy as np
import pytest
from numbra.core.errors import TypingError, UnsupportedError

# Body of a generator function, its parameters, arguments.
BODIES = [
    ("for i in range(n):\n    yield i", "n", [(5,), (0,)]),
    ("for i in range(n):\n    yield i\n    for j in range(1, 3):\n        yield i + j", "n", [(4,)]),
    ("yield x\nyield x + 1.5\nyield x + 1j", "x", [(2,)]),
    ("for i in range(3):\n    yield z\n    yield y + z\nreturn\nyield x", "x, y, z", [(5, 6, 7)]),
    ("yield True\nyield n > 2", "n", [(3,)]),
    ("yield n, n / 2\nyield 3, 4.0", "n", [(3,)]),
    ("yield\nyield", "", [()]),
    ("a, b = 0, 1\nwhile a < n:\n    yield a\n    a, b = b, a + b", "n", [(60,)]),
    ("i = 0\nwhile True:\n    if i > n:\n        return\n    if i % 3:\n        yield i\n    i += 1", "n", [(11,)]),
    # what stays alive over a yield
    ("for x in a:\n    yield x", "a", [(np.arange(4.0),), (np.arange(6).reshape(3, 2),), (np.arange(0),)]),
    ("for x in a.flat:\n    yield x", "a", [(np.arange(6).reshape(3, 2).T,)]),
    ("for i, x in np.ndenumerate(a):\n    yield i\n    yield i", "a", [(np.arange(6).reshape(3, 2),)]),
    ("for i in np.ndindex(2, n):\n    yield i", "n", [(3,), (0,)]),
    ("for i, (x, y) in enumerate(zip(a, b)):\n    yield i * x\n    yield y", "a, b", [(np.arange(3), np.ones(4))]),
    ("t = np.zeros(n)\nfor i in range(n):\n    t[i] = i\n    yield t.sum()\n    t = t + 1", "n", [(4,)]),
    ("l = [0]\nfor i in range(n):\n    l.append(i)\n    yield len(l)\n    yield l[-1]", "n", [(4,)]),
    ("for x in [n, n + 1]:\n    yield x", "n", [(4,)]),
    ("for x in {n}:\n    yield x", "n", [(4,)]),
    ("for x in (n, 2, 3):\n    yield x * 2", "n", [(4,)]),
    ("m = [[i] for i in range(n)]\nfor l in m:\n    l.append(7)\n    yield l", "n", [(3,)]),
    (
        "a = np.zeros(1)\nfor i in range(n):\n    b = a\n    a = np.full(2, i * 0.5)\n    yield a + b[0]\n    yield b",
        "n",
        [(4,)],
    ),
    (
        "for k in range(n):\n    if k % 2:\n        a = np.arange(k)\n    else:\n        a = np.arange(k + 1)[::-1]\n"
        "    yield a\n    yield a[:1]",
        "n",
        [(4,)],
    ),
    (
        "x = 0.0\nfor i in range(n):\n    try:\n        if i == 1:\n            raise ValueError\n        x = x + i\n"
        "    except Exception:\n        x = -1.0\n    yield x",
        "n",
        [(4,)],
    ),
    ("t = (n, n + 1.5, True)\nyield t[1], True\nyield t[0] + t[1], t[2]", "n", [(4,)]),
    ("yield s\nyield s + 1j", "s", [(1j,), (np.float32(2.5),)]),
    (
        "for i in range(n):\n    a = np.sort(a)[::-1] + i\n    yield a[0]\n    yield np.cumsum(a)[-1]",
        "n, a",
        [(3, np.arange(3.0))],
    ),
    ("for i in range(n):\n    a = np.array([j + i for j in range(i)])\n    yield a.sum(), len(a)", "n", [(4,)]),
    ("t = (n, 2, 3)\nfor i in range(3):\n    yield t[i]\n    yield i + t[i]", "n", [(4,)]),
    ("l = [(i, np.arange(i)) for i in range(n)]\nfor i, a in l:\n    yield a\n    yield a[:i]", "n", [(3,)]),
    ("k = np.int8(n)\nb = n > 2\nyield k\nif b:\n    yield k + k", "n", [(4,), (1,)]),
]


def functions(body, parameters):
    text = f"def f({parameters}):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    space = {"np": np, "reduce": functools.reduce}
    exec(text, space)
    return space["f"], nb.njit(space["f"])


def plain(value):
    if isinstance(value, (list, tuple)):
        return type(value)(plain(item) for item in value)
    if isinstance(value, np.ndarray):
        return ("array", str(value.dtype), value.tolist())
    return value.item() if isinstance(value, np.generic) else value


CASES = [(body, parameters, args) for body, parameters, rows in BODIES for args in rows]


@pytest.mark.parametrize("body, parameters, args", CASES)
def test_as_cpython(body, parameters, args):
    python, compiled = functions(body, parameters)
    expected = [plain(x) for x in python(*args)]
    generator = compiled(*args)
    assert iter(generator) is generator
    got = [plain(x) for x in generator]
    assert got == expected
    for _ in range(2):
        with pytest.raises(StopIteration):
            next(generator)


@pytest.mark.parametrize("body, parameters, args", CASES)
def test_in_compiled_code(body, parameters, args):
    python, compiled = functions(body, parameters)
    steps = len(list(python(*args)))

    @nb.njit
    def count(generator):
        n = 0
        for _ in generator:
            n += 1
        return n

    @nb.njit
    def of_its_own(*args):
        n = 0
        for _ in compiled(*args):
            n += 1
        return n

    assert count(compiled(*args)) == steps
    assert of_its_own(*args) == steps


@nb.njit
def upto(n):
    i = 0
    while i < n:
        yield i
        i += 1


def test_consumers():
    @nb.njit
    def f(n):
        total = sum(upto(n)) + 10 * len(list(upto(n)))
        for i, (x, y) in enumerate(zip(upto(n), upto(n + 1))):  # noqa: B905
            total += i * x + y
        return total, max(upto(n)), [x * x for x in upto(n)], sorted(upto(n), reverse=True)

    assert f(4) == (6 + 40 + 14 + 6, 3, [0, 1, 4, 9], [3, 2, 1, 0])


BUILTINS = [
    ("return any(l), all(l), any([x > 2 for x in l]), all([x > 0 for x in l])", "l", [([3, 1, 0],), ([1],)]),
    ("return any(a), all(a)", "a", [(np.zeros(2),), (np.ones(2),), (np.zeros(0),)]),
    ("return list(map(lambda x: x + 1, l)), list(map(lambda x, y: x * y, l, a))", "l, a", [([3, 1], np.arange(5.0))]),
    ("s = 0\nfor x in map(lambda x, y, z: x + y * z, l, l, l):\n    s += x\nreturn s", "l", [([3, 1],)]),
    ("return list(filter(lambda x: x > 1, l)), list(filter(None, l))", "l", [([3, 0, 1],)]),
    ("return [x for x in filter(lambda x: x % 2, map(lambda x: x * 3, range(n)))]", "n", [(5,)]),
    ("return reduce(lambda x, y: x * y, l), reduce(lambda x, y: x + y, l, 0.5)", "l", [([3, 2, 4],)]),
    ("return reduce(lambda x, y: x * y, range(n))", "n", [(0,), (1,), (3,)]),
    ("return list(reversed(l)), [i for i in reversed(range(2, n, 3))]", "l, n", [([3, 2, 4], 9), ([3], 0)]),
    ("return [x for x in reversed(a)], list(reversed((1, 2, 3)))", "a", [(np.arange(3.0),)]),
    ("return [i for i in reversed(range(n, -n, -2))]", "n", [(5,), (0,), (-3,)]),
]


@pytest.mark.parametrize("body, parameters, args", [(b, p, args) for b, p, rows in BUILTINS for args in rows])
def test_builtins_over_iterables(body, parameters, args):
    python, compiled = functions(body, parameters)
    try:
        expected = plain(python(*args))
    except TypeError as error:
        with pytest.raises(TypeError, match=str(error).split("(")[0]):
            compiled(*args)
        return
    assert plain(compiled(*args)) == expected


def test_next_and_shared_state():
    @nb.njit
    def f(n):
        g = upto(n)
        a = next(g)
        h = g
        b = next(h)
        c = 0
        for x in g:
            c = c * 10 + x
        return a, b, c

    assert f(4) == (0, 1, 23)
    with pytest.raises(StopIteration):
        f(1)


def test_a_generator_in_a_generator():
    @nb.njit
    def pairs(n):
        for i in upto(n):
            for j in upto(i):
                yield i, j

    assert list(pairs(4)) == [(i, j) for i in range(4) for j in range(i)]


def test_passed_in_half_way():
    @nb.njit
    def rest(g):
        return [x for x in g]

    g = upto(5)
    assert next(g) == 0
    assert next(g) == 1
    assert rest(g) == [2, 3, 4]
    assert rest(g) == []


def test_returned_from_compiled_code():
    @nb.njit
    def make(n):
        g = upto(n)
        next(g)
        return g

    assert list(make(4)) == [1, 2, 3]
    made = make(3)
    del make
    gc.collect()
    assert list(made) == [1, 2]


def test_defaults_and_keywords():
    @nb.njit
    def g(x=1, y=2, b=False):
        yield x
        if b:
            yield x + y

    assert list(g()) == [1]
    assert list(g(b=True, y=5)) == [1, 6]
    assert list(g(3)) == [3]


def test_explicit_signature():
    g = nb.jit((nb.int32,), nopython=True)(upto.py_func)
    assert list(g(3)) == [0, 1, 2]


def test_an_error_ends_it():
    @nb.njit
    def f(a):
        for i in range(9):
            yield a[i] if i < 3 else 1 // (3 - i)

    g = f(np.arange(3))
    assert [next(g), next(g), next(g)] == [0, 1, 2]
    with pytest.raises(ZeroDivisionError):
        next(g)
    with pytest.raises(StopIteration):
        next(g)

    @nb.njit
    def total(a):
        s = 0
        for x in f(a):
            s += x
        return s

    with pytest.raises(ZeroDivisionError):
        total(np.arange(3))


def live():
    gc.collect()
    allocated, freed = nb._numbra._allocation_counts()
    return allocated - freed


def test_what_it_holds_goes():
    @nb.njit
    def f(n, a):
        t = np.zeros(n)
        kept = [t]
        for i in range(n):
            yield t + a
            kept.append(t + i)
            t = kept[-1]

    @nb.njit
    def some(n, a):
        g = f(n, a)
        next(g)
        if n > 5:
            raise ValueError("enough")
        return next(g)

    a = np.ones(3)
    before, references = live(), sys.getrefcount(a)
    for use in (list, next, lambda g: None, lambda g: [next(g), next(g)]):
        use(f(3, a))
        assert live() == before
        assert sys.getrefcount(a) == references
    some(3, a)
    with pytest.raises(ValueError):
        some(6, np.ones(6))
    assert live() == before
    assert sys.getrefcount(a) == references
    g = f(3, a)
    assert sys.getrefcount(a) > references
    list(g)  # Ended: it holds nothing any more.
    assert sys.getrefcount(a) == references


def test_an_argument_outlives_its_call():
    @nb.njit
    def f(a):
        for i in range(a.size):
            yield a[i]

    g = f(np.arange(1000.0))
    junk = [np.full(1000, -1.0) for _ in range(20)]
    assert sum(g) == 499500.0
    assert len(junk) == 20


def test_the_type():
    g = upto(3)
    ty = nb.typeof(g)
    assert isinstance(ty, nb.types.Generator)
    assert ty.yield_type == nb.int64
    assert ty.arg_types == (nb.int64,)
    assert upto.nopython_signatures[0].return_type == ty


def test_typing_errors_are_numbas():
    @nb.njit
    def mixed():
        yield None
        yield 1j

    with pytest.raises(TypingError, match="Can't unify yield type from the following types: complex128, none"):
        mixed()

    @nb.njit
    def nothing():
        if 0:
            yield 1

    with pytest.raises(TypingError, match="Cannot type generator: it does not yield any value"):
        nothing()


def test_generators_in_functions_are_refused():
    @nb.njit
    def f(x):
        return sum(i * 2 for i in x)

    with pytest.raises(UnsupportedError, match="The use of yield in a closure is unsupported"):
        f(np.arange(3))


# What a function that makes a generator and loops over it does: a body over the generators `f` and `g`.
LOOPS = [
    "s = 0.0\nfor x in f(np.arange(500.0), n):\n    junk = np.full(500, -1.0)\n    s += x[1] + junk[0]\nreturn s",
    "s = 0.0\nfor k in range(n):\n    for x in f(np.ones(k), k):\n        s = s * 1.5 + x.sum()\nreturn s",
    "s = 0.0\nfor x in f(np.arange(5.0), n):\n    if x[0] > 2:\n        break\n    s += x[2]\nreturn s",
    "s = 0.0\ni = f(np.arange(5.0), n)\nfor x in i:\n    s += x[2]\n    break\nfor x in i:\n    s -= x[1]\nreturn s",
    "l = [np.zeros(2)]\nfor x in f(np.arange(2.0), n):\n    l.append(x)\nreturn l[-1][0] + len(l)",
    "s = 0.0\nfor x, y in zip(f(np.arange(5.0), n), f(np.ones(5), n + 1)):\n    s += (x * y).sum()\nreturn s",
    "s = 0.0\nfor i, x in enumerate(f(np.arange(5.0), n)):\n    s += i * x[-1]\nreturn s",
    "s = 0\nfor x in g(n):\n    for y in g(x):\n        s += x * y + 1\nreturn s",
    "s = 0\nfor x in g(n):\n    if x % 3 == 1:\n        continue\n    s = s * 3 + x\nreturn s",
    "if n > 2:\n    i = g(n)\nelse:\n    i = g(7)\ns = 0\nfor x in i:\n    s += x\nreturn s",
    "s = 0\nfor x in g(n):\n    if x > 2:\n        raise ValueError\n    s += x\nreturn s",
    "i = g(n)\ns = 0\ntry:\n    for x in i:\n        s += 10 // (x - 2)\nexcept Exception:\n    s = -s\nreturn s",
]


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize("loop", LOOPS)
def test_loops_over_generators_that_they_make(loop, tier):
    def f(a, n):
        b = a + 1
        for i in range(n):
            yield b
            if i % 2:
                b = b * 2 + a[0]
                yield b[::-1] + i

    def g(n):
        k = n
        while k > 0:
            yield k
            k -= 1
            if k == 3:
                yield -1

    body = "".join(f"    {line}\n" for line in loop.splitlines())
    text = f"def use(n):\n{body}"
    space, compiled = {"np": np, "f": f, "g": g}, {"np": np, "f": nb.njit(f), "g": nb.njit(g)}
    exec(text, space)
    exec(text, compiled)
    use = nb.njit(tier=tier)(compiled["use"])
    before = live()
    for n in (0, 1, 2, 3, 4, 7):
        try:
            expected = space["use"](n)
        except (ValueError, UnboundLocalError, IndexError) as error:
            with pytest.raises(type(error)):
                use(n)
        else:
            assert use(n) == expected
        assert live() == before


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_both_tiers(tier):
    @nb.njit(tier=tier)
    def g(a, n):
        kept = [0.0]
        for i in range(n):
            for x in a:
                kept.append(x + i)
                yield len(kept), kept[-1]

    def reference(a, n):
        count = 1
        for i in range(n):
            for x in a:
                count += 1
                yield count, x + i

    a = np.arange(3.0)
    assert list(g(a, 3)) == list(reference(a, 3))


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_short_tuples(tier):
    """Items of short tuples are chosen, those of longer ones and references are looked up."""

    @nb.njit(tier=tier)
    def run(x, y, z, text):
        total, names = 0.0, 0
        for a in (x, y):
            for b in (a, z, -a):
                total = total * 3 + b
        for a, b in ((x, y), (y, z), (z, x), (x, x)):
            total = total * 2 + a - b
        for a, b in ((x, y), (y, z), (z, x), (x, x), (y, y)):
            total = total * 2 + a - b
        for name in (text, text):
            names += len(name)
        for a in (z,):
            total += a
        for flag in (x > 1, y > 1, z > 1):
            total = -total if flag else total
        return total, names

    assert run(1.5, -2.0, 0.25, "ab") == run.py_func(1.5, -2.0, 0.25, "ab")
