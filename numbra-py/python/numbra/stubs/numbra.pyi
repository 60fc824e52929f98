"""`numbra` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def pndindex(*shape: Any) -> Any:
    r"""Every index of a shape as a tuple, the last axis fastest."""

