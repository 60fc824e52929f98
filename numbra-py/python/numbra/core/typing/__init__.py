"""Signatures and what typing code imports from ``numba.core.typing``."""

from numbra.core.typing.templates import Signature, signature

__all__ = ["Signature", "fold_arguments", "signature"]


def __getattr__(name: str):
    if name == "fold_arguments":
        from numbra.core.typing.templates import fold_arguments

        return fold_arguments
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
