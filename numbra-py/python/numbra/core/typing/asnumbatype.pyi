"""Types of annotations."""

from collections.abc import Callable
from typing import Any

from numbra.core.types.abstract import Type

class AsNumbaTypeRegistry:
    """Which type an annotation means."""

    def register(self, func_or_py_type: Any, numba_type: Type | None = None) -> Callable[..., Any] | None: ...
    def try_infer(self, py_type: Any) -> Type | None: ...
    def infer(self, py_type: Any) -> Type: ...
    def __call__(self, py_type: Any) -> Type: ...

as_numba_type: AsNumbaTypeRegistry

def __getattr__(name: str) -> Any: ...
