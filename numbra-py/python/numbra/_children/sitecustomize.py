"""Start-up of Python processes that have numbra stand in for Numba: ``numbra.install_as_numba`` and ``numbra run`` put
the folder of this file in ``PYTHONPATH``.

Nothing is loaded before somebody asks for Numba, or loads ``pkg_resources``, which looks for all packages at once;
another ``sitecustomize``, which this one hides, runs as well.
"""

import os
import sys


class Later:
    """In ``sys.meta_path``: hands over when somebody asks for Numba."""

    absent = False

    @staticmethod
    def finder():
        """numbra's finder, which from then on is asked first; None where this Python has no numbra."""
        if Later.absent:
            return None
        try:
            from numbra import _compat
        except ModuleNotFoundError as error:
            if error.name != "numbra":
                raise
            Later.absent = True
            return None
        # Not `install_as_numba`: whoever imports Numba, in whichever thread, enters it.
        _compat.answer()
        return _compat.Finder

    @staticmethod
    def find_spec(name, path=None, target=None):
        """Of ``numba``, whose submodules come after it, and of ``pkg_resources``."""
        finder = Later.finder() if name in ("numba", "pkg_resources") else None
        return finder and finder.find_spec(name, path, target)

    @staticmethod
    def find_distributions(context):
        """Of ``numba``, where it is asked for by name."""
        finder = Later.finder() if context.name and context.name.lower() == "numba" else None
        return finder.find_distributions(context) if finder else []


def run_hidden() -> None:
    """Runs the ``sitecustomize`` that this one hides, if there is one."""
    here = os.path.dirname(__file__)
    sys.path[:] = [path for path in sys.path if path != here]
    this = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "sitecustomize":
            raise
    finally:
        if this is not None:
            sys.modules.setdefault("sitecustomize", this)


sys.meta_path.insert(0, Later)
run_hidden()
