"""Who owns what at the boundary: every kind of value, in every nesting, at every position, with every outcome.

A cell of the table calls a compiled function with a value whose leaves are watched: their reference counts and
the native objects that are alive must be the same before and after, and results must be right when the arguments
are gone and other memory has taken their place. ``python tests/py/memory/test_ownership.py`` prints the whole table.
"""

import array
import collections
import datetime
import enum
import gc
import itertools
import os
import sys
import time

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra
from numbra.core.errors import NumbaError

Pair = collections.namedtuple("Pair", "held number")
RECORD = np.dtype([("a", np.float64), ("b", np.int32)])


class Colour(enum.Enum):
    RED = 1


class Size(tuple):
    """As ``torch.Size``."""


@nb.njit
def steps(a):
    for x in a:  # noqa: UP028
        yield x


@nb.njit
def jitted(x):
    return x


@nb.cfunc("int64(int64)")
def callback(x):
    return x


def text(start):
    # Made at run time: no constant of this module.
    return "".join([start, "é" * 40, str(len(start))])


def read_only(a):
    a.flags.writeable = False
    return a


def started():
    g = steps(np.arange(50.0))
    next(g)
    return g


def record_array():
    return np.array([(1.5, 2), (2.5, 3)], dtype=RECORD)


LEAVES = {
    "int": lambda: 2**40,
    "float": lambda: 2.5,
    "complex": lambda: 1 - 2j,
    "bool": lambda: True,
    "none": lambda: None,
    "float32": lambda: np.float32(1.5),
    "date": lambda: np.datetime64("2020-02-02", "s"),
    "duration": lambda: np.timedelta64(70, "s"),
    "member": lambda: Colour.RED,
    "array": lambda: np.arange(50.0),
    "array of order F": lambda: np.asfortranarray(np.arange(60.0).reshape(6, 10)),
    "array with gaps": lambda: np.arange(100.0)[::2],
    "read-only array": lambda: read_only(np.arange(50)),
    "array of dates": lambda: np.arange("2020-01-01", "2020-03-01", dtype="M8[D]"),
    "array of records": record_array,
    "array of text": lambda: np.array(["abc", "de"]),
    "record": lambda: record_array()[1],
    "str": lambda: text("a"),
    "bytes": lambda: bytes(range(200)),
    "np.str_": lambda: np.str_(text("b")),
    "np.bytes_": lambda: np.bytes_(bytes(range(1, 200))),
    "bytearray": lambda: bytearray(range(200)),
    "memoryview": lambda: memoryview(bytearray(range(200))),
    "array.array": lambda: array.array("d", range(50)),
    "generator": started,
    "function": lambda: jitted,
    "callback": lambda: callback,
    "random generator": lambda: np.random.default_rng(7),
    "polynomial": lambda: np.polynomial.Polynomial([1.0, 2.0, 3.0]),
    "list": lambda: [1.5, 2.5],
    "list of arrays": lambda: [np.arange(50.0), np.arange(20.0)],
    "set": lambda: {1, 5},
}

NESTS = {
    "tuple": lambda x: (x, 7),
    "named": lambda x: Pair(x, 7),
    "class of tuples": lambda x: Size((7, x)),
    "list": lambda x: [x],
}


def nestings(depth):
    """Ways to nest, outermost first; what Python lists cannot hold directly is left out."""
    for n in range(depth + 1):
        for ways in itertools.product(NESTS, repeat=n):
            if not any(pair == ("list", "list") for pair in itertools.pairwise(ways)):
                yield ways


def nested(leaf, ways):
    value = LEAVES[leaf]()
    for way in reversed(ways):
        value = NESTS[way](value)
    return value


def watched(value):
    """The objects whose references count."""
    if isinstance(value, (list, tuple, set)):
        own = [] if isinstance(value, tuple) else [value]
        return own + [x for item in value for x in watched(item)]
    immortal = (int, float, complex, bool, type(None), enum.Enum)
    return [] if isinstance(value, immortal) else [value]


def plain(value):
    """A value in a form that compares, whatever classes it came back with."""
    if isinstance(value, np.ndarray):
        return "array", value.dtype.str, value.tolist()
    if isinstance(value, np.void):
        return "record", value.tolist()
    if isinstance(value, (list, tuple)):
        return ("list" if isinstance(value, list) else "tuple", *map(plain, value))
    if isinstance(value, type(started())):
        return "generator", list(value)
    if isinstance(value, np.polynomial.Polynomial):
        return "polynomial", value.coef.tolist()
    if isinstance(value, np.random.Generator):
        return "random", value.random()
    if isinstance(value, (np.generic, datetime.date)):
        return plain(value.item()) if not isinstance(value, (np.datetime64, np.timedelta64)) else str(value)
    return value


def churn():
    """Other memory in the place of what was freed."""
    return [
        [np.full(n, -7.0) for n in (20, 50, 60, 100)],
        ["x" * n for n in (43, 83, 200)],
        [bytes([255]) * n for n in (199, 200, 233)],
    ]


def ignored(x):
    return 0


def result(x):
    return x


def twice(x):
    return x, x


def in_list(x):
    return [x, x]


def optional(x):
    if np.random.random() < 2.0:
        return x
    return None


def kept(x):
    yield 1
    yield 2


def yielded(x):
    yield x
    yield x


def raises(x):
    y = (x, 1)
    raise ValueError("raised")
    return y


def raises_with(x):
    items = [x]
    if len(items) == 1:
        raise KeyError(len(items))
    return items


def beside(x, y):
    return len(y)


#: What is done with the value: the function, and how it is called and its result used.
POSITIONS = {
    "argument": (ignored, lambda f, x: f(x)),
    "result": (result, lambda f, x: f(x)),
    "tuple": (twice, lambda f, x: f(x)),
    "list": (in_list, lambda f, x: f(x)),
    "optional": (optional, lambda f, x: f(x)),
    "generator": (kept, lambda f, x: next(f(x))),
    "whole generator": (kept, lambda f, x: list(f(x))),
    "yielded": (yielded, lambda f, x: next(f(x))),
    "exception": (raises, lambda f, x: f(x)),
    "exception with a list": (raises_with, lambda f, x: f(x)),
    "beside a failing list": (beside, lambda f, x: f(x, [1, "a"])),
    "in a failing list, first": (ignored, lambda f, x: f([x, datetime])),
    "in a failing list, last": (ignored, lambda f, x: f([x, x, x, datetime])),
    "in a failing tuple of a list": (ignored, lambda f, x: f([(x, 1), (x, "a")])),
    "in a failing nested tuple": (ignored, lambda f, x: f([(x, (x, 1)), (x, (x, "a"))])),
    "in a failing set of a list": (ignored, lambda f, x: f([(x, {1}), (x, {1, 2.5})])),
}

WANT = {
    "argument": lambda x: 0,
    "result": lambda x: x,
    "tuple": lambda x: (x, x),
    "list": lambda x: [x, x],
    "optional": lambda x: x,
    "generator": lambda x: 1,
    "whole generator": lambda x: [1, 2],
    "yielded": lambda x: x,
}

RAISED = {"exception": ValueError, "exception with a list": KeyError}


def live():
    allocated, freed = _numbra._allocation_counts()
    return allocated - freed


def outcome(call, function, value):
    """`ok` with what is returned, or the class of the exception."""
    try:
        return "ok", call(function, value)
    except Exception as error:
        return type(error), str(error)


def refuses(leaf, ways, position):
    """What cannot be passed or returned at all."""
    if leaf in ("list", "list of arrays", "set") and ways[-1:] == ("list",):
        return True  # containers directly in lists
    if leaf in ("bytearray", "memoryview", "array.array"):
        # No native form becomes such an object again; a list that was not changed is returned as it is.
        returned = ("result", "tuple", "list", "optional", "yielded")
        return position in returned and "list" not in ways
    return leaf == "member" and not ways and position == "optional"


def cell(leaf, ways, position):
    """The outcome of a cell of the table, `ok` or `refused`. An assertion fails where references are lost or left."""
    where = f"{leaf} in {ways} as {position}"
    body, call = POSITIONS[position]
    function = nb.njit(body)
    value = nested(leaf, ways)
    kind, said = outcome(call, function, value)
    assert kind is not SystemError, f"{where}: {said}"
    if position not in WANT:
        assert kind is not str, where
        expected = RAISED.get(position, TypeError)
        if not (isinstance(kind, type) and issubclass(kind, expected)):
            assert kind != "ok", f"{where}: {said!r}"
            assert "Error" in kind.__name__, f"{where}: {kind} {said}"
        done = kind.__name__ if kind is not expected else "ok"
    else:
        done = "ok" if kind == "ok" else "refused"
        if done == "refused":
            assert issubclass(kind, (TypeError, NumbaError)), f"{where}: {kind} {said}"
        assert (done == "refused") == refuses(leaf, ways, position), f"{where}: {done} {said!r}"
    del said
    objects = watched(value)
    for _ in range(2):
        outcome(call, function, value)
    # Exceptions may leave cycles: only what is left after a collection counts, which few cells need. What is dropped
    # while an entry runs goes when the extension is entered the next time, which `live` does.
    for settle in (lambda: None, gc.collect):
        settle()
        before = live(), [sys.getrefcount(x) for x in objects]
        for _ in range(5):
            outcome(call, function, value)
        settle()
        after = live(), [sys.getrefcount(x) for x in objects]
        if after == before:
            break
    assert after == before, f"{where}: {before} -> {after}"
    del objects, value
    if done == "ok" and position in WANT and leaf not in ("random generator", "generator"):
        got = call(function, nested(leaf, ways))
        del function
        memory = churn()
        assert plain(got) == plain(WANT[position](nested(leaf, ways))), where
        del memory
    return done


@pytest.mark.parametrize("leaf", LEAVES)
def test_every_position_is_balanced(leaf):
    for ways, position in itertools.product(nestings(1), POSITIONS):
        cell(leaf, ways, position)


@pytest.mark.parametrize("leaf", ["array", "str", "generator"])
@pytest.mark.parametrize("position", ["result", "whole generator", "in a failing nested tuple"])
def test_nesting_of_depth_three_is_balanced(leaf, position):
    for ways in nestings(3):
        cell(leaf, ways, position)


def test_results_keep_arrays_of_nested_tuples():
    f = nb.njit(lambda items: items[0][1][0])
    results = [f([(1, (np.arange(1000.0), 2))]) for _ in range(20)]
    memory = [np.full(1000, -7.0) for _ in range(100)]
    assert all(np.array_equal(r, np.arange(1000.0)) for r in results)
    results[0][:] = 5.0
    assert all(np.all(m == -7.0) for m in memory)


def test_items_outlive_changes_of_their_list():
    @nb.njit
    def walk(items):
        for x in items:  # noqa: UP028
            yield x

    items = [f"ab{i}" * 100 for i in range(5)]
    want = list(items)
    g = walk(items)
    got = [next(g)]
    items.clear()
    memory = [f"cd{i}" * 100 for i in range(1000)]
    assert got + list(g) == want
    assert len(memory) == 1000


def fill_code_memory():
    for i in range(40):
        nb.njit(eval(f"lambda x: x * {i} + {i + 1}"))(1)


@pytest.mark.parametrize("tier", ["cranelift", "llvm", "auto"])
def test_arrays_over_constant_bytes_keep_their_code(tier):
    def made():
        def over():
            return np.frombuffer(b"abcdefgh", np.uint8)

        def beside(n):
            a = np.frombuffer(b"ijklmnop", np.uint8)
            return (n, (a, [a[1:]]))

        def steps(n):
            for _ in range(n):
                yield np.frombuffer(b"qrstuvwx", np.uint8)

        def listed(n):
            return [np.frombuffer(b"12345678", np.uint8) for _ in range(n)]

        f, g, h, k = (nb.njit(tier=tier)(f) for f in (over, beside, steps, listed))
        first = nb.njit(tier=tier)(first_of)
        return f(), g(3), next(h(2)), first(h(3)), k(2)

    results = made()
    gc.collect()
    fill_code_memory()
    whole, (_, (part, [rest])), step, passed, listed = results
    assert whole.tobytes() == b"abcdefgh"
    assert part.tobytes() == b"ijklmnop" and rest.tobytes() == b"jklmnop"
    assert step.tobytes() == passed.tobytes() == b"qrstuvwx"
    assert [a.tobytes() for a in listed] == [b"12345678"] * 2


def first_of(g):
    for a in g:
        return a
    return np.zeros(1, np.uint8)


def test_generators_keep_the_code_of_those_that_they_take():
    def made():
        def numbers(a):
            for x in a:  # noqa: UP028
                yield x

        def through(g):
            for x in g:  # noqa: UP028
                yield x

        return nb.njit(through)(nb.njit(numbers)(np.arange(1000.0)))

    g = made()
    gc.collect()
    fill_code_memory()
    memory = [np.full(1000, -7.0) for _ in range(100)]
    assert sum(g) == 499500.0
    assert len(memory) == 100


def test_a_list_of_generators_gives_up_what_it_took():
    count = nb.njit(len_of)
    g = steps(np.arange(5.0))
    assert next(g) == 0.0
    for _ in range(5):
        assert count([g]) == 1
        assert count([(g, 1), (g, 2)]) == 2
    assert list(g) == [1.0, 2.0, 3.0, 4.0]


def len_of(items):
    return len(items)


def test_lists_in_tuples_of_lists_are_written_back():
    @nb.njit
    def change(items, other):
        items[0][0].append(5)
        other.append(len(items[1][0]))
        return items[0][0]

    inner, last = [1], [2]
    items = [(inner, 1), (inner, 2), (last, 3)]
    got = change(items, last)
    assert got is inner
    assert inner == [1, 5]
    assert last == [2, 2]
    assert items == [([1, 5], 1), ([1, 5], 2), ([2, 2], 3)]


class Number:
    """An integer to signatures, which asks compiled code for its value."""

    _numba_type_ = nb.int64

    def __init__(self, ask):
        self.ask = ask

    def __index__(self):
        return self.ask()


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_calls_while_arguments_are_unboxed(tier):
    def extend(first, number, second, pair):
        first.append(number)
        second.append(number)
        pair[0].append(len(second))
        return first, second, pair[0]

    items, others = [1, 2], [3, 4]
    lists = nb.types.List(nb.int64, reflected=True)
    f = nb.njit([nb.int64(lists)], tier=tier)(lambda items: items[0])
    pair = nb.types.Tuple((lists, nb.int64))
    result = nb.types.Tuple((lists, lists, lists))
    g = nb.njit([result(lists, nb.int64, lists, pair)], tier=tier)(extend)
    depth = []

    def ask():
        depth.append(None)
        # The same function with the same lists, the other way round.
        inner = Number(ask) if len(depth) < 3 else 5
        got = g(others, inner, items, (others, 1))
        assert got[0] is others and got[1] is items and got[2] is others
        return f(items)

    memory = []
    for _ in range(20):
        depth.clear()
        del items[2:], others[2:]
        got = g(items, Number(ask), items, (others, 0))
        assert got[0] is items and got[1] is items and got[2] is others
        # What calls that were made meanwhile did to a list that this one had read is overwritten.
        assert items[:2] == [1, 2] and items[-2:] == [1, 1] and others[-1] == len(items)
        memory.append(np.full(8, -7))


def test_finalisers_call_while_arguments_are_unboxed():
    @nb.njit
    def total(first, pairs, second):
        first.append(len(pairs))
        return len(first) + len(second) + len(pairs)

    items, pairs = [1, 2], [(1, "a"), (2, "b")]
    calls = []

    class Cycle:
        def __init__(self):
            self.itself = self

        def __del__(self):
            calls.append(total(items, pairs, items))

    thresholds = gc.get_threshold()
    total([1], pairs, [1])
    try:
        gc.set_threshold(1)
        for _ in range(50):
            Cycle()
            assert total([1], pairs, [1]) == 5
    finally:
        gc.set_threshold(*thresholds)
    gc.collect()
    assert len(calls) == 50 and items == [1, 2, *[2] * 50]


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_constant_texts_outlive_their_code(tier):
    record = np.dtype([("text", "U8"), ("bytes", "S8")])

    def results():
        jit = nb.njit(tier=tier)

        def writes(a, items):
            a[0].text = "field é"
            a[0].bytes = b"field"
            items.append("item of a list é")
            return a[0]

        def yields():
            yield "first of a generator"
            yield "second of a generator"

        def raises():
            raise ValueError("raised é", ("in a tuple", 1))

        steps = jit(yields)()
        items = [""]
        made = [
            jit(lambda: "a text of the code é")(),
            jit(lambda: ("in a tuple é", 1, ("deeper", "é")))(),
            jit(lambda: ["in a list é"])(),
            jit(writes)(np.zeros(1, record), items),
            next(steps),
            items,
        ]
        with pytest.raises(ValueError) as error:
            jit(raises)()
        return made, steps, error.value.args

    made, steps, args = results()
    gc.collect()
    fill_code_memory()
    text, in_tuple, in_list, row, first, items = made
    assert text == "a text of the code é"
    assert in_tuple == ("in a tuple é", 1, ("deeper", "é"))
    assert in_list == ["in a list é"]
    assert row["text"] == "field é" and row["bytes"] == b"field"
    assert [first, *steps] == ["first of a generator", "second of a generator"]
    assert items == ["", "item of a list é"]
    assert args == ("raised é", ("in a tuple", 1))


@pytest.mark.parametrize(
    "value, index",
    [
        (Size((2, 3)), 1),
        (time.gmtime(0), 0),
        (os.stat("/"), 0),
        (sys.float_info, 2),
    ],
)
def test_instances_of_classes_of_tuples_are_tuples(value, index):
    item = eval(f"lambda t: t[{index}]")
    inner = eval(f"lambda t: t[0][{index}]")
    assert nb.njit(item)(value) == value[index]
    assert nb.njit(inner)((value, 1)) == value[index]
    assert nb.njit(inner)([value, value]) == value[index]


def test_named_tuples_are_no_plain_tuples():
    f = nb.njit(len_of)
    with pytest.raises(TypeError, match="heterogeneous list"):
        f([(1, 2), Pair(1, 2)])


CLAIMS = [
    nb.float64[::1],
    nb.float64[:, :],
    *(nb.typeof(LEAVES[leaf]()) for leaf in LEAVES if leaf not in ("function", "none")),
    nb.typeof((1, 2)),
    nb.typeof((1, np.zeros(2))),
    nb.typeof(slice(1, 2)),
    nb.types.Optional(nb.float64[::1]),
]


@pytest.mark.parametrize("claim", CLAIMS, ids=str)
def test_what_lies_about_its_type_is_a_type_error(claim):
    class Liar:
        _numba_type_ = claim

    class LyingArray(np.ndarray):
        _numba_type_ = claim

    f = nb.njit(ignored)
    for liar in (Liar(), np.arange(3, dtype=np.int8).view(LyingArray)):
        if isinstance(claim, (nb.types.Integer, nb.types.Float, nb.types.Complex, nb.types.Boolean)):
            continue  # read by Python's protocols, as any number
        for value in (liar, (liar, 1), [liar], [(liar, 1)]):
            with pytest.raises(TypeError):
                f(value)


def test_scalars_lie_about_their_dtype():
    class Liar(np.float64):
        dtype = RECORD

    with pytest.raises(TypeError, match="cannot be read as one"):
        nb.njit(ignored)(Liar(1.0))


def test_outputs_of_object_mode_that_fail_leave_nothing():
    a = np.arange(5.0)
    bad = [(a, 1), (a, "x")]

    @nb.njit
    def f(n):
        with nb.objmode(m="List(Tuple((float64[::1], int64)))", t="Tuple((float64[::1], int64))"):
            t = (a, 1)
            m = bad if n else [(a, 1)]
        return len(m) + t[1]

    assert f(0) == 2
    for _ in range(2):
        with pytest.raises(TypeError):
            f(1)
    before = sys.getrefcount(a), live()
    for _ in range(5):
        with pytest.raises(TypeError):
            f(1)
        f(0)
    gc.collect()
    assert (sys.getrefcount(a), live()) == before


def main():
    depth = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    leaves = sys.argv[2].split(",") if len(sys.argv) > 2 else LEAVES
    bad = 0
    for leaf in leaves:
        rows = collections.defaultdict(collections.Counter)
        for ways, position in itertools.product(nestings(depth), POSITIONS):
            try:
                done = cell(leaf, ways, position)
            except AssertionError as error:
                done = "WRONG"
                bad += 1
                print(str(error)[:300])
            rows[position][done] += 1
        gc.collect()
        for position, row in rows.items():
            print(f"{leaf:20} {position:32} {dict(row)}")
    print(f"{bad} cells are wrong")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
