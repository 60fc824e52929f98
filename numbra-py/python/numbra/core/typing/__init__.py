"""Signatures and what typing code imports from ``numba.core.typing``."""

from numbra.core.typing.templates import Signature, signature

__all__ = ["Signature", "signature"]
