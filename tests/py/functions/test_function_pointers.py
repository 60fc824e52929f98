"""C functions by address: of ctypes, and of objects that follow ``WrapperAddressProtocol``."""

import ctypes
import math
import threading

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

    with pytest.raises(TypeError, match="ctypes function 'cos' doesn't define its argument types"):
        f(1.0)


def test_the_interface_of_python():
    # Compiled code holds the interpreter's lock, as their callers must.
    save = ctypes.pythonapi.PyEval_SaveThread
    save.argtypes, save.restype = [], ctypes.c_void_p
    restore = ctypes.pythonapi.PyEval_RestoreThread
    restore.argtypes, restore.restype = [ctypes.c_void_p], None

    @nb.njit
    def without_lock(x):
        state = save()
        x += 1
        restore(state)
        return x

    assert [without_lock(n) for n in range(3)] == [1, 2, 3]


def test_the_helper_library():
    from numbra import _helperlib

    library = ctypes.CDLL(_helperlib.__file__)
    sine, square = library._numba_test_sin, library._numba_test_vsquare
    sine.argtypes, sine.restype = [ctypes.c_double], ctypes.c_double
    square.argtypes, square.restype = [ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p], None

    @nb.njit
    def f(x, out):
        square(x.size, x.ctypes, out.ctypes)
        return sine(x[0])

    out = np.zeros(3)
    assert f(np.array([0.5, 2.0, -3.0]), out) == math.sin(0.5) and out.tolist() == [0.25, 4.0, 9.0]


def test_functions_that_take_objects_of_python():
    seen = []

    def look(a, n):
        seen.append(a.copy())
        return len(a) + n

    count = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.py_object, ctypes.c_int)(look)
    note = ctypes.CFUNCTYPE(None, ctypes.py_object)(seen.append)

    @nb.njit(nogil=True)
    def f(a, n):
        note("start")
        for i in range(n):
            n += count(a, i)
        return n

    a = np.array(["abc", "d"], "S3")
    assert f(a, 2) == 2 + 2 + 3 and seen[0] == "start" and [s.tolist() for s in seen[1:]] == [a.tolist()] * 2
    assert nb.njit(lambda g, a: g(a, 1))(count, a) == 3
    out = []
    threads = [threading.Thread(target=lambda: out.append(f(a, 50))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert out == [50 + 2 * 50 + 1225] * 4
