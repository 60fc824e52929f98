"""Comparisons of strings against CPython: code points compare, however wide the characters are kept."""

import itertools

import numbra as nb
import numpy as np
import pytest

TEXTS = ["", "a", "b", "ab", "a\0", "abcdefghijkl", "abcdefghijkm", "\xff", "\u0100", "\ufffd", "\U0001f600", "a\u0100"]


def all_orders(a, b):
    return a == b, a != b, a < b, a <= b, a > b, a >= b


def with_constants(a):
    return a == "ab", a < "\u0100", a <= "", a == "\U0001f600"


def of_characters(a, b):
    count = 0
    for i in range(len(a)):
        for j in range(len(b)):
            if a[i] == b[j]:
                count += 1
            if a[i] < b[j]:
                count += 100
    return count


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_code_points_compare(tier):
    orders = nb.njit(tier=tier)(all_orders)
    constants = nb.njit(tier=tier)(with_constants)
    characters = nb.njit(tier=tier)(of_characters)
    for a, b in itertools.product(TEXTS, TEXTS):
        assert orders(a, b) == all_orders(a, b)
        assert characters(a, b) == of_characters(a, b)
    for a in TEXTS:
        assert constants(a) == with_constants(a)


@pytest.mark.parametrize("tier", ["cranelift", "llvm"])
def test_items_of_arrays_compare_without_the_zeros_at_their_end(tier):
    @nb.njit(tier=tier)
    def orders(a, i, b):
        return a[i] == b, a[i] < b

    texts = np.array(["a", "", "b\u0100", "bcd"])
    for i, b in itertools.product(range(len(texts)), TEXTS[:4]):
        assert orders(texts, i, b) == (texts[i] == b, texts[i] < b)
