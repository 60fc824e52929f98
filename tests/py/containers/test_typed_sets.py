"""`typed.Set`: from Python against `set`, and shared with compiled code."""

import copy
import pickle
import random

import numbra as nb
import pytest
from numbra import types
from numbra.core.errors import TypingError
from numbra.typed import Set, setobject

ITEMS = {
    types.int64: [3, -1, 2**40, 0],
    types.int8: [3, -1, 100],
    types.float64: [1.5, float("inf"), -0.0],
    types.unicode_type: ["a", "", "\u20ac", "a" * 100],
    types.Tuple((types.int64, types.unicode_type)): [(1, "a"), (2, "b"), (1, "b")],
}


@pytest.mark.parametrize("key_type", ITEMS, ids=str)
def test_agrees_with_a_set(key_type):
    items, ours, model = ITEMS[key_type], Set.empty(key_type), set()
    rng = random.Random(1)
    for _ in range(200):
        item = rng.choice(items)
        if rng.random() < 0.5:
            ours.add(item)
            model.add(item)
        else:
            ours.discard(item)
            model.discard(item)
        assert len(ours) == len(model) and (item in ours) == (item in model)
    assert ours == model and set(ours) == model and bool(ours) == bool(model)
    assert set(ours.copy()) == set(copy.copy(ours)) == set(pickle.loads(pickle.dumps(ours))) == model


def test_type_follows_from_the_first_item():
    s = Set()
    assert not s._typed and len(s) == 0 and 1 not in s and list(s) == []
    for call, words in (
        (lambda: s.discard(1), "Cannot discard from an untyped set"),
        (s.copy, "Cannot copy an untyped set"),
    ):
        with pytest.raises(TypeError, match=words):
            call()
    s.add(1)
    assert nb.typeof(s) == types.SetType(types.int64) and repr(s) == "SetType[int64]<iv=None>({1})"
    with pytest.raises(TypingError, match="cannot safely cast float64 to int64"):
        s.add(1.5)
    with pytest.raises(TypingError, match="unhashable type: 'list'"):
        Set.empty(types.ListType(types.int64))
    assert set(Set([1, 2, 1])) == {1, 2} and set(setobject.new_set(types.int32)) == set()


def test_methods_of_mutable_sets():
    s = Set([1, 2, 3])
    s |= {4}
    s -= {1}
    s.remove(2)
    assert s == {3, 4} and s & {3} == {3} and s > {3} and s.isdisjoint({9})
    with pytest.raises(KeyError):
        s.remove(2)
    s.clear()
    assert not s
    s = Set([1, 2, 3])
    with pytest.raises(RuntimeError, match="Set changed size during iteration"):
        for x in s:
            s.add(x + 10)


@nb.njit
def counted(s, items):
    for item in items:
        s.add(item)
    return len(s)


def test_compiled_code_shares_the_set():
    s = Set.empty(types.int64)
    assert counted(s, (1, 2, 1)) == 2 and s == {1, 2}

    @nb.njit
    def itself(s):
        return s

    back = itself(s)
    back.add(7)
    assert 7 in s and nb.typeof(back) == nb.typeof(s)


def test_sets_of_compiled_code():
    @nb.njit
    def made(items):
        s = Set.empty(types.int64)
        for item in items:
            s.add(item)
        t = s.copy()
        t.discard(1)
        u = Set()
        u.add("text")
        total = 0
        for x in s:
            total += x
        return s, t, 1 in s, 1 in t, s == t, Set(items), u, total

    s, t, *rest, u, total = made((1, 2, 3, 2))
    assert all(isinstance(x, Set) for x in (s, t, u))
    assert (s, t, rest, u, total) == ({1, 2, 3}, {2, 3}, [True, False, False, {1, 2, 3}], {"text"}, 6)


def test_typed_sets_in_typed_containers():
    @nb.njit
    def grouped(n):
        groups = nb.typed.Dict()
        for i in range(n):
            key = i % 3
            if key not in groups:
                groups[key] = Set.empty(types.int64)
            groups[key].add(i)
        return groups

    assert {key: set(group) for key, group in grouped(7).items()} == {0: {0, 3, 6}, 1: {1, 4}, 2: {2, 5}}


def test_what_does_not_fit_is_refused():
    @nb.njit
    def wrong():
        s = Set.empty(types.int32)
        s.add(1.5)

    with pytest.raises(TypingError, match="cannot safely cast float64 to int32"):
        wrong()


@pytest.mark.parametrize("change", ["s.add(x + 100)", "s.discard(x)", "s.clear()"])
@pytest.mark.parametrize("kind", ["set", "Set"])
def test_changes_during_iteration_are_noticed(kind, change):
    made = {}
    source = f"def f(items):\n    s = {kind}(items)\n    for x in s:\n        {change}\n    return len(s)\n"
    exec(source, {"Set": Set}, made)
    for run in (made["f"], nb.njit(made["f"])):
        with pytest.raises(RuntimeError, match="Set changed size during iteration"):
            run([1, 2, 3])


def test_integers_among_floats():
    @nb.njit
    def found(x):
        s = {2.0**53, 1.0, 2.0**63}
        d = {2.0**53: 1}
        return x in s, x in d

    assert [found(x) for x in (2**53, 2**53 + 1, 1, 2**63 - 1)] == [
        (True, True),
        (False, False),
        (True, False),
        (False, False),
    ]
