"""``jit(forceobj=True)``: Numba's surface over functions that the interpreter runs."""

import io

import numbra as nb
import numpy as np
import pytest
from numbra import jit, types
from numbra.core.errors import NumbaWarning, UnsupportedError


def anything(x, y=2, *rest, **named):
    d = {"x": x, **named}
    return [d, y, *rest]


def test_whatever_python_does():
    f = jit(forceobj=True)(anything)
    assert f(1) == anything(1)
    assert f([], "a", None, k=object) == anything([], "a", None, k=object)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        f()


def test_generators_and_classes():
    @jit(forceobj=True)
    def f(n):
        class Local:
            value = n

        yield from [Local().value, n + 1]

    assert list(f(3)) == [3, 4]


def test_surface():
    f = jit(forceobj=True)(anything)
    assert f.signatures == []
    f(1)
    f(2)
    f(np.ones(3), 1.5)
    assert f.signatures == [
        (types.int64, types.Omitted(2)),
        (types.float64[::1], types.float64),
    ]
    assert f.nopython_signatures == []
    assert f.py_func is anything
    assert f.__name__ == "anything"
    assert nb.extending.is_jitted(f)
    overload = f.overloads[f.signatures[1]]
    assert overload.objectmode
    assert overload.signature.return_type == types.pyobject
    assert overload.lifted == ()
    assert f.inspect_llvm() == {sig: "" for sig in f.signatures}
    assert f.inspect_asm(f.signatures[0]) == ""
    out = io.StringIO()
    f.inspect_types(file=out)
    assert "def anything(x, y=2" in out.getvalue()


def test_explicit_signatures():
    f = jit((types.pyobject, types.int64), forceobj=True)(anything)
    assert f.signatures == [(types.pyobject, types.int64)]
    f("a", 3)
    f(1.5)
    assert len(f.signatures) == 1


def test_methods():
    class Thing:
        @jit(forceobj=True)
        def method(self, x):
            return self, x

    thing = Thing()
    assert thing.method(3) == (thing, 3)


def test_options():
    with pytest.raises(ValueError, match="Only one of 'nopython' or 'forceobj' can be True"):
        jit(nopython=True, forceobj=True)(anything)
    with pytest.warns(NumbaWarning, match="won't allow parallel execution despite nogil=True"):
        jit(forceobj=True, nogil=True)(anything)
    assert jit(forceobj=True, looplift=True)(anything)(1) == anything(1)


def test_object_mode_inside():
    @jit(forceobj=True)
    def f(x):
        with nb.objmode(y="int64"):
            y = x + 0.5
        return y

    assert f(1) == 1.5


def test_compiled_code_cannot_call_it():
    f = jit(forceobj=True)(anything)

    @nb.njit
    def g(x):
        return f(x)

    with pytest.raises((UnsupportedError, nb.errors.TypingError), match="cannot be called from compiled code"):
        g(1)


def test_signatures_have_a_type_for_each_parameter():
    def add(x, y):
        return x + y

    for text in ("(int32,)", "(int32, int32, int32)"):
        with pytest.raises(TypeError, match="argument types given, but function takes 2 arguments"):
            jit(text, forceobj=True)(add)
    assert jit("()", forceobj=True)(add)(1, 2) == jit("(int32, int32)", forceobj=True)(add)(1, 2) == 3
