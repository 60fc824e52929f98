"""`numbra.experimental.structref` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def new(type: Any) -> Any:
    r"""A new object of a type. Its fields are not set."""

