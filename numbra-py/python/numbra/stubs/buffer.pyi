"""`buffer` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

@property
def c_contiguous(a: Any) -> Any:
    r"""True if C-contiguous."""

@property
def contiguous(a: Any) -> Any:
    r"""True if C- or Fortran-contiguous."""

@property
def f_contiguous(a: Any) -> Any:
    r"""True if Fortran-contiguous."""

@property
def itemsize(a: Any) -> Any:
    r"""Bytes of an element."""

@property
def nbytes(a: Any) -> Any:
    r"""Bytes of all elements."""

@property
def ndim(a: Any) -> Any:
    r"""Number of axes, a constant of the type."""

@property
def readonly(a: Any) -> Any:
    r"""True if the memory cannot be written."""

@property
def shape(a: Any) -> Any:
    r"""Tuple of extents."""

@property
def strides(a: Any) -> Any:
    r"""Tuple of byte strides."""

