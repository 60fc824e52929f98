"""The modules that programs import from ``numba.core``."""

from typing import Any

from numbra.core import caching as caching
from numbra.core import ccallback as ccallback
from numbra.core import config as config
from numbra.core import decorators as decorators
from numbra.core import dispatcher as dispatcher
from numbra.core import errors as errors
from numbra.core import extending as extending
from numbra.core import registry as registry
from numbra.core import sigutils as sigutils
from numbra.core import types as types
from numbra.core import typing as typing
from numbra.core import utils as utils
from numbra.core import withcontexts as withcontexts

def __getattr__(name: str) -> Any: ...
