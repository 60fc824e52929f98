"""`complex` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

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

