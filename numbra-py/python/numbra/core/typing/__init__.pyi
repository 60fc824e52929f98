"""Types of calls."""

from typing import Any

from numbra.core.typing.templates import Signature as Signature
from numbra.core.typing.templates import fold_arguments as fold_arguments
from numbra.core.typing.templates import signature as signature

def __getattr__(name: str) -> Any: ...
