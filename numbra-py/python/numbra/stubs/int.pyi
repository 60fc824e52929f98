"""`int` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def bit_count(x: Any) -> Any:
    r"""Bits of the magnitude that are 1."""

def conjugate(x: Any) -> Any:
    r"""Complex conjugate."""

@property
def imag(x: Any) -> Any:
    r"""Imaginary part; 0 for real numbers."""

def item(x: Any) -> Any:
    r"""The number itself."""

@property
def real(x: Any) -> Any:
    r"""Real part."""

def view(x: Any, dtype: Any) -> Any:
    r"""The same bits as another type of the same width."""

