"""`dtype` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

@property
def itemsize(a: Any) -> Any:
    r"""Bytes of an element."""

@property
def type(a: Any) -> Any:
    r"""The scalar class."""

