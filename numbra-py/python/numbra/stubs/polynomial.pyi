"""`polynomial` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

coef: Any
r"""Coefficients, the lowest first."""

domain: Any
r"""The interval that is mapped to the window."""

window: Any
r"""The interval that the domain is mapped to."""

