"""`functools` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def reduce(function: Any, iterable: Any, initial: Any = ...) -> Any:
    r"""Joins the items from left to right by a function of two arguments; TypeError when there is nothing to join."""

