"""NVIDIA's library of functions for GPUs: ``sin`` is its ``__nv_sin``. What it writes through pointers are results too.

These are names for the compiler: they have no values outside of kernels.
"""

from numbra import _numbra
from numbra._named import names_of
from numbra.cuda.stubs import functions


def _described(result: str, operands, outs, short: str) -> tuple[str, str]:
    """Parameters of a function, and what it does."""
    results = ", ".join(name for name in (result, *outs) if name != "void")
    return (
        f"({', '.join('xyzw'[: len(operands)])})",
        f"``__nv_{short}`` of ``({', '.join(operands)})``; gives ``{results}``.",
    )


_FUNCTIONS = {
    short: _described(result, operands, outs, short) for short, result, operands, outs in _numbra._libdevice_functions()
}

__getattr__ = functions("libdevice", _FUNCTIONS, {}, names_of(__name__))
__all__ = list(_FUNCTIONS)
