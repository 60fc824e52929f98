"""``llvmlite.ir``: types, constants and the builder."""

from numbra.core.recorder import llvmir as _llvmir
from numbra.core.recorder.builder import IRBuilder
from numbra.core.recorder.llvmir import *  # noqa: F403
from numbra.core.recorder.module import Function, Module


def __getattr__(name):
    try:
        return getattr(_llvmir, name)
    except AttributeError:
        from numbra.core.errors import UnsupportedError

        if name.startswith("__"):
            raise
        raise UnsupportedError(f"numbra does not have `llvmlite.ir.{name}`") from None


__all__ = [*(name for name in dir(_llvmir) if not name.startswith("_")), "Function", "IRBuilder", "Module"]
