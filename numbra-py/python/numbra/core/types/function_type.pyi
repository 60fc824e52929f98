"""First-class functions."""

from typing import Any

from numbra.core.types.abstract import Type
from numbra.core.typing.templates import Signature

class FunctionType(Type):
    """A function value of one signature."""

    cconv: Any
    signature: Signature
    nargs: int
    ftype: Any
    def __init__(self, signature: Signature) -> None: ...
    @staticmethod
    def attributes_of(return_type: Type, args: Any) -> dict[str, Any]: ...
    def get_precise(self) -> Any: ...
    def check_signature(self, other_sig: Any) -> bool: ...

class UndefinedFunctionType(FunctionType):
    """One of several jitted functions: a call says its signature."""

    members: tuple[Type, ...]
    dispatchers: Any
    def __init__(self, nargs: int, dispatchers: Any) -> None: ...

class FunctionPrototype(Type):
    """Result and argument types of a function pointer."""

    cconv: Any
    rtype: Any
    atypes: Any
    def __init__(self, rtype: Any, atypes: Any) -> None: ...

class WrapperAddressProtocol:
    """What an object implements to be a first-class function: its address and signature."""
    def signature(self) -> Signature: ...

class CompileResultWAP(WrapperAddressProtocol):
    """A compiled signature as a first-class function."""

    cres: Any
    def __init__(self, cres: Any) -> None: ...
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def signature(self) -> Signature: ...
