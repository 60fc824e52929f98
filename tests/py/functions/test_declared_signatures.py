"""Functions with explicit signatures, called from compiled code: the choice among the signatures, and result types."""

import numbra as nb
import numpy as np
import pytest
from numbra.core import errors, types


def caller(callee):
    """A jitted function that calls another one."""

    @nb.njit
    def call(*args):
        return callee(*args)

    return call


def result(function):
    """The result type of the signature compiled last."""
    return function.nopython_signatures[-1].return_type


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_results_have_the_declared_type(tier):
    narrow = nb.njit("int8(int64)", tier=tier)(lambda x: x)

    @nb.njit(tier=tier)
    def twice(x):
        return narrow(x) + narrow(x)

    assert (narrow(300), twice(300), twice(2**32 + 5)) == (44, 88, 10)
    call = caller(narrow)
    assert call(300) == 44
    assert result(call) is types.int8
    # Arguments convert as they do from Python.
    assert call(5.7) == 5
    assert result(call) is types.int8
    assert len(narrow.signatures) == 1


@pytest.mark.parametrize(
    ("value", "expected", "chosen"),
    [
        (np.int8(3), 6, types.int32),
        (np.int64(3), 6.0, types.float64),
        (np.uint32(5), 10.0, types.float64),
        (np.float32(2), 4.0, types.float64),
        (2.5, 5.0, types.float64),
        # A tie goes to the first; from Python it is an error.
        (True, 2, types.int32),
    ],
)
def test_the_least_conversion_is_chosen(value, expected, chosen):
    call = caller(nb.njit(["int32(int32)", "float64(float64)"])(lambda x: x * 2))
    assert call(value) == expected
    assert result(call) is chosen


def test_what_no_signature_takes_is_an_error():
    @nb.njit(["int32(int32)", "float64(float64)"])
    def double(x):
        return x * 2

    call = caller(double)
    with pytest.raises(errors.TypingError) as caught:
        call(1j)
    text = str(caught.value)
    assert "Invalid use of type(CPUDispatcher(<function " in text
    assert "with parameters (complex128)\nKnown signatures:\n * (int32,) -> int32\n * (float64,) -> float64\n" in text
    assert "no signature of `double` takes (complex128)" in text
    with pytest.raises(TypeError, match="No matching definition"):
        double(1j)

    # Defaults have a type of their own, which no declared type takes.
    add = nb.njit("int64(int64, int64)")(lambda x, y=3: x + y)
    with pytest.raises(errors.TypingError, match="Known signatures"):
        caller(add)(1)
    assert caller(add)(1, 2) == 3


def test_an_array_of_another_layout_fits_no_contiguous_one():
    @nb.njit("void(float64[::1])")
    def fill(x):
        x[:] = 1

    @nb.njit
    def filled(x):
        fill(x)
        return x.sum()

    assert filled(np.zeros(3)) == 3
    with pytest.raises(errors.TypingError, match="Known signatures"):
        filled(np.zeros(6)[::2])


def test_recursion_uses_the_declared_type():
    @nb.njit("int8(int64)")
    def factorial(n):
        if n <= 1:
            return 1
        return n * factorial(n - 1)

    # Each product is cut to eight bits: 5! = 120 fits, 6! = 720 does not.
    assert [factorial(n) for n in (5, 6, 7)] == [120, -48, 7 * -48 + 256]
    call = caller(factorial)
    assert call(6) == -48
    assert result(call) is types.int8

    @nb.njit(["int64(int64)", "float32(float64)"])
    def power(n):
        if n <= 1:
            return n
        return n * power(n - 1)

    assert power(5) == 120
    assert power(3.5) == 3.5 * 2.5 * 1.5 * 0.5
    assert [s.return_type for s in power.nopython_signatures] == [types.int64, types.float32]


def is_odd(n):
    return n if n == 0 else is_even(n - 1)


def is_even(n):
    return 1 if n == 0 else is_odd(n - 1)


def test_mutual_recursion_uses_the_declared_type(monkeypatch):
    # Both names stand for jitted functions before one of them is compiled.
    for function in (is_odd, is_even):
        monkeypatch.setitem(globals(), function.__name__, nb.njit(function))
    is_even.compile("int8(int64)")
    is_even.disable_compile()
    assert (is_even(4), is_even(5)) == (1, 0)
    assert (is_odd(4), is_odd(5)) == (0, 1)
    # `n` and an int8.
    assert result(is_odd) is types.int64
    call = caller(is_even)
    assert call(4) == 1
    assert result(call) is types.int8


def test_functions_that_may_compile_more_keep_declared_types():
    f = nb.njit("float32(int64)")(lambda x: x + 1)
    f.disable_compile(False)
    kinds = [(2, types.float32), (2.5, types.float64), (np.int32(2), types.int64)]
    for value, kind in kinds:
        call = caller(f)
        assert call(value) == value + 1
        assert result(call) is kind

    g = nb.njit(lambda x: x + 1)
    g.compile("float32(int64)")
    call = caller(g)
    assert call(1) == 2
    assert result(call) is types.float32


def test_frozen_functions_without_a_declared_type():
    f = nb.njit([(types.int64,)])(lambda x: x / 2)
    call = caller(f)
    assert call(np.float32(3.5)) == 1.5
    assert result(call) is types.float64
    g = nb.njit(lambda x: x + 1)
    assert g(1) == 2
    g.disable_compile()
    call = caller(g)
    assert call(2.5) == 3
    assert result(call) is types.int64


def test_what_is_inlined_has_no_signature():
    call = caller(nb.njit("int32(int64)", inline="always")(lambda x: x + 1))
    assert (call(2), call(2.5)) == (3, 3.5)
    assert [s.return_type for s in call.nopython_signatures] == [types.int64, types.float64]


def test_functions_that_are_arguments():
    @nb.njit
    def apply(f, x):
        return f(x)

    f = nb.njit("int8(int64)")(lambda x: x)
    assert apply(f, 300) == apply(f, 300.5) == 44
    assert result(apply) is types.int8


def test_the_body_must_fit_the_declared_type():
    with pytest.raises(errors.TypingError, match="No conversion from"):
        nb.njit("int64(float64)")(lambda x: "a")
    with pytest.raises(errors.TypingError, match="No implementation of function"):
        nb.njit("int64(unicode_type)")(lambda x: x + 1)


def test_optional_results():
    call = caller(nb.njit("optional(int64)(int64)")(lambda x: x))
    assert call(3) == 3
    assert result(call) == types.Optional(types.int64)


def test_ufuncs_have_the_declared_type():
    narrow = nb.vectorize(["int8(int64)"])(lambda x: x)
    call = caller(narrow)
    assert call(np.array([300])).dtype == np.int8


def test_arguments_are_converted_for_the_declared_call_alone():
    same = nb.njit(lambda x: x)
    assert same(3) == 3
    got = []

    def call():
        got.append((same(2.5), same(np.float32(1.5)), same(True)))

    @nb.njit(["float64(float64)"])
    def f(x):
        with nb.objmode():
            call()
        return x

    assert f(1) == 1.0
    assert got == [(2.5, 1.5, True)] and got[0][2] is True
