"""`tuple` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def __hash__(x: Any) -> Any:
    r"""CPython's hash of a number, or of a tuple of numbers; that of a NaN is 0."""

def index(x: Any, value: Any) -> Any:
    r"""Position of the first equal item; ValueError if there is none."""

