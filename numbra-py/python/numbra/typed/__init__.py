"""Typed containers. Of sets numbra has the name only: programs can name their types; using one says so."""

import types

from numbra._named import names_of
from numbra.core.errors import UnsupportedError
from numbra.typed.typeddict import Dict
from numbra.typed.typedlist import List


def _refuses(self, *args, **kwargs):
    raise UnsupportedError(f"numbra does not have typed.{type(self).__name__} yet")


class _NotYet:
    def __init__(self, *args, **kwargs):
        pass

    __class_getitem__ = classmethod(types.GenericAlias)
    __hash__ = None
    __len__ = __iter__ = __contains__ = __getitem__ = __setitem__ = __delitem__ = __eq__ = __bool__ = _refuses

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(name)
        _refuses(self)


class Set(_NotYet):
    """A set of items of one type."""

    @classmethod
    def empty(cls, key_type):
        """An empty set of items of a type."""
        return cls()


__all__ = ["Dict", "List", "Set"]
__getattr__ = names_of(__name__)
