"""`literal_list` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def append(list: Any, item: Any) -> Any:
    r"""Not possible: the types of the items are the list's type."""

def clear(list: Any) -> Any:
    r"""Not possible: the types of the items are the list's type."""

def copy(list: Any) -> Any:
    r"""The list itself, which nothing changes."""

def count(list: Any, value: Any) -> Any:
    r"""Number of items that equal a number, a string or `None`."""

def extend(list: Any, iterable: Any) -> Any:
    r"""Not possible: the types of the items are the list's type."""

def index(list: Any, value: Any, start: Any = 0, stop: Any = 9223372036854775807) -> Any:
    r"""Not possible, as in Numba."""

def insert(list: Any, index: Any, item: Any) -> Any:
    r"""Not possible: the types of the items are the list's type."""

def pop(list: Any, index: Any = ...) -> Any:
    r"""Not possible: the types of the items are the list's type."""

def remove(list: Any, value: Any) -> Any:
    r"""Not possible: the types of the items are the list's type."""

def reverse(list: Any) -> Any:
    r"""Not possible: the types of the items are the list's type."""

def sort(list: Any, key: Any = None, reverse: Any = False) -> Any:
    r"""Not possible: the types of the items are the list's type."""

