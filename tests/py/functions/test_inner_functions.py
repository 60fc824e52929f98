"""Functions within functions: captured variables, `nonlocal`, defaults."""

import numbra as nb
import pytest


def assigned_once():
    y = 1

    def g():
        nonlocal y
        y = 2.5

    g()
    return y


def counted(n):
    total = 0

    def add(k):
        nonlocal total
        total += k
        return total

    out = 0
    for i in range(n):
        out = out * 2 + add(i)
    return out, total


def several_returns(n):
    y = 0

    def g():
        nonlocal y
        y += 1
        if y > n:
            return y
        y += 10
        return -y

    return g(), g(), y


def through_two_functions(n):
    y = 1

    def middle():
        def inner(k):
            nonlocal y
            y += k
            return y

        a = inner(1)
        return a + inner(n)

    return middle(), y


def through_a_caller(n):
    total = 0

    def add(x):
        nonlocal total
        total = total + x

    def twice(x):
        add(x)
        add(x)

    for i in range(n):
        twice(i)
    return total


def seen_by_handlers(n):
    count = 0

    def f(x):
        nonlocal count
        count += 1
        if x > 2:
            raise ValueError
        return x

    try:
        for i in range(n):
            f(i)
    except Exception:
        return -count
    return count


def reads_what_is_there_now(n):
    f = lambda x, k=2: x * k + n  # noqa: E731
    n = n + 3
    s = f(1)
    n = 2.5
    return s + f(1, k=4)


def defaults_are_of_the_definition(n):
    def g(x=n, *, z=n + 1):
        return x + z

    h = lambda x, y=n: x * y  # noqa: E731
    n += 1
    return g(), g(5), g(z=4), h(2)


def captures_an_argument(n):
    def make(k):
        def h(x):
            return x * k + n

        return h(2)

    total = 0
    for i in range(3):
        n += 1
        total += make(i)
    return total


FUNCTIONS = [
    (assigned_once, [()]),
    (counted, [(0,), (5,)]),
    (several_returns, [(0,), (3,), (30,)]),
    (through_two_functions, [(5,), (2.5,)]),
    (through_a_caller, [(5,)]),
    (seen_by_handlers, [(2,), (5,)]),
    (reads_what_is_there_now, [(7,)]),
    (defaults_are_of_the_definition, [(7,), (2.5,)]),
    (captures_an_argument, [(4,)]),
]


@pytest.mark.parametrize(("function", "arguments"), [pytest.param(*row, id=row[0].__name__) for row in FUNCTIONS])
def test_inner_functions(same, function, arguments):
    for args in arguments:
        same(function, *args)


def test_nonlocal_in_a_function_that_is_passed_around():
    @nb.njit
    def f(n):
        total = 0

        def add(x):
            nonlocal total
            total += x
            return total

        return list(map(add, [1, 2, n]))

    with pytest.raises(nb.errors.UnsupportedError, match="Reassigning the nonlocal variable 'total'"):
        f(3)
