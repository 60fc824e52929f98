"""`numbra.cuda.shared` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def array(shape: Any, dtype: Any, alignment: Any = None) -> Any:
    r"""An array that all threads of the block share: shape and type are constants. Size 0 is what the launch asks for."""

