"""`flat` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

@property
def size(a: Any) -> Any:
    r"""Number of elements."""

