"""`buffer` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

c_contiguous: Any
r"""True if C-contiguous."""

contiguous: Any
r"""True if C- or Fortran-contiguous."""

f_contiguous: Any
r"""True if Fortran-contiguous."""

itemsize: Any
r"""Bytes of an element."""

nbytes: Any
r"""Bytes of all elements."""

ndim: Any
r"""Number of axes, a constant of the type."""

readonly: Any
r"""True if the memory cannot be written."""

shape: Any
r"""Tuple of extents."""

strides: Any
r"""Tuple of byte strides."""

