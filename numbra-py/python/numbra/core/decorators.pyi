"""``jit`` and ``njit``."""

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Literal, ParamSpec, Protocol, TypedDict, TypeVar, Unpack, overload

from numbra.core.ccallback import cfunc as cfunc
from numbra.core.dispatcher import CPUDispatcher
from numbra.core.types.abstract import Type
from numbra.core.typing.templates import Signature

_P = ParamSpec("_P")
_R = TypeVar("_R")
_Sig = str | Signature | tuple[Type, ...]
_Sigs = _Sig | Sequence[_Sig]
_Parallel = Literal["comprehension", "reduction", "inplace_binop", "setitem", "numpy", "stencil", "fusion", "prange"]

class _Options(TypedDict, total=False):
    locals: Mapping[str, Any] | None
    cache: bool
    pipeline_class: type | None
    boundscheck: bool | None
    nopython: bool
    forceobj: bool
    looplift: bool
    nogil: bool
    parallel: bool | dict[str, bool] | dict[_Parallel, bool]
    fastmath: bool | AbstractSet[str] | dict[str, bool]
    error_model: Literal["python", "numpy"]
    inline: Literal["never", "always"] | Callable[..., bool]
    forceinline: bool
    debug: bool
    no_rewrites: bool
    no_cpython_wrapper: bool
    no_cfunc_wrapper: bool
    target_backend: str
    tier: Literal["auto", "cranelift", "llvm"]
    math: str
    _nrt: bool
    _dbg_extend_lifetimes: bool
    _dbg_optnone: bool

class _Jit(Protocol):
    def __call__(self, function: Callable[_P, _R], /) -> CPUDispatcher[_P, _R]: ...

@overload
def jit(signature_or_function: Callable[_P, _R], **options: Unpack[_Options]) -> CPUDispatcher[_P, _R]: ...
@overload
def jit(signature_or_function: _Sigs | None = None, **options: Unpack[_Options]) -> _Jit: ...
@overload
def njit(signature_or_function: Callable[_P, _R], /, **options: Unpack[_Options]) -> CPUDispatcher[_P, _R]: ...
@overload
def njit(signature_or_function: _Sigs | None = None, /, **options: Unpack[_Options]) -> _Jit: ...
def jit_module(**kwargs: Unpack[_Options]) -> None:
    """Compiles every function of the calling module."""

def __getattr__(name: str) -> Any: ...
