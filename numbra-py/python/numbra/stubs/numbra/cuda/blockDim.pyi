"""`numbra.cuda.blockDim` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

x: Any
r"""Threads of a block."""

y: Any
r"""Threads of a block."""

z: Any
r"""Threads of a block."""

