"""`print` writes what Python writes."""

import enum
import io
import sys
from collections import namedtuple

import numbra as nb
import numpy as np
import pytest

Point = namedtuple("Point", "x y", defaults=[7])


def test_print(capsys):
    @nb.njit
    def prints(a, b):
        print(a, b, "x", 1.5, True, None, (a, b))
        print()
        print(a)

    prints(1, 2.5)
    prints(True, 1j)
    want = "1 2.5 x 1.5 True None (1, 2.5)\n\n1\nTrue 1j x 1.5 True None (True, 1j)\n\nTrue\n"
    assert capsys.readouterr().out == want


def test_printing_what_python_writes(capsys):
    @nb.njit
    def show(a, b, t, p):
        print(a, b[1:], "x")
        print(t, (a, 1))
        print(p, Point(1, 2.5))
        print(b + 1, a.sum())

    args = np.arange(4.0).reshape(2, 2), np.arange(5), (1, np.ones(2)), Point(1, True)
    show(*args)
    compiled = capsys.readouterr().out
    show.py_func(*args)
    assert compiled == capsys.readouterr().out.replace("np.float64(6.0)", "6.0")


class Colour(enum.Enum):
    RED = 1


WORDS = ["b", "it's"]


def test_printing_values_inside_others(capsys):
    """Inside of a tuple or a list values are written as their `repr`."""

    @nb.njit
    def show(text, date, delta, items, colour, raw):
        print((1, 2.5, text), [1, 2], (text,), ((text, 1), "c"))
        print({3}, ({4},), ({0.5}, text), {(1, 2)})
        print(date, delta, text)
        print((date, delta), [date], [text, "x"], [[text]], ([text], 1))
        print(items, (items,))
        print(colour, (colour, 1), raw, (raw,))
        print(Point(text, date))
        print(np.dtype(np.float32))

    args = (
        "it's \n \u00e9\u4e2d\U0001f600",
        np.datetime64("2020-01-02"),
        np.timedelta64(3, "h"),
        WORDS,
        Colour.RED,
        b"\0a'",
    )
    show(*args)
    compiled = capsys.readouterr().out
    show.py_func(*args)
    assert compiled == capsys.readouterr().out


def test_printing_sets_and_lists_of_python(capsys):
    @nb.njit
    def show(numbers, names):
        numbers.add(8)
        names.append("z")
        print(numbers, names)

    numbers, names = {1, 2}, ["a"]
    show(numbers, names)
    assert capsys.readouterr().out == "{8, 1, 2} ['a', 'z']\n"
    assert (numbers, names) == ({1, 2, 8}, ["a", "z"])


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_printing_dates_from_loops(tier, capsys):
    @nb.njit(tier=tier)
    def show(dates, text):
        for k in range(len(dates)):
            print(k, dates[k], (dates[k], text))

    show(np.array(["2020-01-02", "NaT"], "M8[D]"), "x")
    assert capsys.readouterr().out == (
        "0 2020-01-02 (np.datetime64('2020-01-02'), 'x')\n1 NaT (np.datetime64('NaT','D'), 'x')\n"
    )


def test_containers_as_arguments_of_exceptions():
    @nb.njit
    def fail(items, n, date):
        raise ValueError("no", items, [n], {n}, date)

    items = [1, 2]
    with pytest.raises(ValueError) as raised:
        fail(items, 3, np.datetime64("2020-01-02"))
    assert raised.value.args == ("no", [1, 2], [3], {3}, np.datetime64("2020-01-02"))


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_what_writing_raises(tier, monkeypatch):
    @nb.njit(tier=tier)
    def show(n, text):
        for i in range(n):
            print(i, text)
        return n

    plain, kept = io.StringIO(), io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    monkeypatch.setattr(sys, "stdout", plain)
    assert show(1, "\ud800") == 1
    assert plain.getvalue() == "0 \ud800\n"
    monkeypatch.setattr(sys, "stdout", kept)
    with pytest.raises(UnicodeEncodeError, match="surrogates not allowed"):
        show(2, "a\ud800")
    assert show(1, "b") == 1
    kept.flush()
    assert kept.buffer.getvalue() == b"0 b\n"
    kept.close()
    with pytest.raises(ValueError, match="closed file"):
        show(1, "c")
    with pytest.raises(ValueError, match="closed file"):
        show(1, "c" * 100_000)

    @nb.njit(tier=tier)
    def handled(text):
        try:
            print(text)
        except Exception:
            return "raised"
        return "printed"

    assert handled("x") == "raised"
