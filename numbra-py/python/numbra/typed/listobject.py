"""Functions that make typed lists."""

from numbra._named import names_of
from numbra.typed.typedlist import List


def new_list(item, allocated=0):
    """An empty list of items of this type."""
    return List.empty_list(item, allocated)


__getattr__ = names_of(__name__)
