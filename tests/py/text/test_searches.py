"""Searches of strings of every width, against CPython."""

import itertools

import numbra as nb
import pytest


@nb.njit
def found(text, part):
    return text.find(part), text.rfind(part), part in text, text.startswith(part), text.endswith(part)


TEXTS = [
    "",
    "a",
    "abcabcabd" * 20,
    "the quick brown fox jumps over the lazy dog " * 9,
    "x" * 31 + "yz" + "x" * 40,
    "\u00e9t\u00e9 " * 30,
    "\u0434\u0430 \u0438 \u043d\u0435\u0442 " * 20,
    "\U0001f600 and \u0434\u0430 and \u00e9 " * 20,
]
PARTS = [
    "",
    "a",
    "abd",
    "dog ",
    "zy",
    "yz",
    "\u00e9 ",
    "\u043d\u0435\u0442",
    "\U0001f600",
    "d",
    "xx",
    "the lazy dog the",
    " \u00e9 ",
]


@pytest.mark.parametrize("tail", ["", "!", "abd"])
def test_searches(tail):
    for text, part in itertools.product(TEXTS, PARTS):
        text = text + tail
        want = text.find(part), text.rfind(part), part in text, text.startswith(part), text.endswith(part)
        assert found(text, part) == want, (text, part)
        assert found(text[1:-1], part) == found.py_func(text[1:-1], part)


def test_a_part_at_every_place():
    for n, at in itertools.product((1, 31, 32, 33, 64, 95), range(96)):
        text = "-" * at + "ab" + "-" * (n - 1)
        assert found(text, "ab") == (at, at, True, at == 0, n == 1)


def test_a_character_in_texts_of_every_length():
    for fill, character in itertools.product("-\u00e9\u0434\U0001f600", "a-\u00e9\u0434\U0001f600\0"):
        for n in (0, 1, 15, 16, 17, 40):
            for text in (fill * n, fill * n + character, character + fill * n):
                assert found(text, character)[2] is (character in text), (text, character)


@nb.njit
def stripped(text, chars):
    return text.strip(), text.strip(chars), text.lstrip(), text.rstrip(chars), text.isascii()


@pytest.mark.parametrize("text", ["", "  a b \n", "\u2003x\u2003", "xxyx", "\u00e9a\u00e9", "\U0001f600 "])
def test_ends(text):
    for chars in ("x", "\u00e9x", "", "\U0001f600 "):
        assert stripped(text, chars) == stripped.py_func(text, chars)
