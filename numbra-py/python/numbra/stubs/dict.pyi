"""`dict` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def clear(dict: Any) -> Any:
    r"""Removes all entries."""

def copy(dict: Any) -> Any:
    r"""A new dictionary of the same entries."""

def get(dict: Any, key: Any, default: Any = ...) -> Any:
    r"""The value of a key; else `default`, by default None."""

def items(dict: Any) -> Any:
    r"""Pairs of keys and values, in the order in which the keys came."""

def keys(dict: Any) -> Any:
    r"""The keys, in the order in which they came."""

def pop(dict: Any, key: Any, default: Any = ...) -> Any:
    r"""Removes a key and gives its value; without the key `default`, or KeyError."""

def popitem(dict: Any) -> Any:
    r"""Removes the entry that came last and gives it; KeyError when there is none."""

def setdefault(dict: Any, key: Any, default: Any) -> Any:
    r"""The value of a key, which is `default` from now on if there was none."""

def update(dict: Any, other: Any) -> Any:
    r"""Takes the entries of another dictionary."""

def values(dict: Any) -> Any:
    r"""The values, in the order in which their keys came."""

