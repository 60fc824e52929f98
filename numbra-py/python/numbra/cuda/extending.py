"""``numba.cuda.extending``: what extensions import. What is registered here is for GPUs, unless it says otherwise."""

import functools

from numbra._named import names_of
from numbra.core import extending as _generic
from numbra.core.extending import *  # noqa: F403
from numbra.core.extending import __all__ as _names

__getattr__ = names_of(__name__)


def _for_cuda(register):
    """``register`` with ``target="cuda"`` as its default."""

    @functools.wraps(register)
    def registering(*args, target="cuda", **kwargs):
        return register(*args, target=target, **kwargs)

    return registering


overload = _for_cuda(_generic.overload)
overload_attribute = _for_cuda(_generic.overload_attribute)
overload_method = _for_cuda(_generic.overload_method)

__all__ = [*_names]
