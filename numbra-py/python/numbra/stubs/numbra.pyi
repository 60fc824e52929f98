"""`numbra` as compiled code sees it. Generated from the rows of numbra-library; do not edit."""

from typing import Any

def carray(ptr: Any, shape: Any, dtype: Any = None) -> Any:
    r"""The memory at a pointer as an array in C order; `dtype` must be given for a `void*`. The memory stays its owner's."""

def farray(ptr: Any, shape: Any, dtype: Any = None) -> Any:
    r"""As `carray`, in Fortran order."""

def pndindex(*shape: Any) -> Any:
    r"""Every index of a shape as a tuple, the last axis fastest."""

