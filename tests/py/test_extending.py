"""`numbra.extending`: implementations written in Python."""

import math
import operator

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


def test_the_last_overload_that_fits_wins():
    def which(x):
        raise NotImplementedError

    overload(which)(lambda x: lambda x: 1)
    overload(which)(lambda x: (lambda x: 2) if isinstance(x, types.Float) else None)
    f = nb.njit(lambda x: which(x))
    assert (f(1), f(1.0)) == (1, 2)


def test_functions_of_one_name_stay_apart():
    def make(value):
        def local(x):
            raise NotImplementedError

        overload(local)(lambda x: lambda x: x + value)
        return nb.njit(lambda x: local(x))

    first, second = make(1), make(100)
    assert (first(1), second(1)) == (2, 101)


def test_literal_arguments_are_seen_first():
    def is_three(n):
        raise NotImplementedError

    @overload(is_three)
    def of_is_three(n):
        known = isinstance(n, types.Literal) and n.literal_value == 3
        return (lambda n: True) if known else (lambda n: False)

    assert nb.njit(lambda: is_three(3))() is True
    assert nb.njit(lambda n: is_three(n))(3) is False


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
