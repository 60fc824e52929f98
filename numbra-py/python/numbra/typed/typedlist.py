"""The typed list."""

from numbra._named import names_of
from numbra.typed import List

__all__ = ["List"]
__getattr__ = names_of(__name__)
