"""`numbra.cuda.blockIdx` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

x: Any
r"""Index of the block in the grid."""

y: Any
r"""Index of the block in the grid."""

z: Any
r"""Index of the block in the grid."""

