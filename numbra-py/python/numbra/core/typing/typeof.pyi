"""Types of Python values."""

import enum
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from numbra.core.types.abstract import Type

_F = TypeVar("_F", bound=Callable[..., Any])

class Purpose(enum.Enum):
    """What a type is asked for."""

    argument = ...
    constant = ...

class _TypeofImpl(Protocol):
    def register(self, cls: type) -> Callable[[_F], _F]: ...
    def __call__(self, val: object, c: Any) -> Type | None: ...

typeof_impl: _TypeofImpl

def typeof(val: object, purpose: Purpose = ...) -> Type:
    """The type of a Python value as an argument of compiled code."""

def __getattr__(name: str) -> Any: ...
