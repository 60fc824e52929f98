"""The names of ``numbra.cuda`` where kernels are compiled."""

from numbra.cuda import stubs as _stubs
from numbra.cuda.compiler import (
    compile,
    compile_all,
    compile_for_current_device,
    compile_ptx,
    compile_ptx_for_current_device,
)
from numbra.cuda.decorators import declare_device, jit
from numbra.cuda.stubs import *  # noqa: F403

#: Names of the compiler.
_COMPILER = [
    "compile",
    "compile_all",
    "compile_for_current_device",
    "compile_ptx",
    "compile_ptx_for_current_device",
    "declare_device",
    "jit",
]


def is_available() -> bool:
    """Whether kernels can run here."""
    return False


__all__ = [*_COMPILER, *_stubs.__all__, "is_available"]
