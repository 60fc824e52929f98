"""`numbra.extending`: implementations written in Python."""

import gc
import inspect
import math
import operator
import weakref

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.extending import (
    is_jitted,
    overload,
    overload_attribute,
    overload_method,
    register_jitable,
    sentry_literal_args,
)


@pytest.mark.smoke
def test_an_overload_chooses_by_type():
    def describe(x, scale=2):
        raise NotImplementedError

    @overload(describe)
    def of_describe(x, scale=2):
        if isinstance(x, types.Integer):
            return lambda x, scale=2: x * scale
        if isinstance(x, types.Array):
            return lambda x, scale=2: x.sum() * scale
        return None

    @nb.njit
    def f(x):
        return describe(x), describe(x, scale=3)

    assert f(5) == (10, 15)
    assert f(np.arange(4.0)) == (12.0, 18.0)
    with pytest.raises(nb.TypingError, match="No implementation of function"):
        f("text")


def test_the_first_overload_that_fits_wins():
    def which(x):
        raise NotImplementedError

    overload(which)(lambda x: (lambda x: 2) if isinstance(x, types.Float) else None)
    overload(which)(lambda x: lambda x: 1)
    f = nb.njit(lambda x: which(x))
    assert (f(1), f(1.0)) == (1, 2)


def test_methods_of_the_class_come_before_those_of_its_bases():
    overload_method(types.Buffer, "which_class")(lambda x: lambda x: "Buffer")
    overload_method(types.Array, "which_class")(lambda x: lambda x: "Array")
    overload_method(types.Array, "which_class")(lambda x: lambda x: "a second time")
    assert nb.njit(lambda x: x.which_class())(np.zeros(2)) == "Array"
    # One that gives nothing leaves the call to the next.
    overload_method(types.Array, "which_fits")(lambda x: None)
    overload_method(types.Array, "which_fits")(lambda x: lambda x: "the second")
    assert nb.njit(lambda x: x.which_fits())(np.zeros(2)) == "the second"


def test_functions_of_one_name_stay_apart():
    def make(value):
        def local(x):
            raise NotImplementedError

        overload(local)(lambda x: lambda x: x + value)
        return nb.njit(lambda x: local(x))

    first, second = make(1), make(100)
    assert (first(1), second(1)) == (2, 101)


def by_literal(x):
    return (lambda x: "literal") if isinstance(x, types.Literal) else (lambda x: "plain")


def literal_alone(x):
    return (lambda x: "literal") if isinstance(x, types.Literal) else None


def plain_alone(x):
    if isinstance(x, types.Literal):
        raise nb.TypingError("no literals")
    return lambda x: "plain"


def literal_compiles(x):
    return (lambda x: "literal") if isinstance(x, types.Literal) else (lambda x: x.nothing)


def plain_compiles(x):
    return (lambda x: x.nothing) if isinstance(x, types.Literal) else (lambda x: "plain")


@pytest.mark.parametrize("prefer_literal", [False, True])
@pytest.mark.parametrize("argument", ["3", "'s'", "True"])
@pytest.mark.parametrize(
    ("overloads", "plain_first", "literal_first"),
    [
        ([by_literal], "plain", "literal"),
        ([literal_alone], "literal", "literal"),
        ([plain_alone], "plain", "plain"),
        ([literal_compiles], "literal", "literal"),
        ([plain_compiles], "plain", "plain"),
        # One overload after the other, each for both.
        ([literal_alone, by_literal], "literal", "literal"),
        ([plain_alone, by_literal], "plain", "plain"),
        ([lambda x: None, by_literal], "plain", "literal"),
        ([lambda x: lambda x: x.nothing, by_literal], "plain", "literal"),
    ],
)
def test_literal_and_plain_types(overloads, argument, prefer_literal, plain_first, literal_first):
    def asked(x):
        raise NotImplementedError

    seen = []
    for one in overloads:

        def of_asked(x, one=one):
            seen.append(isinstance(x, types.Literal))
            return one(x)

        overload(asked, prefer_literal=prefer_literal, strict=False)(of_asked)
    f = eval(f"lambda: asked({argument})", {"asked": asked})
    assert nb.njit(f)() == (literal_first if prefer_literal else plain_first)
    assert seen[0] is prefer_literal
    # Where there are no literals, both are one.
    if literal_alone not in overloads and literal_compiles not in overloads:
        seen.clear()
        assert nb.njit(lambda x: asked(x))(3) == "plain"
        assert not any(seen)


def test_members_and_literal_types():
    def choose(a, x):
        return (lambda a, x: "literal") if isinstance(x, types.Literal) else (lambda a, x: "plain")

    overload_method(types.Array, "plain_first")(choose)
    overload_method(types.Array, "literal_first", prefer_literal=True)(choose)

    @nb.njit
    def f(a, x):
        return a.plain_first(1), a.plain_first(x=1), a.literal_first(1), a.literal_first(x=1), a.literal_first(x)

    assert f(np.zeros(2), 1) == ("plain", "plain", "literal", "literal", "plain")


def test_overloads_may_share_a_function():
    def plain_first(x):
        raise NotImplementedError

    def literal_first(x):
        raise NotImplementedError

    overload(plain_first)(by_literal)
    overload(literal_first, prefer_literal=True)(by_literal)
    assert nb.njit(lambda: (plain_first(1), literal_first(1)))() == ("plain", "literal")


def test_mistakes_in_overloads_are_not_hidden():
    def wrong(x):
        raise NotImplementedError

    @overload(wrong)
    def of_wrong(x):
        if not isinstance(x, types.Literal):
            raise ValueError("a mistake")
        return lambda x: x

    overload(wrong)(by_literal)
    with pytest.raises(ValueError, match="a mistake"):
        nb.njit(lambda: wrong(1))()


def test_overloads_that_ask_for_literals():
    def needs(x):
        raise NotImplementedError

    @overload(needs)
    def of_needs(x):
        sentry_literal_args(inspect.signature(of_needs), ("x",), (x,), {})
        value = x.literal_value
        return lambda x: value + 1

    assert nb.njit(lambda: needs(1))() == 2
    assert nb.njit(lambda x: needs(x))(2) == 3


def test_methods_and_attributes():
    @overload_method(types.Array, "doubled_sum")
    def of_doubled_sum(a, times=2):
        return lambda a, times=2: a.sum() * times

    @overload_attribute(types.Array, "half_size")
    def of_half_size(a):
        return lambda a: a.size // 2

    @nb.njit
    def f(a):
        return a.doubled_sum(), a.doubled_sum(3), a.half_size

    assert f(np.arange(5.0)) == (20.0, 30.0, 2)


def test_jitable_functions_run_on_both_sides():
    @register_jitable
    def hypot(x, y=4.0):
        return math.sqrt(x * x + y * y)

    assert not is_jitted(hypot)
    assert hypot(3.0) == 5.0
    assert nb.njit(lambda x: hypot(x))(3.0) == 5.0


def test_an_overload_may_call_another():
    def inner(x):
        raise NotImplementedError

    def outer(x):
        raise NotImplementedError

    overload(inner)(lambda x: lambda x: x + 1)

    @overload(outer)
    def of_outer(x):
        def impl(x):
            return inner(x) * 10

        return impl

    assert nb.njit(lambda x: outer(x))(2) == 30


def test_errors_of_overloads_reach_the_caller():
    def picky(x):
        raise NotImplementedError

    @overload(picky)
    def of_picky(x):
        raise nb.TypingError("picky takes nothing at all")

    with pytest.raises(nb.TypingError, match="picky takes nothing at all"):
        nb.njit(lambda x: picky(x))(1)


def test_parameters_must_agree():
    def f(x):
        raise NotImplementedError

    @overload(f)
    def of_f(x):
        return lambda y: y

    with pytest.raises(nb.TypingError, match="Typing and implementation arguments differ"):
        nb.njit(lambda x: f(x))(1)


def test_operators_of_the_library_keep_their_meaning():
    def other_add(a, b):
        return operator.add(a, b)

    assert nb.njit(other_add)(1, 2) == 3
    assert is_jitted(nb.njit(other_add))


def test_overloads_for_other_targets_have_no_effect():
    def f(x):
        raise NotImplementedError

    overload(f, target="gpu")(lambda x: lambda x: 1)
    with pytest.raises(nb.TypingError):
        nb.njit(lambda x: f(x))(1)
    overload(f, target="cpu")(lambda x: lambda x: 2)
    assert nb.njit(lambda x: f(x))(1) == 2


def test_an_implementation_may_take_the_rest_of_the_arguments():
    def counted(a, b, c, kw=None):
        raise NotImplementedError

    @overload(counted)
    def typing(a, b, c, kw=None):
        def implementation(a, *rest, kw=None):
            return len(rest)

        return implementation

    @nb.njit
    def use(a):
        return counted(a, 2, 3, kw=4)

    assert use(1) == 2


def test_the_first_difference_before_the_rest_is_named():
    def counted(a, b):
        raise NotImplementedError

    @overload(counted)
    def typing(a, b):
        def implementation(z, *rest):
            return z

        return implementation

    with pytest.raises(nb.TypingError, match=r"argument names differ[.] First difference: 'z'"):
        nb.njit(lambda: counted(1, 2))()


def test_strictness_is_of_the_overload_and_not_of_the_function():
    def typing(a, **options):
        def implementation(a, kw=10):
            return a

        return implementation

    def loose(a, kw=None):
        raise NotImplementedError

    def strict(a, kw=None):
        raise NotImplementedError

    overload(loose, strict=False)(typing)
    overload(strict)(typing)
    assert nb.njit(lambda a: loose(a, kw=11))(3) == 3
    with pytest.raises(nb.TypingError, match="VAR_KEYWORD"):
        nb.njit(lambda a: strict(a, kw=11))(3)


def test_overloads_of_functions_that_are_gone():
    """As in Numba they stay registered; a function of the same name has its own, and callers go as always."""

    def replaced_by(number):
        def replaced(x):
            raise NotImplementedError

        @overload(replaced)
        def typing(x):
            return lambda x: x + number

        return replaced

    callers = []
    for number in range(10):
        replaced = replaced_by(number)
        caller = nb.njit(eval("lambda x: f(x)", {"f": replaced}))
        assert caller(1) == 1 + number
        callers.append(weakref.ref(caller))
        del caller, replaced
    gc.collect()
    assert not any(caller() for caller in callers)


def test_jitted_functions_have_no_overloads():
    jitted = nb.njit(lambda x: x)
    with pytest.raises(TypeError, match="cannot overload"):
        overload(jitted)(lambda x: lambda x: x + 1)
    assert nb.njit(lambda x: jitted(x))(1) == 1
