"""Functions as values: declared function types, jitted functions that meet, C callbacks, objects with an address."""

import ctypes
import gc
import math
import sys
import threading
import weakref

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.errors import TypingError, UnsupportedError

I8, F8 = types.int64, types.float64
INT = types.FunctionType(I8(I8))
FLOAT = types.FunctionType(F8(F8))


@pytest.fixture(params=["cranelift", "llvm", "auto"])
def jit(request):
    def decorate(*args, **options):
        return nb.njit(*args, tier=request.param, **options)

    return decorate


@nb.njit
def one(x):
    return x + 1


@nb.njit
def two(x):
    return x + 2


@nb.njit
def half(x):
    return x / 2


@nb.njit("int64(int64)")
def ten(x):
    return x + 10


@nb.cfunc("int64(int64)")
def hundred(x):
    return x + 100


class AtAddress(types.WrapperAddressProtocol):
    def __init__(self, address, signature):
        self.at, self.of = address, signature

    def __wrapper_address__(self):
        return self.at

    def signature(self):
        return self.of


# Chosen by a branch, in tuples, lists and dictionaries


def test_a_branch_chooses(jit):
    @jit
    def pick(k, x):
        f = one if k else two
        return f(x)

    assert [pick(True, 1), pick(False, 1), pick(True, 1.5), pick(False, 1.5)] == [2, 3, 2.5, 3.5]
    assert len(pick.signatures) == 2


def test_chosen_functions_run_at_the_types_of_each_call(jit):
    @jit
    def use(k, x):
        f = one if k else half
        return f(x), f(x * 1.5), f(np.arange(2.0))[1]

    assert use(True, 2) == (3.0, 4.0, 2.0)
    assert use(False, 2) == (1.0, 1.5, 0.5)


def test_three_are_chosen_among(jit):
    @jit
    def pick(k, x):
        if k == 0:
            f = one
        elif k == 1:
            f = two
        else:
            f = ten
        return f(x)

    assert [pick(k, 5) for k in range(3)] == [6, 7, 15]


def test_arguments_by_name_and_defaults(jit):
    @nb.njit
    def less(a, b=10):
        return a - b

    @nb.njit
    def more(a, b=20):
        return a + b

    @jit
    def use(k):
        f = less if k else more
        return f(1), f(1, 2), f(b=3, a=1)

    assert use(True) == (-9, -1, -2)
    assert use(False) == (21, 3, 4)


@pytest.mark.parametrize("make", [lambda *f: f, lambda *f: list(f)])
def test_loops_over_functions(jit, make):
    functions = make(one, two, ten)

    @jit
    def through(x):
        for f in (one, two, ten):
            x = f(x)
        for f in [one, two, ten]:
            x = f(x)
        return x

    assert through(0) == 26
    if isinstance(functions, tuple):

        @jit
        def given(fs, x):
            for f in fs:
                x = f(x)
            return x

        assert given(functions, 0) == 13
        assert given((), 4) == 4
        assert given((one,) * 3, 0) == 3


def test_an_index_picks(jit):
    @jit
    def at(fs, i, x):
        return fs[i](x)

    assert [at((one, two, ten), i, 0) for i in (0, 1, 2, -1)] == [1, 2, 10, 10]
    assert at((one, hundred), 1, 0) == at((hundred, one), 0, 0) == 100
    assert len(at.signatures) == 2
    assert str(at.signatures[1][0]) == "UniTuple(FunctionType[int64(int64)] x 2)"
    with pytest.raises(IndexError):
        at((one, two), 2, 0)


def test_functions_in_lists_and_dictionaries(jit):
    @jit
    def use(key, n):
        table = {1: one, 2: two}
        fs = [one, two]
        for _ in range(n):
            fs.append(one)
        return table[key](0), fs[n](5), len(fs)

    assert use(1, 3) == (1, 6, 5)
    assert use(2, 1) == (2, 7, 3)
    with pytest.raises(KeyError):
        use(3, 1)


def test_containers_that_are_filled(jit):
    @jit
    def use(key, i):
        table = {}
        table["a"] = one
        table["b"] = two
        fs = []
        fs.append(one)
        fs.append(two)
        fs[0] = two
        return table[key](0), fs[i](5)

    assert use("a", 0) == (1, 7)
    assert use("b", 1) == (2, 7)


def test_a_dictionary_with_constant_names_holds_functions_of_any_kind(jit):
    @nb.njit
    def of_two(a, b):
        return a * b

    @jit
    def use():
        table = {"a": one, "b": of_two}
        return table["a"](1), table["b"](3, 4)

    assert use() == (2, 12)


def test_global_and_captured_functions(jit):
    table = (one, two)
    nested = ((one, two), (two, one))

    @jit
    def use(i, j, x):
        s = 0
        for f in table:
            s += f(x)
        return s, nested[0][i](x), nested[1][j](x)

    assert use(0, 0, 1) == (5, 2, 3)


def test_functions_go_on_to_other_functions(jit):
    @nb.njit
    def apply(f, x):
        return f(x)

    @jit
    def use(k, x):
        return apply(one if k else two, x)

    assert [use(True, 1), use(False, 1)] == [2, 3]


def test_a_function_or_none(jit):
    @jit
    def use(k, x):
        f = None
        if k == 1:
            f = one
        elif k == 2:
            f = two
        if f is None:
            return -1
        return f(x)

    assert [use(k, 1) for k in range(3)] == [-1, 2, 3]

    @jit
    def call(k, x):
        f = one if k else None
        return f(x)

    assert call(True, 1) == 2
    with pytest.raises(TypeError, match="got None"):
        call(False, 1)


def test_functions_compare_by_identity(jit):
    @jit
    def same(k):
        f = one if k else two
        g = two if k else one
        return f is one, f is two, f is g, f is not g, f is f, one is two, one is one

    assert same(True) == (True, False, False, True, True, False, True)
    assert same(False) == (False, True, False, True, True, False, True)

    @jit(types.boolean(INT, INT))
    def declared(f, g):
        return f is g

    assert declared(one, one) and not declared(one, two) and declared(hundred, hundred)


# Results


def test_functions_are_returned(jit):
    @jit
    def gives(k):
        return one if k else ten

    assert gives(True) is one and gives(False) is ten

    @jit
    def back(f):
        return f, [f], hundred

    assert back(two) == (two, [two], hundred)
    assert back(hundred) == (hundred, [hundred], hundred)

    @jit
    def mixed(k):
        return hundred if k else one

    assert mixed(True) is hundred and mixed(False) is one


def test_a_result_outlives_what_gave_it(jit):
    @nb.njit
    def local(x):
        return x * 3

    def make():
        other = nb.njit(lambda x: x * 5)

        @jit
        def gives(k):
            return local if k else other

        return gives(False)

    function = make()
    gc.collect()
    assert function(2) == 10


# Declared types


def test_declared_function_types(jit):
    @jit(I8(INT, I8))
    def apply(f, x):
        return f(x)

    assert [apply(f, 1) for f in (one, two, ten, hundred, one)] == [2, 3, 11, 101, 2]
    assert apply(one, 2.9) == 3
    assert len(apply.signatures) == 1
    assert I8(I8) in one.nopython_signatures


def test_declared_by_text(jit):
    apply = jit("int64(FunctionType(int64(int64)), int64)")(lambda f, x: f(x))
    assert apply(ten, 1) == 11


def test_the_function_is_compiled_at_the_declared_type(jit):
    apply = jit(F8(FLOAT, F8))(lambda f, x: f(x))
    assert apply(one, 1) == 2.0 and isinstance(apply(one, 1), float)
    seven = nb.njit(lambda x: 7)
    assert apply(seven, 0) == 7.0
    with pytest.raises(TypeError, match="No matching definition"):
        apply(ten, 1.0)
    with pytest.raises(TypeError, match="No matching definition"):
        apply(nb.njit(lambda x: "text"), 1.0)
    with pytest.raises(TypeError, match="No matching definition"):
        apply(nb.njit(lambda x, y: x), 1.0)


def test_declared_tuples_and_lists_of_functions(jit):
    @jit(I8(types.UniTuple(INT, 2), I8))
    def both(fs, x):
        s = 0
        for f in fs:
            s += f(x)
        return s + fs[x % 2](0)

    assert both((one, two), 3) == 11
    assert both((hundred, one), 3) == 108

    @jit(I8(types.ListType(INT)))
    def chain(fs):
        x = 0
        for f in fs:
            x = f(x)
        return x

    fs = nb.typed.List.empty_list(INT)
    assert chain(fs) == 0
    for f in (one, hundred, two):
        fs.append(f)
    assert chain(fs) == 103
    assert list(fs) == [one, hundred, two]


def test_the_signature_is_chosen_by_the_function(jit):
    array = types.Array(F8, 1, "C")

    @jit([I8(INT, I8), F8(types.FunctionType(F8(array)), array)])
    def caller(f, a):
        return f(a)

    assert caller(one, 4) == 5
    assert caller(nb.njit(lambda a: a.sum()), np.ones(3)) == 3.0


def test_within_compiled_code_jitted_functions_become_declared_ones(jit):
    apply = jit(I8(INT, I8))(lambda f, x: f(x))

    @jit
    def use(k, x):
        return apply(one, x), apply(one if k else two, x), apply(hundred, x)

    assert use(True, 1) == (2, 2, 101)
    assert use(False, 1) == (2, 3, 101)


def test_values_of_many_words(jit):
    array = types.Array(F8, 2, "C")
    result = types.Tuple((array, types.unicode_type))
    ty = types.FunctionType(result(array, types.unicode_type, F8, array))

    @nb.njit
    def work(a, s, x, b):
        return a * x + b, s + "!"

    apply = jit(result(ty, array, types.unicode_type))(lambda f, a, s: f(a, s, 2.0, a))
    got, text = apply(work, np.ones((2, 3)), "é")
    assert (got == 3.0).all() and text == "é!"


def test_functions_without_arguments_and_results(jit):
    cell = np.zeros(1)

    @nb.njit
    def count(a):
        a[0] += 1

    @jit(types.void(types.FunctionType(types.void(types.Array(F8, 1, "C"))), types.Array(F8, 1, "C")))
    def twice(f, a):
        f(a)
        f(a)

    twice(count, cell)
    assert cell[0] == 2
    assert jit(I8(types.FunctionType(I8())))(lambda f: f())(nb.njit(lambda: 3)) == 3


# Exceptions


def test_exceptions_come_through(jit):
    class Odd(Exception):
        pass

    @nb.njit
    def checked(x):
        if x > 2:
            raise Odd("too much", x)
        return x

    apply = jit(I8(INT, I8))(lambda f, n: f(n))

    @jit
    def chosen(k, n):
        f = checked if k else one
        try:
            return f(n)
        except Exception:
            return -1

    @jit
    def table(i, n):
        return (one, checked)[i](n)

    assert apply(checked, 2) == 2
    with pytest.raises(Odd) as caught:
        apply(checked, 3)
    assert caught.value.args == ("too much", 3)
    assert [chosen(True, 9), chosen(True, 1), chosen(False, 9)] == [-1, 1, 10]
    with pytest.raises(Odd):
        table(1, 3)
    assert apply(checked, 1) == 1


def test_division_by_zero_of_a_value(jit):
    apply = jit(F8(FLOAT, F8))(lambda f, x: f(x))
    with pytest.raises(ZeroDivisionError):
        apply(nb.njit(lambda x: 1 / x), 0.0)


@pytest.mark.filterwarnings("error")
def test_exceptions_of_callbacks_are_printed(jit, monkeypatch):
    @nb.cfunc("int64(int64)")
    def bad(x):
        if x > 0:
            raise ValueError("lost")
        return x

    printed = []
    monkeypatch.setattr(sys, "unraisablehook", printed.append)
    apply = jit(I8(INT, I8))(lambda f, x: f(x))
    assert apply(bad, 0) == 0 and not printed
    assert apply(bad, 1) == 0
    assert [str(one.exc_value) for one in printed] == ["lost"]


# Objects with an address


def test_objects_with_an_address(jit):
    libm = ctypes.CDLL("libm.so.6")
    cos = AtAddress(ctypes.cast(libm.cos, ctypes.c_void_p).value, F8(F8))
    sinf = AtAddress(ctypes.cast(libm.sinf, ctypes.c_void_p).value, types.float32(types.float32))

    @jit
    def apply(f, x):
        return f(x)

    @jit
    def captured(x):
        return cos(x)

    assert apply(cos, 0.0) == 1.0 and captured(0.5) == math.cos(0.5)
    assert apply(sinf, np.float32(0)) == 0.0

    @jit
    def gives(f):
        return f

    assert gives(cos) is cos


def test_no_address(jit):
    missing = AtAddress(0, I8(I8))
    apply = jit(I8(INT, I8))(lambda f, x: f(x))
    with pytest.raises(ValueError, match=r"wrapper address of .* instance must be a positive integer"):
        apply(missing, 1)

    @jit(I8(I8))
    def captured(x):
        return missing(x)

    with pytest.raises(RuntimeError, match="function address is null"):
        captured(1)


def test_compiled_signatures_are_functions(jit):
    @jit
    def add(x, y):
        return x + y

    assert add(1, 2) == 3 and add(1.5, 2.0) == 3.5
    of_ints, of_floats = map(types.CompileResultWAP, add.overloads.values())

    @jit
    def apply(f, x, y):
        return f(x, y)

    assert apply(of_ints, 3, 4) == 7 and apply(of_floats, 3.5, 4.0) == 7.5
    assert of_ints(1, 2) == 3

    @jit
    def captured(x):
        return of_ints(x, x)

    assert captured(4) == 8


def test_callbacks_that_c_cannot_call(jit):
    @nb.cfunc("float64(float64[:], none)")
    def first(a, nothing):
        return a[0]

    @nb.cfunc(I8(types.FunctionType(I8(F8))))
    def outer(inner):
        return inner(123.5)

    @nb.cfunc("int64(float64)")
    def inner(x):
        return nb.int64(x * 2)

    @jit
    def use(f, a):
        return f(a, None), first(a, None), outer(inner)

    assert use(first, np.array([2.5, 1.0])) == (2.5, 2.5, 247)
    with pytest.raises(TypeError, match="a C callback cannot have a parameter of type array"):
        first.address  # noqa: B018


# What is refused


def test_what_function_values_do_not_take(jit):
    @jit
    def by_name(f):
        return f(x=1)

    with pytest.raises(UnsupportedError, match="first-class function call cannot use keyword arguments"):
        by_name(hundred)

    @jit
    def apply(f, x):
        return f(x)

    with pytest.raises(TypingError, match="mismatch of argument types: float64 vs int64"):
        apply(hundred, 1.5)
    with pytest.raises(TypingError, match="mismatch of arguments number: 0 vs 1"):
        jit(lambda f: f())(hundred)

    @jit
    def no_function(k):
        f = one if k else 3
        return f(1)

    with pytest.raises(TypingError, match="unify"):
        no_function(True)


def test_one_of_the_functions_does_not_take_the_arguments(jit):
    @nb.njit
    def of_two(a, b):
        return a + b

    @jit
    def use(k):
        f = one if k else of_two
        return f(1)

    with pytest.raises(TypingError):
        use(True)

    @jit
    def results(k):
        f = one if k else nameless
        return f(1)

    nameless = nb.njit(lambda x: "text")
    with pytest.raises(TypingError, match="unify"):
        results(True)


# Lifetime


def test_a_value_keeps_its_function(jit):
    apply = jit(I8(types.ListType(INT), I8))(lambda fs, x: fs[0](x))
    fs = nb.typed.List.empty_list(INT)
    function = nb.njit(lambda x: x * 7)
    gone = weakref.ref(function)
    fs.append(function)
    del function
    gc.collect()
    assert gone() is not None and apply(fs, 3) == 21
    fs.clear()
    gc.collect()
    assert gone() is None


def test_compiled_code_keeps_the_functions_that_it_gives(jit):
    def make():
        local = nb.njit(lambda x: x * 9)
        apply = jit(I8(INT, I8))(lambda f, x: f(x))

        @jit
        def use(x):
            return apply(local, x)

        return use, weakref.ref(local)

    use, gone = make()
    assert use(2) == 18
    gc.collect()
    assert use(3) == 27 and gone() is not None
    del use
    gc.collect()
    assert gone() is None


FACTOR = 2


def test_recompiled_functions_leave_no_address_behind(jit):
    global FACTOR
    FACTOR = 2

    @nb.njit
    def scaled(x):
        return x * FACTOR

    apply = jit(I8(types.ListType(INT), I8))(lambda fs, x: fs[0](x))
    single = jit(I8(INT, I8))(lambda f, x: f(x))
    fs = nb.typed.List.empty_list(INT)
    fs.append(scaled)
    assert apply(fs, 3) == 6 and single(scaled, 3) == 6
    FACTOR = 5
    scaled.recompile()
    gc.collect()
    # The value that was made before is the function as it was; a new one is as it is now.
    assert apply(fs, 3) == 6 and single(scaled, 3) == 15
    fs[0] = scaled
    assert apply(fs, 3) == 15


def test_a_function_that_gives_itself_on(jit):
    apply = jit(I8(INT, I8))(lambda f, x: f(x))

    @nb.njit("int64(int64)")
    def down(n):
        if n <= 0:
            return 0
        return n + apply(down, n - 1)

    assert down(4) == 10


def test_threads_share_function_values(jit):
    apply = jit(F8(FLOAT, I8), nogil=True)(lambda f, n: sum_of(f, n))
    out = []

    def work(k):
        out.append([apply(function, 1000) for function in functions])

    functions = [nb.njit(lambda x: x * 2), nb.njit(lambda x: x + 1)]
    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(out) == 4 and all(got == out[0] for got in out)
    assert out[0] == [999000.0, 500500.0]


@nb.njit
def sum_of(f, n):
    s = 0.0
    for i in range(n):
        s += f(float(i))
    return s
