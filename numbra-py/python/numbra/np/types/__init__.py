"""Types of NumPy's objects, under the name that programs import."""

from numbra._named import names_of
from numbra.core.types.npytypes import *  # noqa: F403
from numbra.core.types.scalars import NPDatetime, NPTimedelta

__all__ = ["NPDatetime", "NPTimedelta"]

__getattr__ = names_of(__name__)
