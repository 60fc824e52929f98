"""Arguments reach parameters as in CPython: from Python, from compiled code, in inner functions and in overloads."""

import gc
import random
import sys
import weakref

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.errors import TypingError, UnsupportedError
from numbra.extending import overload

# Parameters, and calls in the order in which one dispatcher gets them.
CASES = [
    ("*s, k", ["1, 2, k=3.5", "1, 2, 3.5", "k=1", "", "(1, 2), k=3.5", "1, 2, k=4.5"]),
    ("*s, k=2.5", ["1, 2", "1, 2, k=4.5", "", "1,", "(1, 2)", "((1, 2),)", "1, 2"]),
    ("a, *s, k=2.5", ["1, 2, 3", "1", "1, k=9.5", "1, (2, 3)", "a=1", "1, a=2", "s=1, a=2"]),
    ("a, *, k", ["1, k=2", "1, 2", "k=1", "1, k=2, z=3", "1, 2, k=3", "1"]),
    ("a, *, k=1.5, m", ["1, m=2", "1, k=2, m=3", "1", "1, m=2", "m=1, a=2"]),
    ("a, /", ["1", "a=1", "", "1, 2"]),
    ("a, b, /, c=3", ["1, 2", "a=1, b=2", "1, b=2", "1, 2, c=4", "1, 2, a=5", "b=1"]),
    ("x, y=2, z=3", ["1, z=9", "1, 5, 9", "1, 5", "1", "1, y=7", "z=1, x=2", "1, 5, 9, 4", "y=1"]),
    ("x, y=2, *s", ["1", "1, 3", "1, 3, 4", "1, 3, (4,)", "1, (3, 4)", "y=1, x=3", "1, 2, y=3"]),
    ("*s", ["1, 2", "(1, 2)", "", "()", "(1,), (2,)", "(1, 2), 3", "((1, 2),)", "s=1"]),
    ("a=1, b=2.5", ["", "b=1", "1, 2", "b=3, a=4", "1, 2, 3", "1, b=2, c=3", "a=5"]),
    ("", ["", "1", "x=1", "1, 2"]),
]


def function_of(parameters, body="return ({names})"):
    names = [p.split("=")[0].strip().lstrip("*") for p in parameters.split(",")]
    names = "".join(f"{name}, " for name in names if name and name != "/")
    space = {}
    exec(f"def f({parameters}):\n    {body.format(names=names)}", space)
    return space["f"]


def outcome(call, function, **names):
    """The value of a call, or the text of its TypeError."""
    try:
        return eval(f"f({call})", {"f": function, **names})
    except TypeError as error:
        return "TypeError", str(error)


@pytest.mark.smoke
@pytest.mark.parametrize(("parameters", "calls"), CASES, ids=[c[0] for c in CASES])
def test_calls_from_python(parameters, calls):
    function = function_of(parameters)
    jitted = nb.njit(function)
    for call in calls + calls[::-1]:
        assert outcome(call, jitted) == outcome(call, function), call
        dispatched = f"*({call})" if call and "=" not in call and "," in call else call
        assert outcome(dispatched, jitted) == outcome(dispatched, function), call


def test_names_made_at_run_time():
    """CPython interns the names of a call's text; those of `**` may be other objects that are equal."""
    function = function_of("first, second=2, third=3")
    jitted = nb.njit(function)
    first, second, third = ("".join(list(name)) for name in ("first", "second", "third"))
    for given in ({first: 1}, {third: 5, first: 1}, {second: 4, first: 1, third: 2}, {second: 1}, {first: 1, "no": 2}):
        assert outcome("**given", jitted, given=given) == outcome("**given", function, given=given)
        assert outcome("1, **given", jitted, given=given) == outcome("1, **given", function, given=given)


def check_compiled(function, jitted, call):
    """The same call in compiled code: the value, or a typing error with CPython's text."""
    caller = eval(f"lambda: f({call})", {"f": jitted})
    want = outcome(call, function)
    if isinstance(want, tuple) and want[:1] == ("TypeError",):
        with pytest.raises(TypingError) as caught:
            nb.njit(caller)()
        # Suggestions of other names are those of CPython 3.13 and later, at run time.
        assert want[1].split(". Did you mean")[0] in str(caught.value)
    else:
        assert nb.njit(caller)() == want, call


@pytest.mark.parametrize(("parameters", "calls"), CASES, ids=[c[0] for c in CASES])
def test_calls_from_compiled_code(parameters, calls):
    function = function_of(parameters)
    jitted = nb.njit(function)
    for call in calls:
        check_compiled(function, jitted, call)


@pytest.mark.parametrize(("parameters", "calls"), CASES, ids=[c[0] for c in CASES])
def test_calls_of_inner_functions(parameters, calls):
    for call in calls:
        names = [p.split("=")[0].strip().lstrip("*") for p in parameters.split(",")]
        result = "".join(f"{name}, " for name in names if name and name != "/")
        space = {}
        text = f"def outer():\n    def f({parameters}):\n        return ({result})\n    return f({call})"
        exec(text, space)
        try:
            want = space["outer"]()
        except TypeError as error:
            with pytest.raises(TypingError) as caught:
                nb.njit(space["outer"])()
            assert str(error).split(". Did you mean")[0] in str(caught.value)
        else:
            assert nb.njit(space["outer"])() == want


def random_parameters(rng):
    """Parameters of every kind with defaults where they may be."""
    parts, has_default = [], False
    positional = rng.randrange(4)
    slash = rng.randrange(1, positional + 1) if positional and rng.random() < 0.4 else 0
    for index in range(positional):
        has_default = has_default or rng.random() < 0.3
        parts.append(f"p{index}" + (f"={index}.5" if has_default else ""))
        if index + 1 == slash:
            parts.append("/")
    keyword_only = rng.randrange(3)
    if rng.random() < 0.5:
        parts.append("*rest")
    elif keyword_only:
        parts.append("*")
    for index in range(keyword_only):
        parts.append(f"k{index}" + (f"={index}.25" if rng.random() < 0.5 else ""))
    return ", ".join(parts)


def random_call(rng):
    values = ["1", "2.5", "(1, 2)", "(3,)", "True"]
    parts = [rng.choice(values) for _ in range(rng.randrange(4))]
    names = rng.choice([["k0", "k1"], ["k0", "k1"], ["p0", "p1", "p2", "k0", "k1", "rest", "z"]])
    for name in rng.sample(names, rng.choice([0, 0, 1, 2, 2])):
        parts.append(f"{name}={rng.choice(values)}")
    return ", ".join(parts)


def test_random_signatures_and_calls():
    rng = random.Random(34)
    bound = 0
    for _ in range(40):
        # `*` alone is a parameter of the text only.
        parameters = random_parameters(rng)
        function = function_of(parameters)
        jitted = nb.njit(function)
        calls = [random_call(rng) for _ in range(12)]
        for call in calls + rng.sample(calls, 6):
            want = outcome(call, function)
            assert outcome(call, jitted) == want, (parameters, call)
            bound += want[:1] != ("TypeError",)
        for call in calls[:2]:
            check_compiled(function, jitted, call)
    assert bound > 100


def test_defaults_that_are_no_constants():
    a = np.arange(3.0)
    jitted = nb.njit(function_of("x, y=None, *s, k=None"))
    function = jitted.py_func
    function.__defaults__, function.__kwdefaults__ = (a,), {"k": a}
    jitted = nb.njit(function)
    x, y, s, k = jitted(1, k=2)
    assert (x, s, k) == (1, (), 2) and y is a
    x, y, s, k = jitted(1, 2, 3)
    assert (x, y, s) == (1, 2, (3,)) and k is a


def test_keyword_only_parameters_of_explicit_signatures():
    f = nb.njit("Tuple((float64, int64))(int64, float64)")(function_of("a, *, k", "return k, a"))
    assert f(1, k=2) == (2.0, 1)
    with pytest.raises(TypeError, match=r"f\(\) takes 1 positional argument but 2 were given"):
        f(1, 2)
    g = nb.njit([(types.int64, types.int64, types.float64)])(function_of("a, *s, k", "return a, len(s), k"))
    assert g(1, 2, k=2.5) == (1, 1, 2.5)


def test_unnamed_keywords_are_refused():
    f = nb.njit(lambda a, **kw: a)
    for call in (lambda: f(1), lambda: f(1, b=2)):
        with pytest.raises(UnsupportedError, match=r"`\*\*kw` of a function is not supported"):
            call()


def twice(a, *rest, k=1):
    raise NotImplementedError


@overload(twice)
def overload_twice(a, *rest, k=1):
    def impl(a, *rest, k=1):
        return a, len(rest), k

    return impl


def test_overloads():
    assert nb.njit(lambda: twice(1, 2, 3, k=4))() == (1, 2, 4)
    assert nb.njit(lambda: twice(1))() == (1, 0, 1)


def test_generators_and_recursion():
    @nb.njit
    def numbers(a, *rest, step=1):
        yield a
        for x in rest:
            yield x * step

    assert list(numbers(1, 2, 3, step=10)) == [1, 20, 30]
    assert list(numbers(1, 2, 3)) == [1, 2, 3]

    @nb.njit
    def down(n, /, *, total=0.0):
        if n == 0:
            return total
        return down(n - 1, total=total + n)

    assert down(4) == 10.0
    assert down(4, total=1.0) == 11.0


def test_wrong_calls_leave_nothing_behind():
    class Thing:
        pass

    f = nb.njit(function_of("a, *, k=1"))
    f(1)
    # Messages of CPython keep no arguments; the count of what was given must not change.
    thing = Thing()
    watch = weakref.ref(thing)
    before = sys.getrefcount(thing)
    for call in ("x, x", "x, k=x, z=x", "", "a=x, k=x, b=x", "x, a=x", "k=x"):
        with pytest.raises(TypeError):
            eval(f"f({call})", {"f": f, "x": thing})
    gc.collect()
    assert sys.getrefcount(thing) == before
    del thing
    gc.collect()
    assert watch() is None
