"""The dispatcher: how arguments find their compiled signature, and what it tells about itself."""

import gc
import pickle
import threading
import weakref

import numbra as nb
import numpy as np
import pytest
from numbra import types
from numbra.core.errors import NumbaTypeError, TypingError, UnsupportedError


def add(x, y=2):
    return x + y


@pytest.fixture
def jitted():
    return nb.njit(add)


@pytest.mark.smoke
def test_signatures_come_in_order_of_calls(jitted):
    assert (jitted(1), jitted(1.5, 2), jitted(1, y=5)) == (3, 3.5, 6)
    i8, f8 = types.int64, types.float64
    assert jitted.signatures == [(i8, types.Omitted(2)), (f8, i8), (i8, i8)]
    assert [s.return_type for s in jitted.nopython_signatures] == [i8, f8, i8]
    assert list(jitted.overloads) == jitted.signatures


def test_a_signature_is_compiled_once(jitted):
    jitted(1, 2)
    jitted(3, 4)
    jitted(y=3, x=4)
    assert len(jitted.signatures) == 1


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, "missing 1 required positional argument: 'x'"),
        ((1, 2, 3), {}, "takes from 1 to 2 positional arguments but 3 were given"),
        ((1,), {"z": 1}, "got an unexpected keyword argument 'z'"),
        ((1, 2), {"y": 1}, "got multiple values for argument 'y'"),
        ((), {"y": 1}, "missing 1 required positional argument: 'x'"),
    ],
)
def test_wrong_calls_in_cpythons_words(jitted, args, kwargs, message):
    with pytest.raises(TypeError) as caught:
        jitted(*args, **kwargs)
    assert str(caught.value).startswith(f"add() {message}")


def test_star_args_are_a_tuple():
    @nb.njit
    def total(first, *rest):
        for x in rest:
            first += x
        return first

    assert total(1, 2, 3) == 6
    assert total(1, 2.5) == 3.5
    assert total.signatures == [
        (types.int64, types.UniTuple(types.int64, 2)),
        (types.int64, types.UniTuple(types.float64, 1)),
    ]
    count = nb.njit(lambda *args: len(args))
    assert (count(), count(1, 2.5)) == (0, 2)


def test_explicit_signatures_compile_at_once_and_stay_fixed():
    f = nb.njit(["int32(int32, int32)", (types.float64, types.float64)])(add)
    assert [s.return_type for s in f.nopython_signatures] == [types.int32, types.float64]
    assert f(1, 2) == 3
    assert f(1.5, 2.5) == 4.0
    with pytest.raises(TypeError, match="No matching definition for argument type"):
        f("a", "b")
    assert len(f.signatures) == 2


@pytest.mark.parametrize(
    ("signature", "value", "expected"),
    [
        ("int32(int32)", 2**40 + 1, 1),
        ("int32(int32)", 2.75, 2),
        ("int64(int64)", True, 1),
        ("float32(float32)", 3, 3.0),
        ("complex64(complex64)", 3, 3 + 0j),
        ("complex128(complex128)", 2.5, 2.5 + 0j),
        ("uint64(uint64)", 7, 7),
    ],
)
def test_arguments_convert_to_a_fixed_signature(signature, value, expected):
    got = nb.njit(signature)(lambda x: x)(value)
    assert got == expected
    assert type(got) is type(expected)


def test_conversion_failures_are_pythons():
    f = nb.njit("uint64(uint64)")(lambda x: x)
    with pytest.raises(OverflowError, match="negative"):
        f(-1)
    with pytest.raises(OverflowError):
        f(2**70)


def test_ambiguous_signatures_are_listed():
    f = nb.njit(["f8(f4, f8)", "f8(f8, f4)"])(add)
    with pytest.raises(TypeError) as caught:
        f(1.0, 2.0)
    text = str(caught.value)
    assert text.startswith("Ambiguous overloading for <function add")
    assert "(float32, float64) -> float64\n(float64, float32) -> float64" in text


@pytest.mark.parametrize(
    ("signature", "message"),
    [
        ("int64", "evaluates to 'Integer' instead of tuple or Signature"),
        ((int,), "expected a type instance, got <class 'int'>"),
        ("(i8, i8, i8)", "3 argument types given, but function takes 2 arguments"),
        ("()", "0 argument types given, but function takes 2 arguments"),
    ],
)
def test_wrong_signatures(signature, message):
    def two(a, b):
        return a

    with pytest.raises(TypeError, match=message):
        nb.njit(two).compile(signature)


def test_an_argument_without_a_type_is_named():
    with pytest.raises(TypingError) as caught:
        nb.njit(lambda a, b: a)(1, object())
    text = str(caught.value)
    assert text.startswith("Failed in nopython mode pipeline (step: nopython frontend)")
    assert "During: typing of argument of <lambda>" in text
    assert "- argument 1: Cannot determine Numba type of <class 'object'>" in text


def test_ints_beyond_64_bits_have_no_type():
    with pytest.raises(TypingError, match="Int value is too large"):
        nb.njit(lambda x: x)(2**70)


@pytest.mark.smoke
def test_literal_dispatch_compiles_for_values():
    @nb.njit
    def pick(items, index):
        return items[nb.literally(index)]

    assert pick((1, 2.5), 1) == 2.5
    assert pick((1, 2.5), 0) == 1
    assert pick((1, 2.5), 1) == 2.5
    literals = [args[1] for args in pick.signatures]
    assert literals == [types.literal(1), types.literal(0)]


def test_recompile_sees_new_globals():
    scope = {"k": 1}
    exec("def f(x):\n    return x + k", scope)
    f = nb.njit(scope["f"])
    assert f(1) == 2
    scope["k"] = 10
    assert f(1) == 2
    f.recompile()
    assert f(1) == 11


def test_disable_compile_freezes():
    f = nb.njit(add)
    with pytest.raises(AssertionError):
        f.disable_compile()
    f(1, 2)
    f.disable_compile()
    with pytest.raises(TypeError, match="No matching definition"):
        f("a", 1)
    with pytest.raises(RuntimeError, match="compilation disabled"):
        f.compile("(f8, f8)")
    f.disable_compile(False)
    assert f(1.5, 2.5) == 4.0


def test_recursion_under_an_explicit_signature():
    @nb.njit("int64(int64)")
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n=n - 2)

    assert fib(20) == 6765


def test_a_jitted_function_is_not_jitted_again(jitted):
    with pytest.raises(TypeError, match="already jitted function"):
        nb.njit(jitted)
    with pytest.raises(TypeError, match="not a function"):
        nb.njit(3)


def test_what_a_dispatcher_shows(jitted):
    jitted(1, 2)
    assert jitted.py_func is add
    assert jitted.__wrapped__ is add
    assert (jitted.__name__, jitted.__module__) == ("add", add.__module__)
    assert repr(jitted) == f"CPUDispatcher({add})"
    assert jitted.stats.cache_hits == {}
    times = jitted.get_metadata((types.int64, types.int64))["pipeline_times"]["nopython"]
    assert set(times) >= {"nopython_type_inference", "native_lowering"}
    with pytest.raises(KeyError):
        jitted.get_metadata((types.float64,))


def test_call_template(jitted):
    template, signature, args, kws = jitted.get_call_template((types.int64,), {"y": types.int64})
    assert list(signature.parameters) == ["x", "y"]
    assert (args, kws) == ((types.int64, types.int64), {})
    assert template.cases[0].return_type is types.int64


def test_methods_and_statics():
    class Box:
        @nb.njit
        def method(self_value, x):
            return x

        static = staticmethod(nb.njit(add))

    assert Box.static(1) == 3
    assert Box().static(1) == 3


def test_a_dispatcher_is_freed():
    f = nb.njit(lambda x: x + 1)
    assert f(1) == 2
    watch = weakref.ref(f)
    del f
    gc.collect()
    assert watch() is None


@pytest.mark.parametrize("kind", ["module", "closure", "fixed"])
def test_pickling(kind):
    if kind == "module":
        f = nb.njit(add)
    elif kind == "closure":
        offset = 5

        @nb.njit
        def f(x):
            return x + offset
    else:
        f = nb.njit("f8(f8)")(lambda x: x * 3)
    copy = pickle.loads(pickle.dumps(f))
    assert copy(2) == f(2)
    assert copy.targetoptions == f.targetoptions
    assert len(copy.signatures) == 1


@pytest.mark.parametrize("threads", [2, 16])
def test_one_compilation_under_many_threads(threads):
    f = nb.njit(lambda x, y: x * 1000 + y)
    barrier = threading.Barrier(threads)
    results = []

    def run(n):
        barrier.wait()
        results.append((n, f(n, 7)))

    workers = [threading.Thread(target=run, args=(n,)) for n in range(threads)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert sorted(results) == [(n, n * 1000 + 7) for n in range(threads)]
    assert len(f.signatures) == 1


def test_different_signatures_in_parallel():
    f = nb.njit(add)
    arguments = [(1, 2), (1.5, 2), (1j, 2), (True, 2), (np.float32(1), 2), (np.int8(1), 2)]
    got = [None] * len(arguments)

    def run(index):
        got[index] = f(*arguments[index])

    workers = [threading.Thread(target=run, args=(n,)) for n in range(len(arguments))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert got == [x + y for x, y in arguments]
    assert len(f.signatures) == len(arguments)


def test_mutual_recursion_compiles_from_two_threads():
    scope = {"nb": nb}
    exec(
        "@nb.njit\ndef even(n):\n    return True if n == 0 else odd(n - 1)\n"
        "@nb.njit\ndef odd(n):\n    return False if n == 0 else even(n - 1)\n",
        scope,
    )
    got = {}
    workers = [
        threading.Thread(target=lambda name=name: got.update({name: scope[name](10)})) for name in ("even", "odd")
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert got == {"even": True, "odd": False}


def test_nogil_lets_threads_run():
    f = nb.njit(nogil=True)(add)
    assert f(1, 2) == 3


def test_unsupported_options_are_said_when_compiling():
    f = nb.jit(pipeline_class=object)(add)
    with pytest.raises(UnsupportedError, match="does not support the option 'pipeline_class' yet"):
        f(1, 2)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"inline": "sometimes"}, ValueError, "'always' or 'never'"),
        ({"fastmath": {"quick"}}, ValueError, "Unrecognized fastmath flags"),
        ({"fastmath": "yes"}, ValueError, "bool, dict or set"),
        ({"error_model": "none"}, ValueError, "invalid error model"),
        ({"unknown": 1}, KeyError, "Unrecognized options"),
    ],
)
def test_wrong_options(options, error, message):
    with pytest.raises(error, match=message):
        nb.njit(**options)(add)


def test_error_models():
    def divide(a, b):
        return a / b

    with pytest.raises(ZeroDivisionError, match="division by zero"):
        nb.njit(divide)(1.0, 0.0)
    assert nb.njit(error_model="numpy")(divide)(1.0, 0.0) == np.inf


def test_boundscheck():
    def item(a, i):
        return a[i]

    with pytest.raises(IndexError):
        nb.njit(boundscheck=True)(item)(np.arange(3), 5)


def test_locals_fix_the_types_of_variables():
    @nb.njit(locals={"y": types.float32})
    def f(x):
        y = x
        return y

    f(1.5)
    assert f.nopython_signatures[0].return_type is types.float32


def test_disabled_jit_gives_the_function(monkeypatch):
    from numbra.core import config

    monkeypatch.setattr(config, "DISABLE_JIT", 1)
    assert nb.njit(add) is add


def test_njit_warns_of_what_it_ignores():
    with pytest.warns(RuntimeWarning, match="forceobj is set for njit and is ignored"):
        nb.njit(forceobj=True)(add)


def test_readonly_arrays_cannot_be_written():
    @nb.njit
    def put(a):
        a[0] = 1

    a = np.zeros(3)
    a.flags.writeable = False
    with pytest.raises((TypingError, NumbaTypeError), match=r"[Cc]annot modify|readonly|immutable"):
        put(a)


@pytest.mark.smoke
def test_constant_arrays_come_from_globals():
    table = np.array([2.5, 3.5])

    @nb.njit
    def f(i):
        return table[i]

    assert f(1) == 3.5


def test_named_tuples_pass_both_ways():
    from collections import namedtuple

    Point = namedtuple("Point", "x y")
    f = nb.njit(lambda p: p)
    a = np.arange(3.0)
    got = f(Point(a, 2))
    assert type(got) is Point
    assert got.x is a
    assert got.y == 2
    assert nb.njit(lambda p: p.x + p[1])(Point(1, 2.5)) == 3.5
    with pytest.raises(TypeError, match="No matching definition"):
        g = nb.njit(lambda p: p.y)
        g(Point(1, 2))
        g.disable_compile()
        g((1, 2))


def test_literals_that_a_callee_asks_for():
    @nb.njit
    def inner(items, index):
        return items[nb.literally(index)]

    @nb.njit
    def outer(items, index):
        return inner(items, index)

    assert (outer((1, 2.5), 1), outer((1, 2.5), 0)) == (2.5, 1)
    assert [args[1] for args in outer.signatures] == [types.literal(1), types.literal(0)]


def test_a_literal_of_another_kind_is_refused():
    f = nb.njit(lambda x: nb.literally(x))
    with pytest.raises(TypingError, match="cannot be used as a literal"):
        f(np.zeros(2))


def test_long_tuples_are_refused():
    with pytest.raises(UnsupportedError, match="Tuple 't' length must be smaller than 1000"):
        nb.njit(lambda t: len(t))(tuple(range(1001)))


def test_a_dispatcher_pickled_twice_comes_back_as_one():
    f = nb.njit(lambda x: x + 1)
    text = pickle.dumps(f)
    assert pickle.loads(text) is f
    del f
    gc.collect()
    first = pickle.loads(text)
    assert pickle.loads(text) is first
    assert first(1) == 2
