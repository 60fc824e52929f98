"""Standing in for Numba."""

import builtins
from typing import NamedTuple

NUMBA_VERSION: str
CHILDREN: str

class _VersionInfo(NamedTuple):
    major: int
    minor: int
    patch: int
    short: builtins.tuple[int, int]
    full: builtins.tuple[int, int, int]
    string: str
    tuple: builtins.tuple[str, ...]
    git_revision: str | None

version_info: _VersionInfo

def install_as_numba(children: bool = True) -> None:
    """From now on ``import numba`` gives numbra, which then answers Numba's version."""

def reach_children() -> None:
    """Python processes that are started from now on have numbra stand in for Numba."""
