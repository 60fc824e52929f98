"""Standing in for Numba."""

import functools
import os
import sys
from collections import namedtuple

#: The release whose behaviour numbra follows.
NUMBA_VERSION = "0.68.1"

_VersionInfo = namedtuple("version_info", "major minor patch short full string tuple git_revision")
version_info = _VersionInfo(0, 68, 1, (0, 68), (0, 68, 1), NUMBA_VERSION, tuple(NUMBA_VERSION.split(".")), None)

#: Python processes that find this folder in ``PYTHONPATH`` have numbra stand in for Numba: see the module in it.
CHILDREN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_children")


class _Loader:
    """Gives a module of numbra under Numba's name."""

    def __init__(self, found):
        self._found = found

    def create_module(self, spec):
        """The module, which has run under its own name."""
        import importlib

        module = importlib.import_module(self._found.name)
        self._own = module.__spec__
        return module

    def exec_module(self, module):
        """The import system has put Numba's spec on the module; ``importlib.reload`` needs its own."""
        module.__spec__ = self._own

    def get_code(self, name):
        """For ``python -m numba``."""
        return self._found.loader.get_code(self._found.name)


class Finder:
    """First in ``sys.meta_path``: ``import numba`` and its submodules give numbra's, and ``importlib.metadata`` and
    ``pkg_resources`` find Numba, which need not be installed."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        """The place of a module of Numba's, or of ``pkg_resources``: it lists what is installed when it is loaded."""
        if name == "pkg_resources":
            return _listing_numba()
        package, _, below = name.partition(".")
        ours = {"numba": "numbra", "llvmlite": "numbra.llvmlite"}.get(package)
        if ours is None:
            return None
        import importlib.util

        try:
            found = importlib.util.find_spec(f"{ours}.{below}" if below else ours)
        except ModuleNotFoundError:
            return None
        if found is None:
            return None
        spec = importlib.util.spec_from_loader(name, _Loader(found), origin=found.origin)
        spec.submodule_search_locations = found.submodule_search_locations
        return spec

    @staticmethod
    def find_distributions(context):
        """What ``importlib.metadata`` knows of Numba; not where it is asked for what lies in certain folders."""
        asked = context.name is None or context.name.lower() == "numba"
        return [_distribution()] if asked and context.path == sys.path else []


@functools.cache
def _distribution():
    from importlib.metadata import Distribution
    from pathlib import Path

    from numbra._numbra import __version__

    metadata = f"""\
Metadata-Version: 2.1
Name: numba
Version: {NUMBA_VERSION}
Summary: numbra, which stands in for Numba
Requires-Dist: numbra=={__version__}
"""
    files = {"METADATA": metadata, "top_level.txt": "numba\n", "INSTALLER": "numbra\n"}

    class Numba(Distribution):
        """Numba, as packages ask for its version; it is in no file."""

        def read_text(self, filename):
            return files.get(filename)

        def locate_file(self, path):
            return Path(__file__).parents[1] / path

    return Numba()


def _listing_numba():
    """The place of ``pkg_resources``, which then lists Numba, too; None where it is not installed."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("pkg_resources")
    if spec is None:
        return None
    loader = spec.loader
    execute = loader.exec_module

    def exec_module(module):
        del loader.exec_module  # It has its class's again.
        execute(module)
        _list_numba(module)

    loader.exec_module = exec_module
    return spec


def _list_numba(pkg_resources):
    """Numba's version is numbra's answer among the packages of ``pkg_resources``."""
    place = str(_distribution().locate_file(""))
    numba = pkg_resources.Distribution(place, project_name="numba", version=NUMBA_VERSION)
    pkg_resources.working_set.add(numba, entry=place, insert=False, replace=True)


def install_as_numba(children: bool = True) -> None:
    """From now on ``import numba`` gives numbra, which then answers Numba's version.

    Version checks by ``numba.__version__``, ``importlib.metadata``, ``importlib.util.find_spec`` and ``pkg_resources``
    are answered, too.
    An installed Numba is hidden, not changed; one that has been imported already is an error. Calling this again does
    nothing.

    Parameters
    ----------
    children
        Whether Python processes that this one starts do the same, by ``multiprocessing`` in any of its ways or
        otherwise: a folder of numbra is put in front in the environment variable ``PYTHONPATH``. Forked processes do
        it anyway.

    Examples
    --------
    >>> import numbra
    >>> numbra.install_as_numba()
    >>> import numba
    >>> numba.__version__
    '0.68.1'
    """
    import numbra

    if sys.modules.get("numba", numbra) is not numbra:
        raise ImportError("numba has been imported already: call numbra.install_as_numba() before", name="numba")
    answer()
    sys.modules["numba"] = numbra
    if children:
        reach_children()


def answer() -> None:
    """``import numba`` gives numbra."""
    import numbra

    if Finder not in sys.meta_path:
        sys.meta_path.insert(0, Finder)
        if hasattr(sys.modules.get("pkg_resources"), "working_set"):
            _list_numba(sys.modules["pkg_resources"])
    numbra.__version__ = NUMBA_VERSION


def reach_children() -> None:
    """Python processes that are started from now on have numbra stand in for Numba."""
    paths = os.environ.get("PYTHONPATH")
    if paths is None or CHILDREN not in paths.split(os.pathsep):
        os.environ["PYTHONPATH"] = f"{CHILDREN}{os.pathsep}{paths}" if paths else CHILDREN
