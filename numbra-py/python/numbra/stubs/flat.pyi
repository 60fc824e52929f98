"""`flat` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

size: Any
r"""Number of elements."""

