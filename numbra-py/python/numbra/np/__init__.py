"""NumPy's side of the API."""

from numbra._named import names_of

__getattr__ = names_of(__name__)
