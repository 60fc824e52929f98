"""The typed dictionary."""

from numbra._named import names_of
from numbra.typed import Dict

__all__ = ["Dict"]
__getattr__ = names_of(__name__)
