"""`slice` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def indices(x: Any, n: Any) -> Any:
    r"""`(start, stop, step)` for a sequence of length `n`; ValueError for a zero step or a negative length."""

@property
def start(x: Any) -> Any:
    r"""Lower bound."""

@property
def step(x: Any) -> Any:
    r"""Increment."""

@property
def stop(x: Any) -> Any:
    r"""Upper bound."""

