"""Displays of dictionaries whose values have no common type, and what displays hold at first."""

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.errors import TypingError
from numbra.extending import overload

BODIES = [
    "d = {'a': x, 'b': 2j, 'c': 'text'}\nreturn d['a'], d['b'], d['c'], len(d), bool(d)",
    "d = {'a': 1, 'b': np.ones(3), 'a': 'last'}\nreturn d['a'], d['b'].sum(), len(d)",
    "d = {'a': x, 'b': 'text'}\nreturn 'a' in d, 'z' in d, 'z' not in d",
    "d = {'a': x, 'b': None, 'c': (1, 2.5)}\ne = d.copy()\nreturn e['c'], e['b'] is None, d == e, d != e",
    "d = {'a': [x, x], 'b': {'k': x}}\nd['a'].append(3)\nd['b']['q'] = 5\nreturn d['a'], len(d['b'])",
    "d = {'+': x, '0': 'y'}\nk, v, i = d.keys(), d.values(), d.items()\nreturn len(k), tuple(v)[0], tuple(i)[1]",
    "if x:\n    d = {'a': x, 'b': 'one'}\nelse:\n    d = {'a': 5, 'b': 'two'}\nreturn d['a'], d['b']",
    "n = 0\nfor k, v in literal_unroll({'a': x, 'bc': 'def'}.items()):\n    n += len(k) + len(str(v))\nreturn n",
    "d = {'a': x, 'b': 'cd'}\nreturn isinstance(d, dict)",
]


@pytest.mark.parametrize("body", BODIES)
def test_bodies(body):
    source = "def f(x):\n    " + body.replace("\n", "\n    ")
    made = {"np": np, "literal_unroll": nb.literal_unroll}
    exec(source, made)
    compiled = nb.njit(made["f"])
    for x in (1, 0):
        expected, found = made["f"](x), compiled(x)
        if not isinstance(expected, tuple):
            expected, found = (expected,), (found,)
        assert found == expected and list(map(kind, found)) == list(map(kind, expected))


def kind(x):
    return float if isinstance(x, float) else type(x)


REFUSED = [
    ("d[k]", "Cannot get{item}() on a literal dictionary"),
    ("d.get('a')", "Cannot get{item}() on a literal dictionary"),
    ("d['z']", "is not in dict"),
    ("d.update({'x': 3})", "Cannot mutate a literal dictionary"),
    ("d.pop('a')", "Cannot mutate a literal dictionary"),
    ("d.clear()", "Cannot mutate a literal dictionary"),
    ("d.__setitem__", "Unknown attribute"),
]


@pytest.mark.parametrize(("use", "words"), REFUSED)
def test_what_would_change_it_is_refused(use, words):
    made = {}
    exec(f"def f(k):\n    d = {{'a': 1, 'b': 'text'}}\n    {use}\n    return 1\n", made)
    with pytest.raises(TypingError) as caught:
        nb.njit(made["f"])("a")
    assert words in str(caught.value)


def test_values_of_other_kinds_under_other_keys_are_refused():
    @nb.njit
    def mixed():
        return {0: "A", 1: 1j}

    with pytest.raises(TypingError, match="Cannot cast complex128 to unicode_type"):
        mixed()


def seen_by(body):
    """The types that an overload is asked for."""
    seen = []

    def look(x):
        pass

    @overload(look, prefer_literal=True)
    def look_for(x):
        seen.append(x)
        return lambda x: None

    made = {"look": look, "np": np}
    exec("def f():\n    " + body.replace("\n", "\n    "), made)
    nb.njit(made["f"])()
    return seen


def test_types_say_what_displays_hold_at_first():
    (found, *_) = seen_by("x = [1, 2, 3]\nx.append(4)\nlook(x)")
    assert isinstance(found, types.List) and found.initial_value == [1, 2, 3]
    assert found == types.List(types.int64, initial_value=[1, 2, 3]) and found != types.List(types.int64)
    assert str(found) == "list(int64)<iv=[1, 2, 3]>"
    (found, *_) = seen_by("x = {'a': 1, 'b': 2}\nx['c'] = 3\ny = x\nlook(y)")
    assert isinstance(found, types.DictType) and found.initial_value == {"a": 1, "b": 2}
    assert found == types.DictType(types.unicode_type, types.int64, initial_value={"a": 1, "b": 2})
    (found, *_) = seen_by("look({'a': 1, 'b': 2j, 'c': [1, 2]})")
    assert found.literal_value == {
        types.literal("a"): types.literal(1),
        types.literal("b"): types.complex128,
        types.literal("c"): types.List(types.int64, initial_value=[1, 2]),
    }
    (found, *_) = seen_by("look([1.5, 2.5])")
    assert found.initial_value is None


def test_an_implementation_may_ask_for_what_a_display_holds():
    def total(x):
        pass

    @overload(total)
    def total_of(x):
        if x.initial_value is None:
            return lambda x: nb.literally(x)
        known = sum(x.initial_value)
        return lambda x: known

    @nb.njit
    def known():
        x = [1, 2, 3]
        x.append(4)
        return total(x), len(x)

    assert known() == (6, 4)
