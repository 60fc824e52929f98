"""What a jitted function holds goes with its last user, at once: its globals, and what its code refers to."""

import collections
import contextlib
import ctypes
import enum
import gc
import subprocess
import sys
import textwrap
import threading
import time
import weakref

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra

SIZES = {"small": 1000, "large": 200_000}


class Thing:
    """An object that is only held."""


def in_globals():
    held = Thing()
    space = {"held": held}
    exec("def f(x):\n    return x + 1", space)
    return space.pop("f"), held


def in_a_closure():
    held = Thing()

    def f(x):
        if x < -5:
            with nb.objmode():
                print(held)
        return x + 1

    return f, held


def a_default():
    held = np.zeros(3)

    def f(x, y=held):
        return x + 1

    return f, held


def array(size, **how):
    def make():
        held = np.full(SIZES[size], 1.0)
        read = held[::2] if how.get("strided") else held

        def f(x):
            return x + int(read[2])

        return f, held

    make.__name__ = f"array_{size}_{'_'.join(how)}"
    return make


def a_named_tuple():
    held = collections.namedtuple("Point", "x y")

    def f(x):
        p = held(x, 1)
        return p.x + p.y

    return f, held


def an_exception():
    class Broken(Exception):
        pass

    def f(x):
        if x < -5:
            raise Broken("broken", x)
        return x + 1

    return f, Broken


def an_enum():
    class Kind(enum.IntEnum):
        ONE = 1

    def f(x):
        return x + Kind.ONE.value

    return f, Kind


def a_block_of_the_interpreter():
    held = Thing()

    def f(x):
        with nb.objmode(y="int64"):
            y = 1 if held else 0
        return x + y

    return f, held


def a_dispatcher():
    held = nb.njit(lambda x: x + 1)

    def f(x):
        return held(x)

    return f, held


def a_nested_function():
    held = np.ones(3)

    def f(x):
        def inner(y):
            return y + int(held[1])

        return inner(x)

    return f, held


def a_callee_in_object_mode():
    inner, held = a_block_of_the_interpreter()
    inner = nb.njit(inner)

    def f(x):
        return inner(x)

    return f, held


HELD = [
    in_globals,
    in_a_closure,
    a_default,
    array("small"),
    array("large"),
    array("small", strided=True),
    a_named_tuple,
    an_exception,
    an_enum,
    a_block_of_the_interpreter,
    a_dispatcher,
    a_nested_function,
    a_callee_in_object_mode,
]


def never_called(f):
    pass


def called(f):
    assert f(1) == 2


def promoted(f):
    called(f)
    _numbra._wait_for_promotions()


def recompiled(f):
    called(f)
    f.recompile()
    called(f)


def two_signatures(f):
    called(f)
    f(np.int8(1))


def failed(f):
    with pytest.raises(nb.errors.NumbaError):
        f("text")


def raised(f):
    called(f)
    for _ in range(3):
        with pytest.raises(TypeError):
            f(1, 2, 3, 4)


WHEN = [never_called, called, promoted, recompiled, two_signatures, failed, raised]


def is_gone(ref):
    return ref() is None


@pytest.mark.parametrize("when", WHEN, ids=lambda w: w.__name__)
@pytest.mark.parametrize("make", HELD, ids=lambda m: m.__name__)
def test_what_is_held_goes_at_once(make, when):
    if when is promoted:
        _numbra._set_promote_after(1)
    try:
        function, held = make()
        f = nb.njit(function)
        when(f)
    finally:
        _numbra._set_promote_after(0)
    ref = weakref.ref(held)
    del function, held
    gc.collect()
    assert not is_gone(ref)
    del f
    # Superseded code waits for a moment in which nobody can be in it.
    gc.collect()
    if when is not never_called:
        _numbra._code_bytes()
        gc.collect()
    assert is_gone(ref)


@pytest.mark.parametrize("make", HELD, ids=lambda m: m.__name__)
def test_it_goes_with_a_cycle(make):
    function, held = make()
    f = nb.njit(function)
    called(f)
    ref, own = weakref.ref(held), weakref.ref(f)
    if isinstance(held, (type, Thing)):
        # What the code refers to refers to the function.
        held.function = f
    else:
        f.itself = f
    del function, held, f
    gc.collect()
    gc.collect()
    assert own() is None and is_gone(ref)


@pytest.mark.parametrize("make", HELD, ids=lambda m: m.__name__)
def test_it_goes_without_another_call(make):
    """Nothing of numbra runs between the end of the function and the look."""
    function, held = make()
    f = nb.njit(function)
    ref = weakref.ref(held)
    del function, held
    gc.collect()
    del f
    # Classes refer to themselves.
    gc.collect()
    assert is_gone(ref)


def test_a_generator_needs_what_its_code_refers_to():
    class Broken(Exception):
        pass

    big = np.arange(SIZES["large"], dtype=np.float64)

    @nb.njit
    def numbers(n):
        for i in range(n):
            yield big[i]  # noqa: F821
        raise Broken("at the end", n)  # noqa: F821

    made = numbers(3)
    refs = [weakref.ref(Broken), weakref.ref(big)]
    Broken.function = numbers
    del numbers, Broken, big
    gc.collect()
    assert next(made) == 0.0
    gc.collect()
    assert [next(made), next(made)] == [1.0, 2.0]
    with pytest.raises(Exception, match="at the end"):
        next(made)
    del made
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


@pytest.mark.parametrize("size", SIZES)
def test_views_of_captured_arrays_outlive_the_code(size):
    def made():
        data = np.arange(SIZES[size], dtype=np.float64)

        @nb.njit
        def f(k):
            return data[k:], data

        return f(3)

    view, whole = made()
    gc.collect()
    nb.njit(lambda x: x)(1)
    junk = [np.full(SIZES[size], -9.0) for _ in range(20)]
    assert view[:2].tolist() == [3.0, 4.0] and whole[7] == 7.0 and len(junk) == 20
    assert view.base is not None  # Numba's is None: nothing keeps the memory.
    assert not view.flags.writeable and not whole.flags.writeable
    with pytest.raises(ValueError, match="read-only"):
        whole[0] = 1.0
    if size == "small":
        with pytest.raises(ValueError, match="WRITEABLE"):
            whole.setflags(write=True)


@pytest.mark.parametrize(
    ("make", "frozen"),
    [
        (lambda: np.arange(10.0), True),
        (lambda: np.asfortranarray(np.arange(12.0).reshape(3, 4)), True),
        (lambda: np.arange(125_000.0), True),
        (lambda: np.arange(125_001.0), False),
        (lambda: np.arange(20.0)[::2], False),
        (lambda: np.arange(12.0).reshape(3, 4)[:, 1:], False),
    ],
)
def test_captured_arrays_are_constants_as_in_numba(make, frozen):
    data = make()

    @nb.njit
    def inner():
        return data[1]

    @nb.njit
    def f():
        return data[1], inner(), data.sum()

    first = f()
    before = np.copy(data[1]), float(data.sum())
    data[1] = -1.0
    value, nested, total = f()
    want = (before[0], before[0], before[1]) if frozen else (data[1], data[1], data.sum())
    np.testing.assert_array_equal(value, want[0])
    np.testing.assert_array_equal(nested, want[1])
    assert total == want[2]
    np.testing.assert_array_equal(first[2], before[1])
    # Compiled again, it is what it is by then.
    f.recompile()
    np.testing.assert_array_equal(f()[0], data[1])


def test_captured_arrays_that_are_read_in_place_are_not_resized():
    data = np.arange(200_000.0)

    @nb.njit
    def f(i):
        return data[i]

    assert f(7) == 7.0
    for check in (True, False):
        with pytest.raises(ValueError, match="cannot resize"):
            data.resize(5_000_000, refcheck=check)
    assert f(7) == 7.0
    small = np.arange(1000.0)

    @nb.njit
    def g(i):
        return small[i]

    assert g(7) == 7.0
    small.resize(5_000_000, refcheck=False)
    junk = [np.full(1000, -9.0) for _ in range(200)]
    assert g(7) == 7.0 and len(junk) == 200


CALLBACKS = """
    import ctypes, gc
    import numbra as nb
    import numpy as np

    def made(k):
        scale = np.array([2.0, 3.0])

        @nb.cfunc("float64(float64)", **options)
        def callback(x):
            if x < 0:
                raise ValueError(x)
            return x * scale[k]

        return callback.address, callback.ctypes

    address, function = made(0)
    other, _ = made(1)
    gc.collect()
    for i in range(20):
        nb.njit(eval(f"lambda x: x * {i} + {i + 1}"))(1)
    junk = [np.full(2, -9.0) for _ in range(1000)]
    gc.collect()
    called = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
    assert called(address)(4.0) == 8.0
    assert called(other)(4.0) == 12.0
    assert function(5.0) == 10.0
"""


@pytest.mark.parametrize("options", [{}, {"tier": "llvm"}])
def test_the_address_of_a_callback_stays(options):
    """In a process of its own: it stays for ever."""
    program = f"options = {options}\n{textwrap.dedent(CALLBACKS)}"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_functions_of_c_that_code_calls_stay():
    def made():
        kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)
        call = kind(lambda x: x * 2)

        @nb.njit
        def f(x):
            return call(x)

        return f

    f = made()
    gc.collect()
    assert f(4.0) == 8.0
    gc.collect()
    junk = [ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(lambda x: x * 0) for _ in range(50)]
    assert f(5.0) == 10.0 and len(junk) == 50


def test_names_of_classes_that_are_gone_are_not_used_again():
    def make(value):
        class Broken(Exception):
            number = value

        @nb.njit
        def f(x):
            raise Broken(x)

        return f

    kept = make(1)
    for number in range(2, 6):
        f = make(number)
        with pytest.raises(Exception) as raised:
            f(number)
        assert (raised.value.number, raised.value.args) == (number, (number,))
        del f, raised
        gc.collect()
    with pytest.raises(Exception) as raised:
        kept(7)
    assert raised.value.number == 1


def test_messages_of_failing_calls_do_not_pile_up():
    @nb.njit
    def f(x):
        return x + 1

    f(1)

    def fail():
        for _ in range(200):
            for args in [(), (1, 2), (1, 2, 3)]:
                with contextlib.suppress(TypeError):
                    f(*args)

    fail()
    before = sys.getallocatedblocks()
    fail()
    assert sys.getallocatedblocks() - before < 50


def test_files_are_flushed_at_exit(tmp_path):
    path = tmp_path / "out.txt"
    program = f"""
        import numbra as nb
        def make():
            out = open({str(path)!r}, "w")
            out.write("text")
            def f(x):
                if x < 0:
                    print(out)
                return x
            try:
                nb.njit("int64(unicode_type)")(f)
            except Exception:
                pass
            return nb.njit(lambda x: x + (out is None))
        make()
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(program)], check=True)
    assert path.read_text() == "text"


def test_ufuncs_hold_their_loops():
    held = Thing()
    space = {"held": held}
    exec("def f(x):\n    return x + 1", space)
    ufunc = nb.vectorize(["float64(float64)"])(space.pop("f"))
    assert ufunc(np.arange(3.0)).tolist() == [1.0, 2.0, 3.0]
    ref = weakref.ref(held)
    del held, space
    gc.collect()
    assert ref() is not None
    del ufunc
    gc.collect()
    assert ref() is None


def test_blocks_of_the_interpreter_in_calls_without_the_gil():
    """Python code below compiled code calls compiled code that has given the GIL up, and that comes back to Python."""

    @nb.njit(nogil=True)
    def inner(x):
        with nb.objmode(y="float64"):
            y = sum([x] * 10)
        return y

    @nb.njit
    def outer(x):
        with nb.objmode(y="float64"):
            y = inner(x)
        return y

    assert outer(1.0) == 10.0
    stop = []

    def busy():
        table = {}
        while not stop:
            for i in range(1000):
                table[i] = [i]

    threads = [threading.Thread(target=busy) for _ in range(2)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        for thread in threads:
            thread.start()
        end = time.monotonic() + 1.0
        while time.monotonic() < end:
            assert outer(2.0) == 20.0
    finally:
        stop.append(True)
        sys.setswitchinterval(interval)
        for thread in threads:
            thread.join()
