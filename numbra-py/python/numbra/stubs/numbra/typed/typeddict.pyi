"""`numbra.typed.typeddict` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def Dict(iterable: Any = ...) -> Any:
    r"""A new dictionary: empty, or of the entries of another one or of pairs."""

