"""Kinds of conversion between types."""

from enum import IntEnum

from numbra._named import names_of


class Conversion(IntEnum):
    """How well one type converts to another; less is better."""

    exact = 1
    promote = 2
    safe = 3
    unsafe = 4
    nil = 99


__getattr__ = names_of(__name__)
