"""`bool` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def __hash__(x: Any) -> Any:
    r"""CPython's hash of a number, or of a tuple of numbers; that of a NaN is 0."""

def item(x: Any) -> Any:
    r"""The number itself."""

