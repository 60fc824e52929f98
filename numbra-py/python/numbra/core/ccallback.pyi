"""C callbacks: ``cfunc``."""

from collections.abc import Callable, Mapping
from typing import Any, Generic, ParamSpec, Protocol, TypeVar

from numbra.core.types.abstract import Type
from numbra.core.typing.templates import Signature

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Covariant = TypeVar("_Covariant", covariant=True)

class CFunc(Generic[_P, _Covariant]):
    """A compiled C callback. Calling it from Python runs the Python function."""

    __name__: str
    __qualname__: str
    def __init__(
        self, pyfunc: Callable[_P, _Covariant], signature: str | Signature, options: dict[str, Any]
    ) -> None: ...
    def __call__(self, *args: _P.args, **kwargs: _P.kwargs) -> _Covariant: ...
    @property
    def native_name(self) -> str:
        """The symbol of the callback."""

    @property
    def address(self) -> int:
        """The address of the callback; valid while this object lives."""

    @property
    def cache_hits(self) -> int:
        """How often the compiled code came from the cache."""

    @property
    def ctypes(self) -> Any:
        """The callback as a function of ``ctypes``."""

    @property
    def cffi(self) -> Any:
        """The callback as a function pointer of ``cffi``."""

    def inspect_llvm(self) -> str:
        """LLVM IR of the callback."""

    def signature(self) -> Signature:
        """Result and argument types."""

class _CFunc(Protocol):
    def __call__(self, function: Callable[_P, _R], /) -> CFunc[_P, _R]: ...

def cfunc(
    sig: str | Signature,
    locals: Mapping[str, Type] | None = None,
    cache: bool = False,
    pipeline_class: type | None = None,
    **options: Any,
) -> _CFunc:
    """Compiles a function as a C callback of this signature, at once."""

def __getattr__(name: str) -> Any: ...
