"""What is compiled and dropped leaves nothing behind."""

import gc
import subprocess
import sys
import textwrap

import numbra as nb
import numpy as np
import pytest
from numbra._numbra import _type_count
from numbra.core.errors import TypingError


def function(source, **space):
    exec(source, space)
    return space["f"]


def new_literal(k):
    f = nb.njit(function(f"def f(x):\n    return x + {k}"))
    assert f(1) == k + 1


def new_closure(k):
    f = nb.njit(function(f"def f(x):\n    def g{k}(y):\n        return y + x\n    return g{k}({k})"))
    assert f(1) == k + 1


def mixed(k):
    return tuple(1 if k >> bit & 1 else 1.0 for bit in range(12))


def new_tuple(k):
    f = nb.njit(function("def f(t):\n    return t[0] + t[11]"))
    assert f(mixed(k)) == 2


def new_literal_argument(k):
    f = nb.njit(function("def f(x):\n    nb.literally(x)\n    return x + 1", nb=nb))
    assert f(k) == k + 1


def new_function_argument(k):
    g = nb.njit(function(f"def f(x):\n    return x + {k}"))
    f = nb.njit(function("def f(g, x):\n    return g(x)"))
    assert f(g, 1) == k + 1


def new_callee(k):
    g = nb.njit(function(f"def f(x):\n    return x + {k}"))
    f = nb.njit(function("def f(x):\n    return g(x)", g=g))
    assert f(1) == k + 1


def new_failure(k):
    f = nb.njit(function(f"def f(x):\n    return (x + {k}).nothing"))
    with pytest.raises(TypingError):
        f(1)


@nb.njit
def refuses(t):
    return t.nothing


def new_refused_argument(k):
    with pytest.raises(TypingError):
        refuses(mixed(k))


@pytest.mark.parametrize(
    "once",
    [
        new_literal,
        new_closure,
        new_tuple,
        new_literal_argument,
        new_function_argument,
        new_callee,
        new_failure,
        new_refused_argument,
    ],
)
def test_types_go_with_what_was_compiled(once):
    once(1)
    gc.collect()
    before = _type_count()
    for k in range(2, 40):
        once(1000 + k)
    gc.collect()
    # Helpers of compiled code hold the types of their last calls.
    assert _type_count() <= before + 16


def test_types_live_as_long_as_their_function():
    f = nb.njit(function("def f(t):\n    return t[1]"))
    before = _type_count()
    assert f((1.0, 12345, 2.0)) == 12345
    assert _type_count() > before
    assert str(f.signatures) == "[(Tuple((float64, int64, float64)),)]"
    assert f((1.0, 54321, 2.0)) == 54321


def page_faults(run, times):
    import resource

    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    for _ in range(times):
        run()
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before


@pytest.mark.parametrize("n", [20_000, 100_000, 1_000_000])
def test_arrays_reuse_the_memory_of_those_before(n):
    f = nb.njit(function("def f(a, b):\n    return a * b + a"))
    a, b = np.ones(n), np.ones(n)
    assert page_faults(lambda: f(a, b), 5) >= 0
    # Fresh memory for one result alone is n / 512 page faults.
    assert page_faults(lambda: f(a, b), 20) < n / 512


def test_memory_of_arrays_is_used_again():
    # In a process of its own: what others have freed decides what the allocator keeps.
    code = """
        import resource
        import numpy as np, numbra as nb
        sort = nb.njit(lambda a: np.sort(a))
        a = np.arange(20000.0)[::-1].copy()
        for _ in range(20):
            sort(a)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
        for _ in range(200):
            sort(a)
        print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    """
    ran = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)
    # 40 pages a call where each array is mapped anew.
    assert int(ran.stdout) < 10 * 200
