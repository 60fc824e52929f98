"""`numbra.typed.setobject` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def new_set(key: Any, n_keys: Any = 0) -> Any:
    r"""An empty typed set of items of this type."""

