"""`numbra.cuda.local` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def array(shape: Any, dtype: Any, alignment: Any = None) -> Any:
    r"""An array of the thread: shape and type are constants."""

