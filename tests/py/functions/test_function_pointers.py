"""C functions by address: of ctypes, and of objects that follow ``WrapperAddressProtocol``."""

import ctypes
import math

import numbra as nb
import numpy as np
import pytest
from numbra.core import types
from numbra.core.errors import TypingError

LIBRARY = ctypes.CDLL(None)


def c_function(name, result, *args):
    function = getattr(ctypes.CDLL(None), name)
    function.restype, function.argtypes = result, args
    return function


class Address(types.WrapperAddressProtocol):
    def __init__(self, function, signature):
        self.function, self.text = function, signature

    def __wrapper_address__(self):
        return ctypes.cast(self.function, ctypes.c_void_p).value

    def signature(self):
        return self.text


absolute = c_function("labs", ctypes.c_long, ctypes.c_long)
power = Address(LIBRARY.pow, nb.float64(nb.float64, nb.float64))
upper = c_function("toupper", ctypes.c_int, ctypes.c_int)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_calls(tier):
    @nb.njit(tier=tier)
    def f(a, n):
        total = 0.0
        for x in a:
            total += power(x, n)
        return total, absolute(-n), upper(97)

    a = np.arange(1.0, 4.0)
    assert f(a, 2) == (1.0 + 4.0 + 9.0, 2, 65)


def test_the_type():
    @nb.njit
    def f(x):
        return power(x, 0.5)

    assert f(4) == 2.0
    assert f(2.0) == math.pow(2.0, 0.5)
    ty = nb.typeof(1.0)
    assert f.nopython_signatures[0].return_type == ty


def test_callbacks_into_python():
    seen = []
    note = ctypes.CFUNCTYPE(None, ctypes.c_int32)(seen.append)

    @nb.njit
    def f(n):
        for i in range(n):
            note(i)

    f(3)
    assert seen == [0, 1, 2]


def test_wrong_calls():
    @nb.njit
    def few(x):
        return power(x)

    @nb.njit
    def kind(x):
        return power(x, "a")

    with pytest.raises(TypingError):
        few(1.0)
    with pytest.raises(TypingError):
        kind(1.0)


def test_functions_of_unknown_arguments_have_no_type():
    unknown = ctypes.CDLL(None).cos

    @nb.njit
    def f(x):
        return unknown(x)

    with pytest.raises(TypingError, match="Untyped"):
        f(1.0)
