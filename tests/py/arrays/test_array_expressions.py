"""Array expressions: ufuncs of ufuncs run as one loop, and give what NumPy gives."""

import numbra as nb
import numpy as np
import pytest
from numbra._numbra import _inspect


def allocations(f):
    """Arrays that the compiled function may make."""
    body = _inspect(f, 0, "lir").partition("export @" + f.__name__ + ".entry")[0]
    return body.count("call_native @numbra_rt_alloc")


def check(f, *args, arrays=None):
    compiled = nb.njit(f)
    want, got = f(*args), compiled(*args)
    assert got.dtype == want.dtype and got.shape == want.shape
    np.testing.assert_array_equal(got, want, strict=True)
    if arrays is not None:
        assert allocations(compiled) == arrays
    return compiled


A = np.arange(12.0).reshape(3, 4) - 3
B = np.linspace(0.5, 4.0, 12).reshape(3, 4)
ROW = np.array([1.0, -2.0, 3.0, 4.0])


def test_one_array_for_a_whole_expression():
    check(lambda a, b: a * b + a, A, B, arrays=1)
    check(lambda a, b: np.sqrt(a * a + b * b) - 2.0 * a, A, B, arrays=1)


def named(a, b):
    square = a * a
    half = b / 2
    return square - half


def test_variables_that_are_read_once_are_no_arrays():
    check(named, A, B, arrays=1)


def shared(a, b):
    square = a * a
    return square - b * square


def chain(a, b):
    t = a * 2.0 + b
    u = np.sqrt(np.abs(t)) - a
    return u * t + u


def two_results(a, b):
    t = a * b
    return np.concatenate((t + a, t - b))


def returned_too(a, b):
    t = a * b
    u = t + a
    return u if b[0, 0] > 100.0 else t


def one_reader_after_a_write(a, b):
    a = a.copy()
    t = a * b
    u = t + b
    a[0, 0] = 7.0
    return u * t * a


def same_twice(a, b):
    t = a - b
    return t * t


def copied(a, b):
    t = a - b
    same = t
    return t * same + same


def test_what_several_calls_read_is_computed_once():
    body = _inspect(check(shared, A, B, arrays=1), 0, "lir")
    # Two products in each of two loops: operands of one shape, and broadcast ones.
    assert body.partition(".entry")[0].count(" fmul ") == 4
    check(chain, A, B, arrays=1)
    check(same_twice, A, B, arrays=1)
    check(copied, A, B, arrays=1)
    check(chain, A, B[:1], arrays=1)
    check(chain, A, ROW)


def test_what_several_loops_read_is_an_array():
    check(two_results, A, B)
    check(returned_too, A, B)
    check(one_reader_after_a_write, A, B)


TWO = np.float32(2)


def test_powers_by_constants_are_those_of_numpy():
    """`pow` rounds otherwise, and knows no NaN of negative bases."""
    a = np.concatenate((np.linspace(-50.3, 50.7, 4001), [0.0, -0.0, np.inf, -np.inf, np.nan]))
    check(lambda a: a**2, a)
    check(lambda a: a**2.0, a)
    check(lambda a: np.power(a, 2), a)
    check(lambda a: (a - a[0]) ** 2 + a, a)
    with np.errstate(invalid="ignore", divide="ignore"):
        check(lambda a: a**0.5, a)
        check(lambda a: np.power(a, -1.0) + a**-1.0, a)
    check(lambda a: np.power(a, TWO), a.astype(np.float32))
    check(lambda a: a**2, np.arange(-50, 50))


@pytest.mark.parametrize("dtype", ["b1", "i1", "u2", "i4", "u8", "f4", "f8", "c8", "c16"])
def test_intermediate_types_round_and_wrap(dtype):
    a = (np.arange(20) * 13 % 120).astype(dtype)
    b = (np.arange(20) * 7 % 90 + 1).astype("f4" if dtype == "f8" else dtype)
    check(lambda a, b: a + b + a, a, b)
    check(lambda a, b: (a == b) | (a != a), a, b)
    if dtype != "b1":
        check(lambda a, b: a * b - a, a, b)


@pytest.mark.parametrize(
    "a, b",
    [
        (A, ROW),
        (A, A[:1]),
        (A[:, :1], B),
        (A.T, B.T),
        (np.asfortranarray(A), B),
        (A[:, ::2], B[:, 1::2]),
        (A[:0], B[:0]),
        (A[0, 0:1], ROW),
    ],
)
def test_layouts_and_broadcasting(a, b):
    check(lambda a, b: a * b + b, a, b)
    check(lambda a, b: b - (a + 1.0) * b, a, b)
    check(lambda a, b: (b + b) * a, a, b)


def written_between(a, b):
    twice = a * 2.0
    a[0, 0] = 100.0
    return twice + b


def in_place(a, b):
    product = a * b
    a += product
    return a


def shifted(a, b):
    c = a.copy()
    c[1:] += c[:-1] * b[1:]
    return c


def called_between(a, b):
    twice = a * 2.0
    clear(a)
    return twice + b


@nb.njit
def clear(a):
    a[:] = 0.0


@pytest.mark.parametrize("f", [written_between, in_place, shifted, called_between])
def test_memory_that_changes_between(f):
    want = f(A.copy(), B.copy())
    got = nb.njit(f)(A.copy(), B.copy())
    np.testing.assert_array_equal(got, want)


def looped(a, b, n):
    for _ in range(n):
        a = a * b + 1.0
    return a


def branches(a, b, n):
    t = a * b
    if n > 2:
        return t + a
    return t - a


def test_loops_and_branches():
    check(looped, A, B, 5)
    check(branches, A, B, 1)
    check(branches, A, B, 3)


def rebound(a, b):
    t = a.copy() * b.copy()
    a = b
    return t + a.copy()


def test_operands_live_until_they_are_read():
    check(rebound, A, B)


def long_chain(a, b):
    a = a * b + 1.0 - a / 3.0 + a * 2.0 - b
    return a + a * b - 1.0 + b * 2.0 - a / 4.0 + b - a + b * b * b + a * a - 7.0 * a + b / 3.0


def test_long_expressions():
    check(long_chain, A, B)


def test_shapes_that_do_not_fit():
    f = nb.njit(lambda a, b, c: a * b + c)
    with pytest.raises(ValueError, match="could not be broadcast"):
        f(np.ones(3), np.ones(4), np.ones(3))
    with pytest.raises(ValueError, match="could not be broadcast"):
        f(np.ones(3), np.ones(3), np.ones(4))
