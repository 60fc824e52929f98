"""`range` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

@property
def start(x: Any) -> Any:
    r"""First number."""

@property
def step(x: Any) -> Any:
    r"""Increment."""

@property
def stop(x: Any) -> Any:
    r"""Bound that is not reached."""

