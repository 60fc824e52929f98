"""`set` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def add(set: Any, item: Any) -> Any:
    r"""Adds an item."""

def clear(set: Any) -> Any:
    r"""Removes all items."""

def copy(set: Any) -> Any:
    r"""A new set of the same items."""

def difference(set: Any, other: Any) -> Any:
    r"""The items that the other does not have."""

def difference_update(set: Any, other: Any) -> Any:
    r"""Removes the items that the other has."""

def discard(set: Any, item: Any) -> Any:
    r"""Removes an item if it is there."""

def intersection(set: Any, other: Any) -> Any:
    r"""The items that both have."""

def intersection_update(set: Any, other: Any) -> Any:
    r"""Keeps the items that the other has."""

def isdisjoint(set: Any, other: Any) -> Any:
    r"""Whether no item is in both."""

def issubset(set: Any, other: Any) -> Any:
    r"""Whether the other has all items."""

def issuperset(set: Any, other: Any) -> Any:
    r"""Whether the set has all items of the other."""

def pop(set: Any) -> Any:
    r"""Removes some item and gives it; KeyError when there is none."""

def remove(set: Any, item: Any) -> Any:
    r"""Removes an item; KeyError when it is not there."""

def symmetric_difference(set: Any, other: Any) -> Any:
    r"""The items that one of both has."""

def symmetric_difference_update(set: Any, other: Any) -> Any:
    r"""Keeps the items that the other does not have, and adds its others."""

def union(set: Any, other: Any) -> Any:
    r"""The items of both."""

def update(set: Any, iterable: Any) -> Any:
    r"""Adds the items of an iterable."""

