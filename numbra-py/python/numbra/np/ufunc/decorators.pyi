"""``vectorize`` and ``guvectorize``."""

from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol, Unpack, overload

from numbra.core.decorators import _Options
from numbra.core.types.abstract import Type
from numbra.core.typing.templates import Signature
from numbra.np.ufunc.dufunc import DUFunc
from numbra.np.ufunc.gufunc import GUFunc

_Sigs = str | Iterable[str | Signature | tuple[Type, ...]]

class _UfuncOptions(_Options, total=False):
    target: Literal["cpu", "parallel", "cuda"]
    identity: Literal[0, 1, "reorderable"] | None

class _GUfuncOptions(_UfuncOptions, total=False):
    is_dynamic: bool
    writable_args: Iterable[int | str]

class _Vectorize(Protocol):
    def __call__(self, function: Callable[..., Any], /) -> DUFunc: ...

class _GUVectorize(Protocol):
    def __call__(self, function: Callable[..., Any], /) -> GUFunc: ...

@overload
def vectorize(ftylist_or_function: Callable[..., Any], **kws: Unpack[_UfuncOptions]) -> DUFunc: ...
@overload
def vectorize(ftylist_or_function: _Sigs = ..., **kws: Unpack[_UfuncOptions]) -> _Vectorize: ...
@overload
def guvectorize(layout: str, /, **kwargs: Unpack[_GUfuncOptions]) -> _GUVectorize: ...
@overload
def guvectorize(signatures: _Sigs, layout: str, /, **kwargs: Unpack[_GUfuncOptions]) -> _GUVectorize: ...
def __getattr__(name: str) -> Any: ...
