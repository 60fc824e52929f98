"""`numbra.cuda.const` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def array_like(ndarray: Any) -> Any:
    r"""A constant array in the memory for constants."""

