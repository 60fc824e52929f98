"""Registering implementations written in Python for functions, methods and attributes."""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NoReturn, Protocol, TypeVar
from typing import overload as _overload

from numbra.core.types.abstract import Type
from numbra.core.typing.asnumbatype import as_numba_type as as_numba_type
from numbra.core.typing.typeof import typeof_impl as typeof_impl

_F = TypeVar("_F", bound=Callable[..., Any])
_Inline = Literal["never", "always"] | Callable[..., bool]

class _Decorator(Protocol):
    def __call__(self, function: _F, /) -> _F: ...

def overload(
    func: object,
    jit_options: Mapping[str, Any] = ...,
    strict: bool = True,
    inline: _Inline = "never",
    prefer_literal: bool = False,
    **kwargs: Any,
) -> _Decorator:
    """Decorates a function that gives, for argument types, an implementation of ``func``."""

def overload_method(typ: type[Type] | Type, attr: str, **kwargs: Any) -> _Decorator:
    """As :func:`overload`, for the method ``attr`` of values whose type is a ``typ``."""

def overload_attribute(typ: type[Type] | Type, attr: str, **kwargs: Any) -> _Decorator:
    """As :func:`overload`, for the attribute ``attr`` of values whose type is a ``typ``."""

@_overload
def register_jitable(function: _F, /) -> _F: ...
@_overload
def register_jitable(**kwargs: Any) -> _Decorator:
    """A function that compiled code may call; called from Python it stays the Python function."""

def is_jitted(function: object) -> bool:
    """True for a jitted function."""

class Intrinsic:
    """What :func:`intrinsic` makes. It takes values where the function takes their types."""

    __name__: str
    def __init__(self, func: Callable[..., Any]) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

@_overload
def intrinsic(function: Callable[..., Any], /) -> Intrinsic: ...
@_overload
def intrinsic(*, prefer_literal: bool = False, **kwargs: Any) -> Callable[[Callable[..., Any]], Intrinsic]:
    """Decorates a function that writes the LLVM IR of calls."""

def include_path() -> NoReturn:
    """Numba's C headers are not part of numbra."""

def get_cython_function_address(module_name: str, function_name: str) -> int:
    """Address of a Cython function that its module exports."""

def sentry_literal_args(
    pysig: inspect.Signature, literal_args: Iterable[str], args: Iterable[Any], kwargs: Mapping[str, Any]
) -> None:
    """Asks for literal types of the named arguments, unless they are literals already."""

class SentryLiteralArgs:
    """Asks that the named arguments of functions be literals."""

    def __init__(self, literal_args: Iterable[str]) -> None: ...
    def for_function(self, func: Callable[..., Any]) -> BoundLiteralArgs: ...
    def for_pysig(self, pysig: inspect.Signature) -> BoundLiteralArgs: ...

class BoundLiteralArgs:
    """See :class:`SentryLiteralArgs`."""

    def __init__(self, pysig: inspect.Signature, literal_args: frozenset[str]) -> None: ...
    def bind(self, *args: Any, **kwargs: Any) -> None: ...

# Low-level extensions: they keep what they are given.
def type_callable(func: object) -> _Decorator: ...
def lower_builtin(func: object, *argtys: object, **kwargs: Any) -> _Decorator: ...
def lower_cast(*args: object) -> _Decorator: ...
def lower_getattr(ty: object, attr: str) -> _Decorator: ...
def lower_getattr_generic(ty: object) -> _Decorator: ...
def lower_setattr(ty: object, attr: str) -> _Decorator: ...
def lower_setattr_generic(ty: object) -> _Decorator: ...
def box(typeclass: type) -> _Decorator: ...
def unbox(typeclass: type) -> _Decorator: ...
def reflect(typeclass: type) -> _Decorator: ...
def register_model(fe_type_cls: type) -> Callable[[_F], _F]: ...
def infer(template: _F) -> _F: ...
def infer_getattr(template: _F) -> _F: ...
def make_attribute_wrapper(typeclass: type, struct_attr: str, python_attr: str) -> None: ...
def overload_classmethod(typ: type[Type] | Type, attr: str, **kwargs: Any) -> _Decorator: ...

NativeValue: Any
models: Any

__all__ = [
    "BoundLiteralArgs",
    "SentryLiteralArgs",
    "as_numba_type",
    "get_cython_function_address",
    "include_path",
    "intrinsic",
    "is_jitted",
    "overload",
    "overload_attribute",
    "overload_method",
    "register_jitable",
    "sentry_literal_args",
    "typeof_impl",
]
