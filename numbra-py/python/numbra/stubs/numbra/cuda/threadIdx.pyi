"""`numbra.cuda.threadIdx` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

x: Any
r"""Index of the thread in its block."""

y: Any
r"""Index of the thread in its block."""

z: Any
r"""Index of the thread in its block."""

