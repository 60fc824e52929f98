"""`float` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def __hash__(x: Any) -> Any:
    r"""CPython's hash of a number, of text, or of a tuple of these; that of a NaN is 0."""

def __repr__(x: Any) -> Any:
    r"""A value as Python writes it in a program."""

def __str__(x: Any, encoding: Any = ..., errors: Any = ...) -> Any:
    r"""The text of a string or char sequence; other values as Python writes them."""

def conjugate(x: Any) -> Any:
    r"""Complex conjugate."""

imag: Any
r"""Imaginary part; 0 for real numbers."""

def item(x: Any) -> Any:
    r"""The number itself."""

real: Any
r"""Real part."""

def view(x: Any, dtype: Any) -> Any:
    r"""The same bits as another type of the same width."""

