"""NumPy's side of the API."""

from typing import Any

from numbra.np import numpy_support as numpy_support
from numbra.np import ufunc as ufunc

def __getattr__(name: str) -> Any: ...
