"""``numbra.core.datamodel``: what values of types that Python code defines are made of."""

from numbra._named import names_of

__getattr__ = names_of(__name__)
