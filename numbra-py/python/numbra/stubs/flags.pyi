"""`flags` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

c_contiguous: Any
r"""True if C-contiguous."""

contiguous: Any
r"""True if C-contiguous."""

f_contiguous: Any
r"""True if Fortran-contiguous."""

