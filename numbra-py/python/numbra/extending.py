"""``numba.extending``: what extensions import."""

from numbra._named import names_of
from numbra.core.extending import *  # noqa: F403
from numbra.core.extending import __all__  # noqa: F401

__getattr__ = names_of(__name__)
