"""The name of Numba's built-in layer. numbra's built-in pool serves it."""

from numbra._named import names_of

__getattr__ = names_of(__name__)
