"""Dictionaries: displays, `dict`, methods and views in compiled code, and `typed.Dict` from Python, as CPython's."""

import copy
import gc
import pickle
import random
import weakref

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.errors import TypingError
from numbra.typed import Dict


def counted(xs):
    found = {}
    for x in xs:
        if x in found:
            found[x] += 1
        else:
            found[x] = 1
    keys, counts = [], []
    for x, n in found.items():
        keys.append(x)
        counts.append(n)
    return len(found), keys, counts


def words(text):
    found = {}
    for word in text.split():
        found[word] = found.get(word, 0) + 1
    out = ""
    for word, n in found.items():
        out += word + str(n) + ";"
    return out


def display(a, b):
    d = {a: 1.5, b: 2.5}
    d[a] = 3.5
    return len(d), d[a] + d[b], a in d, 99 in d, bool(d)


def views(n):
    d = {}
    for i in range(n):
        d[i] = i * i
    return list(d), list(d.keys()), list(d.values()), sum(d.values()), len(d.items()), max(d.keys())


def removed(n):
    d = {}
    for i in range(n):
        d[i] = -i
    for i in range(0, n, 3):
        del d[i]
    first = d.pop(1)
    missing = d.pop(0, 77)
    last = d.popitem()
    d[0] = 5
    return first, missing, last, list(d.keys()), list(d.values())


def methods(n):
    d = {0: 10}
    a = d.setdefault(1, 11)
    b = d.setdefault(0, 12)
    c = d.copy()
    c[2] = n
    d.update(c)
    e = d == c
    d.clear()
    return a, b, len(c), e, len(d), c != d, c.get(9, -1), c.get(0, -1)


def of_pairs(xs, ys):
    d = dict(zip(xs, ys))  # noqa: B905
    e = {x: y for x, y in zip(xs, ys) if y > 1}  # noqa: B905
    f = dict(d)
    f[xs[0]] = 9
    return len(d), len(e), d[xs[0]], f[xs[0]], list(e.values())


def arrays(n):
    d = {}
    for i in range(n):
        d[i % 3] = np.full(3, i)
    total = 0
    for a in d.values():
        total += a.sum()
    d.clear()
    return total


def tuples(n):
    d = {}
    for i in range(n):
        d[(i % 4, float(i % 3))] = i
    return len(d), d[(1, 1.0)], (9, 9.0) in d


def floats():
    d = {0.0: 1, 2.5: 2}
    d[-0.0] = 3
    return len(d), d[0.0], 2.5 in d


def nested(n):
    d = {}
    for i in range(n):
        d[i] = {i: i * 2}
    total = 0
    for inner in d.values():
        for v in inner.values():
            total += v
    return total


@pytest.mark.parametrize(
    ("function", "args"),
    [
        (counted, ([3, 1, 3, 2, 1, 3],)),
        (counted, (np.array([1.5, 2.5, 1.5]),)),
        (words, ("the cat the dog  the end",)),
        (words, ("äö ä äö €uro €uro a",)),
        (display, (4, 7)),
        (display, (4, 4)),
        (views, (7,)),
        (removed, (20,)),
        (methods, (5,)),
        (of_pairs, ([1, 2, 3], [4, 1, 6])),
        (arrays, (10,)),
        (tuples, (30,)),
        (floats, ()),
        (nested, (5,)),
    ],
)
def test_as_in_python(function, args):
    compiled = nb.njit(function)
    for _ in range(2):
        assert compiled(*args) == function(*args)


def test_exceptions():
    @nb.njit
    def get(d, k):
        return d[k]

    @nb.njit
    def remove(d, k):
        del d[k]

    @nb.njit
    def last(d):
        return d.popitem()

    @nb.njit
    def grow(d):
        for k in d:
            d[k + 100] = 1

    d = Dict.empty(types.int64, types.int64)
    for run in (lambda: get(d, 1), lambda: remove(d, 1), lambda: d[1], lambda: d.__delitem__(1)):
        with pytest.raises(KeyError) as error:
            run()
        assert error.value.args == (1,)
    for run in (lambda: last(d), lambda: d.popitem(), lambda: Dict().popitem()):
        with pytest.raises(KeyError, match="dictionary is empty"):
            run()
    texts = Dict.empty(types.unicode_type, types.int64)
    with pytest.raises(KeyError, match="missing"):
        get(texts, "missing")
    d[1] = 2
    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        grow(d)
    with pytest.raises(RuntimeError, match="dictionary changed size during iteration"):
        for k in d:
            del d[k]


def test_what_is_no_key():
    @nb.njit
    def of_lists():
        return {[1]: 2}

    @nb.njit
    def mixed():
        return {1: 2, "a": 3}

    with pytest.raises(TypingError, match="unhashable type: 'list'"):
        of_lists()
    for key in (np.ones(2), b"bytes", Dict({1: 2})):
        with pytest.raises(TypingError):
            Dict()[key] = 1
    with pytest.raises(TypingError, match="key_type is a numba type"):
        Dict.empty(int, int)
    with pytest.raises(Exception, match="keys of one type"):
        mixed()


def test_the_object_is_shared():
    @nb.njit
    def put(d, k, v):
        d[k] = v
        return d

    d = Dict.empty(types.unicode_type, types.float64)
    same = put(d, "a", 1.5)
    assert d["a"] == same["a"] == 1.5
    same["b"] = 2
    assert dict(d) == {"a": 1.5, "b": 2.0} and nb.typeof(d) is types.DictType(types.unicode_type, types.float64)
    assert str(nb.typeof(d)) == "DictType[unicode_type,float64]<iv=None>"


def test_from_python():
    d = Dict()
    assert len(d) == 0 and list(d) == [] and 1 not in d
    d[1] = "one"
    d[2] = "two"
    d[1] = "uno"
    assert repr(d) == "{1: 'uno', 2: 'two'}" and list(d.items()) == [(1, "uno"), (2, "two")]
    assert d == {1: "uno", 2: "two"} and d.get(3) is None and d.pop(1) == "uno" and len(d) == 1
    for made in (copy.copy(d), pickle.loads(pickle.dumps(d)), d.copy(), Dict(d), Dict({2: "two"})):
        assert made == d and type(made) is Dict and nb.typeof(made) is nb.typeof(d)
    for key, value in (("x", "y"), (1, 2.5)):
        with pytest.raises(TypingError, match="cannot safely cast"):
            d[key] = value
    with pytest.raises(TypeError, match="has no type yet"):
        nb.njit(lambda d: len(d))(Dict())


def test_made_in_compiled_code():
    @nb.njit
    def empty(x):
        d = Dict.empty(key_type=types.unicode_type, value_type=types.float32)
        e = Dict()
        e[x] = d
        d["a"] = x
        return e, Dict([(1, 2.5)])

    made, pairs = empty(3)
    assert str(nb.typeof(made)) == "DictType[int64,DictType[unicode_type,float32]<iv=None>]<iv=None>"
    assert made == {3: {"a": 3.0}} and pairs == {1: 2.5}

    reflected = types.List(types.int64)

    @nb.njit
    def forbidden():
        return Dict.empty(types.int64, reflected)

    with pytest.raises(TypingError, match="as value is forbidden"):
        forbidden()


@pytest.mark.parametrize("text", [False, True])
def test_many_changes(text):
    @nb.njit
    def change(d, k, v, remove):
        if remove:
            if k in d:
                del d[k]
        else:
            d[k] = v

    rng = random.Random(7)
    key, ty = (str, types.unicode_type) if text else (int, types.int64)
    model, d = {}, Dict.empty(ty, types.int64)
    for step in range(3000):
        k, remove = key(rng.randrange(200)), rng.random() < 0.4
        change(d, k, step, remove)
        if remove:
            model.pop(k, None)
        else:
            model[k] = step
    assert list(d.items()) == list(model.items())


def test_print(capfd):
    @nb.njit
    def show(d):
        print(d, len(d))

    show(Dict({1: "a", 2: "b"}))
    assert capfd.readouterr().out == "{1: 'a', 2: 'b'} 2\n"


def test_first_an_integer_then_a_float():
    @nb.njit
    def mixed(n):
        d = {}
        d[0] = n
        d[1] = n / 2
        return d

    assert str(nb.typeof(mixed(3))) == "DictType[int64,float64]<iv=None>" and mixed(3) == {0: 3.0, 1: 1.5}
    with pytest.raises(TypingError, match="cannot safely cast complex128 to int64"):
        nb.njit(lambda d: d.update({1: 2j}))(Dict({1: 2}))


def test_dicts_as_arguments_results_and_fields():
    @nb.njit
    def total(pair):
        d, scale = pair
        out = {}
        for k, v in d.items():
            out[k] = v * scale
        return out, len(d)

    d = Dict.empty(types.int64, types.float64)
    d[3] = 0.5
    made, count = total((d, 2.0))
    assert made == {3: 1.0} and count == 1 and type(made) is Dict


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_tiers(tier):
    f = nb.njit(tier=tier)(counted)
    xs = np.arange(10_000) % 137
    assert f(xs) == counted(xs)
    g = nb.njit(tier=tier)(words)
    assert g("a b a cc") == words("a b a cc")


def test_constants_outlive_the_code_that_made_them():
    made = [
        nb.njit(function)()
        for function in (
            lambda: {"a": 1},
            lambda: {1: "abc"},
            lambda: {1: ("abc", 2)},
            lambda: {1: {2: "äb€"}},
            lambda: {1: ["abc"]},
        )
    ]
    gc.collect()
    for _ in range(20):
        nb.njit(lambda: {"other": "text"})()
    assert made == [{"a": 1}, {1: "abc"}, {1: ("abc", 2)}, {1: {2: "äb€"}}, {1: ["abc"]}]


@pytest.mark.parametrize("how", ["clear", "replace", "delete", "compiled clear", "compiled replace"])
def test_finalizers_may_use_the_dictionary(how):
    """What the values are when one is given up is whole, and what is put in stays."""

    @nb.njit
    def compiled_clear(d):
        d.clear()

    @nb.njit
    def compiled_replace(d, a):
        d[0] = (a, a)

    pair = np.zeros(3), np.ones(4)
    d = Dict({0: pair, 1: pair})
    seen = []

    def gone(_):
        seen.append([value[1].sum() for value in d.values()])
        for k in range(100, 200):
            d[k] = (np.zeros(1), np.ones(2))

    a = np.ones(5)
    watched = weakref.ref(a, gone)
    d[0] = (a, a)
    del a
    if how == "clear":
        d.clear()
    elif how == "replace":
        d[0] = pair
    elif how == "delete":
        del d[0]
    elif how == "compiled clear":
        compiled_clear(d)
    else:
        compiled_replace(d, np.ones(6))
    assert watched() is None and len(seen) == 1 and all(s in (4.0, 6.0) for s in seen[0])
    assert len([k for k in d if k >= 100]) == 100 and d[150][1].sum() == 2.0


def test_numbers_that_no_key_equals():
    @nb.njit
    def has(d, k):
        return k in d

    small = Dict.empty(types.uint8, types.int64)
    small[3] = 1
    assert has(small, np.int64(3)) and not has(small, 259) and not has(small, -253)
    large = Dict.empty(types.uint64, types.int64)
    large[2**64 - 1] = 1
    assert has(large, np.uint64(2**64 - 1)) and not has(large, -1)
    pairs = Dict.empty(types.UniTuple(types.int64, 2), types.int64)
    pairs[1, 2] = 7
    with pytest.raises(TypingError, match="cannot safely cast"):
        has(pairs, (1, 2.5))
    with pytest.raises(TypingError, match="cannot safely cast"):
        pairs[1, 2.5] = 1


def test_a_queue_of_bounded_length_takes_linear_time():
    """Entries move when a quarter of them was removed, not at each step: for 200,000 steps."""

    @nb.njit
    def queue(d, length, steps):
        for i in range(steps):
            if len(d) == length:
                del d[i - length]
            d[i] = i
        return len(d), d.popitem()

    assert queue(Dict.empty(types.int64, types.int64), 8192, 200_000) == (8192, (199_999, 199_999))


def test_values_that_do_not_fit():
    @nb.njit
    def put(d):
        d[1] = 2.5

    with pytest.raises(TypingError):
        put(Dict({1: 2}))
    lists = nb.njit(lambda: {1: [1, 2]})()
    lists[2] = [3, 4]
    assert lists.copy() == {1: [1, 2], 2: [3, 4]}


def test_views_are_results():
    @nb.njit
    def views(n):
        d = {i: i * 0.5 for i in range(n)}
        return d.keys(), d.values(), d.items()

    keys, values, items = views(3)
    assert (list(keys), list(values), list(items)) == ([0, 1, 2], [0.0, 0.5, 1.0], [(0, 0.0), (1, 0.5), (2, 1.0)])
    assert 1 in keys and len(items) == 3 and keys & {1, 9} == {1}


def test_equality_of_dicts_of_several_types():
    @nb.njit
    def compared(a, b):
        return a == b, a != b, b == a

    a, b = Dict.empty(types.int32, types.float64), Dict.empty(types.int64, types.float32)
    for d in (a, b):
        d[1], d[2] = 0.5, 2.0
    assert compared(a, b) == (True, False, True)
    b[2] = 3.0
    assert compared(a, b) == (False, True, False)
    assert compared(a, 1) == (False, True, False) and compared(a, (1,)) == (False, True, False)


@pytest.mark.parametrize("use", ["d.get(1, 1j)", "d.pop(1, 1j)", "d.setdefault(1, 1j)"])
def test_defaults_that_do_not_fit(use):
    made = {}
    exec(f"def f(d):\n    return {use}\n", made)
    with pytest.raises(TypingError, match="cannot safely cast complex128 to float64"):
        nb.njit(made["f"])(Dict.empty(types.int64, types.float64))


def test_constructors_without_a_type():
    with pytest.raises(TypeError, match="invalid operation on untyped dictionary"):
        Dict().setdefault(1)
    with pytest.raises(TypingError, match="object is not iterable"):
        Dict(3)
    with pytest.raises(ValueError, match="dictionary update sequence element #1 has length 3; 2 is required"):
        Dict(((1, "a"), (2, "b", 3)))


def test_without_compilation():
    before, nb.config.DISABLE_JIT = nb.config.DISABLE_JIT, 1
    try:
        made = Dict(), Dict.empty(types.int64, types.int64), nb.typed.List([1]), nb.typed.Set([1])
        empty = nb.typed.List.empty_list(types.int64), nb.typed.Set.empty(types.int64)
    finally:
        nb.config.DISABLE_JIT = before
    assert list(map(type, made + empty)) == [dict, dict, list, set, list, set] and made[2] == [1]


def test_entries_from_python_through_every_door():
    class Mine(Dict):
        def __missing__(self, key):
            raise AssertionError("dict's, not a typed one's")

    words = {"a": 1, "b": -2}
    integers = {3: 2**62, -4: -(2**63), 2**62: 5, 0: 0, True: 7}
    for key, value in ((types.int64, types.int64), (types.int64, types.float64), (types.unicode_type, types.int64)):
        entries = words if key == types.unicode_type else integers
        for made in (Dict.empty(key, value), Mine(dcttype=types.DictType(key, value))):
            for _ in range(2):
                for k, v in entries.items():
                    made[k] = v
                    assert made[k] == v and type(made[k]) is (float if value == types.float64 else int)
            assert len(made) == len(entries)
            del made[next(iter(entries))]
            for missing in (next(iter(entries)), "zzz" if entries is words else 2**61):
                with pytest.raises(KeyError, match=str(missing)):
                    made[missing]
                with pytest.raises(KeyError, match=str(missing)):
                    del made[missing]
            for wrong in (None, 1.5 if entries is integers else 3, 2**80):
                with pytest.raises((TypingError, ValueError)):
                    made[wrong]
            with pytest.raises(TypingError):
                made[list(entries)[1]] = "no number"
    with pytest.raises(KeyError):
        Dict()[1]
