"""`ctypes` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

data: Any
r"""Address of the first element."""

