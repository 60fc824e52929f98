"""`slice` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def indices(x: Any, n: Any) -> Any:
    r"""`(start, stop, step)` for a sequence of length `n`; ValueError for a zero step or a negative length."""

start: Any
r"""Lower bound."""

step: Any
r"""Increment."""

stop: Any
r"""Upper bound."""

