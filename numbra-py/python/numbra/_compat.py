"""Standing in for Numba."""

import sys
from collections import namedtuple

#: The release whose behaviour numbra follows.
NUMBA_VERSION = "0.68.1"

_VersionInfo = namedtuple("version_info", "major minor patch short full string tuple git_revision")
version_info = _VersionInfo(0, 68, 1, (0, 68), (0, 68, 1), NUMBA_VERSION, tuple(NUMBA_VERSION.split(".")), None)


class _Finder:
    """Answers ``import numba`` and its submodules with numbra's."""

    def find_spec(self, name, path=None, target=None):
        if name != "numba" and not name.startswith("numba."):
            return None
        import importlib.util

        try:
            found = importlib.util.find_spec("numbra" + name[5:])
        except ModuleNotFoundError:
            return None
        if found is None:
            return None
        spec = importlib.util.spec_from_loader(name, self)
        spec.submodule_search_locations = found.submodule_search_locations
        return spec

    def create_module(self, spec):
        import importlib

        return importlib.import_module("numbra" + spec.name[5:])

    def exec_module(self, module):
        """The module has run under its own name."""


def install_as_numba() -> None:
    """From now on ``import numba`` gives numbra, which then answers Numba's version."""
    import numbra

    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
    numbra.__version__ = NUMBA_VERSION
    sys.modules["numba"] = numbra
