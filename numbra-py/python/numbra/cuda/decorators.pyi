"""``cuda.jit`` and ``cuda.declare_device``."""

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypedDict, TypeVar, Unpack, overload

from numbra.core.decorators import _Sigs
from numbra.cuda.dispatcher import CUDADispatcher

_P = ParamSpec("_P")
_R = TypeVar("_R")

class _Options(TypedDict, total=False):
    device: bool
    inline: str
    forceinline: bool
    link: Any
    debug: bool | None
    opt: bool | None
    lineinfo: bool
    cache: bool
    launch_bounds: int | tuple[int, ...] | None
    lto: bool | None
    shared_memory_carveout: int | str | None
    fastmath: bool
    max_registers: int | None
    boundscheck: bool | None
    extensions: list[Any] | None
    nopython: bool

class _Jit(Protocol):
    def __call__(self, function: Callable[_P, _R], /) -> CUDADispatcher[_P, _R]: ...

@overload
def jit(func_or_sig: Callable[_P, _R], **options: Unpack[_Options]) -> CUDADispatcher[_P, _R]: ...
@overload
def jit(func_or_sig: _Sigs | None = None, **options: Unpack[_Options]) -> _Jit:
    """Compiles a function for GPUs: a kernel, or with ``device=True`` a function that kernels call."""

def declare_device(name: str, sig: Any, link: Any = None, **options: Any) -> Any: ...
