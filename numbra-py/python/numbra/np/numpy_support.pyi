"""NumPy's dtypes and numbra's types."""

from typing import Any

import numpy as np
from numbra.core.types.abstract import Type
from numpy.typing import DTypeLike

numpy_version: tuple[int, ...]

def from_dtype(dtype: DTypeLike) -> Type:
    """The type of an array's elements."""

def as_dtype(nbtype: Type) -> np.dtype[Any]:
    """The dtype of elements of a type."""

def as_struct_dtype(rec: Type) -> np.dtype[Any]: ...
def is_array(val: object) -> bool: ...
def __getattr__(name: str) -> Any: ...
