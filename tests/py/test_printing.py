"""`print` writes what Python writes."""

from collections import namedtuple

import numbra as nb
import numpy as np

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
