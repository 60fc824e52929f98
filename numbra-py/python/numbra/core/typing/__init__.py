"""Signatures and what typing code imports from ``numba.core.typing``."""

from numbra.core.typing.templates import Signature, signature

__all__ = ["BaseContext", "Context", "Signature", "fold_arguments", "signature"]


def __getattr__(name: str):
    if name == "fold_arguments":
        from numbra.core.typing.templates import fold_arguments

        return fold_arguments
    if name in ("BaseContext", "Context"):
        from numbra.core.typing import context

        return getattr(context, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
