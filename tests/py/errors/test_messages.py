"""What errors say: sizes, indices and types as they are, and what to write instead."""

import collections
import math
import operator
import os
import re
import sys
import types
from decimal import Decimal

import numbra as nb
import numpy as np
import pytest
from folders import ROOT
from numbra.core.errors import TypingError, UnsupportedError

TIERS = ("cranelift", "llvm")


def ones(*shape):
    return np.ones(shape)


def assign(x, y):
    x[:] = y


def assign_column(x, y):
    x[:, 0] = y


def add_in_place(x, y):
    x += y


def mask_values(x, m, v):
    x[m] = v


def store(x, i):
    x[i] = 1.0


# Function, arguments, class, and the whole message.
SIZES = [
    (lambda x, y: x + y, (ones(3), ones(4)), "operands could not be broadcast together with shapes (3,) (4,)"),
    (lambda x, y: x * y, (ones(2, 3), ones(4)), "operands could not be broadcast together with shapes (2,3) (4,)"),
    (
        lambda x, y: np.maximum(x, y),
        (ones(3), ones(2, 4)),
        "operands could not be broadcast together with shapes (3,) (2,4)",
    ),
    (
        lambda x, y, z: np.add(x, y, z),
        (ones(3), ones(3), ones(4)),
        "operands could not be broadcast together with shapes (3,) (3,) (4,)",
    ),
    (assign, (ones(3), ones(4)), "cannot assign slice of shape (3,) from input of shape (4,)"),
    (assign, (ones(2, 3), ones(1, 4)), "cannot assign slice of shape (2, 3) from input of shape (1, 4)"),
    (assign_column, (ones(3, 3), ones(4)), "cannot assign slice of shape (3,) from input of shape (4,)"),
    (add_in_place, (ones(3), ones(4)), "operands could not be broadcast together with shapes (3,) (4,) (3,)"),
    (
        lambda x, y: x @ y,
        (ones(2, 3), ones(4, 5)),
        "incompatible array sizes for np.dot(a, b) (matrix * matrix): shapes (2,3) (4,5)",
    ),
    (
        lambda x, y: np.dot(x, y),
        (ones(3), ones(4)),
        "incompatible array sizes for np.dot(a, b) (vector * vector): shapes (3,) (4,)",
    ),
    (
        lambda x, y, z: np.dot(x, y, z),
        (ones(2, 3), ones(3, 5), ones(2, 2)),
        "incompatible output array size for np.dot(a, b, out) (matrix * matrix): (2,2) instead of (2,5)",
    ),
    (
        lambda x, y: np.concatenate((x, y)),
        (ones(2, 3), ones(2, 4)),
        "np.concatenate(): input sizes over dimension 1 do not match: the array at index 0 has size 3 and the array at "
        "index 1 has size 4",
    ),
    (
        lambda x, y: np.hstack((x, y)),
        (ones(2, 3), ones(3, 3)),
        "np.concatenate(): input sizes over dimension 0 do not match: the array at index 0 has size 2 and the array at "
        "index 1 has size 3",
    ),
    (
        lambda x, y: np.append(x, y, axis=0),
        (ones(3, 2), ones(3, 3)),
        "np.concatenate(): input sizes over dimension 1 do not match: the array at index 0 has size 2 and the array at "
        "index 1 has size 3",
    ),
    (lambda x, y: np.stack((x, y)), (ones(3), ones(4)), "all input arrays must have the same shape: (3,) (4,)"),
    (
        lambda x, n: x.reshape(n, 2),
        (ones(3, 3), 4),
        "total size of new array must be unchanged: cannot reshape array of size 9 into shape (4, 2)",
    ),
    (
        lambda c, x: np.where(c, x, x),
        (ones(3) > 0, ones(4)),
        "shape mismatch: objects cannot be broadcast to a single shape: shapes (3,) (4,) (4,)",
    ),
    (
        lambda x, y: np.clip(x, y, y),
        (ones(3), ones(4)),
        "shape mismatch: objects cannot be broadcast to a single shape: shapes (3,) (4,) (4,)",
    ),
    (
        lambda x, n: np.broadcast_to(x, (2, n)),
        (ones(3), 4),
        "operands could not be broadcast together with remapped shapes [original->remapped]: (3,) and requested shape "
        "(2,4)",
    ),
    (
        lambda x, y: np.repeat(x, y),
        (ones(3), np.array([1, 2])),
        "operands could not be broadcast together with shapes (3,) (2,)",
    ),
    (mask_values, (ones(3), ones(3) > 0, ones(2)), "cannot assign slice of shape (3,) from input of shape (2,)"),
]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("function", "args", "message"), SIZES)
def test_shapes_that_do_not_fit_are_named(function, args, message, tier):
    with pytest.raises(ValueError) as raised:
        nb.njit(tier=tier)(function)(*args)
    assert str(raised.value) == message


PLACES = [
    (lambda x, i: x[i], (ones(3), 5), "index 5 is out of bounds for axis 0 with size 3"),
    (lambda x, i: x[i], (ones(3), -5), "index -5 is out of bounds for axis 0 with size 3"),
    (lambda x, i: x[i], (ones(3), np.uint64(2**63 + 5)), f"index {2**63 + 5} is out of bounds for axis 0 with size 3"),
    (lambda x, i: x[i], (ones(0), np.int8(0)), "index 0 is out of bounds for axis 0 with size 0"),
    (lambda x, i: x[1, i], (ones(3, 4), 4), "index 4 is out of bounds for axis 1 with size 4"),
    (lambda x, i: x[i].sum(), (ones(3, 4), 7), "index 7 is out of bounds for axis 0 with size 3"),
    (lambda x, i: x[..., i], (ones(3, 4), 9), "index 9 is out of bounds for axis 1 with size 4"),
    (store, (ones(3), 3), "index 3 is out of bounds for axis 0 with size 3"),
    (lambda x, i: x.flat[i], (ones(3, 2), 7), "index 7 is out of bounds for size 6"),
    (lambda x, i: x[i], (ones(3), np.array([0, 5])), "index 5 is out of bounds for axis 0 with size 3"),
    (lambda x, i: np.take(x, i), (ones(3), np.array([0, -7])), "index -7 is out of bounds for axis 0 with size 3"),
    (
        lambda x, i: np.delete(x, i),
        (ones(3), 7),
        "obj must be less than the len(arr): index 7 is out of bounds for axis 0 with size 3",
    ),
]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("function", "args", "message"), PLACES)
def test_indices_out_of_bounds_are_named(function, args, message, tier):
    with pytest.raises(IndexError) as raised:
        nb.njit(boundscheck=True, tier=tier)(function)(*args)
    assert str(raised.value) == message


def test_words_of_a_message_in_loops_that_are_copied():
    """Loops are copied for indices that are inside; the loop that stays says which was not."""

    @nb.njit(boundscheck=True)
    def total(x, start, stop):
        sum_ = 0.0
        for i in range(start, stop):
            sum_ += x[i]
        return sum_

    x = np.arange(10.0)
    assert total(x, 0, 10) == 45.0
    assert total(x, -2, 1) == 8.0 + 9.0 + 0.0
    for start, stop, index in ((0, 12, 10), (-11, 2, -11), (20, 21, 20)):
        with pytest.raises(IndexError, match=rf"^index {index} is out of bounds for axis 0 with size 10$"):
            total(x, start, stop)


def test_words_of_a_message_reach_handlers():
    @nb.njit(boundscheck=True)
    def guarded(x, i):
        try:
            return x[i]
        except Exception:
            return -1.0

    assert guarded(np.ones(3), 1) == 1.0
    assert guarded(np.ones(3), 5) == -1.0


# Function of an array with two axes and an axis, its number of axes, and Numba's words in front of NumPy's text.
AXES = [
    (lambda x, k: x.sum(k), 2, None),
    (lambda x, k: np.sum(x[0], k), 1, None),
    (lambda x, k: np.sum(x, 7 if k > 0 else -7), 2, None),
    (lambda x, k: np.cumsum(x, k), 2, None),
    (lambda x, k: np.argmin(x, k), 2, None),
    (lambda x, k: x.argmax(axis=k), 2, None),
    (lambda x, k: np.take(x, 0, k), 2, None),
    (lambda x, k: np.unwrap(x, axis=k), 2, 'Value for argument "axis" is not supported'),
    (lambda x, k: np.concatenate((x, x), k), 2, None),
    (lambda x, k: np.stack((x, x), k), 3, None),
    (lambda x, k: np.append(x, x, k), 2, None),
    (lambda x, k: np.expand_dims(x, k), 3, None),
    (lambda x, k: np.expand_dims(x, (0, k)), 4, None),
    (lambda x, k: x.transpose(0, k), 2, None),
    (lambda x, k: np.transpose(x, (k, 0)), 2, None),
    (lambda x, k: np.swapaxes(x, k, 0), 2, "np.swapaxes: Argument axis1 out of bounds"),
    (lambda x, k: np.swapaxes(x, 0, k), 2, "np.swapaxes: Argument axis2 out of bounds"),
    (lambda x, k: np.moveaxis(x, k, 0), 2, "np.moveaxis: Argument source out of bounds"),
    (lambda x, k: np.moveaxis(x, (0, 1), (1, k)), 2, "np.moveaxis: Argument destination out of bounds"),
    (lambda x, k: np.split(x, 2, k), 2, "np.split: Argument axis out of bounds"),
    (lambda x, k: np.array_split(x, 2, k), 2, "np.split: Argument axis out of bounds"),
    (lambda x, k: np.lib.stride_tricks.sliding_window_view(x, 1, k), 2, "Argument axis out of bounds"),
]


@pytest.mark.parametrize("tier", TIERS)
@pytest.mark.parametrize(("function", "ndim", "prefix"), AXES)
def test_axes_out_of_bounds_are_numpys_errors(function, ndim, prefix, tier):
    compiled = nb.njit(tier=tier)(function)
    for axis in (7, -7):
        assert_axis_error(lambda axis: compiled(ones(2, 3), axis), axis, ndim, prefix)


def assert_axis_error(call, axis, ndim, prefix):
    said = np.exceptions.AxisError(axis, ndim, prefix)
    with pytest.raises(np.exceptions.AxisError) as raised:
        call(axis)
    error = raised.value
    assert isinstance(error, ValueError)
    assert isinstance(error, IndexError)
    assert (str(error), error.axis, error.ndim) == (str(said), axis, ndim)


@pytest.mark.parametrize("function", [lambda g, x, k: g.permutation(x, k), lambda g, x, k: g.shuffle(x, axis=k)])
def test_axes_of_generators(function):
    compiled = nb.njit(function)
    generator = np.random.default_rng(1)
    prefix = "Axis is out of bounds for the given array"
    assert_axis_error(lambda axis: compiled(generator, ones(2, 3), axis), 2, 2, prefix)


@pytest.mark.parametrize("axis", [7, -7])
def test_constant_axes_out_of_bounds(axis):
    with pytest.raises(np.exceptions.AxisError, match=f"^axis {axis} is out of bounds for array of dimension 3$"):
        nb.njit(lambda x: np.expand_dims(x, axis))(ones(2, 3))


def identity(x):
    return x


class Frame:
    """Stands for a DataFrame."""

    def to_numpy(self):
        return np.ones(1)


class Holder:
    def __init__(self):
        self.rate = 0.5
        self.names = {}
        self.values = np.ones(2)


# An object, what Numba says of it, what it is, and what to do.
REFUSED = [
    (np.array([None], object), "Unsupported array dtype: object", "an array of dtype object", "`x.astype(np.float64)`"),
    (np.ones(1, ">f8"), "Unsupported array dtype: >f8", "an array of dtype >f8", "`x.astype(np.float64)`"),
    (np.ones(1, ">i4"), "Unsupported array dtype: >i4", "an array of dtype >i4", "`x.astype(np.int32)`"),
    (np.array(["a"], ">U3"), "Unsupported array dtype: >U3", "an array of dtype >U3", '`x.astype("U3")`'),
    (np.zeros(2, "V3"), "Unsupported array dtype: |V3", "an array of dtype |V3", "`x.view(np.uint8)`"),
    (
        np.zeros(2, [("a", "f8"), ("b", "O")]),
        "Unsupported array dtype: [('a', '<f8'), ('b', 'O')]",
        "an array of dtype [('a', '<f8'), ('b', 'O')]",
        "its field `b` is object",
    ),
    (
        np.longdouble(1),
        "Cannot determine Numba type of <class 'numpy.longdouble'>",
        "a scalar of dtype",
        "`np.float64(x)`",
    ),
    (
        {1: 2},
        "Cannot determine Numba type of <class 'dict'>",
        "a Python object of class `dict`",
        "np.array(list(x.values()))",
    ),
    (frozenset([1]), "Cannot determine Numba type of <class 'frozenset'>", "`frozenset`", "`set(x)`"),
    (lambda y: y, "Cannot determine Numba type of <class 'function'>", "`function`", "numbra.njit(x)"),
    (math.sin, "Cannot determine Numba type of <class 'builtin_function_or_method'>", "builtin", "numbra.njit(x)"),
    (math, "Cannot determine Numba type of <class 'module'>", "`module`", "global names"),
    (Decimal(1), "Cannot determine Numba type of <class 'decimal.Decimal'>", "`decimal.Decimal`", "`float(x)`"),
    (Frame(), "Cannot determine Numba type of <class ", "Frame`", "`x.to_numpy()`"),
    (Holder(), "Cannot determine Numba type of <class ", "Holder`", "as `x.rate`, `x.values`"),
    (object(), "Cannot determine Numba type of <class 'object'>", "`object`", "numbers, arrays, tuples"),
    ([object()], "Cannot type list element type <class 'object'>", "a list, of which item 0 is", "numbers"),
    ((1, {1: 2}), "Cannot determine Numba type of <class 'tuple'>", "a tuple, of which item 1 is", "x[1].values()"),
    (10**30, "Int value is too large: 1000000000000000000000000000000", "does not fit 64 bits", "-2**63 to 2**64 - 1"),
]


@pytest.mark.parametrize(("value", "phrase", "what", "fix"), REFUSED)
def test_arguments_that_are_refused(value, phrase, what, fix):
    with pytest.raises(TypingError) as raised:
        nb.njit(identity)(value)
    text = str(raised.value)
    assert f"- argument 0: {phrase}" in text
    assert "error[T010]: argument `x` is " in text
    assert "test_messages.py:" in text
    said = text[text.index("error[T010]") :]
    assert what in said
    assert fix in said


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="longdouble is float64 here")
def test_wide_floats_are_named_and_converted():
    with pytest.raises(TypingError, match=r"Unsupported array dtype: float128[\s\S]*astype\(np.float64\)"):
        nb.njit(identity)(np.ones(1, np.longdouble))
    with pytest.raises(TypingError, match=r"Unsupported array dtype: complex256[\s\S]*astype\(np.complex128\)"):
        nb.njit(identity)(np.ones(1, np.clongdouble))


def test_typeof_names_the_dtype():
    with pytest.raises(ValueError, match=r"^Unsupported array dtype: >f8$"):
        nb.typeof(np.ones(1, ">f8"))


def branches(x, flag):
    if flag:
        r = x
    else:
        r = "none"
    return r


def mixed_list(n):
    return [n, "a", 2.5]


def chosen(x, flag):
    if flag:
        g = math.sin
    else:
        g = math.cos
    return g(x)


@nb.njit
def plus(x, step=1):
    return x + step


BIG = 10**30
OBJECTS = np.array([None], object)


def misspelt(value):
    total = 1 + value
    return totl + total  # noqa: F821


def joined(v, s, k):
    at = s[k] if k > 0 else v.size
    return v[at]


def misspelt_global(x):
    return identty(x) + x  # noqa: F821


GENERATOR = np.random.default_rng(1)


def drawn(n):
    return GENERATOR.random(n)


tools = sys.modules["tools_of_messages"] = types.ModuleType("tools_of_messages")
tools.helper = plus
RECORDS = np.zeros(2, [("alpha", "f8")])


Corner = collections.namedtuple("Corner", "x y")


class Tools:
    @staticmethod
    def helper(x):
        return x


def three_names(x):
    a, b, c = x.shape
    return a + b + c


def list_of_none():
    x = [None] * 3
    x[0] = 1
    return x


def text_added_in_place(x):
    x[0] += "s"


def seeded(s):
    np.random.seed(s)


DAY = np.timedelta64(1, "D")

# Function, arguments, code, what stands under the mark, and parts of the message.
MISTAKES = [
    (
        lambda flag: Corner(1, 2) if flag else (1, 2),
        (True,),
        "T006",
        "Corner(1, 2)",
        ["Corner(x: int64, y: int64) here", "UniTuple(int64 x 2) here"],
    ),
    (
        lambda flag: (1, 2.5) if flag else Corner(1, 2.5),
        (True,),
        "T006",
        None,
        ["Corner(x: int64, y: float64) here", "Tuple(int64, float64) here"],
    ),
    (
        three_names,
        (ones(2, 3),),
        "T012",
        "a, b, c",
        ["expected 3, got 2", "the tuple has 2 items", "`x` is array(float64, 2d"],
    ),
    (lambda: np.int64("3"), (), "T001", 'np.int64("3")', ["`numpy.int64`", "reads numbers from text by `int`"]),
    (lambda s: np.float64(s), ("3",), "T001", "np.float64(s)", ["`numpy.float64`", "reads numbers from text by `int`"]),
    (
        lambda x: "a" in x,
        (ones(3),),
        "T001",
        None,
        ["types for in: unicode_type and array", "which a string does not equal"],
    ),
    (lambda x: 1 in x, ("a",), "T001", None, ["a string contains strings only, not a number"]),
    (lambda x: x == "x", (ones(3),), "T001", None, ["compares with strings only, not with an array"]),
    (lambda: -"x", (), "T001", None, ["strings have no operator `-`"]),
    (lambda x: ~x, (2.5,), "T001", None, ["`~` takes integers, not float64", "`int(x)`"]),
    (lambda x: x << 1, (2.5,), "T001", None, ["`<<` takes integers, not float64"]),
    (lambda x: x & 1, (ones(3),), "T001", None, ["`&` takes integers", "`x.astype(np.int64)`"]),
    (lambda: 1j < 2j, (), "T001", None, ["complex numbers have no order"]),
    (lambda x: x + "x", (ones(3),), "T001", None, ["a string and an array cannot be added"]),
    (text_added_in_place, (ones(3),), "T001", None, ["a string and a number cannot be added"]),
    (lambda x: tuple(x), (ones(3),), "T001", None, ["length of a tuple must be known when the function is compiled"]),
    (lambda: tuple([1, 2]), (), "T001", None, ["length of a tuple must be known", "list(int64) is not"]),
    (lambda a: np.concatenate(a, a), (ones(3),), "T001", None, ["pass a tuple, `np.concatenate((a, a))`"]),
    (lambda a: np.arange(a), (ones(3),), "T001", None, ["`np.arange(a.size)`"]),
    (lambda: max(1, "a"), (), "T001", None, ["no order of int64 and unicode_type"]),
    (lambda a: max(a, 3), (ones(3),), "T001", None, ["`np.maximum(a, b)`"]),
    (seeded, ("x",), "T001", None, ["a seed is an integer"]),
    (lambda a: a and 3, (ones(1),), "T006", "a", ["array(float64, 1d, C) here", "int64 here", "`a.any()`, `a.all()`"]),
    (lambda a: 1 if a.any() else "no", (ones(1),), "T006", None, ["- int64 here", "unicode_type here", "convert one"]),
    (
        lambda a: a.max(1),
        (ones(2, 3),),
        "T001",
        None,
        ["`axis` is not supported", "`np.array([a[i].max() for i in range(a.shape[0])])`"],
    ),
    (
        lambda a: np.min(a, axis=0),
        (ones(2, 3),),
        "T001",
        None,
        ["`np.array([np.min(a[:, i]) for i in range(a.shape[1])])`"],
    ),
    (
        lambda a: np.var(a, axis=-1),
        (ones(2, 3),),
        "T001",
        None,
        ["`np.array([np.var(a[i]) for i in range(a.shape[0])])`"],
    ),
    (lambda a: a.mean(axis=0), (ones(2, 3),), "T001", None, ["`np.sum(a, axis=0) / a.shape[0]`"]),
    (
        lambda a: a.std(axis=0),
        (ones(2, 3, 4),),
        "T001",
        None,
        ["`axis` is not supported for `std`", "loop over the other axes"],
    ),
    (lambda a: a.sum, (ones(3),), "D003", None, ["the method `sum`", "call it: `x.sum()`"]),
    (lambda: Tools.helper(3), (), "T004", "Tools", ["reads nothing from Python classes", "`helper = Tools.helper`"]),
    (list_of_none, (), "T016", None, ["cannot assign int64 to an item of a list of none", "start with numbers"]),
    (lambda a: a[[0, 1]], (ones(3),), "T001", None, ["write `a[np.array([0, 1])]`"]),
    (
        lambda: np.random.rand((2, 3)),
        (),
        "T027",
        None,
        ["one by one, as np.random.rand(2, 3)", "not UniTuple(int64 x 2)"],
    ),
    (lambda: np.random.rand(2, (3,)), (), "T027", None, ["each is an integer, not UniTuple(int64 x 1)"]),
    (lambda: np.random.randn((2, 3)), (), "T027", None, ["one by one, as np.random.randn(2, 3)"]),
    (lambda: len(set([[1]])), (), "T027", "set([[1]])", ["unhashable type: 'list'"]),
    (lambda t: len({t}), (DAY,), "T024", "{t}", ["numbers, or tuples of numbers: timedelta64[D] is not supported"]),
    (lambda x: len({(1, x)}), (ones(3),), "T024", None, ["unhashable type: 'numpy.ndarray'"]),
    (branches, (1.0, True), "T006", None, ["r = x", 'r = "none"', "float64 here", "unicode_type here"]),
    (mixed_list, (1,), "D003", 'return [n, "a", 2.5]', ["several types", "return a tuple, `(a, b)`"]),
    (lambda x: np.summ(x), (1.0,), "T003", "np.summ", ["did you mean `np.sum`?"]),
    (lambda x: np.linalg.nrom(x), (1.0,), "T003", "np.linalg.nrom", ["did you mean `np.linalg.norm`?"]),
    (lambda x: math.sqr(x), (1.0,), "T002", "math.sqr", ["did you mean `math.sqrt`?"]),
    (lambda x: x.summ(), (ones(3),), "T002", "x.summ", ["did you mean `sum`?"]),
    (lambda x: np.sum(x, axs=0), (ones(3),), "T001", None, ["did you mean `axis`?"]),
    (lambda x: plus(x, stpe=2), (1,), "T013", None, ["did you mean `step`?"]),
    (misspelt, (1,), "T005", "totl", ["did you mean `total`?"]),
    (lambda n: rnage(n), (1,), "T005", "rnage", ["did you mean `range`?"]),  # noqa: F821
    (lambda n: np.zeros([n, n]), (3,), "T001", None, ["a shape is a tuple", "`zeros((n, m))`"]),
    (lambda n: np.zeros(n / 2), (3,), "T001", None, ["`/` gives a float: write `//`"]),
    (lambda n: np.ones((n / 2, n)), (3,), "T001", None, ["`n // 2`"]),
    (lambda n: range(), (3,), "T001", None, ["range(stop), range(start, stop), range(start, stop, step)"]),
    (lambda n: range(1, 2, 3, n), (3,), "T001", None, ["range(stop), range(start, stop), range(start, stop, step)"]),
    (lambda n: len(), (3,), "T001", None, ["it is called as len(s)"]),
    (lambda n: min(), (3,), "T001", None, ["expected at least 1 argument, got 0"]),
    (
        chosen,
        (1.0, True),
        "T006",
        None,
        ["the function `math.sin`", "the function `math.cos`", "call them on the two branches"],
    ),
    (lambda x: math.perm(x), (1.0,), "T002", "math.perm", ["unknown attribute `perm` of type Module(math)"]),
    (lambda x: x + BIG, (1,), "T004", "BIG", ["does not fit 64 bits", "-2**63 to 2**64 - 1"]),
    (lambda i: OBJECTS[i], (0,), "T004", "OBJECTS", ["an array of dtype object"]),
    (joined, (ones(9), np.array([0, 3], np.uint64), 1), "T001", "v[at]", ["uint64 and int64 meet", "np.int64(..)"]),
    (lambda s: s + b"x", ("a",), "T001", 's + b"x"', ["not with bytes"]),
    (lambda s: s * 1.5, ("a",), "T001", "s * 1.5", ["so often as an integer says, not a number"]),
    (lambda s: s % 3, ("a",), "T001", "s % 3", ["write an f-string"]),
    (misspelt_global, (1,), "T005", "identty", ["did you mean `identity`?"]),
    (lambda x: tools.helpr(x), (1,), "T002", "tools.helpr", ["did you mean `tools_of_messages.helper`?"]),
    (lambda: os.getcwd(), (), "T002", "os.getcwd", ["`os.getcwd` is nothing that compiled code can use", "outside"]),
    (lambda r: r[0].alhpa, (RECORDS,), "T002", None, ["did you mean `alpha`?"]),
    (lambda x, i: x[i], (ones(3), 1.0), "T001", "x[i]", ["write `int(i)`"]),
    (lambda x: x["a"], (ones(3),), "T001", 'x["a"]', ["an integer or a slice"]),
    (lambda x: int(x), (ones(3),), "T001", "int(x)", ["`x.item()`"]),
    (lambda x: x @ x, (np.ones((2, 2), np.int64),), "T027", "x @ x", ["int64 is not float32", "x.astype(np.float64)"]),
    (lambda x: eval(x), ("1",), "T004", "eval", ["compiled code does not have `eval`"]),
    (drawn, (1,), "T004", "GENERATOR", ["pass `GENERATOR` as an argument"]),
    (lambda: Frame(), (), "T004", "Frame", ["Frame`", "makes no objects of Python classes", "pass the numbers"]),
    (lambda: dict(), (), "T009", "dict()", ["known in part only"]),
    (lambda n: str(slice(n)), (1,), "T001", "str(slice(n))", ["makes text of numbers, strings, `None`, arrays"]),
    (lambda s: complex(s), ("1",), "T001", "complex(s)", ["reads numbers from text by `int`"]),
    (lambda s: range(s), ("1",), "T001", "range(s)", ["`range` takes integers", "`len(s)`"]),
    (lambda n: written(n), (1,), "T001", "written(n)", ["no implementation of"]),
    (lambda x, y: x + y, (1, [1]), "T001", None, ["argument 2 is reflected list(int64), not int64"]),
]


@pytest.mark.parametrize(("function", "args", "code", "marked", "parts"), MISTAKES)
def test_mistakes_are_shown_with_what_to_write(function, args, code, marked, parts):
    with pytest.raises(Exception) as raised:
        nb.njit(function)(*args)
    text = str(raised.value)
    said = rendered(text)
    assert f"error[{code}]" in said
    for part in parts:
        assert part in said, text
    if marked is not None:
        lines = said.splitlines()
        at = next(number for number, line in enumerate(lines) if re.search(r"\|\s+\^", line))
        start, length = lines[at].index("^"), lines[at].count("^")
        assert lines[at - 1][start : start + length] == marked


def rendered(text):
    """The diagnostic, without Numba's phrase in front of it."""
    return text[text.index("error[") :]


@nb.extending.intrinsic
def written(typingctx, n):
    """Stands for what an extension defines."""


def test_what_is_not_there_yet_says_so():
    with pytest.raises(NotImplementedError, match="not called from Python"):
        written(1)


def lengths(x, y):
    return len(x) + len(y)


# Arguments of `lengths`, and the class, text and notes of the error.
UNTYPED = [
    (([], [1]), ValueError, "empty list: it has no item .* `np\\.empty\\(0\\)`", ["argument `x` of `lengths`"]),
    (([1], set()), ValueError, "cannot compute fingerprint of empty set", ["argument `y` of `lengths`"]),
    (
        ([1, "a"], [1]),
        TypeError,
        "can't unbox heterogeneous list: int64 != unicode_type$",
        ["convert them", "argument `x`"],
    ),
    (
        ([1], [1, 2.5]),
        TypeError,
        "can't unbox heterogeneous list: int64 != float64$",
        ["float(v) for v in x", "argument `y`"],
    ),
]


@pytest.mark.parametrize(("args", "error", "text", "notes"), UNTYPED)
def test_containers_without_a_type_of_items(args, error, text, notes):
    compiled = nb.njit(lengths)
    for call in (lambda: compiled(*args), lambda: compiled(args[0], y=args[1])):
        with pytest.raises(error) as raised:
            call()
        assert re.search(text, str(raised.value))
        said = "\n".join(raised.value.__notes__)
        for note in notes:
            assert note in said


def test_values_of_other_kinds_are_in_no_tuple():
    @nb.njit
    def found(x, s):
        return s in [1, 2], s in (x, "a"), None in (x, 2), (x, 1) in (s, (x, 1)), (s, x) == (1, 2)

    assert found(1, "a") == found.py_func(1, "a") == (False, True, False, True, False)


@pytest.mark.parametrize("tier", TIERS)
def test_several_unknown_extents(tier):
    for reshape in (lambda x, n: x.reshape(n, -1), lambda x, n: np.reshape(x, (n, n))):
        with pytest.raises(ValueError, match=r"^can only specify one unknown dimension$"):
            nb.njit(tier=tier)(reshape)(ones(2, 3), -1)


def test_what_messages_say_instead_works():
    x = np.arange(6.0).reshape(2, 3)
    pairs = [
        (lambda a: np.array([a[i].max() for i in range(a.shape[0])]), x.max(1)),
        (lambda a: np.array([np.var(a[:, i]) for i in range(a.shape[1])]), x.var(0)),
        (lambda a: np.sum(a, axis=0) / a.shape[0], x.mean(0)),
        (lambda a: a[np.array([1, 0])], x[[1, 0]]),
        (lambda a: np.maximum(a, 3), np.maximum(x, 3)),
    ]
    for function, expected in pairs:
        np.testing.assert_allclose(nb.njit(function)(x), expected)


def test_parameters_for_any_keywords():
    @nb.njit
    def f(**k):
        return 1

    with pytest.raises(UnsupportedError) as raised:
        f()
    text = str(raised.value)
    assert "error[D007]: `**k` of a function is not supported" in text
    assert "def f(x, scale=1.0)" in text


# Names of the compiler that mean nothing to users.
INTERNAL = re.compile(
    r"<unset>|<iv=|LiteralList|pyobject|numbra_rt_|numbra_np_|iv=None|CPUDispatcher|\bSome\(|\$|TypeKind|\bObjRef|\{\w+:"
)

ERRORS = [(function, args) for function, args, *_ in MISTAKES] + [(identity, (value,)) for value, *_ in REFUSED]
ERRORS += [
    (function, args)
    for function, args in [
        (lambda x: np.array(["a", 1]), (1,)),
        (lambda n: slice(), (1,)),
        (lambda n: enumerate(), (1,)),
        (lambda n: round(n, 1, 2), (1,)),
        (lambda x: np.dot(x), (ones(3),)),
        (lambda x: np.where(), (ones(3),)),
        (lambda x: [1].pop(1, 2, 3), (1,)),
        (lambda x: set(x, x), (1,)),
        (lambda x: x[()](), (ones(3),)),
        (lambda s, t: operator.iadd(s, t), ("a", 1)),
        (lambda s: s * 2.5, ("a",)),
        (lambda s: s % 2, ("a",)),
        (lambda x, f: (plus if f else math.sin)(x), (1.0, True)),
        (lambda x, f: ([1] if f else ones)(x), (1.0, True)),
    ]
]


@pytest.mark.parametrize(("function", "args"), ERRORS)
def test_no_internal_names(function, args):
    with pytest.raises(Exception) as raised:
        nb.njit(function)(*args)
    found = INTERNAL.search(rendered(str(raised.value)))
    assert found is None, str(raised.value)


def test_signatures_of_builtins_are_documented_as_pythons():
    """Every builtin function that says how it is called says so without placeholders."""

    page = (ROOT / "docs" / "supported.md").read_text()
    assert "<unset>" not in page


def test_ptx_of_a_function_that_allocates():
    @nb.njit
    def g(x):
        y = np.zeros(x.size)
        return y + x

    g(np.ones(3))
    text = g.inspect("ptx")
    assert text.startswith("// no PTX: not available on this target: an allocation of memory: `numpy.zeros` needs")
    assert "test_messages.py:" in text and text.count("\n") == 1
    for stage in nb.STAGES:
        assert g.inspect(stage).strip(), stage


NUMBERS = [1, 2]
TYPED = nb.typed.Dict.empty(nb.types.int64, nb.types.int64)


def test_names_that_a_program_meant_to_import():
    with pytest.raises(nb.TypingError, match="has it been imported") as raised:
        nb.njit(lambda n: [i for i in prange(n)])(3)  # noqa: F821
    assert "import it: `from numbra import prange`" in rendered(str(raised.value))
    with pytest.raises(
        nb.TypingError, match="The use of a reflected list type, assigned to variable 'NUMBERS' in globals"
    ):
        nb.njit(lambda: NUMBERS[0])()
    with pytest.raises(
        nb.TypingError, match="The use of a typed Dict type, assigned to variable 'TYPED' in globals, is not supported"
    ) as raised:
        nb.njit(lambda: TYPED[0])()
    assert "pass `TYPED` as an argument" in rendered(str(raised.value))
    captured = nb.typed.List([1])
    with pytest.raises(nb.TypingError, match="Untyped freevar name 'captured'"):
        nb.njit(lambda: captured[0])()


def test_classes_that_compiled_code_makes_no_objects_of():
    with pytest.raises(nb.TypingError, match="Untyped global name 'object'"):
        nb.njit(lambda: object())()


def test_inner_functions_that_leave():
    def outer(x):
        z = x + 1

        def inner(y):
            return y + z

        return inner

    with pytest.raises(nb.TypingError, match="Cannot capture the non-constant value associated with variable 'z'"):
        nb.njit(outer)(1)


def test_sums_that_start_with_text():
    for start, what in (("a", "strings"), (b"a", "bytes"), (bytearray(b"a"), "bytearray")):
        with pytest.raises(nb.TypingError, match=f"can't sum {what}"):
            nb.njit(lambda x, start: sum(x, start))((1, 2), start)


def test_classes_of_values():
    def made(classes):
        return nb.njit(lambda x: isinstance(x, classes))

    for value in ({1}, 1, 1.5, "a", [1], (1,), (1, "a"), None):
        for classes in (set, (set, list), int, (int, "no class"), ("no class",)):
            function = made(classes)
            try:
                want = isinstance(value, classes)
            except TypeError:
                with pytest.raises(nb.TypingError, match="Cannot infer Numba type of Python type"):
                    function(value)
            else:
                assert function(value) == want, (value, classes)


def test_attributes_that_are_asked_for():
    @nb.njit
    def missing(x):
        return getattr(x, "nothing")  # noqa: B009

    @nb.njit
    def called(x):
        method = getattr(x, "__hash__")  # noqa: B009
        return method()

    for x, name in ((1.5, "float64"), (1, "int64"), (np.ones(2), "array(float64, 1d, C)")):
        with pytest.raises(AttributeError) as raised:
            missing(x)
        assert str(raised.value) == f"'{name}' has no attribute 'nothing'"
    for x in (1, -1, 2.5, True, (1, 2.5), 2j):
        assert nb.njit(lambda x: (x.__hash__(), hasattr(x, "__hash__")))(x) == (hash(x), True)
        assert called(x) == hash(x)

    @nb.njit
    def branches(n):
        if n > 3:
            name = "real"
        else:
            name = "imag"
        return hasattr(n, name)

    message = 'hasattr\\(\\) cannot determine the type of variable "name" due to a branch.'
    with pytest.raises(nb.errors.NumbaTypeError, match=message):
        branches(1)
