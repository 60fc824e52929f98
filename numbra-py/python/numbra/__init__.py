"""numbra: Numba's whole system, in Rust.

``import numbra as nb`` and use it as Numba: ``@nb.njit`` compiles a function at its first call with given argument
types. What is rarely needed loads on first use.
"""

import sys

from numbra._named import Finder, names_of
from numbra._numbra import __version__ as __version__
from numbra.core.decorators import jit as jit
from numbra.core.decorators import njit as njit

if Finder not in sys.meta_path:
    sys.meta_path.append(Finder)

_TYPE_NAMES_MODULE = "numbra.core.types"

# Name -> module that defines it; loaded on first use.
_LAZY = {
    "typeof": "numbra.core.typeof",
    "from_dtype": "numbra.core.typeof",
    "jit_module": "numbra.core.decorators",
    "STAGES": "numbra.core.dispatcher",
    "vectorize": "numbra.np.ufunc.decorators",
    "guvectorize": "numbra.np.ufunc.decorators",
    "objmode": "numbra.core.withcontexts",
    "prange": "numbra.misc.special",
    "get_num_threads": "numbra.np.ufunc.parallel",
    "get_parallel_chunksize": "numbra.np.ufunc.parallel",
    "get_thread_id": "numbra.np.ufunc.parallel",
    "parallel_chunksize": "numbra.np.ufunc.parallel",
    "set_num_threads": "numbra.np.ufunc.parallel",
    "set_parallel_chunksize": "numbra.np.ufunc.parallel",
    "threading_layer": "numbra.np.ufunc.parallel",
    "pndindex": "numbra.misc.special",
    "cfunc": "numbra.core.ccallback",
    "carray": "numbra.misc.special",
    "farray": "numbra.misc.special",
    "literally": "numbra.misc.special",
    "literal_unroll": "numbra.misc.special",
    "stencil": "numbra.stencils.stencil",
    "explain": "numbra._about",
    "install_as_numba": "numbra._compat",
    "version_info": "numbra._compat",
}
_SUBMODULES = frozenset({"core", "cuda", "experimental", "extending", "misc", "np", "stencils", "typed"})
_named_only = names_of(__name__)


def __getattr__(name: str):
    import importlib

    if name in _LAZY:
        value = getattr(importlib.import_module(_LAZY[name]), name)
    elif name in ("types", "errors", "config"):
        value = importlib.import_module(f"numbra.core.{name}")
    elif name in _SUBMODULES:
        value = importlib.import_module(f"numbra.{name}")
    elif name == "__all__":
        types = importlib.import_module(_TYPE_NAMES_MODULE)
        errors = importlib.import_module("numbra.core.errors")
        value = [*_OWN, *types.__all__, *errors.__all__]
    elif name.startswith("_"):
        raise AttributeError(f"module 'numbra' has no attribute {name!r}", name=name)
    else:
        types = importlib.import_module(_TYPE_NAMES_MODULE)
        errors = importlib.import_module("numbra.core.errors")
        if name in types.__all__:
            value = getattr(types, name)
        elif name in errors.__all__:
            value = getattr(errors, name)
        else:
            return _named_only(name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *_SUBMODULES, "types", "errors", "config"})


_OWN = ["__version__", "jit", "njit", *_LAZY, "config", "errors", "experimental", "types"]

# `importlib.reload(numba)`.
if sys.modules.get("numba") is sys.modules[__name__]:
    sys.modules["numbra._compat"].install_as_numba(children=False)
