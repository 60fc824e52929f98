"""`flags` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

@property
def c_contiguous(a: Any) -> Any:
    r"""True if C-contiguous."""

@property
def contiguous(a: Any) -> Any:
    r"""True if C-contiguous."""

@property
def f_contiguous(a: Any) -> Any:
    r"""True if Fortran-contiguous."""

