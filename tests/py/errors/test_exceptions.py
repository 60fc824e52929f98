"""Raising and handling exceptions in compiled functions, against CPython.

PYTEST_DONT_REWRITE: an `assert` in a compiled function must stay the one that is written there.
"""

import math
import traceback

import numbra as nb
import numpy as np
import pytest


class Broken(Exception):
    pass


def test_a_variable_that_the_handler_leaves_unassigned():
    def late(x):
        try:
            y = math.sqrt(x)
        finally:
            y += 1
        return y

    assert nb.njit(late)(4.0) == 3.0


def test_exceptions_of_other_modules(same):
    def solve(x):
        if x == 0:
            raise np.linalg.LinAlgError("singular", x)
        if x == 1:
            raise np.linalg.LinAlgError
        return x

    for x in range(3):
        same(solve, x)


@pytest.mark.parametrize("what", [int, 1])
def test_only_exceptions_are_raised(what):
    @nb.njit
    def raises(x):
        if x:
            raise what
        return x

    with pytest.raises(nb.errors.UnsupportedError, match="unsupported constant type used for exception"):
        raises(0)


def test_handlers_take_every_exception_or_none():
    def handler(classes):
        @nb.njit
        def f(x):
            try:
                return 1 // x
            except classes:
                return 0

        return f

    assert handler(Exception)(0) == 0
    for classes in (ValueError, (ValueError, TypeError), (Exception,), Broken):
        with pytest.raises(nb.errors.TypingError, match="Exception matching is limited to <class 'Exception'>"):
            handler(classes)(1)


def test_raising_again():
    @nb.njit
    def nothing_to_raise(x):
        if x:
            raise
        return x

    assert nothing_to_raise(0) == 0
    with pytest.raises(RuntimeError, match="No active exception to reraise"):
        nothing_to_raise(1)

    @nb.njit
    def again(x):
        try:
            return 1 // x
        except Exception:
            raise

    with pytest.raises(nb.errors.UnsupportedBytecodeError, match="re-raising of an exception is not yet supported"):
        again(1)


def test_exceptions_carry_any_argument():
    @nb.njit
    def fails(text, a, n):
        if n == 0:
            raise ValueError(text)
        if n == 1:
            raise Broken("array", a, n, (text, a[1:]), 2.5)
        if n == 2:
            raise ValueError(a[0], (n, n, n, n), (n, n, n, n), (n, n))
        return n

    a = np.arange(3)
    assert fails("", a, 3) == 3
    for text in ("plain", "\u00fcml\u00e4ut", "\u6f22\u5b57", "\U0001f600", ""):
        with pytest.raises(ValueError) as caught:
            fails(text, a, 0)
        assert caught.value.args == (text,)
    with pytest.raises(Broken) as caught:
        fails("t", a, 1)
    name, whole, number, (text, part), real = caught.value.args
    assert (name, number, text, real) == ("array", 1, "t", 2.5)
    assert whole is a
    assert part.tolist() == [1, 2]
    with pytest.raises(ValueError) as caught:
        fails("t", a, 2)
    assert caught.value.args == (0, (2,) * 4, (2,) * 4, (2, 2))

    @nb.njit
    def survives(text, a):
        try:
            fails(text, a, 1)
        except Exception:
            return a.sum()
        return 0

    assert survives("x", a) == 3


def test_handlers_within_finally(same):
    def nested(p, q):
        trace = 0
        try:
            if p:
                raise Broken
            trace += 1
        except:  # noqa: E722
            trace += 10
        finally:
            try:
                if q:
                    raise Broken
                trace += 100
            except Exception:
                trace += 1000
            else:
                trace += 10000
            finally:
                trace += 100000
        return trace

    for p in (0, 1):
        for q in (0, 1):
            same(nested, p, q)


def test_tracebacks_end_where_compiled_code_raised():
    @nb.njit
    def f(kind):
        if kind == 0:
            raise ValueError("x")
        if kind == 1:
            raise ValueError
        assert kind == 2, "bar"
        return 1 // (kind - 2)

    for kind in (0, 1, 3, 2):
        for _ in range(2):
            with pytest.raises((ValueError, AssertionError, ZeroDivisionError)) as caught:
                f(kind)
            last = traceback.extract_tb(caught.value.__traceback__)[-1]
            assert (last.filename, last.name) == (__file__, "f")
