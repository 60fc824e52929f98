"""Kinds of conversion between types."""

from enum import IntEnum


class Conversion(IntEnum):
    """How well one type converts to another; less is better."""

    exact = 1
    promote = 2
    safe = 3
    unsafe = 4
    nil = 99
