"""``numbra.experimental``."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, overload

_C = TypeVar("_C", bound=type)
_Spec = Mapping[str, Any] | Iterable[tuple[str, Any]]

@overload
def jitclass(cls_or_spec: _C, spec: _Spec | None = None) -> _C: ...
@overload
def jitclass(cls_or_spec: _Spec | None = None, spec: None = None) -> Callable[[_C], _C]:
    """Decorates a class whose objects compiled code could make and use."""

structref: Any

__all__ = ["jitclass"]
