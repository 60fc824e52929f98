"""Strings that compiled code makes, against CPython: values, exceptions, owners, and the time that appending takes."""

import itertools
import math
import random
import threading
import unicodedata

import numbra as nb
import numpy as np
import pytest

TEXTS = [
    "",
    "a",
    "ab",
    "a,b,,c",
    "  a b\t c \n",
    "x=1",
    "-12",
    "+",
    "\xe9a\xe9",
    "\u0434a\u0434",
    "\U0001f600a",
    "\ud800b",
]
PARTS = ["", "a", ",", " ", "\xe9", "\u0434", "\U0001f600", "\ud800"]
COUNTS = [-1, 0, 1, 2, 7]


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


def agree(function, *args, tier="cranelift"):
    compiled = nb.njit(tier=tier)(function)
    got, want = outcome(compiled, *args), outcome(function, *args)
    assert got == want and type(got) is type(want), (args, got, want)
    return compiled


def of_one(s):
    return s + s, s + "!", "\u0434" + s, s[1:], s[:-1], s[::-1], s[::2], s.upper(), s.lower(), s.split(), repr(s)


def of_two(s, p):
    return (
        s + p,
        p + s,
        s.count(p),
        s.replace(p, "<>"),
        s.replace(p, ""),
        p.join([s, "-", s]),
        p.join((s, s)),
        p.join([s]),
        p.join(s),
    )


def of_numbers(s, n):
    return (
        s * n,
        n * s,
        s.ljust(n),
        s.rjust(n, "*"),
        s.center(n, "\u0434"),
        s.zfill(n),
        s.replace("a", "bc", n),
        s.split(",", n),
        s.split(None, n),
    )


def classes(s):
    return s.isalpha(), s.isdecimal(), s.isspace(), s.isprintable(), s.isascii()


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_what_methods_make(tier):
    one, two, numbers, kinds = (nb.njit(tier=tier)(f) for f in (of_one, of_two, of_numbers, classes))
    for s in TEXTS:
        assert one(s) == of_one(s), s
        assert kinds(s) == classes(s), s
        for p in PARTS:
            assert two(s, p) == of_two(s, p), (s, p)
        for n in COUNTS:
            assert numbers(s, n) == of_numbers(s, n), (s, n)


def test_classes_and_cases_of_characters():
    @nb.njit
    def of(s):
        return s.isalpha(), s.isdecimal(), s.isspace(), s.isprintable(), s.upper(), s.lower(), repr(s)

    # Cases that Unicode 16 gave to letters that were there before.
    newer = {0x19B, 0x264, 0xA7D3, 0xA7D5}
    ranges = [range(0x600), range(0x1E00, 0x2100), range(0x3000, 0x3040), range(0xD7FF, 0xD802), range(0xFB00, 0xFB10)]
    ranges += [range(0x600, 0x30000, 37)]
    for code in itertools.chain(*ranges):
        c = chr(code)
        if unicodedata.category(c) != "Cn" and code not in newer:
            assert of(c) == of.py_func(c), hex(code)
    for s in ("\u039f\u03a3", "\u03a3", "a\u03a3\ud800", "Stra\xdfe \u0130I"):
        assert of(s) == of.py_func(s), ascii(s)


def test_slices():
    @nb.njit
    def cut(s, i, j, k):
        return s[i:j], s[i:], s[:j], s[i:j:k]

    ends = [-9, -4, -1, 0, 1, 3, 4, 9]
    for s in ("", "a", "abcd", "\xe9\u0434\U0001f600d"):
        for i, j, k in itertools.product(ends, ends, [-3, -1, 1, 2]):
            assert cut(s, i, j, k) == cut.py_func(s, i, j, k), (s, i, j, k)
    assert outcome(cut, "ab", 0, 1, 0) == (ValueError, "slice step cannot be zero")


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_numbers_as_text(tier):
    @nb.njit(tier=tier)
    def text(x):
        return str(x), f"{x}", f"<{x}|{x}>"

    numbers = [0, -1, 2**63 - 1, -(2**63), True, False, None, "s", 0.0, -0.0, 1.0, 0.1, 1e16, 1e-5, 5e-324, 1.7e308]
    numbers += [
        math.inf,
        -math.inf,
        math.nan,
        1j,
        -0.0 + 2j,
        complex(1, -0.0),
        complex(math.nan, math.inf),
        np.uint64(2**64 - 1),
    ]
    numbers += [
        np.int8(-3),
        np.float32(0.1),
        np.float32(1e10),
        np.float32(16777216.0),
        np.float32(1e-5),
        np.complex64(0.1 + 3j),
    ]
    for x in numbers:
        assert text(x) == text.py_func(x), x


SPECS = "bcdoxXeEfFgGn%s"


def random_spec(draw):
    """A specification, right or wrong."""
    parts = []
    if draw.random() < 0.4:
        parts += [draw.choice(["", "*", "0", "\u0434", "<"]), draw.choice("<>=^")]
    parts += (
        [draw.choice("+- ")] * (draw.random() < 0.25) + ["#"] * (draw.random() < 0.2) + ["0"] * (draw.random() < 0.3)
    )
    if draw.random() < 0.6:
        parts.append(str(draw.choice([1, 3, 5, 8, 9, 12, 20])))
    if draw.random() < 0.2:
        parts.append(draw.choice([",", "_", "_,"]))
    if draw.random() < 0.4:
        parts.append("." + draw.choice(["0", "1", "2", "3", "5", "10", "17", "40", ""]))
    if draw.random() < 0.8:
        parts.append(draw.choice(SPECS))
    return "".join(parts)


VALUES = [0, 1, -1, 12, -123, 1234, 1234567, 2**63 - 1, -(2**63), 97, 0x10FFFF, True, False, "", "a", "\u0434bc"]
VALUES += [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.5,
    2.5,
    1e16,
    1e-5,
    1 / 3,
    5e-324,
    1.7e308,
    math.inf,
    -math.inf,
    math.nan,
    9.995,
    999999.5,
]


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_formats(tier):
    @nb.njit(tier=tier)
    def formatted(x, spec):
        return format(x, spec)

    draw = random.Random(1)
    for _ in range(3000):
        x, spec = draw.choice(VALUES), random_spec(draw)
        got, want = outcome(formatted, x, spec), outcome(format, x, spec)
        if isinstance(want, tuple):
            # Its words differ between versions.
            assert isinstance(got, tuple) and got[0] is want[0], (x, spec, got, want)
        else:
            assert got == want, (x, spec, got, want)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_fields(tier):
    @nb.njit(tier=tier)
    def fields(x, n, s):
        return (
            f"{x:.3f}|{n:5}|{s:>{n}}|{x:{n}.{n}e}|{n:#x}|{n!r:>4}",
            f"{s!r}|{s!s:^9}|{n!s}|{x!r}|{s}{s}|{{}}|{n=}",
            f"{x:,.2f} {n:+d} {n:b} {x:%}" + f"{s}",
            f"{s:}" + f"{n:}",
        )

    for x, n, s in ((3.14159, 7, "ab"), (-1e300, 12, "it's"), (math.nan, 1, "\u0434"), (0.0, 3, "")):
        assert fields(x, n, s) == fields.py_func(x, n, s)

    @nb.njit(tier=tier)
    def narrow(x):
        return f"{x}", f"{x:.3}", str(x), format(x)

    for x in (np.float32(0.1), np.float32(1e6), np.complex64(1 + 2j)):
        if x.dtype.kind == "c":
            assert str(x) == nb.njit(str_)(x)
        else:
            assert narrow(x) == narrow.py_func(x)
    with pytest.raises(nb.errors.UnsupportedBytecodeError, match="`!a`"):
        nb.njit(lambda x: f"{x!a}")("a")


def str_(x):
    return str(x)


def test_numbers_as_repr():
    @nb.njit
    def text(x):
        return repr(x)

    for x in (1, -5, True, None, 0.1, 1e300, 2j, "it's", 'it\'s "x"', "\\\n\x00\x7f\xad\u2028\ud800\U0001f600"):
        assert text(x) == repr(x), x


def test_characters_and_numbers():
    def back(s):
        return chr(ord(s) + 1)

    def literal():
        return ord("A") - ord("B"), chr(0x10FFFF), chr(0xD800)

    for s in ("a", "\xff", "\uffff", "", "ab"):
        agree(back, s)
    agree(literal)
    # Beyond C's int, CPython before 3.13 raises OverflowError.
    for n in (-1, 0x110000, 2**40, -(2**63), np.uint64(2**63 + 7)):
        assert outcome(nb.njit(lambda n: chr(n)), n) == (ValueError, "chr() arg not in range(0x110000)")


def test_what_is_raised():
    def negative(x):
        if x < 0:
            raise ValueError(f"negative: {x}", "at " + str(x), x)
        raise KeyError("x" * x)

    for x in (-3, 3):
        agree(negative, x)

    def handled(x):
        try:
            negative_(x)
        except Exception:
            return f"<{x}>"
        return "?"

    negative_ = nb.njit(negative)
    assert nb.njit(handled)(-4) == "<-4>"
    agree(lambda s: s.index("q"), "abc")
    agree(lambda s: s.rindex("q"), "abc")
    agree(lambda s: s.split(""), "abc")
    agree(lambda s: s.center(9, "ab"), "abc")
    agree(lambda s, n: s * n, "abc", 2**62)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_iteration(tier):
    @nb.njit(tier=tier)
    def walk(s, t):
        out = []
        for c in s:
            out.append(c + ".")
        for i, c in enumerate(s):
            out.append(str(i) + c)
        for c, d in zip(s, t):  # noqa: B905
            out.append(c + d)
        n = 0
        for c in s:
            if c == "b":
                break
            n += ord(c)
        return out, n, list(s)

    for s, t in itertools.product(("", "a", "abc", "\xe9\u0434\U0001f600"), ("", "xyzzy")):
        assert walk(s, t) == walk.py_func(s, t)

    @nb.njit(tier=tier)
    def unpacked(s):
        a, b = s
        return b + a

    assert unpacked("xy") == "yx"
    for s in ("x", "xyz"):
        assert outcome(unpacked, s)[0] is ValueError


def test_strings_over_one_buffer():
    """What is appended twice to the same string is two strings."""

    @nb.njit
    def fork(s, n):
        a = s + "x"
        b = a + "1"
        c = a + "2"
        d = b[:2] + "3"
        for _ in range(n):
            b += "q"
            c += "\u0434"
        e = b
        b += "!"
        return a, b, c, d, e, [a + str(i) for i in range(n)]

    for s in ("", "s", "\xe9", "\U0001f600"):
        for n in (0, 1, 50, 200):
            assert fork(s, n) == fork.py_func(s, n)


def test_threads_that_append_to_one_string():
    @nb.njit(nogil=True)
    def grow(start, n, mark):
        s = start
        for _ in range(n):
            s += mark
        return s

    @nb.njit
    def pair(s):
        return s + "x" * 2, s

    begun, _ = pair("ab" * 40)
    results = {}

    def work(mark):
        results[mark] = [grow(begun, 3000, mark) for _ in range(20)]

    threads = [threading.Thread(target=work, args=(mark,)) for mark in "wxyz"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(s == begun + mark * 3000 for mark, all_ in results.items() for s in all_)


@pytest.mark.parametrize("parallel", [False, True])
def test_threads_that_append_to_a_shared_string(parallel):
    @nb.njit(parallel=parallel)
    def lengths(n):
        s = "ab" + str(n)
        out = np.zeros(n, np.int64)
        for i in nb.prange(n):
            t = s + str(i)
            for c in t:
                out[i] = out[i] * 3 + ord(c)
        return out, s

    want, text = lengths.py_func(200)
    got = lengths(200)
    assert (got[0] == want).all() and got[1] == text


def test_strings_in_containers_and_generators():
    @nb.njit
    def kept(n):
        out = [("k" + str(i), i) for i in range(n)]
        names = {i for i in range(n)}
        last = out[-1][0] if n else ""
        return out, len(names), last

    for n in (0, 1, 5):
        assert kept(n) == kept.py_func(n)

    @nb.njit
    def steps(s):
        for i in range(3):
            s = s + str(i)
            yield s
        parts = (s + ",x,y").split(",")
        for i in range(len(parts)):
            yield parts[i]

    text = "a" * 3
    made = steps(text)
    del text
    assert list(made) == list(steps.py_func("aaa"))

    @nb.njit
    def filled(out, s):
        out.append(s[1:])
        out.append(s + "!")
        out.extend(s.split("b"))

    out = ["x"]
    filled(out, "abc")
    assert out == ["x", "bc", "abc!", "a", "c"]


def test_char_sequences():
    a = np.array(["ab", "c", ""], dtype="U3")

    @nb.njit
    def of(a, i):
        s = str(a[i])
        return s + "!", a[i] + "x", a[i].upper(), [c for c in a[i]], a[i][1:], len(a[i] + a[i])

    for i in range(3):
        assert of(a, i) == of.py_func(a, i)


def test_what_is_refused():
    for function, args in (
        (lambda s: s + 1, ("a",)),
        (lambda s: s * 1.5, ("a",)),
        (lambda s: ",".join([1, 2]) + s, ("a",)),
        (lambda x: ord(x), (1,)),
        (lambda x: chr(x), (1.5,)),
        (lambda s: s + b"x", ("a",)),
    ):
        with pytest.raises(nb.TypingError):
            nb.njit(function)(*args)


def test_memory_runs_out():
    @nb.njit
    def huge(s, n):
        return len(s * n)

    assert outcome(huge, "a" * 1000, 2**44) == (MemoryError, "Allocation failed")


def test_appending_takes_linear_time():
    """Bytes that are copied, not time: a buffer is made anew when its size has doubled."""
    from numbra import _numbra

    @nb.njit
    def grow(n):
        s = ""
        for _ in range(n):
            s += "abc"
        return len(s)

    grow(10)
    before = _numbra._allocation_counts()[0]
    assert grow(100_000) == 300_000
    assert _numbra._allocation_counts()[0] - before < 40


def test_a_string_that_comes_back_whole_is_the_same_object():
    @nb.njit
    def back(s):
        return s, s[:], s + "", [s], s[1:]

    for s in ("abc", "\u0434" * 100):
        got = back(s)
        assert got[0] is s and got[1] is s and got[2] is s and got[3][0] is s and got[4] == s[1:]

    class Text(str):
        pass

    (plain, *_) = back(Text("abc"))
    assert plain == "abc" and type(plain) is str


def test_words_of_errors_may_hold_any_character():
    @nb.njit
    def formatted(x, spec):
        return format(x, spec)

    for spec in ("\t\t", "\x00\x00", "\x1f\x1f", "\n\n", "\x7f\x7f", "\x85\x85", "''", '""', "\\\\", "\u2028\u2028"):
        assert outcome(formatted, 1, spec)[0] is ValueError
        assert outcome(formatted, 1, spec) == outcome(format, 1, spec)


def test_surrogates_are_no_question_marks():
    @nb.njit
    def stripped(s, chars):
        return s.strip(chars), s.lstrip(chars), s.rstrip(chars)

    for s, chars in itertools.product(("\ud800a\ud800", "?a?", "\ud800?\ud801"), ("?", "\ud800", "\ud801?")):
        assert stripped(s, chars) == stripped.py_func(s, chars)


def test_letters_of_titles_are_neither_large_nor_small():
    @nb.njit
    def cases(s):
        return s.isupper(), s.islower()

    for code in (0x1C5, 0x1C8, 0x1F2, 0x1F88, 0x41, 0x61, 0x31):
        for s in (chr(code), "A" + chr(code), "a" + chr(code)):
            assert cases(s) == cases.py_func(s), ascii(s)


def test_complex_numbers_are_formatted():
    @nb.njit
    def formatted(z, spec):
        return format(z, spec)

    draw = random.Random(2)
    parts = [0.0, -0.0, 1.0, -2.5, 1 / 3, 1e16, -1e-7, 123456.789, math.inf, -math.nan]
    for _ in range(3000):
        z, spec = complex(draw.choice(parts), draw.choice(parts)), random_spec(draw)
        got, want = outcome(formatted, z, spec), outcome(format, z, spec)
        assert got == want or (isinstance(want, tuple) and got[0] is want[0]), (z, spec, got, want)
    field = nb.njit(lambda z, n: f"{z:.2f}|{z:>{n}}|{z}")
    assert field(1 - 2j, 9) == field(np.complex64(1 - 2j), 9) == "1.00-2.00j|   (1-2j)|(1-2j)"


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_values_that_may_be_none(tier):
    @nb.njit(tier=tier)
    def texts(x, some, n):
        y = x if some else None
        return str(y), repr(y), f"{y}", f"{y!s}|{y!r:>7}", format(y), format(y, "")

    @nb.njit(tier=tier)
    def equal(x, some, other):
        y = x if some else None
        z = other if not some else None
        return y == x, x == y, y != x, y == None, y != None, y == z, z == y, y != z, y == y, y == "x", (y == x) + 1  # noqa: E711

    for x in (3, 1.5, True, 2j, "a'b", np.float32(0.1)):
        for some in (True, False):
            if not isinstance(x, np.generic):
                assert texts(x, some, 1) == texts.py_func(x, some, 1)
            assert equal(x, some, x) == equal.py_func(x, some, x)
    for x in ((1, 2), [1, 2], "ab"):
        assert equal(x, True, x) == equal.py_func(x, True, x)
        assert equal(x, False, x) == equal.py_func(x, False, x)

    @nb.njit(tier=tier)
    def refused(n):
        x = n if n > 0 else None
        if n > 5:
            raise ValueError("bad " + str(x))
        if n < -5:
            raise ValueError(f"bad {x}")
        return f"{x:>4}"

    for n in (1, 0, 6, -6):
        assert outcome(refused, n) == outcome(refused.py_func, n)


def test_extremes_of_strings():
    def extremes(a, b, c):
        return min(a, b), max(a, b), min(a, b, c), max(c, b, a), min(b, "k"), max("\u0434", a)

    for row in itertools.permutations(("b", "ab", "\u0434")):
        agree(extremes, *row)
    with pytest.raises(nb.TypingError):
        nb.njit(lambda a: min(a, 1))("a")


def test_a_few_characters_keep_no_large_buffer():
    @nb.njit
    def heads(n):
        kept = []
        for i in range(n):
            kept.append((str(i) * 1_000_000)[1:3])
        return kept

    assert heads(11) == heads.py_func(11)
