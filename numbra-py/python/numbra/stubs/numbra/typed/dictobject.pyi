"""`numbra.typed.dictobject` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def new_dict(key: Any, value: Any, n_keys: Any = 0) -> Any:
    r"""An empty dictionary with keys and values of these types."""

