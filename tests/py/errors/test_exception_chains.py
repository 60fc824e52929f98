"""Contexts and causes of exceptions that compiled code raises while it handles others: chains as CPython makes them."""

import random
import traceback

import numbra as nb
import numpy as np
import pytest

TIERS = ["cranelift", "llvm"]


def fails(n):
    raise KeyError("callee", n)


def handles(n):
    try:
        raise LookupError("handled", n)
    except Exception:
        return n


def fails_while_handling(n):
    try:
        raise LookupError("inner", n)
    except Exception:
        raise IndexError("outer", n)  # noqa: B904


HELPERS = [fails, handles, fails_while_handling]

LEAVES = [
    "raise ValueError({n})",
    "raise ValueError({n}, n + {n}, 'text')",
    "raise ValueError({n}) from None",
    "raise ValueError({n}) from TypeError('cause', {n})",
    "fails({n})",
    "handles({n})",
    "fails_while_handling({n})",
    "n = {n} // (n - n)",
    "assert n < 0, 'text {n}'",
    "pass",
]


class Programs:
    """Nested statements, chosen at random."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.number = 0

    def block(self, depth, indent):
        return [line for _ in range(self.random.choice([1, 1, 2])) for line in self.statement(depth, indent)]

    def statement(self, depth, indent):
        kind = self.random.choice(["leaf", "except", "finally", "both", "loop"][: 1 if depth == 0 else 5])
        space = "    " * indent
        if kind == "leaf":
            self.number += 1
            return [space + self.random.choice(LEAVES).format(n=self.number)]
        if kind == "loop":
            return [f"{space}for i in range(2):", *self.block(depth - 1, indent + 1)]
        lines = [f"{space}try:", *self.block(depth - 1, indent + 1)]
        if kind in ("except", "both"):
            lines += [f"{space}except Exception:", *self.block(depth - 1, indent + 1)]
        if kind in ("finally", "both"):
            lines += [f"{space}finally:", *self.block(depth - 1, indent + 1)]
        return lines

    def function(self, count):
        lines = ["def program(which, n):"]
        for which in range(count):
            lines += [f"    if which == {which}:", *self.statement(3, 2)]
        return "\n".join([*lines, "    return n", ""])


def outcome(f, *args):
    try:
        return f(*args)
    except Exception as error:
        return chain(error)


def link(error):
    # How these are worded depends on versions.
    worded = isinstance(error, (ZeroDivisionError, np.linalg.LinAlgError))
    args = () if worded else error.args
    return type(error).__name__, args


def chain(error):
    links = []
    while error is not None:
        cause = error.__cause__ and link(error.__cause__)
        links.append((*link(error), error.__suppress_context__, cause))
        error = error.__context__
        assert len(links) < 50
    return links


def defined(source, space):
    exec(source, space)
    return space["program"]


@pytest.mark.parametrize(("tier", "seed", "count"), [("cranelift", 1, 30), ("cranelift", 2, 30), ("llvm", 3, 8)])
def test_nests_of_handlers(tier, seed, count):
    source = Programs(seed).function(count)
    jit = nb.njit(tier=tier)
    compiled = jit(defined(source, {f.__name__: jit(f) for f in HELPERS}))
    interpreted = defined(source, {f.__name__: f for f in HELPERS})
    for which in range(count):
        assert outcome(compiled, which, 3) == outcome(interpreted, which, 3), (which, source)


def in_a_handler(n):
    try:
        raise KeyError("first", n)
    except Exception:
        raise ValueError("second", n)  # noqa: B904


def in_a_finally(n):
    try:
        raise KeyError("first", n)
    finally:
        fails(n)


def behind_a_handler(n):
    try:
        raise KeyError("first", n)
    except Exception:
        n += 1
    raise ValueError("second", n)


def in_a_loop(n):
    for i in range(n):
        try:
            raise KeyError("first", i)
        except Exception:
            if i == n - 1:
                raise ValueError("second", i)  # noqa: B904


def of_a_native_body(n):
    try:
        raise KeyError("first", n)
    except Exception:
        return np.linalg.inv(np.zeros((n, n + 1)))


def of_an_operation(n):
    try:
        raise KeyError("first", n)
    except Exception:
        return n // (n - 3)


def deep(n):
    if n == 0:
        raise KeyError("first", n)
    try:
        deep(n - 1)
    except Exception:
        raise ValueError("higher", n)  # noqa: B904


def goes_on(n):
    try:
        try:
            raise KeyError("first", n)
        finally:
            handles(n)
    except Exception:
        raise ValueError("second", n)  # noqa: B904


def leaves_a_finally(n):
    for _ in range(2):
        try:
            raise KeyError("first", n)
        finally:
            n += 1
            continue  # noqa: B012
    raise ValueError("second", n)


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(
    "program",
    [
        in_a_handler,
        in_a_finally,
        behind_a_handler,
        in_a_loop,
        of_a_native_body,
        of_an_operation,
        deep,
        goes_on,
        leaves_a_finally,
    ],
    ids=lambda p: p.__name__,
)
def test_programs(program, tier):
    jit = nb.njit(tier=tier)
    space = dict(program.__globals__, **{f.__name__: jit(f) for f in HELPERS})
    compiled = jit(type(program)(program.__code__, space, program.__name__))
    space["deep"] = compiled
    assert outcome(compiled, 3) == outcome(program, 3)


def text_of(f, *args):
    with pytest.raises(Exception) as error:
        f(*args)
    return "".join(traceback.format_exception(error.value))


def test_tracebacks_name_the_lines_of_all():
    text = text_of(nb.njit(in_a_handler), 3)
    assert 'raise KeyError("first", n)' in text and "During handling of the above exception" in text
    assert text.index("first") < text.index("second")


def test_what_python_handles_comes_last():
    f = nb.njit(in_a_handler)
    try:
        raise OSError("python")
    except OSError:
        links = outcome(f, 3)
    assert [name for name, *_ in links] == ["ValueError", "KeyError", "OSError"]


def python_fails(n):
    try:
        raise OSError("inner", n)
    except OSError:
        raise RuntimeError("python", n)  # noqa: B904


@pytest.mark.parametrize("tier", TIERS)
def test_object_mode(tier):
    @nb.njit(tier=tier)
    def f(n):
        try:
            raise KeyError("first", n)
        except Exception:
            with nb.objmode():
                python_fails(n)

    @nb.njit(tier=tier)
    def g(n):
        try:
            with nb.objmode():
                python_fails(n)
        except Exception:
            raise KeyError("second", n)  # noqa: B904

    for _ in range(2):
        assert [name for name, *_ in outcome(f, 3)] == ["RuntimeError", "OSError", "KeyError"]
        assert [name for name, *_ in outcome(g, 3)] == ["KeyError", "RuntimeError", "OSError"]
    try:
        raise EOFError
    except EOFError:
        assert [name for name, *_ in outcome(f, 3)] == ["RuntimeError", "OSError", "KeyError", "EOFError"]
        assert [name for name, *_ in outcome(g, 3)] == ["KeyError", "RuntimeError", "OSError", "EOFError"]


SAVED = [KeyError("saved")]


def test_one_exception_twice():
    def saved():
        raise SAVED[0]

    @nb.njit
    def f():
        try:
            with nb.objmode():
                saved()
        except Exception:
            with nb.objmode():
                saved()

    for _ in range(3):
        assert [name for name, *_ in outcome(f)] == ["KeyError"]


@pytest.mark.parametrize("tier", TIERS)
def test_arguments_that_python_holds(tier):
    @nb.njit(tier=tier)
    def f(n):
        try:
            raise KeyError("first", np.arange(n), (n, "a"))
        except Exception:
            raise ValueError("second", np.ones(n), (n,)) from IndexError(np.zeros(n))

    with pytest.raises(ValueError) as error:
        f(3)
    second, first, cause = error.value, error.value.__context__, error.value.__cause__
    assert second.args[1].tolist() == [1, 1, 1] and second.args[2] == (3,)
    assert first.args[1].tolist() == [0, 1, 2] and first.args[2] == (3, "a")
    assert type(cause) is IndexError and cause.args[0].tolist() == [0, 0, 0]


@pytest.mark.parametrize("tier", TIERS)
def test_generators(tier):
    def numbers(n):
        try:
            yield n
            raise KeyError("first", n)
        except Exception:
            raise ValueError("second", n)  # noqa: B904

    def around(n):
        total = 0
        try:
            raise OSError("outer", n)
        except Exception:
            for i in numbers(n):
                total += i
        return total

    expected = outcome(lambda: list(numbers(3))), outcome(around, 3)
    numbers = nb.njit(tier=tier)(numbers)
    around = nb.njit(tier=tier)(around)
    assert (outcome(lambda: list(numbers(3))), outcome(around, 3)) == expected


def test_inlined_functions():
    fails_inlined = nb.njit(inline="always")(fails_while_handling)

    def f(n):
        try:
            raise KeyError("first", n)
        except Exception:
            fails_inlined(n)

    @nb.njit
    def g(n):
        def inner(k):
            raise IndexError("closure", k)

        try:
            raise KeyError("first", n)
        except Exception:
            inner(n)

    assert [name for name, *_ in outcome(nb.njit(f), 3)] == ["IndexError", "LookupError", "KeyError"]
    assert [name for name, *_ in outcome(g, 3)] == ["IndexError", "KeyError"]


def test_parallel_loops():
    @nb.njit(parallel=True)
    def f(n):
        try:
            raise KeyError("first", n)
        except Exception:
            for i in nb.prange(n):
                if i == n - 1:
                    raise ValueError("second", i)  # noqa: B904

    assert [name for name, *_ in outcome(f, 100)] == ["ValueError", "KeyError"]


def test_a_cause_is_an_exception():
    def f(n):
        raise ValueError(n) from n

    with pytest.raises(nb.errors.UnsupportedError, match="exceptions must derive from BaseException"):
        nb.njit(f)(3)
