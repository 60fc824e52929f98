"""Variables that no branch assigned raise as in CPython; where all paths assign, nothing is tested."""

import numbra as nb
import numpy as np
import pytest
from numbra import prange

VALUES = {
    "integer": "3",
    "float": "2.5",
    "complex": "1j",
    "bool": "True",
    "text": "'abc'",
    "array": "np.arange(3)",
    "tuple": "(1, 2.5)",
    "list": "[1, 2]",
}

# Bodies of `f(n)` in which `VALUE` stands for a value of each type; `r` is the variable.
BODIES = {
    "branch": """
if n:
    r = VALUE
return r""",
    "other branch": """
if n > 1:
    r = VALUE
elif n == 1:
    pass
else:
    r = VALUE
return r""",
    "loop": """
for i in range(n):
    r = VALUE
return r""",
    "while": """
while n > 0:
    n -= 1
    r = VALUE
return r""",
    "break": """
for i in range(3):
    if i == n:
        break
    r = VALUE
return r""",
    "else": """
for i in range(n):
    if i == 1:
        break
else:
    r = VALUE
return r""",
    "try": """
try:
    if n:
        raise ValueError
    r = VALUE
except Exception:
    pass
return r""",
    "handler": """
try:
    if n:
        raise ValueError
except Exception:
    r = VALUE
return r""",
    "finally": """
try:
    if n:
        r = VALUE
finally:
    n += 1
return r""",
    "match": """
match n:
    case 1:
        r = VALUE
    case 2:
        pass
    case _:
        r = VALUE
return r""",
    "in a loop": """
for i in range(3):
    if i == n:
        r = VALUE
    s = r
return s""",
    "deleted": """
r = VALUE
if n:
    del r
return r""",
    "deleted and assigned": """
r = VALUE
del r
if n:
    r = VALUE
return r""",
    "deleted twice": """
r = VALUE
if n:
    del r
del r
return 1""",
    "deleted parameter": """
r = n
if n == 1:
    del n
    n = 3
elif n == 2:
    del n
return n""",
    "certain": """
if n:
    return r
r = VALUE
return r""",
    "statement": """
if n:
    r = VALUE
r
return 1""",
    "several": """
if n:
    r = VALUE
if n > 1:
    q = VALUE
t = (r, q)
return 1""",
    "loop variable": """
for r in range(n):
    pass
return r""",
}


def outcome(function, *args):
    try:
        value = function(*args)
    except (NameError, ValueError) as error:
        return type(error), str(error)
    if isinstance(value, np.ndarray):
        return value.tolist()
    return value


def made(body, value="3", name="f", **names):
    text = "".join(f"    {line}\n" for line in body.replace("VALUE", value).splitlines())
    space = {"np": np, "prange": prange, **names}
    exec(f"def {name}(n):\n{text}", space)
    return space[name]


@pytest.mark.smoke
@pytest.mark.parametrize("body", BODIES, ids=lambda name: name.replace(" ", "-"))
def test_bodies(body):
    function = made(BODIES[body])
    jitted = nb.njit(function)
    raised = 0
    for n in (0, 1, 2, 4, 0):
        want = outcome(function, n)
        assert outcome(jitted, n) == want, n
        raised += isinstance(want, tuple) and want[0] is UnboundLocalError
    assert raised


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("body", ["branch", "loop", "try", "deleted", "in a loop"])
def test_types(body, value):
    function = made(BODIES[body], VALUES[value])
    jitted = nb.njit(function)
    for n in (0, 1, 2, 0):
        assert outcome(jitted, n) == outcome(function, n), n


def test_handlers_see_it():
    body = """
if n:
    r = 3
try:
    return r
except Exception:
    return -1"""
    jitted = nb.njit(made(body))
    assert (jitted(1), jitted(0)) == (3, -1)


def test_reads_raise_in_order():
    @nb.njit
    def store(x):
        x[0] += 1
        return 1

    @nb.njit
    def use(x, n):
        if n:
            r = 3
        return r + store(x)

    x = np.zeros(1)
    with pytest.raises(UnboundLocalError):
        use(x, 0)
    assert x[0] == 0
    assert use(x, 1) == 4
    assert x[0] == 1


def test_captured_variables():
    body = """
if n:
    r = 3
g = lambda: r + 1
return g()"""
    function = made(body)
    jitted = nb.njit(function)
    for n in (1, 0):
        assert outcome(jitted, n) == outcome(function, n)
    body = """
if n:
    r = 3
return [r + i for i in range(2)]"""
    function = made(body)
    jitted = nb.njit(function)
    for n in (1, 0):
        assert outcome(jitted, n) == outcome(function, n)


def test_inner_functions_name_their_variables():
    body = """
def g(k):
    if k:
        r = 3
    return r
return g(n)"""
    function = made(body)
    jitted = nb.njit(function)
    for n in (1, 0):
        assert outcome(jitted, n) == outcome(function, n)


def test_generators():
    body = """
if n:
    r = 3
yield 1
yield r"""
    function = made(body)
    jitted = nb.njit(function)
    assert list(jitted(1)) == [1, 3]
    steps = jitted(0)
    assert next(steps) == 1
    with pytest.raises(UnboundLocalError, match="cannot access local variable 'r'"):
        next(steps)


@pytest.mark.parametrize("parallel", [False, True])
def test_parallel_loops(parallel):
    body = """
a = np.zeros(max(n, 1))
for i in prange(n):
    t = i * 2
    a[i] = t
return t + a.sum()"""
    jitted = nb.njit(parallel=parallel)(made(body))
    assert jitted(4) == 6 + 12
    with pytest.raises(UnboundLocalError, match="'t'"):
        jitted(0)


def test_branches_that_types_decide():
    def f(x):
        if x is not None:
            r = 1
        return r

    jitted = nb.njit(f)
    assert jitted(2.5) == 1
    with pytest.raises(UnboundLocalError, match="'r'"):
        jitted(None)


def test_a_read_that_every_call_comes_to_is_refused():
    def f(a):
        total += a  # noqa: F821
        return total

    with pytest.raises(nb.errors.CompilerError, match="`total` is read before it is assigned"):
        nb.njit(f)(1)


@pytest.mark.parametrize(
    "body",
    [
        "if n:\n    r = 1\nelse:\n    r = 2\nreturn r",
        "r = 0\nfor i in range(n):\n    r = i\nreturn r",
        "try:\n    r = n + 1\nexcept Exception:\n    r = 0\nreturn r",
        "while True:\n    r = n\n    if n > 0:\n        break\n    n += 1\nreturn r",
        "if n:\n    r = 1\nelse:\n    return 0\nreturn r",
        "if n:\n    r = 1\n    return r\nreturn 0",
    ],
)
def test_nothing_is_tested_where_all_paths_assign(body):
    jitted = nb.njit(made(body))
    jitted(1)
    assert "UnboundLocalError" not in jitted.inspect("lir")
