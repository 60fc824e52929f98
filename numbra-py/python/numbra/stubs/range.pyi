"""`range` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

start: Any
r"""First number."""

step: Any
r"""Increment."""

stop: Any
r"""Bound that is not reached."""

