"""Numba's names that numbra has no meaning for yet: they import, and say what is missing when they are used.

A module answers to them by ``__getattr__ = names_of(__name__)``; :class:`Finder` makes modules that numbra lacks as a
whole. What the names are loads with the first of them (:mod:`numbra._named.table`).
"""

import sys


def names_of(module: str):
    """The ``__getattr__`` of a module: its submodules, and those of Numba's names that it lacks."""

    def __getattr__(name: str):
        if name.startswith("__"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}", name=name)
        this = sys.modules[module]
        if hasattr(this, "__path__"):
            import importlib

            below = f"{module}.{name}"
            try:
                return importlib.import_module(below)
            except ModuleNotFoundError as missing:
                if missing.name != below:
                    raise
        from numbra._named import table

        value = table.find(module, name)
        setattr(this, name, value)
        return value

    return __getattr__


class Finder:
    """Makes Numba's modules that numbra lacks; asked after everybody else."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """The place of a module of Numba's."""
        if not name.startswith("numbra."):
            return None
        from numbra._named import table

        return table.spec(name, Finder)

    @staticmethod
    def create_module(spec):
        """An empty module."""
        from numbra._named import table

        return table.empty(spec.name)

    @staticmethod
    def exec_module(module):
        """Its names are made when they are wanted."""
        from numbra._named import table

        module.__getattr__ = names_of(module.__name__)
        module.__all__ = [name for name in table.names(module.__name__) if not name.startswith("_")]
