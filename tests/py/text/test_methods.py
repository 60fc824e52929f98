"""Methods of strings and bytes against CPython, over texts of every width, with positions that count from the end."""

import contextlib
import itertools
import unicodedata

import numbra as nb
import numpy as np
import pytest

TEXTS = [
    "",
    "a",
    "abcabc",
    " a\tb \r\nc\x1cd\x85",
    "\xe9t\xe9 \xdfE",
    "\u0434\u2028a",
    "\U0001f600a\U0001f600",
    "\ud800a",
]
PARTS = ["", "a", "bc", " ", "\xe9", "\u0434", "\U0001f600"]
BOUNDS = [None, -9, -3, -1, 0, 1, 3, 9]


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), error.args


def agree(function, rows, tier="auto"):
    compiled = nb.njit(tier=tier)(function)
    for row in rows:
        got, want = outcome(compiled, *row), outcome(function, *row)
        assert got == want and type(got) is type(want), (row, got, want)


def encoded(rows):
    """The rows whose texts have bytes, as bytes."""
    out = []
    for row in rows:
        with contextlib.suppress(UnicodeEncodeError):
            out.append(tuple(x.encode("latin-1") if isinstance(x, str) else x for x in row))
    return out


def both(rows):
    rows = list(rows)
    return rows, encoded(rows)


PAIRS = list(itertools.product(TEXTS, PARTS))
PLACES = list(itertools.product(TEXTS, PARTS, BOUNDS, BOUNDS))


@pytest.mark.parametrize("name", ["find", "rfind", "index", "rindex", "count", "startswith", "endswith"])
def test_searches(name):
    space = {}
    exec(f"def whole(s, p): return s.{name}(p)\ndef part(s, p, i, j): return s.{name}(p, i, j), s.{name}(p, i)", space)
    for rows in both(PAIRS):
        agree(space["whole"], rows)
    for rows in both(PLACES):
        agree(space["part"], rows)


ONE = [
    "isascii",
    "isupper",
    "islower",
    "istitle",
    "isalpha",
    "isalnum",
    "isdigit",
    "isspace",
    "upper",
    "lower",
    "title",
    "capitalize",
    "swapcase",
    "split",
    "rsplit",
    "splitlines",
    "expandtabs",
    "strip",
    "lstrip",
    "rstrip",
]
CHARACTERS = ["isdecimal", "isnumeric", "isidentifier", "isprintable", "casefold"]


@pytest.mark.parametrize("name", ONE + CHARACTERS)
def test_methods_without_arguments(name):
    space = {}
    exec(f"def f(s): return s.{name}()", space)
    words = [
        "Ab cd",
        "ab Cd",
        "A1b",
        "12",
        "\xb2",
        "\u0663",
        "\u4e8c",
        "_a1",
        "1a",
        "\u01c5a",
        "Fi\ufb01",
        "\u1fb3b",
        "\u0149c",
    ]
    words += [
        "A\u0345\u03a3",
        "\u03a3a",
        "a\u03a3 b\u03a3.\u03a3",
        "\u10d0\u10d1",
        "\u13a0\uab70",
        "\u0131\u0130\u1e9e",
    ]
    rows = [(s,) for s in TEXTS + words]
    agree(space["f"], rows)
    if name in ONE:
        agree(space["f"], encoded(rows))


def test_every_character():
    @nb.njit
    def of(s):
        return (
            (s.isalnum(), s.isdigit(), s.isnumeric(), s.isidentifier(), s.istitle()),
            (s.title(), s.capitalize(), s.swapcase(), s.casefold(), (s + s).title()),
        )

    # Letters that have a case, or another one, only in newer tables.
    newer = {0x19B, 0x264, 0x1C89, 0x1C8A, 0xA7D3, 0xA7D5, *range(0xA7CB, 0xA7DD)}
    ranges = [range(0x700), range(0x1300, 0x1400), range(0x1C80, 0x2200), range(0x2C00, 0x2E00), range(0xA640, 0xABC0)]
    ranges += [range(0xFB00, 0xFB20), range(0x10400, 0x10450), range(0x600, 0x30000, 41)]
    for code in itertools.chain(*ranges):
        c = chr(code)
        if unicodedata.category(c) != "Cn" and code not in newer:
            assert of(c) == of.py_func(c), hex(code)


def split(s, p, n):
    return s.split(p, n), s.rsplit(p, maxsplit=n)


def lines(s, keep):
    return s.splitlines(keep), s.splitlines(keepends=keep)


def parts(s, p):
    return s.partition(p), s.rpartition(p)


def without(s, p):
    return s.removeprefix(p), s.removesuffix(p), s.strip(p), s.lstrip(p), s.rstrip(p)


def tabs(s, n):
    return s.expandtabs(n), s.expandtabs(tabsize=n), s.zfill(n), s * n, n * s


def filled(s, n, c):
    return s.ljust(n, c), s.rjust(n, c), s.center(n, c), s.ljust(n), s.rjust(n), s.center(n)


def changed(s, p, n):
    return s.replace(p, p + p), s.replace(p, p[:0], n), s + p, s[n:], s[::n], s[:-n], p in s


TABS = ["\t", "a\tbc\td", "\n\ta\r\tb", "\u0434\t\U0001f600\t"]


def test_methods_with_arguments():
    counts = [-1, 1, 2, 5]
    for function, rows in [
        (split, itertools.product([*TEXTS, "a b  c a", ",a,,b,"], [None, *PARTS, ","], counts)),
        (lines, itertools.product([*TEXTS, "a\n", "\r\n\na\r", "a\x0bb\x0cc\x1e\u2029"], [True, False])),
        (lines, [("a\nb", 1), ("a\nb", 0), ("a\nb", -3)]),
        (parts, PAIRS),
        (without, [*PAIRS, ("abab", "ab"), ("ab", "abab")]),
        (tabs, itertools.product(TEXTS + TABS, [-1, 0, 1, 3, 9])),
        (filled, itertools.product(TEXTS, [-1, 0, 2, 7, 8], ["*", "\xe9"])),
        (changed, itertools.product(TEXTS, PARTS, counts)),
    ]:
        for part in both(rows):
            agree(function, part)
    agree(filled, [("a", 9, "\u0434"), ("a", 9, ""), ("a", 9, "xy"), (b"a", 9, b"")])


def test_tuples_of_prefixes():
    def f(s, p, q, i, j):
        return s.startswith((p, q)), s.endswith((p, q, "c"), i, j), s.startswith(()), s.endswith((p,), i)

    agree(f, itertools.product(TEXTS, PARTS[:3], PARTS[4:], BOUNDS[:4], BOUNDS[4:]))


def test_bytes_in_bytes():
    def f(s, n):
        return s.find(n), s.rfind(n, 1), s.count(n), n in s, s.index(n)

    agree(f, itertools.product([b"", b"abcabc", bytes(range(256))], [0, 97, 255, 256, -1]))

    def join(a, b, s):
        return s.join([a, b]), s.join((a, b, a)), s.join([a][:0]), s.hex(), repr(a), str(b), [a, b], (a, s)

    agree(join, itertools.product([b"", b"a'", b"\xff\t\\"], [b"b", b"\x00"], [b"", b", "]))
    for function in (lambda s: s + "a", lambda s: s.find("a"), lambda s: "a".join([s]), lambda s: s.casefold()):
        with pytest.raises(nb.TypingError):
            nb.njit(function)(b"a")


def test_joins():
    def f(s, t):
        return s.join(t), ",".join(t)

    agree(f, [("-", ["a", "\u0434"]), ("\xe9", ["a"]), ("", "abc"), ("-", ("a", "b")), ("-", ())])
    arrays = [np.array(["hi", "", "\u0434"]), np.array(["a"]), np.array([], "U3"), np.array(["ab", "c", "d"])[::2]]
    agree(f, [("-", a) for a in arrays])
    agree(lambda s, a: s.join(a), [(b"-", np.array([b"ab", b"", b"c"])), (b"", np.array([], "S2"))])


def test_items_of_bytes():
    agree(lambda s, i: s[i], [(b"abc", i) for i in (-4, -3, -1, 0, 2, 3)] + [(b"", 0)])


def test_arrays_of_char_sequences():
    def compare(a, b):
        return (a == b), (a != b), (a < b), (a <= b), (a > b), (a >= b)

    texts = [np.array(["b", "ab", "", "\u0434\U0001f600"]), np.array([["b"], ["abc"]]), np.array("b"), "b", ""]
    raw = [np.array([b"b", b"ab", b"", b"\xff"])[::2], np.array([[b"b"], [b"abc"]]), np.array([b"zz"]), b"ab"]
    compiled = nb.njit(compare)
    for values in (texts, raw):
        for a, b in itertools.product(values, values):
            if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
                for got, want in zip(compiled(a, b), compare(a, b), strict=True):
                    np.testing.assert_array_equal(got, want)
    assert compiled(np.array([], "U2"), "a")[0].shape == (0,)
    with pytest.raises(ValueError, match=r"broadcast together with shapes \(4,\) \(3,\)"):
        compiled(texts[0], texts[0][:3])

    @nb.njit
    def made(s, n):
        a, b, c = np.empty(n, "U4"), np.zeros(n, dtype="S3"), np.zeros(n, "<U2")
        a[:] = s
        a[0] = "x"
        b.fill(b"pq")
        b[1:] = b"long"
        c[1] = a[1]
        return a, b, c, [str(x) + "!" for x in a], [bytes(x) for x in b]

    for got, want in zip(made("ab\u0434", 3), made.py_func("ab\u0434", 3), strict=True):
        assert repr(got) == repr(want)


def test_texts_that_may_be_none():
    def f(s, some, p, i):
        q = p if some else None
        j = i if some else None
        return s.split(q), s.strip(q), s.find(p, j), s.count(p, j, j), s.startswith(p, j)

    agree(f, itertools.product(["a b,c", ",,"], [True, False], [",", "c"], [0, 2]))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("s.find(p, 0.5)", "\"start\" must be (<class 'numbra.core.types.scalars.Integer'>"),
        ("s.rfind(p, 0, True)", '"end" must be'),
        ("s.find(1)", "\"sub\" must be <class 'numbra.core.types.misc.UnicodeType'>, not"),
        ("s.count(p, 0.5)", "The slice indices must be an Integer or None"),
        ("s.startswith((p, 1))", "The arg 'prefix' should be a string or a tuple of strings"),
        ("s.endswith(p, 0.5)", "The arg must be a Integer or None"),
        ("s.replace(p, 1)", "The object must be a UnicodeType. Given: "),
        ("s.replace(p, p, 0.5)", "Unsupported parameters. The parameters must be Integer. Given count: float64"),
        ("s.split(p, 0.5)", "float64"),
        ("s.splitlines(None)", '"keepends" must be'),
        ("s.partition(None)", '"sep" must be'),
        ("s.expandtabs(0.5)", '"tabsize" must be'),
        ("s.center(0.5)", "The width must be an Integer"),
        ("s.ljust(3, 1)", "The fillchar must be a UnicodeType"),
        ("s.zfill(0.5)", "<width> must be an Integer"),
        ("s.strip(1)", "The arg must be a UnicodeType or None"),
    ],
)
def test_what_is_refused(call, words):
    space = {}
    exec(f"def f(s, p): return {call}", space)
    with pytest.raises(nb.TypingError) as raised:
        nb.njit(space["f"])("abc", "b")
    assert words in str(raised.value)
