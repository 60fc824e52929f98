"""Functions that make typed dictionaries."""

from numbra._named import names_of
from numbra.typed.typeddict import Dict


def new_dict(key, value, n_keys=0):
    """An empty dictionary with keys and values of these types."""
    return Dict.empty(key, value, n_keys)


__getattr__ = names_of(__name__)
