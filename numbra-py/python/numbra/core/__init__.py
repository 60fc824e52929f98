"""The modules that programs import from ``numba.core``."""

from numbra._named import names_of

__getattr__ = names_of(__name__)
