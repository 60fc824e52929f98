"""``numba.extending``: what extensions import."""

from numbra._named import names_of
from numbra.core.extending import *  # noqa: F403
from numbra.core.extending import __all__  # noqa: F401


def __getattr__(name: str):
    from numbra.core import extending

    return getattr(extending, name) if name in extending._LOWERING else _others(name)


_others = names_of(__name__)
