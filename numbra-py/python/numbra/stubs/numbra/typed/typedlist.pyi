"""`numbra.typed.typedlist` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def List(iterable: Any = ...) -> Any:
    r"""A new typed list: empty, with a type that follows from what is put in, or of the items of an iterable."""

