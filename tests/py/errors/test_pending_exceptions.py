"""Exceptions of compiled code on their way out: what runs meanwhile in their thread, and their contexts."""

import gc
import signal
import traceback

import numbra as nb
import numpy as np
import pytest

TIERS = ["cranelift", "llvm"]


@nb.njit
def caught(x):
    try:
        if x > 0:
            raise KeyError("inner", x, np.arange(x))
    except Exception:
        return 1
    return 0


@nb.njit
def thrower(x):
    raise IndexError("thrower", x, np.arange(x))


def other_code(*_):
    """What signal handlers, destructors and callbacks do: compiled code that raises, handled or not."""
    assert caught(3) == 1
    try:
        thrower(2)
    except IndexError as error:
        assert error.args[:2] == ("thrower", 2) and len(error.args[2]) == 2


class Memory(bytearray):
    """Its destructor runs compiled code."""

    ended = 0

    def __del__(self):
        Memory.ended += 1
        other_code()


def array():
    return np.frombuffer(Memory(80))


def released_array(k):
    with nb.objmode(a="float64[::1]"):
        a = array()
    if k > 5:
        raise ValueError("orig", k, (k + 0.5, "text"))
    return a[0]


def released_items(k):
    items = [np.zeros(1)]
    with nb.objmode(a="float64[::1]"):
        a = array()
    items.append(a)
    for i in range(3):
        if i == 2 and k > 5:
            raise ValueError("orig", k, (k + 0.5, "text"))
        items.append(a)
    return items[0][0]


def released_in_a_callee(k):
    with nb.objmode(a="float64[::1]"):
        a = array()
    raised(k)
    return a[0]


@nb.njit
def raised(k):
    if k > 5:
        raise ValueError("orig", k, (k + 0.5, "text"))


def in_a_finally(k):
    try:
        raised(k)
    finally:
        with nb.objmode():
            other_code()


def in_a_handler(k):
    try:
        thrower(k)
    except Exception:
        with nb.objmode():
            other_code()
        raise ValueError("orig", k, (k + 0.5, "text"))  # noqa: B904


def of_the_interpreter(k):
    with nb.objmode(a="float64[::1]"):
        a = array()
    with nb.objmode():
        fail(k)
    return a[0]


def fail(k):
    raise ValueError("orig", k, (k + 0.5, "text"))


PROGRAMS = [
    released_array,
    released_items,
    released_in_a_callee,
    in_a_finally,
    in_a_handler,
    of_the_interpreter,
]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_what_is_pending_survives_other_code(program, tier):
    f = nb.njit(tier=tier)(program)
    for _ in range(3):
        with pytest.raises(ValueError) as error:
            f(7)
        assert error.value.args == ("orig", 7, (7.5, "text"))


@pytest.mark.parametrize("tier", TIERS)
def test_generators(tier):
    @nb.njit(tier=tier)
    def numbers(k):
        with nb.objmode(a="float64[::1]"):
            a = array()
        yield 1.0
        if k > 5:
            raise ValueError("orig", k, np.arange(k))
        yield a[0]

    with pytest.raises(ValueError) as error:
        list(numbers(7))
    assert error.value.args[:2] == ("orig", 7) and len(error.value.args[2]) == 7
    ended = Memory.ended
    first = numbers(1)
    next(first)
    del first
    assert Memory.ended == ended + 1


def test_arguments_given_up_by_a_call_that_fails():
    class Item:
        def __del__(self):
            other_code()

    @nb.njit
    def f(items, k):
        items.append(k)
        raise ValueError("orig", k, np.arange(k))

    items = [1, 2]
    with pytest.raises(ValueError) as error:
        f(items, 7)
    assert error.value.args[1] == 7 and items == [1, 2, 7]


def test_collections_while_arguments_are_boxed():
    @nb.njit
    def f(k, a):
        raise ValueError((k, a), a[1:], a[2:], (a, "x"), k)

    class Cycle:
        def __init__(self):
            self.itself = self

        def __del__(self):
            other_code()

    thresholds = gc.get_threshold()
    a = np.arange(5.0)
    try:
        gc.set_threshold(1)
        for _ in range(20):
            Cycle()
            with pytest.raises(ValueError) as error:
                f(7, a)
            (k, whole), part, rest, (again, text), last = error.value.args
            assert (k, text, last) == (7, "x", 7)
            assert whole.tolist() == again.tolist() == a.tolist()
            assert part.tolist() == [1, 2, 3, 4] and rest.tolist() == [2, 3, 4]
    finally:
        gc.set_threshold(*thresholds)


@pytest.mark.parametrize("tier", TIERS)
def test_signal_handlers(tier):
    calls = []

    def handler(*_):
        calls.append(1)
        other_code()

    @nb.njit(tier=tier)
    def f(k):
        total = 0.0
        try:
            raise ValueError("orig", k, np.arange(k))
        finally:
            for i in range(60_000_000):
                total += 1.0 / (i + 1)
        return total

    before = signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    try:
        with pytest.raises(ValueError) as error:
            f(7)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert error.value.args[:2] == ("orig", 7) and calls


def test_loops_of_ufuncs():
    @nb.vectorize(["float64(float64)"])
    def f(x):
        if x > 2:
            raise ValueError("orig", x)
        return x

    with pytest.raises(ValueError) as error:
        f(np.arange(5.0))
    assert error.value.args == ("orig", 3.0)


def plain(k):
    raise ValueError("raised", k)


def guarded(a, i):
    return a[i]


def in_a_callee(k):
    plain_jitted(k)


plain_jitted = nb.njit(plain)


def in_parallel(n):
    for i in nb.prange(n):
        if i == 3:
            raise ValueError("raised", i)


def yields(k):
    yield 1
    raise ValueError("raised", k)


def in_object_mode(k):
    with nb.objmode():
        fail(k)


@nb.vectorize(["float64(float64)"])
def ufunc(x):
    if x > 0:
        raise ValueError("raised", x)
    return x


@nb.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
def gufunc(x, out):
    if x[0] > 0:
        raise ValueError("raised", x[0])
    out[0] = x[0]


RAISING = {
    "a function": lambda: nb.njit(plain)(5),
    "a callee": lambda: nb.njit(in_a_callee)(5),
    "a guard": lambda: nb.njit(boundscheck=True)(guarded)(np.arange(3), 5),
    "a parallel loop": lambda: nb.njit(parallel=True)(in_parallel)(10),
    "a generator": lambda: list(nb.njit(yields)(5)),
    "object mode": lambda: nb.njit(in_object_mode)(5),
    "a ufunc": lambda: ufunc(np.ones(3)),
    "a generalised ufunc": lambda: gufunc(np.ones(3)),
    "arguments that do not bind": lambda: nb.njit(plain)(1, 2, 3),
    "arguments that do not convert": lambda: nb.njit(["void(int64)"])(plain)("text"),
    "compilation": lambda: nb.njit(lambda x: x.nothing)(1),
}


@pytest.mark.parametrize("name", RAISING)
def test_the_context_is_what_python_handles(name):
    try:
        try:
            raise KeyError("first")
        except KeyError as error:
            first = error
            RAISING[name]()
    except Exception as error:
        second = error
    assert second is not first and second.__context__ is first and second.__cause__ is None
    assert not second.__suppress_context__
    assert "During handling of the above exception" in "".join(traceback.format_exception(second))
    with pytest.raises(Exception) as alone:
        RAISING[name]()
    assert alone.value.__context__ is None


def test_contexts_that_python_has_set_stay():
    def fails(k):
        try:
            raise LookupError("inner", k)
        except LookupError:
            raise ValueError("raised", k) from None

    @nb.njit
    def f(k):
        with nb.objmode():
            fails(k)

    try:
        try:
            raise KeyError("first")
        except KeyError:
            f(5)
    except ValueError as error:
        chain = error.__context__
        assert error.__suppress_context__ and isinstance(chain, LookupError)
        assert isinstance(chain.__context__, KeyError)


def test_what_was_handled_is_no_context():
    @nb.njit
    def f(k):
        s = 0
        try:
            raise KeyError("first", k)
        except Exception:
            s += 1
        if s:
            raise ValueError("second", k)

    with pytest.raises(ValueError) as error:
        f(3)
    assert error.value.__context__ is None
