"""`list` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def _allocated(list: Any) -> Any:
    r"""Number of items there is room for."""

def _is_mutable(list: Any) -> Any:
    r"""Whether a typed list may be changed."""

def _make_immutable(list: Any) -> Any:
    r"""Has what would change a typed list raise ValueError."""

def _make_mutable(list: Any) -> Any:
    r"""Lets a typed list be changed."""

def append(list: Any, item: Any) -> Any:
    r"""Adds an item at the end."""

def clear(list: Any) -> Any:
    r"""Removes all items."""

def copy(list: Any) -> Any:
    r"""A new list of the same items."""

def count(list: Any, value: Any) -> Any:
    r"""Number of items that equal `value`."""

def extend(list: Any, iterable: Any) -> Any:
    r"""Adds the items of an iterable at the end."""

def getitem_unchecked(list: Any, i: Any) -> Any:
    r"""The item at position `i`."""

def index(list: Any, value: Any, start: Any = 0, stop: Any = 9223372036854775807) -> Any:
    r"""Position of the first item that equals `value`; ValueError when there is none."""

def insert(list: Any, index: Any, item: Any) -> Any:
    r"""Adds an item in front of position `index`."""

def pop(list: Any, index: Any = ...) -> Any:
    r"""Removes the item at position `index`, by default the last, and gives it; IndexError when it is not there."""

def remove(list: Any, value: Any) -> Any:
    r"""Removes the first item that equals `value`; ValueError when there is none."""

def reverse(list: Any) -> Any:
    r"""Turns the order of the items round."""

def sort(list: Any, key: Any = None, reverse: Any = False) -> Any:
    r"""Sorts the items in place, stably; `key` is a jitted function or one of the library. NaN comes last."""

