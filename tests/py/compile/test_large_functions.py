"""No pass takes much more than proportional time on large functions."""

import math
import time

import numbra as nb
import pytest

ROUNDS = 8


def straight(n):
    for k in range(n // 3):
        yield f"    a = a * 1.0000001 + b * {k % 9}.5"
        yield f"    b = b - a / {k % 7 + 3}.25"
        yield f"    n = n + {k}"


def branches(n):
    for k in range(n // 2):
        yield f"    if n > {k}:"
        yield f"        a = a + {k}.5"


def loops(n):
    for k in range(n // 5):
        yield "    for i in range(2):"
        yield "        for j in range(i):"
        yield f"            a = a + j * {k}.0"
        yield "            b += j"
        yield "        a += i"


def raises(n):
    for k in range(n // 2):
        yield f"    if n == -{k + 1}:"
        yield f"        raise ValueError('v{k}')"


def expression(n):
    yield "    a = (x"
    for k in range(n):
        yield f"        + y * {k}.5"
    yield "    )"


def conditional_locals(n):
    for k in range(n // 4):
        yield f"    if n > {k}:"
        yield f"        v{k} = {k}.0"
        yield f"    if n > {k}:"
        yield f"        a = a + v{k}"


def seconds(lines, n):
    source = ["def f(x, y, n):", "    a = x", "    b = y", *lines(n), "    return a + b + n"]
    space = {}
    exec("\n".join(source), space)
    compiled = nb.njit(space["f"])
    start = time.thread_time()
    got = compiled(1.5, 2.5, 3)
    spent = time.thread_time() - start
    if lines is not conditional_locals:
        assert got == pytest.approx(space["f"](1.5, 2.5, 3))
    return spent


@pytest.mark.parametrize("lines", [straight, branches, loops, raises, expression])
def test_four_times_the_lines(lines):
    """Proportional is a ratio of 4, quadratic 16. A busy machine only adds to a time: of several, the least counts."""
    seconds(lines, 50)
    small = large = math.inf
    for _ in range(ROUNDS):
        small = min(small, seconds(lines, 500))
        large = min(large, seconds(lines, 2000))
        if large < 9 * small:
            return
    pytest.fail(f"{small * 1e3:.1f} ms became {large * 1e3:.1f}")


def test_locals_that_only_some_paths_assign():
    assert seconds(conditional_locals, 8) > 0
    assert seconds(conditional_locals, 2000) < 60
