"""What ``vectorize`` makes."""

from collections.abc import Callable
from typing import Any

from numbra.core.typing.templates import Signature
from numbra.np.ufunc.loops import UfuncBase

class DUFunc(UfuncBase):
    """A ufunc that compiles a loop when it is called with new types, until it is frozen."""

    @property
    def py_func(self) -> Callable[..., Any]:
        """The Python function."""

    def __call__(self, *args: Any, **kws: Any) -> Any: ...
    def add(self, sig: str | Signature) -> Any:
        """Compiles a loop."""

    def build_ufunc(self) -> DUFunc: ...

def __getattr__(name: str) -> Any: ...
