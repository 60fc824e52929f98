"""`polynomial` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

@property
def coef(x: Any) -> Any:
    r"""Coefficients, the lowest first."""

@property
def domain(x: Any) -> Any:
    r"""The interval that is mapped to the window."""

@property
def window(x: Any) -> Any:
    r"""The interval that the domain is mapped to."""

