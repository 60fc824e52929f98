"""What ``guvectorize`` makes."""

from typing import Any

from numbra.core.typing.templates import Signature
from numbra.np.ufunc.loops import UfuncBase

class GUFunc(UfuncBase):
    """A generalised ufunc. Made without signatures it compiles a loop for each combination of types."""

    @property
    def is_dynamic(self) -> bool: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def add(self, fty: str | Signature) -> None:
        """Compiles a loop."""

    def build_ufunc(self) -> GUFunc: ...

def __getattr__(name: str) -> Any: ...
