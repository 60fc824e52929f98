"""Special functions that compiled code recognises."""

from numbra._named import names_of

__getattr__ = names_of(__name__)
