"""Typed containers."""

from numbra._named import names_of
from numbra.typed.typeddict import Dict
from numbra.typed.typedlist import List
from numbra.typed.typedset import Set

__all__ = ["Dict", "List", "Set"]
__getattr__ = names_of(__name__)
