"""Every construct of the language, one row each, against CPython: values, types, what is raised, what is printed.

Rows marked `wraps` show where compiled integers differ from Python's on purpose: they have 64 bits.

PYTEST_DONT_REWRITE: an `assert` in a compiled function must stay the one that is written there.
"""

import math  # noqa: F401 (named in EXPRESSIONS)

import numbra as nb
import numpy as np
import pytest

ONE = np.arange(12.0)
TWO = ONE.reshape(3, 4)
THREE = np.arange(24).reshape(2, 3, 4)
COMPLEX = np.array([1 + 2j, 3 - 1j])
NUMBER, PAIR, MIXED, ARRAY = 7, (1, 2, 3), (1, 2.5, (3, 4)), np.arange(6.0).reshape(2, 3)
FLAG, NOTHING, IMAGINARY = True, None, 1 + 2j


class Broken(Exception):
    pass


class Worse(Broken):
    pass


EXPRESSIONS = [
    # tuples
    ("()", "", [()]),
    ("((a, b), (b, (a,)))", "a, b", [(1, 2.5)]),
    ("t[0] + t[1] + t[-1]", "t", [((1, 2, 3),), ((1.5, 2, 3),)]),
    ("t[i]", "t, i", [((1, 2, 3), 0), ((1, 2, 3), -1), ((1, 2, 3), 5), ((1, 2, 3), -4), (tuple(range(40)), 7)]),
    ("t[1:], t[::-1], t[:2], t[-2:]", "t", [((1, 2.5, 3j),), ((1, 2, 3),)]),
    ("t + (1, 2.5) + t", "t", [((1, 2),)]),
    ("t * 2", "t", [((1, 2.5),)]),
    ("len(t), bool(t), not t", "t", [((),), ((1,),)]),
    ("3 in t, 9 in t, 2.0 in t", "t", [((1, 2, 3),)]),
    (
        "a < b, a <= b, a == b, a != b, a > b, a >= b",
        "a, b",
        [((1, 2), (1, 3)), ((1, 2), (1, 2, 0)), ((1, (2, 3)), (1, (2, 4)))],
    ),
    ("min(t), max(t), sum(t)", "t", [((3, 1, 2),), ((1.5, 2.5),)]),
    ("t.index(2)", "t", [((1, 2, 2),), ((1, 3),)]),
    ("min(t), max(t)", "t", [((3.5, 1.0, 2.0),), ((True, False),)]),
    # hash
    ("hash(x)", "x", [(0,), (-1,), (2**61 - 1,), (2**61,), (-(2**63),), (True,)]),
    ("hash(x)", "x", [(0.0,), (-0.0,), (-1.0,), (0.1,), (1e300,), (5e-324,), (2.0**61,), (float("-inf"),)]),
    ("hash(x), hash((x, 1))", "x", [(1 + 2j,), (-1j,)]),
    ("hash(t), hash(())", "t", [((1, 2),), ((1, 2.5, (3, -1)),), ((),)]),
    ("hash(x)", "x", [(np.int8(-1),), (np.uint64(2**64 - 1),), (np.float32(0.1),), (np.complex64(1 + 2j),)]),
    ("float('inf'), float('-Infinity'), float(' 1_0.5e1 '), float('.5')", "", [()]),
    # None
    ("x is None, x is not None, x == None, x != None", "x", [(None,), (1,)]),
    # boolean operators, comparison, conditional expressions
    ("x and y, x or y, not x, (x and y) or x", "x, y", [(0, 2), (1, 0), (2.5, 1.0), (0.0, 3.0)]),
    ("0 < x < 10 <= 20, 0 < x > 3, x == 1 == 1, x != 2 != 3", "x", [(5,), (1,)]),
    ("(a if a > b else b) * (1 if b else -1)", "a, b", [(1, 2), (2, 0)]),
    # builtins
    (
        "len(range(a, b, c)), range(a, b, c).start, range(a, b, c).stop, range(a, b, c).step",
        "a, b, c",
        [(0, 10, 3), (10, 0, -3), (0, 0, 1)],
    ),
    ("3 in range(10), 10 in range(10), 4 in range(0, 10, 3)", "", [()]),
    ("sum(range(10)), min(range(3, 5)), max(range(3, 5))", "", [()]),
    (
        "isinstance(x, int), isinstance(x, float), isinstance(x, tuple), isinstance(x, (int, float))",
        "x",
        [(1,), (1.5,), ((1,),), (None,)],
    ),
    ("divmod(a, b), a // b, a % b, a / b", "a, b", [(7, 2), (-7, 2), (7.5, 2), (7, -2.5), (7, 0), (7.0, 0.0)]),
    ("a ** b, pow(a, b)", "a, b", [(2, 3), (2.0, 3), (2.0, -3), (2, 0.5), (0.0, -1), (0.0, 2)]),
    ("x ** 2, x ** 3, x ** 0", "x", [(3,), (2.5,), (True,)]),
    ("x ** -1", "x", [(2.5,), (0.0,)]),
    ("round(a), round(a, 2), round(a, -1)", "a", [(2.5,), (3.14159,), (-0.5,)]),
    ("abs(a), min(a, b), max(a, b), min(a, b, 0), max(b, a, 1)", "a, b", [(1, 2), (-1, -3)]),
    ("int(a), float(a), bool(a), complex(a)", "a", [(1,), (-2.7,), (True,)]),
    ("int(), float(), bool(), complex(), complex(1, 2), complex(1.5)", "", [()]),
    ("getattr(x, 'imag'), getattr(x, 'missing', 5), hasattr(x, 'real'), hasattr(x, 'missing')", "x", [(2j,)]),
    (
        "math.sqrt(x), math.floor(x), math.ceil(x), math.trunc(x), math.frexp(x), math.isnan(x), math.pi",
        "x",
        [(0.5,), (2,)],
    ),
    (
        "z + 1, z * z, z / 2j, z.real, z.imag, z.conjugate(), abs(z), z == z, -z, z ** 2, 1 / z",
        "z",
        [(1 + 2j,), (-0.5j,)],
    ),
    # arrays
    ("a[1], a[-1], a[1:3], a[::-1], a[:], a[2:][0]", "a", [(ONE,), (ONE[::2],)]),
    (
        "a[1, 2], a[1], a[:, 1], a[1:, ::2], a[..., 0], a[-1, -1], a[None, 0]",
        "a",
        [(TWO,), (TWO.T,), (np.asfortranarray(TWO),), (TWO[::2, ::-1],)],
    ),
    (
        "a[1, 2, -1], a[0, :, 1], a[..., 1], a[:, :, ::-1], a[1, ..., 0]",
        "a",
        [(THREE,), (THREE.transpose(2, 1, 0)[1:],)],
    ),
    ("a.shape, a.ndim, a.size, a.strides, a.itemsize, a.nbytes, len(a)", "a", [(TWO,), (THREE,), (ONE[:0],)]),
    ("a.T, a.flatten(), a.ravel(), a.copy(), a.reshape(4, 3), a.reshape((2, 6)), a.reshape(-1)", "a", [(TWO,)]),
    ("a + b, a - b, a * b, a / b, -a, a < b, a == b", "a, b", [(ONE, ONE + 1), (TWO, TWO[0] + 1), (TWO, 2.0)]),
    ("a.real, a.imag", "a", [(COMPLEX,)]),
    ("a[i:j], a[i:], a[:j], a[i:j:2], a[j:i:-1]", "a, i, j", [(ONE, 2, 9), (ONE, -5, -1), (ONE, 5, 100)]),
    ("a[s]", "a, s", [(ONE, slice(1, 5)), (ONE, slice(None, None, 2))]),
    ("5.0 in a, 99.0 in a", "a", [(TWO,)]),
    (
        "a",
        "a",
        [
            (np.array(5.0),),
            (np.zeros((0, 3)),),
            (np.zeros((2, 1, 3, 2)),),
            (np.ones(3, np.bool_),),
            (np.ones(3, np.complex64),),
        ],
    ),
    ("NUMBER + x, PAIR[1], PAIR[x], MIXED[2][0], ARRAY[1, 2], FLAG, NOTHING, IMAGINARY", "x", [(2,)]),
]


def compiled_expression(text, parameters):
    source = f"def f({parameters}):\n    return {text}\n"
    space = {**globals()}
    exec(compile(source, f"<{text}>", "exec"), space)
    return space["f"]


@pytest.mark.parametrize(("text", "parameters", "arguments"), [pytest.param(*row, id=row[0]) for row in EXPRESSIONS])
def test_expression(same, text, parameters, arguments):
    function = compiled_expression(text, parameters)
    for args in arguments:
        same(function, *args)


def unpack_nested(t):
    a, (b, c) = t
    return c, b, a


def unpack_iterables(a):
    x, y, z = a
    p, q = range(2)
    return x + y + z + p + q


def unpack_too_few(a):
    x, y = a
    return x + y


def iterate_tuples(t):
    s = 0
    for a, b in t:
        s += a * b
    return s


def tuple_of_either(c):
    if c:
        t = (1.5, 2)
    else:
        t = (2.5, 3)
    return t


def rotate_tuple(n):
    t = (0, 1)
    for _ in range(n):
        t = (t[1], t[0] + t[1])
    return t


def optional_value(x):
    y = None
    if x > 2:
        y = x
    return y


def optional_arithmetic(x):
    y = None
    if x > 2:
        y = x
    if y is not None and y == 3:
        return y * 2
    return -1 if y is None else y


def optional_array(a, x):
    y = None
    if x > 2:
        y = a
    if y is not None:
        return y.sum()
    return -1.0


def optional_tuple(x):
    y = None
    if x > 2:
        y = (x, 2.5)
    a, b = y
    return a + b


def none_default(x, y=None):
    if y is None:
        return x
    return x + y


def loops(n):
    s = 0
    i = 0
    while True:
        i += 1
        if i % 2:
            continue
        if i > n:
            break
        s += i
        for j in range(i, 0, -2):
            if j == 2:
                break
            s += j
        else:
            s += 100
    while n > 0:
        n -= 1
    else:
        s += 7
    return s, i, n


def early_return(a):
    x = 0.0
    for v in a:
        if v < 0:
            continue
        x += v
        if x > 10:
            return x
    return -x


def last_of_range(n):
    i = -1
    for i in range(n):  # noqa: B007
        pass
    return i


def walrus(x):
    if (y := x * 2) > 5:
        return y
    return -y


def matches(x):
    match x:
        case 1:
            return 10
        case 2 | 3:
            return 20
        case _:
            return 0


def augmented_integers(x):
    x &= 63
    x |= 8
    x ^= 3
    x <<= 2
    x >>= 1
    x += 1
    x *= 3
    x -= 2
    x //= 2
    x %= 50
    x **= 2
    return x


def augmented_mixed(x):
    x += 1
    x -= 2.5
    x *= 2
    x /= 3
    x //= 1
    return x


def raises_constants(x):
    if x == 0:
        raise ValueError("a", 1, 2.5, None, True, (1, "b"), -0.0)
    if x == 1:
        raise ValueError
    if x == 2:
        raise KeyError()
    if x == 3:
        raise Broken("m")
    if x == 4:
        raise Worse
    assert x != 5, "five"
    assert x != 6
    return x


def raises_values(x, y):
    raise Broken("m", x, (y, x), y)


def catches(x):
    s = 0
    for i in range(5):
        try:
            if i == x:
                raise ValueError("q")
            s += i
        except Exception:
            s += 100
    return s


def finally_runs(x):
    try:
        y = 1 / x
    except Exception:
        y = -1.0
    finally:
        y *= 2
    return y


def finally_and_raise(x):
    s = 0
    try:
        try:
            if x:
                raise ValueError("inner")
        finally:
            s += 1
    except Exception:
        s += 10
    return s


def catches_everything(x):
    try:
        if x:
            raise Worse("a")
    except Exception:
        return 1
    return 2


def enumerates(a):
    s = 0.0
    for i, (x, y) in enumerate(zip(a, range(5)), 2):  # noqa: B905
        s += i * x + y
    return s


def iterators(a):
    it = iter(a)
    x = next(it)
    y = next(it)
    s = 0.0
    for z in it:
        s += z
    return x, y, s


def rows(a):
    s = 0.0
    for r in a:
        for x in r:
            s = s * 0.5 + x
    return s


def writes(a):
    a[1] = 5
    a[-1] = 7
    a[2:4] = 1.5
    a[5:8] = a[8:11]
    a[:] += 1
    a[4] **= 2
    a *= 2


def writes_rows(a):
    a[0, 1] = 5
    a[1] = 7
    a[:, 2] = a[:, 3]
    a[1:, 1:] = 0
    for i in range(a.shape[0]):
        r = a[i]
        r[0] = i


def range_of_step(step):
    out = 0
    for i in range(0, 3, step):
        out += i
    return out


def inner_functions(x):
    def g(n):
        s = 0
        for i in range(n):
            s += i * x
        return s

    twice = lambda y: y * 2  # noqa: E731
    return g(3) + twice(x)


def keyword_only(x, /, y, *, z=3):
    return x + y * z


STATEMENTS = [
    (unpack_nested, [((1, (2.5, 3j)),)]),
    (unpack_iterables, [((1, 2, 3),), (ONE[:3],), (ONE[::5],), (ONE[:2],), (ONE[:4],)]),
    (unpack_too_few, [(ONE[:1],), (ONE[:2],), (ONE[:3],)]),
    (iterate_tuples, [(((1, 2), (3, 4)),)]),
    (tuple_of_either, [(True,), (False,)]),
    (rotate_tuple, [(10,)]),
    (optional_value, [(1,), (5,), (5.5,)]),
    (optional_arithmetic, [(1,), (3,), (4,)]),
    (optional_array, [(ONE, 1), (ONE, 3)]),
    (optional_tuple, [(3,)]),
    (none_default, [(1,), (1, 2), (1, None)]),
    (loops, [(0,), (10,)]),
    (early_return, [(ONE,), (ONE - 9,), (ONE[:0],)]),
    (last_of_range, [(0,), (3,)]),
    (walrus, [(1,), (5,)]),
    (matches, [(1,), (3,), (5,)]),
    (augmented_integers, [(29,), (-5,)]),
    (augmented_mixed, [(5,), (2.25,)]),
    (raises_constants, [(n,) for n in range(8)]),
    (raises_values, [(1, 2.5), (True, 1j)]),
    (catches, [(3,), (9,)]),
    (finally_runs, [(0,), (4,)]),
    (finally_and_raise, [(0,), (1,)]),
    (catches_everything, [(0,), (1,)]),
    (enumerates, [(ONE,), (ONE[:2],)]),
    (iterators, [(ONE,)]),
    (rows, [(TWO,), (TWO.T,), (TWO[::2, ::-1],)]),
    (writes, [(ONE,), (np.arange(24.0)[::2],)]),
    (writes_rows, [(TWO,), (np.asfortranarray(TWO),)]),
    (range_of_step, [(1,), (0,)]),
    (inner_functions, [(2,), (2.5,)]),
    (keyword_only, [(1, 2)]),
]


@pytest.mark.parametrize(("function", "arguments"), [pytest.param(*row, id=row[0].__name__) for row in STATEMENTS])
def test_statements(same, function, arguments):
    for args in arguments:
        same(function, *args)


def test_missing_value_of_an_optional():
    with pytest.raises(TypeError, match="expected Tuple\\(int64, float64\\), got None"):
        nb.njit(optional_tuple)(1)


def test_exhausted_iterator():
    @nb.njit
    def two(a):
        it = iter(a)
        next(it)
        return next(it)

    with pytest.raises(StopIteration):
        two(ONE[:1])


SCALARS = [np.dtype(c).type for c in "?bhilBHILfdFD"]
WRAPS = [
    (lambda x, y: x + y, 2**63 - 1, 1, -(2**63)),
    (lambda x, y: x - y, -(2**63), 1, 2**63 - 1),
    (lambda x, y: x * y, 2**62, 2, -(2**63)),
    (lambda x, y: x << y, 1, 63, -(2**63)),
    (lambda x, y: x**y, 3, 41, 3**41 - 2**65),
    (lambda x, y: abs(x) + y, -(2**63), 0, -(2**63)),
]


@pytest.mark.parametrize(("function", "x", "y", "expected"), WRAPS)
def test_integers_wrap(function, x, y, expected):
    assert nb.njit(function)(x, y) == expected


@pytest.mark.parametrize("first", SCALARS, ids=lambda t: t.__name__)
def test_sum_and_product_of_all_widths(first):
    """The type is Numba's: integers start at 64 bits, floats keep their width among themselves."""

    @nb.njit
    def both(x, y):
        return x + y, x * y

    def wide(t):
        return np.dtype(np.int64 if t().dtype.kind in "?biu" else t)

    for second in SCALARS:
        x, y = first(1), second(3)
        got = both(x, y)
        assert got == (complex(x) + complex(y), complex(x) * complex(y))
        kind = np.result_type(wide(first), wide(second)).kind
        assert [type(v) for v in got] == [{"i": int, "f": float, "c": complex}[kind]] * 2


def test_bounds(same):
    for args in [(ONE, 12), (ONE, -13), (ONE, 11), (ONE, -12)]:
        same(lambda a, i: a[i], *args, boundscheck=True)
    for args in [(TWO, 3, 0), (TWO, 0, 4), (TWO, -1, -1)]:
        same(lambda a, i, j: a[i, j], *args, boundscheck=True)


def test_a_global_array_is_read_only():
    @nb.njit
    def write():
        ARRAY[0, 0] = 1

    with pytest.raises(nb.errors.TypingError, match="Cannot modify readonly array of type"):
        write()


def test_optional_equals_none(same):
    def compare(x):
        a = None
        if x:
            a = 0
        return a == None, a != None  # noqa: E711

    same(compare, True)
    same(compare, False)


def test_values_nested_without_end():
    loop = []
    loop.append(loop)
    deep = ()
    for _ in range(100_000):
        deep = (deep,)

    @nb.njit
    def f(x):
        return 1

    @nb.njit
    def g():
        return deep

    for value in (loop, deep):
        with pytest.raises(RecursionError):
            f(value)
    with pytest.raises(nb.errors.TypingError):
        g()


def test_a_global_whose_attributes_cannot_be_read():
    class Odd:
        @property
        def dtype(self):
            raise RuntimeError("no dtype today")

    odd = Odd()

    @nb.njit
    def f():
        return odd

    with pytest.raises(nb.errors.TypingError, match="no dtype today"):
        f()


def test_smallest_of_mixed_items():
    """The items meet at one type, as in Numba."""

    @nb.njit
    def ends(t):
        return min(t), max(t)

    for t in ((3, 1.5, 2), (True, 2), (1, np.float32(2.5))):
        low, high = ends(t)
        assert (low, high) == (min(t), max(t))
        assert type(low) is type(high)


def test_strings_come_and_go():
    @nb.njit
    def f(text, flag):
        other = "left" if flag else "r\u00efght"
        return text, other, len(text), text == other, text < other, text >= "left", (other, 1)

    for args in (("left", True), ("\u6f22", False), ("", True), ("r\u00efght", False), ("\U0001f600 x", True)):
        assert f(*args) == f.py_func(*args)

    @nb.njit
    def kind(text):
        match text:
            case "one":
                return 1
            case "two" | "three":
                return 2
            case _:
                return 0

    assert [kind(t) for t in ("one", "two", "three", "four", "")] == [1, 2, 2, 0, 0]
