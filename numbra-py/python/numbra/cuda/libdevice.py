"""NVIDIA's library of functions for GPUs: ``sin`` is its ``__nv_sin``. What it writes through pointers are results too.

These are names for the compiler: they have no values outside of kernels.
"""

from numbra import _numbra
from numbra._named import names_of
from numbra.cuda.stubs import _function

__getattr__ = names_of(__name__)


def _parameters(count: int) -> str:
    return ", ".join("xyzw"[:count])


__all__ = []
for _short, _result, _operands, _outs in _numbra._libdevice_functions():
    _results = [name for name in (_result, *_outs) if name != "void"]
    _types = ", ".join(_operands)
    globals()[_short] = _function(
        f"libdevice.{_short}",
        f"({_parameters(len(_operands))})",
        f"``__nv_{_short}`` of ``({_types})``; gives ``{', '.join(_results)}``.",
    )
    __all__.append(_short)
