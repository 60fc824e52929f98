"""Modules that have two names.

numba-cuda carries a copy of Numba's front end under ``numba.cuda``; here ``numbra.cuda.core`` and the like are the one
front end itself, the very module objects. Under the simulator the names of what needs a GPU, such as
``numbra.cuda.cudadrv``, give the simulator's modules.
"""

import importlib
import importlib.abc
import importlib.machinery
import sys
from types import ModuleType

FRONT_END = {
    "numbra.cuda.core": "numbra.core",
    "numbra.cuda.cpython": "numbra.cpython",
    "numbra.cuda.types": "numbra.core.types",
    "numbra.cuda.typing": "numbra.core.typing",
    "numbra.cuda.typeconv": "numbra.core.typeconv",
    "numbra.cuda.utils": "numbra.core.utils",
    "numbra.cuda.serialize": "numbra.core.serialize",
    "numbra.cuda.itanium_mangler": "numbra.core.itanium_mangler",
    "numbra.cuda.np": "numbra.np",
    "numbra.cuda.misc": "numbra.misc",
}


class _Given(importlib.abc.Loader):
    """Hands out a module that is loaded, and leaves it as it is."""

    def __init__(self, module: ModuleType):
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec):
        return self.module

    def exec_module(self, module):
        # Importing under the other name has put the other name's spec in.
        module.__spec__ = self.spec


class _Finder(importlib.abc.MetaPathFinder):
    """Finds modules of `names`, and those inside them, under the other name."""

    def __init__(self):
        self.names: dict[str, str] = {}

    def find_spec(self, fullname, path=None, target=None):
        if not fullname.startswith("numbra.cuda."):
            return None
        outer, inner = fullname, ""
        while outer not in self.names:
            outer, dot, last = outer.rpartition(".")
            if outer == "numbra.cuda":
                return None
            inner = dot + last + inner
        target = self.names[outer] + inner
        try:
            module = importlib.import_module(target)
        except ModuleNotFoundError as error:
            if error.name is not None and f"{target}.".startswith(f"{error.name}."):
                return None  # which makes the error name the module that was asked for
            raise
        return importlib.machinery.ModuleSpec(fullname, _Given(module), is_package=hasattr(module, "__path__"))


_finder = _Finder()


def add(names: dict[str, str]) -> None:
    """From now on ``import key`` gives the module called ``value``."""
    _finder.names.update(names)
    if _finder not in sys.meta_path:
        sys.meta_path.insert(0, _finder)
