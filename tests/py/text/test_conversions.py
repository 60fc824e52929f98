# ruff: noqa: F507, F509, F521, F523, F524, UP031, UP032 (the formats are what is tested)
"""Text as numbers, as bytes, by formats, and the texts and hashes of values, against CPython."""

import collections
import itertools
import os
import random
import subprocess
import sys

import numbra as nb
import numpy as np
import pytest


def outcome(function, *args):
    try:
        return function(*args)
    except Exception as error:
        return type(error), error.args


def agree(function, rows, tier="auto"):
    compiled = nb.njit(tier=tier)(function)
    for row in rows:
        got, want = outcome(compiled, *row), outcome(function, *row)
        assert repr(got) == repr(want), (row, got, want)


NUMBERS = [
    "0",
    "-12",
    " +7\n",
    "1_000",
    "1__0",
    "_1",
    "1_",
    "",
    " ",
    "-",
    "+-1",
    "1 2",
    "0x1F",
    "0b101",
    "0o17",
    "017",
    "zZ",
]
NUMBERS += [
    "1.5",
    ".5",
    "5.",
    "1e5",
    "1E-3_0",
    "-inf",
    "Infinity",
    "nAn",
    "infi",
    "0x1p3",
    "1e400",
    "1e",
    ".",
    "\u0663\u0664",
]
NUMBERS += [
    "\u20037\u2003",
    "1\x1c",
    "\u0663.5",
    "a'b",
    "\ud800",
    "9223372036854775807",
    "-9223372036854775808",
    "1" * 50 + "z",
]


def test_numbers_from_text():
    texts = [(s,) for s in NUMBERS]
    bytes_ = [(s.encode(),) for (s,) in texts if s.isascii()]
    for rows in (texts, bytes_):
        agree(lambda s: int(s), rows)
        agree(lambda s: float(s), rows)
        based = [(s, n) for (s,) in rows for n in (0, 2, 8, 10, 16, 36, 1, 37, -2) if len(s) < 18]
        agree(lambda s, n: int(s, n), based)
    to_int = nb.njit(lambda s: int(s))
    for s in ("9223372036854775808", "-9223372036854775809", "9" * 400):
        assert outcome(to_int, s) == (OverflowError, ("Python int too large to convert to C ssize_t",))
    with pytest.raises(nb.TypingError, match="explicit base"):
        nb.njit(lambda x: int(x, 10))(5)
    assert nb.njit(lambda a: float(a[0]) + int(str(a[1])))(np.array(["1.5", "20"])) == 21.5


def test_floats_from_text_are_the_nearest():
    read = nb.njit(lambda s: float(s))
    draw = random.Random(3)
    for _ in range(2000):
        x = draw.uniform(-1, 1) * 10.0 ** draw.randint(-320, 308)
        for s in (repr(x), f"{x:.25e}", f"{x:.3g}"):
            assert read(s) == float(s), s


def test_integers_as_text_and_bytes():
    agree(
        lambda n: (hex(n), oct(n), bin(n), n.__str__(), n.__repr__()),
        [(n,) for n in (0, 1, -255, 2**63 - 1, -(2**63), True)],
    )
    agree(lambda s: (ascii(s), s.__str__(), s.__repr__(), s.__len__()), [("a'\u0434\U0001f600\xff\ud800",), ("",)])
    agree(lambda n: bytes(n), [(0,), (3,), (-1,), ([1, 2, 255],), ([256],), ([-1],), ((1, 2),), (b"ab",)])
    agree(lambda n: bytes(n), [(bytearray(b"ab"),), (np.arange(3),)][:1])
    agree(lambda a: bytes([x for x in a][1:]), [([1, 2],), (b"abc",)])


def test_encodings():
    texts = ["", "abc", "\xe9a\xff", "\u0434\u20ac", "a\U0001f600b", "\ud800\udcffa", "a\udc80"]
    names = ["utf-8", "UTF8", "ascii", "latin-1", "ISO_8859-1", "utf-77"]
    handlers = [
        "strict",
        "ignore",
        "replace",
        "backslashreplace",
        "xmlcharrefreplace",
        "surrogateescape",
        "surrogatepass",
    ]
    agree(lambda s, c, e: s.encode(c, e), itertools.product(texts, names, handlers))
    agree(lambda s: (s.encode(), "\xe9".encode("latin-1"), s.encode(errors="ignore")), [(s,) for s in texts])
    raw = [
        b"",
        b"abc",
        b"\xe9",
        b"a\xffb",
        b"\xd0\xb4\xe2\x82\xac",
        b"\xe2\x82",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x98\x80",
        b"\xc0\x80",
    ]
    agree(lambda s, c, e: s.decode(c, e), itertools.product(raw, names, [h for h in handlers if h[0] != "x"]))
    agree(lambda s: s.decode() + "!", [(s,) for s in raw])
    agree(lambda s, c: (bytes(s, c), bytes(s, c, "ignore")), itertools.product(texts, names[:4]))
    agree(lambda s, c: (str(s, c), str(s, c, "replace")), itertools.product(raw, names[:4]))
    assert outcome(nb.njit(lambda s: s.encode("utf-8", "no")), "\ud800")[0] is LookupError


def test_formats_of_percent():
    numbers = "%d|%5d|%-5d|%05d|%+d|% d|%x|%#X|%o|%i|%u"
    floats = "%f|%.2f|%8.3f|%-8.3f|%08.2f|%+.1e|%g|%G|%F|%E"
    texts = "%s|%5s|%-5s|%.1s|%r|%c|%5c"
    values = [0, 1, -7, 255, 2**63 - 1, -(2**63), True]
    reals = [0.0, -0.5, 3.75, 1e20, -1e-7, float("inf"), float("nan")]
    for spec in [*numbers.split("|"), *floats.split("|"), "%s", "%r", "%8s"]:
        space = {}
        exec(f"def f(x): return 'a' + '{spec}!' % x, '{spec}' % (x,)", space)
        agree(space["f"], [(x,) for x in values])
        if spec[-1] not in "xXo":
            agree(space["f"], [(x,) for x in reals])
    for spec in texts.split("|"):
        space = {}
        exec(f"def f(x): return '{spec}' % x", space)
        agree(space["f"], [(x,) for x in ("a", "\u0434", "'")])
    agree(lambda n: "%c%5c" % (n, n), [(97,), (0x1F600,), (-1,), (0x110000,)])
    agree(lambda a, b, c: "%s is %d %% of %.1f, %r" % (a, b, c, a), [("x", 3, 1.25), ("\u0434'", -1, 1e10)])
    agree(lambda t: "%d-%s" % t, [((1, "a"),), ((2, "\u0434"),)])
    agree(lambda a: "%s|%s|%s|%r" % (a, None, (1, "x"), [a, a]), [(1,), (2.5,), ("b",)])
    form = "%04d/%s"
    agree(lambda a, b: form % (a, b), [(1, "a")])
    for function in (
        lambda x: "%d %d" % x,
        lambda x: "%d" % (x, x),
        lambda x: "%y" % x,
        lambda x: "%x" % (x / 2),
        lambda x: "%d" % "a",
    ):
        with pytest.raises(nb.TypingError):
            nb.njit(function)(3)


def test_formats_of_braces():
    agree(lambda a, b: "{}{}|{{}}|{:>5}|{!r}".format(a, b, a, b), [(1, "x"), (2.5, "\u0434'"), (True, "")])
    agree(lambda a, b: "{1}{0}{1:>{2}}{0:{3}}".format(a, b, 6, "^9"), [("a", "b"), ("\u0434", "c")])
    agree(lambda a, n: "{:.{}f} {x:+d} {y}".format(a, n, x=n, y=a), [(1.2345, 2), (-1e9, 0)])
    agree(lambda a: "{} {} {}".format([a, a], (a, None), {a: 1}), [(1,), ("k",)])
    for function in (
        lambda x: "{} {}".format(x),
        lambda x: "{y}".format(x),
        lambda x: "{".format(x),
        lambda x: "{:d}".format((x,)),
    ):
        with pytest.raises(nb.TypingError):
            nb.njit(function)(3)
    with pytest.raises(nb.TypingError, match="format is no constant"):
        nb.njit(lambda s: s.format(1))("{}")


Point = collections.namedtuple("Point", "x y")


def test_texts_of_containers():
    def of(x):
        return str(x), repr(x), f"<{x}>", str([x, x]), str((x,)), f"{(x, 1)!r:>40}"

    values = [1, 1.5, True, "a'\u0434\n", (1, "b"), ([1, 2], 2.5), [1.5, -0.0], ["a", "b\ud800"], {3}]
    values += [(), ((1,), "x"), b"ab\xff"]
    agree(of, [(x,) for x in values])
    agree(lambda k, v: (str({k: v}), repr({k: v}), f"<{ {k: v} }>"), [(1, 2.5), ("a", "b'"), ((1, "x"), [1])])
    agree(
        lambda x: (str(x), f"{x}"),
        [(Point(1, "a"),), (np.arange(3.0),), (np.datetime64(5, "D"),), (np.array(["a", "bc"]),)],
    )
    agree(lambda n: [str(i) + str([i] * i) for i in range(n)], [(4,)])
    agree(lambda n: str([("k" + str(i), i) for i in range(n)][:0]), [(3,)])

    def nested(n):
        out = []
        for i in range(n):
            try:
                if i == 1:
                    raise ValueError(str([i, i]))
                out.append(str({i: [i]}))
            except Exception:
                out.append("!" + str((i,)))
        return out

    agree(nested, [(3,)])


def test_hashes():
    def of(x):
        return hash(x), hash((x, 1)), hash(x[:1]), hash(x[1:2] + x[:1])

    texts = ["", "a", "abc", "\xe9a", "a\u0434", "\u0434a\xff", "\U0001f600\u0434a", "\ud800"]
    agree(of, [(x,) for x in texts])
    agree(of, [(x.encode("utf-8", "replace"),) for x in texts])
    for a in (np.array(["ab", "\u0434"]), np.array([b"ab", b"c"])):
        agree(lambda a, i: hash(a[i]), [(a, 0), (a, 1)])


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_hashes_of_other_processes(seed):
    code = "import numbra as nb\nassert nb.njit(lambda s: hash(s + 'b'))('a\\u0434') == hash('a\\u0434b')\n"
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment)
