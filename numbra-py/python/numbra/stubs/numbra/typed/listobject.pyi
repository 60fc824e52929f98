"""`numbra.typed.listobject` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def new_list(item: Any, allocated: Any = 0) -> Any:
    r"""An empty typed list of items of this type."""

