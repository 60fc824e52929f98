"""`numbra.typed.typeddict.Dict` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def empty(key_type: Any, value_type: Any, n_keys: Any = 0) -> Any:
    r"""An empty dictionary with keys and values of these types."""

