"""Functions that the compiler recognises; outside compiled code they do what their names say."""

from collections.abc import Sequence
from typing import Any, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import DTypeLike, NDArray

_T = TypeVar("_T")

@overload
def prange(stop: SupportsIndex, /) -> range: ...
@overload
def prange(start: SupportsIndex, stop: SupportsIndex, step: SupportsIndex = ..., /) -> range:
    """A ``range`` whose iterations may run in parallel."""

@overload
def pndindex(shape: Sequence[int], /) -> np.ndindex: ...
@overload
def pndindex(*shape: SupportsIndex) -> np.ndindex:
    """An ``ndindex`` whose iterations may run in parallel."""

def literally(obj: _T) -> _T:
    """Asks the compiler to treat the argument as a literal."""

def literal_unroll(container: _T) -> _T:
    """Asks the compiler to unroll the loop over a tuple."""

def carray(ptr: Any, shape: int | tuple[int, ...], dtype: DTypeLike | None = None) -> NDArray[Any]:
    """The memory at a pointer of ``ctypes`` as an array in C order; ``dtype`` must be given for a ``void *``."""

def farray(ptr: Any, shape: int | tuple[int, ...], dtype: DTypeLike | None = None) -> NDArray[Any]:
    """As :func:`carray`, in Fortran order."""

def gdb(*args: object) -> None: ...
def gdb_breakpoint() -> None: ...
def gdb_init(*args: object) -> None: ...
def __getattr__(name: str) -> Any: ...
