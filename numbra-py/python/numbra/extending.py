"""``numba.extending``: what extensions import."""

from numbra.core.extending import *  # noqa: F403
from numbra.core.extending import __all__  # noqa: F401
