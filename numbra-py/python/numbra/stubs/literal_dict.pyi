"""`literal_dict` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def clear(dict: Any) -> Any:
    r"""Not possible: the types of the values are the type of the dictionary."""

def copy(dict: Any) -> Any:
    r"""The dictionary itself, which nothing changes."""

def get(dict: Any, key: Any, default: Any = ...) -> Any:
    r"""Not possible, as in Numba."""

def items(dict: Any) -> Any:
    r"""The pairs of keys and values as a tuple."""

def keys(dict: Any) -> Any:
    r"""The keys as a tuple of constants."""

def pop(dict: Any, key: Any, default: Any = ...) -> Any:
    r"""Not possible: the types of the values are the type of the dictionary."""

def popitem(dict: Any) -> Any:
    r"""Not possible: the types of the values are the type of the dictionary."""

def setdefault(dict: Any, key: Any, default: Any = ...) -> Any:
    r"""Not possible: the types of the values are the type of the dictionary."""

def update(dict: Any, other: Any) -> Any:
    r"""Not possible: the types of the values are the type of the dictionary."""

def values(dict: Any) -> Any:
    r"""The values as a tuple."""

