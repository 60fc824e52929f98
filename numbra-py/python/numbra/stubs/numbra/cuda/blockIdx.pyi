"""`numbra.cuda.blockIdx` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

@property
def x(self: Any) -> Any:
    r"""Index of the block in the grid."""

@property
def y(self: Any) -> Any:
    r"""Index of the block in the grid."""

@property
def z(self: Any) -> Any:
    r"""Index of the block in the grid."""

