"""Values where Numba is wrong or stops, and numbra does what CPython does: rows of docs/deviations.md."""

import math
import re

import numbra as nb
import numpy as np
import pytest
from folders import ROOT

LEAST, GREATEST = -(2**63), 2**63 - 1


def test_the_least_integer_divided_by_minus_one_wraps():
    @nb.njit
    def floor(a, b):
        return a // b

    assert floor(LEAST, -1) == LEAST
    assert floor(LEAST, 1) == LEAST


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_overflow_wraps_whatever_is_made_of_it(tier):
    @nb.njit(tier=tier)
    def relations(x, y):
        return x + 1 > x, y * y >= 0, x * 2 // 2, min(x, y) + 1 == min(x + 1, y + 1)

    assert relations(GREATEST, 3037000500) == (False, False, -1, False)
    assert relations(5, 6) == (True, True, 5, True)


def test_zero_to_a_negative_power_is_infinite_under_numpys_error_model():
    def power(a, b):
        return a**b

    assert nb.njit(error_model="numpy")(power)(0.0, -1) == math.inf
    with pytest.raises(ZeroDivisionError):
        nb.njit(power)(0.0, -1)


def test_tuples_are_repeated_by_constants():
    @nb.njit
    def repeated(t):
        return t * 2

    assert repeated((1, 2.5)) == (1, 2.5, 1, 2.5)


def test_floats_are_made_of_booleans():
    @nb.njit
    def number(flag):
        return float(flag)

    assert [number(True), number(False)] == [1.0, 0.0]


def test_large_powers_wrap():
    @nb.njit
    def power(n):
        return 2**n

    assert [power(62), power(63), power(64), power(2**40)] == [2**62, LEAST, 0, 0]


def test_arrays_of_indices_are_checked():
    @nb.njit
    def pick(a, i):
        return a[i]

    assert pick(np.arange(3), np.array([2, -3])).tolist() == [2, 0]
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        pick(np.arange(3), np.array([3]))


def test_nan_is_unique():
    @nb.njit
    def unique(a):
        return np.unique(a)

    assert unique(np.array([np.nan, 1.0, np.nan])).size == 2
    assert nb.njit(lambda x: len({x, x * 1}))(np.nan) == 1


@pytest.mark.parametrize(
    "items, x",
    [
        ({1, 2}, 1.5),
        ({1, 2}, 2.0),
        ({1, 2}, float("nan")),
        ({1.0, 2.0**53}, 2**53),
        ({np.uint64(2**64 - 1)}, -1),
        ({np.int8(-128)}, 128),
        ({True}, 2),
        ({(1, 2.0)}, (1.5, 2)),
        ({(1, 2.0)}, (1.0, 2)),
    ],
)
def test_sets_hold_what_equals_an_item(items, x):
    def look(s, x):
        there = x in s
        s.discard(x)
        return there, len(s)

    assert nb.njit(look)(set(items), x) == look(set(items), x)

    @nb.njit
    def remove(s, x):
        s.remove(x)

    if x in items:
        remove(items, x)
    else:
        with pytest.raises(KeyError):
            remove(items, x)


def test_sinc_of_integers_is_a_float():
    @nb.njit
    def sinc(a):
        return np.sinc(a)

    assert sinc(np.arange(2)).dtype == np.float64


def test_argsort_of_matrices():
    @nb.njit
    def order(a):
        return np.argsort(a)

    assert order(np.array([[2, 1], [3, 4]])).tolist() == [[1, 0], [0, 1]]


def test_outputs_that_overlap_operands():
    def forward(a):
        a[1:] += a[:-1]

    def column(a):
        a.reshape(4, 5)[:] *= a.reshape(4, 5)[:, 1:2]

    def given(a):
        np.add(a[:-1], a[1:], a[1:])

    def reversed_twice(a):
        a -= a[::-1]

    def broadcast(a):
        a += a[3:4]

    def other_type(a):
        np.add(a[:10].view(np.int64), 1.5, a[1:11])

    def itself(a):
        a += a

    for function in (forward, column, given, reversed_twice, broadcast, other_type, itself):
        for step in (1, -1):
            want = np.arange(1.0, 41.0)[::2][::step] if function in (forward, given) else np.arange(1.0, 21.0)
            got = want.copy() if want.flags.c_contiguous else np.arange(1.0, 41.0)[::2][::step]
            function(want)
            nb.njit(function)(got)
            assert np.array_equal(got, want), function.__name__


def test_rows_become_columns():
    """A copy of what is assigned decides: NumPy's own assignment reads what it wrote."""

    @nb.njit
    def row(m, i, j):
        m[i, :] = m[:, j]

    @nb.njit
    def column(m, i, j):
        m[:, j] = m[i, :]

    @nb.njit
    def flipped(m, i, j):
        m[i, ::-1] = m[:, j]

    for order in "CF":
        start = np.asarray(np.arange(16.0).reshape(4, 4), order=order)
        for i in range(4):
            for j in range(4):
                for function in (row, column, flipped):
                    got, want = start.copy(order), start.copy(order)
                    function(got, i, j)
                    if function is row:
                        want[i, :] = want[:, j].copy()
                    elif function is column:
                        want[:, j] = want[i, :].copy()
                    else:
                        want[i, ::-1] = want[:, j].copy()
                    np.testing.assert_array_equal(got, want)


def test_leading_axes_of_one_item():
    @nb.njit
    def all_of(a, b):
        a[:] = b

    @nb.njit
    def part(a, b):
        a[1:, :2] = b

    @nb.njit
    def picked(a, b):
        a[np.array([0, 2])] = b

    for function, shape, other in (
        (all_of, (3,), (1, 3)), (all_of, (3,), (1, 1, 1)), (all_of, (2, 3), (1, 2, 3)), (all_of, (2, 3), (1, 1, 3)),
        (part, (3, 3), (1, 2, 2)), (part, (3, 3), (1, 1, 2, 1)), (picked, (3,), (1, 2)), (picked, (3,), (1, 1)),
    ):  # fmt: skip
        got, want = np.zeros(shape), np.zeros(shape)
        value = np.arange(1.0, 1 + np.prod(other)).reshape(other)
        function(got, value)
        function.py_func(want, value)
        np.testing.assert_array_equal(got, want)
    for function, shape, other in ((all_of, (3,), (2, 3)), (part, (3, 3), (2, 2, 2)), (picked, (3,), (2, 2))):
        with pytest.raises(ValueError):
            function(np.zeros(shape), np.ones(other))


@pytest.mark.parametrize("last", [1, 2])
def test_ravel_is_a_view_where_memory_is_contiguous(last):
    @nb.njit
    def f(a):
        a.ravel()[:] = 7

    for make in (lambda: np.zeros((4, last)).T, lambda: np.zeros((2, 3, 2))[:, :, ::last], lambda: np.zeros((0, 3)).T):
        expected, a = make(), make()
        expected.ravel()[:] = 7
        f(a)
        np.testing.assert_array_equal(a, expected)


def test_ravel_of_a_read_only_array_in_another_order_is_a_writable_copy():
    @nb.njit
    def f(a):
        b = a.ravel()
        b[0] = 7
        return b

    a = np.arange(6.0).reshape(2, 3).T
    a.flags.writeable = False
    np.testing.assert_array_equal(f(a), [7, 3, 1, 4, 2, 5])
    assert a[0, 0] == 0


def test_sets_hold_the_items_in_any_order():
    @nb.njit
    def combined(a, b):
        x, y = set(a), set(b)
        return list(x & y), list(x - y), list(x | y), list(x ^ y)

    a, b = [5, 1, 9, 3, 100, -7], [3, 9, 1, -2]
    for got, want in zip(combined(a, b), combined.py_func(a, b), strict=True):
        assert sorted(got) == sorted(want)


@pytest.mark.parametrize("dtype", ["float32", "float64", "complex128"])
def test_norms_are_within_two_ulp(dtype):
    norm = nb.njit(lambda a: np.linalg.norm(a))
    random = np.random.default_rng(3)
    for n in (1, 7, 31, 32, 33, 100, 1000, 10000):
        a = random.standard_normal(n)
        a = (a + 1j * a[::-1] if dtype == "complex128" else a).astype(dtype)
        # In wider floats, as NumPy's own sum of single floats is further off.
        want = np.linalg.norm(a.astype(np.result_type(a, np.float64)))
        eps = np.finfo(dtype).eps
        assert abs(norm(a) - want) <= 2 * eps * want, n


def test_integers_of_arrays_have_no_negative_powers():
    a = np.array([1, 0, 3])

    @nb.njit
    def power(x, n):
        return x**n, np.power(x, n)

    @nb.njit
    def in_place(x, n):
        x **= n
        return x

    @nb.njit
    def constant(x):
        return x**-1 + 1

    message = "Integers to negative integer powers are not allowed."
    calls = [(power, a, -1), (power, a, np.array([1, -2, 3])), (power, 2, -a), (power, a.astype(np.int8), np.int8(-1))]
    for function, *args in [*calls, (in_place, a, -2), (constant, a)]:
        with pytest.raises(ValueError, match=message):
            function(*args)
        with pytest.raises(ValueError, match=message):
            function.py_func(*args)
    with pytest.raises(ValueError, match=message):
        nb.njit(lambda x, n: np.power(x, n))(2, -1)
    assert constant(a[:0]).size == 0
    for x, n in ((a, 2), (a, np.array([0, 3, 1])), (a.astype(np.float64), 2), (a, 0), (a > 1, 3)):
        for got, want in zip(power(x, n), power.py_func(x, n), strict=True):
            assert np.array_equal(got, want)
    # Numbers keep Numba's type, and its value.
    assert nb.njit(lambda x, n: x**n)(2, -1) == 0


def test_limits_of_integers_that_are_nan():
    @nb.njit
    def clipped(a, low, high):
        return np.clip(a, low, high)

    a = np.array([1, 2, 3], np.int8)
    for low, high in ((math.nan, 2), (0, math.nan)):
        got = clipped(a, low, high)
        assert got.dtype == a.dtype and got.tolist() == [0, 0, 0]


def test_the_tests_that_pages_name_are_there():
    pages = [*(ROOT / "docs").rglob("*.md"), ROOT / "tests" / "README.md"]
    named = {match for page in pages for match in re.findall(r"\b(tests/[\w/]+\.py)((?:::\w+)*)", page.read_text())}
    assert len(named) > 150
    for file, names in sorted(named):
        text = (ROOT / file).read_text()
        for name in filter(None, names.split("::")):
            assert re.search(rf"(?:def|class) {name}\b", text), f"{file}::{name}"
