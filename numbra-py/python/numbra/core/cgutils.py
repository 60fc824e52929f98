"""``numbra.core.cgutils``: helpers for code that is written with an ``IRBuilder``."""

from numbra._named import names_of
from numbra.core.recorder import cgutils as _cgutils
from numbra.core.recorder.cgutils import *  # noqa: F403

_names = names_of(__name__)


def __getattr__(name):
    found = vars(_cgutils).get(name)
    return _names(name) if found is None else found
