"""What runs while a function is compiled calls that function: an error, and nobody waits for himself."""

import gc
import signal
import subprocess
import sys
import threading
import time
import types

import numbra as nb
import numpy as np
import pytest
from numbra import _numbra
from numbra.core.errors import NumbaRuntimeError

TIERS = ["cranelift", "llvm"]


@pytest.mark.parametrize("tier", TIERS)
def test_typing_functions_of_overloads(tier):
    said = []

    def plus(x):
        return x

    @nb.extending.overload(plus)
    def overload_plus(x):
        said.append(f)
        try:
            f(2)
        except NumbaRuntimeError as error:
            said.append(str(error))
        if isinstance(x, nb.types.Integer):
            said.append(f(2.5))  # another signature
        return lambda x: x + 1

    @nb.njit(tier=tier)
    def f(x):
        return plus(x)

    assert f(1) == 2
    assert said[0] is f
    assert "compiler re-entrant to the same function signature" in said[1] and 3.5 in said
    assert f(2) == 3 and f(2.0) == 3.0


def test_attributes_of_modules():
    module = types.ModuleType("module")
    errors = []

    def missing(name):
        try:
            f(2)
        except NumbaRuntimeError as error:
            errors.append(error)
        raise AttributeError(name)

    module.__getattr__ = missing

    @nb.njit
    def f(x):
        return x + module.foo

    with pytest.raises(nb.TypingError, match="foo"):
        f(1)
    assert errors


@pytest.mark.parametrize("size", [None, 64 << 10])
def test_handlers_of_signals_and_small_stacks(size):
    x = np.arange(10.0)

    def make():
        @nb.njit
        def f(x):
            s = 0.0
            for i in range(len(x)):
                s += x[i:].sum() + np.sort(x)[0]
            return s

        return f

    current = [make()]
    outcomes = []

    def handle(number, frame):
        try:
            outcomes.append(current[0](x))
        except NumbaRuntimeError:
            outcomes.append("re-entrant")

    want = make()(x)
    before = signal.signal(signal.SIGALRM, handle)
    try:
        for i in range(40):
            current[0] = make()
            signal.setitimer(signal.ITIMER_REAL, 0.0002 + 0.0004 * i)
            assert current[0](x) == want
            time.sleep(0.005)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert set(outcomes) <= {want, "re-entrant"}
    if size is not None:
        got = []
        old = threading.stack_size(size)
        try:
            thread = threading.Thread(target=lambda: got.append(make()(x)))
            thread.start()
        finally:
            threading.stack_size(old)
        thread.join()
        assert got == [want]


def test_who_waits_for_another_thread_hears_signals():
    inside, release = threading.Event(), threading.Event()

    def slow(x):
        return x

    @nb.extending.overload(slow)
    def overload_slow(x):
        inside.set()
        release.wait(60)
        return lambda x: x

    @nb.njit
    def f(x):
        return slow(x)

    class Enough(Exception):
        pass

    def handle(number, frame):
        raise Enough

    got = []
    thread = threading.Thread(target=lambda: got.append(f(1)))
    thread.start()
    assert inside.wait(60)
    before = signal.signal(signal.SIGALRM, handle)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(Enough):
            f(1)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        release.set()
    thread.join()
    assert got == [1] and f(1) == 1


def allocated():
    gc.collect()
    made, freed = _numbra._allocation_counts()
    return made - freed


def test_threads_compile_anew_what_others_call():
    before = allocated()
    a = np.arange(50.0)
    errors = []

    def make(i):
        kept = np.full(100, float(i))

        @nb.njit
        def f(x, k=1.0):
            s = k
            for v in x:
                s += v + kept[0]
            return s, kept[1:]

        return f

    box = [(make(0), 0)]
    end = time.monotonic() + 3

    def work(number):
        i = number
        while time.monotonic() < end:
            i += 10
            try:
                if i % 3 == number % 3:
                    box[0] = (make(i), i)
                f, j = box[0]
                for x in (a, a[::2], a.astype(np.float32)):
                    total, kept = f(x, k=0.0)
                    if total != x.sum() + len(x) * j or not (kept == j).all():
                        errors.append((total, j))
                if i % 5 == 0:
                    f.recompile()
                f.compile((nb.float64[::1], nb.float64))
            except BaseException as error:
                errors.append(repr(error))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors, errors[:3]
    # What LLVM's code has taken the place of goes a while later.
    box.clear()
    _numbra._wait_for_promotions()
    end = time.monotonic() + 20
    while allocated() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert allocated() <= before


def test_code_that_its_last_call_has_left_is_freed():
    """Only the background thread looks: no call is slow any more, and LLVM may never have been asked for code."""
    before = allocated()
    inside, leave = threading.Event(), threading.Event()

    def wait():
        inside.set()
        leave.wait(60)

    kept = np.full(100, 3.0)

    @nb.njit
    def f(x):
        with nb.objmode():
            wait()
        return x + kept[0]

    got = []
    thread = threading.Thread(target=lambda f: got.append(f(1.0)), args=(f,))
    thread.start()
    assert inside.wait(60)
    f.recompile()
    del f
    assert allocated() > before
    leave.set()
    thread.join()
    assert got == [4.0]
    end = time.monotonic() + 30
    while allocated() > before and time.monotonic() < end:
        time.sleep(0.05)
    assert allocated() <= before


def test_describing_a_name_lets_other_threads_compile():
    """What shows a captured object is Python code, which may let another thread run that compiles the function too."""
    script = """
import threading
import time
import numbra as nb
from numbra.core.errors import TypingError

class Slow:
    def __repr__(self):
        inside.set()
        time.sleep(0.3)
        return "slow"

inside, slow, refused = threading.Event(), Slow(), []

@nb.njit
def f(x):
    return slow + x

def work(x):
    try:
        f(x)
    except TypingError as error:
        refused.append(str(error))

one = threading.Thread(target=work, args=(1,))
one.start()
assert inside.wait(10)
work(2.5)
one.join()
assert len(refused) == 2
"""
    subprocess.run([sys.executable, "-c", script], check=True, timeout=20)
