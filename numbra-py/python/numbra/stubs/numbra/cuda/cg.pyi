"""`numbra.cuda.cg` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def this_grid() -> Any:
    r"""The group of all threads of the grid."""

