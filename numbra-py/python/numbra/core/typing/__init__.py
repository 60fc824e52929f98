"""Signatures and what typing code imports from ``numba.core.typing``."""

from numbra._named import names_of
from numbra.core.typing.templates import Signature, signature

__all__ = ["BaseContext", "Context", "Signature", "fold_arguments", "signature"]
_named_only = names_of(__name__)


def __getattr__(name: str):
    if name == "fold_arguments":
        from numbra.core.typing.templates import fold_arguments

        return fold_arguments
    if name in ("BaseContext", "Context"):
        from numbra.core.typing import context

        return getattr(context, name)
    return _named_only(name)
