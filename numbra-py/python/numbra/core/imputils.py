"""``numbra.core.imputils``: what the code of extensions ends with.

References are counted by the compiler, whatever code says of who owns a result.
"""

from numbra._named import names_of
from numbra.core.lowering_api import lower_builtin  # noqa: F401 - Numba's place of it


def impl_ret_borrowed(ctx, builder, retty, ret):
    """A result that somebody else owns."""
    return ret


def impl_ret_new_ref(ctx, builder, retty, ret):
    """A result that the caller is to own."""
    return ret


def impl_ret_untracked(ctx, builder, retty, ret):
    """A result that nobody owns."""
    return ret


__getattr__ = names_of(__name__)
