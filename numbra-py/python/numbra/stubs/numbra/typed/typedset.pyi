"""`numbra.typed.typedset` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def Set(iterable: Any = ...) -> Any:
    r"""A new typed set: empty, with a type that follows from what is put in, or of the items of an iterable."""

