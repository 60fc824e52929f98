"""`numbra.cuda.gridDim` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

x: Any
r"""Blocks of the grid."""

y: Any
r"""Blocks of the grid."""

z: Any
r"""Blocks of the grid."""

