"""The language: each function runs compiled and interpreted, over a grid of arguments.

PYTEST_DONT_REWRITE: an `assert` in a compiled function must stay the one that is written there.
"""

import cmath
import math
import types

import numbra as nb
import numpy as np
import pytest

INTS = [0, 1, 7, -1, -13, 2**40]
FLOATS = [0.0, -0.0, 1.5, -2.25, 1e300, math.inf, -math.inf, math.nan]
GLOBAL_NUMBER = 3
GLOBAL_TUPLE = (1, 2.5)


def add_and_scale(x, y):
    return (x + y) * 2 - x


def divisions(x, y):
    return x / y, x // y, x % y


def powers(x):
    return x**2, x**3, -x, +x, abs(x)


def bits(x, y):
    return x & y, x | y, x ^ y, ~x, x << 3, x >> 2


def comparisons(x, y):
    return x < y, x <= y, x == y, x != y, x > y, x >= y, x < y < 10


def boolean_operators(x, y):
    return x and y, x or y, not x


def conditional(x, y):
    return x if x > y else y


def while_else(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
        if steps > 500:
            break
    else:
        steps += 1000
    return steps


def nested_loops(n):
    total = 0
    for i in range(n):
        for j in range(i, n, 2):
            if j % 3 == 0:
                continue
            if j > 20:
                break
            total += i * j
        else:
            total += 1
    return total


def range_bounds(a, b, step):
    out = 0
    for i in range(a, b, step):
        out = out * 3 + i
    return out


def swap(x, y):
    x, y = y, x
    return x, y


def tuples(x, y):
    t = (x, y, (x, 1))
    a, b, (c, d) = t
    return len(t), t[0], t[-1], a, b, c + d, t[1:]


def tuple_iteration(x):
    total = x
    for item in (1, 2, 3):
        total += item * x
    return total


def zip_and_enumerate(n):
    total = 0
    for i, (a, b) in enumerate(zip(range(n), range(n, 0, -1))):  # noqa: B905
        total += i * a - b
    return total


def optional(x):
    y = None
    if x > 2:
        y = x
    if y is None:
        return -1
    return y + 1


def returns_none(x):
    x + 1


def defaults(x, y=3, z=0.5):
    return x + y * z


def star_args(x, *rest):
    total = x
    for item in rest:
        total += item
    return total, len(rest)


def uses_globals(x):
    return x * GLOBAL_NUMBER + GLOBAL_TUPLE[1]


def builtins_of_numbers(x, y):
    return max(x, y), min(x, y), divmod(x, y), pow(x, 3), int(x), float(y), bool(x), complex(x, y)


def rounding(x):
    return round(x), round(x, 1)


def math_functions(x):
    return math.sqrt(x), math.floor(x), math.ceil(x), math.copysign(1.0, x), math.fabs(x)


def complex_numbers(x, y):
    z = complex(x, y)
    return z * z, z.real, z.imag, z.conjugate(), abs(z), z == z, cmath.phase(z)


def raises(x):
    if x > 2:
        raise ValueError("too large")
    assert x != 1, "one"
    return x


def divides(x, y):
    return x // y


def fibonacci(n):
    if n < 2:
        return n
    a, b = 0, 1
    for _ in range(n - 1):
        a, b = b, a + b
    return b


def array_sum(a):
    total = 0.0
    for i in range(a.size):
        total += a[i]
    return total


def array_iteration(a):
    total = 0.0
    for x in a:
        total += x * x
    return total, len(a), a.ndim, a.shape


def array_write(a):
    for i in range(len(a)):
        a[i] = a[i] * 2 + i
    a[-1] += 100


def array_two_dimensions(a):
    out = np.zeros((a.shape[1], a.shape[0]))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[j, i] = a[i, j]
    return out


def array_slices(a):
    b = a[1:-1:2]
    b[0] = 42.0
    return b.size, a[1:][0], a[::-1][0], b


def array_empty(n):
    out = np.empty(n)
    for i in range(n):
        out[i] = i / 4
    return out


def array_types(n):
    out = np.zeros(n, dtype=np.int32)
    for i in range(n):
        out[i] = i * i
    return out


ARRAY = np.arange(12.0)
CASES = [
    (add_and_scale, [(x, y) for x in INTS for y in INTS[:5]]),
    (add_and_scale, [(x, y) for x in FLOATS for y in FLOATS]),
    (add_and_scale, [(1, 2.5), (True, 2), (1 + 2j, 3), (2.5, 1j)]),
    (divisions, [(x, y) for x in INTS for y in INTS if y]),
    (divisions, [(x, y) for x in FLOATS[2:4] for y in FLOATS[2:4]]),
    (powers, [(x,) for x in [*INTS[:5], *FLOATS[:4]]]),
    (bits, [(x, y) for x in INTS for y in INTS[:5]]),
    (comparisons, [(x, y) for x in INTS for y in INTS]),
    (comparisons, [(x, y) for x in FLOATS for y in FLOATS]),
    (boolean_operators, [(x, y) for x in INTS[:3] for y in INTS[:3]]),
    (conditional, [(1, 2), (2.5, 1.0)]),
    (while_else, [(n,) for n in range(1, 30)]),
    (nested_loops, [(n,) for n in (0, 1, 5, 30)]),
    (range_bounds, [(0, 9, 2), (9, 0, -3), (0, 0, 1), (5, 1, 1)]),
    (swap, [(1, 2.5)]),
    (tuples, [(3, 4), (2.5, 1)]),
    (tuple_iteration, [(2,), (1.5,)]),
    (zip_and_enumerate, [(0,), (6,)]),
    (optional, [(1,), (5,)]),
    (returns_none, [(1,)]),
    (defaults, [(1,), (1, 2), (1, 2, 3.5)]),
    (star_args, [(1, 2), (1, 2, 3)]),
    (uses_globals, [(2,)]),
    (builtins_of_numbers, [(7, 2), (-7, 2), (7.5, -2.0)]),
    (rounding, [(x,) for x in (0.5, 1.5, 2.5, -0.5, 2.675, 1e16)]),
    (math_functions, [(x,) for x in (0.0, 0.25, 2.0, 1e10)]),
    (complex_numbers, [(1.0, 2.0), (-3.5, 0.25), (0.0, 0.0)]),
    (raises, [(0,), (1,), (5,)]),
    (divides, [(7, 2), (-7, 2), (7, 0)]),
    (fibonacci, [(n,) for n in (0, 1, 2, 50)]),
    (array_sum, [(ARRAY,), (ARRAY[::2],), (ARRAY[:0],)]),
    (array_iteration, [(ARRAY,), (ARRAY[::-3],)]),
    (array_write, [(ARRAY,), (ARRAY[2:9:3],)]),
    (array_two_dimensions, [(ARRAY.reshape(3, 4),), (ARRAY.reshape(4, 3).T,)]),
    (array_slices, [(ARRAY,)]),
    (array_empty, [(0,), (7,)]),
    (array_types, [(5,)]),
]


@pytest.mark.smoke
@pytest.mark.parametrize(("function", "arguments"), [pytest.param(*case, id=case[0].__name__) for case in CASES])
def test_same_as_cpython(same, function, arguments):
    for args in arguments:
        same(function, *args)


def test_bounds_check(same):
    def read(a, i):
        return a[i]

    assert same(read, ARRAY, 3, boundscheck=True) == 3.0
    with pytest.raises(IndexError):
        nb.njit(boundscheck=True)(read)(ARRAY, 12)


def test_calls_between_compiled_functions():
    @nb.njit
    def square(x):
        return x * x

    @nb.njit
    def sum_of_squares(n):
        total = 0
        for i in range(n):
            total += square(i)
        return total + square(x=n)

    assert sum_of_squares(10) == 285 + 100


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def float_fib(n):
    return n if n < 2.0 else float_fib(n - 1.0) + float_fib(n - 2.0)


def choose(n, k):
    if k == 0 or k == n:
        return 1
    return choose(n - 1, k - 1) + choose(n - 1, k)


def moves(n):
    return 0 if n == 0 else moves(n - 1) + 1 + moves(n - 1)


def hofstadter(n):
    return n - hofstadter(hofstadter(n - 1)) if n > 0 else 0


def of_pair(n, p):
    if n < 2:
        return p
    a = of_pair(n - 1, (p[1], p[0] + 1))
    b = of_pair(n - 2, (p[1], p[0] + 1))
    return a[0] + b[1], a[1] - b[0]


def wrap(x):
    return (x + 2**63) % 2**64 - 2**63


def wrapping(n, x):
    if n == 0:
        return x
    up = wrapping(n - 1, wrap(x + 2**62 + 2**62))
    return up ^ wrap(wrapping(n - 1, wrap(x - 2**62 - 2**62)) * 3)


def female(n):
    return n - male(female(n - 1)) if n > 0 else 1


def male(n):
    return n - female(male(n - 1)) if n > 0 else 0


def total(n, a):
    return a[0] if n < 2 else total(n - 1, a) + total(n - 2, a)


def count(n, a):
    a[n] += 1
    return a[0] if n < 2 else count(n - 1, a) + count(n - 2, a)


def compiled(tier, *functions):
    """The functions compiled, under the names that they call each other by."""
    names = dict(globals(), wrap=nb.njit(lambda x: x))
    for function in functions:
        copy = types.FunctionType(function.__code__, names, function.__name__)
        names[function.__name__] = nb.njit(tier=tier)(copy)
    return [names[function.__name__] for function in functions]


RECURSIVE = [
    (fib, (0,)),
    (fib, (24,)),
    (fib, (-5,)),
    (float_fib, (17.0,)),
    (choose, (12, 5)),
    (moves, (10,)),
    (hofstadter, (40,)),
    (of_pair, (9, (1, 2))),
    (wrapping, (6, 5)),
]


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
@pytest.mark.parametrize(("function", "args"), RECURSIVE, ids=lambda p: getattr(p, "__name__", None))
def test_self_recursion(function, args, tier):
    (fast,) = compiled(tier, function)
    assert fast(*args) == function(*args)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_mutual_recursion(tier):
    fast, _ = compiled(tier, female, male)
    assert [fast(n) for n in range(20)] == [female(n) for n in range(20)]


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_recursive_functions_see_what_changes(tier):
    reads, writes = compiled(tier, total, count)

    @nb.njit(tier=tier)
    def twice(n, a):
        first = reads(n, a)
        a[0] += 1
        return first, reads(n, a)

    assert twice(10, np.ones(1, np.int64)) == (89, 178)
    a, b = np.zeros((2, 20), np.int64)
    assert writes(12, a) == count(12, b)
    assert a.tolist() == b.tolist()


def test_closure_over_constants():
    def make(factor):
        @nb.njit
        def scale(x):
            return x * factor

        return scale

    assert make(3)(5) == 15
    assert make(2.5)(2) == 5.0


def test_inner_function():
    @nb.njit
    def outer(x):
        def inner(y):
            return y + x

        return inner(1) + inner(2)

    assert outer(10) == 23
