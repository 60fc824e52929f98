"""``numbra.cuda``: kernels for NVIDIA GPUs.

With ``NUMBA_ENABLE_CUDASIM=1`` every name here is the simulator's: kernels run as Python functions, one operating
system thread for each thread of the GPU, and ``pdb`` stops in them.
"""

from numbra._named import names_of
from numbra.core import config
from numbra.cuda import aliases

aliases.add(aliases.FRONT_END)

if config.ENABLE_CUDASIM:
    from numbra.cuda import simulator_init as _names
    from numbra.cuda.simulator_init import *  # noqa: F403
else:
    from numbra.cuda import device_init as _names
    from numbra.cuda.device_init import *  # noqa: F403

#: What ``numba -s`` says of who has written this target.
implementation = "numbra"
#: Whether the front end for the CPU is there as well.
HAS_NUMBA = True

# Name -> module that defines it; loaded on first use.
_LAZY = {
    "Reduce": "numbra.cuda.kernels.reduction",
    "compile": "numbra.cuda.compiler",
    "compile_all": "numbra.cuda.compiler",
    "compile_for_current_device": "numbra.cuda.compiler",
    "compile_ptx": "numbra.cuda.compiler",
    "compile_ptx_for_current_device": "numbra.cuda.compiler",
    "guvectorize": "numbra.cuda.vectorizers",
    "reduce": "numbra.cuda.kernels.reduction",
    "vectorize": "numbra.cuda.vectorizers",
}


def __getattr__(name: str):
    """What is loaded on first use: types by their names, the compiler, modules."""
    import importlib
    import importlib.util

    if name.startswith("__"):
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
    types = importlib.import_module("numbra.core.types")
    if name in types.__all__:
        value = getattr(types, name)
    elif name in _LAZY:
        value = getattr(importlib.import_module(_LAZY[name]), name)
    elif importlib.util.find_spec(f"{__name__}.{name}") is not None:
        return importlib.import_module(f"{__name__}.{name}")
    elif name in getattr(_names, "HOST", ()):
        value = getattr(_names, name)
    else:
        try:
            return getattr(_names, name)
        except AttributeError:
            return names_of(__name__)(name)
    globals()[name] = value
    return value


__all__ = [*_names.__all__, *getattr(_names, "HOST", ()), "HAS_NUMBA", "config", "implementation"]
