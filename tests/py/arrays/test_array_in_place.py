"""In-place operators write into the array on their left, or are refused: the name never gets another array."""

import operator

import numbra as nb
import numpy as np
import pytest

DTYPES = ("?", "i1", "u1", "i4", "u4", "i8", "u8", "f4", "f8", "c8", "c16")
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>")


def in_place(sign):
    scope = {}
    exec(f"def f(a, b):\n    a {sign}= b\n    return a", scope)
    return scope["f"]


def outcome(f, a, b):
    """What became of `a`, or that it is refused and unchanged."""
    before = a.copy()
    try:
        result = f(a, b)
    except (TypeError, ValueError, nb.TypingError):
        np.testing.assert_array_equal(a, before)
        return "refused"
    assert np.shares_memory(result, a)
    return a


@pytest.mark.parametrize("sign", OPERATORS)
@pytest.mark.parametrize("left", DTYPES)
def test_every_pair_of_types(sign, left):
    python = in_place(sign)
    f = nb.njit(python)
    operands = [np.ones(3, dtype) for dtype in DTYPES]
    operands += [True, 2, 2.5, 1j] if sign not in ("<<", ">>") else [1]
    for b in operands:
        got, want = outcome(f, np.full(3, 3, left), b), outcome(python, np.full(3, 3, left), b)
        if isinstance(want, str) or isinstance(got, str):
            assert got is want, (sign, left, b)
        else:
            np.testing.assert_allclose(got, want, rtol=1e-6)


def test_the_message_names_both_types():
    with pytest.raises(nb.TypingError) as error:
        nb.njit(in_place("*"))(np.array([2, 4]), 0.5)
    for part in ("array(int64, 1d, C)", "float64", "same_kind", "x = x * y"):
        assert part in str(error.value)


def times_slice(a):
    a[1:] *= 1.5
    return a


def times_backwards(a):
    a[::-1][:2] += 0.5
    return a


def times_mask(a):
    a[a > 1] *= 0.5
    return a


def times_picked(a):
    a[np.array([0, 2])] /= 2
    return a


def by_name(a):
    return operator.iadd(a, 0.5)


def by_name_mul(a):
    return operator.imul(a, np.full(3, 0.5))


@pytest.mark.parametrize("python", [times_slice, times_backwards, times_mask, times_picked, by_name, by_name_mul])
@pytest.mark.parametrize("parallel", [False, True])
def test_parts_of_arrays(python, parallel):
    f = nb.njit(parallel=parallel)(python)
    assert isinstance(outcome(lambda a, _: f(a), np.array([1, 2, 5]), None), str)
    a, own = np.array([1.0, 2, 5]), np.array([1.0, 2, 5])
    np.testing.assert_array_equal(f(a), python(own))
    np.testing.assert_array_equal(a, own)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ((3,), (2, 3)),
        ((3,), (1, 3)),
        ((1,), (3,)),
        ((1, 3), (2, 3)),
        ((3,), (4,)),
        ((), (2,)),
        ((), (1,)),
        ((2, 2), (1, 2, 2)),
    ],
)
def test_the_left_array_does_not_grow(left, right):
    f = nb.njit(in_place("+"))
    with pytest.raises(ValueError):
        in_place("+")(np.ones(left), np.ones(right))
    a = np.ones(left)
    with pytest.raises(ValueError):
        f(a, np.ones(right))
    assert (a == 1).all()
    with pytest.raises(ValueError):
        nb.njit(lambda a, b, c: np.add(a, b, c))(np.ones(left), np.ones(right), np.ones(left))


@pytest.mark.parametrize(
    ("left", "right"),
    [((2, 3), (3,)), ((2, 3), (2, 1)), ((2, 3), ()), ((3,), (1,)), ((), ()), ((0, 3), (3,))],
)
def test_the_right_array_is_repeated(left, right):
    a = np.ones(left)
    assert nb.njit(in_place("+"))(a, np.full(right, 2.0)).shape == left
    assert (a == 3).all()


def test_dates_and_durations():
    day = np.array(["2020-01-01", "NaT", "2021-05-06"], "M8[D]")
    span = np.array([1, 2, 3], "m8[D]")
    for sign, a, b in (
        ("+", day, span), ("-", day, span), ("+", span, span), ("-", span, span), ("*", span, 2), ("*", span, 0.5),
        ("//", span, 2), ("/", span, 2), ("-", day, day), ("/", span, span), ("+", np.arange(3), span),
    ):  # fmt: skip
        python = in_place(sign)
        got, want = outcome(nb.njit(python), a.copy(), b), outcome(python, a.copy(), b)
        if isinstance(want, str) or isinstance(got, str):
            assert got is want, (sign, a, b)
        else:
            np.testing.assert_array_equal(got, want)


def test_a_number_becomes_an_array():
    def plus(s, a):
        s += a
        s *= a
        return s

    a = np.arange(3.0)
    np.testing.assert_array_equal(nb.njit(plus)(1.5, a), plus(1.5, a))
    assert (a == np.arange(3.0)).all()


@pytest.mark.parametrize("order", ["C", "F"])
def test_products_of_matrices(order):
    f = nb.njit(in_place("@"))
    for left, right in (((2, 2), (2, 2)), ((3, 2), (2, 2)), ((2,), (2, 2))):
        a = np.asarray(np.arange(1.0, 1 + np.prod(left)).reshape(left), order=order)
        b = np.asarray(np.arange(4.0).reshape(right), order=order)
        want = a @ b
        assert f(a, b) is not None
        np.testing.assert_array_equal(a, want)
    square = np.asarray(np.arange(4.0).reshape(2, 2), order=order)
    want = square @ square
    f(square, square)
    np.testing.assert_array_equal(square, want)
    for left, right in (((2, 2), (2, 3)), ((2, 2), (2,)), ((2,), (2,))):
        with pytest.raises(ValueError):
            in_place("@")(np.ones(left), np.ones(right))
        with pytest.raises(ValueError):
            f(np.ones(left), np.ones(right))
