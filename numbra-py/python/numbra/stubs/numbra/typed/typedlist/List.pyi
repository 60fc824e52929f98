"""`numbra.typed.typedlist.List` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def empty_list(item_type: Any, allocated: Any = 0) -> Any:
    r"""An empty typed list of items of this type."""

