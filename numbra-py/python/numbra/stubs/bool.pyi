"""`bool` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def item(x: Any) -> Any:
    r"""The number itself."""

