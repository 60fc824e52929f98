"""The compiler under test: numbra, or the module that the variable MODULE names."""

import importlib
import os

NAME = os.environ.get("MODULE", "numbra")
_module = importlib.import_module(NAME)
cfunc, njit, objmode, prange, vectorize = (
    getattr(_module, name) for name in ("cfunc", "njit", "objmode", "prange", "vectorize")
)
config = importlib.import_module(f"{NAME}.core.config")
NumbaError = importlib.import_module(f"{NAME}.core.errors").NumbaError
rtsys = importlib.import_module(f"{NAME}.core.runtime").rtsys
