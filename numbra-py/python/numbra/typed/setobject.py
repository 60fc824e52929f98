"""Functions that make typed sets."""

from numbra._named import names_of
from numbra.typed.typedset import Set


def new_set(key, n_keys=0):
    """An empty set of items of this type."""
    return Set.empty(key, n_keys)


__getattr__ = names_of(__name__)
